"""Turn a scene into shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.drawing.layout import draw_things
from inkframe_demo.drawing.places import (
    coast,
    deep,
    fields,
    harbor,
    heaven,
    inland,
    inside,
    pure,
    skyline,
    street,
    weather,
    wild,
)
from inkframe_demo.drawing.scene_layout import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe_demo.drawing.scene import Scene

__all__ = ["PLACES", "compose"]

#: Every place by the name that the word lists use: it adds its shapes to the stage, back to front, and defines
#: where things can stand.
PLACES: Mapping[str, Callable[[Stage], None]] = {
    "abstract": pure.abstract,
    "beach": coast.beach,
    "city": skyline.city,
    "deep": deep.deep,
    "desert": wild.desert,
    "forest": wild.forest,
    "garden": fields.garden,
    "harbor": harbor.harbor,
    "lake": inland.lake,
    "meadow": fields.meadow,
    "mountains": wild.mountains,
    "river": inland.river,
    "road": fields.road,
    "room": inside.room,
    "sea": coast.sea,
    "sky": heaven.sky,
    "space": heaven.space,
    "street": street.street,
    "table": inside.table,
    "village": fields.village,
    "wall": inside.wall,
    "winter": wild.winter,
}


def compose(scene: Scene, size: tuple[int, int]) -> Stage:
    """Lay out a scene: its place, its things and its weather.

    Args:
        scene: The scene to show.
        size: Width and height in pixels; only their ratio matters.
    """
    stage = Stage(scene, size)
    PLACES[scene.place](stage)
    draw_things(stage)
    weather.draw_weather(stage)
    return stage
