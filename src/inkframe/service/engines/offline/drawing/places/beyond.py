"""Places that are no places on earth: the sky itself, space, and pure composition."""

from __future__ import annotations

import numpy as np

from inkframe.service.engines.offline.drawing.colour import Colour, bright, hexed, mix, picked, toned, turn
from inkframe.service.engines.offline.drawing.places.sky import draw_cumulus, draw_sky, draw_stars
from inkframe.service.engines.offline.drawing.shape import blob, ellipse, rectangle, ribbon, smooth, under
from inkframe.service.engines.offline.drawing.stage import Ground, Stage

__all__ = ["PALETTES", "abstract", "sky", "space"]

#: Five colours that sit well together, the ground first.
PALETTES = (
    ("#f1e8d8", "#1f3b4d", "#d9643a", "#e8b04a", "#6fa08f"), ("#1f2a44", "#e8c07d", "#cc6b5a", "#5f8f9b", "#f3e6cf"),
    ("#efe3d3", "#7a3b46", "#d98e73", "#3f6f73", "#e5c27a"), ("#e6ecec", "#2e5266", "#6e8898", "#d3a588", "#9f4a3c"),
    ("#f4ead6", "#2f4858", "#86a59c", "#f2a65a", "#772f1a"), ("#20302f", "#d8c99b", "#d8973c", "#bd632f", "#7fa69a"),
    ("#f5e6e0", "#463f57", "#b5838d", "#e5989b", "#6d8a96"), ("#e9e4d4", "#33475b", "#4f8a8b", "#fbd46d", "#c8553d"),
)  # fmt: skip


def sky(stage: Stage) -> None:
    """High in the air, above a sea of clouds."""
    stage.horizon = stage.tall * 0.86
    draw_sky(stage)
    rng = stage.rng("cloud sea")
    for row, (y, reach, depth) in enumerate(((0.82, 0.13, 0.2), (0.9, 0.19, 0.4), (1.02, 0.28, 0.88))):
        for x in np.arange(-0.1, stage.wide + 0.2, reach * 0.95).tolist():
            draw_cumulus(
                stage,
                x + float(rng.uniform(-0.04, 0.04)),
                stage.tall * y + float(rng.uniform(-0.02, 0.02)) - 0.05 * row,
                reach * float(rng.uniform(0.8, 1.15)),
                depth,
            )
    stage.grounds["ground"] = stage.grounds["shore"] = stage.grounds["water"] = Ground(
        stage.tall * 0.8, stage.tall * 0.88, (0.6, 0.8), 0.7
    )


def space(stage: Stage) -> None:
    """Stars, nebulae and, unless the description has its own, a large planet."""
    rng, wide, tall = stage.rng("space"), stage.wide, stage.tall
    night = tuple(mix(hexed("#050818"), stop, 0.4) for stop in stage.light.sky[:3])
    stage.unlit(rectangle(0, 0, wide, tall), night, 0.0, "sky")
    tints = [hexed(colour) for colour in ("#4f5fd0", "#a04fb8", "#2f8fae", "#d0708f", "#3fae9f")]
    whole = stage.scene.painted.get("all") or stage.scene.painted.get("sky")
    for _ in range(9):
        along = float(rng.random())
        x, y = (
            wide * along + float(rng.normal(0, 0.12)),
            tall * (0.85 - 0.7 * along if stage.flip else 0.15 + 0.7 * along) + float(rng.normal(0, 0.1)),
        )
        colour = whole or tints[int(rng.integers(5))]
        stage.unlit(blob(rng, x, y, float(rng.uniform(0.1, 0.3)), float(rng.uniform(0.08, 0.2)), 0.4), turn(colour, float(rng.uniform(-0.04, 0.04))), 0.005, "cloud", opacity=0.3, softness=0.08)
    draw_stars(stage, tall, 260)
    if not stage.has("planet"):
        _globe(
            stage,
            stage.sun_x,
            tall * float(rng.uniform(0.24, 0.34)),
            float(rng.uniform(0.1, 0.19)),
            whole or picked(rng, ("#d08a5a", "#5f8fb8", "#b86f7f", "#7fae8f")),
        )
    if any(thing.stands in {"ground", "shore", "table"} for thing in stage.scene.things):
        ridge = smooth(
            np.stack([np.linspace(-0.1, wide + 0.1, 7), tall * 0.84 - rng.uniform(0, 0.05, 7)], 1),
            closed=False,
        )
        ground = stage.painted("land", hexed("#8f86a0"))
        stage.unlit(under(ridge, tall + 0.1), (bright(ground, 0.95), bright(ground, 0.4)), 0.5, "land")
        for x, y, r in rng.uniform((0, tall * 0.88, 0.02), (wide, tall, 0.07), (9, 3)).tolist():
            stage.unlit(ellipse(x, y, r, r * 0.28), (bright(ground, 0.35), bright(ground, 0.7)), 0.51, "detail")
    stage.horizon = tall * 0.85
    stage.grounds["ground"] = stage.grounds["shore"] = stage.grounds["table"] = Ground(
        tall * 0.88, tall * 0.94, (0.62, 0.8), 0.8
    )
    stage.grounds["water"] = stage.grounds["deep"] = stage.grounds["air"] = Ground(
        tall * 0.25, tall * 0.75, (0.5, 0.7), 0.6
    )


def _globe(stage: Stage, x: float, y: float, radius: float, colour: Colour) -> None:
    """A planet, lit from one side."""
    stage.shine(ellipse(x, y, radius * 1.25), bright(colour, 1.2), 0.02, opacity=0.35, softness=radius * 0.3)
    stage.unlit(ellipse(x, y, radius, points=90), (bright(colour, 1.3), colour, bright(colour, 0.25)), 0.03, "far", sideways=True)
    angle = np.linspace(0.15, np.pi - 0.15, 30)
    for lift, width in ((-0.5, 0.16), (-0.1, 0.1), (0.25, 0.2), (0.6, 0.1)):
        reach = radius * float(np.sqrt(1 - lift**2)) * 0.97
        band = np.stack([x + reach * np.cos(angle), y + radius * lift + reach * 0.12 * np.sin(angle)], 1)
        stage.unlit(ribbon(band, radius * width), (bright(colour, 1.4), bright(colour, 0.35)), 0.031, "detail", opacity=0.4, softness=0.003, sideways=True)


def abstract(stage: Stage) -> None:
    """A composition without an object: one of four, in a palette of five."""
    rng = stage.rng("abstract")
    names = PALETTES[int(rng.integers(len(PALETTES)))]
    whole = (
        stage.scene.painted.get("all") or stage.scene.painted.get("land") or stage.scene.painted.get("water")
    )
    colours = [hexed(name) for name in names]
    if whole:
        colours = [
            mix(colours[0], whole, 0.12),
            bright(whole, 0.45),
            whole,
            bright(whole, 1.45),
            toned(colours[4], whole, 0.4),
        ]
    if stage.light.dark:
        colours[0] = bright(mix(colours[0], hexed("#1d2540"), 0.8), 0.9)
    stage.unlit(rectangle(0, 0, stage.wide, stage.tall), (bright(colours[0], 1.08), bright(colours[0], 0.94)), 0.0, "sky")
    (_bands, _discs, _flow, _arches)[int(rng.integers(4))](stage, colours)
    stage.horizon = stage.tall * 0.86
    stage.grounds = {
        name: Ground(stage.tall * 0.84, stage.tall * 0.92, (0.7, 0.86), 0.8)
        for name in ("ground", "shore", "water", "table")
    }


def _bands(stage: Stage, colours: list[Colour]) -> None:
    """Layered waves under a disc."""
    rng = stage.rng("bands")
    x, y, radius = stage.focus, stage.tall * float(rng.uniform(0.24, 0.36)), float(rng.uniform(0.13, 0.2))
    stage.unlit(ellipse(x, y, radius, points=90), (bright(colours[3], 1.15), colours[2]), 0.1, "far")
    for row in range(7):
        colour = mix(colours[1 + row % 4], colours[0], 0.45 - 0.07 * row)
        xs = np.linspace(-0.1, stage.wide + 0.1, 6)
        ys = stage.tall * (0.42 + 0.085 * row) + rng.uniform(-0.06, 0.06, 6)
        stage.unlit(under(smooth(np.stack([xs, ys], 1), 10, closed=False), stage.tall + 0.1), (bright(colour, 1.1), bright(colour, 0.82)), 0.2 + 0.07 * row, "land")


def _discs(stage: Stage, colours: list[Colour]) -> None:
    """Discs, half discs and lines in balance."""
    rng = stage.rng("discs")
    for number in range(8):
        radius = float(0.26 * 0.8**number * rng.uniform(0.8, 1.2))
        x, y = rng.uniform(
            (0.15 * stage.wide, 0.15 * stage.tall), (0.85 * stage.wide, 0.85 * stage.tall)
        ).tolist()
        colour, depth = colours[1 + number % 4], 0.2 + 0.06 * number
        angle = np.linspace(0, np.pi * (2 if number % 3 else 1), 60) + float(
            rng.choice([0, np.pi / 2, np.pi])
        )
        disc = np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1)
        stage.unlit(disc, (bright(colour, 1.12), bright(colour, 0.88)), depth, "land", opacity=0.92)
        if number % 2:
            ring = np.stack([x + radius * 1.22 * np.cos(angle), y + radius * 1.22 * np.sin(angle)], 1)
            stage.unlit(ribbon(ring, 0.008), colours[1], depth, "thing")
    for _ in range(3):
        ends = rng.uniform((0, 0), (stage.wide, stage.tall), (2, 2))
        stage.unlit(ribbon(ends, 0.006), colours[1], 0.75, "thing")


def _flow(stage: Stage, colours: list[Colour]) -> None:
    """Broad ribbons that stream across."""
    rng = stage.rng("flow")
    x = np.linspace(-0.15, stage.wide + 0.15, 6)
    sway = rng.uniform(-0.16, 0.16, 6)
    for row in range(9):
        y = stage.tall * (0.1 + 0.1 * row) + sway * (1 - 0.08 * row) + rng.uniform(-0.025, 0.025, 6)
        colour = mix(colours[1 + row % 4], colours[0], 0.12)
        line = smooth(np.stack([x, y], 1), 12, closed=False)
        stage.unlit(ribbon(line, float(rng.uniform(0.05, 0.12))), (bright(colour, 1.2), colour, bright(colour, 0.75)), 0.2 + 0.06 * row, "land")


def _arches(stage: Stage, colours: list[Colour]) -> None:
    """Nested arches on a base line."""
    rng = stage.rng("arches")
    foot = stage.tall * 0.82
    stage.unlit(rectangle(-0.1, foot, stage.wide + 0.1, stage.tall + 0.1), (bright(colours[1], 1.1), bright(colours[1], 0.85)), 0.3, "land")
    for number, share in enumerate((0.22, 0.52, 0.8)):
        x, radius = stage.wide * share, float(rng.uniform(0.14, 0.24))
        for ring in range(5):
            reach = radius * (1 - 0.19 * ring)
            angle = np.linspace(np.pi, 2 * np.pi, 40)
            rise = float(0.08 + 0.22 * rng.random()) if ring == 0 else rise  # noqa: F821
            arch = np.stack([x + reach * np.cos(angle), foot - rise + reach * np.sin(angle)], 1)
            colour = colours[(number + ring) % 4 + 1] if ring % 2 == 0 else colours[0]
            stage.unlit(np.concatenate([arch, [[x + reach, foot], [x - reach, foot]]]), (bright(colour, 1.1), bright(colour, 0.9)), 0.4 + 0.08 * number, "land")
    stage.unlit(ellipse(stage.sun_x, stage.tall * 0.2, 0.085, points=72), colours[3], 0.2, "far")
