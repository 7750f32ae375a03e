from __future__ import annotations

from types import SimpleNamespace

import pytest

from inkframe.errors import InvalidArgument
from inkframe.widgets.record_actions import PendingDeletes, pack


def record(id, name="Boats"):
    return SimpleNamespace(id=id, name=name)


def test_names_of_files_are_safe_and_differ():
    """A record's name never leads out of the folder, and two of a name make two files."""
    name, mime, data = pack([record(1, "../a/b")], lambda _: b"text", "documents")
    assert (name, mime, data) == ("1-a-b.md", "text/markdown", b"text")


def test_what_is_too_large_is_refused(monkeypatch):
    """More than a browser should be handed is refused with the line that does it in a cell."""
    monkeypatch.setattr("inkframe.widgets.record_actions.MOST_BYTES", 10)
    with pytest.raises(InvalidArgument, match=r"client\.images\.download"):
        pack([record(1), record(2)], lambda _: b"12345678", "images")


def test_steps_are_taken_back_in_turn():
    """Undo takes back what was noted last, as one step."""
    pending = PendingDeletes()
    pending.mark({"1": 1, "2": 2})
    pending.mark({"3": 3, "1": 1})
    assert pending.ids == {"1": 1, "2": 2, "3": 3}
    assert pending.undo() == ["3"]
    assert pending.undo() == ["1", "2"]
    assert (len(pending), pending.undo()) == (0, [])


def test_noting_again_takes_back():
    """What is all noted already is kept again, and no empty step remains."""
    pending = PendingDeletes()
    pending.mark({"1": 1})
    pending.mark({"1": 1})
    assert "1" not in pending
    assert pending.undo() == []
