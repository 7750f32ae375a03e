"""Turn a scene into shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.offline.drawing.layout import draw_things
from inkframe.engines.offline.drawing.places import PLACES
from inkframe.engines.offline.drawing.places.weather import draw_weather
from inkframe.engines.offline.drawing.scene_layout import Stage

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.scene import Scene

__all__ = ["compose"]


def compose(scene: Scene, size: tuple[int, int]) -> Stage:
    """Lay out a scene: its place, its things and its weather.

    Args:
        scene: The scene to show.
        size: Width and height in pixels; only their ratio matters.
    """
    stage = Stage(scene, size)
    PLACES[scene.place](stage)
    draw_things(stage)
    draw_weather(stage)
    return stage
