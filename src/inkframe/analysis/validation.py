"""Check frames, pictures and vectors as arguments, and return columns as Arrow texts."""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.errors import InkframeError, InvalidArgument
from inkframe.frames import attribute, text_column
from inkframe.schema import IMAGES
from inkframe.versions import as_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

__all__ = [
    "Pictures",
    "align_vectors",
    "annotate",
    "ask_vectors",
    "attribute",
    "confidence_level",
    "cosines",
    "each_picture",
    "flags",
    "is_lazy",
    "left_out",
    "levels",
    "number",
    "only_texts",
    "positive",
    "read_texts",
    "require",
    "result_of",
    "share",
    "texts",
    "whole",
]

#: The maximum number of columns that an error lists.
LISTED: Final = 12
#: The most texts that a function of vectors is called with, and the most functions whose vectors are kept.
MOST_TEXTS, FUNCTIONS, ASKING = 256, 8, Lock()
REMEDY: Final = "Pass a function that takes a list of texts and returns an array with a row for each."

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
        has = ", ".join(" ".join(str(name).split()) for name in frame.columns[:LISTED]) or "no columns"
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


def texts(frame: pd.DataFrame, column: str | None = None) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """Return a column as Arrow texts without nulls, and whether each row had a text.

    Args:
        frame: Any frame.
        column: A column of text: pandas ``str``, objects, or categories; by default the generated one, or ``result``.

    Raises:
        InvalidArgument: The column is missing or does not hold text, or several were generated.
    """
    require(frame, column := text_column(frame, column))
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
    filled = array if present.all() else pc.fill_null(array, "")
    return filled if isinstance(filled, pa.ChunkedArray) else pa.chunked_array([filled]), present


def read_texts(frame: pd.DataFrame, column: str | None) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """Return the texts that records are compared by, without nulls, and whether each row has one."""
    column = text_column(frame, column)
    if column != "result" or column in frame.columns or "description" not in frame.columns:
        return texts(frame, column)
    # The settings of images that may be left out count as words of their description.
    names = [name for name, field in IMAGES.settings.items() if field.create == "optional"]
    parts = [frame[name].astype("object") for name in ("description", *names) if name in frame.columns]
    whole_texts = [
        None if pd.isna(text) else " ".join([str(text), *(f"{value}" for value in values if pd.notna(value))])
        for text, *values in zip(*parts, strict=True)
    ]
    return texts(pd.DataFrame({"description": whole_texts}), "description")


def only_texts(values: Sequence[str]) -> pa.ChunkedArray:
    """Return a list of texts as Arrow texts."""
    return pa.chunked_array([pa.array([_clean(value) for value in values], pa.large_string())])


def flags(frame: pd.DataFrame, column: str) -> NDArray[np.bool_]:
    """Return a boolean column; missing values count as False."""
    return _converted(frame, column, "boolean", "booleans", "Use True and False, or 1 and 0.").to_numpy(
        dtype=bool, na_value=False
    )


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
        ids: The ids, as ``ids_of_pictures`` returns them.
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
        value = None if key is None else pictures(key) if callable(pictures) else pictures.get(key)
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


def align_vectors(
    frame: pd.DataFrame,
    vectors: Any,
    column: str | None = None,
    progress: Callable[[float], object] = lambda _share: None,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the vectors of a frame, zero where there is none, and whether each row has one.

    Args:
        frame: Any frame.
        vectors: A function from a list of texts to their vectors, or an array or a frame of vectors.
        column: The column of texts for a function; by default ``result``, or the description and settings of images.
        progress: Called before each batch, as in ``ask_vectors``.

    Raises:
        InvalidArgument: The vectors have another number of rows, or are not numbers.
    """
    if callable(vectors):
        vectors = ask_vectors(vectors, read_texts(frame, column)[0].to_pylist(), progress)
    elif isinstance(vectors, pd.DataFrame) and frame.index.is_unique and vectors.index.is_unique:
        vectors = vectors.reindex(frame.index)
    try:
        values = np.asarray(vectors, np.float32)
    except (TypeError, ValueError):
        raise InvalidArgument("vectors must be a frame or an array of numbers.\nPass embed(frame).") from None
    if values.ndim != 2 or len(values) != len(frame):
        raise InvalidArgument(
            f"vectors must have one row for each of the {len(frame):,} records, got the shape {values.shape}.\n"
            "Pass embed(frame), or an array of numbers in the order of the frame."
        )
    present: NDArray[np.bool_] = np.asarray(np.isfinite(values).all(axis=1) & bool(values.shape[1]))
    if not present.any():
        raise InvalidArgument("No record has a vector.\nPass embed(frame) of a frame with texts.")
    return np.where(present[:, None], values, np.float32(0)), present


@lru_cache(FUNCTIONS)
def _kept(_function: Callable[[list[str]], Any]) -> tuple[Lock, dict[str, NDArray[np.float32]]]:
    """Return what the calls of a function wait for, and its vectors by text; the same for equal functions."""
    return Lock(), {}


def ask_vectors(
    function: Callable[[list[str]], Any],
    values: Sequence[str],
    progress: Callable[[float], object] = lambda _share: None,
) -> NDArray[np.float32]:
    """Return the vectors of texts by a function; NaN for blank texts, which it is not called with.

    Each text goes to a function once: its vector is kept for equal functions, such as the same method of one object.
    Threads wait for each other, one batch at a time.

    Args:
        function: Takes a list of texts, and returns a row of numbers for each.
        values: The texts.
        progress: Called with the share that is done before each batch; what it raises ends the work.

    Raises:
        InvalidArgument: The function failed, or returned something else. The texts of this batch may be asked again.
    """
    with ASKING:
        lock, known = _kept(function if isinstance(function, Hashable) else function.__call__)
    texts = dict.fromkeys(text for text in values if text.strip())
    unknown = [text for text in texts if text not in known]
    for start in range(0, len(unknown), MOST_TEXTS):
        progress(1 - (len(unknown) - start) / len(texts))
        with lock:
            if batch := [text for text in unknown[start : start + MOST_TEXTS] if text not in known]:
                known.update(zip(batch, _returned(function, batch, known), strict=True))
    missing = np.full(next((known[text].size for text in texts), 0), np.nan, np.float32)
    return np.array([known.get(text, missing) for text in values], np.float32).reshape(
        len(values), missing.size
    )


def _returned(
    function: Callable[[list[str]], Any], batch: list[str], known: Mapping[str, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Return what a function returns for some texts, checked: as many numbers as in its other vectors."""
    width = next((vector.size for vector in known.values()), 0)
    wanted = (
        f"vectors must return {f'{width} ' if width else ''}finite numbers for each of {len(batch)} texts"
    )
    try:
        found = np.asarray(function(list(batch)), np.float32)
    except InkframeError:
        raise
    except Exception as error:
        raise InvalidArgument(
            f"{wanted}, but raised {type(error).__name__}: {' '.join(str(error).split())[:200]}\n{REMEDY}"
        ) from error
    if found.ndim != 2 or not found.size or found.shape != (len(batch), width or found.shape[1]):
        raise InvalidArgument(f"{wanted}, got an array of the shape {found.shape}.\n{REMEDY}")
    if (bad := np.flatnonzero(~np.isfinite(found).all(axis=1))).size:
        raise InvalidArgument(
            f"{wanted}, got NaN for {bad.size} of them.\nThe first is {batch[bad[0]][:60]!r}."
        )
    return found


def cosines(values: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of each row with a vector; 0 for those of length 0, the same for the same row anywhere."""
    rows, one = values.astype(np.float64), vector.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows) * (one @ one))
    return np.asarray(np.einsum("ij,j->i", rows, one) / np.maximum(lengths, np.finfo(np.float32).tiny))
