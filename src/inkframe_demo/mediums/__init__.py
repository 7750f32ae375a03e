"""Mediums: each renders a finished picture on its own material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.service.engines.filters import stable_number
from inkframe_demo.mediums import acrylic, dry, glass, spray_paint, wet
from inkframe_demo.mediums.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe_demo.drawing.canvas import Picture
    from inkframe_demo.drawing.scene import Scene

__all__ = ["MEDIUMS", "apply_medium"]

#: Every medium of the standard vocabulary by its code.
MEDIUMS: Mapping[str, Callable[[Picture, Sheet], Picture]] = {
    "acrylic": acrylic.acrylic,
    "canvas": wet.canvas,
    "chalk": dry.chalk,
    "charcoal": dry.charcoal,
    "crayon": dry.crayon,
    "glass": glass.glass,
    "ink": wet.ink,
    "pastel": dry.pastel,
    "pencil": dry.pencil,
    "spray_paint": spray_paint.spray_paint,
    "watercolor": wet.watercolor,
}


def apply_medium(picture: Picture, scene: Scene, medium: str | None) -> Picture:
    """Render a picture on a medium.

    Args:
        picture: Red, green and blue planes from 0 to 1.
        scene: The scene of the picture, whose random generator the medium uses.
        medium: A medium's code. None leaves the picture; an unknown code mottles and tints it by its hash.
    """
    if medium is None:
        return picture
    sheet = Sheet((picture.shape[2], picture.shape[1]), scene.rng(f"medium {medium}"))
    if medium in MEDIUMS:
        return MEDIUMS[medium](picture, sheet)
    number = stable_number(medium)
    mottled = picture * (0.7 + 0.4 * sheet.clouded(8 + number % 40))
    mottled[number % 3] += 0.12
    return mottled
