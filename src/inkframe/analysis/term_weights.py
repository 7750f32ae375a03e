"""The distinctive words of groups of texts, and the texts closest to a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from inkframe.analysis.similarity import UNIT, similarity_to
from inkframe.analysis.terms import Terms, read_terms
from inkframe.analysis.validation import annotate, only_texts, require, texts, whole
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["keywords", "similar"]

UNITS: Final = {
    "weight": "mean TF-IDF inside the group minus mean TF-IDF outside",
    "inside": "share of the group's texts that contain the word, 0 to 1",
    "outside": "share of the other texts that contain it, 0 to 1",
    "texts": "texts in the group",
    "score": "cosine of TF-IDF with the text, 0 to 1",
    "similarity": UNIT,
}


@checked
def keywords(
    frame: pd.DataFrame, by: str = "template", *, column: str = "result", n: int = 10, least: int = 2
) -> pd.DataFrame:
    """Find the words that distinguish the texts of each group from all other texts.

    The weight of a word is its mean TF-IDF inside the group minus that outside (sublinear term frequency,
    smoothed inverse document frequency, texts of unit length). Words that all groups use equally have no
    weight, so there are no stop words. Scripts without spaces are split into pairs of letters.

    Args:
        frame: Documents, or any frame with a column of texts and a column of groups.
        by: The column of groups: ``template``, ``creativity``, ``favorite``, …
        column: The column of texts.
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
    require(frame, column, by)
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
    return annotate(result.astype({"keyword": "str", "texts": "int64"}), UNITS)


@checked
def similar(frame: pd.DataFrame, text: str, n: int = 5, *, column: str = "result") -> pd.DataFrame:
    """Find the records whose texts are closest to a given text.

    Args:
        frame: Documents, or any frame with a column of texts.
        text: Some words, or a whole text.
        n: The maximum number of records.
        column: The column of texts.

    Returns:
        Rows of the frame with their index, sorted by ``score`` (cosine of TF-IDF, 0 to 1), in which rare words
        count more. This is the first column, ``similarity`` the second, as in ``pairwise_similarity``: low where
        the text is only some words. Words of the text that no record has are ignored. Records that share no word with the
        text are left out.

    Raises:
        InvalidArgument: The column is missing, or the text is empty.

    Example:
        >>> similar(documents, "a kettle that stays cool", n=3)[["score", "name"]]
    """
    whole("n", n)
    values, _ = texts(frame, column)
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(f"text must contain words, got {text!r}.\nPass some words, or a whole text.")
    query = only_texts([text]).chunk(0).cast(values.type)
    terms = read_terms(pa.chunked_array([*values.chunks, query]))
    weights = terms.weights(known=len(frame))
    query_weights = np.zeros(len(terms.vocabulary))
    of_query = terms.texts == len(frame)
    known = np.bincount(terms.words[~of_query], minlength=len(terms.vocabulary)) > 0
    of_query &= known[terms.words]  # words of no record say nothing about which one is closest
    length = np.sqrt((weights[of_query] ** 2).sum())
    query_weights[terms.words[of_query]] = weights[of_query] / length if length else 0.0
    closeness = np.bincount(terms.texts, weights * query_weights[terms.words], minlength=len(frame))[
        : len(frame)
    ]
    closeness = np.minimum(closeness, 1.0)
    order = np.argsort(-closeness, kind="stable")[:n]
    order = order[closeness[order] > 0]
    result = frame.iloc[order].copy()
    result = result.drop(columns=["score", "similarity"], errors="ignore")
    result.insert(0, "score", closeness[order])
    result.insert(1, "similarity", similarity_to(text, values.take(order).to_pylist()))
    return annotate(result, UNITS)


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
