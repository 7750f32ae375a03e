from __future__ import annotations

import io
import zipfile
from types import SimpleNamespace

import pytest

from inkframe.errors import InvalidArgument
from inkframe.widgets.record_panel import PendingDeletes, pack


def record(id, name="Boats"):
    return SimpleNamespace(id=id, name=name)


def test_names_of_files_are_safe_and_differ():
    """A record's name never leads out of the folder, and two of a name make two files."""
    name, mime, data = pack([record(1, "../a/b")], lambda _: b"text", "documents")
    assert (name, mime, data) == ("1-a-b.md", "text/markdown", b"text")


def test_several_records_are_an_archive():
    """Each has its file in it, by its own name."""
    name, mime, data = pack([record(1), record(2)], lambda each: b"%d" % each.id, "images")
    assert (name, mime) == ("inkframe-images.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {each.filename: archive.read(each) for each in archive.infolist()} == {
            "1-Boats.png": b"1",
            "2-Boats.png": b"2",
        }
        assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_what_is_too_large_is_refused():
    """More than 100 MB together are refused with the line that fetches them in a cell."""
    half = bytes(50_000_000)
    assert len(pack([record(1)], lambda _: bytes(100_000_000), "images")[2]) == 100_000_000
    with pytest.raises(InvalidArgument) as caught:
        pack([record(1), record(2), record(3)], lambda each: half if each.id < 3 else b"1", "images")
    assert str(caught.value) == (
        "A download must be at most 100 MB.\n"
        'Select fewer records, or run client.images.download(frame, "folder") in a cell.'
    )


def test_steps_are_taken_back_in_turn():
    """Undo takes back what was noted last, as one step."""
    pending = PendingDeletes()
    pending.mark({"1": 1, "2": 2})
    pending.mark({"3": 3, "1": 1})
    assert pending.ids == {"1": 1, "2": 2, "3": 3}
    assert pending.undo() == ["3"]
    assert pending.undo() == ["1", "2"]
    assert (pending.ids, pending.undo()) == ({}, [])


def test_noting_again_takes_back():
    """What is all noted already is kept again, and no empty step remains."""
    pending = PendingDeletes()
    pending.mark({"1": 1})
    pending.mark({"1": 1})
    assert "1" not in pending
    assert pending.undo() == []
