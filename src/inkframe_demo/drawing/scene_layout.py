"""The stage: a scene with its size and light, and its shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from inkframe_demo.drawing.color import mix
from inkframe_demo.drawing.light import light_of
from inkframe_demo.drawing.shape import Outline, Shape, rectangle

if TYPE_CHECKING:
    from inkframe_demo.drawing.color import Color
    from inkframe_demo.drawing.scene import Scene

__all__ = ["Ground", "Stage"]

#: One share of a length, or one for each point.
Depth = TypeVar("Depth", float, NDArray[np.float64])
#: One outline, or several painted as one.
Outlines = Outline | Sequence[Outline]


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground that things can stand on.

    Args:
        far: The height of the feet of the farthest thing.
        near: The height of the feet of the nearest.
        depth: The depths of the two.
        shrink: The relative size of the farthest thing.
    """

    far: float
    near: float
    depth: tuple[float, float] = (0.55, 0.8)
    shrink: float = 0.55


class Stage:
    """Collects the shapes of a picture; lengths are in units of its short side.

    Args:
        scene: The scene to show.
        size: Width and height in pixels.
    """

    def __init__(self, scene: Scene, size: tuple[int, int]) -> None:
        self.scene = scene
        self.light = light_of(scene)
        self.size = size
        self.wide = size[0] / min(size)
        self.tall = size[1] / min(size)
        rng = scene.rng("composition")
        self.horizon = self.tall * float(rng.uniform(0.5, 0.62))
        self.flip = bool(rng.integers(2))
        self.focus = self.wide * self._focus(float(rng.uniform(-0.04, 0.04)))
        self.shapes: list[Shape] = []
        self.grounds: dict[str, Ground] = {}
        self.main_depth = 0.6

    def _focus(self, drift: float) -> float:
        layout = self.scene.layout
        if self.scene.place == "wall":
            return 0.5
        for side, place in (("center", 0.5), ("left", 0.3), ("right", 0.7)):
            if side in layout:
                return place
        return (0.4 if self.flip else 0.6) + drift

    @property
    def sun_x(self) -> float:
        """The horizontal position of the sun: opposite the main thing."""
        return self.wide * (0.74 if self.focus < self.wide / 2 else 0.26)

    @property
    def whole(self) -> Outline:
        """The outline of the picture."""
        return rectangle(0, 0, self.wide, self.tall)

    def floor(self, top: float) -> Outline:
        """Return the outline of everything below a height."""
        return rectangle(-0.1, top, self.wide + 0.1, self.tall + 0.1)

    def down(self, share: Depth) -> Depth:
        """Return a height below the horizon: 0 is there, 1 the lower edge."""
        return self.horizon + (self.tall - self.horizon) * share

    def rng(self, purpose: str) -> np.random.Generator:
        """Return the random generator for one purpose."""
        return self.scene.rng(purpose)

    def has(self, *motifs: str) -> bool:
        """Return whether the scene has one of these motifs."""
        return any(thing.motif in motifs for thing in self.scene.things)

    def stands(self, *grounds: str) -> bool:
        """Return whether the scene has a thing that stands on one of these."""
        return any(thing.stands in grounds for thing in self.scene.things)

    def tinted(self, what: str, color: Color, share: float = 1.0) -> Color:
        """Shift a color toward the described color of the sky, the water or the land."""
        return mix(color, self.scene.painted.get(what, color), share)

    def ground(self, ground: Ground, *names: str) -> None:
        """Return the ground for things by the kind of ground they stand on."""
        self.grounds.update(dict.fromkeys(names, ground))

    def shine(
        self,
        outlines: Outlines,
        fill: Color | Sequence[Color],
        depth: float,
        *,
        opacity: float = 1.0,
        softness: float = 0.0,
    ) -> None:
        """Add a shape that emits light; the arguments are those of ``add``."""
        self.add(outlines, fill, depth, "light", lit=False, opacity=opacity, softness=softness)

    def unlit(
        self,
        outlines: Outlines,
        fill: Color | Sequence[Color],
        depth: float,
        kind: str,
        *,
        opacity: float = 1.0,
        softness: float = 0.0,
        sideways: bool = False,
    ) -> None:
        """Add a shape whose colors are not changed by the light; see ``add``."""
        self.add(
            outlines, fill, depth, kind, lit=False, opacity=opacity, softness=softness, sideways=sideways
        )

    def add(
        self,
        outlines: Outlines,
        fill: Color | Sequence[Color],
        depth: float,
        kind: str,
        *,
        lit: bool = True,
        opacity: float = 1.0,
        softness: float = 0.0,
        sideways: bool = False,
    ) -> None:
        """Add a shape to the stage.

        Args:
            outlines: One outline, or several painted as one.
            fill: One color, or several from top to bottom.
            depth: From 0 (far) to 1 (near).
            kind: Its kind; see ``Shape``.
            lit: Whether the light of the scene changes its color.
            opacity: From 0 to 1.
            softness: The blur of its edge.
            sideways: Whether the fill runs from left to right.
        """
        stops = (fill,) if isinstance(fill[0], float) else tuple(fill)
        if lit:
            lift = 0.3 if self.light.dark and kind in {"thing", "detail"} else 0.0
            stops = tuple(self.light.on(stop, depth, lift) for stop in stops)  # type: ignore[arg-type]
        many = tuple(outlines) if isinstance(outlines, (list, tuple)) else (outlines,)
        if many:
            self.shapes.append(Shape(many, stops, depth, kind, opacity, softness, sideways))  # type: ignore[arg-type]
