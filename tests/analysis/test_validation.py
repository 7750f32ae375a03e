import math

import numpy as np
import pandas as pd
import pytest

from inkframe.analysis.validation import (
    confidence_level,
    flags,
    left_out,
    levels,
    number,
    positive,
    require,
    share,
    texts,
    whole,
)
from inkframe.errors import InvalidArgument
from inkframe.versions import text_type


def test_a_repeated_column_is_refused():
    """A frame with two columns of the same name is refused."""
    with pytest.raises(InvalidArgument, match="'result' appears twice in the frame"):
        texts(pd.DataFrame([["a", "b"]], columns=["result", "result"]), "result")
    twice = pd.DataFrame([range(4)], columns=["b", "a", "b", "a"])
    with pytest.raises(InvalidArgument) as caught:
        require(twice, "b", "a")
    assert str(caught.value).startswith("The column 'b' appears twice in the frame.\n")


@pytest.mark.parametrize(
    ("name", "check", "good", "bad", "message"),
    [
        (
            "n",
            whole,
            [1, np.int64(3)],
            [0, -1, 2.0, True, "3"],
            "n must be an integer of 1 or greater, got {!r}.",
        ),
        (
            "p",
            share,
            [1e-9, 1, np.float64(0.5)],
            [0, 1.01, True, None, "1"],
            "p must be above 0 and at most 1, got {!r}.",
        ),
        (
            "p",
            number,
            [0, -2.5, np.int8(4)],
            [math.nan, math.inf, True, "1", None],
            "p must be a number, got {!r}.",
        ),
        ("p", positive, [1e-9, 7], [0, -1], "p must be above 0, got {!r}."),
    ],
)
def test_bounds_of_numbers(name, check, good, bad, message):
    """Numbers at the bounds are returned as plain numbers, and others are refused with their value."""
    for value in good:
        assert check(name, value) == value
        assert type(check(name, value)) in (int, float)
    for value in bad:
        with pytest.raises(InvalidArgument) as caught:
            check(name, value)
        assert str(caught.value) == message.format(value)


def test_bounds_of_confidence():
    """A confidence level is above 0.5 and below 1."""
    assert confidence_level(0.51) == 0.51
    for value in (0.5, 1, 0.3, 1.5):
        with pytest.raises(InvalidArgument) as caught:
            confidence_level(value)
        assert str(caught.value) == f"confidence must be above 0.5 and below 1, got {value}.\nUsual is 0.95."


@pytest.mark.parametrize(("columns", "listed"), [(0, "no columns"), (12, "c10, c11"), (13, "c10, c11 …")])
def test_a_missing_column_is_named_with_those_there(columns, listed):
    """The error lists up to twelve columns, and says whether there are more."""
    frame = pd.DataFrame({f"c{at}": [1] for at in range(columns)})
    with pytest.raises(InvalidArgument) as caught:
        texts(frame, "result")
    first, second, third = str(caught.value).split("\n")
    assert first == "The frame has no column 'result'."
    assert second.endswith(f"{listed}.")
    assert third == "Rename a column, or pass another name."


def test_missing_values_of_columns():
    """Missing texts are empty and not present, missing flags are False, and missing levels are NaN."""
    columns = {"result": ["a", None, "\ud800"], "favorite": [True, None, False], "creativity": [1, None, 0.5]}
    frame = pd.DataFrame(columns, dtype=object)
    values, present = texts(frame, "result")
    assert (values.to_pylist(), present.tolist()) == (["a", "", "?"], [True, False, True])
    assert flags(frame, "favorite").tolist() == [True, False, False]
    assert np.isnan(levels(frame)).tolist() == [False, True, False]
    for kind in ("category", "object", text_type()):
        assert texts(frame[:2].astype({"result": kind}), "result")[0].to_pylist() == ["a", ""]
    assert texts(pd.DataFrame({"result": [None, None]}), "result")[1].tolist() == [False, False]


def test_notes_of_records_left_out():
    """The note has the numbers; without such records it is empty."""
    frame = pd.DataFrame({"a": [1, 2, 3]})
    assert left_out(3, frame, "text") == ""
    assert left_out(1, frame, "text") == "Left out without text: 2 of 3 records."
