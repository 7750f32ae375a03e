"""What can be found in a frame: topics, clusters, outliers, near duplicates, and records like a given one.

Topics group texts by the words that they share, clusters by their vectors; neither is the only grouping.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from inkframe.analysis.duplicates import VECTOR_THRESHOLD, near_duplicates
from inkframe.analysis.term_weights import Terms, read_terms, similar
from inkframe.analysis.validation import annotate, cosines, left_out, read_texts, require, whole
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, checked
from inkframe.exploring.embed import (
    content_key,
    picture_values,
    read_vectors,
    require_sklearn,
    stored,
    term_matrix,
)
from inkframe.frames import text_column
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from inkframe.exploring.frame_source import FrameSource

    Find = Callable[[FrameSource, NDArray[np.int64]], "FoundColumns"]

__all__ = ["FINDS", "FoundColumns", "clusters", "more_like", "outliers", "spare", "topics"]

#: Words in a label or a reason, and how much more frequent in the group than in all texts they are.
WORDS: Final = 3
RATIO: Final = 2.0
#: The share of all texts from which on a word is no label.
MOST: Final = 0.5
#: Words of scikit-learn's list of function words that name things, and function words that it lacks.
NAMING: Final = frozenset({
    "amount", "bill", "bottom", "call", "cry", "describe", "detail", "empty", "fill",
    "fire", "front", "full", "interest", "mill", "mine", "move", "name", "part",
    "serious", "side", "sincere", "system", "thick", "thin", "top",
})  # fmt: skip
LACKING: Final = frozenset(
    {"did", "does", "doing", "having", "just", "let", "like", "quite", "really", "shall"}
)
#: Iterations of the factorization; more change few memberships.
ITERATIONS: Final = 200
UNITS: Final = {
    "topic": "number, the largest first",
    "cluster": "number, the largest first",
    "label": "the words that distinguish the group most, by class-based TF-IDF",
    "strength": "share of the text's weight in its topic, 0 to 1",
    "distance": "Euclidean distance of vectors to the center of the cluster",
}

#: The neighbors that a text is compared with, and the vectors that are compared with all others at once.
NEIGHBORS, BLOCK = 10, 512
#: A length is unusual from this many median absolute deviations of its logarithm (B. Iglewicz and D. Hoaglin,
#: 1993, with the factor that makes the deviation comparable to a standard deviation).
UNUSUAL, DEVIATION = 3.5, 1.4826
#: The least deviation, for texts of nearly the same length: a third longer or shorter is usual.
LEAST: Final = 0.3
OUTLIER_UNIT: Final = f"mean cosine of {{}} with the {NEIGHBORS} most similar texts, 0 to 1"
#: The most outliers that are shown.
OUTLIERS: Final = 20


@checked
def topics(
    frame: pd.DataFrame, *, n: int = 20, vectors: Any = None, column: str | None = None, random_state: int = 0
) -> pd.DataFrame:
    """Group texts by topic: by the words that occur together in them.

    Topics come from a non-negative matrix factorization of TF-IDF (D. Lee and S. Seung, 1999). ``clusters``
    groups the same texts by overall similarity; both are valid views of them.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        n: The maximum number of topics.
        vectors: A function from a list of texts to an array with a row for each, such as ``model.encode`` of a
            language model, or such an array or frame; topics are then k-means groups of the vectors.
        column: The column of texts; by default ``result``, or the description and settings of images.
        random_state: The seed.

    Returns:
        A frame with the index of the given frame: topic, label and strength. NA for records without text.

    Raises:
        InvalidArgument: The column is missing, or the vectors do not fit.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    whole("n", n)
    require(frame)
    if vectors is not None:
        return _grouped(frame, "topic", n, vectors, column, random_state)
    values, present = read_texts(frame, column)
    terms = read_terms(values)

    def compute() -> NDArray[Any]:
        from sklearn.decomposition import NMF

        matrix = term_matrix(terms)
        most = max(min(n, *matrix.shape), 1)
        model = NMF(most, init="nndsvda", max_iter=ITERATIONS, tol=1e-3, random_state=random_state)
        return np.asarray(model.fit_transform(matrix), np.float32)

    key = content_key(values, n, random_state)
    weights = stored("topics", key, compute) if len(frame) else np.zeros((0, 1), np.float32)
    total = weights.sum(axis=1)
    present = present & (total > 0)  # a text without words has no weight
    strength = np.divide(weights.max(axis=1), total, where=total > 0, out=np.zeros(len(frame), np.float32))
    return _result(frame, "topic", weights.argmax(axis=1), present, {"strength": strength}, terms)


@checked
def clusters(
    frame: pd.DataFrame,
    *,
    n: int | None = None,
    vectors: Any = None,
    column: str | None = None,
    random_state: int = 0,
) -> pd.DataFrame:
    """Group records by the similarity of their vectors, with k-means.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        n: The number of clusters; by default half the square root of the number of records, 2 to 50.
        vectors: A function from a list of texts to an array with a row for each, or such an array or frame; by
            default those of ``embed``.
        column: The column of texts; by default ``result``, or the description and settings of images.
        random_state: The seed.

    Returns:
        A frame with the index of the given frame: cluster, label and distance. NA for records without vector.

    Raises:
        InvalidArgument: The column is missing, or the vectors do not fit.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    require(frame)
    many = int(np.clip(round(len(frame) ** 0.5 / 2), 2, 50)) if n is None else whole("n", n)
    return _grouped(frame, "cluster", many, vectors, column, random_state)


def _grouped(
    frame: pd.DataFrame, name: str, n: int, vectors: Any, column: str | None, random_state: int
) -> pd.DataFrame:
    from sklearn.cluster import MiniBatchKMeans

    values, present = read_vectors(frame, vectors, column, random_state)
    different = len(np.unique(values[present], axis=0))
    model = MiniBatchKMeans(min(n, different), n_init=3, batch_size=2048, random_state=random_state)
    groups = np.zeros(len(frame), np.int64)
    distance = np.full(len(frame), np.nan, np.float32)
    groups[present] = model.fit_predict(values[present])
    distance[present] = np.linalg.norm(values[present] - model.cluster_centers_[groups[present]], axis=1)
    has_texts = {text_column(frame, column), "description"} & set(frame.columns)
    terms = read_terms(read_texts(frame, column)[0]) if has_texts else None
    measures: dict[str, NDArray[Any]] = (
        {"strength": 1 / (1 + distance)} if name == "topic" else {"distance": distance}
    )
    return _result(frame, name, groups, present, measures, terms)


def _result(
    frame: pd.DataFrame,
    name: str,
    groups: NDArray[np.int64],
    present: NDArray[np.bool_],
    measures: dict[str, NDArray[Any]],
    terms: Terms | None,
) -> pd.DataFrame:
    """Return groups as numbers by size with their labels."""
    _, places, sizes = np.unique(groups[present], return_inverse=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    rank = np.full(len(frame), -1)
    rank[present] = np.argsort(order)[places]
    labels = _labels(terms, rank, sizes.size) if terms else []
    numbers = pd.array(rank + 1, dtype="Int64")
    numbers[~present] = pd.NA
    named = pd.Categorical.from_codes(rank if labels else np.full(len(frame), -1), pd.Index(labels))
    result = pd.DataFrame(
        {name: numbers, "label": named}
        | {measure: np.where(present, values, np.nan) for measure, values in measures.items()},
        index=frame.index,
    )
    return annotate(result, UNITS, left_out(int(present.sum()), frame, "text"))


def _labels(terms: Terms, groups: NDArray[np.int64], count: int) -> list[str]:
    """Return the most distinguishing words of each group, without repetition; texts of group -1 are in none.

    Class-based TF-IDF (M. Grootendorst, 2022): the frequency of a word in the group, times the logarithm of 1
    plus the mean number of words of a group over the frequency of the word in all groups. Only words count that
    are at least twice as frequent in the group as in all texts, and that at most half of the texts have. Where a
    group has none, any of its words count, but English function words never do.
    """
    group, size = groups[terms.texts], len(terms.vocabulary)
    used = group >= 0
    cells = group[used] * size + terms.words[used]
    frequency = np.bincount(cells, terms.counts[used], count * size).reshape(count, size)
    total = np.maximum(frequency.sum(axis=0), 1)
    within = frequency / np.maximum(frequency.sum(axis=1, keepdims=True), 1)
    overall = total / max(frequency.sum(), 1)
    weight = within * np.log1p(frequency.sum() / max(count, 1) / total)
    texts = np.bincount(terms.words[used], minlength=size)
    is_rare = texts <= MOST * np.unique(terms.texts[used]).size
    choices = (weight * is_rare * (within >= RATIO * overall), weight * is_rare, weight)
    labels: list[str] = []
    for rows in zip(*choices, strict=True):
        label = next(filter(None, (_label(terms, row) for row in rows)), "(no words)")
        labels.append(label if label not in labels else f"{label} ({len(labels) + 1})")
    return labels


def _label(terms: Terms, weights: NDArray[np.float64]) -> str:
    """Return the readable words with the largest weights above 0."""
    best = np.argsort(-weights, kind="stable")
    words = (terms.vocabulary[at] for at in best.tolist() if weights[at] > 0)
    return ", ".join(islice(filter(_is_telling, words), WORDS))


def _is_telling(word: str) -> bool:
    """Return whether a word can be part of a label: no single letter, number or English function word."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    stem, *_ = word.split("'")  # such as "it" of "it's"
    is_stop_word = stem in LACKING or stem in ENGLISH_STOP_WORDS - NAMING or word.endswith("n't")
    return len(word) > 1 and any(map(str.isalpha, word)) and not is_stop_word


@checked
def outliers(
    frame: pd.DataFrame, n: int = 10, *, vectors: Any = None, column: str | None = None
) -> pd.DataFrame:
    """Find the records whose texts are least similar to any others.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        n: The maximum number of records.
        vectors: A function from a list of texts to an array with a row for each, or such an array or frame, to compare
            meanings; by default words are compared.
        column: The column of texts; by default ``result``, or the description and settings of images.

    Returns:
        Rows of the frame with their index, the lowest score first, with the columns ``score`` (mean cosine
        of TF-IDF or of the vectors with the ten most similar texts) and ``reason`` in front: an unusual length, no words, or the
        words that hardly any other text has.

    Raises:
        InvalidArgument: The column is missing or does not hold text, or the vectors do not fit.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    whole("n", n)
    require(frame)
    values, present = read_texts(frame, column)
    terms = read_terms(values)
    own = None if vectors is None else read_vectors(frame, vectors, column, 0)
    present = present if own is None else present & own[1]
    closeness = np.where(present, _closeness(terms) if own is None else _mean_cosines(own[0]), np.inf)
    order = np.argsort(closeness, kind="stable")[: min(n, int(present.sum()))]
    lengths = pc.utf8_length(values).to_numpy().astype(float)
    typical, scores = _length_scores(lengths, present)
    result = frame.iloc[order].drop(columns=["score", "reason"], errors="ignore")
    reasons = [_reason(terms, at, lengths[at], typical, scores[at]) for at in order.tolist()]
    result.insert(0, "reason", pd.Series(reasons, result.index, text_type()))
    result.insert(0, "score", closeness[order])
    units = {"score": OUTLIER_UNIT.format("the vectors" if own else "TF-IDF")}
    return annotate(result, units, left_out(int(present.sum()), frame, "text"))


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


def _mean_cosines(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the mean cosine of each vector with its neighbors, in constant memory."""
    rows = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    many, found = min(NEIGHBORS + 1, len(rows)), [np.zeros(0)]
    for start in range(0, len(rows), BLOCK):
        near = np.partition(rows[start : start + BLOCK] @ rows.T, -many, axis=1)[:, -many:]
        found.append((near.sum(axis=1) - 1) / max(many - 1, 1))  # each is its own first neighbor
    return np.concatenate(found)


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
    """Return the texts that records are compared by, in the column ``text``."""
    values, present = read_texts(source.frame, source.text_column)
    texts = pd.Series(pd.array(values.to_pylist(), text_type()), source.frame.index).where(present)
    return pd.DataFrame({"text": texts}).reset_index(drop=True)


def _own(source: FrameSource, among: NDArray[np.int64]) -> NDArray[np.float32] | None:
    return None if source.vectors is None else source.vectors[among]


def _groups(name: str, find: Callable[..., pd.DataFrame], by: str) -> Find:
    def found(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
        own = _own(source, among)
        groups = find(_texts(source).iloc[among], column="text", vectors=own)
        labels = groups["label"].astype("category").reindex(range(len(source.frame)))
        measure = by if own is None else "the similarity of their vectors"
        return FoundColumns({name: labels}, f"{counted(labels.nunique(), name)} by {measure}.")

    return found


def _duplicates(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
    own = _own(source, among)
    pairs = near_duplicates(_texts(source).iloc[among], column="text", vectors=own)
    if not len(pairs):
        return FoundColumns(said="No near duplicates among the records that are shown.")
    everywhere, many = range(len(source.frame)), int(pairs["group"].max())
    names = [f"Group {number}" for number in range(1, many + 1)]
    groups = pd.Series(None, everywhere, pd.CategoricalDtype(names, ordered=True))
    groups[pairs.index] = ("Group " + pairs["group"].astype(text_type())).to_numpy()
    by_vectors = f"vectors with a cosine from {VECTOR_THRESHOLD}"
    measure = "words and word pairs in common" if own is None else by_vectors
    said = f"{counted(len(pairs), 'near duplicate')} in {counted(many, 'group')}, by {measure}."
    columns = {"duplicates": groups, "similarity": pairs["similarity"].reindex(everywhere)}
    return FoundColumns(columns, said, descending=False)


def spare(source: FrameSource) -> NDArray[np.int64]:
    """Return the positions of the near duplicates that were found, but one of each group.

    The one that represents the group is left out, which has no similarity to itself; without it the closest one.
    """
    groups, similarity = (source.frame[source.names[name]] for name in ("duplicates", "similarity"))
    order = np.argsort(-similarity.fillna(np.inf).to_numpy(), kind="stable")
    ranked = groups.iloc[order]
    return order[(ranked.notna() & ranked.duplicated()).to_numpy()]


def _outliers(source: FrameSource, among: NDArray[np.int64]) -> FoundColumns:
    found = outliers(_texts(source).iloc[among], OUTLIERS, vectors=_own(source, among), column="text")
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
        vectors, _ = picture_values(source.frame[[]].reset_index(drop=True), pictures)
        what, measure = "pictures", "colors and shapes"
    if vectors is not None and not np.isfinite(vectors[at]).all():
        raise InvalidArgument("This record has no vector to compare.\nSelect another one.")
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
        near = pd.Series(cosines(vectors, vectors[at]))
    near.iloc[at] = 1.0
    return FoundColumns({"score": near}, f"The closest {what} first ({measure}).", descending=True)
