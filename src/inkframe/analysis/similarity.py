"""Measure how similar a few texts are: shared words and word pairs, self-BLEU, new vocabulary."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import combine, tokens
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from inkframe.analysis.words import Tokens

__all__ = ["bleu_against_others", "pairwise_growth", "pairwise_similarity", "token_lists"]

#: BLEU counts sequences of 1 to 4 words.
ORDER: Final = 4
#: The count for no match at all (method 1 of B. Chen and C. Cherry, WMT 2014, as in NLTK).
EPSILON: Final = 0.1


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
    sizes = np.array([profile.total() for profile in profiles], float)
    similarity = np.eye(len(profiles))
    for i, one in enumerate(profiles):
        for j in range(i):
            total = sizes[i] + sizes[j]
            shared = (one & profiles[j]).total()
            similarity[i, j] = similarity[j, i] = 2 * shared / total if total else 1.0
    return similarity


def token_lists(texts: Sequence[str]) -> list[list[int]]:
    """Return the words of each text as numbers, the same number for the same word."""
    return [
        parts.hashes[start:end].tolist()
        for parts in tokens(only_texts(texts))
        for start, end in zip(parts.bounds[:-1], parts.bounds[1:], strict=True)
    ]


def bleu_against_others(words: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Compute the BLEU of each text with all others as references; its mean is self-BLEU.

    Y. Zhu and others, "Texygen", SIGIR 2018; BLEU by K. Papineni and others, ACL 2002, with sequences
    of 1 to 4 words (fewer for shorter texts) and smoothing if a length has no match.

    Args:
        words: The words of each text, as ``token_lists`` returns them. At least two texts.

    Returns:
        0 to 1 for each text; 0 for one without words.
    """
    lengths = [len(text) for text in words]
    logs = np.zeros(len(words))
    for size in range(1, ORDER + 1):
        counts = [_sequences(text, size) for text in words]
        for index, matched in enumerate(_matched(counts)):
            if lengths[index] >= size:
                logs[index] += np.log((matched or EPSILON) / counts[index].total())
    orders = np.maximum(np.minimum(lengths, ORDER), 1)
    brevity = [_brevity(length, lengths[:at] + lengths[at + 1 :]) for at, length in enumerate(lengths)]
    return np.array(brevity) * np.exp(logs / orders)


def pairwise_growth(words: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Compute how much larger the vocabulary of two texts is than that of one of them.

    Args:
        words: The words of each text, as ``token_lists`` returns them.

    Returns:
        A symmetric square array with 0 on its diagonal: 0 if two texts use the same words, 1 if the second
        doubles the vocabulary because they share none.
    """
    vocabularies = [set(text) for text in words]
    growth = np.zeros((len(words), len(words)))
    for i, one in enumerate(vocabularies):
        for j in range(i):
            mean = (len(one) + len(vocabularies[j])) / 2
            growth[i, j] = growth[j, i] = len(one | vocabularies[j]) / mean - 1 if mean else 0.0
    return growth


def _profiles(parts: Tokens) -> Iterator[Counter[int]]:
    pairs, bounds = combine(parts, 2)
    singles = parts.hashes.tolist()
    for at, count in enumerate(parts.counts.tolist()):
        first, pair = parts.bounds[at], bounds[at]
        yield Counter(singles[first : first + count]) + Counter(pairs[pair : pair + count - 1].tolist())


def _sequences(words: Sequence[int], size: int) -> Counter[tuple[int, ...]]:
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))


def _matched(counts: Sequence[Counter[tuple[int, ...]]]) -> Iterator[int]:
    """Yield how many sequences of each text another text has, each at most as often as it has it."""
    most: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for index, own in enumerate(counts):
        for sequence, count in own.items():
            best, owner, second = most.get(sequence, (0, -1, 0))
            if count > best:
                most[sequence] = (count, index, best)
            elif count > second:
                most[sequence] = (best, owner, count)
    for index, own in enumerate(counts):
        allowed = {sequence: most[sequence] for sequence in own}
        yield sum(
            min(own[s], second if owner == index else best) for s, (best, owner, second) in allowed.items()
        )


def _brevity(length: int, others: Sequence[int]) -> float:
    if not length:
        return 0.0
    closest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length > closest else float(np.exp(1 - closest / length))
