"""Hashes of what a new record showed, by which edits and other records are recognized."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from inkframe.creating.create import Create
from inkframe.creating.identity import Entry, edits, shows_content
from inkframe.creating.rows import Row
from inkframe.replies.record import Record
from inkframe.schema import DOCUMENTS

FIELDS = dict.fromkeys(DOCUMENTS.shown)


def record(absent=(), **known):
    """Return a document that shows these fields."""
    return Record(id=1, known=FIELDS | known, extra={}, absent=absent)


NEW = record(
    name="Kettle", prompt="About a kettle", result="one\ntwo", creativity=1, favorite=False, template_id=1
)
KEPT = Create(SimpleNamespace(spec=DOCUMENTS), Row(0))
KEPT.keep(NEW)
BEFORE = KEPT.journal.find(KEPT.row.identity).shown
MADE = datetime(2026, 1, 1, tzinfo=UTC)
NOTED = Entry("created", 1, 0.0, shown=BEFORE, made=MADE.timestamp())


def edited(record, before=BEFORE):
    """Return the edited fields of a record that showed these hashes when it was new."""
    return edits(DOCUMENTS, record, Entry("created", 1, 0.0, shown=before, made=MADE.timestamp()))


def test_hashes_of_what_can_be_set():
    """Fields with a value that create or update accept have a short hash, in the order of their names."""
    assert list(BEFORE) == ["creativity", "favorite", "name", "prompt", "result"]
    assert {len(each) for each in BEFORE.values()} == {8}
    assert len(set(BEFORE.values())) == 5


@pytest.mark.parametrize("result", ["one\r\ntwo", "one\rtwo", " one\ntwo\n"])
def test_line_endings_and_spaces_around_are_no_edit(result):
    """Services change them by themselves."""
    assert edited(record(**NEW.known | {"result": result})) == []


@pytest.mark.parametrize("result", ["onetwo", "one\n\ntwo", "one two", None])
def test_another_text_is_an_edit(result):
    """Any other text is one, also none at all."""
    assert edited(record(**NEW.known | {"result": result})) == ["result"]


def test_fields_that_are_not_shown_are_no_edit():
    """What a reply leaves out, and a name that was never a field, prove nothing."""
    shown = record(absent=("result",), **NEW.known | {"result": None})
    assert edited(shown, BEFORE | {"another": "0"}) == []


@pytest.mark.parametrize(
    "other",
    [["name", "prompt"], ["name", "created_at"], ["prompt", "created_at"], ["creativity", "created_at"]],
)
def test_two_differences_tell_another_record(other):
    """The name alone can be edited, and another value or a time alone may be shown in another form."""
    changed = {
        "name": "Lamp",
        "prompt": "About a lamp",
        "creativity": 0.5,
        "created_at": MADE + timedelta(seconds=3),
    }
    for name, value in changed.items():
        shown = record(**NEW.known | {"result": "edited", name: value})
        assert sorted(edited(shown)) == sorted([name, "result"])
    shown = record(**NEW.known | {name: changed[name] for name in other})
    assert edits(DOCUMENTS, shown, NOTED) is None


@pytest.mark.parametrize("shown", [None, {}, {"favorite": "0"}])
def test_a_row_is_compared_with_what_was_shown(shown):
    """A create that showed neither name nor text has no row."""
    assert not shows_content(DOCUMENTS, NEW.known, Entry("created", 1, 0.0, shown=shown))
    assert shows_content(DOCUMENTS, {"name": "Kettle"}, Entry("created", 1, 0.0, shown=BEFORE))


@pytest.mark.parametrize("made", [None, MADE, MADE + timedelta(seconds=2), MADE - timedelta(seconds=2)])
def test_a_rounded_time_is_the_same(made):
    """Services round times, and lists may leave them out."""
    assert edited(record(**NEW.known | {"created_at": made})) == []
    assert edits(DOCUMENTS, record(**NEW.known | {"created_at": MADE}), Entry("created", 1, 0.0)) == []
