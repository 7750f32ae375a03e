"""Topics and clusters of texts."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import clusters, topics
from inkframe.versions import text_type

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
    return frame.astype({"result": text_type()})


@pytest.mark.parametrize(("group", "name"), [(topics, "topic"), (clusters, "cluster")])
def test_texts_about_one_thing_are_grouped(shelf, group, name):
    """Each group is labeled by words that others lack; a record without text is in none."""
    found = group(shelf, n=3)
    assert found.attrs["analysis"]["notes"] == ["Left out without text: 1 of 61 records."]
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


def test_small_frames_have_groups():
    """There are never more groups than different texts."""
    frame = pd.DataFrame({"result": ["tea", "tea", "tea"]})
    assert clusters(frame, n=5)["cluster"].tolist() == [1, 1, 1]
    assert topics(frame, n=5)["topic"].notna().all()
    assert len(topics(frame.iloc[:0], n=5)) == 0
    with pytest.raises(ink.InvalidArgument, match="n must be"):
        topics(frame, n=0)


@pytest.mark.parametrize("group", [topics, clusters])
def test_labels_have_no_function_words(group):
    """Neither function words, however much a group has of them, nor words that most texts have are part of a label."""
    things = {"kettle": "you'll and don't", "lamp": "it's for one of", "tent": "just by this did you"}
    texts = [
        f"{' '.join([words] * 4)} product {thing} {thing}ly{at % 3}"
        for at in range(8)
        for thing, words in things.items()
    ]
    labels = group(pd.DataFrame({"result": texts}), n=3)["label"].unique().tolist()
    assert sorted(label.split(", ")[0] for label in labels) == sorted(things)
    words = {word for label in labels for word in label.split(", ")}
    assert words <= {f"{thing}{end}" for thing in things for end in ("", "ly0", "ly1", "ly2")}


def test_a_group_with_nothing_else_has_words_of_most_texts():
    """Where all texts share all their words, these are the label; function words alone are none."""
    for text, label in (("fire system", "fire, system"), ("you and it's", "(no words)")):
        found = clusters(pd.DataFrame({"result": [text] * 3}), n=1, vectors=np.eye(3))
        assert {", ".join(sorted(each.split(", "))) for each in found["label"]} == {label}


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


@pytest.mark.integration
def test_whole_topics_and_clusters(shelf, recorded):
    """Columns, types, labels, measures, units and notes of groups of texts and of own vectors."""
    vectors = np.repeat([[0.0, 1.0], [0.0, 1.5], [1.0, 0.0]], [20, 10, 31], axis=0)
    some = [0, 1, 20, 21, 25, 40, 60]
    for name, found in (
        ("topics", topics(shelf, n=3)),
        ("clusters", clusters(shelf, n=3).round(1)),  # versions of scikit-learn differ in the second decimal
        ("topics of vectors", topics(shelf, n=3, vectors=vectors)),
        ("clusters of vectors", clusters(shelf, n=2, vectors=vectors, random_state=1).round(1)),
    ):
        recorded(name, found.iloc[some].round(3))


@pytest.mark.integration
def test_labels_are_the_words_of_the_largest_weights():
    """Of the words of at most half of the texts, a label has those of the largest class-based TF-IDF, computed one by one."""
    random = np.random.default_rng(5)
    words = np.array([f"word{at}" for at in range(14)])
    groups = np.repeat([0, 1, 2], [20, 16, 12])
    counts = random.poisson(
        np.linspace(0.5, 2, 14) * np.where(np.arange(14) % 3 == [[0], [1], [2]], 4, 0.3)[groups]
    )
    texts = [" ".join(np.repeat(words, row)) or "word0" for row in counts]
    found = clusters(pd.DataFrame({"result": texts}), n=3, vectors=np.eye(3)[groups])
    within = [
        Counter(" ".join(texts[at] for at in np.flatnonzero(groups == group)).split()) for group in range(3)
    ]
    together = sum(within, Counter())
    total = together.total()
    expected = []
    for each in within:
        weights = {
            word: count / each.total() * np.log(1 + total / 3 / together[word])
            for word, count in each.items()
            if count / each.total() >= 2 * together[word] / total
            and 2 * sum(word in text.split() for text in texts) <= len(texts)
        }
        expected.append(", ".join(sorted(weights, key=weights.__getitem__, reverse=True)[:3]))
    assert found["label"].cat.categories.tolist() == expected
    assert [len(label.split()) for label in expected] == [2, 3, 2]


def test_a_word_twice_as_frequent_as_elsewhere_counts():
    """A word whose share of a group is exactly twice its share of all texts is part of the label."""
    frame = pd.DataFrame({"result": ["oven kettle", "steel lamp"]})
    found = clusters(frame, n=2, vectors=np.eye(2))
    assert sorted(sorted(label.split(", ")) for label in found["label"]) == [
        ["kettle", "oven"],
        ["lamp", "steel"],
    ]


def test_equal_labels_are_numbered():
    """Groups of the same words have different labels."""
    frame = pd.DataFrame({"result": ["kettle steel"] * 6})
    found = clusters(frame, n=3, vectors=np.eye(3)[[2, 0, 0, 0, 1, 1]])
    expected = ["kettle, steel (3)", *["kettle, steel"] * 3, *["kettle, steel (2)"] * 2]
    assert found["label"].tolist() == expected


@pytest.mark.parametrize(("rows", "expected"), [(4, 2), (25, 2), (26, 3), (49, 4), (50, 4)])
def test_the_number_of_clusters_grows_with_the_records(rows, expected):
    """By default it is half the square root of the number of records, at least two."""
    vectors = np.random.default_rng(0).normal(size=(rows, 1))
    assert clusters(pd.DataFrame(index=range(rows)), vectors=vectors)["cluster"].nunique() == expected


@pytest.mark.integration
def test_there_are_at_most_fifty_clusters():
    """A large frame has fifty by default."""
    vectors = np.repeat(np.arange(11_000.0), 1)[:, None]
    assert clusters(pd.DataFrame(index=range(11_000)), vectors=vectors)["cluster"].nunique() == 50


def test_texts_without_words_have_no_topic(shelf):
    """Texts of signs, empty texts and missing ones are in no group, wherever they are."""
    texts = ["…", *shelf["result"][:40], "", "!?", *shelf["result"][40:]]
    frame = pd.DataFrame({"result": pd.array(texts, text_type())}, index=[f"id {at}" for at in range(64)])
    found = topics(frame, n=4)
    assert found.index.equals(frame.index)
    gone = ["id 0", "id 41", "id 42", "id 63"]
    assert found.index[found["topic"].isna()].tolist() == gone
    assert found.index[found["strength"].isna()].tolist() == gone
    assert found.index[found["label"].isna()].tolist() == gone
