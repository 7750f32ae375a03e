"""Mediums that are a surface: canvas, leaded glass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import hexed
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    blurred,
    cells,
    clouded,
    coordinates,
    edges,
    framed,
    luminance,
    noise,
    plane,
    regions,
    saturated,
    softened,
    stepped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["canvas", "glass"]


def canvas(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Oil rubbed into coarse linen: threads over and under, thin paint on their backs, a raw edge."""
    size = (picture.shape[2], picture.shape[1])
    unit = min(size) / 512
    x, y = coordinates(size)
    pitch = np.float32(max(5.4 * unit, 2.6))
    sway = (noise(rng, size, 60 * unit) - 0.5) * np.float32(3 * unit)
    u, v = (x + sway) / pitch, (y - sway) / pitch
    over = (np.floor(u) + np.floor(v)) % 2
    warp, weft = np.abs(np.sin(u * np.pi)), np.abs(np.sin(v * np.pi))
    bulge_w, bulge_h = np.abs(np.sin(v * np.pi)) * 0.45 + 0.55, np.abs(np.sin(u * np.pi)) * 0.45 + 0.55
    thread = np.where(over > 0, warp * bulge_w, weft * bulge_h)
    slub = (
        noise(rng, size, (max(2 * unit, 1), 70 * unit)) + noise(rng, size, (70 * unit, max(2 * unit, 1))) - 1
    )
    height = thread + slub * np.float32(0.3)
    linen = plane(hexed("#cdb996")) * (0.6 + 0.5 * height)
    rubbed = clouded(rng, size, 46 * unit, 4)
    thin = stepped(height * 0.55 + rubbed * 0.75, 0.78, 1.12)
    cover = (1 - np.float32(0.62) * thin) * framed(size, rng, 0.025, 0.075, 0.05)
    oil = saturated(blurred(picture, 1.3 * unit), 1.12) * (0.66 + 0.46 * height)
    return np.clip(blend(linen, oil, cover), 0, 1)


def glass(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Panes of coloured glass in lead: each of one colour, ripples and light within."""
    size = (picture.shape[2], picture.shape[1])
    unit = min(size) / 512
    calm = blurred(picture, 3.8 * unit)
    flat = regions(calm, 8)
    steep = edges(luminance(calm)) * np.float32(unit)
    most = float(np.quantile(steep[::3, ::3], 0.9))
    contrast = stepped(steep, max(0.003, most * 0.5), max(0.009, most))
    pane = cells(rng, size, 58 * unit)
    label = flat.label.astype(np.intp) + 8 * (pane.label % 4096)
    colour = _means(picture, label, pane.label)
    lead = np.maximum(
        stepped(pane.border, 3.0 * unit, 1.7 * unit), stepped(blurred(flat.border * contrast, 1.5 * unit), 0.12, 0.26)
    )
    ripple = clouded(rng, size, 16 * unit, 3)
    glow = softened(1 - np.clip(lead, 0, 1), 12 * unit)
    light = (0.62 + 0.5 * ripple) * (0.55 + 0.62 * glow) * 1.12
    shine = stepped(ripple, 0.66, 0.85) * np.float32(0.16)
    panes = saturated(np.clip(colour * np.float32(1.12) + np.float32(0.03), 0, 1), 1.75) * light + shine
    solder = stepped(softened(lead, 2 * max(unit, 0.6)), 0.7, 1.0) * np.float32(0.2)
    metal = plane(hexed("#17181c")) + solder
    return np.clip(blend(panes, metal, lead), 0, 1)


def _means(
    picture: NDArray[np.float32], label: NDArray[np.intp], pane: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Give every piece of glass its mean colour, a little different from pane to pane."""
    flat = label.ravel()
    many = np.maximum(np.bincount(flat), 1)
    planes = [(np.bincount(flat, part.ravel()) / many).astype(np.float32)[label] for part in picture]
    vary = 0.88 + 0.24 * ((pane * 2654435761 % 1009) / 1009).astype(np.float32)
    return np.stack(planes) * vary

