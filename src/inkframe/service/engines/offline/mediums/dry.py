"""Dry mediums: chalk, charcoal, crayon, pastel, pencil."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import hexed
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    blurred,
    clouded,
    edges,
    framed,
    graded,
    hatched,
    luminance,
    noise,
    plane,
    saturated,
    softened,
    stepped,
    streaks,
    warped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["chalk", "charcoal", "crayon", "pastel", "pencil"]


def _size(picture: NDArray[np.float32]) -> tuple[tuple[int, int], float]:
    """Give width and height, and how large the picture is against 512 pixels."""
    size = (picture.shape[2], picture.shape[1])
    return size, min(size) / 512


def _spread(tone: NDArray[np.float32]) -> NDArray[np.float32]:
    """Stretch a field so that it runs from 0 to 1."""
    low, high = np.quantile(tone[::4, ::4], (0.02, 0.98)).tolist()
    return np.clip((tone - np.float32(low)) / np.float32(max(high - low, 0.2)), 0, 1)


def _laid(
    rng: np.random.Generator, size: tuple[int, int], length: float, width: float, angles: tuple[float, float]
) -> NDArray[np.float32]:
    """Rub strokes in two directions, each in its own patches."""
    first, second = (streaks(rng, size, length, width, angle) for angle in angles)
    patch = stepped(clouded(rng, size, min(size) / 3, 2), 0.44, 0.56)
    return stepped(first + (second - first) * patch, 0.15, 0.85)


def chalk(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Dusty colour on a blackboard: light is where the chalk is, dark is the board."""
    size, unit = _size(picture)
    board = plane(hexed("#26332f")) * (0.85 + 0.3 * clouded(rng, size, 120 * unit, 4))
    tone = _spread(luminance(picture) * np.float32(0.5) + picture.max(0) * np.float32(0.5))
    outline = stepped(blurred(edges(tone), 0.9 * max(unit, 0.6)), 0.02, 0.1)
    tone = np.clip(tone, 1e-3, 1) ** np.float32(max(np.log(0.5) / np.log(np.clip(np.median(tone[::4, ::4]), 0.05, 0.95)), 0.75))
    sway = (clouded(rng, size, 26 * unit, 2) - 0.5) * np.float32(6 * unit)
    outline = warped(outline, sway, sway)
    stroke = _laid(rng, size, 60 * unit, max(2.6 * unit, 1.3), (0.85, 0.5))
    tooth = clouded(rng, size, max(2.4 * unit, 1), 2)
    cover = (0.14 + 0.78 * tone) * (0.5 + 0.56 * stroke) + outline * np.float32(0.5)
    cover = stepped(cover - (tooth - 0.5) * np.float32(0.8), 0.14, 0.72)
    dust = blend(saturated(blurred(picture, unit), 1.25), (1.0, 1.0, 0.97), 0.34)
    dust = blend(dust, (1.0, 1.0, 0.97), outline * np.float32(0.5))
    smear = softened(cover, 22 * unit) * np.float32(0.13)
    return np.clip(blend(board + smear, dust, cover * np.float32(0.92)), 0, 1)


def charcoal(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Black and gray on rough paper: deep edges, tone rubbed with a thumb, lights lifted out."""
    size, unit = _size(picture)
    tone = _spread(luminance(picture))
    sway = (clouded(rng, size, 40 * unit, 2) - 0.5) * np.float32(16 * unit)
    rubbed = softened(warped(tone, sway, sway * np.float32(0.4)), 6 * unit)
    grain = clouded(rng, size, max(2.2 * unit, 1), 2)
    stroke = hatched(rng, size, max(9 * unit, 3), 0.6, 1.4)
    outline = stepped(blurred(edges(tone), 1.7 * max(unit, 0.6)), 0.012, 0.06)
    depth = np.clip(1 - (0.45 * tone + 0.55 * rubbed), 0, 1) ** np.float32(1.15)
    dark = depth * (0.72 + 0.3 * stroke) + outline * np.float32(0.5) * noise(rng, size, 30 * unit)
    dark = np.clip(
        dark * 1.15 + (grain - 0.52) * np.float32(0.85) * np.clip(dark * 2.2, 0, 1) * (1.15 - dark), 0, 1
    )
    dark = dark * framed(size, rng, 0.01, 0.06, 0.05) + (1 - grain) * np.float32(0.03)
    return graded(
        1 - dark, [hexed(colour) for colour in ("#141314", "#3a3837", "#7d7974", "#c2bcb2", "#f0ebe0")]
    )


def crayon(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Wax rubbed over paper with a heavy hand: loud colour, bold strokes, white specks where the paper dips."""
    size, unit = _size(picture)
    sway = (clouded(rng, size, 50 * unit, 2) - 0.5) * np.float32(10 * unit)
    drawn = warped(picture, sway, -sway)
    loud = saturated(blurred(drawn, 2.2 * unit), 1.8)
    tone = luminance(loud)
    stroke = _laid(rng, size, 60 * unit, max(3.2 * unit, 1.5), (0.75, -0.5))
    tooth = clouded(rng, size, max(1.9 * unit, 1.1), 2)
    press = 0.56 + 0.3 * (1 - tone) + 0.6 * (stroke - 0.5)
    wax = stepped(press - (tooth - 0.5) * np.float32(0.95), 0.08, 0.46)
    outline = stepped(blurred(edges(luminance(drawn)), 1.8 * max(unit, 0.6)), 0.018, 0.055) * stepped(
        tooth, 0.75, 0.45
    )
    colour = loud * (0.72 + 0.42 * stroke)
    sheet = blend(np.broadcast_to(plane(hexed("#faf6ea")), picture.shape), colour, wax)
    return np.clip(blend(sheet, loud * np.float32(0.38), outline * np.float32(0.85)), 0, 1)


def pastel(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Soft powder on tinted paper: pale colours that run into each other, the paper's grain throughout."""
    size, unit = _size(picture)
    soft = blend(blurred(picture, 5 * unit), picture, 0.35)
    soft = blend(saturated(soft, 1.45), (1.0, 0.97, 0.94), 0.3)
    stroke = _laid(rng, size, 60 * unit, max(3.6 * unit, 1.5), (0.95, 0.6))
    grain = clouded(rng, size, max(2.2 * unit, 1), 2)
    powder = stepped(grain - (stroke - 0.5) * np.float32(0.32), 0.82, 0.36)
    tint = plane(hexed("#a9a29b"))
    sheet = tint * (0.95 + 0.1 * grain)
    drift = soft + (stroke - 0.5) * np.float32(0.12)
    return np.clip(blend(sheet, drift, (0.58 + 0.42 * powder) * framed(size, rng, 0.0, 0.05, 0.05)), 0, 1)


def pencil(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Sharp coloured pencils: fine lines side by side, crossed where it is dark, thin contours, much paper."""
    size, unit = _size(picture)
    paper = plane(hexed("#fdfbf5"))
    tone = luminance(picture)
    first, second, third = (
        streaks(rng, size, 46 * unit, max(2 * unit, 1.0), angle) for angle in (0.8, 0.55, -0.7)
    )
    dark = 1 - tone
    cover = stepped(first, 0.35, 0.8) * (0.45 + 0.4 * dark) + stepped(second, 0.4, 0.8) * stepped(
        dark, 0.25, 0.6
    ) * np.float32(0.5)
    cover = cover + stepped(third, 0.4, 0.8) * stepped(dark, 0.5, 0.85) * np.float32(0.5) + np.float32(0.12)
    colour = saturated(picture, 1.5) * np.float32(0.86)
    sheet = paper + (colour - paper) * np.clip(cover, 0, 0.95) * framed(size, rng, 0.005, 0.045, 0.06)
    sway = (clouded(rng, size, 30 * unit, 2) - 0.5) * np.float32(3 * unit)
    line = warped(stepped(blurred(edges(tone), 0.6 * max(unit, 0.6)), 0.025, 0.12), sway, sway)
    return np.clip(blend(sheet, colour * np.float32(0.35), line * np.float32(0.75)), 0, 1)
