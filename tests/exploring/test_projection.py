"""Positions of records on a map."""

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import project
from inkframe.exploring import map as projection


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


def test_linear_positions():
    """The two directions of the largest variance, the farthest record on the positive side of each."""
    vectors = np.array([[0, 0, 0], [4, 0, 0], [0, 2, 0], [0, 0, 1], [-9, 1, 0]], float)
    places = project(pd.DataFrame(index=range(5)), vectors=vectors, method="linear")
    assert places.round(3).to_numpy().tolist() == [
        [-0.388, -0.13],
        [-1.0, -0.088],
        [-0.367, 0.167],
        [-0.39, -0.167],
        [1.0, -0.075],
    ]
    flat = project(pd.DataFrame(index=range(3)), vectors=[[1.0], [2.0], [4.0]], method="linear")
    assert flat.round(3).to_numpy().tolist() == [[-1, 0], [-0.333, 0], [1, 0]]
    assert project(pd.DataFrame(index=range(2)), vectors=np.ones((2, 3))).to_numpy().tolist() == [[0, 0]] * 2


@pytest.mark.integration
def test_parameters_of_tsne(frame, vectors, monkeypatch):
    """Early exaggeration, then none, from the linear positions, with as many neighbors as the perplexity needs."""
    import sklearn.manifold
    import sklearn.neighbors

    used = []

    class Watched(sklearn.manifold.TSNE):
        def fit_transform(self, distances):
            parameters = self.get_params()
            first = parameters.pop("init")
            used.append((parameters, float(first[:, 0].std()), distances.getnnz(axis=1).tolist()))
            return super().fit_transform(distances)

    monkeypatch.setattr(sklearn.manifold, "TSNE", Watched)
    shares = []
    places = project(frame, vectors=vectors, progress=shares.append, random_state=3)
    assert places.attrs["analysis"] == {"units": {"x": "no unit", "y": "no unit"}, "notes": []}
    assert shares == [0.0, 0.1, 0.4, 1.0, 1.0]
    names = ["perplexity", "metric", "early_exaggeration", "max_iter", "angle", "random_state"]
    assert [[one[name] for name in names] for one, _, _ in used] == [
        [89 / 3, "precomputed", 12.0, 250, 0.8, 3],
        [89 / 3, "precomputed", 1.0, 250, 0.8, 3],
    ]
    assert used[0][1] == pytest.approx(1e-4, rel=1e-4)
    assert [set(counts) for _, _, counts in used] == [{90}] * 2
    project(pd.concat([frame, frame]), vectors=np.vstack([vectors, vectors + 1]))
    assert used[2][0]["perplexity"] == 30.0
    assert set(used[2][2]) == {92}


@pytest.mark.integration
def test_a_map_takes_half_of_the_processors(frame, vectors, monkeypatch):
    """The notebook keeps the other half; of one processor, or if their number is unknown, one is taken."""
    import threadpoolctl

    limits = []
    limit = threadpoolctl.threadpool_limits
    monkeypatch.setattr(threadpoolctl, "threadpool_limits", lambda most: limits.append(most) or limit(most))
    for seed, count in enumerate((None, 1, 2, 3, 8)):
        monkeypatch.setattr(projection.os, "cpu_count", lambda count=count: count)
        project(frame[:10], vectors=vectors[:10] + 5, random_state=seed)
    assert limits == [1, 1, 1, 1, 4]


@pytest.mark.integration
def test_ten_records_have_neighbors(frame, vectors, monkeypatch):
    """Nine records are mapped linearly, ten are not; twenty thousand and no more are mapped."""
    monkeypatch.setattr(projection, "ITERATIONS", 250)
    assert (projection.FEWEST, projection.MOST) == (10, 20_000)
    shares = []
    project(frame[:10], vectors=vectors[:10], progress=shares.append)
    assert len(shares) == 5
    shares.clear()
    project(frame[:9], vectors=vectors[:9], progress=shares.append)
    assert shares == [0.0, 1.0]


def test_the_size_of_a_sample(frame, vectors, monkeypatch):
    """A frame of exactly the largest size is mapped whole."""
    monkeypatch.setattr(projection, "MOST", 90)
    places = project(frame, vectors=vectors, method="linear")
    assert places["x"].notna().all()
    assert places.attrs["analysis"]["notes"] == []
