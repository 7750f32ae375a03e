"""The sky with its sun, moon, stars and clouds, and the weather in front of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import bright, gray, hexed, mix
from inkframe.service.engines.offline.drawing.shape import (
    diamonds,
    ellipse,
    polygon,
    rectangle,
    ribbon,
    smooth,
)

if TYPE_CHECKING:
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["draw_cumulus", "draw_sky", "draw_stars", "draw_weather"]

WHITE = (1.0, 1.0, 1.0)


def draw_sky(stage: Stage, bottom: float | None = None) -> None:
    """Fill the sky down to the horizon, with what stands and moves in it."""
    light, scene = stage.light, stage.scene
    low = stage.horizon + 0.02 if bottom is None else bottom
    stage.unlit(rectangle(0, 0, stage.wide, low), light.sky, 0.0, "sky")
    stage.unlit(rectangle(0, low - 0.01, stage.wide, stage.tall), light.sky[-1], 0.0, "sky")
    if scene.time == "night":
        draw_stars(stage, low)
    if "aurora" in scene.weathers:
        _aurora(stage, low)
    if not light.veiled:
        _sun(stage, low)
    if "rainbow" in scene.weathers:
        _rainbow(stage, low)
    _clouds(stage, low)


def draw_stars(stage: Stage, low: float, many: int = 130) -> None:
    """Scatter stars, a few of them large."""
    rng = stage.rng("stars")
    centres = rng.uniform((0, 0), (stage.wide, low * 0.95), (int(many * stage.wide * stage.tall), 2))
    sizes = 0.0011 + 0.0028 * rng.random(len(centres)) ** 6
    stage.shine(diamonds(centres, sizes), (1.0, 0.97, 0.9), 0.01, opacity=0.85)
    large = centres[:5]
    stage.shine(diamonds(large, np.full(5, 0.005)), WHITE, 0.011, opacity=0.95)
    glow = [ellipse(x, y, 0.012) for x, y in large.tolist()]
    stage.shine(glow, (0.8, 0.88, 1.0), 0.01, opacity=0.35, softness=0.008)


def _sun(stage: Stage, low: float) -> None:
    light, night = stage.light, stage.scene.time == "night"
    x, y = stage.sun_x, low * (1 - light.height) + 0.02
    radius = 0.055 if night else 0.05 + 0.035 * (1 - light.height)
    for reach, opacity in ((0.42, 0.28), (0.2, 0.3), (0.09, 0.35)):
        stage.shine(ellipse(x, y, reach + radius * 0.5), light.sun, 0.015, opacity=opacity * (0.5 if night else 1), softness=reach * 0.38)
    stage.shine(ellipse(x, y, radius, points=72), bright(light.sun, 1.3), 0.02)
    if night:
        spots = [ellipse(x + radius * a, y + radius * b, radius * c) for a, b, c in _MARIA]
        stage.shine(spots, mix(light.sun, light.sky[2], 0.2), 0.021, opacity=0.55, softness=0.006)


_MARIA = ((-0.35, -0.2, 0.26), (0.2, -0.42, 0.2), (0.3, 0.25, 0.28), (-0.25, 0.42, 0.16))


def _clouds(stage: Stage, low: float) -> None:
    scene, rng = stage.scene, stage.rng("clouds")
    many = 9 if scene.weathers & {"cloudy", "rain", "storm"} else 4 if scene.time == "night" else 6
    flat = scene.time in {"dawn", "golden", "dusk", "night"} and "cloudy" not in scene.weathers
    for _ in range(int(rng.integers(many // 2, many + 1) * max(stage.wide, 1.0))):
        x, y = float(rng.uniform(0, stage.wide)), float(rng.uniform(0.08, 0.86)) * low
        if flat:
            _streak(stage, x, y, float(rng.uniform(0.16, 0.42)), low)
        else:
            draw_cumulus(stage, x, y * 0.85, float(rng.uniform(0.1, 0.24)) * (1.25 - 0.7 * y / low), 0.04)


def _streak(stage: Stage, x: float, y: float, reach: float, low: float) -> None:
    light, rng = stage.light, stage.rng(f"streak {x:.4f}")
    here = light.sky[min(int(y / low * len(light.sky)), len(light.sky) - 1)]
    colour = mix(here, mix(light.sun, light.sky[-1], 0.5), 0.12 if light.dark else 0.5)
    parts = [
        ellipse(x + float(dx), y + float(dy), reach * float(across), 0.004 + 0.012 * float(down))
        for dx, dy, across, down in zip(
            rng.uniform(-0.5, 0.5, 5) * reach,
            rng.uniform(-0.018, 0.018, 5),
            rng.uniform(0.3, 0.9, 5),
            rng.random(5),
            strict=True,
        )
    ]
    stage.unlit(parts, colour, 0.03, "cloud", opacity=0.55, softness=0.004)


def draw_cumulus(stage: Stage, x: float, y: float, reach: float, depth: float) -> None:
    """Heap up a cloud of ``reach`` to both sides of a point at its foot."""
    light, rng = stage.light, stage.rng(f"cumulus {x:.4f} {y:.4f}")
    top = bright(mix(light.sun, WHITE, 0.5), 0.42 if light.dark else 1.0)
    if light.veiled:
        top = mix(light.sky[0], WHITE, 0.35 if light.dark else 0.42)
    foot = mix(light.haze, light.sky[1], 0.35)
    step = np.linspace(-1, 1, 7)
    puffs = [
        ellipse(x + reach * float(at), y - reach * 0.3 * float(up), reach * float(size), points=28)
        for at, up, size in zip(
            step, (1 - step**2) * rng.uniform(0.6, 1.5, 7), 0.16 + 0.24 * (1 - step**2), strict=True
        )
    ]
    base = smooth(
        [
            (x - reach * 1.15, y + reach * 0.16),
            (x, y - reach * 0.3),
            (x + reach * 1.15, y + reach * 0.16),
            (x, y + reach * 0.3),
        ]
    )
    stage.unlit([*puffs, base], (top, mix(top, foot, 0.35), mix(top, foot, 0.85)), depth, "cloud", opacity=0.93, softness=0.0025)
    toward = -0.07 if stage.sun_x < x else 0.07
    lights = [
        ellipse(
            float(p[:, 0].mean()) + reach * toward,
            float(p[:, 1].mean()) - reach * 0.07,
            float(np.ptp(p[:, 0])) * 0.36,
            points=24,
        )
        for p in puffs[1:-1]
    ]
    stage.unlit(lights, bright(top, 1.25), depth, "cloud", opacity=0.4, softness=reach * 0.05)


def _rainbow(stage: Stage, low: float) -> None:
    angle = np.linspace(np.pi * 1.02, np.pi * 1.98, 60)
    for band, colour in enumerate(("#d8504a", "#e8944a", "#ecd25a", "#6db36a", "#4f94cf", "#7a62b4")):
        radius = min(0.62, low * 0.92) - band * 0.018
        arc = np.stack([stage.wide / 2 + radius * np.cos(angle), low + radius * np.sin(angle)], 1)
        stage.shine(ribbon(arc, 0.019), hexed(colour), 0.025, opacity=0.42, softness=0.003)


def _aurora(stage: Stage, low: float) -> None:
    rng = stage.rng("aurora")
    for colour in ("#4fe0a0", "#54c7c0", "#8a6fe0"):
        x = np.linspace(-0.1, stage.wide + 0.1, 9)
        y = low * float(rng.uniform(0.35, 0.6)) + rng.uniform(-0.09, 0.09, 9)
        line = smooth(np.stack([x, y], 1), closed=False)
        veil = np.concatenate([line, (line - (0, low * float(rng.uniform(0.22, 0.34))))[::-1]])
        stage.shine(veil, (bright(hexed(colour), 0.35), hexed(colour)), 0.018, opacity=0.5, softness=0.03)


def draw_weather(stage: Stage) -> None:
    """Let it rain, snow or thunder in front of everything; fog lies between."""
    weathers, rng = stage.scene.weathers, stage.rng("weather")
    wide, tall = stage.wide, stage.tall
    pale = mix(stage.light.haze, WHITE, 0.5)
    if weathers & {"rain", "storm"}:
        for many, length, width, opacity in ((150, 0.05, 0.0022, 0.35), (70, 0.1, 0.0034, 0.4)):
            foot = rng.uniform((0, 0), (wide * 1.1, tall), (int(many * wide * tall), 2))
            lean = np.array([0.22, -1.0]) * length * rng.uniform(0.6, 1.2, (len(foot), 1))
            stage.unlit([polygon(*a, *b, b[0] + width, b[1], a[0] + width, a[1]) for a, b in zip(foot, foot + lean, strict=True)], pale, 0.97, "weather", opacity=opacity)
    if "storm" in weathers:
        _lightning(stage)
    if "snowfall" in weathers:
        for many, size, soft in ((170, 0.004, 0.0), (70, 0.008, 0.002), (14, 0.016, 0.007)):
            centres = rng.uniform((0, 0), (wide, tall), (int(many * wide * tall), 2)).tolist()
            stage.unlit([ellipse(x, y, size * float(rng.uniform(0.6, 1.2)), points=8) for x, y in centres], mix(pale, WHITE, 0.7), 0.97, "weather", opacity=0.85, softness=soft)
    if "fog" in weathers:
        for depth, height in ((0.3, 0.02), (0.5, 0.1), (0.86, 0.26)):
            y = stage.horizon + height
            stage.unlit(ellipse(wide * float(rng.uniform(0.2, 0.8)), y, wide * 0.9, 0.07), pale, depth, "weather", opacity=0.5, softness=0.06)


def _lightning(stage: Stage) -> None:
    rng = stage.rng("lightning")
    y = np.linspace(0.0, stage.horizon, 9)
    x = stage.sun_x + np.cumsum(rng.uniform(-0.05, 0.05, 9))
    line = np.stack([x, y], 1)
    glow = bright((0.85, 0.88, 1.0), 1.2)
    stage.shine(ribbon(line, 0.05), glow, 0.05, opacity=0.35, softness=0.03)
    stage.shine(ribbon(line, np.linspace(0.009, 0.002, 9)), WHITE, 0.051, opacity=1.0)
    if gray(stage.light.ambient) > 0:
        branch = np.stack([x[4] + np.array([0, 0.04, 0.09]), y[4] + np.array([0, 0.06, 0.1])], 1)
        stage.shine(ribbon(branch, 0.003), WHITE, 0.051)
