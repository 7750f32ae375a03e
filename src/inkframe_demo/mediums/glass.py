"""Glass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.operations import (
    Regions,
    blend,
    clipped,
    edges,
    luminance,
    plane,
    regions,
    saturated,
    stepped,
)
from inkframe_demo.drawing.texture import Cells, cells

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture
    from inkframe_demo.mediums.sheet import Sheet

__all__ = ["glass"]

LEAD = hexed("#17181c")
TONES = 8


def glass(picture: Picture, sheet: Sheet) -> Picture:
    """Render panes of stained glass in lead: each of one color, with ripples and light."""
    tones, panes = regions(sheet.blurred(picture, 3.8), TONES), cells(sheet.rng, sheet.size, 58 * sheet.unit)
    unit = max(sheet.unit, 0.5)
    lead = np.maximum(stepped(panes.border, 3.0 * unit, 1.7 * unit), _joints(picture, sheet))
    ripple, glow = sheet.clouded(16), sheet.softened(1 - lead, 12)
    light = (0.7 + 0.56 * ripple) * (0.55 + 0.62 * glow)
    shine = stepped(ripple, 0.66, 0.85) * np.float32(0.16)
    pieces = sheet.blurred(clipped(_means(picture, tones, panes) * np.float32(1.12) + np.float32(0.03)), 4)
    solder = stepped(sheet.softened(lead, 2), 0.7, 1.0) * np.float32(0.2)
    return clipped(blend(saturated(pieces, 1.75) * light + shine, plane(LEAD) + solder, lead))


def _joints(picture: Picture, sheet: Sheet) -> Field:
    """Return 1 along the strongest edges of the picture, which get a strip of lead."""
    calm = sheet.blurred(picture, 2.2)
    steep = (edges(luminance(calm)) + edges(calm[0] - calm[2]) * np.float32(0.4)) * np.float32(sheet.unit)
    most = float(np.quantile(steep[::3, ::3], 0.94))
    return stepped(steep, max(0.012, most * 0.75), max(0.02, most * 1.15))


def _means(picture: Picture, tones: Regions, panes: Cells) -> Picture:
    """Return the mean color of each pane, with slight variation."""
    label = tones.label + TONES * panes.label
    flat = label.ravel()
    many = np.maximum(np.bincount(flat), 1)
    means = [(np.bincount(flat, band.ravel()) / many).astype(np.float32)[label] for band in picture]
    vary = np.float32(0.88) + ((panes.label * 7919) % 1009).astype(np.float32) * np.float32(0.24 / 1009)
    pieces: Picture = np.stack(means) * vary
    return pieces
