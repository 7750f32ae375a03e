"""Flat, layered pictures: illustration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import Colour, gray, hexed, mix, toned
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.texture import luminance, noise, stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene
    from inkframe.service.engines.offline.drawing.shape import Shape

__all__ = ["illustration"]

#: From dark to light; every colour of a picture is drawn towards the nearest of one set.
SETS = (
    ("#22333b", "#3f6f6f", "#c2593f", "#e0a458", "#a8bfa0", "#f2d9a8", "#faf1de"),
    ("#2b2d42", "#5a4e7c", "#b5546f", "#ef8e6e", "#8fa8b8", "#f5cfa8", "#fdf3e4"),
    ("#1f3a4a", "#33658a", "#86a873", "#e07a3f", "#9fc0c4", "#f3d59a", "#fbf4e0"),
)  # fmt: skip


def illustration(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Flat layers in a few warm colours, shaded with grain like a printed picture book."""
    unit, rng = min(size) / 512, scene.rng("illustration")
    palette = [hexed(colour) for colour in SETS[int(rng.integers(len(SETS)))]]
    stage = compose(scene, size)
    flat = paint([_flat(shape, palette) for shape in stage.shapes], size)
    round_ = paint(stage.shapes, size)
    shade = luminance(round_.picture)
    local = np.array([gray(shape.colour) for shape in round_.shapes], np.float32)[round_.owner]
    grain = noise(rng, size, max(1.15 * unit, 1))
    darker = stepped(grain, (local - shade) * 2.4 + 0.04, (local - shade) * 2.4 - 0.02)
    lighter = stepped(grain, 0.98 - (shade - local) * 1.8, 1.04 - (shade - local) * 1.8)
    return np.clip(flat.picture * (1 - np.float32(0.17) * darker) + np.float32(0.09) * lighter, 0, 1)


def _flat(shape: Shape, palette: list[Colour]) -> Shape:
    colour = shape.fill[0] if shape.kind == "cloud" else shape.colour
    if shape.kind == "sky":
        dark = gray(shape.fill[0]) < 0.3
        high, low = (palette[0], palette[1]) if dark else (mix(palette[4], shape.fill[0], 0.3), palette[5])
        return replace(shape, fill=(high, mix(high, low, 0.55), low) if len(shape.fill) > 1 else (low,))
    soft = 0.0 if shape.kind in {"cloud", "shadow"} else shape.softness
    return replace(shape, fill=(_nearest(colour, palette),), softness=soft)


def _nearest(colour: Colour, palette: list[Colour]) -> Colour:
    """Draw a colour towards the nearest of the palette, keeping some of its own lightness."""
    near = min(
        palette,
        key=lambda other: (
            sum((a - b) ** 2 for a, b in zip(colour, other, strict=True)) + (gray(colour) - gray(other)) ** 2
        ),
    )
    return mix(mix(near, toned(colour, near, 1.0), 0.45), colour, 0.12)
