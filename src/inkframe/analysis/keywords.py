"""The words that set some texts apart from others, and the texts closest to a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from inkframe.analysis.columns import annotate, only_texts, require, texts, whole
from inkframe.analysis.extras import extra
from inkframe.analysis.words import tokens
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["keywords", "similar"]

UNITS: Final = {
    "weight": "mean TF-IDF inside less mean TF-IDF outside",
    "inside": "share of the group's texts that hold the word, 0 to 1",
    "outside": "share of the other texts that hold it, 0 to 1",
    "texts": "texts in the group",
    "similarity": "cosine of TF-IDF, 0 to 1",
}


def keywords(
    frame: pd.DataFrame, by: str = "template", *, column: str = "result", n: int = 10, least: int = 2
) -> pd.DataFrame:
    """Give the words that mark the texts of each group against all other texts.

    The weight of a word is its mean TF-IDF inside the group less that outside (sublinear term
    frequency, smoothed inverse document frequency, texts of unit length). Words that all groups use
    alike weigh nothing, so there is no list of words to ignore. Scripts without spaces are cut into
    pairs of letters.

    Args:
        frame: Documents, or any frame with a column of texts and one that groups them.
        by: The column that groups: ``template``, ``creativity``, ``favorite``, …
        column: The column of texts.
        n: Words for each group, at most.
        least: Texts of a group that a word must stand in; 1 keeps names of single texts.

    Returns:
        A frame with one row for each group and word, strongest first: the group, keyword, weight,
        inside, outside and texts.

    Raises:
        InvalidArgument: A column is missing, or there are not two groups to compare.
        ConfigurationError: scikit-learn is not installed.
    """
    whole("n", n)
    whole("least", least)
    require(frame, column, by)
    values, present = texts(frame, column)
    usable = present & frame[by].notna().to_numpy()
    groups = frame[by][usable]
    if groups.nunique() < 2:  # a contrast needs two
        raise InvalidArgument(
            f"The column {by!r} has {groups.nunique()} group of texts; a contrast needs two.\n"
            "Name another column with by=…"
        )
    counts, vocabulary = _counts(values.filter(usable), whole_words=True)
    weights = _weigher().fit_transform(counts)
    labels, names = pd.factorize(groups, sort=True)
    rows = [
        row
        for code, name in enumerate(names)
        for row in _marking(counts, weights, labels == code, vocabulary, {by: name}, n, least)
    ]
    result = pd.DataFrame(rows, columns=[by, "keyword", "weight", "inside", "outside", "texts"])
    return annotate(result.astype({"keyword": "str", "texts": "int64"}), UNITS)


def similar(frame: pd.DataFrame, text: str, n: int = 5, *, column: str = "result") -> pd.DataFrame:
    """Give the records whose texts are closest to a given text.

    Args:
        frame: Documents, or any frame with a column of texts.
        text: What to look for: some words, or a whole text.
        n: Records, at most.
        column: The column of texts.

    Returns:
        Rows of the frame with their index, ``similarity`` first (cosine of TF-IDF, 0 to 1), the closest
        first. Records that share no word with the text are left out.

    Raises:
        InvalidArgument: The column is missing, or the text is empty.
        ConfigurationError: scikit-learn is not installed.

    Example:
        >>> similar(documents, "a kettle that stays cool", n=3)[["similarity", "name"]]
    """
    whole("n", n)
    values, present = texts(frame, column)
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(f"text={text!r} holds no words.\nPass some words, or a whole text.")
    query = only_texts([text]).chunk(0).cast(values.type)
    counts, _ = _counts(pa.chunked_array([*values.chunks, query]))
    closeness = np.zeros(len(frame))
    if len(frame):
        weigher = _weigher().fit(counts[:-1])
        closeness = (weigher.transform(counts[:-1]) @ weigher.transform(counts[-1:]).T).toarray().ravel()
    closeness = np.where(present, np.minimum(closeness, 1.0), 0.0)
    order = np.argsort(-closeness, kind="stable")[:n]
    order = order[closeness[order] > 0]
    result = frame.iloc[order].copy()
    result = result.drop(columns="similarity", errors="ignore")
    result.insert(0, "similarity", closeness[order])
    return annotate(result, UNITS)


def _weigher() -> Any:
    return extra("sklearn.feature_extraction.text").TfidfTransformer(sublinear_tf=True)


def _counts(values: pa.ChunkedArray, *, whole_words: bool = False) -> tuple[Any, list[str]]:
    """How often each word stands in each text, as a sparse matrix, and the words of its columns.

    Args:
        values: Texts without nulls.
        whole_words: Leave out single letters and numbers, which say nothing as keywords.
    """
    sparse = extra("scipy.sparse")
    columns: dict[int, int] = {}
    vocabulary: list[str] = []
    rows, found = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for parts in tokens(values, pairs=True):
        unique, first, inverse = np.unique(parts.hashes, return_index=True, return_inverse=True)
        at = np.full(unique.size, -1)
        for index, (number, token) in enumerate(zip(unique.tolist(), first.tolist(), strict=True)):
            if number not in columns:
                word = parts.spell(token)
                if whole_words and (len(word) == 1 or not any(map(str.isalpha, word))):
                    columns[number] = -1
                    continue
                columns[number] = len(vocabulary)
                vocabulary.append(word)
            at[index] = columns[number]
        kept = at[inverse] >= 0
        rows.append(parts.chunk.first + parts.documents[kept])
        found.append(at[inverse][kept])
    where = (np.concatenate(rows), np.concatenate(found))
    matrix = sparse.csr_matrix((np.ones(where[0].size), where), shape=(len(values), max(len(vocabulary), 1)))
    matrix.sum_duplicates()
    return matrix, vocabulary


def _marking(
    counts: Any,
    weights: Any,
    inside: NDArray[np.bool_],
    vocabulary: list[str],
    head: dict[str, Any],
    n: int,
    least: int,
) -> list[dict[str, Any]]:
    if not vocabulary:
        return []
    members, others = int(inside.sum()), int((~inside).sum())
    holding = np.asarray((counts[inside] > 0).sum(axis=0)).ravel()
    elsewhere = np.asarray((counts[~inside] > 0).sum(axis=0)).ravel() / others
    contrast = np.asarray(weights[inside].mean(axis=0) - weights[~inside].mean(axis=0)).ravel()
    contrast[holding < min(least, members)] = 0
    best = np.argsort(-contrast, kind="stable")[:n]
    return [
        head
        | {"keyword": vocabulary[at], "weight": contrast[at], "inside": holding[at] / members}
        | {"outside": elsewhere[at], "texts": members}
        for at in best[contrast[best] > 0].tolist()
    ]
