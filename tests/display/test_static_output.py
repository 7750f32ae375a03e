"""Outputs that are replaced after their cell has ended."""

from __future__ import annotations

from IPython.utils.capture import capture_output

from inkframe.display.view import EMPTY, StaticOutput, View, folded

ONE = {"text/html": "<b>one</b>", "text/plain": "one"}
TWO = {"text/html": "<b>two</b>", "text/plain": "two"}


def test_it_is_replaced_in_every_cell_that_shows_it(notebook_shell):
    """Each cell gets the current content, and every later one under the id of its output."""
    output = StaticOutput()
    with capture_output() as seen:
        output.replace(ONE)
        assert not output.is_placed
        output.place()
        output.place()
        assert output.is_placed
    first, second = seen.outputs
    assert first.data == second.data == ONE
    places = [each.transient["display_id"] for each in seen.outputs]
    assert len(set(places)) == 2
    with capture_output() as seen:
        output.replace(TWO)
    assert [each.data for each in seen.outputs] == [TWO, TWO]
    assert [each.transient["display_id"] for each in seen.outputs] == places
    assert all(each.update for each in seen.outputs)


def test_at_first_it_is_empty(notebook_shell):
    """A cell that shows it before there is anything has an empty output."""
    with capture_output() as seen:
        StaticOutput().place()
    assert seen.outputs[0].data == EMPTY == {"text/html": "", "text/plain": ""}


def test_a_folded_view_is_closed():
    """The copy of a view is in a fold that names it, and its text stays."""
    bundle = folded(View("<p>content</p>", "content"))
    assert "<p>content</p>" in bundle["text/html"] or "&lt;p&gt;" in bundle["text/html"]
    assert "Saved preview" in bundle["text/html"]
    assert " open" not in bundle["text/html"].split("<summary", 1)[0].rsplit("<details", 1)[1]
    assert bundle["text/plain"] == "content"
