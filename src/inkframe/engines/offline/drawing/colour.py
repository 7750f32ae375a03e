"""Colours as triples from 0 to 1, and what can be done with one."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = [
    "WHITE",
    "Colour",
    "bright",
    "gray",
    "hexed",
    "mix",
    "picked",
    "recolour",
    "times",
    "toned",
    "turn",
    "vivid",
]

#: Red, green and blue.
Colour = tuple[float, float, float]

WHITE: Colour = (1.0, 1.0, 1.0)


def hexed(text: str) -> Colour:
    """Read ``#rrggbb``."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def picked(rng: np.random.Generator, names: Sequence[str]) -> Colour:
    """Choose one of several colours."""
    return hexed(names[int(rng.integers(len(names)))])


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Blend two colours; ``share`` is that of the other, from 0 to 1."""
    return (
        one[0] + (other[0] - one[0]) * share,
        one[1] + (other[1] - one[1]) * share,
        one[2] + (other[2] - one[2]) * share,
    )


def times(one: Colour, other: Colour) -> Colour:
    """See a surface of one colour in light of another."""
    return one[0] * other[0], one[1] * other[1], one[2] * other[2]


def gray(colour: Colour) -> float:
    """Give the luminance, from 0 to 1."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def bright(colour: Colour, factor: float) -> Colour:
    """Lighten (factor above 1, towards white) or darken (below 1) a colour."""
    if factor > 1:
        return mix(colour, WHITE, min(factor - 1, 1.0))
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def vivid(colour: Colour, factor: float) -> Colour:
    """Scale the saturation."""
    hue, light, saturation = colorsys.rgb_to_hls(*colour)
    return colorsys.hls_to_rgb(hue, light, min(saturation * factor, 1.0))


def turn(colour: Colour, turns: float) -> Colour:
    """Turn the hue; 1 is once around the wheel."""
    hue, light, saturation = colorsys.rgb_to_hls(*colour)
    return colorsys.hls_to_rgb((hue + turns) % 1, light, saturation)


def recolour(part: Colour, tint: Colour, base: Colour) -> Colour:
    """Paint a part in a tint, keeping how much lighter or darker it is than its base colour."""
    step = gray(part) - gray(base)
    return bright(tint, 1 + step * 1.2) if step > 0 else bright(tint, max(1 + step * 1.6, 0.15))


def toned(colour: Colour, tint: Colour, share: float) -> Colour:
    """Move a colour towards a tint and keep its luminance."""
    aim, have = gray(colour), gray(tint)
    level = bright(tint, aim / have) if aim < have else mix(tint, WHITE, (aim - have) / max(1 - have, 1e-6))
    return mix(colour, level, share)
