"""Results of long computations are stored by content, in bounds."""

import os
import tempfile

import numpy as np
import pyarrow as pa
import pytest

from inkframe.exploring import embed as stored_results
from inkframe.exploring.embed import content_key, stored


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the folder of stored results."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    return tmp_path / "cache"


def result(size=5_000, value=1.0):
    """Return a large result."""
    return np.full(size, value, np.float32)


def never():
    """Fail: nothing must be computed."""
    raise AssertionError


def test_a_result_is_computed_once(folder, monkeypatch):
    """It is found on disk, also by a later process, and may be changed."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "absent"))  # the file is written beside its place
    first = stored("map", "a", result)
    assert (stored("map", "a", never) == first).all()
    assert [each.name for each in folder.iterdir()] == ["map-a.npy"]
    stored("map", "a", never)[0] = 2
    assert (stored("map", "a", never) == first).all()


def test_small_results_are_not_stored(folder):
    """Reading a file would take as long as computing them, for fewer than 2,000 values."""
    stored("map", "a", lambda: result(1_999))
    assert not folder.exists()
    stored("map", "a", lambda: result(2_000))
    assert [each.name for each in folder.iterdir()] == ["map-a.npy"]


@pytest.mark.parametrize(
    "damage", [b"", b"no array", b"\x93NUMPY\x01\x00\xff\xff"], ids=["empty", "text", "cut"]
)
def test_a_damaged_file_is_computed_again(folder, damage):
    """The file is replaced."""
    stored("map", "a", result)
    (folder / "map-a.npy").write_bytes(damage)
    assert (stored("map", "a", lambda: result(value=2)) == 2).all()
    assert (stored("map", "a", never) == 2).all()


def test_a_file_with_objects_is_not_opened(folder):
    """It could run code."""
    folder.mkdir()
    np.save(folder / "map-a.npy", np.array([{}], object), allow_pickle=True)
    assert (stored("map", "a", result) == 1).all()


def test_the_folder_is_bounded(folder, monkeypatch):
    """The files that were not used for longest are removed."""
    monkeypatch.setattr(stored_results, "ON_DISK", 45_000)
    for age, name in enumerate("ab"):
        stored("map", name, result)
        os.utime(folder / f"map-{name}.npy", (age, age))
    stored("map", "a", never)  # used again
    stored("map", "c", result)
    assert sorted(each.name for each in folder.iterdir()) == ["map-a.npy", "map-c.npy"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    """The result is computed."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path / "file"))
    assert (stored("map", "a", result) == 1).all()


def test_a_key_is_of_the_content():
    """Texts that run together differ from texts that do not, and so do arrays of another shape or type."""
    keys = {
        content_key(pa.chunked_array([["ab", "c"]])),
        content_key(pa.chunked_array([["a", "bc"]])),
        content_key(pa.chunked_array([["ab"]]), "c"),
        content_key(np.zeros(4)),
        content_key(np.zeros((2, 2))),
        content_key(np.zeros(4, np.float32)),
        content_key(4),
        content_key("4"),
    }
    assert len(keys) == 8
    assert content_key(pa.chunked_array([["ab"], ["c"]])) == content_key(pa.chunked_array([["ab", "c"]]))


def test_only_the_newest_file_stays_beyond_the_bound(folder, monkeypatch):
    """A result that is larger than the bound is stored alone."""
    monkeypatch.setattr(stored_results, "ON_DISK", 1)
    for age, name in enumerate("abc"):
        stored("map", name, result)
        os.utime(folder / f"map-{name}.npy", (age, age))
    stored("map", "d", result)
    assert [each.name for each in folder.iterdir()] == ["map-d.npy"]


def test_a_file_that_cannot_be_written_leaves_nothing(folder):
    """Where a result cannot be put in its place, the unfinished file is removed, and the result is returned."""
    (folder / "map-a.npy").mkdir(parents=True)
    assert stored("map", "a", result)[0] == 1
    assert [each.name for each in folder.iterdir()] == ["map-a.npy"]


def test_a_full_disk_leaves_no_half_result(folder, full_disk):
    """A result that does not fit is computed and returned, and not stored."""
    with full_disk(10):
        assert stored("map", "full-disk", lambda: np.ones(5_000)).sum() == 5_000
    assert not list(folder.iterdir())
