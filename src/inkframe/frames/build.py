"""Pages of plain values into a DataFrame, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from inkframe.frames.schema import columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.frames.categories import Categories
    from inkframe.frames.schema import ColumnType

__all__ = ["FrameBuilder"]

TEXT: Final = pd.StringDtype("pyarrow", na_value=np.nan)
#: Chunks of a text column that are joined at a time: enough to be cheap, few enough to be small.
JOINED: Final = 64


class FrameBuilder:
    """Takes pages and gives one frame; holds columns, never a list of records.

    Args:
        collection: ``images`` or ``documents``.
        categories: What each category column counts by.
    """

    def __init__(self, collection: str, categories: Mapping[str, Categories]) -> None:
        self._types = columns_of(collection)
        self._categories = categories
        self._chunks: dict[str, list[Any]] = {name: [] for name in self._types}
        self._extra: dict[str, list[Any]] = {}
        self._ids: list[Any] = []
        self._ids_are_numbers = True
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
        """Take one page.

        Args:
            ids: The ids.
            columns: The values of each column of the collection.
            extra: Further columns by name; they may come and go between pages.
        """
        self._add_ids(ids)
        for name, type in self._types.items():
            chunk = self._encode(name, type, columns[name])
            chunks = self._chunks[name]
            chunks.append(chunk)
            if type == "text" and len(chunks) > JOINED and len(chunks[-JOINED]) < JOINED * len(chunk):
                chunks[-JOINED:] = [pa.concat_arrays(chunks[-JOINED:])]
        for name, values in extra.items():
            if name not in self._extra:
                self._extra[name] = [(self.count, None)] if self.count else []
            self._extra[name].append((len(ids), values))
        self.count += len(ids)
        for name, parts in self._extra.items():
            if name not in extra:
                parts.append((len(ids), None))

    def _add_ids(self, ids: Sequence[int | str]) -> None:
        # Texts such as "007" stay texts, and one of them makes texts of all.
        numbers = self._ids_are_numbers and all(type(id) is int and -(2**63) <= id < 2**63 for id in ids)
        if numbers:
            self._ids.append(np.array(ids, dtype=np.int64))
            return
        if self._ids_are_numbers:
            self._ids_are_numbers = False
            self._ids = [pa.array(map(str, chunk.tolist()), pa.large_string()) for chunk in self._ids]
        self._ids.append(pa.array([str(id) for id in ids], pa.large_string()))

    def _encode(self, name: str, type: ColumnType, values: Sequence[Any]) -> Any:
        match type:
            case "text":
                return pa.array(values, pa.large_string())
            case "category":
                return self._categories[name].encode(values)
            case "boolean":
                return np.array([2 if value is None else value for value in values], dtype=np.int8)
            case "number":
                return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
            case "integer":
                return pa.array(values, pa.int64())
            case "time":
                return pa.array(values, pa.timestamp("us", "UTC"))

    def finish(self, *, reverse: bool = False) -> pd.DataFrame:
        """Give the frame; the builder is used up.

        Args:
            reverse: Put the last record first, chunk by chunk, so that nothing is held twice.
        """
        if reverse:
            self._reverse()
        columns: dict[str, Any] = {}
        for name, type in self._types.items():
            columns[name] = self._decode(name, type, self._chunks.pop(name))
        for name in list(self._extra):
            columns[name] = _decode_extra(self._extra.pop(name))
        return pd.DataFrame(columns, index=self._index(), copy=False)

    def _reverse(self) -> None:
        for chunks in (*self._chunks.values(), self._ids):
            chunks.reverse()
            for position, chunk in enumerate(chunks):
                chunks[position] = (
                    chunk.take(pa.array(np.arange(len(chunk))[::-1]))
                    if isinstance(chunk, pa.Array)
                    else chunk[::-1]
                )
        for name, parts in self._extra.items():
            self._extra[name] = [
                (count, None if part is None else part[::-1]) for count, part in reversed(parts)
            ]

    def _index(self) -> pd.Index:
        if self._ids_are_numbers:
            index: pd.Index = pd.Index(_joined(self._ids, np.int64), name="id")
        else:
            index = pd.Index(_text(self._ids), name="id")
        return index

    def _decode(self, name: str, type: ColumnType, chunks: list[Any]) -> Any:
        match type:
            case "text":
                return _text(chunks)
            case "category":
                return self._categories[name].decode(_joined(chunks, np.int32))
            case "boolean":
                codes = _joined(chunks, np.int8)
                return pd.arrays.BooleanArray(codes == 1, codes == 2)
            case "number":
                return _joined(chunks, np.float64)
            case "integer":
                return _integers(pa.chunked_array(chunks, pa.int64()))
            case "time":
                moments = pa.chunked_array(chunks, pa.timestamp("us", "UTC")).to_numpy()
                return pd.DatetimeIndex(moments, tz="UTC").array


def _joined(chunks: list[np.ndarray], dtype: Any) -> np.ndarray:
    if len(chunks) == 1:
        return chunks[0]
    return np.concatenate(chunks) if chunks else np.empty(0, dtype=dtype)


def _text(chunks: list[pa.Array]) -> Any:
    array = chunks[0] if len(chunks) == 1 else pa.chunked_array(chunks, pa.large_string())
    return _strings(array)


def _strings(array: pa.Array | pa.ChunkedArray) -> Any:
    return pd.arrays.ArrowStringArray(array, dtype=TEXT)  # type: ignore[call-arg]  # the stubs lag behind


def _integers(array: pa.ChunkedArray) -> Any:
    mask = array.is_null().to_numpy()
    return pd.arrays.IntegerArray(array.fill_null(0).to_numpy(), mask)


def _decode_extra(parts: list[tuple[int, Sequence[Any] | None]]) -> Any:
    """Give a column of a type that its values agree on; texts where they do not."""
    values: list[Any] = []
    for count, part in parts:
        values.extend([None] * count if part is None else part)
    kinds = {type(value) for value in values} - {type(None)}
    if kinds == {bool}:
        return pd.array(values, dtype="boolean")
    if kinds == {int}:
        if all(value is None or -(2**63) <= value < 2**63 for value in values):
            return pd.array(values, dtype="Int64")
    elif kinds and kinds <= {int, float}:
        return np.array([np.nan if value is None else float(value) for value in values])
    texts = [value if value is None or isinstance(value, str) else str(value) for value in values]
    return _strings(pa.array(texts, pa.large_string()))
