"""Origami."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import bright, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import blurred, clipped, shifted, stepped
from inkframe_demo.drawing.texture import clouded, coordinates

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Canvas, Field, Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.shape import Outline, Shape

__all__ = ["origami"]

LEFT_OUT = {"glint", "shadow", "weather", "reflection"}
LARGE = {"land", "far", "water", "cloud"}


def origami(scene: Scene, size: Size) -> Picture:
    """Draw folded paper: straight outlines, plain facets, and layers that cast shadows."""
    unit, rng = min(size) / 512, scene.rng("origami")
    shapes = compose(scene, size).shapes
    sheets = [_cut(shape) for shape in shapes if shape.kind not in LEFT_OUT and shape.softness < 0.02]
    canvas = paint(sheets, size)
    height = canvas.depth + canvas.owner.astype(np.float32) * np.float32(0.12 / len(sheets))
    cover = shifted(height, max(round(4 * unit), 1), max(round(6 * unit), 1)) - height
    shadow = blurred(clipped(cover * 14), max(4 * unit, 0.8))
    fiber = (clouded(rng, size, 5 * unit, 2) - 0.5) * np.float32(0.05)
    return clipped(canvas.picture * (_facets(canvas, rng) * (1 - np.float32(0.42) * shadow) + fiber))


def _cut(shape: Shape) -> Shape:
    """Straighten the outlines and fill them with one plain color."""
    color = bright(shape.fill[0], 1.16) if shape.kind == "sky" else bright(shape.color, 1.1)
    outlines = tuple(_straight(outline, 0.03 if shape.kind in LARGE else 0.006) for outline in shape.outlines)
    opaque = shape.solid or shape.kind == "cloud"
    opacity = 1.0 if opaque else shape.opacity
    return replace(shape, outlines=outlines, fill=(vivid(color, 1.3),), softness=0.0, opacity=opacity)


def _straight(outline: Outline, keep: float) -> Outline:
    """Keep the corners of an outline and every few points of its curves."""
    before, after = outline - np.roll(outline, 1, 0), np.roll(outline, -1, 0) - outline
    turn = np.arctan2(after[:, 1], after[:, 0]) - np.arctan2(before[:, 1], before[:, 0])
    corner = np.abs(np.angle(np.exp(1j * turn))) > 0.7
    along = np.cumsum(np.hypot(before[:, 0], before[:, 1]))
    step = along // max(keep, 0.22 * float(np.ptp(outline, axis=0).max()))
    kept = corner | (np.diff(step, prepend=-1) > 0)
    return outline[kept] if kept.sum() > 2 else outline


def _facets(canvas: Canvas, rng: np.random.Generator) -> Field:
    """Shade triangles of a skewed grid, each shape with a grid of its own size and turn; light the creases."""
    owner, many = canvas.owner, len(canvas.shapes)
    unit = min(owner.shape)
    reach = [float(np.sqrt(np.prod(np.ptp(shape.outlines[0], axis=0)) + 1e-4)) for shape in canvas.shapes]
    tables = (
        np.clip(np.array(reach) * 0.42, 0.05, 0.26) * unit,
        rng.uniform(0, 3, many),
        rng.uniform(0, 2, many),
    )
    pitch, angle, shift = (table.astype(np.float32)[owner] for table in tables)
    x, y = coordinates((owner.shape[1], owner.shape[0]))
    c, s = np.cos(angle), np.sin(angle)
    u = (x * c + y * s) / pitch + shift * np.float32(9)
    v = (y * c - x * s * np.float32(0.8)) / pitch + shift * np.float32(7)
    column, row = np.floor(u), np.floor(v)
    u, v = u - column, v - row
    code = (column * 37 + row * 91 + (u + v > 1) * 53 + owner * 17).astype(np.intp)
    shade = rng.uniform(0.78, 1.17, 1024).astype(np.float32)[code % 1024]
    crease = np.minimum(np.abs(u + v - 1), np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v))) * pitch
    facets: Field = shade + np.float32(0.09) * stepped(crease, unit / 340, unit / 900)
    return facets
