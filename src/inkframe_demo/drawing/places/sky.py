"""The sky: its colors, the sun and the moon, stars, clouds, a rainbow, northern lights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import WHITE, bright, hexed, mix
from inkframe_demo.drawing.shape import (
    arc,
    diamonds,
    ellipse,
    points,
    rectangle,
    ribbon,
    smooth,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_cumulus", "draw_sky", "draw_stars"]

#: The dark spots of the moon: positions and sizes, in units of its radius.
MARIA = ((-0.35, -0.2, 0.26), (0.2, -0.42, 0.2), (0.3, 0.25, 0.28), (-0.25, 0.42, 0.16))
RAINBOW = ("#d8504a", "#e8944a", "#ecd25a", "#6db36a", "#4f94cf", "#7a62b4")
AURORA = ("#4fe0a0", "#54c7c0", "#8a6fe0")


def draw_sky(stage: Stage, bottom: float | None = None) -> None:
    """Draw the sky down to the horizon, with the sun or moon, clouds and weather."""
    light, scene = stage.light, stage.scene
    low = stage.horizon + 0.02 if bottom is None else bottom
    stage.unlit(rectangle(0, 0, stage.wide, low), light.sky, 0.0, "sky")
    stage.unlit(stage.floor(low - 0.01), light.sky[-1], 0.0, "sky")
    if scene.time == "night":
        draw_stars(stage, low)
    if "aurora" in scene.weathers:
        _aurora(stage, low)
    if not light.veiled:
        _sun(stage, stage.sun_x, low * (1 - light.height) + 0.02)
        if scene.time == "night":
            for x, y in stage.rng("moons").uniform((0.1, 0.1), (0.9, 0.6), (scene.moons - 1, 2)).tolist():
                _sun(stage, x * stage.wide, y * low)
    if "rainbow" in scene.weathers:
        _rainbow(stage, low)
    _clouds(stage, low)


def draw_stars(stage: Stage, low: float, many: int = 130) -> None:
    """Scatter stars, a few of them large."""
    rng = stage.rng("stars")
    centers = rng.uniform((0, 0), (stage.wide, low * 0.95), (int(many * stage.wide * stage.tall) + 5, 2))
    sizes = 0.0011 + 0.0028 * rng.random(len(centers)) ** 6
    stage.shine(diamonds(centers, sizes), (1.0, 0.97, 0.9), 0.01, opacity=0.85)
    large = centers[:5]
    stage.shine(diamonds(large, np.full(5, 0.005)), WHITE, 0.011, opacity=0.95)
    glow = [ellipse(x, y, 0.012) for x, y in large.tolist()]
    stage.shine(glow, (0.8, 0.88, 1.0), 0.01, opacity=0.35, softness=0.008)


def _sun(stage: Stage, x: float, y: float) -> None:
    light, night = stage.light, stage.scene.time == "night"
    radius = 0.055 if night else 0.05 + 0.035 * (1 - light.height)
    for reach, strength in ((0.42, 0.28), (0.2, 0.3), (0.09, 0.35)):
        opacity = strength * (0.5 if night else 1)
        halo = ellipse(x, y, reach + radius * 0.5)
        stage.shine(halo, light.sun, 0.015, opacity=opacity, softness=reach * 0.38)
    stage.shine(ellipse(x, y, radius, count=72), bright(light.sun, 1.3), 0.02)
    if night:
        spots = [ellipse(x + radius * right, y + radius * down, radius * size) for right, down, size in MARIA]
        stage.shine(spots, mix(light.sun, light.sky[2], 0.2), 0.021, opacity=0.55, softness=0.006)


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
    """Draw a low flat cloud in the light of a low sun."""
    light, rng = stage.light, stage.rng(f"streak {x:.4f}")
    here = light.sky[min(int(y / low * len(light.sky)), len(light.sky) - 1)]
    color = mix(here, mix(light.sun, light.sky[-1], 0.5), 0.12 if light.dark else 0.5)
    spots = rng.uniform((-0.5, -0.018, 0.3, 0.004), (0.5, 0.018, 0.9, 0.016), (5, 4)).tolist()
    parts = [ellipse(x + right * reach, y + up, reach * across, down) for right, up, across, down in spots]
    stage.unlit(parts, color, 0.03, "cloud", opacity=0.55, softness=0.004)


def draw_cumulus(stage: Stage, x: float, y: float, reach: float, depth: float) -> None:
    """Draw a cumulus cloud that extends ``reach`` to both sides of its foot."""
    light, rng = stage.light, stage.rng(f"cumulus {x:.4f} {y:.4f}")
    top = bright(mix(light.sun, WHITE, 0.5), 0.42 if light.dark else 1.0)
    if light.veiled:
        top = mix(light.sky[0], WHITE, 0.35 if light.dark else 0.42)
    foot = mix(light.haze, light.sky[1], 0.35)
    step = np.linspace(-1, 1, 7)
    lift = 0.3 * (1 - step**2) * rng.uniform(0.6, 1.5, 7)
    heaps = (
        np.stack([x + reach * step, y - reach * lift, reach * (0.16 + 0.24 * (1 - step**2))], 1)
    ).tolist()
    puffs = [ellipse(px, py, size, count=28) for px, py, size in heaps]
    base = smooth(
        points(x + reach * np.array([-1.15, 0, 1.15, 0]), y + reach * np.array([0.16, -0.3, 0.16, 0.3]))
    )
    fill = (top, mix(top, foot, 0.35), mix(top, foot, 0.85))
    stage.unlit([*puffs, base], fill, depth, "cloud", opacity=0.93, softness=0.0025)
    toward = -0.07 if stage.sun_x < x else 0.07
    lights = [
        ellipse(px + reach * toward, py - reach * 0.07, size * 0.72, count=24) for px, py, size in heaps[1:-1]
    ]
    stage.unlit(lights, bright(top, 1.25), depth, "cloud", opacity=0.4, softness=reach * 0.05)


def _rainbow(stage: Stage, low: float) -> None:
    for band, name in enumerate(RAINBOW):
        bow = arc(stage.wide / 2, low, min(0.62, low * 0.92) - band * 0.018, np.pi, 2 * np.pi, 60)
        stage.shine(ribbon(bow, 0.019), hexed(name), 0.025, opacity=0.42, softness=0.003)


def _aurora(stage: Stage, low: float) -> None:
    rng = stage.rng("aurora")
    for color in map(hexed, AURORA):
        x = np.linspace(-0.1, stage.wide + 0.1, 9)
        y = low * float(rng.uniform(0.35, 0.6)) + rng.uniform(-0.09, 0.09, 9)
        line = smooth(points(x, y), closed=False)
        veil = np.concatenate([line, (line - (0, low * float(rng.uniform(0.22, 0.34))))[::-1]])
        stage.shine(veil, (bright(color, 0.35), color), 0.018, opacity=0.5, softness=0.03)
