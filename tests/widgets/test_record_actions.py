import io
import threading
import zipfile

import pytest

from inkframe import Document, DocumentBrowser, ImageBrowser
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.widgets.record_panel import pack


def record(id, name="Boats"):
    return Document(id=id, name=name)


def test_names_of_files_are_safe_and_differ():
    """A record's name never leads out of the folder, and two of a name make two files."""
    name, mime, data = pack([record(1, "../a/b")], lambda _: b"text", "documents")
    assert (name, mime, data) == ("1-a-b.md", "text/markdown", b"text")


def test_several_records_are_an_archive():
    """Each has its file in it, by its own name."""
    name, mime, data = pack([record(1), record(2)], lambda row: b"%d" % row["id"], "images")
    assert (name, mime) == ("inkframe-images.zip", "application/zip")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {each.filename: archive.read(each) for each in archive.infolist()} == {
            "1-Boats.png": b"1",
            "2-Boats.png": b"2",
        }
        assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_DEFLATED}


def test_what_is_too_large_is_refused():
    """More than 100 MB together are refused with the line that fetches them in a cell."""
    half = bytes(50_000_000)
    assert len(pack([record(1)], lambda _: bytes(100_000_000), "images")[2]) == 100_000_000
    with pytest.raises(InvalidArgument) as caught:
        pack([record(1), record(2), record(3)], lambda row: half if row["id"] < 3 else b"1", "images")
    assert str(caught.value) == (
        "A download must be at most 100 MB.\n"
        'Select fewer records, or run client.images.download(frame, "folder") in a cell.'
    )


def test_steps_are_taken_back_in_turn(library):
    """Undo takes back what was marked last, as one step; what is all marked already is kept again, and no step of it."""
    browser = ImageBrowser(library)
    browser.submit().result(30)
    (one, two, three, *_), actions = browser.records, browser.actions
    left = []
    for keys in ([one, two], [three, one], None, None, None, [one, two], [three, one], [three, one], None):
        actions.mark(keys) if keys else actions.undo()
        left.append([*actions.pending])
    assert left == [
        [one, two],
        [one, two, three],
        [one, two],
        [],
        [],
        [one, two],
        [one, two, three],
        [two],
        [],
    ]


def threads():
    return [each for each in threading.enumerate() if "Browser" in each.name or "thumbnails" in each.name]


def test_no_thread_is_left_when_all_is_done(library):
    """Work that was asked for together is done in order; then the panel has no thread any more."""
    browser, done = DocumentBrowser(library), []
    asked = [browser.queue(lambda number=number: done.append(number), "Counting") for number in range(5)]
    asked[-1].result(30)
    for thread in threads():
        thread.join(30)
    assert (done, threads()) == ([0, 1, 2, 3, 4], [])


def test_work_behind_a_failure_is_done(library):
    """An error ends its own work only."""
    browser = DocumentBrowser(library)
    failed = browser.queue(lambda: 1 / 0, "Failing")
    assert browser.queue(lambda: "done", "Working").result(30) == "done"
    assert isinstance(failed.exception(), ZeroDivisionError)


def test_nothing_begins_in_a_closed_panel(library):
    """Closing ends what is under way at its next step; what waits behind it is not begun."""
    browser, began, ends = ImageBrowser(library), threading.Event(), threading.Event()
    done = []

    def work():
        began.set()
        for step in browser.steps([1, 2]):
            done.append(step)
            ends.wait(30)

    asked = [browser.queue(work, "Working"), browser.queue(lambda: done.append("more"), "Working")]
    assert began.wait(30)
    browser.close()
    ends.set()
    with pytest.raises(InkframeError, match=r"^The panel was closed\.$"):
        asked[1].result(30)
    for thread in threads():
        thread.join(30)
    assert (done, threads()) == ([1], [])


def test_a_closed_panel_makes_no_more_pictures(library):
    """Pictures that were wanted and are not begun are not fetched after the panel is closed."""
    browser, began, ends, fetched = ImageBrowser(library), threading.Event(), threading.Event(), []
    browser.submit().result(30)
    loader = browser.gallery.thumbnails

    def fetch(record):
        fetched.append(record["id"])
        began.set()
        ends.wait(30)
        return b""

    loader._fetch = fetch
    loader.want(list(browser.records))
    assert began.wait(30)
    browser.close()
    ends.set()
    for thread in threads():
        thread.join(30)
    assert len(fetched) < len(browser.records)
