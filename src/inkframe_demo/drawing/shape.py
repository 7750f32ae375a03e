"""Shapes: outlines with one fill, in units of the picture's short side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inkframe_demo.drawing.color import Color

__all__ = [
    "Outline",
    "Shape",
    "arc",
    "blob",
    "diamonds",
    "ellipse",
    "lens",
    "lenses",
    "moved",
    "points",
    "polygon",
    "rays",
    "rectangle",
    "refilled",
    "ribbon",
    "smooth",
    "under",
]

#: A closed line of points (x, y).
Outline = NDArray[np.float64]
#: One number for each shape, or one for all.
Numbers = NDArray[np.float64] | float


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape painted in one step.

    Args:
        outlines: Closed outlines, each an array of (x, y); y grows downwards.
        fill: Colors from top to bottom, or from left to right.
        depth: From 0 (the sky) to 1 (the foreground); also the order of painting.
        kind: Its kind: sky, light, cloud, far, land, water, wall, thing, detail, shadow or weather.
        opacity: From 0 to 1.
        softness: The blur of the edge, in units of the short side.
        sideways: Whether the fill runs from left to right.
    """

    outlines: tuple[Outline, ...]
    fill: tuple[Color, ...]
    depth: float = 0.5
    kind: str = "land"
    opacity: float = 1.0
    softness: float = 0.0
    sideways: bool = False

    @property
    def solid(self) -> bool:
        """Whether it hides the shapes behind it."""
        return self.opacity > 0.65 and self.softness < 0.01

    @property
    def color(self) -> Color:
        """The middle of the fill."""
        return self.fill[len(self.fill) // 2]


def refilled(shapes: Iterable[Shape], change: Callable[[Color, Shape], Color]) -> list[Shape]:
    """Return shapes with other colors."""
    return [replace(shape, fill=tuple(change(color, shape) for color in shape.fill)) for shape in shapes]


def points(x: Numbers, y: Numbers) -> Outline:
    """Create a line of points from their x and their y; either may be one number for all."""
    return np.stack(np.broadcast_arrays(x, y), -1).astype(float)


def polygon(*corners: tuple[float, float]) -> Outline:
    """Create an outline of its corners."""
    return np.array(corners, float)


def rectangle(left: float, top: float, right: float, bottom: float) -> Outline:
    """Create a rectangle."""
    return polygon((left, top), (right, top), (right, bottom), (left, bottom))


def arc(x: float, y: float, radius: float, start: float, end: float, count: int = 48) -> Outline:
    """Create a line of points around a center between two angles; a quarter turn clockwise is pi / 2."""
    angle = np.linspace(start, end, count)
    return points(x + radius * np.cos(angle), y + radius * np.sin(angle))


def rays(x: float, y: float, start: float, end: float, count: int) -> tuple[Outline, ...]:
    """Create a fan of rays around a center, as wide as the gaps between them."""
    rim = arc(x, y, 4.0, start, end, 2 * count)
    return tuple(np.concatenate([[[x, y]], rim[at : at + 2]]) for at in range(0, 2 * count, 2))


def ellipse(x: float, y: float, across: float, down: float | None = None, count: int = 48) -> Outline:
    """Create an ellipse from its center and half its width and height; a circle without the height."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return points(x + across * np.cos(angle), y + (across if down is None else down) * np.sin(angle))


#: A flat shape with pointed ends, such as a glint on water.
LENS = polygon((-1, 0), (-1 / 3, -0.8), (1 / 3, -1), (1, 0), (1 / 3, 0.8), (-1 / 3, 1))


def lens(x: float, y: float, across: float, down: float) -> Outline:
    """Create a flat shape with pointed ends from its center and half its width and height."""
    return LENS * (across, down) + (x, y)


def lenses(x: Numbers, y: Numbers, across: Numbers, down: Numbers) -> tuple[Outline, ...]:
    """Create a lens of each row of four numbers."""
    rows = np.stack(np.broadcast_arrays(x, y, across, down), 1).tolist()
    return tuple(lens(*row) for row in rows)


def diamonds(centers: Outline, radii: Outline) -> tuple[Outline, ...]:
    """Create a small diamond around each center."""
    corners = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], float)
    return tuple(centers[:, None, :] + corners * radii[:, None, None])


def smooth(knots: Outline, steps: int = 8, *, closed: bool = True) -> Outline:
    """Draw a Catmull-Rom curve through points."""
    if closed:
        before, after, beyond = np.roll(knots, 1, 0), np.roll(knots, -1, 0), np.roll(knots, -2, 0)
        here = knots
    else:
        padded = np.concatenate([knots[:1], knots, knots[-1:]])
        before, here, after, beyond = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    b, h, a, y = (side[:, None, :] for side in (before, here, after, beyond))
    curve = 0.5 * (2 * h + (a - b) * t + (2 * b - 5 * h + 4 * a - y) * t**2 + (3 * h - b - 3 * a + y) * t**3)
    flat = curve.reshape(-1, 2)
    return flat if closed else np.concatenate([flat, knots[-1:]])


def blob(
    rng: np.random.Generator, x: float, y: float, across: float, down: float, rough: float = 0.2
) -> Outline:
    """Create a rounded, irregular shape."""
    angle = np.linspace(0, 2 * np.pi, 9, endpoint=False) + rng.uniform(-0.2, 0.2, 9)
    radius = 1 + rng.uniform(-rough, rough, 9)
    return smooth(np.stack([x + across * radius * np.cos(angle), y + down * radius * np.sin(angle)], 1), 5)


def ribbon(line: Outline, width: float | Outline) -> Outline:
    """Return a line a width, one number or one for each point."""
    along = np.gradient(line, axis=0)
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    aside = np.stack([-along[:, 1] / length, along[:, 0] / length], 1) * np.reshape(width, (-1, 1)) / 2
    return np.concatenate([line + aside, (line - aside)[::-1]])


def under(line: Outline, bottom: float) -> Outline:
    """Close a line downwards, as a hill under its ridge."""
    return np.concatenate([line, [[line[-1, 0], bottom], [line[0, 0], bottom]]])


def moved(outline: Outline, x: float, y: float, scale: float = 1.0, *, flip: bool = False) -> Outline:
    """Scale an outline about the origin, mirror it if asked, and move it."""
    return outline * ((-scale if flip else scale), scale) + (x, y)
