"""Styles: each draws a whole scene in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.service.engines.filters import stable_number
from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import Color, mix, turn, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.shape import Shape, refilled
from inkframe_demo.styles import (
    abstract,
    art_deco,
    comics,
    digital_art,
    illustration,
    origami,
    photography,
    pixel_art,
    render,
    retro,
    sketch,
    vaporwave,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene

__all__ = ["STYLES", "draw_scene"]

#: Every style of the standard vocabulary by its code.
STYLES: Mapping[str, Callable[[Scene, Size], Picture]] = {
    "3d_render": render.render,
    "abstract": abstract.abstract,
    "anime": comics.anime,
    "art_deco": art_deco.art_deco,
    "cartoon": comics.cartoon,
    "digital_art": digital_art.digital_art,
    "illustration": illustration.illustration,
    "origami": origami.origami,
    "photography": photography.photography,
    "pixel_art": pixel_art.pixel_art,
    "pop_art": comics.pop_art,
    "retro": retro.retro,
    "sketch": sketch.sketch,
    "vaporwave": vaporwave.vaporwave,
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
