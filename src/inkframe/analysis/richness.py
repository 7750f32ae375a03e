"""Measure how varied the words of a text are, and how much it repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.analysis.words import BASE, combine, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.words import Tokens

__all__ = ["distinct", "moving_type_token_ratio", "repeated_share"]


def moving_type_token_ratio(parts: Tokens, window: int) -> NDArray[np.float64]:
    """Compute the mean share of distinct words over all windows of a document.

    M. Covington and J. McFall, "Cutting the Gordian knot: the moving-average type-token ratio (MATTR)",
    Journal of Quantitative Linguistics 17 (2010), 94-100.

    Args:
        parts: The tokens of a chunk of documents.
        window: Words in a window.

    Returns:
        A number for each document; NaN for those shorter than the window.
    """
    counts = parts.counts
    start = np.repeat(parts.bounds[:-1], counts)
    last = np.repeat(parts.bounds[1:] - window, counts)
    at = np.arange(parts.hashes.size)
    # A word is new to the windows that begin after its previous occurrence and no later than itself.
    before = np.maximum(_previous(parts) + 1, start)
    new = np.minimum(at, last) - np.maximum(before, at - window + 1) + 1
    running = np.concatenate(([0], np.cumsum(np.maximum(new, 0))))
    totals = np.diff(running[parts.bounds])
    windows = counts - window + 1
    return np.where(windows > 0, totals / (np.maximum(windows, 1) * window), np.nan)


def repeated_share(parts: Tokens, size: int) -> NDArray[np.float64]:
    """Compute the share of word sequences of a document that occurred in it before.

    S. Welleck and others, "Neural text generation with unlikelihood training" (2020), seq-rep-n.

    Args:
        parts: The tokens of a chunk of documents.
        size: Words in a sequence.

    Returns:
        A number for each document, 0 without repetition; NaN for those shorter than a sequence.
    """
    numbers, bounds = combine(parts, size)
    totals = np.diff(bounds)
    shares = 1 - distinct(numbers, bounds) / np.maximum(totals, 1)
    return np.where(parts.counts >= size, shares, np.nan)


def distinct(numbers: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the different numbers between each bound and the next."""
    documents = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    _, first = np.unique(_apart(numbers, documents), return_index=True)
    return np.bincount(documents[first], minlength=bounds.size - 1)


def _previous(parts: Tokens) -> NDArray[np.int64]:
    """Return the position of the same word earlier in the document, or -1."""
    keys = _apart(parts.hashes, parts.documents)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    previous = np.full(keys.size, -1)
    previous[order[1:][same]] = order[:-1][same]
    return previous


def _apart(numbers: NDArray[np.uint64], documents: NDArray[np.int64]) -> NDArray[np.uint64]:
    # The same word in two documents is two keys.
    return mix(numbers + documents.astype(np.uint64) * BASE)
