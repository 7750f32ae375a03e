"""Positions of records on a map."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import project, projection


@pytest.fixture
def vectors():
    """Return 90 vectors in three groups far apart."""
    random = np.random.default_rng(0)
    return np.repeat(np.eye(3) * 10, 30, axis=0) + random.normal(size=(90, 3))


@pytest.fixture
def frame(vectors):
    """Return a frame for them."""
    return pd.DataFrame({"name": range(len(vectors))}, index=[f"r{at}" for at in range(len(vectors))])


def neighbors_share_group(places):
    """Return the share of nearest neighbors that are of the same group of 30."""
    points = places.to_numpy()
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return (distances.argmin(axis=1) // 30 == np.arange(90) // 30).mean()


@pytest.mark.parametrize("method", ["linear", pytest.param("tsne", marks=pytest.mark.integration)])
def test_similar_records_lie_close_together(frame, vectors, method):
    """Positions are within -1 and 1, and the same for the same frame."""
    places = project(frame, vectors=vectors, method=method)
    assert list(places.columns) == ["x", "y"]
    assert list(places.index) == list(frame.index)
    assert np.abs(places.to_numpy()).max() == pytest.approx(1)
    assert neighbors_share_group(places) > 0.95
    pd.testing.assert_frame_equal(places, project(frame, vectors=vectors, method=method))


@pytest.mark.integration
def test_progress_is_told_and_can_cancel(frame, vectors):
    """An exception of the callback ends the computation and reaches the caller."""
    shares = []
    project(frame, vectors=vectors + 1, progress=shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(shares) > 3

    def cancel(share):
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        project(frame, vectors=vectors + 2, progress=cancel)


def test_large_frames_are_mapped_by_a_sample(frame, vectors, monkeypatch):
    """The rest is NA, and the result says so."""
    monkeypatch.setattr(projection, "MOST", 40)
    places = project(frame, vectors=vectors, method="linear")
    assert places["x"].notna().sum() == 40
    assert "a random sample of 40 of 90" in places.attrs["analysis"]["notes"][0]
    pd.testing.assert_frame_equal(places, project(frame, vectors=vectors, method="linear"))


def test_records_without_a_vector_are_not_placed(frame, vectors):
    """The others are."""
    vectors[3] = np.nan
    assert project(frame, vectors=vectors, method="linear")["x"].isna().tolist().index(True) == 3


@pytest.mark.parametrize("rows", [1, 2, 9])
def test_a_few_records_are_placed(frame, vectors, rows):
    """They are too few for neighbors, so their map is linear."""
    few = project(frame[:rows], vectors=vectors[:rows])
    assert np.isfinite(few.to_numpy()).all()
    pd.testing.assert_frame_equal(few, project(frame[:rows], vectors=vectors[:rows], method="linear"))


def test_an_unknown_method_is_refused(frame, vectors):
    """The known ones are named."""
    with pytest.raises(ink.InvalidArgument, match="method must be 'tsne' or 'linear', got 'umap'"):
        project(frame, vectors=vectors, method="umap")


def test_other_values_are_refused_beside_own_vectors():
    """A list is refused even where its vectors are given."""
    with pytest.raises(ink.InvalidArgument, match="Expected a pandas DataFrame, got list"):
        project([{"result": "x"}], vectors=np.eye(1))
