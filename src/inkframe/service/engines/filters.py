"""Filters: exact operations on the finished picture, the same for every engine."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from PIL import Image, ImageOps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FILTERS", "apply_filter", "stable_number"]

#: The rows of the common sepia matrix for red, green and blue.
SEPIA = (0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0)

#: Every filter of the standard vocabulary by its code.
FILTERS: Mapping[str, Callable[[Image.Image], Image.Image]] = {
    "grayscale": lambda image: image.convert("L").convert("RGB"),
    "sepia": lambda image: image.convert("RGB", SEPIA),
    "invert": ImageOps.invert,
}


def apply_filter(image: Image.Image, code: str | None) -> Image.Image:
    """Apply a filter.

    Args:
        image: The finished picture.
        code: A filter's code. None changes nothing; an unknown code tints the picture by its hash.
    """
    if code is None:
        return image
    if code in FILTERS:
        return FILTERS[code](image)
    hue = stable_number(code) % 360
    tint = Image.new("HSV", image.size, (round(hue * 255 / 360), 150, 200)).convert("RGB")
    return Image.blend(image, tint, 0.35)


def stable_number(text: str) -> int:
    """Return a hash of a text that is the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())
