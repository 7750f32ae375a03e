from datetime import UTC, datetime

import pytest

import inkframe as ink
from inkframe.widgets.record_reader import RecordReader, mark_hits

DOCUMENT = {
    "id": 7, "name": "Kettle", "template": "FAQ", "template_id": 16, "prompt": "about a kettle", "creativity": 0.25,
    "result": "# Tea\n\nThe kettle boils. **Tea** is ready.", "favorite": True, "created_at": datetime(2026, 3, 1, 9, 30, tzinfo=UTC),
    "updated_at": datetime(2026, 3, 2, 9, 30, 12, tzinfo=UTC), "note": "<b>long</b> " * 60, "share": 0.08169495086091111,
    "count": 3, "empty": None, "style": "anime", "flag": False,
}  # fmt: skip
IMAGE = {
    "id": 8, "name": "Boats", "description": "two boats", "resolution": "256x256", "style": "anime", "medium": None,
    "filter": None, "favorite": False, "picture_url": "/u", "created_at": datetime(2026, 3, 1, tzinfo=UTC),
    "updated_at": None, "note": "a note", "template": "FAQ",
}  # fmt: skip


@pytest.fixture
def saved():
    """Return what was saved."""
    return []


@pytest.fixture
def reader(saved, small_png):
    """Return a reader of documents and images."""
    return RecordReader("the service", fetch=lambda _: small_png, save=lambda *given: saved.append(given))


def test_whole_records(reader, recorded):
    """A document with its other columns and the hits of a search, a picture, and the reason where there is none."""
    found = {"nothing": reader.content}
    reader.show(DOCUMENT, "TEA")
    found["document"] = reader.content
    reader.show(IMAGE)
    found["image"] = reader.content

    def refuse(_record):
        raise ink.InvalidArgument("There is no picture.\nTry another one.")

    refused = RecordReader("", fetch=refuse)
    refused.show(IMAGE)
    found["no picture"] = refused.content
    recorded("records", {name: html.replace("><", ">\n<").split("\n") for name, html in found.items()})


def test_hits_are_gone_through(reader):
    """Forward and back, around the ends; a record without hits has none."""
    assert reader.turn(1) == 0
    reader.show(DOCUMENT | {"result": "tea tea tea", "note": None}, "tea")
    assert [reader.turn(by) for by in (1, 1, 1, 1, -1, -1)] == [1, 2, 3, 1, 3, 2]
    reader.show(DOCUMENT | {"result": "tea tea", "note": None}, "tea")
    assert [reader.turn(by) for by in (-1, -1, -1)] == [2, 1, 2]
    reader.show(DOCUMENT, " ")
    assert reader.turn(1) == 0


def test_hits_are_marked_outside_of_styles():
    """A style sheet that holds tags is not changed; what follows it is."""
    html = "<style>p<i>p</i></style><p>P</p>p"
    marked = '<p><mark class="ink-hit ink-hit-1">P</mark></p><mark class="ink-hit ink-hit-2">p</mark>'
    assert mark_hits(html, "p") == (f"<style>p<i>p</i></style>{marked}", 2)
    assert mark_hits('a "b" <p>', '"b"') == ('a <mark class="ink-hit ink-hit-1">"b"</mark> <p>', 1)


def test_edits_are_kept_as_drafts(reader, saved):
    """A text that was edited waits while another is read, and is gone once it is stored or discarded."""
    reader.edit()
    assert not reader.is_editing
    reader.show(DOCUMENT)
    reader.edit()
    assert (reader.is_editing, reader.text.value) == (True, DOCUMENT["result"])
    reader.text.value = "Edited."
    reader.edit()
    assert reader.text.value == "Edited."
    text, row = reader.children
    assert (text, row.children) == (reader.text, (reader.keep, reader.drop))
    reader.show(IMAGE | {"id": 7})
    reader.renew(DOCUMENT, stored=True)
    assert (reader.is_editing, "unsaved" in reader.content, "<img" in reader.content) == (False, False, True)
    reader.show(DOCUMENT)
    assert reader.content.startswith(
        '<p class="ink-hint">This text has unsaved changes. Press Edit text to continue.</p><'
    )
    reader.edit()
    assert reader.text.value == "Edited."
    reader.keep.click()
    assert saved == [(7, "Edited.")]
    reader.renew(DOCUMENT | {"id": 9}, stored=True)
    assert reader.is_editing
    reader.renew(DOCUMENT | {"result": "Edited."}, stored=True)
    assert (reader.is_editing, "Edited." in reader.content, "unsaved" in reader.content) == (
        False,
        True,
        False,
    )
    reader.edit()
    reader.text.value = "Again."
    reader.drop.click()
    reader.edit()
    assert reader.text.value == "Edited."


def test_an_edit_without_a_change_is_no_draft(reader):
    """A text that was only opened leaves nothing behind."""
    for result in (DOCUMENT["result"], None):
        reader.show(DOCUMENT | {"result": result})
        reader.edit()
        reader.show(DOCUMENT | {"id": 9})
        reader.show(DOCUMENT | {"result": result})
        assert "unsaved" not in reader.content


def test_records_that_change_or_go(reader):
    """The record that is read is renewed unless it is edited; one that is gone is shown no longer."""
    reader.show(DOCUMENT)
    reader.renew(DOCUMENT | {"id": 9, "name": "Other"})
    assert "Kettle" in reader.content
    reader.renew(DOCUMENT | {"name": "Renamed"})
    assert "Renamed" in reader.content
    reader.edit()
    reader.text.value = "Edited."
    reader.renew(DOCUMENT | {"name": "Again"})
    assert (reader.is_editing, reader.text.value) == (True, "Edited.")
    reader.show(DOCUMENT | {"id": 9})
    reader.forget(["8"])
    assert "Select one to read it here." not in reader.content
    reader.forget(["7", "9"])
    assert ("Select one to read it here." in reader.content, reader.is_editing) == (True, False)
    reader.show(DOCUMENT)
    assert "unsaved" not in reader.content
    reader.renew(DOCUMENT)
    reader.clear()
    reader.renew(DOCUMENT)
    assert reader.content == '<p class="ink-hint">Select one to read it here.</p>'
