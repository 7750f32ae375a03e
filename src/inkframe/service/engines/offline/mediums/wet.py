"""Wet mediums: watercolor, ink, acrylic, spray paint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from inkframe.service.engines.offline.drawing.canvas import pixels, to_image
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
    shifted,
    softened,
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
    border = tones.border * stepped(blurred(edges(luminance(wet)), 2 * unit), 0.004, 0.02)
    wash = blend(blurred(wet, 2.5 * unit), tones.mean, 0.35)
    rim = blurred(border, 0.8 * max(unit, 0.5))
    pool = blurred(border, 6 * unit)
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
    tone = luminance(blurred(drawn, 1.5 * unit))
    tone = np.clip(
        (tone - np.quantile(tone[::4, ::4], 0.02))
        / max(float(np.ptp(np.quantile(tone[::4, ::4], (0.02, 0.98)))), 0.2),
        0,
        1,
    )
    pool = clouded(rng, size, 46 * unit, 4) - 0.5
    edge = np.float32(0.03)
    wash = sum(
        stepped(tone + pool * np.float32(0.16), level + edge, level - edge) * part
        for level, part in zip(np.quantile(tone[::4, ::4], (0.6, 0.34, 0.13)).clip(0.1, 0.8).tolist(), (0.17, 0.24, 0.3), strict=True)
    )
    dry = noise(rng, size, max(1.2 * unit, 1))
    wash = wash * (0.86 + 0.28 * dry) + blurred(edges(wash), unit) * np.float32(0.5)
    weight = 0.55 + noise(rng, size, 60 * unit) * np.float32(1.0)
    steep = blurred(edges(tone), 0.9 * max(unit, 0.5)) * weight
    most = float(np.quantile(steep[::3, ::3], 0.92))
    line = stepped(steep, max(0.022, most * 0.45), max(0.06, most * 0.9))
    dark = np.clip(wash + line * np.float32(0.95), 0, 1) * framed(size, rng, 0.01, 0.03, 0.04)
    sheet = graded(1 - dark, [hexed(colour) for colour in INDIGO])
    hint = saturated(blurred(drawn, 7 * unit), 1.4)
    return np.clip(blend(sheet, sheet * (0.45 + 0.75 * hint), 0.4), 0, 1)


def acrylic(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Thick strokes laid over each other, each of one colour, with light on the ridges of the paint."""
    size, unit = _size(picture)
    source = saturated(picture, 1.25)
    sheet, relief = to_image(blurred(source, 8 * unit)), Image.new("L", size, 128)
    tone = softened(luminance(picture), max(3 * unit, 1.5))
    down, across = np.gradient(softened(tone, 10 * max(unit, 0.4)))
    sway = clouded(rng, size, 120 * unit, 2) * np.float32(5)
    steep = np.hypot(down, across) * np.float32(unit)
    angle = np.where(steep > 0.0016, np.arctan2(across, -down), sway)  # along edges
    detail = stepped(softened(np.clip(edges(luminance(picture)) * 6, 0, 1), 4 * max(unit, 0.5)), 0.08, 0.2)
    for width, length, many, where in (
        (15, 64, 1.0, None),
        (9, 38, 0.75, None),
        (4, 17, 1.0, detail),
        (2.4, 10, 0.8, detail),
    ):
        _strokes(
            sheet, relief, source, angle, rng, (max(width * unit, 1.4), max(length * unit, 4)), many, where
        )
    height = np.asarray(relief, np.float32) * np.float32(1 / 255) + noise(
        rng, size, max(1.3 * unit, 1)
    ) * np.float32(0.1)
    slope = np.gradient(softened(height, max(1.3 * unit, 1.01)))
    light = np.clip((slope[0] + slope[1] * np.float32(0.7)) * np.float32(2.6 * max(unit, 0.5)), -0.5, 0.5)
    return np.clip(
        pixels(sheet) * (1 + light * np.float32(0.46)) + np.clip(light - 0.1, 0, 1) * np.float32(0.2), 0, 1
    )


def _strokes(
    sheet: Image.Image, relief: Image.Image, source: NDArray[np.float32], angle: NDArray[np.float32], rng: np.random.Generator,
    stroke: tuple[float, float], many: float, where: NDArray[np.float32] | None,
) -> None:  # fmt: skip
    """Lay one layer of strokes on a jittered grid, in a random order, along the angles, only where there is something."""
    wide, high = sheet.size
    width, length = stroke
    step = np.float32(width * 1.25 / many)
    spots = np.stack(np.meshgrid(np.arange(0, wide, step), np.arange(0, high, step)), -1).reshape(-1, 2)
    spots = rng.permutation(spots + rng.uniform(-0.6, 0.6, spots.shape) * step)
    column, row = np.clip(spots.astype(np.intp), 0, (wide - 1, high - 1)).T
    if where is not None:
        kept = where[row, column] > rng.random(len(row))
        spots, column, row = spots[kept], column[kept], row[kept]
    turn = angle[row, column] + rng.normal(0, 0.16, len(row))
    along = (
        np.stack([np.cos(turn), np.sin(turn)], 1) * (length / 2 * rng.uniform(0.6, 1.2, len(row)))[:, None]
    )
    aside = (
        np.stack([-np.sin(turn), np.cos(turn)], 1) * (width / 2 * rng.uniform(0.75, 1.15, len(row)))[:, None]
    )
    bend = aside * rng.uniform(-0.9, 0.9, (len(row), 1))
    corners = [spots + along * a + aside * s + bend * (1 - abs(a)) for a, s in _STROKE]
    outline = np.stack(corners, 1).reshape(len(row), -1).tolist()
    back = (
        np.stack([spots + along * a + aside * 0.25 * s + bend * (1 - abs(a)) for a, s in _STROKE], 1)
        .reshape(len(row), -1)
        .tolist()
    )
    shade = (
        source[:, row, column].T + rng.normal(0, 0.03, (len(row), 1)) + rng.normal(0, 0.012, (len(row), 3))
    )
    colours = np.clip(shade * 255, 0, 255).astype(int).tolist()
    paint, ridge = ImageDraw.Draw(sheet), ImageDraw.Draw(relief)
    levels = rng.integers(70, 150, len(row)).tolist()
    for points, spine, colour, level in zip(outline, back, colours, levels, strict=True):
        paint.polygon(points, tuple(colour))
        ridge.polygon(points, level)
        ridge.polygon(spine, level + 40)


#: A stroke with rounded ends: along from -1 to 1, aside from -1 to 1.
_STROKE = (
    (-1, 0),
    (-0.86, 0.75),
    (-0.4, 1),
    (0.3, 0.95),
    (0.8, 0.7),
    (1, 0.1),
    (0.82, -0.7),
    (0.3, -1),
    (-0.4, -0.95),
    (-0.88, -0.7),
)


def spray_paint(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Stencilled colour on a wall: soft mist over the edges, spatter, and paint that runs."""
    size, unit = _size(picture)
    wall = _wall(size, rng, unit)
    flat = regions(blurred(picture, 2.2 * unit), 14)
    loud = np.clip((saturated(flat.mean, 1.75) - 0.5) * 1.2 + 0.5, 0, 1)
    dust = noise(rng, size, max(1.1 * unit, 1))
    mist = blurred(loud, 9 * unit)
    colour = blend(loud, mist, stepped(dust, 0.42, 0.6) * stepped(blurred(flat.border, 6 * unit), 0.02, 0.3))
    colour = _runs(colour, flat.border, rng, unit)
    cover = framed(size, rng, 0.03, 0.12, 0.04)
    cover = stepped(cover + (dust - 0.5) * np.float32(0.75) * (1 - np.abs(2 * cover - 1)), 0.3, 0.7)
    sheet = blend(wall, colour * (0.88 + 0.24 * luminance(wall)), cover * np.float32(0.93))
    drops = stepped(noise(rng, size, max(2.4 * unit, 1)), 0.965, 0.99)
    return np.clip(blend(sheet, shifted(mist, round(25 * unit), 0), drops * np.float32(0.8)), 0, 1)


def _wall(size: tuple[int, int], rng: np.random.Generator, unit: float) -> NDArray[np.float32]:
    """Bricks under old whitewash."""
    x, y = coordinates(size)
    high, long = np.float32(24 * unit), np.float32(58 * unit)
    row = np.floor(y / high)
    column = x / long + (row % 2) * np.float32(0.5)
    seam = np.minimum(y / high - row, (column - np.floor(column)) * (long / high))
    tone = rng.random(997).astype(np.float32)[(row * 31 + np.floor(column) * 7).astype(np.intp) % 997]
    plaster = clouded(rng, size, 30 * unit, 4)
    level = (
        0.74
        + (tone - 0.5) * np.float32(0.12)
        + (plaster - 0.5) * np.float32(0.24)
        - stepped(seam, 0.12, 0.05) * np.float32(0.2)
    )
    return level * plane((1.0, 0.95, 0.9))


def _runs(
    colour: NDArray[np.float32], border: NDArray[np.float32], rng: np.random.Generator, unit: float
) -> NDArray[np.float32]:
    """Let paint run down from some edges in thin lines with a drop at the end."""
    high, wide = colour.shape[1:]
    many, broad = max(round(26 * wide / min(high, wide)), 8), max(round(2.2 * unit), 1)
    for x in rng.integers(broad, wide - broad, many).tolist():
        starts = np.flatnonzero(border[: int(high * 0.8), x] > 0.5)
        if not len(starts):
            continue
        top = int(starts[int(rng.integers(len(starts)))])
        bottom = min(top + int(rng.uniform(0.05, 0.2) * high), high - 1)
        paint = colour[:, max(top - round(3 * unit), 0), x][:, None, None]
        colour[:, top:bottom, x : x + broad] = paint
        colour[:, max(bottom - 2 * broad, 0) : bottom + broad // 2, max(x - 1, 0) : x + broad + 1] = paint
    return colour
