"""Shapes to pixels: antialiased, back to front, remembering who painted where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.service.engines.offline.drawing.colour import Colour
    from inkframe.service.engines.offline.drawing.shape import Shape

__all__ = ["Canvas", "Field", "Picture", "Size", "paint", "pixels", "to_image"]

#: Width and height in pixels.
Size = tuple[int, int]
#: One number for each pixel, height by width.
Field = NDArray[np.float32]
#: Red, green and blue planes, each height by width, from 0 to 1.
Picture = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Canvas:
    """A painted picture.

    Args:
        picture: What it looks like.
        owner: The number of the solid shape that is seen at each pixel.
        shapes: The shapes by that number.
    """

    picture: Picture
    owner: NDArray[np.int32]
    shapes: tuple[Shape, ...]

    @property
    def depth(self) -> Field:
        """How near each pixel is, from 0 to 1."""
        return np.array([shape.depth for shape in self.shapes], np.float32)[self.owner]

    def of(self, *kinds: str) -> NDArray[np.bool_]:
        """Where shapes of these kinds are seen."""
        return np.array([shape.kind in kinds for shape in self.shapes])[self.owner]


def pixels(image: Image.Image) -> Picture:
    """Turn an image into three planes of floats from 0 to 1, or one if it is gray."""
    if image.mode == "L":
        return np.asarray(image, np.float32) * np.float32(1 / 255)
    return np.stack([np.asarray(band, np.float32) for band in image.split()]) * np.float32(1 / 255)


def to_image(picture: Picture) -> Image.Image:
    """Turn planes of floats into an image, rounding and clipping."""
    planes = np.clip(picture * np.float32(255) + np.float32(0.5), 0, 255).astype(np.uint8)
    if planes.ndim == 2:
        return Image.fromarray(planes)
    return Image.merge("RGB", [Image.fromarray(plane) for plane in planes])


def paint(
    shapes: Sequence[Shape],
    size: tuple[int, int],
    *,
    ground: Image.Image | None = None,
    line: tuple[Colour, float] | None = None,
) -> Canvas:
    """Paint shapes in the order of their depth.

    Args:
        shapes: What to paint.
        size: Width and height in pixels.
        ground: What to paint on; a black sheet otherwise.
        line: Colour and width, in units of the short side, of an outline around solid things.
    """
    ordered = tuple(sorted(shapes, key=lambda shape: shape.depth))
    image = ground.copy() if ground else Image.new("RGB", size)
    owner = Image.new("I", size)
    for number, shape in enumerate(ordered):
        placed = _mask(shape, size, line[1] if line and shape.kind in _LINED else 0)
        if placed is None:
            continue
        mask, box, edge = placed
        image.paste(_fill(shape, mask.size), box, mask)
        if shape.solid:
            owner.paste(number, (*box, box[0] + mask.width, box[1] + mask.height), mask.point(_HALF))
        if edge is not None and line:
            image.paste(_bytes(line[0]), (*box, box[0] + mask.width, box[1] + mask.height), edge)
    return Canvas(pixels(image), np.asarray(owner, np.int32), ordered)


_LINED = {"thing", "land", "far", "water", "wall", "cloud"}
_HALF = [0] * 128 + [255] * 128


def _bytes(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (min(max(round(part * 255), 0), 255) for part in colour)
    return red, green, blue


def _fill(shape: Shape, size: tuple[int, int]) -> Image.Image:
    if len(shape.fill) == 1:
        return Image.new("RGB", size, _bytes(shape.fill[0]))
    strip = np.array([_bytes(colour) for colour in shape.fill], np.uint8)
    row = Image.fromarray(strip[None] if shape.sideways else strip[:, None])
    return row.resize(size, Image.Resampling.BILINEAR)


def _mask(
    shape: Shape, size: tuple[int, int], line: float
) -> tuple[Image.Image, tuple[int, int], Image.Image | None] | None:
    """Give the coverage within its own box, the box's corner, and the coverage of the outline."""
    unit = min(size)
    every = np.concatenate(shape.outlines) * unit if shape.outlines else np.empty((0, 2))
    if not len(every):
        return None
    margin = shape.softness * unit * 2.5 + line * unit + 1
    left, top = np.maximum(np.floor(every.min(0) - margin), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(every.max(0) + margin), size).astype(int).tolist()
    if right <= left or bottom <= top:
        return None
    soft = shape.softness * unit
    scale = 0.25 if soft > 10 else 1 if soft > 2 else 2  # pixels a blur hides
    box = (right - left, bottom - top)
    small = (max(round(box[0] * scale), 1), max(round(box[1] * scale), 1))
    stretch = np.array(small) / box
    drawn = [((outline * unit - (left, top)) * stretch - 0.5).ravel().tolist() for outline in shape.outlines]
    mask = Image.new("L", small)
    pen = ImageDraw.Draw(mask)
    for points in drawn:
        pen.polygon(points, 255)
    if soft:
        mask = mask.filter(ImageFilter.GaussianBlur(soft * scale))
    mask = _resized(mask, box)
    if shape.opacity < 1:
        mask = mask.point([round(value * shape.opacity) for value in range(256)])
    return mask, (left, top), _edge(drawn, small, box, line * unit * scale) if line and shape.solid else None


def _edge(
    drawn: list[list[float]], small: tuple[int, int], box: tuple[int, int], width: float
) -> Image.Image:
    """Give the outer half of a line around all outlines together."""
    mask = Image.new("L", small)
    pen = ImageDraw.Draw(mask)
    for points in drawn:
        pen.line(points + points[:4], 255, max(round(2 * width), 2), joint="curve")
    for points in drawn:
        pen.polygon(points, 0)
    return _resized(mask, box)


def _resized(mask: Image.Image, size: tuple[int, int]) -> Image.Image:
    if mask.size == size:
        return mask
    if mask.width == 2 * size[0]:
        return mask.reduce(2)
    return mask.resize(size, Image.Resampling.BICUBIC)
