"""Frames as arguments: what must be in them, and their columns as Arrow texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["annotate", "flags", "left_out", "levels", "only_texts", "require", "share", "texts", "whole"]

#: More columns than this are cut short in an error.
LISTED: Final = 12


def require(frame: object, *columns: str) -> None:
    """Refuse what is no frame with these columns.

    Args:
        frame: What was given.
        columns: The names that must be there.

    Raises:
        InvalidArgument: It is no DataFrame, or a column is missing; names what there is.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument(
            f"A pandas DataFrame was expected, not {type(frame).__name__}.\n"
            "Pass what client.documents.all() or client.images.all() gives, or a frame with the same columns."
        )
    if repeated := [name for name in columns if list(frame.columns).count(name) > 1]:
        raise InvalidArgument(
            f"The column {repeated[0]!r} stands twice in the frame.\nRename or drop one of them."
        )
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        has = ", ".join(map(str, frame.columns[:LISTED])) or "no columns"
        more = " …" if len(frame.columns) > LISTED else ""
        raise InvalidArgument(
            f"The frame has no column {', '.join(map(repr, missing))}.\n"
            f"It has: {has}{more}.\nRename a column, or name another one in the call."
        )


def texts(frame: pd.DataFrame, column: str) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """Give a column as Arrow texts without nulls, and where there was a text.

    Args:
        frame: Any frame.
        column: A column of text: pandas ``str``, objects, or categories.

    Raises:
        InvalidArgument: The column is missing, or holds something that is no text.
    """
    require(frame, column)
    values = frame[column]
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(values.cat.categories.dtype)
    try:
        array = pa.array(values, from_pandas=True)
        if pa.types.is_null(array.type):
            array = array.cast(pa.large_string())
    except UnicodeEncodeError:
        array = pa.array([_clean(value) for value in values], pa.large_string(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        array = None
    if array is None or not (pa.types.is_large_string(array.type) or pa.types.is_string(array.type)):
        raise InvalidArgument(
            f"The column {column!r} holds {values.dtype}, which is no text.\n"
            f"Turn it into text first, such as frame.astype({{{column!r}: 'str'}})."
        )
    present = np.asarray(pc.is_valid(array))
    whole_texts = array if present.all() else pc.fill_null(array, "")
    chunked = whole_texts if isinstance(whole_texts, pa.ChunkedArray) else pa.chunked_array([whole_texts])
    return chunked, present


def only_texts(values: Sequence[str]) -> pa.ChunkedArray:
    """Give a list of texts as the functions of this package take them."""
    return pa.chunked_array([pa.array([_clean(value) for value in values], pa.large_string())])


def flags(frame: pd.DataFrame, column: str) -> NDArray[np.bool_]:
    """Give a column of yes and no; nothing counts as no."""
    require(frame, column)
    try:
        values = frame[column].astype("boolean")
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"The column {column!r} holds {frame[column].dtype}, which is no true or false.\n"
            "Use True and False, or 1 and 0."
        ) from None
    return values.to_numpy(dtype=bool, na_value=False)


def levels(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Give the creativity of each row as a number, NaN where there is none."""
    require(frame, "creativity")
    try:
        return np.asarray(frame["creativity"].astype("float64"), np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"The column 'creativity' holds {frame['creativity'].dtype}, not levels.\nUse numbers from 0 to 1."
        ) from None


def whole(name: str, value: object, *, least: int = 1) -> int:
    """Give a whole number that is not too small.

    Raises:
        InvalidArgument: It is no whole number, or smaller than ``least``.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidArgument(f"{name}={value!r} must be a whole number of at least {least}.")
    return int(value)


def share(name: str, value: object) -> float:
    """Give a number above 0 and up to 1.

    Raises:
        InvalidArgument: It is not between 0 and 1.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= 1:
        raise InvalidArgument(f"{name}={value!r} must be above 0 and at most 1.")
    return float(value)


def annotate(frame: pd.DataFrame, units: Mapping[str, str], *notes: str) -> pd.DataFrame:
    """Put the units of a result, and what a reader must know of it, into ``frame.attrs["analysis"]``."""
    known = {name: unit for name, unit in units.items() if name in frame.columns}
    frame.attrs = frame.attrs | {"analysis": {"units": known, "notes": [note for note in notes if note]}}
    return frame


def left_out(used: int, frame: pd.DataFrame, what: str) -> str:
    """Return the note about records that lack what a result is made of; nothing where none do."""
    missing = len(frame) - used
    return f"Left out without {what}: {missing} of {len(frame)} records." if missing else ""


def _clean(value: Any) -> Any:
    # Half of a surrogate pair is no character; UTF-8 has no bytes for it.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
