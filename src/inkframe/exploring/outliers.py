"""Records that are unlike all others, and the other searches of an explorer: groups, duplicates, similar records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from inkframe.analysis.duplicates import near_duplicates
from inkframe.analysis.term_weights import Terms, read_terms, similar
from inkframe.analysis.validation import annotate, left_out, require, whole
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, checked
from inkframe.exploring.embed import picture_values, read_texts, require_sklearn, term_matrix
from inkframe.exploring.topics import clusters, topics
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from inkframe.exploring.frame_source import FrameSource

    Find = Callable[[FrameSource, NDArray[np.int64]], "FoundColumns"]

__all__ = ["FINDS", "FoundColumns", "more_like", "outliers"]

#: The neighbors that a text is compared with.
NEIGHBORS: Final = 10
#: A length is unusual from this many median absolute deviations of its logarithm (B. Iglewicz and D. Hoaglin,
#: 1993, with the factor that makes the deviation comparable to a standard deviation).
UNUSUAL, DEVIATION = 3.5, 1.4826
#: The least deviation, for texts of nearly the same length: a third longer or shorter is usual.
LEAST: Final = 0.3
#: Words in a reason.
WORDS: Final = 3
UNITS: Final = {"score": f"mean cosine of TF-IDF with the {NEIGHBORS} most similar texts, 0 to 1"}
#: The most outliers that are shown.
OUTLIERS: Final = 20


@checked
def outliers(frame: pd.DataFrame, n: int = 10, *, column: str | None = None) -> pd.DataFrame:
    """Find the records whose texts are least similar to any others.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        n: The maximum number of records.
        column: The column of texts; by default ``result``, or the description and settings of images.

    Returns:
        Rows of the frame with their index, the lowest score first, with the columns ``score`` (mean cosine
        of TF-IDF with the ten most similar texts) and ``reason`` in front: an unusual length, no words, or the
        words that hardly any other text has.

    Raises:
        InvalidArgument: The column is missing or does not hold text.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    whole("n", n)
    require(frame)
    values, present = read_texts(frame, column)
    terms = read_terms(values)
    closeness = np.where(present, _closeness(terms), np.inf)
    order = np.argsort(closeness, kind="stable")[: min(n, int(present.sum()))]
    lengths = pc.utf8_length(values).to_numpy().astype(float)
    typical, scores = _length_scores(lengths, present)
    result = frame.iloc[order].drop(columns=["score", "reason"], errors="ignore")
    reasons = [_reason(terms, at, lengths[at], typical, scores[at]) for at in order.tolist()]
    result.insert(0, "reason", pd.Series(reasons, result.index, text_type()))
    result.insert(0, "score", closeness[order])
    return annotate(result, UNITS, left_out(int(present.sum()), frame, "text"))


def _closeness(terms: Terms) -> NDArray[np.float64]:
    """Return the mean cosine of each text with its neighbors; 0 for texts without words."""
    from sklearn.neighbors import NearestNeighbors

    if terms.size < 2:  # nothing to compare with
        return np.zeros(terms.size)
    matrix = term_matrix(terms)
    many = min(NEIGHBORS + 1, terms.size)
    distances, _ = NearestNeighbors(n_neighbors=many, metric="cosine").fit(matrix).kneighbors(matrix)
    filled = np.diff(matrix.indptr) > 0
    return np.where(filled, 1 - distances[:, 1:].mean(axis=1), 0.0)


def _length_scores(
    lengths: NDArray[np.float64], present: NDArray[np.bool_]
) -> tuple[float, NDArray[np.float64]]:
    logs = np.log1p(lengths)
    known = logs[present] if present.any() else np.zeros(1)
    middle = float(np.median(known))
    spread = float(np.median(np.abs(known - middle)))
    return float(np.expm1(middle)), (logs - middle) / max(spread * DEVIATION, LEAST)


def _reason(terms: Terms, at: int, length: float, typical: float, score: float) -> str:
    own = terms.words[terms.texts == at]
    if not own.size:
        return "no words"
    if abs(score) > UNUSUAL:
        kind = "long" if length > typical else "short"
        return f"unusually {kind}: {length:,.0f} characters, typical are {typical:,.0f}"
    holding = np.bincount(terms.words, minlength=len(terms.vocabulary))[own]
    rarest = own[np.argsort(holding, kind="stable")][:WORDS]
    words = ", ".join(terms.vocabulary[each] for each in rarest.tolist())
    return f"rare words: {words}"


@dataclass(frozen=True, slots=True)
class FoundColumns:
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
    texts = pd.Series(pd.array(values.to_pylist(), text_type()), source.frame.index).where(present)
    return pd.DataFrame({"text": texts}).reset_index(drop=True)


def _groups(name: str, find: Callable[..., pd.DataFrame], by: str) -> Find:
    def found(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
        own = None if source.vectors is None else source.vectors[among]
        groups = find(_texts(source).iloc[among], column="text", vectors=own)
        labels = groups["label"].astype("category").reindex(range(len(source.frame)))
        return FoundColumns({name: labels}, f"{counted(labels.nunique(), name)} by {by}.")

    return found


def _duplicates(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
    pairs = near_duplicates(_texts(source).iloc[among], column="text")
    if not len(pairs):
        return FoundColumns(said="No near duplicates among the records that are shown.")
    many = int(pairs["group"].max())
    names = [f"Group {number}" for number in range(1, many + 1)]
    groups = pd.Series(None, range(len(source.frame)), pd.CategoricalDtype(names, ordered=True))
    groups[pairs.index] = ("Group " + pairs["group"].astype(text_type())).to_numpy()
    said = f"{counted(len(pairs), 'near duplicate')} in {counted(many, 'group')}, by words and word pairs in common."
    return FoundColumns({"duplicates": groups}, said, descending=False)


def _outliers(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
    found = outliers(_texts(source).iloc[among], OUTLIERS, column="text")
    everywhere = range(len(source.frame))
    ranks = pd.Series(range(1, len(found) + 1), found.index, "Int64").reindex(everywhere)
    reasons = found["reason"].reindex(everywhere)
    said = f"{counted(len(found), 'text')} least like any others; the column 'reason' says why."
    return FoundColumns({"outlier": ranks, "reason": reasons}, said, (1, None), descending=False)


#: The searches by the labels of their buttons.
FINDS: Final[Mapping[str, Find]] = {
    "Topics": _groups("topic", topics, "the words that they share"),
    "Clusters": _groups("cluster", clusters, "their similarity as a whole"),
    "Near duplicates": _duplicates,
    "Outliers": _outliers,
}


def more_like(source: FrameSource, at: int, small: Sequence[bytes | str] = ()) -> FoundColumns:
    """Return how close each record is to one of them: by own vectors, else by pictures, else by the words of texts.

    Args:
        source: The records.
        at: The position of the one that others are compared with.
        small: A small picture of each record, or the reason why it is missing.
    """
    vectors, what, measure = source.vectors, "records", "cosine of the vectors"
    pictures = {place: each for place, each in enumerate(small) if isinstance(each, bytes)}
    if vectors is None and at in pictures:
        vectors, _ = picture_values(source.frame.reset_index(drop=True), pictures)
        what, measure = "pictures", "colors and shapes"
    if vectors is None:
        texts = _texts(source)
        text = texts["text"].iloc[at]
        if not isinstance(text, str) or not text.strip():
            raise InvalidArgument("This record has no text to compare.\nSelect another one.")
        near = similar(texts, text, len(texts), column="text")["score"].reindex(texts.index)
        near = near.fillna(0.0).where(texts["text"].notna())
        what, measure = (
            "texts",
            "cosine of TF-IDF; this record has no picture" if small else "cosine of TF-IDF",
        )
    else:
        lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)
        near = pd.Series(vectors @ vectors[at] / lengths / lengths[at])
    near.iloc[at] = 1.0
    return FoundColumns({"score": near}, f"The closest {what} first ({measure}).", descending=True)
