"""The journal: durable lines and their content."""

from __future__ import annotations

import os
import stat

import pytest

import inkframe
from inkframe.workflows.journal import Journal, identity


def test_lines_are_read_back(tmp_path):
    """The last line of a create is its current state."""
    path = tmp_path / "deep" / "journal.jsonl"
    journal = Journal(path)
    journal.note("a", "sent", collection="images")
    journal.note("a", "created", 7, collection="images")
    journal.note("b", "sent", collection="images")
    again = Journal(path)
    assert (again.find("a").state, again.find("a").id) == ("created", 7)
    assert again.find("b").state == "sent"
    assert again.find("c") is None
    assert again.ids("images") == {7}


def test_an_incomplete_last_line_is_ignored(tmp_path):
    """An incomplete line, as after a power loss, affects no other line."""
    path = tmp_path / "journal.jsonl"
    Journal(path).note("a", "created", "x", collection="images")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"creation": "b", "sta')
    Journal(path).note("c", "created", 3, collection="images")
    assert Journal(path).ids("images") == {"x", 3}


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_it_is_private(tmp_path):
    """Only its owner can read it."""
    path = tmp_path / "j" / "journal.jsonl"
    Journal(path).note("a", "sent", collection="images")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_journal_that_cannot_be_written_stops_before_sending(tmp_path):
    """Without a journal nothing is sent."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with inkframe.connect(library=":memory:") as client:
        with pytest.raises(inkframe.ConfigurationError, match="Nothing was sent"):
            client.documents.create_many(
                [{"name": "a", "prompt": "p"}], journal=tmp_path / "file" / "x.jsonl"
            )
        assert client.created == 0


def test_identity_is_service_content_and_repeat():
    """Each of the three identifies a create; the order of fields does not matter."""
    base = identity("s", "images", {"a": 1, "b": 2})
    assert base == identity("s", "images", {"b": 2, "a": 1}, 1)
    others = {identity("t", "images", {"a": 1, "b": 2}), identity("s", "documents", {"a": 1, "b": 2}),
              identity("s", "images", {"a": 1, "b": 3}), identity("s", "images", {"a": 1, "b": 2}, 2)}  # fmt: skip
    assert base not in others
    assert len(others) == 4
