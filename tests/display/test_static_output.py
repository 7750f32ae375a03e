"""Outputs that are replaced after their cell has ended."""

import re

from IPython.utils.capture import capture_output

from inkframe.display.view import EMPTY, REOPENED, StaticOutput, View, folded

ONE = {"text/html": "<b>one</b>", "text/plain": "one"}
TWO = {"text/html": "<b>two</b>", "text/plain": "two"}


def headed(bundle):
    """Return a bundle as it is shown: below the rule for notebooks that are opened again."""
    return bundle | {"text/html": REOPENED + bundle["text/html"]}


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
    assert first.data == second.data == headed(ONE)
    places = [each.transient["display_id"] for each in seen.outputs]
    assert len(set(places)) == 2
    with capture_output() as seen:
        output.replace(TWO)
    assert [each.data for each in seen.outputs] == [headed(TWO)] * 2
    assert [each.transient["display_id"] for each in seen.outputs] == places
    assert all(each.update for each in seen.outputs)


def test_at_first_it_is_empty(notebook_shell):
    """A cell that shows it before there is anything has an output without words."""
    with capture_output() as seen:
        StaticOutput().place()
    assert seen.outputs[0].data == headed(EMPTY)
    assert re.sub(r"<style.*?</style>", "", seen.outputs[0].data["text/html"]) == ""
    assert EMPTY == {"text/html": "", "text/plain": ""}


def test_a_folded_view_is_open():
    """The copy of a view is in a fold that names it and shows it, and its text stays."""
    bundle = folded(View("<p>content</p>", "content"))
    assert "<p>content</p>" in bundle["text/html"] or "&lt;p&gt;" in bundle["text/html"]
    assert "Saved preview" in bundle["text/html"]
    assert '<details class="ink-fold ink-preview" open>' in bundle["text/html"]
    assert bundle["text/plain"] == "content"
