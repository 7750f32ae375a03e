"""Build a DataFrame from pages of plain values, column by column, with categories and bounded memory."""

from __future__ import annotations

import mmap
import threading
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from inkframe.frames.baselines import fit_int64
from inkframe.schema import RESOURCES, FieldType
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


__all__ = ["Categories", "FrameBuilder", "apart", "columns_of", "rearranged", "text_chunk"]

TEXT: Final = text_type()
#: The system's allocator. Arrow's own is faster, and keeps what it frees.
POOL: Final = pa.system_memory_pool()
#: A missing integer or time, as pandas has it for times; a column of one; and the beginning of other times.
MISSING: Final = np.iinfo(np.int64).min
NO_TIME: Final = pd.array([None], dtype=pd.DatetimeTZDtype("us", "UTC"))
BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
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


def text_chunk(values: Iterable[str | None]) -> pa.Array:
    """Return strings as an Arrow array."""
    return pa.array(values, pa.large_string(), memory_pool=POOL)


def _times(ticks: np.ndarray) -> Any:
    times: Any = NO_TIME.repeat(len(ticks))  # pandas takes longer to check what it is given
    times.asi8[:] = ticks
    return times


#: What keeps values of each column type until a frame is built. Texts are kept in Arrow, and others in numpy, which converts
#: few of them sooner; Arrow and pandas ask each time for its zone. Categories are codes.
KEEP: Final[dict[ColumnType, Callable[[Iterable[Any]], Any]]] = {
    "text": text_chunk,
    "category": lambda codes: np.array(codes, np.int32),
    "boolean": lambda flags: np.frombuffer(bytes([2 if flag is None else flag for flag in flags]), np.int8),
    "number": lambda numbers: np.array(numbers, np.float64),
    "integer": lambda numbers: np.array([MISSING if each is None else each for each in numbers], np.int64),
    "time": lambda times: (
        pa.array(
            [
                each - BEGINNING
                if each is not None and each.tzinfo
                else None
                if each is None or each is pd.NaT
                else each.replace(tzinfo=UTC) - BEGINNING
                for each in times
            ],
            pa.duration("us"),
            memory_pool=POOL,
        )
        .to_numpy(zero_copy_only=False)
        .view(np.int64)
    ),
}
#: What makes a column of what was kept.
COLUMN: Final[dict[ColumnType, Callable[[Any], Any]]] = {
    "text": TEXT.__from_arrow__,
    "category": lambda codes: codes,
    "boolean": lambda codes: pd.arrays.BooleanArray(codes == 1, codes == 2),
    "number": lambda numbers: numbers,
    "integer": lambda numbers: pd.arrays.IntegerArray(numbers, numbers == MISSING),
    "time": _times,
}
#: The column type of values of some Python types, and what converts them; of others, the column is of texts.
AGREED: Final[dict[frozenset[type], tuple[ColumnType, Callable[[Any], Any]]]] = {
    frozenset({bool}): ("boolean", bool),
    frozenset({int}): ("integer", int),
    frozenset({float}): ("number", float),
    frozenset({int, float}): ("number", float),
}
#: Rows that are collected before they become arrays, which are freed together once they were moved.
COLLECTED: Final = 100
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


#: Names of columns, whose type pandas infers in a third of the time that it takes for a frame.
_names: Final = lru_cache(maxsize=64)(pd.Index)


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
        self._categories, self._step = categories, -1 if turned else 1
        #: The ids, columns and further columns of each page; those of packed ones are chunks.
        self._pages: list[tuple[Any, Any, Any]] = []

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
        pages = self._collected()
        if sum(len(ids) for ids, _, _ in pages) >= COLLECTED:
            self._pack(pages)

    def _collected(self) -> list[tuple[Any, Any, Any]]:
        """Return the last pages, which are not packed yet."""
        return [
            *takewhile(lambda page: not isinstance(page[0], pa.Array | np.ndarray), reversed(self._pages))
        ][::-1]

    def _pack(self, pages: Sequence[tuple[Any, Any, Any]]) -> None:
        """Convert the last pages into one chunk for each column, at once, so that an interrupt leaves whole pages."""
        is_first = len(pages) == len(self._pages)
        packed: dict[str, Any] = {}
        for name, type in self._types.items():
            values: Any = self._together([columns[name] for _, columns, _ in pages])
            if type == "category":
                values = self._categories[name].encode(values)
            packed[name] = KEEP[type](values) if is_first or type != "text" else apart(text_chunk(values))
        further: dict[str, Any] = {}
        for name in dict.fromkeys(name for _, _, extra in pages for name in extra):
            values = self._together([extra.get(name) or [None] * len(ids) for ids, _, extra in pages])
            further[name] = text_chunk(values) if _types_of(values) <= {str} else values
        ids = _id_chunk(self._together([ids for ids, _, _ in pages]))
        self._pages[len(self._pages) - len(pages) :] = [(ids, packed, further)]

    def _together(self, lists: Sequence[Sequence[Any]]) -> Sequence[Any]:
        values = lists[0] if len(lists) == 1 else [*chain.from_iterable(lists)]
        return values if self._step == 1 else values[::-1]

    def finish(
        self, sort_by: str | None = None, sort: str = "asc", *, parts: Sequence[tuple[int, bool]] = ()
    ) -> pd.DataFrame:
        """Return the frame; with an order the builder can be used once.

        Args:
            sort_by: ``id`` or ``name``; None keeps the order of arrival. String ids are sorted by the time of creation.
            sort: ``asc`` or ``desc``.
            parts: The number of rows of each part as they arrived, and whether to reverse it. Without an order
                by ids that are numbers, rows are in this order, and equal ones stay in it.
        """
        if pages := self._collected():
            self._pack(pages)
        pages = self._pages[:: self._step]
        are_numbers = all(isinstance(ids, np.ndarray) for ids, _, _ in pages)
        ids: Any = [
            ids if are_numbers or isinstance(ids, pa.Array) else text_chunk(map(str, ids.tolist()))
            for ids, _, _ in pages
        ]
        index = pd.Index(
            np.concatenate([np.empty(0, np.int64), *ids])
            if are_numbers
            else TEXT.__from_arrow__(pa.chunked_array(ids, pa.large_string())),
            name="id",
            copy=False,
        )
        chunks = {name: [columns[name] for _, columns, _ in pages] for name in self._types}
        order = None if sort_by is None else self._order(index, chunks, sort_by, sort, parts)
        # A further column may be missing in some pages.
        further = {
            name: [extra[name] if name in extra else text_chunk([None] * len(ids)) for ids, _, extra in pages]
            for name in dict.fromkeys(name for _, _, extra in self._pages for name in extra)
        }
        if order is not None:
            pages = self._pages = []  # so that no row that is moved is stored twice
        columns = {name: self._column(name, chunks[name], order) for name in self._types}
        columns |= {name: _agreed(parts, order) for name, parts in further.items()}
        frame = pd.DataFrame(
            dict(enumerate(columns.values())), index=index if order is None else index[order], copy=False
        )
        frame.columns = _names(tuple(columns)).view()  # which may be renamed in one frame alone
        return frame

    def _order(
        self,
        index: pd.Index,
        chunks: Mapping[str, list[Any]],
        sort_by: str,
        sort: str,
        parts: Sequence[tuple[int, bool]],
    ) -> np.ndarray | None:
        """Return the positions of the rows in order, or None if they are in it; equal ones stay as they arrived."""
        arrived = np.arange(len(index))[:: self._step]
        if parts:
            split = np.split(arrived, np.cumsum([count for count, _ in parts])[:-1])
            pairs = zip(split, parts, strict=True)
            arrived = np.concatenate(
                [rows[::-1] if is_reversed else rows for rows, (_, is_reversed) in pairs]
            )
        if sort_by == "name":
            keys = pd.Series(self._column("name", chunks["name"])).str.casefold().fillna("")
        elif index.dtype == np.int64:
            keys = pd.Series(index)
        else:
            keys = pd.Series(self._column("created_at", chunks["created_at"]))
        order = keys.take(arrived).sort_values(kind="stable", ascending=sort == "asc").index.to_numpy()
        return None if np.array_equal(order, np.arange(len(index))) else order

    def _column(self, name: str, chunks: list[Any], order: np.ndarray | None = None) -> Any:
        column = _column(self._types[name], chunks, order)
        return self._categories[name].decode(column) if self._types[name] == "category" else column


def _id_chunk(ids: Sequence[int | str]) -> Any:
    """Return ids as numbers if all are; strings such as "007" stay strings."""
    if {int}.issuperset(map(type, ids)):
        with suppress(OverflowError):
            return np.array(ids, np.int64)
    return text_chunk([*map(str, ids)])


def _column(type: ColumnType, chunks: list[Any], order: np.ndarray | None) -> Any:
    """Return chunks as a column, in another order if there is one; the list of chunks of texts is emptied."""
    if type == "text":
        moved = chunks if order is None else rearranged(chunks, order)
        return COLUMN[type](moved[0] if len(moved) == 1 else pa.chunked_array(moved, pa.large_string()))
    column = COLUMN[type](np.concatenate(chunks) if chunks else KEEP[type]([]))
    return column if order is None else column.take(order)


def _agreed(parts: list[Any], order: np.ndarray | None) -> Any:
    """Return a column of the common type of its values, or of strings if they have none."""
    if all(isinstance(part, pa.Array) for part in parts):
        return _column("text", parts, order)
    lists = (part.to_pylist() if isinstance(part, pa.Array) else part for part in parts)
    values = [*chain.from_iterable(lists)]
    type, convert = AGREED.get(frozenset(_types_of(values)), ("text", str))
    if type == "integer" and not fit_int64(value for value in values if value is not None):
        type, convert = "text", str
    values = [None if value is None else convert(value) for value in values]
    return _column(type, [KEEP[type](values)], order)


def _types_of(values: Iterable[Any]) -> set[type]:
    return {type(value) for value in values} - {type(None)}


class Categories:
    """The values of one column seen so far: the vocabulary's first, then others in the order of arrival.

    Args:
        values: The vocabulary's values, in order.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._codes: dict[str | None, int] = {None: -1}
        self._lock = threading.Lock()
        self._extend(values)

    def _extend(self, values: Iterable[str | None]) -> None:
        with self._lock:
            codes = {**self._codes}
            for value in values:
                codes.setdefault(value, len(codes) - 1)
            #: The pandas type of all values seen so far, and perhaps of some that an interrupt left out.
            self.dtype = pd.CategoricalDtype(pd.Index([*codes][1:], dtype=TEXT))
            self._codes = codes

    def encode(self, values: Sequence[str | None]) -> np.ndarray:
        """Return a code for each value, -1 for None; new values are added."""
        if not self._codes.keys() >= {*values}:
            self._extend(dict.fromkeys(values))
        return np.fromiter(map(self._codes.__getitem__, values), np.int32, len(values))

    def decode(self, codes: np.ndarray) -> pd.Categorical:
        """Return the pandas column for codes of ``encode``."""
        dtype = self.dtype
        # The smallest integers that pandas would choose.
        narrow = np.min_scalar_type(-2 - len(dtype.categories))
        return pd.Categorical.from_codes(codes.astype(narrow), dtype=dtype, validate=False)


def apart(chunk: pa.Array) -> pa.Array:
    """Return a chunk of texts in its own memory, which returns to the system as soon as the chunk is freed.

    Otherwise it would leave a gap in shared memory, and sorting the rows of a library would take twice its
    memory.
    """
    validity, offsets, text = (*chunk.buffers(), None)[:3]
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
