"""Groups of records that pairs hold together, with one record of each to stand for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["groups", "representatives"]


def groups(size: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Say which group each position belongs to.

    Args:
        size: Number of positions.
        pairs: Two columns of positions that belong together.

    Returns:
        For each position the smallest position of its group; itself where it is alone.
    """
    parent = list(range(size))

    def root(position: int) -> int:
        while parent[position] != position:
            parent[position] = parent[parent[position]]
            position = parent[position]
        return position

    for one, other in pairs.tolist():
        first, second = sorted((root(one), root(other)))
        parent[second] = first
    return np.array([root(position) for position in range(size)], np.int64)


def representatives(group: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Choose the position of each group that has most of the pairs; the first of those with as many.

    Returns:
        For each position the representative of its group.
    """
    links = np.bincount(pairs.ravel(), minlength=group.size)
    order = np.lexsort((np.arange(group.size), -links, group))
    first = order[np.searchsorted(group[order], group)]
    return np.asarray(first, np.int64)
