"""Styles of the screen: pixel art, vaporwave, digital art."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from inkframe.service.engines.offline.drawing.canvas import paint, pixels, to_image
from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.places.sky import draw_stars
from inkframe.service.engines.offline.drawing.shape import Shape, ellipse, rectangle
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    blurred,
    coordinates,
    graded,
    luminance,
    saturated,
    shifted,
    stepped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["digital_art", "pixel_art", "vaporwave"]

BAYER = np.array(
    [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32
) / 16 - np.float32(0.47)


def pixel_art(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Large square pixels in twenty colours, dithered by a fixed pattern, with dark outlines."""
    cell = max(min(size) // 64, 2)
    small = (-(-size[0] // cell), -(-size[1] // cell))
    shapes = [
        replace(shape, fill=tuple(vivid(colour, 1.6) for colour in shape.fill))
        for shape in compose(scene, size).shapes
    ]
    fine = paint(shapes, (small[0] * 2, small[1] * 2), line=(hexed("#1c1830"), 0.011))
    image = to_image(fine.picture).resize(small, Image.Resampling.BOX)
    tone = pixels(image)
    low, high = np.quantile(tone, (0.02, 0.98)).tolist()
    tone = (tone - np.float32(low)) / np.float32(max(high - low, 0.3)) * np.float32(0.94) + np.float32(0.03)
    pattern = np.tile(BAYER, (small[1] // 4 + 1, small[0] // 4 + 1))[: small[1], : small[0]]
    dithered = to_image(tone + pattern * np.float32(0.085))
    palette = dithered.quantize(20, Image.Quantize.MEDIANCUT, kmeans=1)
    flat = dithered.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
    large = flat.resize((small[0] * cell, small[1] * cell), Image.Resampling.NEAREST).crop((0, 0, *size))
    return pixels(large)


#: From shade to light.
WAVE = ("#12052e", "#3a0f6b", "#8a1f9f", "#ff3fa8", "#ff9fb8", "#7ff0ff", "#f4ffff")


def vaporwave(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Magenta and cyan dusk, a striped sun, and a glowing grid that runs to the horizon."""
    stage = compose(scene, size)
    horizon = min(stage.horizon, stage.tall * 0.68)
    kept = [shape for shape in stage.shapes if shape.kind in {"far", "wall", "thing", "detail"}]
    inner = scene.place in {"table", "room", "wall", "abstract", "deep", "space"}
    kept += [shape for shape in stage.shapes if not inner and shape.kind == "land" and shape.depth < 0.5]
    back = paint(_dusk(stage, horizon), size)
    front = paint([*_dusk(stage, horizon), *kept], size)
    seen = ~np.equal(front.owner, -1) & front.of("far", "wall", "thing", "detail", "land")
    tone = luminance(front.picture)
    wave = graded(np.clip(tone * 1.15, 0, 1), [hexed(colour) for colour in WAVE])
    wave = blend(wave, saturated(front.picture, 1.6), 0.3)
    picture = blend(back.picture, wave, seen.astype(np.float32) * np.float32(0.96))
    picture = blend(
        picture,
        hexed("#56f2ff"),
        _grid(size, stage, horizon) * ~front.of("thing", "detail", "wall") * _below(size, horizon),
    )
    glow = blurred(np.clip(picture - 0.45, 0, 1), min(size) / 60)
    lines = (
        np.float32(0.93) + np.float32(0.07) * (np.arange(size[1]) // max(min(size) // 256, 1) % 2)[:, None]
    )
    fringe = max(round(min(size) / 260), 1)
    picture = np.clip(picture + glow * 0.7, 0, 1)
    picture[0], picture[2] = np.roll(picture[0], -fringe, 1), np.roll(picture[2], fringe, 1)
    return picture * lines.astype(np.float32)


def _dusk(stage: Stage, horizon: float) -> list[Shape]:
    wide, tall = stage.wide, stage.tall
    x, radius = wide / 2, 0.25
    y = horizon - radius * 0.5
    sky = Shape(
        (rectangle(0, 0, wide, horizon + 0.01),),
        tuple(hexed(c) for c in ("#1a0a4a", "#5a1f9a", "#d83fae", "#ff9a7a")),
        0.0,
        "sky",
    )
    floor = Shape(
        (rectangle(0, horizon, wide, tall + 0.1),),
        tuple(hexed(c) for c in ("#7a1f9a", "#2a0f5f", "#150633")),
        0.001,
        "sky",
    )
    halo = Shape(
        (ellipse(x, y, radius * 1.3),), (hexed("#ff5fb0"),), 0.002, "light", opacity=0.55, softness=0.09
    )
    disc = Shape(
        (ellipse(x, y, radius, points=96),),
        tuple(hexed(c) for c in ("#fff07a", "#ffb05a", "#ff4fa0", "#c82fb8")),
        0.003,
        "light",
    )
    slits = tuple(
        rectangle(x - radius, y + radius * at, x + radius, y + radius * (at + 0.055 + 0.07 * at))
        for at in (-0.34, -0.16, 0.0, 0.14, 0.26, 0.37, 0.47)
    )
    cut = Shape(slits, tuple(hexed(c) for c in ("#8a2fa8", "#d84fa8")), 0.004, "light")
    cover = Shape((rectangle(0, horizon, wide, tall + 0.1),), floor.fill, 0.005, "sky")
    draw_stars(stage, horizon * 0.6, 60)
    return [sky, floor, halo, disc, cut, cover]


def _below(size: tuple[int, int], horizon: float) -> NDArray[np.bool_]:
    return coordinates(size)[1] > horizon * min(size)


def _grid(size: tuple[int, int], stage: Stage, horizon: float) -> NDArray[np.float32]:
    """Lines of a floor in perspective, brighter towards the viewer."""
    unit = min(size)
    x, y = coordinates(size)
    down = np.maximum(y / np.float32(unit) - np.float32(horizon), 1e-3)
    far = np.float32(0.32) / down
    across = (x / np.float32(unit) - np.float32(stage.wide / 2)) * far * 6
    lines = np.minimum(
        np.abs(across - np.rint(across)) / (far * 6),
        np.abs(far * 3 - np.rint(far * 3)) / (far * 3) * down * 0.9,
    )
    return (stepped(lines, 0.0055, 0.0015) * np.clip(down * 5 + 0.15, 0, 0.9)).astype(np.float32)


def digital_art(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Cinematic colour: deep violet shadows, rims of light, a sun that blooms, drifting sparks."""
    unit, rng = min(size), scene.rng("digital")
    stage = compose(scene, size)
    canvas = paint(stage.shapes, size)
    tone = luminance(canvas.picture)
    cool = graded(
        tone, [hexed("#0a0620"), hexed("#2a1a6a"), hexed("#1f7fa8"), hexed("#ff9f6a"), hexed("#fff3d8")]
    )
    picture = saturated(blend(canvas.picture, cool, 0.5), 1.35)
    x, y = coordinates(size)
    sx, sy = stage.sun_x * unit, stage.horizon * (1 - stage.light.height * 0.8) * unit
    near = np.exp(-np.hypot(x - np.float32(sx), y - np.float32(sy)) / np.float32(0.36 * unit))
    depth = canvas.depth
    step = max(round(unit / 170), 1)
    toward = step if sx < size[0] / 2 else -step
    rim = blurred(np.clip((depth - shifted(depth, toward, step)) * 9, 0, 1), unit / 400)
    glow = hexed("#ffb070") if not stage.light.dark else hexed("#6fd8ff")
    picture = picture * (np.float32(0.62) + np.float32(0.75) * near)
    picture = 1 - (1 - picture) * (
        1 - rim * np.array(bright(glow, 1.1), np.float32)[:, None, None] * np.float32(0.75)
    )
    bloom = blurred(np.clip(picture - 0.5, 0, 1), unit / 26)
    picture = 1 - (1 - picture) * (1 - np.clip(bloom * 1.1, 0, 1))
    return np.clip(_sparks(picture, size, rng, mix(glow, (1.0, 1.0, 1.0), 0.4)), 0, 1)


def _sparks(
    picture: NDArray[np.float32],
    size: tuple[int, int],
    rng: np.random.Generator,
    colour: tuple[float, float, float],
) -> NDArray[np.float32]:
    unit = min(size)
    spots = rng.uniform((0, 0.2), (size[0] / unit, size[1] / unit), (46, 2)).tolist()
    bits = [
        Shape((ellipse(x, y, float(r), points=10),), (colour,), 0.5, "light", opacity=0.9)
        for (x, y), r in zip(spots, rng.uniform(0.001, 0.0042, 46), strict=True)
    ]
    spark = blurred(luminance(paint(bits, size).picture), max(unit / 420, 0.6))
    return picture + spark * np.array(colour, np.float32)[:, None, None]

