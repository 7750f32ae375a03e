"""A street that runs to its vanishing point between two rows of houses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from inkframe_demo.drawing.color import bright, hexed, picked
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.skyline import LAMP, draw_skyline
from inkframe_demo.drawing.scene_layout import Ground
from inkframe_demo.drawing.shape import Outline, ellipse, polygon, ribbon

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["street"]

FACADES = ("#d9a679", "#b7654f", "#e6d3ae", "#8f9fa5", "#c98a5f", "#a8b09a", "#dcc3b0")
AWNINGS = ("#b5453a", "#3f7f7a", "#d9a23a", "#4a5f8a")
#: The edges between houses, as shares of the way from the vanishing point to the edge.
CUTS = (0.06, 0.1, 0.16, 0.25, 0.38, 0.58, 1.15)


@dataclass(frozen=True, slots=True)
class Facade:
    """A wall in perspective, from one share of the way to the edge to another."""

    vanishing: tuple[float, float]
    edge: float
    start: float
    end: float
    foot: float
    height: float

    def part(self, left: float, right: float, under: float, over: float) -> Outline:
        """Return a part of the wall; all four are shares, from 0 to 1."""
        x, y = self.vanishing
        near, far = (self.start + (self.end - self.start) * share for share in (left, right))
        rise = self.height + self.foot

        def corner(share: float, up: float) -> tuple[float, float]:
            return x + self.edge * share, y + share * (self.foot - up * rise)

        return polygon(corner(near, over), corner(far, over), corner(far, under), corner(near, under))


def street(stage: Stage) -> None:
    """Draw two rows of houses with a road between them, and lamps."""
    stage.horizon = stage.tall * 0.6
    draw_sky(stage, stage.horizon + 0.05)
    x, y = stage.wide * (0.44 if stage.flip else 0.56), stage.horizon
    draw_skyline(stage, y + 0.02, 0.16, 0.2, windows=False)
    stage.add(stage.floor(y), (hexed("#9a928a"), hexed("#b3aaa0")), 0.3, "land")
    low = stage.tall + 0.02
    road = polygon((x - 0.01, y), (x + 0.01, y), (stage.wide * 0.9, low), (stage.wide * 0.1, low))
    stage.add(road, (hexed("#67656a"), hexed("#4e4c51")), 0.31, "land")
    dashes = []
    for start, end in ((0.12, 0.17), (0.24, 0.32), (0.44, 0.58), (0.78, 1.0)):
        (a, top), (b, bottom) = ((0.012 * share, y + (low - y) * share) for share in (start, end))
        dashes.append(polygon((x - a, top), (x + a, top), (x + b, bottom), (x - b, bottom)))
    stage.add(dashes, hexed("#e8e0cc"), 0.32, "detail", opacity=0.75)
    for side in (-1, 1):
        _row(stage, (x, y), side)
    _lamps(stage, (x, y))
    stage.ground(Ground(y + (low - y) * 0.45, stage.tall - 0.05, (0.76, 0.86), 0.6), "ground", "shore")


def _row(stage: Stage, vanishing: tuple[float, float], side: int) -> None:
    """Draw one side of the street, starting with the far houses."""
    rng, (x, y) = stage.rng(f"row {side}"), vanishing
    edge = (stage.wide + 0.05 if side > 0 else -0.05) - x
    shade = 0.82 if (side > 0) == (stage.sun_x > x) else 1.04
    for number, (start, end) in enumerate(pairwise(CUTS)):
        wall, depth = picked(rng, FACADES), 0.4 + 0.05 * number
        height = float(rng.uniform(0.71, 1.09)) * stage.tall
        house = Facade(vanishing, edge, start, end, (stage.tall - y) * 0.62, height)
        fill = (bright(wall, shade * 1.05), bright(wall, shade * 0.85))
        stage.add(house.part(0, 1, -0.01, 1), fill, depth, "wall")
        stage.add(house.part(0, 1, 0.97, 1.015), bright(wall, 0.6), depth, "wall")
        stage.add(house.part(0.1, 0.9, 0.0, 0.17), hexed("#4c4a50"), depth, "detail", opacity=0.8)
        stage.add(house.part(0.04, 0.96, 0.17, 0.21), picked(rng, AWNINGS), depth, "detail")
        rows, columns = (0.29, 0.46, 0.63, 0.8), (0.12, 0.42, 0.72)
        panes = [house.part(left, left + 0.16, up, up + 0.095) for left in columns for up in rows]
        stage.add(panes, hexed("#5a6b78"), depth, "detail", opacity=0.85)
        stage.shine([pane for pane in panes if stage.light.dark and rng.random() < 0.6], LAMP, depth)


def _lamps(stage: Stage, vanishing: tuple[float, float]) -> None:
    for side, share in ((-1, 0.32), (1, 0.45), (-1, 0.75)):
        x = vanishing[0] + side * stage.wide * 0.42 * share
        foot = vanishing[1] + (stage.tall - vanishing[1]) * share * 0.86
        top = foot - 0.5 * share
        post = ribbon(polygon((x, foot), (x, top)), 0.012 * share)
        stage.add([post, ellipse(x, top, 0.03 * share, 0.02 * share, 20)], hexed("#34343c"), 0.74, "thing")
        if stage.light.dark:
            halo = ellipse(x, top + 0.01, 0.075 * share + 0.03)
            stage.shine(halo, LAMP, 0.741, opacity=0.6, softness=0.025)
