"""Under water: light from above, sand and weed below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import WHITE, Color, bright, hexed, mix, picked
from inkframe_demo.drawing.places.terrain import hill_line
from inkframe_demo.drawing.scene_layout import Ground
from inkframe_demo.drawing.shape import Outline, ellipse, points, polygon, ribbon, under

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["deep"]

WEEDS = ("#e0705a", "#4fa36c", "#d99a4a", "#b0568f", "#3f8f86")


def deep(stage: Stage) -> None:
    """Draw light from above, with sand and weed below."""
    rng, wide, tall = stage.rng("deep"), stage.wide, stage.tall
    tint, shade = stage.tinted("water", hexed("#1f8fa6")), 0.45 if stage.light.dark else 1.0
    stops = (
        mix(tint, WHITE, 0.45),
        tint,
        mix(tint, hexed("#0c2f52"), 0.55),
        mix(tint, hexed("#081f3d"), 0.8),
    )
    pale, upper, lower, dark = (bright(stop, shade) for stop in stops)
    stage.unlit(stage.whole, (pale, upper, lower, dark), 0.0, "sky")
    for x in rng.uniform(0.05, wide * 0.95, 6).tolist():
        foot, low = x + 0.3 * (x / wide - 0.35), tall * 0.9
        ray = polygon((x, -0.05), (x + 0.07, -0.05), (foot + 0.22, low), (foot + 0.02, low))
        stage.shine(ray, (mix(pale, WHITE, 0.5), upper), 0.05, opacity=0.16, softness=0.012)
    for step, (depth, level) in enumerate(((0.25, 0.8), (0.45, 0.88), (0.7, 0.95))):
        floor = hill_line(stage, f"seabed {step}", tall * level, 0.06)
        sand = mix(lower, hexed("#d9c79a"), 0.12 + 0.2 * step)
        stage.unlit(under(floor, tall + 0.1), (bright(sand, 1.15), bright(sand, 0.7)), depth, "land")
        _weed(stage, floor, step, depth + 0.02, lower)
    for x, y, radius in rng.uniform((0, 0, 0.004), (wide, tall * 0.8, 0.014), (26, 3)).tolist():
        stage.shine(ellipse(x, y, radius, count=20), bright(pale, 1.2), 0.5, opacity=0.35)
    stage.ground(Ground(tall * 0.2, tall * 0.72, (0.3, 0.68), 0.6), "deep", "water", "air")
    stage.ground(Ground(tall * 0.9, tall * 0.95, (0.72, 0.78), 0.9), "ground", "shore")
    stage.horizon = tall * 0.9


def _weed(stage: Stage, floor: Outline, step: int, depth: float, water: Color) -> None:
    """Draw tufts of three fronds on the ground."""
    rng, t = stage.rng(f"weed {step}"), np.linspace(0, 1, 14)
    for x, grown in rng.uniform((0, 0.08), (stage.wide, 0.2), (7, 2)).tolist():
        y, tall = float(np.interp(x, floor[:, 0], floor[:, 1])) + 0.01, grown * (0.6 + step * 0.4)
        color = mix(water, picked(rng, WEEDS), 0.25 + 0.3 * step)
        fronds = [
            ribbon(
                points(x + aside + 0.022 * np.sin(t * 7 + aside * 90) * t, y - tall * t * share),
                0.016 * (1.05 - t),
            )
            for aside, share in ((-0.025, 0.8), (0.0, 1.0), (0.024, 0.7))
        ]
        stage.unlit(fronds, (bright(color, 1.2), bright(color, 0.75)), depth, "thing")
