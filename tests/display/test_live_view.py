"""An output that follows work in the background, without a browser."""

import threading
from types import SimpleNamespace

import ipywidgets
import pytest
from IPython.utils.capture import capture_output
from tests.waiting import until

from inkframe.display import view as live_view
from inkframe.display.markup import Html
from inkframe.display.view import LiveView, View, rest_after
from inkframe.errors import InkframeError


class Work:
    """Work that counts, and what its view shows in order."""

    def __init__(self, monkeypatch):
        monkeypatch.setattr(live_view, "TICK", 0.001)
        monkeypatch.setattr(live_view, "PAUSE", 0.001)
        self.done = 0
        self.ended = threading.Event()
        self.cancelled = threading.Event()
        self.shown = []
        self.view = LiveView(self.content, self.cancelled.set, self.ended.is_set)
        replace = self.view._output.replace
        monkeypatch.setattr(
            self.view._output,
            "replace",
            lambda bundle: self.shown.append(bundle["text/plain"]) or replace(bundle),
        )

    def content(self, *, more):
        """Return the current view."""
        text = f"{self.done} done, {'all' if more else 'some'}"
        return View(Html(text), text)

    def end(self):
        """End the work, and wait until the view has ended too."""
        self.ended.set()
        self.view._thread.join(30)
        assert not self.view._thread.is_alive()


@pytest.fixture
def work(monkeypatch, notebook_shell):
    """Return work whose view is shown in a cell."""
    work = Work(monkeypatch)
    with capture_output() as seen:
        work.view.show()
    work.buttons = work.view._controls.children[0]
    work.outputs = [output.data for output in seen.outputs]
    yield work
    work.ended.set()


def test_the_state_is_shown_and_renewed(work):
    """The first state is shown at once, later ones as they come, and the last one with everything."""
    assert work.outputs[-1]["text/plain"] == work.shown[0] == "0 done, some"
    work.done = 3
    work.view.renew()
    until(lambda: "3 done, some" in work.shown)
    assert "inkframe-live-view" in {thread.name for thread in threading.enumerate() if thread.daemon}
    work.done = 5
    work.end()
    assert work.shown[-1] == "5 done, all"


def test_the_buttons_work(work):
    """Show all and Show less switch the view; Cancel reaches the work, and says so."""
    cancel, more = work.buttons.children
    assert (cancel.description, more.description) == ("Cancel", "Show all")
    more.click()
    assert more.description == "Show less"
    until(lambda: work.shown[-1] == "0 done, all")
    more.click()
    assert more.description == "Show all"
    until(lambda: work.shown[-1] == "0 done, some")
    assert not work.cancelled.is_set()
    cancel.click()
    assert work.cancelled.is_set()
    assert (cancel.description, cancel.disabled) == ("Canceling", True)


def test_the_buttons_go_with_the_work(work):
    """After the end no button is left, and the view can be shown again without any."""
    work.end()
    assert all(button.comm is None for button in (work.buttons, *work.buttons.children))
    with capture_output() as seen:
        work.view.show()
    assert all("widget-view" not in kind for output in seen.outputs for kind in output.data)


def test_what_can_be_done_with_the_outcome_is_offered_at_the_end(work):
    """A button for each ending replaces Cancel, and shows its widget or the reason why there is none."""

    def refuse():
        raise InkframeError("There is nothing to rate.")

    view = LiveView(work.content, work.cancelled.set, lambda: True, {"Rate": refuse, "Open": ipywidgets.HTML})
    with capture_output() as seen:
        view.show()
    view._thread.join(30)
    assert any("widget-view" in kind for output in seen.outputs for kind in output.data)
    row, place = view._controls.children
    assert [button.description for button in row.children] == ["Rate", "Open"]
    row.children[0].click()
    assert place.children[0].value == "There is nothing to rate."
    row.children[1].click()
    assert isinstance(place.children[0], ipywidgets.HTML)


def test_a_widget_is_answered_while_a_cell_runs():
    """Messages of a widget go to the subshell that the front end asked for, or to none; other comms are left alone."""
    comm = SimpleNamespace(_reply_subshell_for=None)
    live_view.answer(SimpleNamespace(comm=comm), at_once=True)
    assert comm._reply_subshell_for({"content": 1}, "subshell") == "subshell"
    other = SimpleNamespace()
    live_view.answer(SimpleNamespace(comm=other), at_once=True)
    assert vars(other) == {}


def test_large_views_are_sent_less_often():
    """Of views of a megabyte, fewer are sent than Jupyter would drop; small ones follow after a quarter of a second."""
    assert rest_after({"text/html": "a line", "text/plain": ""}) == 0.25
    seconds = rest_after({"text/html": "p" * 900_000, "text/plain": "t" * 100_000})
    assert 1 < seconds < 2
