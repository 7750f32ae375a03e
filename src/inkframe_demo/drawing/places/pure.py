"""Abstract compositions: waves under a disc, balanced discs, streams, arches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import Color, bright, hexed, mix, toned
from inkframe_demo.drawing.scene_layout import Ground
from inkframe_demo.drawing.shape import (
    arc,
    ellipse,
    points,
    polygon,
    ribbon,
    smooth,
    under,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["abstract"]

#: Palettes of five matching colors, starting with the ground.
PALETTES = (
    ("#f1e8d8", "#1f3b4d", "#d9643a", "#e8b04a", "#6fa08f"), ("#1f2a44", "#e8c07d", "#cc6b5a", "#5f8f9b", "#f3e6cf"),
    ("#efe3d3", "#7a3b46", "#d98e73", "#3f6f73", "#e5c27a"), ("#e6ecec", "#2e5266", "#6e8898", "#d3a588", "#9f4a3c"),
    ("#f4ead6", "#2f4858", "#86a59c", "#f2a65a", "#772f1a"), ("#20302f", "#d8c99b", "#d8973c", "#bd632f", "#7fa69a"),
    ("#f5e6e0", "#463f57", "#b5838d", "#e5989b", "#6d8a96"), ("#e9e4d4", "#33475b", "#4f8a8b", "#fbd46d", "#c8553d"),
)  # fmt: skip


def abstract(stage: Stage) -> None:
    """Draw one of four compositions in a palette of five colors."""
    rng, painted = stage.rng("abstract"), stage.scene.painted
    colors = [hexed(name) for name in PALETTES[int(rng.integers(len(PALETTES)))]]
    if whole := painted.get("all") or painted.get("land") or painted.get("water"):
        shades = [bright(whole, 0.45), whole, bright(whole, 1.45), toned(colors[4], whole, 0.4)]
        colors = [mix(colors[0], whole, 0.12), *shades]
    if stage.light.dark:
        colors[0] = bright(mix(colors[0], hexed("#1d2540"), 0.8), 0.9)
    stage.unlit(stage.whole, (bright(colors[0], 1.08), bright(colors[0], 0.94)), 0.0, "sky")
    forms = (_waves, _discs, _streams, _arches)
    forms[int(rng.integers(len(forms)))](stage, colors)
    stage.horizon = stage.tall * 0.86
    ground = Ground(stage.tall * 0.84, stage.tall * 0.92, (0.7, 0.86), 0.8)
    stage.ground(ground, "ground", "shore", "water", "table", "deep")


def _waves(stage: Stage, colors: list[Color]) -> None:
    """Draw layered waves under a disc."""
    rng = stage.rng("waves")
    level, radius = rng.uniform((0.24, 0.13), (0.36, 0.2)).tolist()
    disc = ellipse(stage.focus, stage.tall * level, radius, count=90)
    stage.unlit(disc, (bright(colors[3], 1.15), colors[2]), 0.1, "far")
    for row in range(7):
        color = mix(colors[1 + row % 4], colors[0], 0.45 - 0.07 * row)
        y = stage.tall * (0.42 + 0.085 * row) + rng.uniform(-0.06, 0.06, 6)
        line = smooth(points(np.linspace(-0.1, stage.wide + 0.1, 6), y), 10, closed=False)
        fill = (bright(color, 1.1), bright(color, 0.82))
        stage.unlit(under(line, stage.tall + 0.1), fill, 0.2 + 0.07 * row, "land")


def _discs(stage: Stage, colors: list[Color]) -> None:
    """Draw discs, half discs and lines."""
    rng = stage.rng("discs")
    for number in range(8):
        x, y, size = rng.uniform((0.15, 0.15, 0.8), (0.85, 0.85, 1.2)).tolist()
        x, y, radius = x * stage.wide, y * stage.tall, 0.26 * 0.8**number * size
        color, depth = colors[1 + number % 4], 0.2 + 0.06 * number
        start, sweep = float(rng.choice([0, np.pi / 2, np.pi])), np.pi * (2 if number % 3 else 1)
        disc = arc(x, y, radius, start, start + sweep, 60)
        stage.unlit(disc, (bright(color, 1.12), bright(color, 0.88)), depth, "land", opacity=0.92)
        if number % 2:
            ring = arc(x, y, radius * 1.22, start, start + sweep, 60)
            stage.unlit(ribbon(ring, 0.008), colors[1], depth, "thing")
    for ends in rng.uniform((0, 0), (stage.wide, stage.tall), (3, 2, 2)):
        stage.unlit(ribbon(ends, 0.006), colors[1], 0.75, "thing")


def _streams(stage: Stage, colors: list[Color]) -> None:
    """Draw broad ribbons across the picture."""
    rng = stage.rng("streams")
    x, sway = np.linspace(-0.15, stage.wide + 0.15, 6), rng.uniform(-0.16, 0.16, 6)
    for row in range(9):
        y = stage.tall * (0.1 + 0.1 * row) + sway * (1 - 0.08 * row) + rng.uniform(-0.025, 0.025, 6)
        color = mix(colors[1 + row % 4], colors[0], 0.12)
        stream = ribbon(smooth(points(x, y), 12, closed=False), float(rng.uniform(0.05, 0.12)))
        fill = (bright(color, 1.2), color, bright(color, 0.75))
        stage.unlit(stream, fill, 0.2 + 0.06 * row, "land")


def _arches(stage: Stage, colors: list[Color]) -> None:
    """Draw nested arches on a base line, under a disc."""
    rng, foot = stage.rng("arches"), stage.tall * 0.82
    stage.unlit(stage.floor(foot), (bright(colors[1], 1.1), bright(colors[1], 0.85)), 0.3, "land")
    for number, share in enumerate((0.22, 0.52, 0.8)):
        radius, rise = rng.uniform((0.14, 0.08), (0.24, 0.3)).tolist()
        x = stage.wide * share
        for ring in range(5):
            reach = radius * (1 - 0.19 * ring)
            bow = arc(x, foot - rise, reach, np.pi, 2 * np.pi, 40)
            arch = np.concatenate([bow, polygon((x + reach, foot), (x - reach, foot))])
            color = colors[0] if ring % 2 else colors[(number + ring) % 4 + 1]
            stage.unlit(arch, (bright(color, 1.1), bright(color, 0.9)), 0.4 + 0.08 * number, "land")
    stage.unlit(ellipse(stage.sun_x, stage.tall * 0.2, 0.085, count=72), colors[3], 0.2, "far")
