"""Groups of records that pairs hold together, with one record of each to stand for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["medoids", "merge"]


def merge(labels: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join the groups of the positions of each pair.

    Args:
        labels: For each position the smallest position of its group; itself where it is alone.
        pairs: Two columns of positions that belong together.

    Returns:
        The labels after joining, of the same kind.
    """
    labels = labels.copy()
    one, other = labels[pairs[:, 0]], labels[pairs[:, 1]]
    while (apart := one != other).any():
        one, other = one[apart], other[apart]
        np.minimum.at(labels, np.maximum(one, other), np.minimum(one, other))
        while ((further := labels[labels]) != labels).any():
            labels = further
        one, other = labels[one], labels[other]
    return labels


def medoids(labels: NDArray[np.int64], features: NDArray[Any]) -> NDArray[np.int64]:
    """Choose the position of each group that has most in common with all of it; the first of equals.

    Args:
        labels: The group of each position.
        features: One row for each feature, one column for each position; whole numbers below 2**32.

    Returns:
        For each position the one that stands for its group.
    """
    score = np.zeros(labels.size, np.int64)
    for feature in features:
        values = (labels << 32) + feature
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        score += counts[inverse]
    order = np.lexsort((np.arange(labels.size), -score, labels))
    return np.asarray(order[np.searchsorted(labels[order], labels)], np.int64)
