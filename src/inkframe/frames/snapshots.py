"""Save frames to files and load them, with provenance and unpushed edits."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from inkframe.errors import InvalidArgument
from inkframe.frames import BASELINES, identified, origin, plain, same
from inkframe.frames.bounded_reading import DAMAGE, read_message, read_table, unpack
from inkframe.output_file import check_file, write_file
from inkframe.signatures import checked

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["load", "save"]

SUFFIX: Final = ".parquet"
#: The metadata key of our mark.
MARK: Final = b"inkframe.saved"
#: The metadata key of the categories; Parquet keeps only those in use.
CATEGORIES: Final = b"inkframe.categories"
#: The metadata key of the original values of edited cells.
BASELINE: Final = b"inkframe.baseline"


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
    reason = ""
    try:
        json.dumps(frame.attrs)
        table = pa.Table.from_pandas(frame)
        added = {MARK: b"1", CATEGORIES: _write_categories(frame), BASELINE: _write_baseline(frame)}
        kept = {**(table.schema.metadata or {}), **{key: text for key, text in added.items() if text}}
        table = table.replace_schema_metadata(kept)
        return write_file(
            target.parent,
            target.name,
            lambda file: pq.write_table(table, file, compression="zstd"),
            overwrite=overwrite,
            ours=_is_saved,
        )
    except InvalidArgument:
        raise
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = "; ".join(map(str, error.args)).splitlines()[0]
    raise InvalidArgument(f"The frame cannot be written: {reason}\nConvert or drop that column or attribute.")


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
        table = read_table(source)
        metadata = table.schema.metadata or {}
        frame = _with_categories(table.to_pandas(), metadata)
        _keep_baseline(frame, metadata.get(BASELINE))
    except InvalidArgument:
        raise
    except DAMAGE as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)[:200]
        raise InvalidArgument(
            f"{source} cannot be read: {reason}\nPass a file written by ink.save()."
        ) from None
    return frame


def _target(path: str | PathLike[str]) -> Path:
    given = Path(path).expanduser()
    return given if given.suffix else given.with_suffix(SUFFIX)


def _is_saved(path: Path) -> bool:
    """Return whether a file was written by ``save``."""
    try:
        metadata = pq.read_metadata(path).metadata or {}
    except (pa.ArrowException, OSError):
        return False
    # Release 0.1 wrote no mark.
    return not {MARK, CATEGORIES, BASELINE}.isdisjoint(metadata)


def _write_categories(frame: pd.DataFrame) -> bytes:
    """Return the categories of each column, as a table with one row of lists."""
    dtypes = {name: frame[name].dtype for name in frame.columns}
    columns = {name: dtype for name, dtype in dtypes.items() if isinstance(dtype, pd.CategoricalDtype)}
    if not columns:
        return b""
    lists, fields = [], []
    for name, dtype in columns.items():
        values = pa.array(dtype.categories)
        lists.append(pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values))
        fields.append(
            pa.field(str(name), lists[-1].type, metadata={"ordered": str(int(bool(dtype.ordered)))})
        )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema(fields)) as stream:
        stream.write_batch(pa.record_batch(lists, schema=pa.schema(fields)))
    return base64.b64encode(sink.getvalue().to_pybytes())


def _with_categories(frame: pd.DataFrame, metadata: dict[bytes, bytes]) -> pd.DataFrame:
    if CATEGORIES not in metadata:
        return frame
    batch = read_message(metadata[CATEGORIES])
    names = {str(name): name for name in frame.columns}
    for field in batch.schema:
        categories = batch[field.name].flatten().to_pandas()
        ordered = (field.metadata or {}).get(b"ordered") == b"1"
        name = names[field.name]
        dtype = pd.CategoricalDtype(pd.Index(categories), ordered=ordered)
        frame[name] = pd.Categorical(frame[name], dtype=dtype)
    return frame


def _write_baseline(frame: pd.DataFrame) -> bytes:
    """Return the original values of edited cells, if known."""
    known = BASELINES.find(origin(frame).get("baseline"))
    try:
        rows = identified(frame)
    except InvalidArgument:
        return b""
    if known is None or not known.index.is_unique:
        return b""
    positions = known.index.get_indexer(rows.index)
    unknown = positions < 0
    before = known.take(positions[~unknown])
    edits: dict[str, Any] = {}
    for name in [name for name in known.columns if name in rows.columns]:
        edited = np.flatnonzero(~same(rows[name][~unknown], before[name]))
        if edited.size:
            edits[name] = [edited.tolist(), plain(before[name].iloc[edited])]
    written = json.dumps({"unknown": np.flatnonzero(unknown).tolist(), "edits": edits}, default=str)
    return base64.b64encode(zlib.compress(written.encode()))


def _keep_baseline(frame: pd.DataFrame, written: bytes | None) -> None:
    """Restore the baseline of the frame, so that a push from any client of this process finds it."""
    if written is None or not isinstance(origin(frame).get("baseline"), str):
        return
    known = json.loads(unpack(written))
    rows = identified(frame)
    before = rows.drop(index=rows.index[known["unknown"]])
    for name, (edited, values) in known["edits"].items():
        before[name] = _undone(before[name], edited, values)
    BASELINES.restore(frame, before)


def _undone(column: pd.Series, rows: list[int], values: list[Any]) -> pd.Series:
    old = column.astype(object)
    old.iloc[rows] = pd.array(values, dtype=object)
    if isinstance(column.dtype, pd.CategoricalDtype):
        return old
    try:
        return old.astype(column.dtype)
    except (TypeError, ValueError):
        return old
