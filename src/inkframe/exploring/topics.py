"""Two groupings of texts: topics by the words they share, clusters by their vectors. Neither is the only one."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.term_weights import Terms, read_terms
from inkframe.analysis.validation import annotate, left_out, require, whole
from inkframe.errors import checked
from inkframe.exploring.embed import (
    content_key,
    read_texts,
    read_vectors,
    require_sklearn,
    stored,
    term_matrix,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["clusters", "topics"]

#: Words in a label, and how much more frequent in the group than in all texts they are.
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
        vectors: Own vectors as a frame or an array, such as of a language model; topics are then k-means groups
            of them.
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

    weights = stored("topics", content_key(values, n, random_state), compute)
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
        vectors: Own vectors as a frame or an array; by default those of ``embed``.
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
    has_texts = column is not None or {"result", "description"} & set(frame.columns)
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
    weight = within * np.log1p(frequency.sum() / count / total)
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
