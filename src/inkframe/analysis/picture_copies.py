"""Small copies of pictures, by which resized, recompressed and brightened pictures are recognized.

Two pictures are compared by the correlation of their copies of 9 by 9 pixels in three colors, which does not depend
on brightness and contrast, and by their colors relative to their brightness. Measured on drawn pictures, this finds
the copies that a difference hash misses where neighboring areas are equally bright.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from inkframe.analysis.picture_input import each_picture

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from inkframe.analysis.picture_input import Pictures

__all__ = ["SmallCopies", "similar_pairs", "small_copies"]

#: Pixels along a side of the small copy, and of the picture it is made from: a JPEG that is decoded smaller differs.
SIDE, DECODED = 9, 256
#: A picture with a smaller standard deviation, as a share of the full range, is plain: it has nothing to correlate.
PLAIN: Final = 0.01
#: Pictures are different if their colors, relative to their brightness, differ by more than this on average.
COLOR_TOLERANCE: Final = 0.15
#: Pictures that are compared with all others at once.
BLOCK: Final = 512


class SmallCopies:
    """The small copies of some pictures.

    Args:
        copies: Pixels of shape (pictures, side, side, 3), 0 to 1.

    Attributes:
        shapes: The copies centered by color and of length 1; zero for plain pictures.
        colors: The copies relative to their brightness.
    """

    def __init__(self, copies: NDArray[np.floating]) -> None:
        count = len(copies)
        centered = (copies - copies.mean(axis=(1, 2), keepdims=True)).reshape(count, SIDE * SIDE * 3)
        lengths = np.linalg.norm(centered, axis=1, keepdims=True)
        is_plain = lengths < PLAIN * np.sqrt(SIDE * SIDE * 3)
        self.shapes = np.where(is_plain, 0, centered / np.maximum(lengths, 1e-9)).astype(np.float32)
        flat = copies.reshape(count, SIDE * SIDE * 3)
        self.colors = (flat / np.maximum(flat.mean(axis=1, keepdims=True), PLAIN)).astype(np.float32)

    def similarity(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the correlation of pairs of pictures, 0 to 1; 1 for two plain ones."""
        both = self.shapes[one].any(axis=1) | self.shapes[other].any(axis=1)
        found = np.einsum("ij,ij->i", self.shapes[one], self.shapes[other]).astype(np.float64)
        return np.where(both, np.clip(found, 0, 1), 1.0)


def small_copies(ids: pd.Index, pictures: Pictures | None) -> tuple[NDArray[np.int64], SmallCopies]:
    """Build the small copies of pictures.

    Returns:
        The positions of the ids that have a picture, and the copies.
    """
    from PIL.Image import Resampling

    positions, copies = [], []
    for position, picture in each_picture(ids, pictures, DECODED):
        positions.append(position)
        copies.append(np.asarray(picture.resize((SIDE, SIDE), Resampling.BOX), np.float32) / 255)
    return np.array(positions, np.int64), SmallCopies(np.array(copies, np.float32).reshape(-1, SIDE, SIDE, 3))


def similar_pairs(copies: SmallCopies, threshold: float) -> NDArray[np.int64]:
    """Find the pairs of pictures that are similar enough in shape and color, in constant memory.

    Returns:
        Two columns of positions, the smaller first.
    """
    found = [np.empty((0, 2), np.int64)]
    shapes = copies.shapes
    is_plain: NDArray[np.bool_] = np.asarray(~shapes.any(axis=1))
    for start in range(0, len(shapes), BLOCK):
        block = slice(start, start + BLOCK)
        close = shapes[block] @ shapes[start:].T >= threshold - 1e-6
        close |= is_plain[block, None] & is_plain[None, start:]
        one, other = np.nonzero(np.triu(close, 1))
        apart = np.abs(copies.colors[start + one] - copies.colors[start + other]).mean(axis=1)
        found.append(np.column_stack([one, other])[apart <= COLOR_TOLERANCE] + start)
    return np.concatenate(found)
