"""Records that are unlike all others."""

from __future__ import annotations

import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import outliers

USUAL = [
    f"a {color} cup of {kind} tea"
    for color in ("red", "blue", "white")
    for kind in ("green", "black", "mint")
]


def found(*texts):
    """Return the reasons of the outliers of some texts among usual ones."""
    frame = pd.DataFrame({"name": "n", "result": pd.array([*USUAL, *texts], "str")})
    return outliers(frame, len(texts))["reason"].to_dict()


def test_the_reason_is_given():
    """Rare words, an unusual length, and no words at all are different reasons."""
    assert found("quantum gluons") == {9: "words that few others have: quantum, gluons"}
    assert found("unlike " * 400)[9].startswith("unusually long: 2,800 characters, typical are")
    assert found("x")[9].startswith("unusually short: 1 characters")
    assert found("…")[9] == "no words"


def test_the_lowest_scores_come_first():
    """With all columns of the frame; a record without text is not an outlier."""
    frame = pd.DataFrame({"name": "n", "result": pd.array([*USUAL, None, "quantum gluons"], "str")})
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
    frame = documents.assign(result=[*documents["result"][:58], "A boat leaves the harbor at noon.", None])
    found = outliers(frame, 2)
    recorded("outliers", found.drop(columns="created_at").round(2).iloc[:1])
