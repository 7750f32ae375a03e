"""Hashes of what a new record showed, by which edits and other records are recognized."""

from __future__ import annotations

import pytest

from inkframe.creating.once import edited_fields, hashes, is_another
from inkframe.replies.record import Record
from inkframe.schema import DOCUMENTS

FIELDS = dict.fromkeys(DOCUMENTS.shown)


def record(absent=(), **known):
    """Return a document that shows these fields."""
    return Record(id=1, known=FIELDS | known, extra={}, absent=absent)


NEW = record(name="Kettle", prompt="About a kettle", result="one\ntwo", favorite=False, template_id=1)
BEFORE = hashes(DOCUMENTS, NEW)


def test_hashes_of_what_can_be_set():
    """Fields with a value that create or update accept have a short hash, in the order of their names."""
    assert list(BEFORE) == ["favorite", "name", "prompt", "result"]
    assert {len(each) for each in BEFORE.values()} == {8}
    assert len(set(BEFORE.values())) == 4


@pytest.mark.parametrize("result", ["one\r\ntwo", "one\rtwo", " one\ntwo\n"])
def test_line_endings_and_spaces_around_are_no_edit(result):
    """Services change them by themselves."""
    assert edited_fields(record(**NEW.known | {"result": result}), BEFORE) == []


@pytest.mark.parametrize("result", ["onetwo", "one\n\ntwo", "one two", None])
def test_another_text_is_an_edit(result):
    """Any other text is one, also none at all."""
    assert edited_fields(record(**NEW.known | {"result": result}), BEFORE) == ["result"]


def test_fields_that_are_not_shown_are_no_edit():
    """What a reply leaves out, and a name that was never a field, prove nothing."""
    shown = record(absent=("result",), **NEW.known | {"result": None})
    assert edited_fields(shown, BEFORE | {"another": "0"}) == []


def test_another_record_has_another_name_and_another_text():
    """The name alone can be edited; the text that a record was generated from cannot."""
    renamed = NEW.known | {"name": "Lamp", "result": "edited"}
    assert not is_another(DOCUMENTS, edited_fields(record(**renamed), BEFORE))
    assert not is_another(DOCUMENTS, edited_fields(record(**NEW.known | {"prompt": "About a lamp"}), BEFORE))
    assert is_another(DOCUMENTS, edited_fields(record(**renamed | {"prompt": "About a lamp"}), BEFORE))
    assert not is_another(DOCUMENTS, edited_fields(NEW, {}))
