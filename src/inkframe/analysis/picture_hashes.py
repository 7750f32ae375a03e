"""Fingerprints of pictures that survive scaling and compression.

A fingerprint has the gradients of brightness between neighbors in a small copy, along rows and along columns
(the "difference hash" of N. Krawetz, 2013), and the small copy itself for its colors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from inkframe.analysis.picture_input import each_picture

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from inkframe.analysis.picture_input import Pictures

__all__ = ["BITS", "alike", "fingerprints"]

#: Pixels along a side of the small copy: 8 differences in each of 8 lines, twice.
SIDE: Final = 9
BITS: Final = 128
#: Pictures are different if their small copies differ by more than this on average, as a share of the full
#: range of a channel. Without this rule, all plain areas and all gradients would be equal.
COLOR_TOLERANCE: Final = 0.08
#: Differences up to this are compression noise, out of 255.
NOISE: Final = 2.0
#: Pictures that are compared with all others at once.
BLOCK: Final = 512


def fingerprints(
    ids: pd.Index, pictures: Pictures | None
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.floating]]:
    """Compute the fingerprints of pictures.

    Returns:
        The positions of the ids that have a picture; two words of 64 bits for each; the pixels of the
        small copies, 0 to 1.
    """
    from PIL import Image

    positions, small = [], []
    for position, picture in each_picture(ids, pictures, 4 * SIDE):
        positions.append(position)
        small.append(
            np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BOX, reducing_gap=3.0), np.float32)
        )
    copies = np.array(small, np.float32).reshape(-1, SIDE, SIDE, 3)
    gray = copies @ np.array([0.299, 0.587, 0.114], np.float32)
    along = gray[:, :-1, 1:] - gray[:, :-1, :-1] > NOISE
    down = gray[:, 1:, :-1] - gray[:, :-1, :-1] > NOISE
    bits = np.packbits(np.stack([along, down], axis=1).reshape(-1, 2, 64), axis=2)
    return np.array(positions, np.int64), bits.view(np.uint64)[:, :, 0], copies.reshape(len(small), -1) / 255


def alike(hashes: NDArray[np.uint64], colors: NDArray[np.floating], threshold: float) -> NDArray[np.int64]:
    """Find the pairs of pictures that share enough bits and colors, in constant memory.

    Returns:
        Two columns of positions, the smaller first.
    """
    most = int(BITS * (1 - threshold) + 1e-9)
    found = [np.empty((0, 2), np.int64)]
    for start in range(0, len(hashes), BLOCK):
        block = hashes[start : start + BLOCK]
        apart = np.zeros((len(block), len(hashes) - start), np.uint8)
        for half in (0, 1):
            apart += np.bitwise_count(block[:, None, half] ^ hashes[None, start:, half])
        one, other = np.nonzero(np.triu(apart <= most, 1))
        near = np.abs(colors[start + one] - colors[start + other]).mean(axis=1) <= COLOR_TOLERANCE
        found.append(np.column_stack([one, other])[near] + start)
    return np.concatenate(found)
