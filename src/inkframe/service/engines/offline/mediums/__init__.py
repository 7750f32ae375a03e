"""Mediums: each puts a finished picture on its own material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.service.engines.offline.drawing.scene import stable_number
from inkframe.service.engines.offline.drawing.texture import clouded, luminance
from inkframe.service.engines.offline.mediums import dry, surface, wet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene

    Medium = Callable[[NDArray[np.float32], np.random.Generator], NDArray[np.float32]]

__all__ = ["MEDIUMS", "apply_medium"]

#: Every medium of the standard vocabulary by its code.
MEDIUMS: Mapping[str, Medium] = {
    "acrylic": wet.acrylic,
    "canvas": surface.canvas,
    "chalk": dry.chalk,
    "charcoal": dry.charcoal,
    "crayon": dry.crayon,
    "glass": surface.glass,
    "ink": wet.ink,
    "pastel": dry.pastel,
    "pencil": dry.pencil,
    "spray_paint": wet.spray_paint,
    "watercolor": wet.watercolor,
}


def apply_medium(picture: NDArray[np.float32], scene: Scene, medium: str | None) -> NDArray[np.float32]:
    """Put a picture on a medium.

    Args:
        picture: Red, green and blue planes from 0 to 1.
        scene: What the picture shows; its chance is the medium's.
        medium: A medium's code. None leaves the picture; a code that is not known gives it a mottled tint by its hash.
    """
    if medium is None:
        return picture
    rng = scene.rng(f"medium {medium}")
    if medium in MEDIUMS:
        return MEDIUMS[medium](picture, rng)
    number = stable_number(medium)
    size = (picture.shape[2], picture.shape[1])
    cell = max(min(size) / (20 + number % 60), 1)
    tint = 0.12 * (0.5 + 0.5 * luminance(picture))
    mottled = picture * (0.8 + 0.3 * clouded(rng, size, cell, 3))
    mottled[number % 3] += tint
    return mottled
