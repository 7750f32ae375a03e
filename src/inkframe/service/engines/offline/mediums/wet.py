"""Wet mediums: watercolor, ink, acrylic, spray paint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import hexed
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    blurred,
    clouded,
    coordinates,
    edges,
    framed,
    graded,
    luminance,
    noise,
    plane,
    regions,
    saturated,
    stepped,
    warped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["acrylic", "ink", "spray_paint", "watercolor"]


def _size(picture: NDArray[np.float32]) -> tuple[tuple[int, int], float]:
    """Give width and height, and how large the picture is against 512 pixels."""
    size = (picture.shape[2], picture.shape[1])
    return size, min(size) / 512


def watercolor(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Washes that bleed into wet paper: dark rims, pale middles, pigment in the grain, a bare border."""
    size, unit = _size(picture)
    bleed = clouded(rng, size, 34 * unit, 4) - 0.5
    drift = clouded(rng, size, 26 * unit, 4) - 0.5
    wet = warped(blurred(picture, 1.4 * unit), bleed * np.float32(15 * unit), drift * np.float32(15 * unit))
    tones = regions(wet, 11)
    wash = blend(blurred(wet, 5 * unit), tones.mean, 0.5)
    rim = blurred(tones.border, 1.1 * unit)
    pool = blurred(tones.border, 6 * unit)
    blooms = clouded(rng, size, 70 * unit, 4)
    pigment = noise(rng, size, max(1.4 * unit, 1))
    strength = 0.72 + 0.5 * (blooms - 0.5) + 1.1 * rim + 0.7 * pool + (pigment - 0.5) * np.float32(0.22)
    paper = plane(hexed("#fbf8f0"))
    colour = paper - (paper - saturated(wash, 1.3)) * np.clip(strength, 0.15, 1.35)
    tooth = clouded(rng, size, max(2.6 * unit, 1), 2) - 0.5
    bare = framed(size, rng, 0.02, 0.055, 0.05)
    return np.clip(paper + (colour - paper) * bare - np.abs(tooth) * np.float32(0.06), 0, 1)


INDIGO = ("#15171f", "#2f3646", "#6b7688", "#b4bcc4", "#f7f4ea")


def ink(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """A brush line of uneven width over a few gray washes, on bare paper, with a breath of colour."""
    size, unit = _size(picture)
    sway = (clouded(rng, size, 30 * unit, 3) - 0.5) * np.float32(7 * unit)
    drawn = warped(picture, sway, -sway)
    tone = luminance(blurred(drawn, 1.2 * unit))
    tone = np.clip((tone - np.quantile(tone[::4, ::4], 0.02)) / max(float(np.ptp(np.quantile(tone[::4, ::4], (0.02, 0.98)))), 0.2), 0, 1)
    pool = clouded(rng, size, 46 * unit, 4) - 0.5
    edge = np.float32(0.03)
    wash = sum(stepped(tone + pool * np.float32(0.16), level + edge, level - edge) * part for level, part in ((0.7, 0.17), (0.47, 0.24), (0.26, 0.3)))
    dry = noise(rng, size, max(1.2 * unit, 1))
    wash = wash * (0.86 + 0.28 * dry) + blurred(edges(wash), unit) * np.float32(0.5)
    weight = 0.55 + noise(rng, size, 60 * unit) * np.float32(1.0)
    line = stepped(blurred(edges(tone), 0.9 * max(unit, 0.5)) * weight, 0.022, 0.06)
    dark = np.clip(wash + line * np.float32(0.95), 0, 1) * framed(size, rng, 0.01, 0.03, 0.04)
    sheet = graded(1 - dark, [hexed(colour) for colour in INDIGO])
    hint = saturated(blurred(drawn, 7 * unit), 1.4)
    return np.clip(blend(sheet, sheet * (0.45 + 0.75 * hint), 0.4), 0, 1)


def acrylic(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Thick strokes laid across each other, each of one colour, with light on their ridges."""
    size, unit = _size(picture)
    source = saturated(blurred(picture, 1.2 * unit), 1.3)
    steep = blurred(np.clip(edges(luminance(picture)) * 7, 0, 1), 5 * unit)
    mood = clouded(rng, size, 110 * unit, 2)
    broad, ridge = _strokes(source, rng, mood, 64 * unit, 15 * unit)
    middle, ridge2 = _strokes(source, rng, mood, 34 * unit, 8 * unit)
    fine, ridge3 = _strokes(source, rng, 1 - mood, 17 * unit, 4.5 * unit)
    some, much = stepped(steep, 0.06, 0.14), stepped(steep, 0.24, 0.42)
    colour = blend(blend(broad, middle, some), fine, much)
    height = ridge + (ridge2 - ridge) * some
    height = height + (ridge3 - height) * much
    down, across = np.gradient(height)
    light = np.clip((across * 0.6 + down) * np.float32(1.5 * unit + 0.8), -0.6, 0.6)
    return np.clip(colour * (1 + light * 0.42) + np.clip(light - 0.12, 0, 1) * np.float32(0.3), 0, 1)


def _strokes(
    source: NDArray[np.float32], rng: np.random.Generator, mood: NDArray[np.float32], length: float, width: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Cover the sheet with strokes in four directions; give their colours and the height of the paint."""
    high, wide = source.shape[1:]
    x, y = coordinates((wide, high))
    length, width = max(length, 3.0), max(width, 1.6)
    turn = (np.floor(mood * 9) % 4).astype(np.intp)
    angles = np.array([0.25, -0.6, 1.0, 0.05], np.float32)
    c, s = np.cos(angles)[turn], np.sin(angles)[turn]
    u, v = x * c + y * s, y * c - x * s
    v = v + np.sin(u / np.float32(length * 0.9)) * np.float32(width * 0.3)
    row = np.floor(v / np.float32(width))
    shift = rng.random(4096).astype(np.float32)[row.astype(np.intp) % 4096]
    u = u + shift * np.float32(length)
    column = np.floor(u / np.float32(length))
    code = (row * 57 + column * 131).astype(np.intp)
    mu, mv = (column + 0.5) * np.float32(length) - shift * np.float32(length), (row + 0.5) * np.float32(width)
    px, py = mu * c - mv * s, mu * s + mv * c
    across, along = np.clip(px, 0, wide - 1).astype(np.intp), np.clip(py, 0, high - 1).astype(np.intp)
    tint = (rng.random(4096).astype(np.float32)[code % 4096] - 0.5) * np.float32(0.11)
    colour = source[:, along, across] + tint
    inside = v / np.float32(width) - row
    bristle = rng.random(4096).astype(np.float32)[(v * np.float32(12 / width)).astype(np.intp) % 4096]
    thick = rng.random(4096).astype(np.float32)[(code + 77) % 4096]
    return colour, 1 - (2 * inside - 1) ** 2 * np.float32(0.7) + bristle * np.float32(0.22) + thick * np.float32(0.3)


def spray_paint(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Stencilled colour on a wall: soft mist over the edges, spatter, and paint that runs."""
    size, unit = _size(picture)
    wall = _wall(size, rng, unit)
    flat = regions(blurred(picture, 2.2 * unit), 9)
    loud = saturated(flat.mean, 1.75)
    dust = noise(rng, size, max(1.1 * unit, 1))
    mist = blurred(loud, 9 * unit)
    colour = blend(loud, mist, stepped(dust, 0.42, 0.6) * stepped(blurred(flat.border, 6 * unit), 0.02, 0.3))
    colour = _runs(colour, flat.border, rng, unit)
    cover = framed(size, rng, 0.03, 0.12, 0.04)
    cover = stepped(cover + (dust - 0.5) * np.float32(0.75) * (1 - np.abs(2 * cover - 1)), 0.3, 0.7)
    sheet = blend(wall, colour * (0.88 + 0.24 * luminance(wall)), cover * np.float32(0.93))
    drops = stepped(noise(rng, size, max(2.4 * unit, 1)), 0.965, 0.99)
    return np.clip(blend(sheet, np.roll(mist, round(25 * unit), 2), drops * np.float32(0.8)), 0, 1)


def _wall(size: tuple[int, int], rng: np.random.Generator, unit: float) -> NDArray[np.float32]:
    """Bricks under old whitewash."""
    x, y = coordinates(size)
    high, long = np.float32(24 * unit), np.float32(58 * unit)
    row = np.floor(y / high)
    column = x / long + (row % 2) * np.float32(0.5)
    seam = np.minimum(y / high - row, (column - np.floor(column)) * (long / high))
    tone = rng.random(997).astype(np.float32)[(row * 31 + np.floor(column) * 7).astype(np.intp) % 997]
    plaster = clouded(rng, size, 30 * unit, 4)
    level = 0.74 + (tone - 0.5) * np.float32(0.12) + (plaster - 0.5) * np.float32(0.24) - stepped(seam, 0.12, 0.05) * np.float32(0.2)
    return level * plane((1.0, 0.95, 0.9))


def _runs(colour: NDArray[np.float32], border: NDArray[np.float32], rng: np.random.Generator, unit: float) -> NDArray[np.float32]:
    """Let paint run down from some edges in thin lines with a drop at the end."""
    high, wide = colour.shape[1:]
    many, broad = max(round(26 * wide / min(high, wide)), 8), max(round(2.2 * unit), 1)
    for x in rng.integers(broad, wide - broad, many).tolist():
        starts = np.flatnonzero(border[: int(high * 0.8), x] > 0.5)  # noqa: PLR2004
        if not len(starts):
            continue
        top = int(starts[int(rng.integers(len(starts)))])
        bottom = min(top + int(rng.uniform(0.05, 0.2) * high), high - 1)
        paint = colour[:, max(top - round(3 * unit), 0), x][:, None, None]
        colour[:, top:bottom, x : x + broad] = paint
        colour[:, max(bottom - 2 * broad, 0) : bottom + broad, max(x - broad // 2, 0) : x + broad + broad // 2 + 1] = paint
    return colour
