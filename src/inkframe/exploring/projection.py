"""Positions of records on a map: similar records lie close together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd

from inkframe.analysis.validation import annotate, require
from inkframe.errors import InvalidArgument
from inkframe.exploring.embed import read_vectors, require_sklearn
from inkframe.exploring.stored_results import content_key, stored
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["project"]

#: Larger frames are mapped by a sample of this size.
MOST: Final = 20_000
#: Fewer records have too few neighbors for t-SNE.
FEWEST: Final = 10
PERPLEXITY: Final = 30.0
#: Iterations of each of the two parts of t-SNE: with early exaggeration, and without.
ITERATIONS: Final = 250
#: The accuracy of Barnes-Hut; compared with 0.5 it takes half the time, and neighborhoods stay as good.
ANGLE: Final = 0.8
METHODS: Final = ("tsne", "linear")


@checked
def project(
    frame: pd.DataFrame,
    *,
    method: Literal["tsne", "linear"] = "tsne",
    vectors: Any = None,
    column: str | None = None,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> pd.DataFrame:
    """Compute the position of each record on a map.

    t-SNE (L. van der Maaten and G. Hinton, 2008) keeps neighbors together; distances between groups mean
    little. The linear method is instant and keeps the two directions of the largest variance. Frames of more
    than 20,000 records are mapped by a random sample; the other records are NA.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        method: ``tsne`` or ``linear``.
        vectors: Own vectors as a frame or an array; by default those of ``embed``.
        column: The column of texts; by default ``result``, or the description and settings of images.
        random_state: The seed.
        progress: Called with the share that is done, 0 to 1; an exception that it raises cancels the
            computation.

    Returns:
        A frame with the index of the given frame: x and y, within -1 and 1.

    Raises:
        InvalidArgument: The method is not known, the column is missing, or the vectors do not fit.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    require(frame)
    if method not in METHODS:
        raise InvalidArgument(f"method must be 'tsne' or 'linear', got {method!r}.")
    values, present = read_vectors(frame, vectors, column, random_state)
    chosen = np.flatnonzero(present)
    note = ""
    if chosen.size > MOST:
        chosen = np.sort(np.random.default_rng(random_state).choice(chosen, MOST, replace=False))
        note = f"The map shows a random sample of {MOST:,} of {int(present.sum()):,} records."
    report = progress or (lambda _share: None)
    report(0.0)
    used = values[chosen]
    linear = _linear(used)
    if method == "linear" or len(used) < FEWEST:
        positions = linear
    else:
        key = content_key(used, PERPLEXITY, ITERATIONS, ANGLE, random_state)
        positions = stored("map", key, lambda: _tsne(used, linear, random_state, report))
    report(1.0)
    places = np.full((len(frame), 2), np.nan)
    places[chosen] = positions
    return annotate(pd.DataFrame(places, frame.index, ["x", "y"]), {"x": "no unit", "y": "no unit"}, note)


def _linear(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the first two principal components, within -1 and 1."""
    centered = values - values.mean(axis=0)
    _, _, axes = np.linalg.svd(centered.T @ centered)
    two = np.zeros((len(values), 2), np.float32)
    two[:, : min(2, len(axes))] = centered @ axes[:2].T
    # The sign of a component is arbitrary: the record farthest from the middle is on its positive side.
    two *= np.sign(two[np.abs(two).argmax(axis=0), [0, 1]])
    return _within(two)


def _tsne(
    values: NDArray[np.float32],
    first: NDArray[np.float32],
    random_state: int,
    progress: Callable[[float], object],
) -> NDArray[np.float32]:
    from sklearn.manifold import TSNE
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import threadpool_limits

    perplexity = min(PERPLEXITY, (len(values) - 1) / 3)
    # t-SNE looks at three times as many neighbors; each record is its own first neighbor.
    many = min(int(3 * perplexity) + 2, len(values))
    # Threads that wait for each other keep a processor busy, and the notebook needs one.
    with threadpool_limits(max(1, (os.cpu_count() or 1) // 2)):
        distances = NearestNeighbors(n_neighbors=many).fit(values).kneighbors_graph(values, mode="distance")
        progress(0.1)
        positions = first * 1e-4 / max(float(first[:, 0].std()), 1e-12)
        for exaggeration, done in ((12.0, 0.4), (1.0, 1.0)):
            model = TSNE(
                perplexity=perplexity,
                metric="precomputed",
                init=positions,
                early_exaggeration=exaggeration,
                max_iter=ITERATIONS,
                angle=ANGLE,
                random_state=random_state,
            )
            positions = np.asarray(model.fit_transform(distances), np.float32)
            progress(done)
    return _within(positions)


def _within(positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return positions centered and scaled to -1 to 1, with one scale for both axes."""
    centered = positions - (positions.max(axis=0) + positions.min(axis=0)) / 2
    extent = float(np.abs(centered).max())
    return np.asarray(centered / extent if extent > 0 else centered, np.float32)
