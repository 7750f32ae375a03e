"""Check frames and pictures as arguments, and return columns as Arrow texts."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.errors import InvalidArgument
from inkframe.frames import attribute
from inkframe.versions import as_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

__all__ = [
    "Pictures",
    "annotate",
    "attribute",
    "confidence_level",
    "each_picture",
    "flags",
    "is_lazy",
    "left_out",
    "levels",
    "number",
    "only_texts",
    "positive",
    "require",
    "result_of",
    "share",
    "texts",
    "whole",
]

#: The maximum number of columns that an error lists.
LISTED: Final = 12

#: Bytes or ``PIL.Image`` by id, as a mapping, a Series, or a function of the id.
Pictures = Mapping[Any, Any] | pd.Series | Callable[[Any], Any]


def require(frame: object, *columns: str) -> None:
    """Raise an error unless the argument is a frame with these columns.

    Args:
        frame: The argument.
        columns: The required names.

    Raises:
        InvalidArgument: It is not a DataFrame, or a column is missing. The message lists the columns.
    """
    if is_lazy(frame):
        raise InvalidArgument(
            f"Expected a pandas DataFrame, got a dask {type(frame).__name__}.\n"
            "Pass the result of its .compute(), which collects all rows."
        )
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument(
            f"Expected a pandas DataFrame, got {type(frame).__name__}.\n"
            "Pass the result of client.documents.all() or client.images.all(), or a frame with these columns."
        )
    if repeated := [name for name in columns if list(frame.columns).count(name) > 1]:
        raise InvalidArgument(
            f"The column {repeated[0]!r} appears twice in the frame.\nRename or drop one of them."
        )
    missing = [name for name in columns if name not in frame.columns]
    if missing == ["result"] and {"picture_url", "description"} <= set(frame.columns):
        raise InvalidArgument(
            "The frame has no column 'result': it is of images, which have no texts.\n"
            "Pass column='description'. To compare pictures, near_duplicates and embed take\n"
            "pictures=lambda id: client.images.get(id).picture."
        )
    if missing:
        has = ", ".join(map(str, frame.columns[:LISTED])) or "no columns"
        more = " …" if len(frame.columns) > LISTED else ""
        raise InvalidArgument(
            f"The frame has no column {', '.join(map(repr, missing))}.\n"
            f"It has: {has}{more}.\nRename a column, or pass another name."
        )


def result_of(
    compute: Callable[..., pd.DataFrame],
    frame: pd.DataFrame,
    columns: Iterable[str],
    *args: Any,
    **options: Any,
) -> pd.DataFrame:
    """Return a frame if it is a result already, which has these columns, else what is computed of it.

    Args:
        compute: The function that a plot draws the result of.
        frame: What the plot was given.
        columns: Columns of every result.
        args: Further arguments of the function.
        options: Its keyword arguments.

    Raises:
        InvalidArgument: It is not a DataFrame, or nothing can be computed of it.
    """
    require(frame)
    return frame if set(columns) <= set(frame.columns) else compute(frame, *args, **options)


def is_lazy(frame: object) -> bool:
    """Return whether this is a dask frame."""
    return not isinstance(frame, pd.DataFrame) and hasattr(frame, "map_partitions")


def texts(frame: pd.DataFrame, column: str) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """Return a column as Arrow texts without nulls, and whether each row had a text.

    Args:
        frame: Any frame.
        column: A column of text: pandas ``str``, objects, or categories.

    Raises:
        InvalidArgument: The column is missing or does not hold text.
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
            f"The column {column!r} must hold text, got {values.dtype}.\n"
            f"Convert it, such as with frame.astype({{{column!r}: 'str'}})."
        )
    present = np.asarray(pc.is_valid(array))
    whole_texts = array if present.all() else pc.fill_null(array, "")
    chunked = whole_texts if isinstance(whole_texts, pa.ChunkedArray) else pa.chunked_array([whole_texts])
    return chunked, present


def only_texts(values: Sequence[str]) -> pa.ChunkedArray:
    """Return a list of texts as Arrow texts."""
    return pa.chunked_array([pa.array([_clean(value) for value in values], pa.large_string())])


def flags(frame: pd.DataFrame, column: str) -> NDArray[np.bool_]:
    """Return a boolean column; missing values count as False."""
    values = _converted(frame, column, "boolean", "booleans", "Use True and False, or 1 and 0.")
    return values.to_numpy(dtype=bool, na_value=False)


def levels(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return the creativity of each row as a number, NaN if it is missing."""
    values = _converted(frame, "creativity", "float64", "numbers", "Use numbers from 0 to 1.")
    return np.asarray(values, np.float64)


def _converted(frame: pd.DataFrame, column: str, dtype: Any, what: str, advice: str) -> pd.Series:
    require(frame, column)
    try:
        return frame[column].astype(dtype)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"The column {column!r} must hold {what}, got {frame[column].dtype}.\n{advice}"
        ) from None


def whole(name: str, value: object) -> int:
    """Check that a value is an integer of at least 1, and return it.

    Raises:
        InvalidArgument: It is not an integer, or smaller than 1.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InvalidArgument(f"{name} must be an integer of 1 or greater, got {value!r}.")
    return int(value)


def share(name: str, value: object) -> float:
    """Check that a value is a number above 0 and at most 1, and return it.

    Raises:
        InvalidArgument: It is not above 0 and at most 1.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= 1:
        raise InvalidArgument(f"{name} must be above 0 and at most 1, got {value!r}.")
    return float(value)


def number(name: str, value: object) -> float:
    """Check that a value is a finite number, and return it.

    Raises:
        InvalidArgument: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise InvalidArgument(f"{name} must be a number, got {value!r}.")
    return float(value)


def positive(name: str, value: object) -> float:
    """Check that a value is a finite number above 0, and return it.

    Raises:
        InvalidArgument: It is not.
    """
    if (found := number(name, value)) <= 0:
        raise InvalidArgument(f"{name} must be above 0, got {value!r}.")
    return found


def confidence_level(value: object) -> float:
    """Check that a confidence level is above 0.5 and below 1, and return it.

    Raises:
        InvalidArgument: It is not.
    """
    if not 0.5 < (level := number("confidence", value)) < 1:
        raise InvalidArgument(f"confidence must be above 0.5 and below 1, got {value!r}.\nUsual is 0.95.")
    return level


def annotate(frame: pd.DataFrame, units: Mapping[str, str], *notes: str) -> pd.DataFrame:
    """Return a result with its units and notes for the reader in ``attrs["analysis"]``, and its texts as texts."""
    frame = as_texts(frame)
    known = {name: unit for name, unit in units.items() if name in frame.columns}
    frame.attrs = frame.attrs | {"analysis": {"units": known, "notes": [note for note in notes if note]}}
    return frame


def left_out(used: int, frame: pd.DataFrame, what: str) -> str:
    """Return a note about the records that were left out, or an empty string."""
    missing = len(frame) - used
    return f"Left out without {what}: {missing} of {len(frame)} records." if missing else ""


def _clean(value: Any) -> Any:
    # A lone surrogate is not a character and has no UTF-8 encoding.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def each_picture(ids: pd.Index, pictures: Pictures | None, side: int) -> Iterator[tuple[int, Image]]:
    """Yield the pictures of some records, one in memory at a time.

    Args:
        ids: The ids, which are the index of a frame of images.
        pictures: The source of the pictures. Missing ones and None are skipped.
        side: The side in pixels that is needed: a JPEG is decoded no larger than necessary.

    Yields:
        The position of the id, and its picture in RGB, on white if it is transparent.

    Raises:
        InvalidArgument: There is no source of pictures, or a value is not a picture.
    """
    if not (callable(pictures) or isinstance(pictures, Mapping | pd.Series)):
        raise InvalidArgument(
            f"pictures must be a dict, a Series or a function of the id, got {type(pictures).__name__}.\n"
            "Its values must be bytes or PIL images, such as\n"
            "pictures=lambda id: client.images.get(id).picture."
        )
    for position, key in enumerate(ids):
        value = pictures(key) if callable(pictures) else pictures.get(key)
        if value is not None and value is not pd.NA:
            yield position, _opened(value, key, side)


def _opened(value: Any, key: object, side: int) -> Image:
    from PIL import Image

    try:
        picture = (
            Image.open(io.BytesIO(value)) if isinstance(value, bytes | bytearray | memoryview) else value
        )
        if picture.format == "JPEG" and picture is not value:
            picture.draft("RGB", (2 * side, 2 * side))
        if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
            layer = picture.convert("RGBA")
            picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
        return picture.convert("RGB")
    except (AttributeError, OSError, SyntaxError, TypeError, ValueError) as error:
        raise InvalidArgument(
            f"The picture of {key!r} cannot be read.\n"
            f"Pass the bytes of a picture file or a PIL image, got {type(value).__name__}."
        ) from error
