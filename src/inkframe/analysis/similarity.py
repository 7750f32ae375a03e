"""How similar texts are, by the words and word pairs that they share, and the pairs that share most of them.

MinHash after A. Broder, "On the resemblance and containment of documents" (1997), and banding after
J. Leskovec, A. Rajaraman and J. Ullman, "Mining of Massive Datasets", chapter 3. Candidates are compared
exactly, so every pair found is correct, but a few pairs may be missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import BASE, Tokens, between, combine, mix, tokens
from inkframe.errors import checked

__all__ = [
    "UNIT",
    "candidates",
    "estimate",
    "features",
    "link",
    "medoids",
    "merge",
    "pairwise_similarity",
    "rows_in_band",
    "signatures",
    "similarity_of_pairs",
    "similarity_to",
]

UNIT: Final = "share of words and word pairs in common, 0 to 1"
#: Bytes of text whose features are in memory at once while pairs are compared.
BATCH: Final = 1 << 24
#: Bits of a hash that are kept; the others number the documents of a chunk that have words, at most 2**20.
KEPT: Final = np.uint64(44)

#: Values in a signature: the standard error of a Jaccard similarity estimated from them is at most 0.0625.
PERMUTATIONS: Final = 64
#: The minimum share of pairs at the threshold that become candidates.
RECALL: Final = 0.99
#: A candidate is dropped if its estimate is this far below the threshold (more than three standard errors).
MARGIN: Final = 0.2
#: The number of following texts in a bucket that each text is compared with.
REACH: Final = 24


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
    # A single word is a run of its own, and no pair.
    numbers = np.concatenate([parts.hashes, pairs[np.repeat(counts > 1, np.diff(bounds))]])
    # Documents without words, of which a chunk may have any number, are not counted.
    place = np.cumsum(counts > 0) - 1
    documents = np.concatenate([np.repeat(place, counts), np.repeat(place, np.maximum(counts - 1, 0))])
    # One sort of whole numbers is several times as fast as one of positions.
    keys = np.sort(documents.astype(np.uint64) << KEPT | numbers >> (np.uint64(64) - KEPT))
    at = np.arange(keys.size)
    is_first = np.append(True, keys[1:] != keys[:-1])[: keys.size]
    repetition = at - np.maximum.accumulate(np.where(is_first, at, 0))
    keys &= (np.uint64(1) << KEPT) - np.uint64(1)
    ends = np.cumsum(counts + np.maximum(counts - 1, 0))
    return mix(keys + repetition.astype(np.uint64) * BASE), np.concatenate(([0], ends))


def _batches(texts: pa.ChunkedArray, pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield positions of pairs whose texts fit into memory together."""
    ends = np.cumsum(np.asarray(pc.binary_length(texts), np.int64)[pairs].sum(axis=1)) // BATCH
    yield from np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(ends)) + 1) if len(pairs) else ()


@dataclass(frozen=True, slots=True)
class Signatures:
    """The MinHash signatures of a column of texts.

    Args:
        minima: The smallest value of each permutation (rows) in each text (columns).
        exact: A number that is the same for texts with the same features.
        sizes: Number of features of each text; 0 for those without words.
    """

    minima: NDArray[np.uint32]
    exact: NDArray[np.uint64]
    sizes: NDArray[np.int64]


def signatures(texts: pa.ChunkedArray, random_state: int) -> Signatures:
    """Compute the MinHash signatures of a column of texts.

    Args:
        texts: Texts without nulls.
        random_state: Seed of the permutations.
    """
    random = np.random.default_rng(random_state)
    factors = random.integers(0, 1 << 32, PERMUTATIONS, dtype=np.uint32) | np.uint32(1)
    offsets = random.integers(0, 1 << 32, PERMUTATIONS, dtype=np.uint32)
    minima = np.zeros((PERMUTATIONS, len(texts)), np.uint32)
    exact, sizes = np.zeros(len(texts), np.uint64), np.zeros(len(texts), np.int64)
    for parts in tokens(texts):
        numbers, bounds = features(parts)
        counts = np.diff(bounds)
        sizes[parts.chunk.rows] = counts
        if not numbers.size:
            continue
        rows = parts.chunk.first + np.flatnonzero(counts)
        starts = bounds[:-1][counts > 0]
        exact[rows] = np.add.reduceat(mix(numbers * BASE), starts)
        keys = (numbers >> np.uint64(32)).astype(np.uint32)
        permuted = np.empty_like(keys)
        for at in range(PERMUTATIONS):
            np.multiply(keys, factors[at], out=permuted)
            np.add(permuted, offsets[at], out=permuted)
            minima[at, rows] = np.minimum.reduceat(permuted, starts)
    return Signatures(minima, exact, sizes)


def rows_in_band(threshold: float) -> int:
    """Return the rows of the most selective band that still finds nearly every pair at the threshold."""
    rows = np.arange(1, PERMUTATIONS + 1)
    return max(rows[1 - (1 - threshold**rows) ** (PERMUTATIONS // rows) >= RECALL].tolist(), default=1)


def candidates(minima: NDArray[np.uint32], threshold: float) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs of signatures whose Jaccard similarity may be as large as the threshold.

    Texts are in one bucket if a band of their signatures is equal. A bucket is sorted by the next band, and
    each text is paired only with those that follow it closely.

    Yields:
        Arrays of two columns of positions, at most one pair for each position; pairs may be repeated.
    """
    rows = rows_in_band(threshold)
    bands = PERMUTATIONS // rows
    keys = np.zeros((bands, minima.shape[1]), np.uint64)
    for row in range(bands * rows):
        keys[row // rows] = mix(keys[row // rows] * BASE + minima[row])
    for band in range(bands):
        order = np.lexsort((keys[(band + 1) % bands], keys[band]))
        bucket = keys[band][order]
        for step in range(1, REACH + 1):
            same = bucket[step:] == bucket[:-step]
            if not same.any():
                break
            yield np.sort(np.column_stack([order[:-step][same], order[step:][same]]), axis=1)


def estimate(minima: NDArray[np.uint32], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of equal minima of each pair, an estimate of their Jaccard similarity."""
    agree = np.zeros(len(pairs))
    for row in minima:
        agree += row[pairs[:, 0]] == row[pairs[:, 1]]
    return agree / len(minima)


def link(
    texts: pa.ChunkedArray,
    minima: NDArray[np.uint32],
    labels: NDArray[np.int64],
    positions: NDArray[np.int64],
    threshold: float,
) -> NDArray[np.int64]:
    """Join the groups of texts that are at least as similar as the threshold.

    Args:
        texts: Texts without nulls.
        minima: Their signatures.
        labels: The group of each text, as ``merge`` returns it.
        positions: The texts that are compared.
        threshold: Similarity of near duplicates.

    Returns:
        The labels after joining.
    """
    # The least Jaccard similarity of two sets whose Dice coefficient reaches the threshold.
    least = threshold / (2 - threshold)
    different = np.array([labels.size**2], np.int64)  # codes of pairs, and a sentinel above all of them
    for found in candidates(minima[:, positions], least):
        pairs = positions[found]
        # Most candidates appear again in other bands; no pair is compared twice.
        pairs = pairs[labels[pairs[:, 0]] != labels[pairs[:, 1]]]
        codes = pairs @ [labels.size, 1]
        pairs = pairs[different[np.searchsorted(different, codes)] != codes]
        pairs = pairs[estimate(minima, pairs) >= least - MARGIN]
        near = similarity_of_pairs(texts, pairs) >= threshold
        labels = merge(labels, pairs[near])
        different = _distinct(np.append(different, pairs[~near] @ [labels.size, 1]))
    return labels


def _distinct(values: NDArray[Any]) -> NDArray[Any]:
    # np.unique hashes instead of sorting, which is many times slower for numbers that are hashes already.
    ordered = np.sort(values)
    return np.asarray(ordered[np.append(True, ordered[1:] != ordered[:-1])])


def merge(labels: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join the groups of the positions of each pair.

    Args:
        labels: For each position the smallest position of its group, or itself if it is alone.
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
    """Choose the position of each group that is most similar to all of it, or the first of equal ones.

    Args:
        labels: The group of each position.
        features: One row for each feature, one column for each position; whole numbers below 2**32.

    Returns:
        For each position, the position that represents its group.
    """
    score = np.zeros(labels.size, np.int64)
    for feature in features:
        _, inverse, counts = np.unique((labels << 32) + feature, return_inverse=True, return_counts=True)
        score += counts[inverse]
    order = np.lexsort((np.arange(labels.size), -score, labels))
    return np.asarray(order[np.searchsorted(labels[order], labels)], np.int64)
