"""Styles: each draws a whole scene in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import mix, turn, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.scene import stable_number
from inkframe.service.engines.offline.drawing.shape import refilled
from inkframe.service.engines.offline.styles import graphic, lens, line, printed, screen, shaped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene

    Style = Callable[[Scene, tuple[int, int]], NDArray[np.float32]]

__all__ = ["STYLES", "draw_scene"]

#: Every style of the standard vocabulary by its code.
STYLES: Mapping[str, Style] = {
    "3d_render": lens.render,
    "abstract": shaped.abstract,
    "anime": line.anime,
    "art_deco": shaped.art_deco,
    "cartoon": line.cartoon,
    "digital_art": screen.digital_art,
    "illustration": graphic.illustration,
    "origami": shaped.origami,
    "photography": lens.photography,
    "pixel_art": screen.pixel_art,
    "pop_art": printed.pop_art,
    "retro": printed.retro,
    "sketch": line.sketch,
    "vaporwave": screen.vaporwave,
}


def draw_scene(scene: Scene, size: tuple[int, int], style: str | None) -> NDArray[np.float32]:
    """Draw a scene.

    Args:
        scene: What to show.
        size: Width and height in pixels.
        style: A style's code. None draws plainly; a code that is not known shifts the colours by its hash.
    """
    if style in STYLES:
        return STYLES[style](scene, size)
    shapes = compose(scene, size).shapes
    if style is not None:
        number = stable_number(style)
        turns, tone = (0.08 + number % 997 / 1187) % 1, 0.7 + number % 7 / 10
        shapes = refilled(shapes, lambda colour, _: mix(colour, vivid(turn(colour, turns), tone), 0.8))
    return paint(shapes, size).picture
