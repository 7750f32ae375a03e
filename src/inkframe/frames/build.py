"""Build a DataFrame from pages of plain values, column by column, with categories and bounded memory."""

from __future__ import annotations

import mmap
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.frames.baselines import fit_int64
from inkframe.schema import RESOURCES, FieldType
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


__all__ = [
    "Categories",
    "FrameBuilder",
    "apart",
    "columns_of",
    "key_of",
    "rearranged",
    "row_order",
    "text_chunk",
]

TEXT: Final = text_type()
ColumnType = Literal["text", "category", "boolean", "number", "integer", "time"]
#: The column type of each field type.
COLUMN_TYPES: Final[dict[FieldType, ColumnType]] = {
    "text": "text",
    "picture": "text",
    "choice": "category",
    "label": "category",
    "boolean": "boolean",
    "number": "number",
    "integer": "integer",
    "time": "time",
}
TIME: Final = pd.DatetimeTZDtype("us", "UTC")
#: A missing time, and the beginning and the unit of pandas' count of others.
MISSING: Final = pd.array([None], dtype=TIME)
BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
UNIT: Final = timedelta(microseconds=1)
#: Rows that are collected before they become Arrow arrays: enough to be fast, few enough to be small.
COLLECTED: Final = 400
#: Rows of texts that are freed together once they were moved to their places.
PART: Final = 100

#: The system's allocator: Arrow's own keeps the memory that many small arrays free.
POOL: Final = pa.system_memory_pool()
#: Rows that are moved at a time.
MOVED: Final = 400
#: Bytes of text from which a chunk gets its own memory.
APART: Final = 65_536


@cache
def columns_of(collection: str) -> Mapping[str, ColumnType]:
    """Return the columns of a collection's frames, in their order.

    Args:
        collection: A collection's name, such as ``images``.
    """
    return {name: COLUMN_TYPES[field.type] for name, field in RESOURCES[collection].columns.items()}


class FrameBuilder:
    """Builds one frame from pages. It stores columns, never a list of records.

    Args:
        collection: A collection's name, such as ``images``.
        categories: The categories of each category column.
        turned: Whether to reverse the order of the records.
    """

    def __init__(
        self, collection: str, categories: Mapping[str, Categories], *, turned: bool = False
    ) -> None:
        self._types = columns_of(collection)
        self._categories = categories
        self._pages: list[tuple[Sequence[int | str], Mapping[str, Any], Mapping[str, Any]]] = []
        self._collected = 0
        self._chunks: dict[str, list[Any]] = {name: [] for name in self._types}
        self._extra: dict[str, list[Any]] = {}
        self._ids: list[Any] = []
        self._ids_are_numbers = True
        self._turned = turned
        self._increasing = self._decreasing = True
        self.count = 0

    @property
    def columns(self) -> list[str]:
        """The names of the collection's columns, in their order."""
        return list(self._types)

    def add(
        self,
        ids: Sequence[int | str],
        columns: Mapping[str, Sequence[Any]],
        extra: Mapping[str, Sequence[Any]],
    ) -> None:
        """Add one page.

        Args:
            ids: The ids.
            columns: The values of each column of the collection.
            extra: Further columns by name, which may differ between pages.
        """
        self._pages.append((ids, columns, extra))
        self._collected += len(ids)
        self.count += len(ids)
        if self._collected >= COLLECTED:
            self._pack()

    def _pack(self) -> None:
        """Convert the collected pages into one chunk for each column."""
        pages, rows = self._pages, self._collected
        self._pages, self._collected = [], 0
        if not pages:
            return
        self._add_ids(self._together([ids for ids, _, _ in pages]))
        waits = rows >= COLLECTED and not self._in_order()
        for name, type in self._types.items():
            values = self._together([columns[name] for _, columns, _ in pages])
            if waits and type == "text":
                # Parts are reversed at the end.
                begins = range(0, rows, PART)[:: -1 if self._turned else 1]
                self._chunks[name] += [apart(text_chunk(values[at : at + PART])) for at in begins]
                continue
            self._chunks[name].append(self._encode(name, type, values))
        for name in dict.fromkeys([*self._extra, *(name for _, _, extra in pages for name in extra)]):
            # A column that appears late is missing in all earlier rows.
            parts = self._extra.setdefault(name, [self.count - rows])
            lists = [extra.get(name) or [None] * len(ids) for ids, _, extra in pages]
            parts.append(_packed(self._together(lists)))

    def _together(self, lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
        values = lists[0] if len(lists) == 1 else [value for each in lists for value in each]
        return values[::-1] if self._turned else values

    def _add_ids(self, ids: Sequence[int | str]) -> None:
        # Strings such as "007" stay strings, and one string id turns all ids into strings.
        if self._ids_are_numbers and {int}.issuperset(map(type, ids)):
            with suppress(OverflowError):
                self._ids.append(np.array(ids, dtype=np.int64))
                return
        if self._ids_are_numbers:
            self._ids_are_numbers = False
            self._ids = [pa.array(map(str, chunk.tolist()), pa.large_string()) for chunk in self._ids]
        self._ids.append(pa.array([str(id) for id in ids], pa.large_string()))

    def _in_order(self) -> bool:
        """Return whether the rows are so far in the order of their ids, so that none has to be moved."""
        if not self._ids_are_numbers:
            return False
        later = self._ids[-1]
        earlier = self._ids[-2] if len(self._ids) > 1 else later[:0]
        ids = np.concatenate((later, earlier[:1]) if self._turned else (earlier[-1:], later))
        rises = ids[1:] > ids[:-1]
        self._increasing = self._increasing and bool(rises.all())
        self._decreasing = self._decreasing and not rises.any()
        return self._increasing or self._decreasing

    def _encode(self, name: str, type: ColumnType, values: Sequence[Any]) -> Any:
        match type:
            case "text":
                # Arrow's own allocator is faster, but would keep the memory that the pages of a library free.
                return text_chunk(values) if len(values) >= COLLECTED else pa.array(values, pa.large_string())
            case "category":
                return self._categories[name].encode(values)
            case "boolean":
                return np.array([2 if value is None else value for value in values], dtype=np.int8)
            case "number":
                # None becomes NaN.
                return np.array(values, dtype=np.float64)
            case "integer":
                missing = np.array([value is None for value in values], dtype=bool)
                return np.array([value or 0 for value in values], dtype=np.int64), missing
            case "time":
                return _ticks(values)

    def finish(
        self,
        sort_by: str | None = None,
        sort: str = "asc",
        *,
        parts: Sequence[tuple[int, bool]] = (),
        keep: bool = False,
    ) -> pd.DataFrame:
        """Return the frame.

        Args:
            sort_by: ``id`` or ``name``, as in ``row_order``; None keeps the order of arrival.
            sort: ``asc`` or ``desc``.
            parts: The number of rows of each part as they arrived, and whether to reverse it. Without an order
                by ids that are numbers, rows are in this order, and equal ones stay in it.
            keep: Whether the builder can return the same frame again, instead of freeing its memory on the way.
        """
        self._pack()
        arrived = np.arange(self.count)
        if parts:
            split = np.split(
                arrived[:: -1 if self._turned else 1], np.cumsum([count for count, _ in parts])[:-1]
            )
            pairs = zip(split, parts, strict=True)
            arrived = np.concatenate(
                [rows[::-1] if is_reversed else rows for rows, (_, is_reversed) in pairs]
            )
        if self._turned:
            self._turned = False
            for chunks_of in (self._ids, *self._chunks.values(), *self._extra.values()):
                chunks_of.reverse()
        index = self._index()
        order = None if sort_by is None else self._order(index, sort_by, sort, arrived)
        chunks, extra = self._chunks, self._extra
        if keep:
            chunks, extra = ({name: [*parts] for name, parts in each.items()} for each in (chunks, extra))
        columns = {
            name: self._decode(name, type, chunks.pop(name), order) for name, type in self._types.items()
        }
        columns |= {name: _decode_extra(extra.pop(name), order) for name in [*extra]}
        frame = pd.DataFrame(
            dict(enumerate(columns.values())), index=index if order is None else index[order], copy=False
        )
        frame.columns = _names(tuple(columns)).view()  # which may be renamed in one frame alone
        return frame

    def _order(self, index: pd.Index, sort_by: str, sort: str, arrived: np.ndarray) -> np.ndarray | None:
        key = key_of(index, sort_by)
        if key is None:
            return row_order(pd.DataFrame(index=index), sort_by, sort)
        frame = pd.DataFrame({key: self._decode(key, self._types[key], self._chunks[key])}, index=index)
        order = row_order(frame.take(arrived), sort_by, sort)
        order = arrived if order is None else arrived[order]
        return None if np.array_equal(order, np.arange(len(index))) else order

    def _index(self) -> pd.Index:
        ids: Any = _joined(self._ids, np.int64) if self._ids_are_numbers else _text(self._ids)
        index: pd.Index = pd.Index(ids, name="id")
        return index

    def _decode(self, name: str, type: ColumnType, chunks: list[Any], order: np.ndarray | None = None) -> Any:
        values: Any
        match type:
            case "text":
                return _text(chunks, order)
            case "category":
                values = self._categories[name].decode(_joined(chunks, np.int32))
            case "boolean":
                codes = _joined(chunks, np.int8)
                values = pd.arrays.BooleanArray(codes == 1, codes == 2)
            case "number":
                values = _joined(chunks, np.float64).copy()
            case "integer":
                numbers = _joined([numbers for numbers, _ in chunks], np.int64)
                missing = _joined([missing for _, missing in chunks], bool)
                values = pd.arrays.IntegerArray(numbers.copy(), missing.copy())
            case "time":
                ticks = _joined(chunks, np.int64)
                # Filled, since pandas takes longer to check what it is given.
                values = MISSING.repeat(len(ticks))
                values.asi8[:] = ticks
        return values if order is None else values.take(order)


@lru_cache(maxsize=64)
def _names(names: tuple[str, ...]) -> pd.Index:
    """Return the names of columns, whose type pandas infers in a third of the time that it takes for a frame."""
    index: pd.Index = pd.Index(names)
    return index


def _ticks(values: Sequence[Any]) -> np.ndarray:
    """Return times as pandas counts them."""
    # Arrow and pandas ask each time for its zone, which takes longer. Missing times are left to them.
    try:
        return np.array([(value - BEGINNING) // UNIT for value in values], dtype=np.int64)
    except TypeError:
        return pd.DatetimeIndex([*values], dtype=TIME).asi8


def _joined(chunks: list[np.ndarray], dtype: Any) -> np.ndarray:
    if len(chunks) == 1:
        return chunks[0]
    return np.concatenate(chunks) if chunks else np.empty(0, dtype=dtype)


def _text(chunks: list[pa.Array], order: np.ndarray | None = None) -> Any:
    if order is not None:
        chunks = rearranged(chunks, order)
    array = chunks[0] if len(chunks) == 1 else pa.chunked_array(chunks, pa.large_string())
    return TEXT.__from_arrow__(array)


def _packed(values: Sequence[Any]) -> int | Sequence[Any] | pa.Array:
    """Return a part of a further column in its smallest form: a count of rows if all values are missing."""
    kinds = {type(value) for value in values} - {type(None)}
    if not kinds:
        return len(values)
    return text_chunk(values) if kinds == {str} else values


def _decode_extra(parts: list[Any], order: np.ndarray | None) -> Any:
    """Return a column of the common type of its values, or of strings if they have none."""
    if all(isinstance(part, int | pa.Array) for part in parts):
        return _text(
            [pa.nulls(part, pa.large_string()) if isinstance(part, int) else part for part in parts], order
        )
    values: list[Any] = []
    for part in parts:
        values.extend(
            [None] * part
            if isinstance(part, int)
            else part.to_pylist()
            if isinstance(part, pa.Array)
            else part
        )
    column = _agreed(values)
    return column if order is None else column.take(order)


def _agreed(values: list[Any]) -> Any:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds == {bool}:
        return pd.array(values, dtype="boolean")
    if kinds == {int}:
        if fit_int64(value for value in values if value is not None):
            return pd.array(values, dtype="Int64")
    elif kinds and kinds <= {int, float}:
        return np.array([np.nan if value is None else float(value) for value in values])
    texts = [value if value is None or isinstance(value, str) else str(value) for value in values]
    return _text([text_chunk(texts)])


def key_of(index: pd.Index, sort_by: str) -> str | None:
    """Return the column to sort by, or None for the ids themselves."""
    if sort_by == "name":
        return "name"
    return None if index.dtype == np.int64 else "created_at"


def row_order(frame: pd.DataFrame, sort_by: str, sort: str) -> np.ndarray | None:
    """Return the positions of a frame's rows in order, or None if they are in order already.

    Equal rows keep their order.

    Args:
        frame: A frame with at least the column to sort by, its records in the order of arrival.
        sort_by: ``id`` or ``name``. String ids are sorted by the time of creation.
        sort: ``asc`` or ``desc``.
    """
    key = key_of(frame.index, sort_by)
    values = frame.index if key is None else frame[key]
    keys = values.str.casefold().fillna("") if key == "name" else values.to_numpy()
    # Reversed twice, so that equal rows keep their order.
    order = np.asarray((keys if sort == "asc" else keys[::-1]).argsort(kind="stable"))
    if sort == "desc":
        order = len(order) - 1 - order[::-1]
    return None if np.array_equal(order, np.arange(len(frame))) else order


class Categories:
    """The values of one column seen so far: the vocabulary's first, then others in the order of arrival.

    Args:
        values: The vocabulary's values, in order.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._codes = {value: code for code, value in enumerate(values)}
        self._dtype: pd.CategoricalDtype | None = None
        self._lock = threading.Lock()

    def encode(self, values: Sequence[str | None]) -> np.ndarray:
        """Return a code for each value, -1 for None; new values are added."""
        for value in dict.fromkeys(values):
            if value is not None and value not in self._codes:
                with self._lock:
                    self._codes.setdefault(value, len(self._codes))
        return np.array([-1 if value is None else self._codes[value] for value in values], dtype=np.int32)

    @property
    def dtype(self) -> pd.CategoricalDtype:
        """The pandas type of all values seen so far."""
        with self._lock:
            if self._dtype is None or len(self._dtype.categories) < len(self._codes):
                self._dtype = pd.CategoricalDtype(pd.Index(list(self._codes), dtype=TEXT))
            return self._dtype

    def decode(self, codes: np.ndarray) -> pd.Categorical:
        """Return the pandas column for codes of ``encode``."""
        dtype = self.dtype
        narrow = (
            np.int8
            if len(dtype.categories) < 128
            else np.int16
            if len(dtype.categories) < 32768
            else np.int32
        )
        return pd.Categorical.from_codes(codes.astype(narrow), dtype=dtype, validate=False)


def text_chunk(values: Sequence[str | None]) -> pa.Array:
    """Return strings as an Arrow array."""
    return pa.array(values, pa.large_string(), memory_pool=POOL)


def apart(chunk: pa.Array) -> pa.Array:
    """Return a chunk in its own memory, which returns to the system as soon as the chunk is freed.

    Otherwise it would leave a gap in shared memory, and sorting the rows of a library would take twice its
    memory.
    """
    validity, offsets, text = chunk.buffers()
    if text is None or len(text) < APART:
        return chunk
    memory = mmap.mmap(-1, len(text))
    memory[:] = text
    return pa.Array.from_buffers(chunk.type, len(chunk), [validity, offsets, pa.py_buffer(memory)])


def rearranged(chunks: list[pa.Array], order: np.ndarray) -> list[pa.Array]:
    """Return the rows of chunks in another order, some at a time. The list of chunks is emptied.

    Each chunk is freed after its last row. If neighboring rows stay near each other, as in merged listings,
    little is stored twice.

    Args:
        chunks: The chunks; the caller should keep no other reference to them.
        order: The position of each row among those of all chunks.
    """
    starts = np.cumsum([0, *map(len, chunks)])
    sources = np.searchsorted(starts, order, side="right") - 1
    last = np.zeros(len(chunks), dtype=np.int64)
    np.maximum.at(last, sources, np.arange(len(order)))
    moved: list[pa.Array] = []
    for begin in range(0, len(order), MOVED):
        here = slice(begin, begin + MOVED)
        moved.append(_collected(chunks, sources[here], order[here] - starts[sources[here]]))
        for source in np.unique(sources[here]):
            if last[source] < begin + MOVED:
                chunks[source] = None
    return moved


def _collected(chunks: Sequence[pa.Array], sources: np.ndarray, rows: np.ndarray) -> pa.Array:
    """Return rows of several chunks as one chunk, each row by its chunk and its position there."""
    by_source = np.argsort(sources, kind="stable")
    used, begins = np.unique(sources[by_source], return_index=True)
    parts = [
        pc.take(chunks[source], taken, memory_pool=POOL)
        for source, taken in zip(used, np.split(rows[by_source], begins[1:]), strict=True)
    ]
    back = np.empty_like(by_source)
    back[by_source] = np.arange(len(by_source))
    return pc.take(pa.concat_arrays(parts), back, memory_pool=POOL)
