"""Places indoors: a table with light from a window, a room, a wall behind a portrait."""

from __future__ import annotations

from dataclasses import replace

from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, toned
from inkframe.service.engines.offline.drawing.places.sky import draw_sky
from inkframe.service.engines.offline.drawing.places.terrain import draw_hill, green, hill_line
from inkframe.service.engines.offline.drawing.shape import ellipse, lenses, polygon, rectangle
from inkframe.service.engines.offline.drawing.stage import Ground, Stage

__all__ = ["room", "table", "wall"]

#: Wall, table and cloth that go together.
INTERIORS = (
    ("#d8c9b4", "#a5734a", "#7f9a94"), ("#9db0ac", "#b98a5e", "#e8dcc6"), ("#e3c3ad", "#8a5c44", "#5f7f8c"),
    ("#6f8592", "#c49a6c", "#e6d9c0"), ("#cfd3c4", "#94714f", "#c77f62"), ("#b7a3a8", "#7d5a4a", "#e3d2b4"),
)  # fmt: skip


def _colours(stage: Stage) -> tuple[tuple[float, float, float], ...]:
    chosen = INTERIORS[int(stage.rng("interior").integers(len(INTERIORS)))]
    back, wood, cloth = (hexed(colour) for colour in chosen)
    whole, land = stage.scene.painted.get("all"), stage.scene.painted.get("land")
    if whole:
        back, cloth = mix(toned(back, whole, 0.9), whole, 0.35), toned(cloth, whole, 0.6)
    return back, mix(wood, land, 0.8) if land else wood, cloth


def _lamplit(stage: Stage) -> None:
    """At night a room is lit by its own lamps."""
    if stage.light.dark:
        stage.light = replace(stage.light, ambient=hexed("#c9a27c"), murk=0.0)


def _wall(stage: Stage, colour: tuple[float, float, float], foot: float) -> None:
    """A wall with a patch of window light on it."""
    stage.unlit(rectangle(0, 0, stage.wide, stage.tall), (bright(colour, 1.06), colour, bright(colour, 0.88)), 0.0, "sky")
    if stage.light.dark:
        stage.unlit(rectangle(0, 0, stage.wide, stage.tall), mix(stage.light.sky[0], stage.light.sky[2], 0.4), 0.001, "sky", opacity=0.62)
        stage.shine(ellipse(stage.focus, foot * 0.7, 0.42), hexed("#ffd9a0"), 0.01, opacity=0.38, softness=0.16)
        return
    x = stage.wide * (0.12 if stage.focus > stage.wide / 2 else 0.5)
    warm = mix(stage.light.sun, (1.0, 1.0, 1.0), 0.3)
    for column in range(2):
        for row in range(2):
            left, top = x + 0.17 * column, foot * 0.16 + 0.23 * row + 0.045 * column
            pane = polygon(left, top, left + 0.15, top + 0.04, left + 0.15, top + 0.24, left, top + 0.2)
            stage.shine(pane, warm, 0.01, opacity=0.42, softness=0.004)


def table(stage: Stage) -> None:
    """A table top with things on it, before a wall."""
    stage.horizon = stage.tall * 0.64
    _lamplit(stage)
    back, wood, cloth = _colours(stage)
    foot = stage.horizon
    _wall(stage, back, foot)
    lit = bright(wood, 0.5) if stage.light.dark else wood
    stage.unlit(rectangle(-0.1, foot, stage.wide + 0.1, stage.tall + 0.1), (bright(lit, 1.18), lit, bright(lit, 0.75)), 0.5, "land")
    rng = stage.rng("grain")
    grain = lenses(rng.uniform(0, stage.wide, 40),
                rng.uniform(foot + 0.01, stage.tall, 40),
                rng.uniform(0.1, 0.34, 40),
                rng.uniform(0.0008, 0.0022, 40))
    stage.unlit(grain, bright(lit, 0.7), 0.501, "detail", opacity=0.4)
    if stage.flip:
        drape = bright(cloth, 0.55) if stage.light.dark else cloth
        x = stage.wide * 0.5
        stage.unlit(polygon(x - 0.34, foot + 0.06, x + 0.3, foot + 0.045, x + 0.42, stage.tall + 0.1, x - 0.5, stage.tall + 0.1), (bright(drape, 1.12), bright(drape, 0.9)), 0.51, "land")
        stripes = [
            polygon(
                x - 0.34 + 0.1 * k,
                foot + 0.058,
                x - 0.31 + 0.1 * k,
                foot + 0.057,
                x - 0.45 + 0.146 * k,
                stage.tall + 0.1,
                x - 0.49 + 0.146 * k,
                stage.tall + 0.1,
            )
            for k in (1, 5)
        ]
        stage.unlit(stripes, bright(drape, 1.4), 0.511, "detail", opacity=0.7)
    ground = Ground(foot + 0.08, foot + 0.2, (0.7, 0.84), 0.86)
    stage.grounds = dict.fromkeys(("table", "ground", "shore", "water", "deep"), ground)


def room(stage: Stage) -> None:
    """A room with a window on the world outside."""
    back, wood, cloth = _colours(stage)
    foot = stage.tall * 0.74
    left = stage.wide * (0.1 if stage.focus > stage.wide / 2 else 0.52)
    right, top, sill = left + 0.38 * min(stage.wide, 1.3), stage.tall * 0.12, stage.tall * 0.54
    stage.horizon = sill * 0.8
    draw_sky(stage)
    draw_hill(stage, hill_line(stage, "outside", stage.horizon, 0.07), green(stage), 0.2, "far")
    _lamplit(stage)
    dim = 0.5 if stage.light.dark else 1.0
    paper, floor = bright(back, dim), bright(wood, dim)
    frame_out = (
        rectangle(-0.1, -0.1, left, foot),
        rectangle(right, -0.1, stage.wide + 0.1, foot),
        rectangle(left, -0.1, right, top),
        rectangle(left, sill, right, foot),
    )
    stage.unlit(frame_out, (bright(paper, 1.06), paper, bright(paper, 0.9)), 0.45, "wall")
    cream = bright(hexed("#f4ecdc"), dim)
    middle, cross = (left + right) / 2, (top + sill) / 2
    bars = (rectangle(left - 0.02, top - 0.02, right + 0.02, top + 0.008), rectangle(left - 0.03, sill - 0.008, right + 0.03, sill + 0.025), rectangle(left - 0.02, top, left + 0.008, sill),
            rectangle(right - 0.008, top, right + 0.02, sill), rectangle(middle - 0.006, top, middle + 0.006, sill), rectangle(left, cross - 0.005, right, cross + 0.005))
    stage.unlit(bars, cream, 0.46, "wall")
    stage.unlit(rectangle(-0.1, foot, stage.wide + 0.1, stage.tall + 0.1), (bright(floor, 1.15), bright(floor, 0.8)), 0.5, "land")
    stage.unlit(rectangle(-0.1, foot - 0.03, stage.wide + 0.1, foot), cream, 0.5, "wall")
    rug = bright(cloth, dim)
    for reach, factor in ((0.46, 1.0), (0.4, 1.2), (0.36, 1.0)):
        stage.unlit(ellipse(stage.focus, stage.tall * 0.885, reach, reach * 0.19, 64), bright(rug, factor), 0.52, "detail" if reach < 0.46 else "land")
    if stage.light.dark:
        stage.shine(ellipse(stage.focus, foot * 0.75, 0.4), hexed("#ffd9a0"), 0.53, opacity=0.3, softness=0.15)
    else:
        pool = polygon(
            left,
            foot + 0.03,
            right,
            foot + 0.03,
            right + 0.1 * (1 if stage.flip else -1),
            stage.tall,
            left + 0.1 * (1 if stage.flip else -1),
            stage.tall,
        )
        stage.shine(pool, stage.light.sun, 0.53, opacity=0.3, softness=0.012)
    ground = Ground(stage.tall * 0.85, stage.tall * 0.92, (0.7, 0.86), 0.85)
    stage.grounds = dict.fromkeys(("table", "ground", "shore", "water", "deep"), ground)


def wall(stage: Stage) -> None:
    """A soft background with a halo, for a portrait."""
    back, wood, cloth = _colours(stage)
    stage.horizon = stage.tall
    tint = stage.scene.painted.get("land", back)
    stage.unlit(rectangle(0, 0, stage.wide, stage.tall), (bright(tint, 1.1), tint, bright(cloth, 0.75)), 0.0, "sky")
    stage.unlit(ellipse(stage.wide / 2, stage.tall * 0.46, 0.44, points=90), mix(wood, (1.0, 0.95, 0.85), 0.45), 0.02, "far")
    stage.shine(ellipse(stage.wide / 2 - 0.1, stage.tall * 0.36, 0.3), stage.light.sun, 0.03, opacity=0.35, softness=0.14)
    stage.grounds = dict.fromkeys(
        ("bust", "ground", "table"), Ground(stage.tall + 0.02, stage.tall + 0.02, (0.7, 0.7), 1.0)
    )
