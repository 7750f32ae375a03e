"""Places indoors: a table with light from a window, a room, a wall behind a portrait."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inkframe_demo.drawing.color import WHITE, Color, bright, hexed, mix, toned
from inkframe_demo.drawing.places.plants import grass_of
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.terrain import draw_hill, hill_line
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import Outline, ellipse, lenses, polygon, rectangle

__all__ = ["room", "table", "wall"]

#: Matching colors of wall, wood and cloth.
INTERIORS = (
    ("#d8c9b4", "#a5734a", "#7f9a94"), ("#9db0ac", "#b98a5e", "#e8dcc6"), ("#e3c3ad", "#8a5c44", "#5f7f8c"),
    ("#6f8592", "#c49a6c", "#e6d9c0"), ("#cfd3c4", "#94714f", "#c77f62"), ("#b7a3a8", "#7d5a4a", "#e3d2b4"),
)  # fmt: skip
LAMPLIGHT = hexed("#ffd9a0")
EVERYTHING = ("table", "ground", "shore", "water", "deep", "bust")


@dataclass(frozen=True, slots=True)
class Interior:
    """The colors of a room, dimmed at night."""

    wall: Color
    wood: Color
    cloth: Color
    dim: float


def _enter(stage: Stage) -> Interior:
    """Return the colors of a room; at night it is lit by lamps."""
    names = INTERIORS[int(stage.rng("interior").integers(len(INTERIORS)))]
    back, wood, cloth = (hexed(name) for name in names)
    if whole := stage.scene.painted.get("all"):
        back, cloth = mix(toned(back, whole, 0.9), whole, 0.35), toned(cloth, whole, 0.6)
    if stage.light.dark:
        stage.light = replace(stage.light, ambient=hexed("#c9a27c"), murk=0.0)
    return Interior(back, stage.tinted("land", wood, 0.8), cloth, 0.5 if stage.light.dark else 1.0)


def _window_light(stage: Stage, foot: float) -> None:
    """Draw the light of a window on the wall, or of a lamp at night."""
    if stage.light.dark:
        night = mix(stage.light.sky[0], stage.light.sky[2], 0.4)
        stage.unlit(stage.whole, night, 0.001, "sky", opacity=0.62)
        glow = ellipse(stage.focus, foot * 0.7, 0.42)
        stage.shine(glow, LAMPLIGHT, 0.01, opacity=0.38, softness=0.16)
        return
    x = stage.wide * (0.12 if stage.focus > stage.wide / 2 else 0.5)
    for column, row in ((0, 0), (0, 1), (1, 0), (1, 1)):
        left, top = x + 0.17 * column, foot * 0.16 + 0.23 * row + 0.045 * column
        right, low = left + 0.15, top + 0.2
        pane = polygon((left, top), (right, top + 0.04), (right, low + 0.04), (left, low))
        stage.shine(pane, mix(stage.light.sun, WHITE, 0.3), 0.01, opacity=0.42, softness=0.004)


def table(stage: Stage) -> None:
    """Draw a table top before a wall."""
    stage.horizon = foot = stage.tall * 0.64
    inside, rng = _enter(stage), stage.rng("grain")
    stage.unlit(stage.whole, (bright(inside.wall, 1.06), inside.wall, bright(inside.wall, 0.88)), 0.0, "sky")
    _window_light(stage, foot)
    wood = bright(inside.wood, inside.dim)
    stage.unlit(stage.floor(foot), (bright(wood, 1.18), wood, bright(wood, 0.75)), 0.5, "land")
    x, y = rng.uniform(0, stage.wide, 40), rng.uniform(foot + 0.01, stage.tall, 40)
    grain = lenses(x, y, rng.uniform(0.1, 0.34, 40), rng.uniform(0.0008, 0.0022, 40))
    stage.unlit(grain, bright(wood, 0.7), 0.501, "detail", opacity=0.4)
    if stage.flip:
        _cloth(stage, bright(inside.cloth, inside.dim), foot)
    stage.ground(Ground(foot + 0.08, foot + 0.2, (0.7, 0.84), 0.86), *EVERYTHING)


def _cloth(stage: Stage, color: Color, foot: float) -> None:
    """Draw a runner with two stripes across the table."""
    x, low = stage.wide / 2, stage.tall + 0.1
    drape = polygon((x - 0.34, foot + 0.06), (x + 0.3, foot + 0.045), (x + 0.42, low), (x - 0.5, low))
    stage.unlit(drape, (bright(color, 1.12), bright(color, 0.9)), 0.51, "land")
    stripes = []
    for near, far in ((x - 0.24, x - 0.344), (x + 0.16, x + 0.24)):
        stripes.append(
            polygon((near, foot + 0.058), (near + 0.03, foot + 0.057), (far + 0.04, low), (far, low))
        )
    stage.unlit(stripes, bright(color, 1.4), 0.511, "detail", opacity=0.7)


def room(stage: Stage) -> None:
    """Draw a room with a window."""
    foot, top, sill = stage.tall * 0.74, stage.tall * 0.12, stage.tall * 0.54
    left = stage.wide * (0.1 if stage.focus > stage.wide / 2 else 0.52)
    right = left + 0.38 * min(stage.wide, 1.3)
    stage.horizon = sill * 0.8
    draw_sky(stage)
    draw_hill(stage, hill_line(stage, "outside", stage.horizon, 0.07), grass_of(stage), 0.2, "far")
    inside = _enter(stage)
    paper, wood = bright(inside.wall, inside.dim), bright(inside.wood, inside.dim)
    cream, rug = bright(hexed("#f4ecdc"), inside.dim), bright(inside.cloth, inside.dim)
    end = stage.wide + 0.1
    sides = [rectangle(-0.1, -0.1, left, foot), rectangle(right, -0.1, end, foot)]
    around = [*sides, rectangle(left, -0.1, right, top), rectangle(left, sill, right, foot)]
    stage.unlit(around, (bright(paper, 1.06), paper, bright(paper, 0.9)), 0.45, "wall")
    stage.unlit(_bars(left, top, right, sill), cream, 0.46, "wall")
    stage.unlit(stage.floor(foot), (bright(wood, 1.15), bright(wood, 0.8)), 0.5, "land")
    stage.unlit(rectangle(-0.1, foot - 0.03, end, foot), cream, 0.5, "wall")
    for reach, factor, kind in ((0.46, 1.0, "land"), (0.4, 1.2, "detail"), (0.36, 1.0, "detail")):
        ring = ellipse(stage.focus, stage.tall * 0.885, reach, reach * 0.19, 64)
        stage.unlit(ring, bright(rug, factor), 0.52, kind)
    if stage.light.dark:
        glow = ellipse(stage.focus, foot * 0.75, 0.4)
        stage.shine(glow, LAMPLIGHT, 0.53, opacity=0.3, softness=0.15)
    else:
        lean = 0.1 if stage.flip else -0.1
        pool = polygon(
            (left, foot + 0.03), (right, foot + 0.03), (right + lean, stage.tall), (left + lean, stage.tall)
        )
        stage.shine(pool, stage.light.sun, 0.53, opacity=0.3, softness=0.012)
    stage.ground(Ground(stage.tall * 0.85, stage.tall * 0.92, (0.7, 0.86), 0.85), *EVERYTHING)


def _bars(left: float, top: float, right: float, sill: float) -> list[Outline]:
    """Return the frame of a window with four panes."""
    middle, cross = (left + right) / 2, (top + sill) / 2
    return [
        rectangle(left - 0.02, top - 0.02, right + 0.02, top + 0.008),
        rectangle(left - 0.03, sill - 0.008, right + 0.03, sill + 0.025),
        rectangle(left - 0.02, top, left + 0.008, sill),
        rectangle(right - 0.008, top, right + 0.02, sill),
        rectangle(middle - 0.006, top, middle + 0.006, sill),
        rectangle(left, cross - 0.005, right, cross + 0.005),
    ]


def wall(stage: Stage) -> None:
    """Draw a soft background with a halo, for a portrait."""
    stage.horizon = stage.tall
    inside, x, tall = _enter(stage), stage.wide / 2, stage.tall
    back = stage.tinted("land", inside.wall)
    stage.unlit(stage.whole, (bright(back, 1.1), back, bright(inside.cloth, 0.75)), 0.0, "sky")
    disc = mix(inside.wood, (1.0, 0.95, 0.85), 0.45)
    stage.unlit(ellipse(x, tall * 0.46, 0.44, count=90), disc, 0.02, "far")
    stage.shine(ellipse(x - 0.1, tall * 0.36, 0.3), stage.light.sun, 0.03, opacity=0.35, softness=0.14)
    stage.ground(Ground(tall + 0.02, tall + 0.02, (0.7, 0.7), 1.0), *EVERYTHING)
