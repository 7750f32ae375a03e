"""Motifs: the objects of a picture, each drawn in an SVG file of this folder.

A file may use ``path`` (M, L, C, Q and Z, absolute) and ``ellipse``, stands on y = 100, and marks its parts
by class: ``tint`` gets the color from the description, ``leaf`` that of the season,
``roof``, ``hair`` and ``skin`` vary from picture to picture, ``glow`` shines at night, ``detail`` gets no
outline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET  # reads the package's own files only

import numpy as np

from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.shape import Outline, ellipse, ribbon

if TYPE_CHECKING:
    from inkframe_demo.drawing.color import Color

__all__ = ["Motif", "MotifPart", "load_motif"]


@dataclass(frozen=True, slots=True)
class MotifPart:
    """One filled part, in units of the motif's height, around the middle of its foot."""

    outlines: tuple[Outline, ...]
    color: Color
    opacity: float
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Motif:
    """An object as parts from back to front; ``width`` is relative to its height."""

    width: float
    parts: tuple[MotifPart, ...]

    @property
    def base(self) -> Color:
        """The color that a tint replaces: that of the largest tinted part."""
        tinted = [part for part in self.parts if "tint" in part.roles] or list(self.parts)
        return max(tinted, key=lambda part: float(np.prod(np.ptp(part.outlines[0], axis=0)))).color


@cache
def load_motif(name: str) -> Motif:
    """Read a motif's file."""
    text = resources.files(__package__).joinpath("motifs", f"{name}.svg").read_text("utf-8")
    root = ET.fromstring(text)  # noqa: S314  # the package's own file
    width = float(root.get("viewBox", "0 0 100 100").split()[2])
    return Motif(width / 100, tuple(_part(element, width) for element in root))


def _part(element: ET.Element, width: float) -> MotifPart:
    fill, stroke = element.get("fill", "none"), element.get("stroke")
    if element.tag.endswith("ellipse"):
        x, y, across, down = (float(element.get(key, 0)) for key in ("cx", "cy", "rx", "ry"))
        lines = [ellipse(x, y, across, down, 36)]
    else:
        lines = _trace(element.get("d", ""))
    if stroke:
        lines = [ribbon(line, float(element.get("stroke-width", 1))) for line in lines]
    color = stroke or fill
    opacity = int(color[7:9], 16) / 255 if len(color) > len("#rrggbb") else 1.0
    outlines = tuple((line - (width / 2, 100)) / 100 for line in lines)
    return MotifPart(outlines, hexed(color[:7]), opacity, frozenset(element.get("class", "").split()))


def _trace(data: str) -> list[Outline]:
    """Parse path data into lines of points."""
    lines: list[list[Outline]] = []
    t = np.linspace(0, 1, 9)[1:, None]
    for command, numbers in re.findall(r"([MLCQZ])([^MLCQZ]*)", data):
        points = np.array([float(number) for number in re.findall(r"-?[\d.]+", numbers)]).reshape(-1, 2)
        if command == "M":
            lines.append([points])
        elif command == "L":
            lines[-1].append(points)
        elif command in "CQ":
            degree = 3 if command == "C" else 2
            for corner in range(0, len(points), degree):
                knots = [lines[-1][-1][-1], *points[corner : corner + degree]]
                while len(knots) > 1:
                    knots = [(1 - t) * one + t * two for one, two in pairwise(knots)]
                lines[-1].append(knots[0])
    return [np.concatenate(line) for line in lines]
