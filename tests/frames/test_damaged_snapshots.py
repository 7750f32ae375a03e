"""Damaged and hostile files are refused in bounded memory."""

import base64
import json
import random
import re
import zlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import inkframe as ink
from inkframe.frames.snapshots import BASELINE, CATEGORIES


@pytest.fixture
def saved(tmp_path):
    """Return a saved frame with categories, and a function that replaces its metadata."""
    frame = pd.DataFrame({"id": [1, 2], "name": ["a", "b"], "style": pd.Categorical(["x", "y"])}).set_index(
        "id"
    )
    frame.attrs["inkframe"] = {"baseline": "b1", "collection": "images", "client": "c"}
    path = ink.save(frame, tmp_path / "a.parquet")

    def change(**values):
        table = pq.read_table(path)
        given = {f"inkframe.{name}".encode(): value for name, value in values.items()}
        pq.write_table(table.replace_schema_metadata({**table.schema.metadata, **given}), path)
        return path

    return path, change


def refused(path, match="cannot be read"):
    with pytest.raises(ink.InvalidArgument, match=match) as caught:
        ink.load(path)
    assert str(caught.value).count("\n") == 1


def packed(content):
    return base64.b64encode(zlib.compress(content))


def stream(table, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return base64.b64encode(sink.getvalue().to_pybytes())


@pytest.mark.integration
def test_a_text_that_is_stored_once_for_many_rows(tmp_path, monkeypatch):
    """A dictionary of one long text for a hundred rows is refused before it is copied for each of them."""
    monkeypatch.setattr("inkframe.frames.snapshots.MOST", 2**20)
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 150, pa.int32()), ["x" * 100_000])
    nested = pa.ListArray.from_arrays(pa.array(range(151), pa.int32()), texts.cast(pa.string()))
    for number, column in enumerate((texts, nested)):
        path = tmp_path / f"{number}.parquet"
        table = pa.table({"a": column})
        pq.write_table(table, path, compression="zstd", store_schema=False, dictionary_pagesize_limit=2**30)
        assert path.stat().st_size < 10_000
        refused(path, match="must unpack to at most 1,048,576 bytes, got 15,1")


def test_many_equal_numbers(tmp_path, monkeypatch):
    """A column that takes no space in the file, and much in memory, is refused."""
    monkeypatch.setattr("inkframe.frames.snapshots.MOST", 2**20)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": np.zeros(1_000_000)}), path)
    refused(path, match="must unpack to at most")


def test_the_largest_file_is_still_read(tmp_path, monkeypatch):
    """A file may unpack to the bound, or to a hundred times its size if that is more, and to nothing beyond it."""
    path = tmp_path / "a.parquet"
    table = pa.table({"a": np.zeros(1000)})
    pq.write_table(table, path)
    monkeypatch.setattr("inkframe.frames.snapshots.MOST", 0)
    monkeypatch.setattr("inkframe.frames.snapshots.RATIO", 0)
    with pytest.raises(ink.InvalidArgument) as refusal:
        ink.load(path)
    text, size = str(refusal.value), path.stat().st_size
    needed = int(re.search(r"got ([\d,]+)\.", text)[1].replace(",", ""))
    assert text == (
        f"{path} must unpack to at most 0 bytes, got {needed:,}.\nRead it with another program if you trust it."
    )
    assert needed > 8000
    monkeypatch.setattr("inkframe.frames.snapshots.MOST", needed)
    assert ink.load(path).equals(table.to_pandas())
    monkeypatch.setattr("inkframe.frames.snapshots.MOST", needed - 1)
    refused(path, match=f"at most {needed - 1:,} bytes, got {needed:,}")
    monkeypatch.setattr("inkframe.frames.snapshots.RATIO", -(-needed // size))
    assert ink.load(path).equals(table.to_pandas())


@pytest.mark.integration
def test_a_large_frame_that_is_not_hostile_is_loaded(tmp_path):
    """Repeated short texts and long different ones are loaded, whatever the bound of small files."""
    frame = pd.DataFrame({"a": ["kettle"] * 200_000, "b": range(200_000)})
    assert ink.load(ink.save(frame, tmp_path / "a")).equals(frame)


@pytest.mark.integration
@pytest.mark.parametrize(
    "written",
    [
        b"not base64!",
        lambda: packed(b" " * 100_000_000),
        packed(b"[" * 100_000),
        packed(b'{"unknown": [], "edits": {}}')[:-8],
        packed(b"[]"),
        packed(b'{"unknown": [99], "edits": {}}'),
        b"!" + packed(b'{"unknown": [], "edits": {}}'),
        packed(b'{"unknown": [], "edits": {"none": [[0], ["x"]]}}'),
        packed(b'{"unknown": [], "edits": {"name": [[7], ["x"]]}}'),
        packed(b'{"unknown": [], "edits": {"name": [[0], []]}}'),
        packed(b'{"unknown": [], "edits": {"name": 5}}'),
        packed(b"\xff"),
    ],
)
def test_edits_that_are_damaged(saved, written):
    """Original values that are no JSON of ours, or unpack to a thousand times their size, are refused."""
    path, change = saved
    ink.load(path)
    change(baseline=written() if callable(written) else written)
    assert BASELINE == b"inkframe.baseline"
    refused(path)


def zeros(count):
    """Return one list of many zeros."""
    return pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.array(np.zeros(count, np.int64)))


def lists(values, type=None, name="style"):
    return pa.table({name: pa.array([values], pa.list_(type) if type else None)})


@pytest.mark.parametrize(
    "written",
    [
        b"not base64!",
        b"",
        stream(lists(["x"], name="none")),
        stream(pa.table({"style": [1]})),
        b"!" + stream(lists(["x", "y"])),
        stream(lists(["y", "y"])),
        stream(lists(["x", "y"]))[:-200],
        stream(lists([None, "x"])),
        lambda: stream(pa.table({"style": zeros(10_000_000)}), compression="zstd"),
        stream(lists(["x" * 1000] * 100), compression="lz4"),
        stream(lists(["x", "y", "z" * 1000]), compression="zstd"),
    ],
)
def test_categories_that_are_damaged(saved, written):
    """Categories that are no Arrow stream of ours, or are compressed, are refused."""
    path, change = saved
    change(categories=written() if callable(written) else written)
    assert CATEGORIES == b"inkframe.categories"
    refused(path)


def test_metadata_of_pandas_that_is_damaged(tmp_path):
    """What another program wrote about columns and attributes is not trusted."""
    path = tmp_path / "a.parquet"
    for metadata in (
        b"{",
        b"[" * 100_000,
        b"[]",
        json.dumps({"index_columns": ["none"], "columns": 5}).encode(),
    ):
        pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({b"pandas": metadata}), path)
        refused(path)


@pytest.mark.integration
def test_files_with_wrong_bytes(saved):
    """Whatever byte is wrong, the file is loaded or refused with the reason."""
    path, _ = saved
    content, chance = path.read_bytes(), random.Random(5)
    refusals = 0
    for _ in range(200):
        data = bytearray(content)
        for _ in range(chance.choice([1, 2, 8])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])
        try:
            ink.load(path)
        except ink.InvalidArgument as error:
            refusals += 1
            assert str(error).count("\n") == 1  # noqa: PT017  # not every damage is noticed
    assert refusals > 100


def test_other_things_than_files(tmp_path):
    """A folder is not opened."""
    refused(tmp_path, match="There is no file")
    (tmp_path / "folder.parquet").mkdir()
    refused(tmp_path / "folder.parquet", match="There is no file")
