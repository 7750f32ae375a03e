"""Save frames to files and load them, with provenance and unpushed edits."""

from __future__ import annotations

import base64
import json
import zlib
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from inkframe.errors import InvalidArgument, checked
from inkframe.frames.baselines import ATTRIBUTE, BASELINES, COLUMNS, converted, origin, plain, same
from inkframe.frames.frame_records import generated_columns, identified, records_of
from inkframe.system.files import check_file, write_file
from inkframe.versions import text_type

__all__ = ["load", "save", "saved_origin"]

SUFFIX: Final = ".parquet"
#: The metadata key of our mark.
MARK: Final = b"inkframe.saved"
#: The metadata key of the categories; Parquet keeps only those in use.
CATEGORIES: Final = b"inkframe.categories"
#: The metadata key of the original values of edited cells.
BASELINE: Final = b"inkframe.baseline"

#: The type of Arrow's texts in frames; old versions of pyarrow return objects.
TEXTS: Final = {pa.string(): text_type(), pa.large_string(): text_type()}

#: What readers raise for a damaged file.
DAMAGE: Final = (
    *(pa.ArrowException, OSError, ValueError, TypeError, LookupError, AttributeError),
    *(ArithmeticError, EOFError, RecursionError, MemoryError, AssertionError, zlib.error),
)
#: The bytes that every file may unpack to, and how many times its own size if that is more.
MOST: Final = 2**30
RATIO: Final = 100
#: The bytes of a value that is not a text, and of the position of one that is.
WIDTH: Final = 8


@checked
def save(frame: pd.DataFrame, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a frame to a Parquet file, completely or not at all.

    The file has the provenance of the frame and the original values of edited cells, so that the edits can be
    pushed after it is loaded, in any kernel. Other programs read it as plain Parquet.

    Args:
        frame: Any DataFrame.
        path: The file; ``.parquet`` is added if it has no suffix.
        overwrite: Whether to replace a file that ``save`` did not write; one of its own is replaced anyway.

    Returns:
        The path written.

    Raises:
        InvalidArgument: It is not a DataFrame, there is another file, or a column or the file cannot be
            written.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument(f"Expected a DataFrame, got {type(frame).__name__}.\nPass a frame to save.")
    target = _target(path)
    check_file(target.parent, target.name, overwrite=overwrite, ours=_is_saved)
    try:
        json.dumps(frame.attrs)
        table = pa.Table.from_pandas(frame)
        added = {MARK: b"1", CATEGORIES: _write_categories(frame), BASELINE: _write_baseline(frame),
                 b"pandas": _write_types(frame, table)}  # fmt: skip
        kept = {**(table.schema.metadata or {}), **{key: text for key, text in added.items() if text}}
        table = table.replace_schema_metadata(kept)
        # What cannot be read back is not written.
        pq.write_table(table[:1], first := pa.BufferOutputStream())
        _frame_of(_read_table(pa.BufferReader(first.getvalue()), MOST))
        return write_file(
            target.parent,
            target.name,
            lambda file: pq.write_table(table, file, compression="zstd"),
            overwrite=overwrite,
            ours=_is_saved,
        )
    except InvalidArgument:
        raise
    except DAMAGE as error:
        raise InvalidArgument(
            f"The frame cannot be written: {('; '.join(map(str, error.args)) or type(error).__name__).splitlines()[0]}\n"
            "Convert or drop that column or attribute."
        ) from None


@checked
def load(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a frame as it was saved: values, types, categories, index and provenance.

    Args:
        path: The file; ``.parquet`` can be omitted.

    Raises:
        InvalidArgument: There is no such file, it is not a complete Parquet file, or it unpacks to far more
            than its size.
    """
    source = _target(path)
    if not source.is_file():
        raise InvalidArgument(f"There is no file {source}.\nCheck the path: ink.save() returns it.")
    try:
        table = _read_table(source, source.stat().st_size)
        frame, metadata = _frame_of(table), table.schema.metadata or {}
        if BASELINE in metadata:
            _keep_baseline(frame, metadata[BASELINE])
    except InvalidArgument:
        raise
    except DAMAGE as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)[:200]
        raise InvalidArgument(
            f"{source} cannot be read: {reason}\nPass a file written by ink.save()."
        ) from None
    return frame


def saved_origin(path: Path) -> dict[str, Any]:
    """Return the provenance of a saved frame without reading its rows; nothing if there is none."""
    with suppress(*DAMAGE):
        return dict(pq.read_schema(path).pandas_metadata["attributes"][ATTRIBUTE])
    return {}


def _target(path: str | PathLike[str]) -> Path:
    return given if (given := Path(path).expanduser()).suffix else given.with_suffix(SUFFIX)


def _is_saved(path: Path) -> bool:
    """Return whether a file was written by ``save``."""
    with suppress(pa.ArrowException, OSError):
        # Release 0.1 wrote no mark.
        return not {MARK, CATEGORIES, BASELINE}.isdisjoint(pq.read_metadata(path).metadata or {})
    return False


def _read_table(source: Path | pa.NativeFile, size: int) -> pa.Table:
    """Return the content of a Parquet file of a size, unless it would unpack to far more than that."""
    most = max(MOST, RATIO * size)
    # No text of the metadata is longer than the file; pyarrow's own limit is too low for the edits of a library.
    options = {"thrift_string_size_limit": min(size, np.iinfo(np.int32).max)}
    file = pq.ParquetFile(source, **options)
    names = [file.schema.column(at).path for at in range(file.metadata.num_columns)]
    stored = pq.ParquetFile(source, read_dictionary=names, **options)
    unpacked = 0
    for group in range(file.num_row_groups):
        for at, name in enumerate(names):
            # Damaged metadata of a column is an error here; asking for it below would end the process.
            for first in stored.iter_batches(batch_size=1, row_groups=[group], columns=[name]):
                column = file.metadata.row_group(group).column(at)
                # A text that is stored once is copied for each row.
                text = _longest(first.column(0)) if column.physical_type == "BYTE_ARRAY" else 0
                unpacked += column.total_uncompressed_size + column.num_values * (WIDTH + text)
                break
    if unpacked > most:
        raise InvalidArgument(
            f"{source} must unpack to at most {most:,} bytes, got {unpacked:,}.\n"
            "Read it with another program if you trust it."
        )
    return file.read()


def _longest(column: pa.Array) -> int:
    """Return the length of the longest text in the dictionary of a column."""
    while pa.types.is_nested(column.type):  # a list or a struct, whose texts are below
        column = column.flatten() if pa.types.is_list(column.type) else column.field(0)
    if not isinstance(column, pa.DictionaryArray):
        return 0
    return pc.max(pc.binary_length(column.dictionary.cast(pa.large_binary()))).as_py() or 0


def _frame_of(table: pa.Table) -> pd.DataFrame:
    return _with_categories(_with_types(table), table.schema.metadata or {})


def _write_types(frame: pd.DataFrame, table: pa.Table) -> bytes:
    """Return what pandas reads beside the values, as its newest version writes it: attrs, and texts as ``str``."""
    written = table.schema.pandas_metadata | {"attributes": frame.attrs}
    for column in written["columns"]:
        # Pandas 2.2 has the same name for its nullable strings, which are shorter ones in Arrow.
        if column["numpy_type"] == str(text_type()) and pa.types.is_large_string(
            table.schema.field(column["field_name"]).type
        ):
            column |= {"pandas_type": "unicode", "numpy_type": "str"}
    return json.dumps(written).encode()


def _with_types(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame with its attrs, and with texts as texts whatever version of pandas wrote them."""
    frame: pd.DataFrame = table.to_pandas(types_mapper=TEXTS.get)
    written = table.schema.pandas_metadata or {}
    frame.attrs = written.get("attributes", {})
    kinds = {column["field_name"]: column["numpy_type"] for column in written.get("columns", ())}
    for label in frame.columns:
        if (kind := kinds.get(str(label), "")).startswith(("object", "string")):
            frame[label] = table[str(label)].to_pandas().astype(kind).array
    return frame


def _write_categories(frame: pd.DataFrame) -> bytes:
    """Return the categories of each column, as a table with one row of lists."""
    columns = {
        str(name): column.dtype
        for name, column in frame.items()
        if isinstance(column.dtype, pd.CategoricalDtype)
    }
    if not columns:
        return b""
    lists = [
        pa.ListArray.from_arrays(pa.array([0, len(dtype.categories)], pa.int32()), pa.array(dtype.categories))
        for dtype in columns.values()
    ]
    fields = [
        pa.field(
            name,
            values.type,
            metadata={
                "ordered": str(int(bool(dtype.ordered))),
                "objects": str(int(dtype.categories.dtype == object)),
            },
        )
        for (name, dtype), values in zip(columns.items(), lists, strict=True)
    ]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema(fields)) as stream:
        stream.write_batch(pa.record_batch(lists, schema=pa.schema(fields)))
    return base64.b64encode(sink.getvalue().to_pybytes())


def _with_categories(frame: pd.DataFrame, metadata: dict[bytes, bytes]) -> pd.DataFrame:
    if CATEGORIES not in metadata:
        return frame
    stream = pa.BufferReader(base64.b64decode(metadata[CATEGORIES], validate=True))
    schema = pa.ipc.read_schema(pa.ipc.read_message(stream))
    message = pa.ipc.read_message(stream)
    # Compressed categories could unpack to any size, and save never writes them: zeros cannot be decompressed.
    header = message.serialize().to_pybytes()[: -message.body.size or None]
    pa.ipc.read_record_batch(pa.ipc.read_message(header + bytes(message.body.size)), schema)
    batch = pa.ipc.read_record_batch(message, schema)
    batch.validate(full=True)
    names = {str(name): name for name in frame.columns}
    for field in batch.schema:
        marks = field.metadata or {}
        categories = (
            batch[field.name]
            .flatten()
            .to_pandas(types_mapper=None if marks.get(b"objects") == b"1" else TEXTS.get)
        )
        name = names[field.name]
        dtype = pd.CategoricalDtype(pd.Index(categories), ordered=marks.get(b"ordered") == b"1")
        frame[name] = pd.Categorical(frame[name], dtype=dtype)
    return frame


def _held(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the records of a frame by id: its rows under an empty name, those of a generated column under its own."""
    held: dict[str, pd.DataFrame] = {}
    for name, spec in {"": None, **generated_columns(frame)}.items():
        with suppress(InvalidArgument):
            held[name] = (
                identified(frame)
                if spec is None
                else records_of(frame, spec.name, column=name, distinct=True).frame[[spec.generated]]
            )
    return held


def _write_baseline(frame: pd.DataFrame) -> bytes:
    """Return the original values of edited cells, if known."""
    known = {name: edits for name, rows in _held(frame).items() if (edits := _edits(rows)) is not None}
    if not known:
        return b""
    written = known.pop("", {}) | {COLUMNS: known}
    return base64.b64encode(zlib.compress(json.dumps(written, default=str).encode()))


def _edits(rows: pd.DataFrame) -> dict[str, Any] | None:
    """Return the original values of the edited cells of records, and the rows without any; None if all have none."""
    known = BASELINES.find(origin(rows).get("baseline"))
    if known is None or not known.index.is_unique:
        return None
    positions = known.index.get_indexer(rows.index)
    unknown = positions < 0
    before = known.take(positions[~unknown])
    edited = {
        name: np.flatnonzero(~same(rows[name][~unknown], before[name]))
        for name in known.columns
        if name in rows.columns
    }
    edits = {name: [at.tolist(), plain(before[name].iloc[at])] for name, at in edited.items() if at.size}
    return {"unknown": np.flatnonzero(unknown).tolist(), "edits": edits}


def _keep_baseline(frame: pd.DataFrame, written: bytes) -> None:
    """Restore the baselines of the frame, so that a push from any client of this process finds them."""
    data = base64.b64decode(written, validate=True)
    reader = zlib.decompressobj()
    content = reader.decompress(data, max(MOST // 16, RATIO * len(data)))
    if not reader.eof:
        raise ValueError("the edits are damaged, or unpack to too much")
    own = json.loads(content)
    known = own.pop(COLUMNS, {}) | {"": own}
    for name, rows in _held(frame).items():
        if (edits := known.get(name)) and "baseline" in origin(rows):
            # A copy shares the texts, and rows without some do not.
            before = rows.drop(index=rows.index[edits["unknown"]]) if edits["unknown"] else rows.copy()
            for column, (edited, values) in edits["edits"].items():
                before[column] = _undone(before[column], edited, values)
            BASELINES.keep(frame, before, origin(rows))


def _undone(column: pd.Series, rows: list[int], values: list[Any]) -> pd.Series:
    old = column.astype(object)
    old.iloc[rows] = pd.array(values, dtype=object)
    return converted(old, column.dtype)
