"""Styles: each draws a whole scene in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.filters import stable_number
from inkframe.engines.offline.drawing.canvas import paint
from inkframe.engines.offline.drawing.color import Color, mix, turn, vivid
from inkframe.engines.offline.drawing.compose import compose
from inkframe.engines.offline.drawing.shape import Shape, refilled
from inkframe.engines.offline.styles.abstract import abstract
from inkframe.engines.offline.styles.anime import anime
from inkframe.engines.offline.styles.art_deco import art_deco
from inkframe.engines.offline.styles.cartoon import cartoon
from inkframe.engines.offline.styles.digital_art import digital_art
from inkframe.engines.offline.styles.illustration import illustration
from inkframe.engines.offline.styles.origami import origami
from inkframe.engines.offline.styles.photography import photography
from inkframe.engines.offline.styles.pixel_art import pixel_art
from inkframe.engines.offline.styles.pop_art import pop_art
from inkframe.engines.offline.styles.render import render
from inkframe.engines.offline.styles.retro import retro
from inkframe.engines.offline.styles.sketch import sketch
from inkframe.engines.offline.styles.vaporwave import vaporwave

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.engines.offline.drawing.canvas import Picture, Size
    from inkframe.engines.offline.drawing.scene import Scene

__all__ = ["STYLES", "draw_scene"]

#: Every style of the standard vocabulary by its code.
STYLES: Mapping[str, Callable[[Scene, Size], Picture]] = {
    "3d_render": render,
    "abstract": abstract,
    "anime": anime,
    "art_deco": art_deco,
    "cartoon": cartoon,
    "digital_art": digital_art,
    "illustration": illustration,
    "origami": origami,
    "photography": photography,
    "pixel_art": pixel_art,
    "pop_art": pop_art,
    "retro": retro,
    "sketch": sketch,
    "vaporwave": vaporwave,
}


def draw_scene(scene: Scene, size: Size, style: str | None) -> Picture:
    """Draw a scene.

    Args:
        scene: The scene to show.
        size: Width and height in pixels.
        style: A style's code. None draws plainly; an unknown code shifts the colors by its hash.
    """
    if style is not None and style in STYLES:
        return STYLES[style](scene, size)
    shapes = compose(scene, size).shapes
    if style is not None:
        number = stable_number(style)
        turns, strength = 0.08 + number % 997 / 1187, 0.7 + number % 7 / 10

        def change(color: Color, _: Shape) -> Color:
            return mix(color, vivid(turn(color, turns), strength), 0.8)

        shapes = refilled(shapes, change)
    return paint(shapes, size).picture
