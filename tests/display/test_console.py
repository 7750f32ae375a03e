"""Test progress bars in a terminal and in a notebook."""

from __future__ import annotations

import pytest
from IPython.utils.capture import capture_output

from inkframe.display import console, progress_bar


def test_a_notebook_gets_one_line_of_html(notebook_shell):
    """The line has the count and the limit, and ends as text; it is not a widget."""
    with capture_output() as seen, progress_bar(True, 2_000, "Documents: template 3 of 52", "records") as bar:
        bar.set_postfix_str("limit 60", refresh=False)
        bar.update(500)
        bar.refresh()
    first, *_, middle, last = [output.data for output in seen.outputs]
    assert first["text/plain"].startswith("Documents: template 3 of 52: 0 of 2,000 records")
    assert middle["text/plain"].startswith("Documents: template 3 of 52: 500 of 2,000 records, ")
    assert middle["text/plain"].endswith(", limit 60")
    assert '<progress max="2000" value="500"' in middle["text/html"]
    assert last["text/plain"] == "Documents: template 3 of 52: 500 records in 0.0 s"
    assert "<progress" not in last["text/html"]
    assert all(set(output.data) == {"text/html", "text/plain"} for output in seen.outputs)
    assert (seen.stdout, seen.stderr) == ("", "")


def test_a_bar_can_be_removed_at_the_end(notebook_shell):
    """With ``leave=False`` nothing remains at the end."""
    with capture_output() as seen, progress_bar(True, 3, "Pictures", "pictures", leave=False) as bar:
        bar.update(3)
    assert seen.outputs[-1].data == {"text/html": "", "text/plain": ""}


def test_an_unknown_total_is_counted(notebook_shell):
    """Without a total there is a count, but no remaining time."""
    with capture_output() as seen, progress_bar(True, None, "Sample", "records") as bar:
        bar.update(1_200)
        bar.refresh()
    assert seen.outputs[-2].data["text/plain"].startswith("Sample: 1,200 records, ")
    assert " left" not in seen.outputs[-2].data["text/plain"]


def test_a_hidden_bar_displays_nothing(notebook_shell):
    """A bar that is not shown displays nothing."""
    with capture_output() as seen, progress_bar(False, 3, "a", "b") as bar:
        bar.update(3)
    assert seen.outputs == []


def test_a_terminal_gets_text(capsys):
    """Outside of a kernel, the bar is that of tqdm."""
    with progress_bar(True, 4, "Writing", "files") as bar:
        bar.update(4)
    assert "Writing: 100%" in capsys.readouterr().err


@pytest.mark.parametrize(("seconds", "words"), [(0.04, "0.0 s"), (9.4, "9.4 s"), (42, "42 s"), (75, "01:15")])
def test_times_are_short(seconds, words):
    """Times are in seconds up to a minute, then in minutes."""
    assert console._time(seconds) == words
