import numpy as np
import pandas as pd
import pytest
from tests.cases import cases, type_name

from inkframe.errors import InvalidArgument
from inkframe.frames import identified


@cases(
    ("ids", "dtype", "given"),
    [
        (np.array([3, 1]), "int64", [3, 1]),
        (pd.array([3, 1], dtype="Int64"), "int64", [3, 1]),
        (np.array([3, 1], dtype="uint8"), "int64", [3, 1]),
        (["007", "7"], "str", ["007", "7"]),
        (np.array([1, "x"], dtype=object), "str", ["1", "x"]),
        (np.array([2**70, 1], dtype=object), "str", [str(2**70), "1"]),
        ([2.0**53 - 1, 2.0], "int64", [2**53 - 1, 2]),
        (np.array([-(2**63), 2**63 - 1], dtype=object), "int64", [-(2**63), 2**63 - 1]),
        (np.array([1, 2**63], dtype=object), "str", ["1", str(2**63)]),
        (np.array([1, -(2**63) - 1], dtype=object), "str", ["1", str(-(2**63) - 1)]),
        ([], "int64", []),
    ],
)
@cases("as_index", [True, False])
def test_ids_as_index_or_column(ids, dtype, given, as_index):
    """Ids are found in the index or a column, integers if all are, else strings; the frame is unchanged."""
    frame = pd.DataFrame({"id": ids, "name": ["a", "b"][: len(ids)]})
    frame = frame.set_index("id") if as_index else frame
    before = frame.copy()
    found = identified(frame)
    assert (found.index.tolist(), type_name(found.index.dtype), found.index.name) == (given, dtype, "id")
    assert list(found.columns) == ["name"]
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, 1], "The id 1 appears in more than one row."),
        (["a", "a"], "The id 'a' appears in more than one row."),
        ([1.0, 2.0**53], "Row 1 (counted from 0): 9007199254740992.0 is not a valid id."),
        ([1.5, 2.0], "Row 0 (counted from 0): 1.5 is not a valid id."),
        ([1.0, np.nan], "Row 1 (counted from 0) has no id."),
        (pd.array([1, None], dtype="Int64"), "Row 1 (counted from 0) has no id."),
        (["a", None], "Row 1 (counted from 0) has no id."),
        (["a", ""], "Row 1 (counted from 0): '' is not a valid id."),
        ([True, False], "Row 0 (counted from 0): True is not a valid id."),
    ],
)
def test_invalid_ids_are_refused(ids, message):
    """Missing, repeated and invalid ids are refused with their row or value."""
    with pytest.raises(InvalidArgument) as refused:
        identified(pd.DataFrame({"id": ids}))
    assert str(refused.value).startswith(message)


def test_repeated_ids_can_be_allowed():
    """With ``distinct=False`` an id may appear twice."""
    assert identified(pd.DataFrame({"id": [1, 1]}), distinct=False).index.tolist() == [1, 1]
