"""Searches of an explorer: groups, near duplicates, outliers, and records similar to a given one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.duplicates import near_duplicates
from inkframe.analysis.term_weights import similar
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument
from inkframe.exploring.embed import read_texts
from inkframe.exploring.outliers_ import outliers
from inkframe.exploring.topics import clusters, topics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from inkframe.exploring.frame_source import FrameSource

    #: Finds something among the rows at some positions.
    Find = Callable[[FrameSource, NDArray[np.int64]], "Finding"]

__all__ = ["FINDS", "MORE_LIKE_THIS", "Finding", "more_like"]

#: The most outliers that are shown.
OUTLIERS: Final = 20
MORE_LIKE_THIS: Final = "More like this"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search, as columns of the frame.

    Args:
        columns: The columns by name, the first one that is filtered and sorted by.
        said: What was found, in words.
        keep: The filter on the first column; None to show all rows.
        descending: Whether the largest value comes first; None to keep the order.
    """

    columns: Mapping[str, pd.Series] = field(default_factory=dict)
    said: str = ""
    keep: Any = None
    descending: bool | None = None


def _texts(source: FrameSource) -> pd.DataFrame:
    """Return the texts that records are compared by, in the column ``text``.

    Raises:
        InvalidArgument: The frame has no texts.
    """
    known = {"result", "description"} & set(source.frame.columns)
    column = None if known else next(iter(source.facets.texts), None)
    if column is None and not known:
        raise InvalidArgument("The frame has no texts to compare.\nAdd a column of texts.")
    values, present = read_texts(source.frame, column)
    texts = pd.Series(pd.array(values.to_pylist(), "str"), source.frame.index).where(present)
    return pd.DataFrame({"text": texts}).reset_index(drop=True)


def _groups(name: str, find: Callable[..., pd.DataFrame], by: str) -> Find:
    def found(source: FrameSource, among: NDArray[np.int64]) -> Finding:
        own = None if source.vectors is None else source.vectors[among]
        groups = find(_texts(source).iloc[among], column="text", vectors=own)
        labels = groups["label"].astype("category").reindex(range(len(source.frame)))
        return Finding({name: labels}, f"{counted(labels.nunique(), name)} by {by}.")

    return found


def _duplicates(source: FrameSource, among: NDArray[np.int64]) -> Finding:
    pairs = near_duplicates(_texts(source).iloc[among], column="text")
    if not len(pairs):
        return Finding(said="No near duplicates among the records that are shown.")
    many = int(pairs["group"].max())
    names = [f"Group {number}" for number in range(1, many + 1)]
    groups = pd.Series(None, range(len(source.frame)), pd.CategoricalDtype(names, ordered=True))
    groups[pairs.index] = ("Group " + pairs["group"].astype("str")).to_numpy()
    said = f"{counted(len(pairs), 'near duplicate')} in {counted(many, 'group')}, by words and word pairs in common."
    return Finding({"duplicates": groups}, said, descending=False)


def _outliers(source: FrameSource, among: NDArray[np.int64]) -> Finding:
    found = outliers(_texts(source).iloc[among], OUTLIERS, column="text")
    everywhere = range(len(source.frame))
    ranks = pd.Series(range(1, len(found) + 1), found.index, "Int64").reindex(everywhere)
    reasons = found["reason"].reindex(everywhere)
    said = f"{counted(len(found), 'text')} least like any others; the column 'reason' says why."
    return Finding({"outlier": ranks, "reason": reasons}, said, (1, None), descending=False)


#: The searches by the labels of their buttons.
FINDS: Final[Mapping[str, Find]] = {
    "Topics": _groups("topic", topics, "the words that they share"),
    "Clusters": _groups("cluster", clusters, "their similarity as a whole"),
    "Near duplicates": _duplicates,
    "Outliers": _outliers,
}


def more_like(source: FrameSource, at: int) -> Finding:
    """Return how close each record is to one of them: by own vectors, else by the words of the texts."""
    vectors = source.vectors
    if vectors is None:
        texts = _texts(source)
        text = texts["text"].iloc[at]
        if not isinstance(text, str) or not text.strip():
            raise InvalidArgument("This record has no text to compare.\nSelect another one.")
        near = similar(texts, text, len(texts), column="text")["score"].reindex(texts.index)
        near = near.fillna(0.0).where(texts["text"].notna())
        measure = "cosine of TF-IDF"
    else:
        lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)
        near = pd.Series(vectors @ vectors[at] / lengths / lengths[at])
        measure = "cosine of the vectors"
    near.iloc[at] = 1.0
    return Finding({"score": near}, f"The closest records first ({measure}).", descending=True)
