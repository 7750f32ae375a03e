"""Paint shapes as antialiased pixels, back to front, and record the shape at each pixel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe_demo.drawing.color import Color
    from inkframe_demo.drawing.shape import Shape

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
        picture: The pixels.
        owner: The number of the solid shape visible at each pixel.
        shapes: The shapes by that number.
    """

    picture: Picture
    owner: NDArray[np.int32]
    shapes: tuple[Shape, ...]

    @property
    def depth(self) -> Field:
        """The nearness of each pixel, from 0 to 1."""
        return np.array([shape.depth for shape in self.shapes], np.float32)[self.owner]

    def of(self, *kinds: str) -> NDArray[np.bool_]:
        """Return where shapes of these kinds are visible."""
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
    size: Size,
    *,
    ground: Image.Image | None = None,
    line: tuple[Color, float] | None = None,
) -> Canvas:
    """Paint shapes in the order of their depth.

    Args:
        shapes: The shapes to paint.
        size: Width and height in pixels.
        ground: The image to paint on; black by default.
        line: Color and width, in units of the short side, of an outline around solid things.
    """
    ordered = tuple(sorted(shapes, key=lambda shape: shape.depth))
    image = ground.copy() if ground else Image.new("RGB", size)
    owner = Image.new("I", size)
    for number, shape in enumerate(ordered):
        width = line[1] * min(size) if line and shape.solid and shape.kind in LINED else 0.0
        stencil = _cut(shape, size, width)
        if stencil is None:
            continue
        cover = _cover(shape, stencil)
        image.paste(_fill(shape, cover.size), stencil.box, cover)
        if shape.solid:
            owner.paste(number, stencil.box, cover.convert("1", dither=Image.Dither.NONE))
        if line and width:
            image.paste(_bytes(line[0]), stencil.box, _edge(stencil, width))
    return Canvas(pixels(image), np.asarray(owner, np.int32), ordered)


#: The kinds of shapes with an outline.
LINED = {"thing", "land", "far", "water", "wall", "cloud"}


@dataclass(frozen=True, slots=True)
class _Stencil:
    """A shape's outlines within its own box, at the scale at which they are filled."""

    box: tuple[int, int, int, int]
    small: Size
    scale: float
    soft: float
    outlines: list[list[float]]

    def fitted(self, mask: Image.Image) -> Image.Image:
        """Bring a mask to the size of the box."""
        size = self.box[2] - self.box[0], self.box[3] - self.box[1]
        if mask.size == size:
            return mask
        return mask.reduce(2) if self.scale > 1 else mask.resize(size, Image.Resampling.BICUBIC)


def _cut(shape: Shape, size: Size, width: float) -> _Stencil | None:
    """Cut a stencil; None where the shape is out of the picture."""
    every = np.concatenate(shape.outlines) * min(size)
    soft = shape.softness * min(size)
    margin = soft * 2.5 + width + 1
    left, top = np.maximum(np.floor(every.min(0) - margin), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(every.max(0) + margin), size).astype(int).tolist()
    if right <= left or bottom <= top:
        return None
    scale = 0.25 if soft > 10 else 1.0 if soft > 2 else 2.0  # the blur hides the pixels
    small = max(round((right - left) * scale), 1), max(round((bottom - top) * scale), 1)
    stretch = small[0] / (right - left), small[1] / (bottom - top)
    flat = ((every - (left, top)) * stretch - 0.5).ravel().tolist()
    ends = np.cumsum([2 * len(outline) for outline in shape.outlines]).tolist()
    outlines = [flat[start:end] for start, end in pairwise([0, *ends])]
    return _Stencil((left, top, right, bottom), small, scale, soft, outlines)


def _cover(shape: Shape, stencil: _Stencil) -> Image.Image:
    """Fill the outlines, with soft edges and the shape's opacity."""
    mask = Image.new("L", stencil.small)
    pen = ImageDraw.Draw(mask)
    for outline in stencil.outlines:
        pen.polygon(outline, 255)
    if stencil.soft:
        mask = mask.filter(ImageFilter.GaussianBlur(stencil.soft * stencil.scale))
    mask = stencil.fitted(mask)
    return mask if shape.opacity >= 1 else Image.blend(Image.new("L", mask.size), mask, shape.opacity)


def _edge(stencil: _Stencil, width: float) -> Image.Image:
    """Return the outer half of a line around all outlines together."""
    mask = Image.new("L", stencil.small)
    pen = ImageDraw.Draw(mask)
    for outline in stencil.outlines:
        pen.line(outline + outline[:4], 255, max(round(2 * width * stencil.scale), 2), joint="curve")
    for outline in stencil.outlines:
        pen.polygon(outline, 0)
    return stencil.fitted(mask)


def _fill(shape: Shape, size: Size) -> Image.Image | tuple[int, int, int]:
    if len(shape.fill) == 1:
        return _bytes(shape.fill[0])
    strip = np.array([_bytes(color) for color in shape.fill], np.uint8)
    row = Image.fromarray(strip[None] if shape.sideways else strip[:, None])
    return row.resize(size, Image.Resampling.BILINEAR)


def _bytes(color: Color) -> tuple[int, int, int]:
    red, green, blue = (min(max(round(part * 255), 0), 255) for part in color)
    return red, green, blue
