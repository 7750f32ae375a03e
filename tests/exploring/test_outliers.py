"""Records that are unlike all others."""

import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import outliers
from inkframe.versions import text_type

USUAL = [
    f"a {color} cup of {kind} tea"
    for color in ("red", "blue", "white")
    for kind in ("green", "black", "mint")
]


def found(*texts):
    """Return the reasons of the outliers of some texts among usual ones."""
    frame = pd.DataFrame({"name": "n", "result": pd.array([*USUAL, *texts], text_type())})
    return outliers(frame, len(texts))["reason"].to_dict()


def test_the_reason_is_given():
    """Rare words, an unusual length, and no words at all are different reasons."""
    assert found("quantum gluons") == {9: "rare words: quantum, gluons"}
    assert found("unlike " * 400)[9].startswith("unusually long: 2,800 characters, typical are")
    assert found("x")[9].startswith("unusually short: 1 characters")
    assert found("…")[9] == "no words"


def test_the_lowest_scores_come_first():
    """With all columns of the frame; a record without text is not an outlier."""
    frame = pd.DataFrame({"name": "n", "result": pd.array([*USUAL, None, "quantum gluons"], text_type())})
    result = outliers(frame, 3)
    assert list(result.columns) == ["score", "reason", "name", "result"]
    assert result.index[0] == 10
    assert result["score"].is_monotonic_increasing
    assert 9 not in outliers(frame, 100).index


def test_bad_arguments_are_refused():
    """So is a frame without texts."""
    with pytest.raises(ink.InvalidArgument, match="n must be"):
        outliers(pd.DataFrame({"result": ["a"]}), 0)
    with pytest.raises(ink.InvalidArgument, match="no column 'result'"):
        outliers(pd.DataFrame({"name": ["a"]}))
    assert len(outliers(pd.DataFrame({"result": ["a"]}))) == 1


def test_whole_table(documents, recorded):
    """The columns, reasons, units and notes."""
    texts = [*documents["result"][:58], "A boat leaves the harbor at noon.", None]
    frame = documents.assign(result=pd.array(texts, text_type()))
    found = outliers(frame, 2)
    recorded("outliers", found.drop(columns="created_at").round(2).iloc[:1])


@pytest.mark.integration
def test_unusual_lengths():
    """A length is unusual where its logarithm is 3.5 deviations from the middle, each of at least 0.3."""
    same = ["x" * 99 for _ in range(7)]
    spread = [letters * count for count in (50, 100, 200) for letters in "x" * 7]
    for texts, short, long in ((same, 34, 285), (spread, 2, 3_501)):
        for length, unusual in ((short - 1, True), (short, False), (long - 1, False), (long, True)):
            frame = pd.DataFrame({"result": pd.array([*texts, "y" * length], text_type())})
            reason = outliers(frame, len(frame))["reason"][len(texts)]
            assert (
                reason.startswith(f"unusually {'short' if length < 40 else 'long'}: {length:,} ") == unusual
            )
            assert reason.endswith(", typical are 99" if texts is same else "100") == unusual


@pytest.mark.integration
def test_whole_scores(recorded):
    """Every score and reason, also of texts that share no word with others, and of one text alone."""
    texts = [*USUAL, "quantum gluons", "a tea", "…", "green green green", None]
    frame = pd.DataFrame({"score": 1, "reason": "x", "result": pd.array(texts, text_type())})
    recorded("scores", outliers(frame, 20).round(3))
    recorded("one", outliers(frame[:1]))
    recorded("none", outliers(frame[13:]))
    recorded("no words", outliers(frame[11:12]))
