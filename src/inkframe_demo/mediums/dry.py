"""Dry mediums: chalk, charcoal, crayon, pastel and pencil."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.operations import (
    blend,
    clipped,
    graded,
    luminance,
    plane,
    saturated,
    stepped,
    warped,
)
from inkframe_demo.mediums.sheet import spread

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture
    from inkframe_demo.mediums.sheet import Sheet

__all__ = ["chalk", "charcoal", "crayon", "pastel", "pencil"]

BOARD, WHITE_CHALK = hexed("#26332f"), (1.0, 1.0, 0.97)
CRAYON_PAPER, PASTEL_PAPER, PENCIL_PAPER = hexed("#faf6ea"), hexed("#a9a29b"), hexed("#fdfbf5")
POWDER = (1.0, 0.97, 0.94)
#: Grays from pressed charcoal to bare paper.
GRAYS = [hexed(name) for name in ("#141314", "#3a3837", "#7d7974", "#c2bcb2", "#f0ebe0")]


def chalk(picture: Picture, sheet: Sheet) -> Picture:
    """Render dusty color on a blackboard: light areas are chalk, dark areas are the board."""
    tone = spread((luminance(picture) + picture.max(0)) * np.float32(0.5))
    sway = sheet.sway(26, 6)
    outline = warped(sheet.outlined(tone, 0.9, 0.02, 0.1), sway, sway)
    middle = float(np.clip(np.median(tone[::4, ::4]), 0.05, 0.95))
    tone = np.clip(tone, 1e-3, 1) ** np.float32(max(np.log(0.5) / np.log(middle), 0.75))
    stroke, tooth = sheet.strokes(60, 2.6, (0.85, 0.5)), sheet.clouded(2.4, 2)
    cover = (0.14 + 0.78 * tone) * (0.5 + 0.56 * stroke) + outline * np.float32(0.5)
    cover = stepped(cover - (tooth - 0.5) * np.float32(0.8), 0.14, 0.72)
    dust = blend(saturated(sheet.blurred(picture, 1), 1.25), WHITE_CHALK, 0.34)
    dust = blend(dust, WHITE_CHALK, outline * np.float32(0.5))
    board = plane(BOARD) * (0.85 + 0.3 * sheet.clouded(120, 4)) + sheet.softened(cover, 22) * np.float32(0.13)
    return clipped(blend(board, dust, cover * np.float32(0.92)))


def charcoal(picture: Picture, sheet: Sheet) -> Picture:
    """Render black and gray on rough paper: deep edges, smudged tones, and erased highlights."""
    tone, sway, grain = spread(luminance(picture)), sheet.sway(40, 16), sheet.clouded(2.2, 2)
    rubbed = sheet.softened(warped(tone, sway, sway * np.float32(0.4)), 6)
    outline = sheet.outlined(tone, 1.7, 0.012, 0.06) * sheet.noise(30)
    depth = clipped(1 - (0.45 * tone + 0.55 * rubbed)) ** np.float32(1.15)
    dark = depth * (0.72 + 0.3 * sheet.hatched(9, 0.6, 1.4)) + outline * np.float32(0.5)
    broken = (grain - 0.52) * np.float32(0.85) * clipped(dark * 2.2) * (1.15 - dark)
    dark = clipped(dark * 1.15 + broken) * sheet.framed(0.01, 0.06, 0.05)
    return graded(1 - dark - (1 - grain) * np.float32(0.03), GRAYS)


def crayon(picture: Picture, sheet: Sheet) -> Picture:
    """Render wax on paper: strong color, bold strokes, and white specks of paper."""
    sway = sheet.sway(50, 10)
    drawn = warped(picture, sway, -sway)
    loud = saturated(sheet.blurred(drawn, 2.2), 1.8)
    stroke, tooth = sheet.strokes(60, 3.2, (0.75, -0.5)), sheet.clouded(1.9, 2)
    press = 0.56 + 0.3 * (1 - luminance(loud)) + 0.6 * (stroke - 0.5)
    wax = stepped(press - (tooth - 0.5) * np.float32(0.95), 0.08, 0.46)
    waxed = blend(np.broadcast_to(plane(CRAYON_PAPER), picture.shape), loud * (0.72 + 0.42 * stroke), wax)
    outline = sheet.outlined(luminance(drawn), 1.8, 0.018, 0.055) * stepped(tooth, 0.75, 0.45)
    return clipped(blend(waxed, loud * np.float32(0.38), outline * np.float32(0.85)))


def pastel(picture: Picture, sheet: Sheet) -> Picture:
    """Render soft powder on tinted paper: pale blended colors, with the grain of the paper."""
    soft = blend(saturated(blend(sheet.blurred(picture, 5), picture, 0.35), 1.45), POWDER, 0.3)
    stroke, grain = sheet.strokes(60, 3.6, (0.95, 0.6)), sheet.clouded(2.2, 2)
    powder = stepped(grain - (stroke - 0.5) * np.float32(0.32), 0.82, 0.36)
    cover = (0.58 + 0.42 * powder) * sheet.framed(0.0, 0.05, 0.05)
    drifted = soft + (stroke - 0.5) * np.float32(0.12)
    return clipped(blend(plane(PASTEL_PAPER) * (0.95 + 0.1 * grain), drifted, cover))


def pencil(picture: Picture, sheet: Sheet) -> Picture:
    """Render sharp colored pencils: fine parallel lines, crossed in dark areas, thin contours, bare paper."""
    tone = luminance(picture)
    dark = 1 - tone
    first, second, third = (sheet.streaks(46, 2, angle) for angle in (0.8, 0.55, -0.7))
    cover = stepped(first, 0.35, 0.8) * (0.45 + 0.4 * dark) + np.float32(0.12)
    cover += stepped(second, 0.4, 0.8) * stepped(dark, 0.25, 0.6) * np.float32(0.5)
    cover += stepped(third, 0.4, 0.8) * stepped(dark, 0.5, 0.85) * np.float32(0.5)
    paper, color = plane(PENCIL_PAPER), saturated(picture, 1.5) * np.float32(0.86)
    drawn = paper + (color - paper) * np.clip(cover, 0, 0.95) * sheet.framed(0.005, 0.045, 0.06)
    sway = sheet.sway(30, 3)
    line = warped(sheet.outlined(tone, 0.6, 0.025, 0.12), sway, sway)
    return clipped(blend(drawn, color * np.float32(0.35), line * np.float32(0.75)))
