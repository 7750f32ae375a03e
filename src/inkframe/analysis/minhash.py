"""Pairs of texts that share most of their word sequences, without comparing every pair.

MinHash after A. Broder, "On the resemblance and containment of documents" (1997), and banding after
J. Leskovec, A. Rajaraman and J. Ullman, "Mining of Massive Datasets", chapter 3. Candidates are
compared exactly in the end, so what is found is never wrong; a few pairs may be missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.words import BASE, combine, mix, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["SHINGLE", "Signatures", "candidates", "jaccard", "rows_in_band", "signatures"]

#: Words in a shingle.
SHINGLE: Final = 3
#: Values in a signature: the standard error of a similarity estimated from them is at most 0.0625.
PERMUTATIONS: Final = 64
#: Of the pairs right at the threshold, at least this share must become candidates.
RECALL: Final = 0.99
#: An estimate this far below the threshold (four standard errors) rules a candidate out.
MARGIN: Final = 0.25
#: In a bucket with more documents than this, each is compared with the first and with its neighbour only.
CROWD: Final = 24
#: Bytes of text whose shingles are held at once while candidates are compared.
BATCH: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class Signatures:
    """What stands for the texts of a column when they are compared.

    Args:
        minima: The smallest value of each permutation (rows) in each text (columns).
        exact: A number that is the same for texts with the same shingles.
        sizes: Number of shingles of each text; 0 for those without words.
    """

    minima: NDArray[np.uint32]
    exact: NDArray[np.uint64]
    sizes: NDArray[np.int64]


def signatures(texts: pa.ChunkedArray, random_state: int) -> Signatures:
    """Give the MinHash signatures of a column of texts.

    Args:
        texts: Texts without nulls.
        random_state: Seed of the permutations.
    """
    random = np.random.default_rng(random_state)
    factors = random.integers(0, 1 << 32, PERMUTATIONS, dtype=np.uint32) | np.uint32(1)
    offsets = random.integers(0, 1 << 32, PERMUTATIONS, dtype=np.uint32)
    values = np.zeros((PERMUTATIONS, len(texts)), np.uint32)
    exact, sizes = np.zeros(len(texts), np.uint64), np.zeros(len(texts), np.int64)
    for parts in tokens(texts):
        shingles, bounds = combine(parts, SHINGLE)
        counts = np.diff(bounds)
        sizes[parts.chunk.rows] = counts
        if not shingles.size:
            continue
        rows = parts.chunk.first + np.flatnonzero(counts)
        starts = bounds[:-1][counts > 0]
        exact[rows] = np.add.reduceat(mix(shingles * BASE), starts)
        keys = (shingles >> np.uint64(32)).astype(np.uint32)
        permuted = np.empty_like(keys)
        for at in range(PERMUTATIONS):
            np.multiply(keys, factors[at], out=permuted)
            np.add(permuted, offsets[at], out=permuted)
            values[at, rows] = np.minimum.reduceat(permuted, starts)
    return Signatures(values, exact, sizes)


def rows_in_band(threshold: float) -> int:
    """Give the most selective band that still finds nearly every pair at the threshold."""
    fitting = [
        rows
        for rows in range(1, PERMUTATIONS + 1)
        if 1 - (1 - threshold**rows) ** (PERMUTATIONS // rows) >= RECALL
    ]
    return max(fitting, default=1)


def candidates(values: NDArray[np.uint32], threshold: float) -> NDArray[np.int64]:
    """Give the pairs of columns of signatures that may be as similar as the threshold.

    Returns:
        An array of two columns, the smaller position first, without repetition.
    """
    rows = rows_in_band(threshold)
    found = [np.empty((0, 2), np.int64)]
    for band in range(PERMUTATIONS // rows):
        keys = np.zeros(values.shape[1], np.uint64)
        for row in values[band * rows : (band + 1) * rows]:
            keys = mix(keys * BASE + row)
        pairs = _in_buckets(keys)
        alike = _estimate(values, pairs) >= threshold - MARGIN
        found.append(pairs[alike])
        if sum(map(len, found)) > values.shape[1]:
            found = [np.unique(np.concatenate(found), axis=0)]
    return np.unique(np.concatenate(found), axis=0)


def jaccard(texts: pa.ChunkedArray, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the exact share of shingles that the texts of each pair have in common.

    Args:
        texts: Texts without nulls.
        pairs: Two columns of positions.
    """
    result = np.zeros(len(pairs))
    for batch in _batches(texts, pairs):
        rows = np.unique(pairs[batch])
        sets: list[NDArray[np.uint64]] = []
        for parts in tokens(texts.take(rows)):
            shingles, bounds = combine(parts, SHINGLE)
            sets += [np.unique(part) for part in np.split(shingles, bounds[1:-1])]
        for at, (one, other) in zip(
            batch.tolist(), np.searchsorted(rows, pairs[batch]).tolist(), strict=True
        ):
            shared = np.intersect1d(sets[one], sets[other], assume_unique=True).size
            union = sets[one].size + sets[other].size - shared
            result[at] = shared / union if union else 0.0
    return result


def _in_buckets(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    order = np.argsort(keys, kind="stable")
    same = np.concatenate(([False], keys[order][1:] == keys[order][:-1], [False]))
    pairs = [np.empty((0, 2), np.int64)]
    starts = np.flatnonzero(~same[:-1] & same[1:])
    ends = np.flatnonzero(same[:-1] & ~same[1:]) + 1
    for size in np.unique(ends - starts).tolist():
        buckets = order[starts[ends - starts == size][:, None] + np.arange(size)]
        if size <= CROWD:
            one, other = np.triu_indices(size, 1)
        else:
            one, other = np.zeros(2 * size - 3, int), np.arange(1, 2 * size - 2)
            one[size - 1 :] = np.arange(1, size - 1)
            other[size - 1 :] = np.arange(2, size)
        pairs.append(np.column_stack([buckets[:, one].ravel(), buckets[:, other].ravel()]))
    return np.concatenate(pairs)


def _estimate(values: NDArray[np.uint32], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    agree = np.zeros(len(pairs))
    for row in values:
        agree += row[pairs[:, 0]] == row[pairs[:, 1]]
    return agree / len(values)


def _batches(texts: pa.ChunkedArray, pairs: NDArray[np.int64]) -> Iterator[NDArray[Any]]:
    """Positions of pairs whose texts fit into memory together."""
    import pyarrow.compute as pc

    lengths = np.asarray(pc.binary_length(texts), np.int64)
    ends = np.cumsum(lengths[pairs].sum(axis=1)) // BATCH
    yield from np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(ends)) + 1) if len(pairs) else ()
