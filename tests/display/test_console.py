"""Test progress bars in a terminal and in a notebook."""

import io
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from IPython.utils.capture import capture_output
from tqdm import tqdm

from inkframe.display import console
from inkframe.display.console import progress_bar


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
    """With ``leave=False`` nothing remains at the end; a bar that is not shown displays nothing."""
    with capture_output() as seen, progress_bar(True, 3, "Pictures", "pictures", leave=False) as bar:
        bar.update(3)
    assert seen.outputs[-1].data == {"text/html": "", "text/plain": ""}
    with capture_output() as seen, progress_bar(False, 3, "a", "b") as bar:
        bar.update(3)
    assert seen.outputs == []


@pytest.mark.parametrize("wanted", [True, False])
def test_a_bar_starts_no_thread_and_waits_for_no_other_bar(notebook_shell, wanted):
    """A bar of the user's that was interrupted may hold the lock of tqdm forever."""
    threads = threading.enumerate()
    with ThreadPoolExecutor(1) as pool, tqdm.get_lock():
        bar = pool.submit(progress_bar, wanted, 3, "a", "b").result(timeout=60)
    bar.close()
    assert threading.enumerate() == threads


def test_a_terminal_gets_text(capsys):
    """Outside of a kernel, the bar is that of tqdm."""
    with progress_bar(True, 4, "Writing", "files") as bar:
        bar.update(4)
    assert "Writing: 100%" in capsys.readouterr().err


@pytest.fixture
def clock(monkeypatch):
    """A list with the time of the clock that bars read."""
    now = [100.0]
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    return now


def test_whole_bar(notebook_shell, clock, recorded):
    """Every state of a bar: count, time left, rate a second or a minute, note, and the summary."""
    with capture_output() as seen, progress_bar(True, 3_000, "Images", "records") as bar:
        for seconds, steps, note in [(0.05, 1, ""), (0.1, 1, ""), (4, 998, "limit 60"), (4_000, 1_000, "")]:
            clock[0] += seconds
            bar.set_postfix_str(note, refresh=False)
            bar.update(steps)
        bar.update(2_000)
        bar.refresh()
    with capture_output() as slow, progress_bar(True, None, "Waiting", "pages") as bar:
        clock[0] += 120
        bar.update()
    recorded("bar", [output.data for output in [*seen.outputs, *slow.outputs]])


def test_a_listing_has_a_bar_from_its_second_page(notebook_shell, clock, recorded):
    """The bar has the part, the sum of all totals and the limit; a short listing has none."""
    progress = console.ListingProgress(True, "documents")
    with capture_output() as seen:
        progress.show("template 1 of 3", 150, 100, None)
        progress.close()
    assert seen.outputs == []
    with capture_output() as seen:
        clock[0] += 1
        progress.show("template 1 of 3", 150, 150, "limit 60")
        clock[0] += 1
        progress.show("template 2 of 3", 250, 250, None)
        clock[0] += 1
        progress.show("template 3 of 3", None, 257, None)
        progress.close()
    recorded("listing", [output.data["text/plain"] for output in seen.outputs])


def test_a_listing_of_one_part_does_not_name_it(notebook_shell):
    """A listing of a single part has the collection's name alone."""
    progress = console.ListingProgress(True, "images")
    with capture_output() as seen:
        progress.show("", None, 1, None)
        progress.show("", None, 2, None)
        progress.close()
    assert seen.outputs[0].data["text/plain"].startswith("Images: 0 records")


@pytest.mark.parametrize(("setting", "shown"), [(None, True), ("1", True), ("0", False)])
def test_a_setting_turns_bars_off(monkeypatch, setting, shown):
    """Bars are shown unless the setting is 0; the argument of a call goes before it."""
    if setting is None:
        monkeypatch.delenv("INKFRAME_PROGRESS")
    else:
        monkeypatch.setenv("INKFRAME_PROGRESS", setting)
    assert console.is_progress_wanted(None) is shown
    assert console.is_progress_wanted(True) is True
    assert console.is_progress_wanted(False) is False


def test_a_single_step_has_no_bar(notebook_shell):
    """One step of one has no bar, none of none has one."""
    for total, count in [(1, 0), (2, 2), (0, 2)]:
        with capture_output() as seen, progress_bar(True, total, "a", "b"):
            pass
        assert len(seen.outputs) == count


def test_a_notice_is_one_line(capsys):
    """A notice ends its line."""
    console.notice("2 creations")
    assert capsys.readouterr().out == "2 creations\n"


def test_a_bar_updates_its_line(notebook_shell, clock):
    """There is one output, which every later state replaces."""
    with capture_output() as seen, progress_bar(True, 3, "a", "b") as bar:
        clock[0] += 1
        bar.update()
    assert [output.update for output in seen.outputs] == [False, True, True]
    assert len({output.transient["display_id"] for output in seen.outputs}) == 1


def test_the_limit_of_a_service_is_shown_with_its_page(notebook_shell, clock):
    """The note has the last limit, also while later pages name none; the summary has no note."""
    progress = console.ListingProgress(True, "images")
    with capture_output() as seen:
        for count, limit in enumerate((None, None, "limit 60", "limit 30", None), 1):
            clock[0] += 1
            progress.show("", None, count, limit)
        progress.close()
    shown = [output.data["text/plain"] for output in seen.outputs]
    assert [each.partition(", limit ")[2] for each in shown] == ["", "60", "30", "30", ""]


def test_a_kernel_is_recognized(monkeypatch, notebook_shell):
    """A shell with a kernel is a notebook; one without, and Python without IPython, are not."""
    assert console.in_notebook()
    monkeypatch.delattr(notebook_shell, "kernel")
    assert not console.in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not console.in_notebook()


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


class BrokenPipe(io.StringIO):
    """An output whose reader has gone."""

    def write(self, _text):
        """Raise what a broken pipe raises."""
        raise BrokenPipeError


@pytest.mark.parametrize("stream", [lambda: None, closed, BrokenPipe])
def test_without_an_output_nothing_fails(monkeypatch, stream):
    """What a notice or a bar is about has been sent, so that a missing output is no error."""
    monkeypatch.setattr("sys.stdout", stream())
    monkeypatch.setattr("sys.stderr", None)
    console.notice("2 creations")
    with console.progress_bar(True, 2, "Creating images", "creations") as bar:
        bar.update()


def test_a_notice_in_another_encoding(monkeypatch):
    """Characters that the output cannot show are escaped."""
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    console.notice("Café …")
    assert written.getvalue() == b"Caf\\xe9 \\u2026\n"


def test_a_notice_controls_no_terminal(capsys):
    """Ids and names of a service are printed without escape sequences and characters that reverse text."""
    console.notice("Document a\x1b[2J\x07\u202e\ud800b\rc: stored")
    assert capsys.readouterr().out == "Document a[2Jb\nc: stored\n"
