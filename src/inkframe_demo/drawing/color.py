"""Colors as triples from 0 to 1, and operations on them."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = [
    "WHITE",
    "Color",
    "bright",
    "gray",
    "hexed",
    "mix",
    "picked",
    "recolor",
    "times",
    "toned",
    "turn",
    "vivid",
]

#: Red, green and blue.
Color = tuple[float, float, float]

WHITE: Color = (1.0, 1.0, 1.0)


def hexed(text: str) -> Color:
    """Parse ``#rrggbb``."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def picked(rng: np.random.Generator, names: Sequence[str]) -> Color:
    """Return one of several colors at random."""
    return hexed(names[int(rng.integers(len(names)))])


def mix(one: Color, other: Color, share: float) -> Color:
    """Blend two colors; ``share`` is the share of the second, from 0 to 1."""
    return (
        one[0] + (other[0] - one[0]) * share,
        one[1] + (other[1] - one[1]) * share,
        one[2] + (other[2] - one[2]) * share,
    )


def times(one: Color, other: Color) -> Color:
    """Return the color of a surface in light of another color."""
    return one[0] * other[0], one[1] * other[1], one[2] * other[2]


def gray(color: Color) -> float:
    """Return the luminance, from 0 to 1."""
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]


def bright(color: Color, factor: float) -> Color:
    """Lighten (factor above 1, toward white) or darken (below 1) a color."""
    if factor > 1:
        return mix(color, WHITE, min(factor - 1, 1.0))
    return color[0] * factor, color[1] * factor, color[2] * factor


def vivid(color: Color, factor: float) -> Color:
    """Scale the saturation."""
    hue, light, saturation = colorsys.rgb_to_hls(*color)
    return colorsys.hls_to_rgb(hue, light, min(saturation * factor, 1.0))


def turn(color: Color, turns: float) -> Color:
    """Rotate the hue; 1 is a full turn."""
    hue, light, saturation = colorsys.rgb_to_hls(*color)
    return colorsys.hls_to_rgb((hue + turns) % 1, light, saturation)


def recolor(part: Color, tint: Color, base: Color) -> Color:
    """Apply a tint to a color, keeping its difference in lightness from the base color."""
    step = gray(part) - gray(base)
    return bright(tint, 1 + step * 1.2) if step > 0 else bright(tint, max(1 + step * 1.6, 0.15))


def toned(color: Color, tint: Color, share: float) -> Color:
    """Shift a color toward a tint and keep its luminance."""
    aim, have = gray(color), gray(tint)
    level = bright(tint, aim / have) if aim < have else mix(tint, WHITE, (aim - have) / max(1 - have, 1e-6))
    return mix(color, level, share)
