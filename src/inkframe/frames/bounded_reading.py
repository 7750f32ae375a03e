"""Read files that may be damaged or hostile in bounded memory: a few kilobytes can unpack to terabytes."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["DAMAGE", "read_message", "read_table", "unpack"]

#: What readers raise for a damaged file.
DAMAGE: Final = (
    *(pa.ArrowException, OSError, ValueError, TypeError, LookupError, AttributeError),
    *(ArithmeticError, EOFError, RecursionError, MemoryError, AssertionError, zlib.error, struct.error),
)
#: The bytes that every file may unpack to, and how many times its own size if that is more.
MOST: Final = 2**30
RATIO: Final = 100
#: The bytes of a value that is not a text, and of the position of one that is.
WIDTH: Final = 8


def read_table(path: Path) -> pa.Table:
    """Return the content of a Parquet file.

    Raises:
        InvalidArgument: It would unpack to far more than its size.
        Exception: It is damaged; one of ``DAMAGE``.
    """
    size = path.stat().st_size
    file = _opened(path)
    unpacked = sum(_unpacked(file, path, group) for group in range(file.metadata.num_row_groups))
    if unpacked > max(MOST, RATIO * size):
        raise InvalidArgument(
            f"{path} must unpack to at most {max(MOST, RATIO * size):,} bytes, got {unpacked:,}.\n"
            "Read it with another program if you trust it."
        )
    return file.read()


def _opened(path: Path, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
    # No text of the metadata is longer than the file; pyarrow's own limit is too low for the edits of a library.
    limit = min(path.stat().st_size, np.iinfo(np.int32).max)
    return pq.ParquetFile(path, read_dictionary=[*dictionaries], thrift_string_size_limit=limit)


def _unpacked(file: pq.ParquetFile, path: Path, group: int) -> int:
    """Return the most bytes that a group of rows takes in memory."""
    if not file.metadata.row_group(group).num_rows:
        return 0
    # Damaged metadata of a column is an error here; asking for it below would end the process.
    next(file.iter_batches(batch_size=1, row_groups=[group]), None)
    total = 0
    for at in range(file.metadata.num_columns):
        column = file.metadata.row_group(group).column(at)
        total += column.total_uncompressed_size + column.num_values * WIDTH
        if column.physical_type == "BYTE_ARRAY" and column.has_dictionary_page:
            # A text that is stored once is copied for each row.
            total += column.num_values * _longest(path, group, column.path_in_schema)
    return total


def _longest(path: Path, group: int, name: str) -> int:
    """Return the length of the longest text in the dictionary of a column."""
    file = _opened(path, [name])
    for batch in file.iter_batches(batch_size=1, row_groups=[group], columns=[name]):
        column = batch.column(0)
        while pa.types.is_nested(column.type):  # a list or a struct, whose texts are below
            column = column.flatten() if pa.types.is_list(column.type) else column.field(0)
        if not isinstance(column, pa.DictionaryArray):
            return 0
        return pc.max(pc.binary_length(column.dictionary.cast(pa.large_binary()))).as_py() or 0
    return 0


def unpack(packed: bytes) -> bytes:
    """Return base64 text as it was compressed with zlib.

    Raises:
        ValueError: It would unpack to far more than its size.
        zlib.error: It is damaged.
    """
    data = base64.b64decode(packed, validate=True)
    reader = zlib.decompressobj()
    most = max(MOST // 16, RATIO * len(data))
    content = reader.decompress(data, most)
    if reader.unconsumed_tail or not reader.eof:
        raise ValueError("the edits are damaged, or unpack to too much")
    return content


def read_message(packed: bytes) -> pa.RecordBatch:
    """Return the one record batch of an Arrow stream as base64 text, checked completely.

    Raises:
        ValueError: It is compressed, which ``save`` never does.
        pa.ArrowException: It is damaged.
    """
    stream = pa.BufferReader(base64.b64decode(packed, validate=True))
    schema = pa.ipc.read_schema(pa.ipc.read_message(stream))
    message = pa.ipc.read_message(stream)
    if _is_compressed(message.metadata.to_pybytes()):
        raise ValueError("the categories are compressed")
    batch = pa.ipc.read_record_batch(message, schema)
    batch.validate(full=True)
    return batch


def _is_compressed(message: bytes) -> bool:
    """Return whether the flatbuffer of a record batch has the field ``compression`` (Arrow, Message.fbs)."""
    (table,) = struct.unpack_from("<I", message)
    header = table + _field(message, table, 2)
    header += struct.unpack_from("<I", message, header)[0]
    return _field(message, header, 3) > 0


def _field(message: bytes, table: int, number: int) -> int:
    """Return the position of a field in a table of a flatbuffer, or 0."""
    fields = table - struct.unpack_from("<i", message, table)[0]
    (size,) = struct.unpack_from("<H", message, fields)
    place = 4 + 2 * number
    return int(struct.unpack_from("<H", message, fields + place)[0]) if place < size else 0
