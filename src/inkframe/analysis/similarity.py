"""Measure how similar texts are, by the words and word pairs that they share.

Every similarity of two texts that is shown anywhere is this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import BASE, between, combine, mix, tokens
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from inkframe.analysis.words import Tokens

__all__ = ["UNIT", "features", "pairwise_similarity", "similarity_of_pairs", "similarity_to", "word_lengths"]

UNIT: Final = "share of words and word pairs in common, 0 to 1"
#: Bytes of text whose features are in memory at once while pairs are compared.
BATCH: Final = 1 << 24
#: Bits of a hash that are kept; the others number the documents of a chunk that have words, at most 2**20.
KEPT: Final = np.uint64(44)


@checked
def pairwise_similarity(texts: Sequence[str]) -> NDArray[np.float64]:
    """Compute the similarity of each text to each other: the share of words and word pairs in common.

    This is the Sørensen-Dice coefficient on counts of single words and of pairs of neighbors, in lower
    case: 1 for the same words in the same order, 0 for no common word. Letters of scripts without
    spaces count as words.

    Args:
        texts: Any number of texts. Two empty ones have similarity 1.

    Returns:
        A symmetric square array with 1 on its diagonal.
    """
    column = only_texts(texts)
    pairs = np.column_stack(np.tril_indices(len(column), -1))
    result = np.eye(len(column))
    result[pairs[:, 0], pairs[:, 1]] = result[pairs[:, 1], pairs[:, 0]] = similarity_of_pairs(column, pairs)
    return result


def similarity_of_pairs(texts: pa.ChunkedArray, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the similarity of the texts of each pair, as ``pairwise_similarity`` does, in constant memory.

    Args:
        texts: Texts without nulls.
        pairs: Two columns of positions.
    """
    result = np.zeros(len(pairs))
    for batch in _batches(texts, pairs):
        rows = np.unique(pairs[batch])
        found: list[NDArray[np.uint64]] = []
        for parts in tokens(texts.take(rows)):
            numbers, bounds = features(parts)
            found += np.split(numbers, bounds[1:-1])
        for at, (one, other) in zip(
            batch.tolist(), np.searchsorted(rows, pairs[batch]).tolist(), strict=True
        ):
            shared = np.intersect1d(found[one], found[other], assume_unique=True).size
            total = found[one].size + found[other].size
            result[at] = 2 * shared / total if total else 1.0
    return result


def similarity_to(text: str, others: Sequence[str]) -> NDArray[np.float64]:
    """Compute the similarity of one text to each of some others, as ``pairwise_similarity`` does."""
    (known,) = (np.sort(features(parts)[0]) for parts in tokens(only_texts([text])))
    result = [np.zeros(0)]
    for parts in tokens(only_texts(others)):
        numbers, bounds = features(parts)
        at = np.searchsorted(known, numbers)
        shared = between(np.append(known, np.uint64(0))[at] == numbers, bounds)
        total = known.size + np.diff(bounds)
        result.append(np.where(total > 0, 2 * shared / np.maximum(total, 1), 1.0))
    return np.concatenate(result)


def features(parts: Tokens) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return a number for each word and each word pair of a text, different for each repetition.

    So texts are sets of numbers, and those that two sets share are the smaller counts of what they share.

    Returns:
        The numbers, and the bounds of the documents among them.
    """
    counts = parts.counts
    pairs, bounds = combine(parts, 2)
    is_pair = np.repeat(counts > 1, np.diff(bounds))  # a single word is a run of its own
    numbers = np.concatenate([parts.hashes, pairs[is_pair]])
    # Documents without words, of which a chunk may have any number, are not counted.
    place = np.cumsum(counts > 0) - 1
    documents = np.concatenate([np.repeat(place, counts), np.repeat(place, np.maximum(counts - 1, 0))])
    # One sort of whole numbers is several times as fast as one of positions.
    keys = np.sort(documents.astype(np.uint64) << KEPT | numbers >> (np.uint64(64) - KEPT))
    at = np.arange(keys.size)
    is_first = np.append(True, keys[1:] != keys[:-1])[: keys.size]
    repetition = at - np.maximum.accumulate(np.where(is_first, at, 0))
    kept = keys & ((np.uint64(1) << KEPT) - np.uint64(1))
    totals = counts + np.maximum(counts - 1, 0)
    return mix(kept + repetition.astype(np.uint64) * BASE), np.concatenate(([0], np.cumsum(totals)))


def word_lengths(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the number of words of each text; letters of scripts without spaces count as words."""
    return np.concatenate([[], *(parts.counts for parts in tokens(only_texts(texts)))])


def _batches(texts: pa.ChunkedArray, pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield positions of pairs whose texts fit into memory together."""
    lengths = np.asarray(pc.binary_length(texts), np.int64)
    ends = np.cumsum(lengths[pairs].sum(axis=1)) // BATCH
    yield from np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(ends)) + 1) if len(pairs) else ()
