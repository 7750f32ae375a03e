"""Mediums: each renders a finished picture on its own material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.filters import stable_number
from inkframe.engines.offline.mediums.acrylic import acrylic
from inkframe.engines.offline.mediums.canvas import canvas
from inkframe.engines.offline.mediums.chalk import chalk
from inkframe.engines.offline.mediums.charcoal import charcoal
from inkframe.engines.offline.mediums.crayon import crayon
from inkframe.engines.offline.mediums.glass import glass
from inkframe.engines.offline.mediums.ink import ink
from inkframe.engines.offline.mediums.pastel import pastel
from inkframe.engines.offline.mediums.pencil import pencil
from inkframe.engines.offline.mediums.sheet import Sheet
from inkframe.engines.offline.mediums.spray_paint import spray_paint
from inkframe.engines.offline.mediums.watercolor import watercolor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.drawing.scene import Scene

__all__ = ["MEDIUMS", "apply_medium"]

#: Every medium of the standard vocabulary by its code.
MEDIUMS: Mapping[str, Callable[[Picture, Sheet], Picture]] = {
    "acrylic": acrylic,
    "canvas": canvas,
    "chalk": chalk,
    "charcoal": charcoal,
    "crayon": crayon,
    "glass": glass,
    "ink": ink,
    "pastel": pastel,
    "pencil": pencil,
    "spray_paint": spray_paint,
    "watercolor": watercolor,
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
