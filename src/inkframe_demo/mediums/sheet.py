"""The sheet of a medium: its size and random generator, with lengths relative to a sheet of 512 pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing import operations, texture
from inkframe_demo.drawing.operations import clipped, edges, stepped

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture, Size

__all__ = ["Sheet", "spread"]


def spread(tone: Field) -> Field:
    """Scale a field to the range from 0 to 1."""
    low, high = np.quantile(tone[::4, ::4], (0.02, 0.98)).tolist()
    return clipped((tone - np.float32(low)) * np.float32(1 / max(high - low, 0.2)))


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a medium.

    Args:
        size: Width and height in pixels.
        rng: Its random generator.
    """

    size: Size
    rng: np.random.Generator

    @property
    def unit(self) -> float:
        """The pixels of a length of 1."""
        return min(self.size) / 512

    def noise(self, cell: float) -> Field:
        """Return smooth noise from 0 to 1 with grains of this size, at least one pixel."""
        return texture.noise(self.rng, self.size, max(cell * self.unit, 1))

    def clouded(self, cell: float, octaves: int = 3) -> Field:
        """Return fractal noise from 0 to 1."""
        return texture.clouded(self.rng, self.size, max(cell * self.unit, 1), octaves)

    def sway(self, cell: float, reach: float, octaves: int = 2) -> Field:
        """Return the random offset of a hand at each pixel, in pixels."""
        return (self.clouded(cell, octaves) - 0.5) * np.float32(reach * self.unit)

    def streaks(self, length: float, width: float, angle: float) -> Field:
        """Return noise of long thin grains, from 0 to 1."""
        return texture.streaks(self.rng, self.size, length * self.unit, max(width * self.unit, 1.0), angle)

    def strokes(self, length: float, width: float, angles: tuple[float, float]) -> Field:
        """Return strokes in two directions, each in its own patches; 1 where they are thickest."""
        first, second = (self.streaks(length, width, angle) for angle in angles)
        patch = stepped(texture.clouded(self.rng, self.size, min(self.size) / 3, 2), 0.44, 0.56)
        return stepped(first + (second - first) * patch, 0.15, 0.85)

    def hatched(self, pitch: float, angle: float, wobble: float) -> Field:
        """Return parallel lines drawn by hand, from 0 to 1."""
        return texture.hatched(self.rng, self.size, max(pitch * self.unit, 3), angle, wobble)

    def framed(self, start: float, end: float, rough: float) -> Field:
        """Return 0 at the ragged edge of the paint and 1 within; shares of the short side."""
        return texture.framed(self.size, self.rng, start, end, rough)

    def blurred(self, picture: Picture, radius: float) -> Picture:
        """Blur a picture or a field."""
        return operations.blurred(picture, radius * max(self.unit, 0.3))

    def softened(self, field: Field, radius: float) -> Field:
        """Blur a field widely, in full precision."""
        return operations.softened(field, max(radius * self.unit, 1.01))

    def outlined(self, tone: Field, width: float, low: float, high: float) -> Field:
        """Return lines along the edges of a field: none where it is flatter than low, full above high."""
        return stepped(operations.blurred(edges(tone), width * max(self.unit, 0.6)), low, high)
