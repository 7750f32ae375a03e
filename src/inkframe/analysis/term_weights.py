"""The distinctive words of groups of texts, the texts closest to a given one, and their plots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.types import is_numeric_dtype

from inkframe.analysis.charts import SERIES, SIZE, chart, figure, panels, plain, shorten, theme
from inkframe.analysis.creativity import level_label
from inkframe.analysis.similarity import UNIT, similarity_to
from inkframe.analysis.validation import (
    align_vectors,
    annotate,
    ask_vectors,
    attribute,
    cosines,
    only_texts,
    require,
    result_of,
    texts,
    whole,
)
from inkframe.analysis.words import tokens
from inkframe.errors import InvalidArgument, checked, options_of
from inkframe.versions import text_type

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["Terms", "keywords", "plot_keywords", "plot_similar", "read_terms", "similar"]

UNITS: Final = {
    "weight": "mean TF-IDF inside the group minus mean TF-IDF outside",
    "inside": "share of the group's texts that contain the word, 0 to 1",
    "outside": "share of the other texts that contain it, 0 to 1",
    "texts": "texts in the group",
    "score": "cosine of TF-IDF with the text, 0 to 1",
    "similarity": UNIT,
}

#: The maximum number of groups in a plot, words in each, and groups in a row.
GROUPS, WORDS, ACROSS = 12, 8, 3
#: How much more frequent a distinctive term is in the texts of its group than in the others. Words of little
#: meaning are about as frequent in both.
LIFT: Final = 2
#: Words that are computed for each that is drawn.
SPARE: Final = 4
SCORE_UNIT: Final = "TF-IDF inside minus outside"


@checked
def keywords(
    frame: pd.DataFrame, by: str = "template", *, column: str | None = None, n: int = 10, least: int = 2
) -> pd.DataFrame:
    """Find the words that distinguish the texts of each group from all other texts.

    The weight of a word is its mean TF-IDF inside the group minus that outside (sublinear term frequency,
    smoothed inverse document frequency, texts of unit length). Words that all groups use equally have no
    weight, so there are no stop words. Scripts without spaces are split into pairs of letters.

    Args:
        frame: Documents, or any frame with a column of texts and a column of groups.
        by: The column of groups: ``template``, ``creativity``, ``favorite``, …
        column: The column of texts; by default the generated one, or ``result``.
        n: The maximum number of words for each group.
        least: The minimum number of texts of a group that contain a word; 1 keeps names from single texts.

    Returns:
        A frame with one row for each group and word, strongest first: the group, keyword, weight,
        inside, outside and texts.

    Raises:
        InvalidArgument: A column is missing, or there are fewer than two groups.
    """
    whole("n", n)
    whole("least", least)
    require(frame, by)
    values, present = texts(frame, column)
    usable = present & frame[by].notna().to_numpy()
    groups = frame[by][usable]
    if groups.nunique() < 2:  # a contrast needs two
        raise InvalidArgument(
            f"keywords needs at least 2 groups of texts, got {groups.nunique()} in the column {by!r}.\n"
            "Pass another column with by=…"
        )
    terms = read_terms(values.filter(usable))
    weights = terms.weights(known=terms.size)
    labels, names = pd.factorize(groups, sort=True)
    rows = [
        {by: name} | row
        for code, name in enumerate(names)
        for row in _marking(terms, weights, labels == code, n, least)
    ]
    result = pd.DataFrame(rows, columns=[by, "keyword", "weight", "inside", "outside", "texts"])
    return annotate(result.astype({"keyword": text_type(), "texts": "int64"}), UNITS)


@checked
def similar(
    frame: pd.DataFrame,
    text: str,
    n: int = 5,
    *,
    column: str | None = None,
    vectors: Callable[[list[str]], Any] | None = None,
) -> pd.DataFrame:
    """Find the records whose texts are closest to a given text, by their words or by their meaning.

    Args:
        frame: Documents, or any frame with a column of texts.
        text: Some words, or a whole text.
        n: The maximum number of records.
        column: The column of texts; by default the generated one, or ``result``, with ``vectors`` also the description
            and settings of images.
        vectors: A function from a list of texts to an array with a row for each, to compare meanings. Each text goes to
            it once, in batches of at most 256.

    Returns:
        Rows of the frame with their index, sorted by ``score``, the first column. By words it is the cosine of TF-IDF, 0
        to 1, in which rare words count more, and ``similarity`` is the second column, as in ``pairwise_similarity``: low
        where the text is only some words. Words of the text that no record has are ignored. Records that share no word
        with the text are left out. By meaning it is the cosine of the vectors, and records without a text are left out.

    Raises:
        InvalidArgument: The column is missing, the text is empty, or the function failed.

    Example:
        >>> similar(documents, "a kettle that stays cool", n=3)[["score", "name"]]
        >>> model = SentenceTransformer("all-MiniLM-L6-v2")
        >>> similar(documents, "quiet mornings", vectors=model.encode)
    """
    whole("n", n)
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(f"text must contain words, got {text!r}.\nPass some words, or a whole text.")
    if vectors is not None and not callable(vectors):
        raise InvalidArgument(
            f"vectors must be a function from texts to vectors, got {type(vectors).__name__}.\n"
            "The text needs a vector of the same kind. Pass such as vectors=model.encode."
        )
    if vectors is not None:
        rows, present = align_vectors(frame, vectors, column)
        closeness = np.where(present, cosines(rows, ask_vectors(vectors, [text])[0]), -np.inf)
        least, units = -np.inf, {"score": "cosine of the vectors, -1 to 1"}
    else:
        values, _ = texts(frame, column)
        terms = read_terms(pa.chunked_array([*values.chunks, only_texts([text]).chunk(0).cast(values.type)]))
        weights, query_weights = terms.weights(known=len(frame)), np.zeros(len(terms.vocabulary))
        of_query = terms.texts == len(frame)
        # Words of no record say nothing about which one is closest.
        of_query &= (np.bincount(terms.words[~of_query], minlength=len(terms.vocabulary)) > 0)[terms.words]
        length = np.sqrt((weights[of_query] ** 2).sum()) or 1.0
        query_weights[terms.words[of_query]] = weights[of_query] / length
        products = np.bincount(terms.texts, weights * query_weights[terms.words], len(frame))
        closeness, least, units = np.minimum(products[: len(frame)], 1.0), 0.0, UNITS
    order = np.argsort(-closeness, kind="stable")[:n]
    order = order[closeness[order] > least]
    result = frame.iloc[order].drop(columns=["score", "similarity"], errors="ignore")
    result.insert(0, "score", closeness[order])
    if vectors is None:
        result.insert(1, "similarity", similarity_to(text, values.take(order).to_pylist()))
    return annotate(result, units)


def _marking(
    terms: Terms, weights: NDArray[np.float64], members: NDArray[np.bool_], n: int, least: int
) -> Iterator[dict[str, Any]]:
    """Yield the words with the largest weights in the member texts."""
    size, many = len(terms.vocabulary), int(members.sum())
    inside = members[terms.texts]
    here, there = terms.words[inside], terms.words[~inside]
    others = terms.size - many
    contrast = (
        np.bincount(here, weights[inside], size) / many - np.bincount(there, weights[~inside], size) / others
    )
    holding = np.bincount(here, minlength=size)
    elsewhere = np.bincount(there, minlength=size) / others
    contrast[holding < min(least, many)] = 0
    for at in np.argsort(-contrast, kind="stable").tolist():
        word = terms.vocabulary[at]
        if n == 0 or contrast[at] <= 0:
            return
        # Single letters and numbers are no useful keywords.
        if len(word) > 1 and any(map(str.isalpha, word)):
            n -= 1
            shares = {"inside": holding[at] / many, "outside": elsewhere[at]}
            yield {"keyword": word, "weight": contrast[at]} | shares | {"texts": many}


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


@checked
@options_of(keywords)
def plot_keywords(
    words: pd.DataFrame, by: str = "template", *, n: int = WORDS, **options: Any
) -> chart.Chart:
    """Plot the distinctive words of each group, in the order of a scale, else those with the most texts first.

    Args:
        words: Documents, or the result of ``keywords``.
        by: The column of groups.
        n: The maximum number of words in each group. Words at least twice as frequent in the texts of the group
            as in the others come alone, if there are any.
        options: Further arguments of ``keywords``, for documents.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    words = result_of(keywords, words, ("keyword", "weight", "texts"), by, n=SPARE * n, **options)
    require(words, by, "keyword", "weight", "texts")
    every = words.groupby(by, observed=True, sort=False)
    groups: dict[Any, pd.DataFrame] = {name: _telling(part).head(n) for name, part in every}
    is_scale = is_numeric_dtype(words[by])
    order = sorted(groups, key=None if is_scale else lambda name: -groups[name]["texts"].iloc[0])
    shown = order[:GROUPS]
    more = f", {len(order) - len(shown)} smaller groups not shown" if len(order) > len(shown) else ""
    rows = max(-(-len(shown) // ACROSS), 1)
    described = "; ".join(f"{name}: {', '.join(groups[name]['keyword'][:3])}" for name in shown)
    chart = figure(2.3 * rows + 0.4, f"Keywords by {by}: {described}.", f"Distinctive terms per {by}{more}")
    for axes, name in zip(panels(chart, len(shown), ACROSS, sharex=True), shown, strict=True):
        part = groups[name]
        axes.barh(range(len(part)), part["weight"], color=SERIES[0], height=0.7)
        axes.set_yticks(range(len(part)), labels=[shorten(word, 18) for word in part["keyword"]])
        axes.set_ylim(max(WORDS, len(part)) - 0.4, -0.6)
        title = level_label(name) if by == "creativity" else name
        plain(axes, f"{shorten(title, 22)} ({part['texts'].iloc[0]:,})", grid="x")
    chart.supxlabel(f"{SCORE_UNIT}; number of texts in brackets", fontsize=SIZE - 0.5, color=theme().text)
    return chart


def _telling(part: pd.DataFrame) -> pd.DataFrame:
    """Return the words that only few texts outside the group have; all, if there are none."""
    telling = part[part["inside"] >= LIFT * part["outside"]]
    return telling if len(telling) else part


@checked
@options_of(similar)
def plot_similar(found: pd.DataFrame, text: str | None = None, n: int = 5, **options: Any) -> chart.Chart:
    """Plot the scores of the records closest to a text.

    Args:
        found: The result of ``similar``, or documents with ``text``.
        text: Some words, or a whole text, for documents.
        n: The maximum number of records.
        options: Further arguments of ``similar``.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(found)
    if text is not None:
        found = similar(found, text, n, **options)
    require(found, "score")
    found = found.head(n)
    names = found["name"] if "name" in found.columns else found.index.astype(text_type())
    labels = [shorten(f"{name} ({key})", 44) for key, name in zip(found.index, names, strict=True)]
    described = ", ".join(f"{label} {value:.2f}" for label, value in zip(labels, found["score"], strict=True))
    chart = figure(0.32 * max(len(found), 1) + 1.3, f"Closest records: {described or 'none'}.")
    axes = chart.subplots()
    drawn = axes.barh(range(len(found)), found["score"], color=SERIES[0], height=0.68)
    axes.bar_label(drawn, fmt="%.2f", padding=3, fontsize=SIZE - 1.5, color=theme().text)
    axes.set_yticks(range(len(found)), labels=labels)
    axes.set(xlim=(0, 1), ylim=(max(len(found), 1) - 0.4, -0.6))
    title = f"Closest to “{shorten(text, 60)}”" if text else "Closest records"
    plain(axes, title, x=f"score: {attribute(found, 'analysis').get('units', UNITS).get('score')}", grid="x")
    return chart
