"""Wet mediums: oil on canvas, ink and watercolor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.operations import (
    blend,
    clipped,
    edges,
    graded,
    luminance,
    plane,
    regions,
    saturated,
    stepped,
    warped,
)
from inkframe_demo.drawing.texture import coordinates, noise
from inkframe_demo.mediums.sheet import spread

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture
    from inkframe_demo.mediums.sheet import Sheet

__all__ = ["canvas", "ink", "watercolor"]

LINEN, PAPER = hexed("#cdb996"), hexed("#fbf8f0")
#: Ink from a full brush to bare paper.
INDIGO = [hexed(name) for name in ("#15171f", "#2f3646", "#6b7688", "#b4bcc4", "#f7f4ea")]
#: The share of the picture that each wash covers, and its darkness.
WASHES = ((0.6, 0.17), (0.34, 0.24), (0.13, 0.3))


def canvas(picture: Picture, sheet: Sheet) -> Picture:
    """Render oil on coarse linen: woven threads, thin paint on their tops, and a raw edge."""
    height = _weave(sheet)
    thin = stepped(height * np.float32(0.55) + sheet.clouded(46, 4) * np.float32(0.75), 0.78, 1.12)
    cover = (1 - np.float32(0.62) * thin) * sheet.framed(0.025, 0.075, 0.05)
    oil = saturated(sheet.blurred(picture, 1.3), 1.12) * (0.66 + 0.46 * height)
    return clipped(blend(plane(LINEN) * (0.6 + 0.5 * height), oil, cover))


def _weave(sheet: Sheet) -> Field:
    """Return the height of a plain weave, from 0 between the threads to about 1 on top of them."""
    x, y = coordinates(sheet.size)
    unit, pitch = sheet.unit, np.float32(np.pi / max(5.4 * sheet.unit, 2.6))
    sway = sheet.sway(60, 3, 1)
    u, v = (x + sway) * pitch, (y - sway) * pitch
    warp, weft = np.abs(np.sin(u)), np.abs(np.sin(v))
    over = (np.floor(u / np.float32(np.pi)) + np.floor(v / np.float32(np.pi))) % 2 > 0
    thread = np.where(over, warp * (weft * 0.45 + 0.55), weft * (warp * 0.45 + 0.55))
    thin = max(2 * unit, 1)
    slubs = [noise(sheet.rng, sheet.size, cell) - 0.5 for cell in ((thin, 70 * unit), (70 * unit, thin))]
    height: Field = thread + (slubs[0] + slubs[1]) * np.float32(0.3)
    return height


def ink(picture: Picture, sheet: Sheet) -> Picture:
    """Render brush lines of uneven width over three gray washes on paper, with a trace of color."""
    sway = sheet.sway(30, 7, 3)
    drawn = warped(picture, sway, -sway)
    tone = spread(luminance(sheet.blurred(drawn, 1.5)))
    wash = _washes(tone, sheet)
    steep = sheet.blurred(edges(tone), 1.0) * (0.55 + sheet.noise(60))
    most = float(np.quantile(steep[::3, ::3], 0.92))
    line = stepped(steep, max(0.022, most * 0.45), max(0.06, most * 0.9))
    dark = clipped(wash + line * np.float32(0.95)) * sheet.framed(0.01, 0.03, 0.04)
    drawing, hint = graded(1 - dark, INDIGO), saturated(sheet.blurred(drawn, 7), 1.4)
    return clipped(blend(drawing, drawing * (0.45 + 0.75 * hint), 0.4))


def _washes(tone: Field, sheet: Sheet) -> Field:
    """Return overlapping washes with irregular edges."""
    wavering = tone + (sheet.clouded(46, 4) - 0.5) * np.float32(0.16)
    wash = np.zeros_like(tone)
    for share, dark in WASHES:
        level = float(np.clip(np.quantile(tone[::4, ::4], share), 0.1, 0.8))
        wash += stepped(wavering, level + 0.03, level - 0.03) * np.float32(dark)
    return clipped(wash * (0.86 + 0.28 * sheet.noise(1.2)) + sheet.blurred(edges(wash), 1) * np.float32(0.5))


def watercolor(picture: Picture, sheet: Sheet) -> Picture:
    """Render washes on wet paper: dark rims, pale middles, pigment in the grain, and a bare border."""
    wet = warped(sheet.blurred(picture, 1.4), sheet.sway(34, 15, 4), sheet.sway(26, 15, 4))
    tones = regions(wet, 11)
    border = tones.border * stepped(sheet.blurred(edges(luminance(wet)), 2), 0.004, 0.02)
    rim, pool = sheet.blurred(border, 0.9), sheet.blurred(border, 6)
    blooms, pigment = sheet.clouded(70, 4) - 0.5, sheet.noise(1.4) - 0.5
    strength = 0.72 + 0.5 * blooms + 1.1 * rim + 0.7 * pool + np.float32(0.22) * pigment
    wash = saturated(blend(sheet.blurred(wet, 2.5), tones.mean, 0.35), 1.3)
    paper = plane(PAPER)
    stain = (paper - wash) * np.clip(strength, 0.15, 1.35) * sheet.framed(0.02, 0.055, 0.05)
    tooth = np.abs(sheet.clouded(2.6, 2) - 0.5)
    return clipped(paper - stain - tooth * np.float32(0.06))
