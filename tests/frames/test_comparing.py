import numpy as np
import pandas as pd
from tests.cases import cases

from inkframe.frames import plain, same
from inkframe.versions import text_type

NA = pd.NA
MOMENT = pd.Timestamp("2026-05-17 08:30:15.123456", tz="UTC")


def column(values, dtype=None):
    return pd.Series(pd.array(values, dtype=dtype) if dtype else values)


@cases(
    ("new", "old", "equal"),
    [
        (
            column(["a", "b", None, "c"], text_type()),
            column(["a", "x", None, None], text_type()),
            [1, 0, 1, 0],
        ),
        (column(["a", 5, None], object), column(["a", "6", None], text_type()), [1, 0, 1]),
        (column([True, NA, NA], "boolean"), column([True, NA, False], "boolean"), [1, 1, 0]),
        (column([np.True_, False, None], object), column([True, True, NA], "boolean"), [1, 0, 1]),
        (column(["yes", "no"], text_type()), column([True, False], "boolean"), [0, 0]),
        (column([3.0, np.nan]), column([3, NA], "Int64"), [1, 1]),
        (column([3.5, 4.0]), column([3, 4], "Int64"), [0, 1]),
        (column(["0.25", "0.3"], text_type()), column([0.25, 0.5]), [1, 0]),
        (column([str(MOMENT), None], text_type()), column([MOMENT, pd.NaT]), [1, 1]),
        (
            column(["2026-05-17 08:30:15.123456", "2026-05-17T08:30:15"], text_type()),
            column([MOMENT, MOMENT.floor("s")]),
            [1, 1],
        ),
        (column([MOMENT.tz_convert("Asia/Tokyo")]), column([MOMENT]), [1]),
        (column(["no time"], object), column([MOMENT]), [0]),
        (column(["a", "b", None], text_type()), column(["a", None, None], "category"), [1, 0, 1]),
        (column(["a", "z"], "category"), pd.Series(pd.Categorical(["a", "b"], ["b", "a"])), [1, 0]),
    ],
)
def test_values_are_compared_whatever_their_types(new, old, equal):
    """Equal values are the same in any type, and a missing value equals only a missing value."""
    assert same(new, old).tolist() == [bool(each) for each in equal]
    assert same(old, old).all()


def test_rows_are_compared_by_position():
    """Index labels are ignored."""
    assert same(pd.Series(["a"], index=[7]), pd.Series(["a"], index=[9])).tolist() == [True]
    assert same(pd.Series([], dtype=text_type()), pd.Series([], dtype=text_type())).tolist() == []


def test_plain_values():
    """Values are Python objects, and every kind of missing value is None."""
    assert plain(column([1, NA], "Int64")) == [1, None]
    assert plain(column(["a", None], text_type())) == ["a", None]
    assert plain(column([0.5, np.nan])) == [0.5, None]
    assert plain(column([True, NA], "boolean"))[0] is True
