"""Measure how similar a few texts are, by the words and word pairs that they share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import combine, tokens
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from inkframe.analysis.words import Tokens

__all__ = ["pairwise_similarity", "similarity_to", "word_lengths"]


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
    profiles = [profile for parts in tokens(only_texts(texts)) for profile in _profiles(parts)]
    similarity = np.eye(len(profiles))
    for i, one in enumerate(profiles):
        for j in range(i):
            total = one.total() + profiles[j].total()
            shared = (one & profiles[j]).total()
            similarity[i, j] = similarity[j, i] = 2 * shared / total if total else 1.0
    return similarity


def similarity_to(text: str, others: Sequence[str]) -> NDArray[np.float64]:
    """Compute the similarity of one text to each of some others, as ``pairwise_similarity`` does."""
    (one,) = (profile for parts in tokens(only_texts([text])) for profile in _profiles(parts))
    known = np.array(sorted(one), np.uint64)
    most = np.array([one[number] for number in known.tolist()], np.int64)
    found = [np.zeros(0)]
    for parts in tokens(only_texts(others)):
        counts = parts.counts
        pairs, bounds = combine(parts, 2)
        documents = np.repeat(np.arange(counts.size), np.diff(bounds))
        is_pair = counts[documents] > 1  # a single word is a run of its own
        numbers = np.concatenate([parts.hashes, pairs[is_pair]])
        documents = np.concatenate([parts.documents, documents[is_pair]])
        at = np.minimum(np.searchsorted(known, numbers), max(known.size - 1, 0))
        shared = known[at] == numbers if known.size else np.zeros(numbers.size, bool)
        keys, times = np.unique(documents[shared] * known.size + at[shared], return_counts=True)
        same = np.bincount(
            keys // max(known.size, 1), np.minimum(times, most[keys % max(known.size, 1)]), counts.size
        )
        total = one.total() + counts + np.maximum(counts - 1, 0)
        found.append(np.where(total > 0, 2 * same / np.maximum(total, 1), 1.0))
    return np.concatenate(found)


def word_lengths(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the number of words of each text; letters of scripts without spaces count as words."""
    return np.concatenate([[], *(parts.counts for parts in tokens(only_texts(texts)))])


def _profiles(parts: Tokens) -> Iterator[Counter[int]]:
    pairs, bounds = combine(parts, 2)
    singles = parts.hashes.tolist()
    for at, count in enumerate(parts.counts.tolist()):
        first, pair = parts.bounds[at], bounds[at]
        yield Counter(singles[first : first + count]) + Counter(pairs[pair : pair + count - 1].tolist())
