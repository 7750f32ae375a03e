"""The ids of a frame's rows, from its index or a column."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["fit_int64", "identified"]

INT64: Final = np.iinfo(np.int64)

#: Below this, every whole number is an exact float.
EXACT: Final = 2.0**53


def identified(frame: pd.DataFrame, *, distinct: bool = True) -> pd.DataFrame:
    """Return a frame with its ids as the index: int64 if all ids are integers, else strings.

    Args:
        frame: A frame whose index is named ``id``, or that has a column ``id``.
        distinct: Whether each id must appear in one row only.

    Raises:
        InvalidArgument: It is not a DataFrame, has no ids, or an id is missing, invalid or repeated.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument(
            f"Expected a DataFrame, got {type(frame).__name__}.\nPass a DataFrame with ids."
        )
    if frame.index.name == "id":
        ids = frame.index
        rows = frame
    elif "id" in frame.columns:
        ids = pd.Index(frame["id"])
        rows = frame.drop(columns="id")
    else:
        raise InvalidArgument(
            "The frame has no ids: its index is not named id, and there is no column id.\n"
            "Name the index, or add the column."
        )
    ids = _checked(ids)
    if distinct and not ids.is_unique:
        repeated = ids[ids.duplicated()].tolist()[0]
        raise InvalidArgument(f"The id {repeated!r} appears in more than one row.\nKeep one of the rows.")
    return rows if ids is rows.index else rows.set_axis(ids, axis=0)


def fit_int64(values: Iterable[Any]) -> bool:
    """Return whether all values are integers within int64."""
    return all(isinstance(value, int) and INT64.min <= value <= INT64.max for value in values)


def _checked(ids: pd.Index) -> pd.Index:
    if ids.dtype == np.int64 or (ids.dtype == "str" and not ids.hasnans and "" not in ids):
        return ids if ids.name == "id" else ids.rename("id")
    values = [_id(value, row) for row, value in enumerate(ids)]
    if fit_int64(values):
        return pd.Index(np.array(values, dtype=np.int64), name="id")
    return pd.Index([str(value) for value in values], dtype="str", name="id")


def _id(value: Any, row: int) -> int | str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)  # an outer join or a file with missing values turns integers into floats
    if pd.api.types.is_scalar(value) and pd.isna(value):
        raise InvalidArgument(f"Row {row} (counted from 0) has no id.\nDrop it: frame.dropna(subset='id').")
    raise InvalidArgument(
        f"Row {row} (counted from 0): {value!r} is not a valid id.\nAn id is an integer or a string."
    )
