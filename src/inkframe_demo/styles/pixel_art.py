"""Pixel art."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from inkframe_demo.drawing.canvas import paint, pixels, to_image
from inkframe_demo.drawing.color import hexed, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.shape import refilled

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene

__all__ = ["pixel_art"]

LINE = hexed("#1c1830")
#: A 4 by 4 threshold matrix after Bayer (1973), around 0.
BAYER = np.array(
    [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32
) / 16 - np.float32(0.47)


def pixel_art(scene: Scene, size: Size) -> Picture:
    """Draw large square pixels in twenty colors, dithered by a fixed pattern, with dark outlines."""
    cell = max(min(size) // 64, 2)
    wide, high = -(-size[0] // cell), -(-size[1] // cell)
    shapes = refilled(compose(scene, size).shapes, lambda color, _: vivid(color, 1.6))
    fine = paint(shapes, (wide * 2, high * 2), line=(LINE, 0.011))
    picture = pixels(to_image(fine.picture).resize((wide, high), Image.Resampling.BOX))
    low, top = np.quantile(picture, (0.02, 0.98)).tolist()
    picture = (picture - np.float32(low)) * np.float32(0.94 / max(top - low, 0.3)) + np.float32(0.03)
    pattern = np.tile(BAYER, (high // 4 + 1, wide // 4 + 1))[:high, :wide]
    dithered = to_image((picture + pattern * np.float32(0.085)).astype(np.float32))
    palette = dithered.quantize(20, Image.Quantize.MEDIANCUT, kmeans=1)
    flat = dithered.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
    large = flat.resize((wide * cell, high * cell), Image.Resampling.NEAREST)
    return pixels(large.crop((0, 0, *size)))
