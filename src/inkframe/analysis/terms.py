"""The words of texts and their weights: TF-IDF, as sparse arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inkframe.analysis.words import tokens

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["Terms", "read_terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The frequency of each word in each text, for the pairs that occur.

    Args:
        texts: Position of the text, for each pair of a text and a word of it.
        words: Position of the word in the vocabulary.
        counts: How often the word occurs in the text.
        vocabulary: The words.
        size: Number of texts.
    """

    texts: NDArray[np.int64]
    words: NDArray[np.int64]
    counts: NDArray[np.int64]
    vocabulary: list[str]
    size: int

    def weights(self, known: int) -> NDArray[np.float64]:
        """Return the TF-IDF of each pair, for unit-length texts and frequencies of the first texts only."""
        holding = np.bincount(self.words[self.texts < known], minlength=len(self.vocabulary))
        rarity = np.log((1 + known) / (1 + holding)) + 1
        weights = (1 + np.log(self.counts)) * rarity[self.words]
        lengths = np.sqrt(np.bincount(self.texts, weights**2, minlength=self.size))
        return np.asarray(weights / lengths[self.texts])


def read_terms(values: pa.ChunkedArray) -> Terms:
    """Count the words of texts without nulls; scripts without spaces are split into pairs of letters."""
    columns: dict[int, int] = {}
    vocabulary: list[str] = []
    found = [np.empty((3, 0), np.int64)]
    for parts in tokens(values, pairs=True):
        unique, first, inverse = np.unique(parts.hashes, return_index=True, return_inverse=True)
        at = np.empty(unique.size, np.int64)
        for index, (number, token) in enumerate(zip(unique.tolist(), first.tolist(), strict=True)):
            if number not in columns:
                columns[number] = len(vocabulary)
                vocabulary.append(parts.spell(token))
            at[index] = columns[number]
        both, counts = np.unique(parts.documents * len(vocabulary) + at[inverse], return_counts=True)
        texts_at, words_at = np.divmod(both, max(len(vocabulary), 1))
        found.append(np.array([texts_at + parts.chunk.first, words_at, counts]))
    texts_at, words_at, counts = np.concatenate(found, axis=1)
    return Terms(texts_at, words_at, counts, vocabulary, len(values))
