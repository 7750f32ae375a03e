"""Vectors of texts and pictures."""

import sys

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe import analysis
from inkframe.analysis import embed
from inkframe.analysis.term_weights import read_terms
from inkframe.analysis.validation import only_texts
from inkframe.errors import InvalidArgument
from inkframe.exploring.embed import read_vectors, term_matrix
from inkframe.versions import text_type


@pytest.fixture
def shelf():
    """Return texts about tea and about bicycles, one without text."""
    tea = ["black tea in a warm cup", "green tea, a cup of it", "a cup for tea leaves", "tea leaves, black"]
    wheels = ["a bicycle with two wheels", "wheels of a red bicycle", "red bicycle, spare wheels"]
    return pd.DataFrame(
        {"result": pd.array([*tea, *wheels, None], text_type())}, index=pd.Index([*"abcdefgh"], text_type())
    )


def closeness(vectors):
    """Return the cosines of all pairs."""
    values = vectors.to_numpy()
    return values @ values.T


def test_texts_about_the_same_thing_have_similar_vectors(shelf):
    """Rows have the frame's index and length 1; a record without text is NA."""
    vectors = embed(shelf)
    assert list(vectors.index) == list(shelf.index)
    assert vectors.loc["h"].isna().all()
    assert np.linalg.norm(vectors.loc[:"g"], axis=1) == pytest.approx(1, abs=1e-5)
    between = closeness(vectors.loc[:"g"])
    assert between[:4, :4].mean() > 0.5
    assert between[:4, 4:].mean() < 0.2
    assert "1 of 8" in vectors.attrs["analysis"]["notes"][0]


def test_the_same_frame_gives_the_same_vectors(shelf):
    """The order of rows and the number of dimensions are the caller's."""
    pd.testing.assert_frame_equal(embed(shelf), embed(shelf.copy()))
    assert embed(shelf, dimensions=2).shape == (8, 2)


def test_languages_without_spaces_are_compared_by_pairs_of_letters():
    """The result says so."""
    frame = pd.DataFrame({"result": ["日本語の文章です", "日本語の文書です", "自転車は速い", "自転車は赤い"]})
    vectors = embed(frame)
    between = closeness(vectors)
    assert min(between[0, 1], between[2, 3]) > between[:2, 2:].max()
    assert "pairs of letters" in vectors.attrs["analysis"]["notes"][0]
    vectors = embed(pd.concat([frame, pd.DataFrame({"result": [None]})]))
    assert "1 of 5" in vectors.attrs["analysis"]["notes"][0]  # what is left out matters more


def test_images_are_compared_by_description_and_settings(images):
    """Two with the same description and settings are equal; with pictures, their colors and shapes count."""
    between = closeness(embed(images))
    assert between[0, 2] == pytest.approx(1, abs=1e-5)
    assert between[0, 1] < 0.5


def test_images_are_compared_by_their_pictures(images, pictures):
    """A resized picture is closest to its original; one without picture is NA."""
    del pictures["d"]
    assert embed(images, pictures=pictures, dimensions=1).shape == (4, 1)
    vectors = embed(images, pictures=pictures)
    between = closeness(vectors.loc[["a", "b", "c"]])
    assert between[0, 2] > 0.95 > between[0, 1]
    assert vectors.loc["d"].isna().all()


def test_small_frames_have_vectors():
    """One text, equal texts, and texts without a common word are no error."""
    for texts in (["one"], ["same"] * 3, ["a", "b", "c"], ["", "word"]):
        assert np.isfinite(embed(pd.DataFrame({"result": texts})).to_numpy()).all()


def test_a_frame_without_texts_is_refused(shelf):
    """Nothing can be compared."""
    with pytest.raises(ink.InvalidArgument, match="No record has a text"):
        embed(shelf.loc[["h"]])
    with pytest.raises(ink.InvalidArgument, match="no column 'result'"):
        embed(shelf.rename(columns={"result": "x"}))
    with pytest.raises(ink.InvalidArgument, match="dimensions must be"):
        embed(shelf, dimensions=0)


@pytest.mark.parametrize("name", ["clusters", "embed", "outliers", "project", "topics"])
def test_the_missing_extra_is_named(shelf, monkeypatch, name):
    """Without scikit-learn the error has the command that installs it."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ink.ConfigurationError) as caught:
        getattr(analysis, name)(shelf)
    assert str(caught.value) == (
        'Topics and maps need scikit-learn, which is not installed.\nInstall it: pip install "inkframe[explore]"'
    )


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.full((2, 3), np.nan), "No record has a vector.\nPass embed(frame) of a frame with texts."),
        (
            np.zeros((3, 2)),
            (
                "vectors must have one row for each of the 2 records, got the shape (3, 2).\n"
                "Pass embed(frame), or an array of numbers in the order of the frame."
            ),
        ),
        ([["a"], ["b"]], "vectors must be a frame or an array of numbers.\nPass embed(frame)."),
    ],
)
def test_errors_of_vectors(vectors, message):
    """Vectors that do not fit are refused with the remedy."""
    with pytest.raises(InvalidArgument) as caught:
        read_vectors(pd.DataFrame({"result": ["a", "b"]}), vectors, None, 0)
    assert str(caught.value) == message


def test_rows_without_numbers_have_no_vector():
    """A row with a missing number is not present, and its vector is zero; frames are aligned by their index."""
    frame = pd.DataFrame({"result": ["a", "b", "c"]}, index=[5, 6, 7])
    values, present = read_vectors(frame, pd.DataFrame([[1, 2], [3, None]], index=[7, 6]), None, 0)
    assert values.tolist() == [[0, 0], [0, 0], [1, 2]]
    assert present.tolist() == [False, False, True]


def test_vectors_with_repeated_labels_are_taken_in_order():
    """Where labels of the frame or of the vectors repeat, rows are matched by their order."""
    vectors = [[1.0, 2.0], [3.0, 4.0]]
    for labels, others in [((1, 2), (5, 5)), ((1, 1), (5, 6)), ((1, 1), (1, 1))]:
        frame = pd.DataFrame({"result": ["a", "b"]}, index=labels)
        values, _ = read_vectors(frame, pd.DataFrame(vectors, index=others), None, 0)
        assert values.tolist() == vectors


def test_weights_of_terms():
    """Words in more than half of the texts or in only one are left out, unless none would remain."""
    texts = ["tea cup cup", "tea pot", "tea cup pot lid", "tea", "lamp", "lamp lid"]
    terms = read_terms(only_texts(texts))
    assert terms.vocabulary == ["lid", "cup", "tea", "lamp", "pot"]
    assert term_matrix(terms).toarray().round(4).tolist() == [
        [0, 0.9196, 0, 0],
        [0, 0, 0, 0.8102],
        [0.5327, 0.5327, 0, 0.5327],
        [0, 0, 0, 0],
        [0, 0, 1, 0],
        [0.7071, 0, 0.7071, 0],
    ]
    half = ["tea cup", "tea pot", "lid lid", "lid lamp"]  # two of four is not more than half
    assert (term_matrix(read_terms(only_texts(half))).toarray() > 0).sum(axis=0).tolist() == [2, 2]
    both = term_matrix(read_terms(only_texts(["tea cup", "tea pot"]))).toarray()
    assert (both > 0).tolist() == [[True], [True]]
    apart = term_matrix(read_terms(only_texts(["tea", "cup"]))).toarray()
    assert apart.tolist() == [[0, 1], [1, 0]]
    assert term_matrix(read_terms(only_texts(["", "…"]))).toarray().tolist() == [[0], [0]]


@pytest.mark.integration
def test_whole_vectors(shelf, images, pictures, recorded):
    """The cosines of all pairs, the columns, units and notes of texts and of pictures."""
    for name, vectors in (
        ("texts", embed(shelf, dimensions=3)),
        ("images", embed(images)),
        ("pictures", embed(images, pictures={id: pictures[id] for id in "abc"})),
    ):
        cosines = np.nan_to_num(closeness(vectors), nan=-9).round(3)
        recorded(name, {"frame": vectors.iloc[:0].copy(), "cosines": cosines.tolist()})
