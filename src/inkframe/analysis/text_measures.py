"""Measure a few texts, fast enough to update while a person types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inkframe.analysis.markdown_counts import count_sentences
from inkframe.analysis.prose import prose
from inkframe.analysis.readability import is_english, reading_ease, syllables_of
from inkframe.analysis.richness import distinct
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import tokens, word_counts
from inkframe.signatures import checked, checked_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Measures", "measure", "reading_eases", "word_numbers"]


@checked_calls
@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one text.

    Args:
        words: Number of words; None in scripts without spaces.
        distinct_words: Number of different words, ignoring case; None in scripts without spaces.
        reading_ease: Flesch reading ease; None unless the text is known to be English.
        similarity: Mean similarity to the other texts, 0 to 1; None if there is no other.
    """

    words: int | None
    distinct_words: int | None
    reading_ease: float | None
    similarity: float | None


@checked
def measure(texts: Sequence[str], *, language: str | None = None) -> list[Measures]:
    """Measure a few texts that belong together, such as repeats of one prompt.

    Code, addresses of links, HTML tags and numbers of lists are no words.

    Args:
        texts: One or more texts.
        language: The language of all texts, such as ``"en"``; reading ease is for English only.

    Returns:
        The measures of each text. Similarity is the mean of ``pairwise_similarity`` to the others.

    Example:
        >>> measure(["One liter in four minutes.", "Four minutes to the liter."], language="en")[0].words
        5
    """
    column = prose(only_texts(texts))
    words, spaced = word_counts(column)
    different = [count for parts in tokens(column) for count in distinct(parts.hashes, parts.bounds).tolist()]
    ease = reading_eases(texts)
    similarities: list[float | None] = [None] * len(texts)
    if len(texts) > 1:
        similarities = ((pairwise_similarity(texts).sum(axis=1) - 1) / (len(texts) - 1)).tolist()
    english = is_english(language)
    return [
        Measures(
            words=int(words[row]) if spaced[row] else None,
            distinct_words=different[row] if spaced[row] else None,
            reading_ease=float(ease[row]) if english and spaced[row] and words[row] else None,
            similarity=similarities[row],
        )
        for row in range(len(texts))
    ]


def word_numbers(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of words of each text; of scripts without spaces, of their letters."""
    return word_counts(prose(only_texts(texts)))[0]


def reading_eases(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the Flesch reading ease of each English text; NaN for one without words."""
    column = prose(only_texts(texts))
    words, sentences = word_counts(column)[0], np.maximum(count_sentences(column), 1)
    spoken = np.concatenate([np.zeros(0, np.int64), *(syllables_of(parts) for parts in tokens(column))])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(words > 0, reading_ease(words, sentences, spoken), np.nan))
