"""Places with buildings: a skyline, a street."""

from __future__ import annotations

import numpy as np

from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, picked
from inkframe.service.engines.offline.drawing.places.sky import draw_sky
from inkframe.service.engines.offline.drawing.places.waters import draw_water
from inkframe.service.engines.offline.drawing.shape import ellipse, lenses, polygon, rectangle, ribbon
from inkframe.service.engines.offline.drawing.stage import Ground, Stage

__all__ = ["city", "draw_skyline", "street"]

TOWERS = ("#6d7f92", "#8a8fa0", "#a08f88", "#5f7384", "#b09a84", "#77808a")
LAMP = hexed("#ffd27a")


def draw_skyline(stage: Stage, foot: float, height: float, depth: float, *, windows: bool = True) -> None:
    """Put a row of towers on a line; the highest near the middle."""
    rng = stage.rng(f"skyline {depth}")
    x, panes, lit = -0.05, [], []
    while x < stage.wide + 0.05:
        broad = float(rng.uniform(0.05, 0.11)) * (0.7 + height)
        swell = 0.55 + 0.45 * np.exp(-(((x - stage.focus) / (0.38 * stage.wide)) ** 2))
        high = height * float(rng.uniform(0.4, 1.0)) * float(swell)
        wall = picked(rng, TOWERS)
        wall = mix(wall, stage.painted("land", wall), 0.7)
        stage.add(_tower(rng, x, foot, broad, high), (wall, bright(wall, 0.8)), depth, "wall")
        stage.add(rectangle(x + broad * 0.62, foot - high, x + broad, foot), bright(wall, 0.62), depth, "detail", opacity=0.35)
        if windows:
            for py in np.arange(foot - high + 0.015, foot - 0.02, 0.024).tolist():
                for px in np.arange(x + 0.009, x + broad - 0.012, 0.017).tolist():
                    (lit if rng.random() < (0.42 if stage.light.dark else 0.06) else panes).append(
                        rectangle(px, py, px + 0.008, py + 0.012)
                    )
        x += broad + float(rng.choice([0.0, 0.0, 0.006, 0.02]))
    if windows:
        stage.add(panes, hexed("#39495c"), depth + 0.001, "detail", opacity=0.55)
        stage.shine(lit, mix(LAMP, stage.light.haze, 0.5 * (1 - depth)), depth + 0.001, opacity=0.95)


def _tower(rng: np.random.Generator, x: float, foot: float, broad: float, high: float) -> list[np.ndarray]:
    """Give a tower one of five tops."""
    top, middle = foot - high, x + broad / 2
    body = rectangle(x, top, x + broad, foot + 0.05)
    match int(rng.integers(5)):
        case 0:
            return [body, rectangle(middle - 0.002, top - high * 0.22, middle + 0.002, top)]
        case 1:
            return [body, rectangle(x + broad * 0.2, top - 0.025, x + broad * 0.8, top)]
        case 2:
            return [body, polygon(x, top, middle, top - broad * 0.6, x + broad, top)]
        case 3:
            return [body, polygon(x, top, x, top - broad * 0.5, x + broad, top)]
        case _:
            return [body]


def city(stage: Stage) -> None:
    """A skyline in three layers, with a park or water in front."""
    stage.horizon = stage.tall * 0.74
    draw_sky(stage)
    foot = stage.horizon
    draw_skyline(stage, foot, 0.5, 0.18, windows=False)
    draw_skyline(stage, foot + 0.02, 0.46, 0.4)
    draw_skyline(stage, foot + 0.03, 0.24, 0.62)
    stands = {thing.stands for thing in stage.scene.things}
    if "water" in stands or (stage.flip and "ground" not in stands):
        _waterside(stage, foot + 0.03)
        return
    park = stage.painted("land", hexed("#55704f"))
    stage.add(rectangle(-0.1, foot + 0.025, stage.wide + 0.1, stage.tall + 0.1), (bright(hexed("#7b8088"), 0.8), hexed("#565b66")), 0.65, "land")
    rng = stage.rng("park")
    crowns = [
        ellipse(float(x), foot + 0.035, 0.035 * float(s), 0.03 * float(s), 18)
        for x, s in zip(rng.uniform(0, stage.wide, 34), rng.uniform(0.5, 1.2, 34), strict=True)
    ]
    stage.add(crowns, (bright(park, 1.1), bright(park, 0.6)), 0.66, "land")
    if stage.light.dark:
        lamps = [
            ellipse(x, foot + 0.05, 0.006, points=12) for x in np.arange(0.05, stage.wide, 0.11).tolist()
        ]
        stage.shine(lamps, LAMP, 0.67)
        halos = [ellipse(x, foot + 0.06, 0.05, 0.03, 20) for x in np.arange(0.05, stage.wide, 0.11).tolist()]
        stage.shine(halos, LAMP, 0.67, opacity=0.4, softness=0.015)
    stage.add(rectangle(-0.1, stage.tall - 0.075, stage.wide + 0.1, stage.tall - 0.068), hexed("#d9d3c2"), 0.67, "detail", opacity=0.6)
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(foot + 0.1, stage.tall - 0.04, (0.7, 0.86), 0.7)


def _waterside(stage: Stage, foot: float) -> None:
    """Water in front of the towers, with their lights in it."""
    draw_water(stage, foot, 0.65, calm=0.8)
    rng = stage.rng("lights in water")
    many = int(60 * stage.wide)
    x, y = rng.uniform(0, stage.wide, many), foot + rng.random(many) ** 1.6 * (stage.tall - foot)
    marks = lenses(x, y, rng.uniform(0.008, 0.03, many), rng.uniform(0.0015, 0.004, many))
    colour = LAMP if stage.light.dark else hexed("#3f4d60")
    stage.unlit(marks, colour, 0.66, "glint", opacity=0.6 if stage.light.dark else 0.3)
    stage.grounds["water"] = Ground(foot + 0.07, stage.tall - 0.07, (0.7, 0.85), 0.7)


def street(stage: Stage) -> None:
    """A street that runs to its vanishing point between two rows of houses."""
    stage.horizon = stage.tall * 0.6
    draw_sky(stage, stage.horizon + 0.05)
    vx, vy = stage.wide * (0.44 if stage.flip else 0.56), stage.horizon
    draw_skyline(stage, vy + 0.02, 0.16, 0.2, windows=False)
    road = hexed("#6c6a70")
    stage.add(rectangle(-0.1, vy, stage.wide + 0.1, stage.tall + 0.1), (hexed("#9a928a"), hexed("#b3aaa0")), 0.3, "land")
    low = stage.tall + 0.02
    stage.add(polygon(vx - 0.01, vy, vx + 0.01, vy, stage.wide * 0.9, low, stage.wide * 0.1, low), (bright(road, 0.95), bright(road, 0.72)), 0.31, "land")
    dashes = [polygon(vx - 0.012 * a, _down(vy, low, a), vx + 0.012 * a, _down(vy, low, a), vx + 0.012 * b, _down(vy, low, b), vx - 0.012 * b, _down(vy, low, b))
              for a, b in ((0.12, 0.17), (0.24, 0.32), (0.44, 0.58), (0.78, 1.0))]
    stage.add(dashes, hexed("#e8e0cc"), 0.32, "detail", opacity=0.75)
    for side in (-1, 1):
        _row(stage, vx, vy, side)
    _lamps(stage, vx, vy)
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(
        vy + (low - vy) * 0.45, stage.tall - 0.05, (0.76, 0.86), 0.6
    )


def _down(vy: float, low: float, share: float) -> float:
    return vy + (low - vy) * share


def _row(stage: Stage, vx: float, vy: float, side: int) -> None:
    """Build one side of the street, far houses first."""
    rng = stage.rng(f"row {side}")
    edge = (stage.wide + 0.05 if side > 0 else -0.05) - vx
    cuts = [0.06, 0.1, 0.16, 0.25, 0.38, 0.58, 1.15]
    colours = ("#d9a679", "#b7654f", "#e6d3ae", "#8f9fa5", "#c98a5f", "#a8b09a", "#dcc3b0")
    for number, (a, b) in enumerate(zip(cuts, cuts[1:], strict=False)):
        wall, high = (
            picked(rng, colours),
            float(rng.uniform(0.75, 1.15)) * stage.tall * 0.95,
        )
        depth = 0.4 + 0.05 * number
        shade = 0.82 if (side > 0) == (stage.sun_x > vx) else 1.04
        near, far, foot = vx + edge * b, vx + edge * a, (stage.tall - vy) * 0.62

        def quad(
            left: float,
            right: float,
            under: float,
            over: float,
            a: float = a,
            b: float = b,
            near: float = near,
            far: float = far,
            foot: float = foot,
            high: float = high,
        ) -> np.ndarray:
            xs, ks = (
                (far + (near - far) * left, far + (near - far) * right),
                (a + (b - a) * left, a + (b - a) * right),
            )
            return polygon(
                *(
                    v
                    for x, k, h in (
                        (xs[0], ks[0], over),
                        (xs[1], ks[1], over),
                        (xs[1], ks[1], under),
                        (xs[0], ks[0], under),
                    )
                    for v in (x, vy + k * (foot - h * (high + foot)))
                )
            )

        stage.add(quad(0, 1, -0.01, 1), (bright(wall, shade * 1.05), bright(wall, shade * 0.85)), depth, "wall")
        stage.add(quad(0, 1, 0.97, 1.015), bright(wall, 0.6), depth, "wall")
        stage.add(quad(0.1, 0.9, 0.0, 0.17), hexed("#4c4a50"), depth, "detail", opacity=0.8)
        stage.add(quad(0.04, 0.96, 0.17, 0.21), picked(rng, ("#b5453a", "#3f7f7a", "#d9a23a", "#4a5f8a")), depth, "detail")
        panes = [quad(u, u + 0.16, v, v + 0.095) for u in (0.12, 0.42, 0.72) for v in (0.29, 0.46, 0.63, 0.8)]
        lamps = [pane for pane in panes if stage.light.dark and rng.random() < 0.6]
        stage.add(panes, hexed("#5a6b78"), depth, "detail", opacity=0.85)
        stage.shine(lamps, LAMP, depth)


def _lamps(stage: Stage, vx: float, vy: float) -> None:
    for side, share in ((-1, 0.32), (1, 0.45), (-1, 0.75)):
        x, foot, tall = (
            vx + side * stage.wide * 0.42 * share,
            vy + (stage.tall - vy) * share * 0.86,
            0.5 * share,
        )
        post = [
            ribbon(np.array([[x, foot], [x, foot - tall]]), 0.012 * share),
            ellipse(x, foot - tall, 0.03 * share, 0.02 * share, 20),
        ]
        stage.add(post, hexed("#34343c"), 0.74, "thing")
        if stage.light.dark:
            stage.shine(ellipse(x, foot - tall + 0.01, 0.075 * share + 0.03), LAMP, 0.741, opacity=0.6, softness=0.025)
