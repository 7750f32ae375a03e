"""The weather in front of everything: rain, snow, fog, lightning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import WHITE, Color, mix
from inkframe_demo.drawing.shape import diamonds, ellipse, moved, points, polygon, ribbon

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_weather"]


def draw_weather(stage: Stage) -> None:
    """Draw rain, snow or lightning in front of everything, or fog in between."""
    weathers = stage.scene.weathers
    pale = mix(stage.light.haze, WHITE, 0.5)
    if weathers & {"rain", "storm"}:
        _rain(stage, pale)
    if "storm" in weathers:
        _lightning(stage)
    if "snowfall" in weathers:
        _snow(stage, mix(pale, WHITE, 0.7))
    if "fog" in weathers:
        rng = stage.rng("fog")
        for depth, height in ((0.3, 0.02), (0.5, 0.1), (0.86, 0.26)):
            bank = ellipse(
                stage.wide * float(rng.uniform(0.2, 0.8)), stage.horizon + height, stage.wide * 0.9, 0.07
            )
            stage.unlit(bank, pale, depth, "weather", opacity=0.5, softness=0.06)


def _rain(stage: Stage, color: Color) -> None:
    rng, area = stage.rng("rain"), stage.wide * stage.tall
    for many, length, width, opacity in ((150, 0.05, 0.0022, 0.35), (70, 0.1, 0.0034, 0.4)):
        foot = rng.uniform((0, 0), (stage.wide * 1.1, stage.tall), (int(many * area) + 1, 2))
        head = foot + np.array([0.22, -1.0]) * length * rng.uniform(0.6, 1.2, (len(foot), 1))
        drops = np.stack([foot, head, moved(head, width, 0), moved(foot, width, 0)], 1)
        stage.unlit(tuple(drops), color, 0.97, "weather", opacity=opacity)


def _snow(stage: Stage, color: Color) -> None:
    rng, area = stage.rng("snow"), stage.wide * stage.tall
    for many, size, soft in ((170, 0.004, 0.0), (70, 0.008, 0.002), (14, 0.016, 0.007)):
        count = int(many * area) + 1
        centers, sizes = (
            rng.uniform((0, 0), (stage.wide, stage.tall), (count, 2)),
            rng.uniform(0.6, 1.2, count) * size,
        )
        flakes = diamonds(centers, sizes) if not soft else _round(centers, sizes)
        stage.unlit(flakes, color, 0.97, "weather", opacity=0.85, softness=soft)


def _round(centers: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(
        ellipse(x, y, size, count=8) for (x, y), size in zip(centers.tolist(), sizes.tolist(), strict=True)
    )


def _lightning(stage: Stage) -> None:
    rng = stage.rng("lightning")
    y = np.linspace(0.0, stage.horizon, 9)
    line = points(stage.sun_x + np.cumsum(rng.uniform(-0.05, 0.05, 9)), y)
    stage.shine(ribbon(line, 0.05), (0.9, 0.92, 1.0), 0.05, opacity=0.35, softness=0.03)
    stage.shine(ribbon(line, np.linspace(0.009, 0.002, 9)), WHITE, 0.051)
    x, y0 = line[4].tolist()
    stage.shine(ribbon(polygon((x, y0), (x + 0.04, y0 + 0.06), (x + 0.09, y0 + 0.1)), 0.003), WHITE, 0.051)
