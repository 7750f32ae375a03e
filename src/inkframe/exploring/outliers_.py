"""Records that are unlike all others, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from inkframe.analysis.terms import read_terms
from inkframe.analysis.validation import annotate, left_out, require, whole
from inkframe.exploring.embed import read_texts, require_sklearn, term_matrix
from inkframe.signatures import checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.terms import Terms

__all__ = ["outliers"]

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
    result.insert(0, "reason", pd.Series(reasons, result.index, "str"))
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
