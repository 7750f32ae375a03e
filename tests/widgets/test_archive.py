from __future__ import annotations

from types import SimpleNamespace

import pytest

from inkframe.errors import InvalidArgument
from inkframe.widgets.archive import pack


def record(id, name="Boats"):
    return SimpleNamespace(id=id, name=name)


def test_names_of_files_are_safe_and_differ():
    """A record's name never leads out of the folder, and two of a name make two files."""
    name, mime, data = pack([record(1, "../a/b")], lambda _: (".md", b"text"), "documents")
    assert (name, mime, data) == ("1-a-b.md", "text/markdown", b"text")


def test_what_is_too_large_is_refused(monkeypatch):
    """More than a browser should be handed is refused with the line that does it in a cell."""
    monkeypatch.setattr("inkframe.widgets.archive.MOST_BYTES", 10)
    with pytest.raises(InvalidArgument, match=r"client\.images\.download"):
        pack([record(1), record(2)], lambda _: (".png", b"12345678"), "images")
