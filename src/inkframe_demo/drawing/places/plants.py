"""Plants: pines, round trees, grass with flowers, in the colors of the season."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, mix, picked, toned
from inkframe_demo.drawing.shape import Outline, blob, diamonds, points, polygon, ribbon

if TYPE_CHECKING:
    from inkframe_demo.drawing.color import Color
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_grass", "draw_pines", "draw_trees", "grass_of", "leaves_of"]

#: The colors of grass, leaves and single trees by season.
SEASONS = {
    None: ("#5f8f4a", "#4a7d45", "#7ba35c"),
    "summer": ("#6a9a45", "#3f7a44", "#79a552"),
    "spring": ("#86b35a", "#7fae62", "#e7b3c0"),
    "autumn": ("#b08a3f", "#c0632c", "#d9a03a"),
    "winter": ("#e6ecf2", "#46645c", "#5f7f78"),
    "dry": ("#c4a755", "#7f8a45", "#a39a4f"),
}
PETALS = ("#f4e3a8", "#f2b8c0", "#ffffff", "#e9a04f", "#c7a6e0")
SNOW = hexed("#f2f6fb")

_HALF = (
    (0, -1), (0.07, -0.86), (0.045, -0.85), (0.13, -0.68), (0.075, -0.67), (0.19, -0.47),
    (0.11, -0.46), (0.25, -0.24), (0.14, -0.235), (0.29, -0.05), (0.035, -0.06), (0.035, 0),
)  # fmt: skip
#: A pine of height 1 on its foot, and the snow that lies on it.
PINE = polygon(*_HALF, *((-x, y) for x, y in reversed(_HALF[1:])))
PINE_SNOW = polygon(
    (0, -1), (0.06, -0.87), (0.02, -0.84), (0.11, -0.7), (0.02, -0.7),
    (0.15, -0.52), (-0.02, -0.6), (-0.05, -0.74), (-0.02, -0.88),
)  # fmt: skip
#: A blade of grass of height 1: x as a share of its lean and in its own width, y upwards.
BLADE = ((0, -1, 0), (0.4, -0.5, 0.6), (1, 0, 1), (0.4, 0.75, 0.6), (0, 1, 0))


def grass_of(stage: Stage) -> Color:
    """Return the color of grass in this season, shifted toward the described color of the land."""
    color, tint = hexed(SEASONS[stage.scene.season][0]), stage.scene.painted.get("land")
    return toned(color, tint, 0.85) if tint else color


def leaves_of(stage: Stage) -> Color:
    """Return the color of leaves in this season."""
    return hexed(SEASONS[stage.scene.season][1])


def draw_pines(
    stage: Stage, line: Outline, height: float, depth: float, many: int, color: Color, gap: float = 0.0
) -> None:
    """Draw pines along a line, up to ``height``, leaving a share of the middle free."""
    rng = stage.rng(f"pines {depth} {height:.3f}")
    share = np.sort(rng.uniform(-0.5, 0.5, many))
    x = (0.5 + share * (1 - gap) + np.sign(share) * gap / 2) * (line[-1, 0] - line[0, 0]) + line[0, 0]
    foot = points(x, np.interp(x, line[:, 0], line[:, 1]) + 0.012)[:, None]
    tall = (height * rng.uniform(0.55, 1.15, many))[:, None, None] * (0.9, 1)
    stage.add(tuple(PINE * tall + foot), (bright(color, 1.12), color, bright(color, 0.8)), depth, "land")
    if "winter" in {stage.scene.season, stage.scene.place}:
        stage.add(tuple(PINE_SNOW * tall + foot), SNOW, depth, "land", opacity=0.9)


def draw_trees(stage: Stage, line: Outline, size: float, depth: float, many: int, gap: float = 0.0) -> None:
    """Draw round trees along a line, each in its own shade, leaving a share of the middle free."""
    rng = stage.rng(f"trees {depth} {size:.3f}")
    leaf, other = (hexed(name) for name in SEASONS[stage.scene.season][1:])
    for x, grown, turned in rng.uniform((0, 0.7, 0), (stage.wide, 1.25, 0.7), (many, 3)).tolist():
        aside = x - stage.wide / 2
        x += float(np.copysign(gap * stage.wide / 2, aside)) - gap * aside  # noqa: PLW2901  # moved to its side
        y, tall = float(np.interp(x, line[:, 0], line[:, 1])) + size * 0.1, size * grown
        shade = mix(leaf, other, turned)
        stage.add(ribbon(polygon((x, y), (x, y - tall * 0.6)), tall * 0.08), hexed("#5a412f"), depth, "land")
        heaps = ((-0.14, 0.55), (0.14, 0.58), (0, 0.78))
        crown = [blob(rng, x + tall * right, y - tall * up, tall * 0.28, tall * 0.25) for right, up in heaps]
        top = SNOW if stage.scene.season == "winter" else bright(shade, 1.18)
        stage.add(crown, (top, shade, bright(shade, 0.68)), depth, "land")


def draw_grass(stage: Stage, color: Color, height: float = 0.09, many: int = 130) -> None:
    """Draw grass along the lower edge, with specks of flowers."""
    rng, count, depth = stage.rng("grass"), int(many * stage.wide), 0.9
    x, tall = rng.uniform(-0.05, stage.wide + 0.05, count), height * rng.uniform(0.35, 1.0, count) + 0.02
    lean, low = rng.uniform(-0.35, 0.35, count) * tall, stage.tall + 0.02
    corners = [points(x + lean * share + 0.004 * aside, low - tall * up) for share, aside, up in BLADE]
    blades = tuple(np.stack(corners, 1))
    stage.add(blades, (bright(color, 0.95), bright(color, 0.62)), depth, "land")
    if stage.scene.season != "winter":
        tips = points(x + lean, low - tall)[:: max(count // 26, 1)]
        stage.add(diamonds(tips, rng.uniform(0.004, 0.009, len(tips))), picked(rng, PETALS), depth, "detail")
