"""Topics and clusters of texts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import clusters, topics

THINGS = {
    "tea": ["kettle", "cup", "leaves", "brew", "steam"],
    "bicycle": ["wheel", "chain", "saddle", "brake", "road"],
    "garden": ["soil", "seed", "rain", "flower", "bee"],
}


@pytest.fixture
def shelf():
    """Return 60 texts about three things, with words that all share, and one without text."""
    random = np.random.default_rng(0)
    rows = [
        (thing, "the " + " and the ".join([thing, *random.choice(words, 4)]))
        for thing, words in THINGS.items()
        for _ in range(20)
    ]
    frame = pd.DataFrame(rows, columns=["thing", "result"])
    frame.loc[60] = ["none", None]
    return frame.astype({"result": "str"})


@pytest.mark.parametrize(("group", "name"), [(topics, "topic"), (clusters, "cluster")])
def test_texts_about_one_thing_are_grouped(shelf, group, name):
    """Each group is labeled by words that others lack; a record without text is in none."""
    found = group(shelf, n=3)
    assert list(found.index) == list(shelf.index)
    assert found[name].isna().tolist() == [False] * 60 + [True]
    assert found["label"].isna().tolist() == [False] * 60 + [True]
    together = pd.crosstab(shelf["thing"][:60], found[name][:60].astype(int))
    assert (together.max(axis=1) == 20).all()
    labels = {thing: part["label"].iloc[0] for thing, part in found[:60].groupby(shelf["thing"][:60])}
    for thing, label in labels.items():
        assert thing in label.split(", ")
        assert not {"the", "and"} & set(label.split(", "))


@pytest.mark.parametrize(("group", "name"), [(topics, "topic"), (clusters, "cluster")])
def test_groups_are_numbered_by_size_and_repeatable(shelf, group, name):
    """The first group is the largest."""
    found = group(shelf.iloc[10:], n=3)
    sizes = found[name].value_counts().sort_index()
    assert list(sizes.index) == [1, 2, 3]
    assert sizes.is_monotonic_decreasing
    pd.testing.assert_frame_equal(found, group(shelf.iloc[10:], n=3))


def test_own_vectors_are_taken(shelf):
    """They decide the groups; labels still come from the texts."""
    vectors = np.repeat([[0.0, 1.0], [1.0, 0.0]], [30, 31], axis=0)
    for group, name in ((topics, "topic"), (clusters, "cluster")):
        found = group(shelf, n=2, vectors=vectors)
        assert found[name].tolist() == [2] * 30 + [1] * 31
    numbers = pd.DataFrame(vectors, index=shelf.index)
    pd.testing.assert_frame_equal(
        clusters(shelf, n=2, vectors=numbers), clusters(shelf, n=2, vectors=vectors)
    )
    unnamed = clusters(shelf[["thing"]], n=2, vectors=vectors)
    assert unnamed["label"].isna().all()


@pytest.mark.parametrize(
    "vectors", [np.zeros((3, 2)), np.zeros(61), [["a", "b"]] * 61], ids=["rows", "flat", "text"]
)
def test_vectors_that_do_not_fit_are_refused(shelf, vectors):
    """The message has what is needed."""
    with pytest.raises(ink.InvalidArgument, match="vectors must"):
        clusters(shelf, vectors=vectors)


def test_small_frames_have_groups():
    """There are never more groups than different texts."""
    frame = pd.DataFrame({"result": ["tea", "tea", "tea"]})
    assert clusters(frame, n=5)["cluster"].tolist() == [1, 1, 1]
    assert topics(frame, n=5)["topic"].notna().all()
    with pytest.raises(ink.InvalidArgument, match="n must be"):
        topics(frame, n=0)


def test_labels_have_no_single_letters():
    """A letter or a number alone is not part of a label; groups without words say so and differ."""
    pytest.importorskip("sklearn")
    texts = ["x x x harbor boats 77"] * 8 + ["kettle steel y y y 88"] * 8
    labels = set(ink.analysis.clusters(pd.DataFrame({"result": texts}), n=2)["label"])
    words = {word for label in labels for word in label.split(", ")}
    assert words == {"harbor", "boats", "kettle", "steel"}


@pytest.mark.parametrize("group", [topics, clusters])
def test_a_group_without_words_of_its_own_is_named_by_its_words(group):
    """Where no word is more frequent in the group than elsewhere, its words name it; numbers alone do not."""
    one = pd.DataFrame({"result": ["kettle steel", "kettle steel steel"]})
    assert sorted(group(one, n=1)["label"].iloc[0].split(", ")) == ["kettle", "steel"]
    assert group(pd.DataFrame({"result": ["12 34", "34 34 12"]}), n=1)["label"].iloc[0] == "(no words)"
