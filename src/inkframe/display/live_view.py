"""An output that follows work in the background, with buttons that answer while a cell runs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.static_output import StaticOutput
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.display.view import View

__all__ = ["LiveView", "answer_at_once"]

#: Seconds between two updates: while nothing changes, and at least.
TICK: Final = 2.0
PAUSE: Final = 0.25
#: The characters that are sent in a second; Jupyter drops outputs of more than a million bytes a second.
MOST: Final = 600_000
#: The attribute of a comm of ipykernel that routes its messages.
ROUTE: Final = "_reply_subshell_for"


def answer_at_once(widget: Any) -> None:
    """Let a widget receive its messages while a cell runs; their handlers then run off the main thread.

    The front end sends them to a subshell, but ipykernel would route them to the shell that last used the widget.
    """
    comm = widget.comm
    if hasattr(comm, ROUTE):
        setattr(comm, ROUTE, lambda _data, default: default)


def rest_after(bundle: Mapping[str, Any]) -> float:
    """Return the seconds between a view that was sent and the next one."""
    return max(PAUSE, sum(len(text) for text in bundle.values()) / MOST)


class LiveView:
    """A view of work that goes on, renewed until it has ended, so that a saved notebook has the last state.

    Args:
        content: Returns the current view, with all of it for ``more=True``.
        cancel: Cancels the work.
        has_ended: Returns whether the work has ended.
        endings: What can be done with the outcome, by label; each returns the widget to show.
    """

    def __init__(
        self,
        content: Callable[..., View],
        cancel: Callable[[], Any],
        has_ended: Callable[[], bool],
        endings: Mapping[str, Callable[[], Any]] | None = None,
    ) -> None:
        self._content = content
        self._cancel = cancel
        self._has_ended = has_ended
        self._endings = endings or {}
        self._changed = threading.Event()
        self._output = StaticOutput()
        self._more = False
        self._thread: threading.Thread | None = None

    def renew(self) -> None:
        """Show the current state soon; called from any thread."""
        self._changed.set()

    def show(self) -> None:
        """Show the view in the cell that runs now."""
        from IPython.display import display

        more = self._more = self._more or self._has_ended()
        self._output.replace(self._content(more=more)._repr_mimebundle_())
        if self._thread is None:
            self._make_controls()
        if self._endings or not self._has_ended():
            display(self._controls)
        self._output.place()
        if self._thread is None:
            self._thread = threading.Thread(target=self._follow, name="inkframe-live-view", daemon=True)
            self._thread.start()

    def _make_controls(self) -> None:
        import ipywidgets

        place = ipywidgets.VBox()

        def button(label: str, press: Callable[[Any], Any]) -> Any:
            made = ipywidgets.Button(description=label, layout={"width": "auto"})
            made.on_click(press)
            return made

        def cancelled(pressed: Any) -> None:
            pressed.description, pressed.disabled = "Canceling", True
            self._cancel()

        def toggled(pressed: Any) -> None:
            self._more = not self._more
            pressed.description = "Show less" if self._more else "Show all"
            self.renew()

        def opened(pressed: Any) -> None:
            try:
                widget = self._endings[pressed.description]()
            except InkframeError as error:
                widget = ipywidgets.Label(str(error))
            place.children = [widget]

        running = [button("Cancel", cancelled), button("Show all", toggled)]
        for each in running:
            answer_at_once(each)
        # Made now, since widgets are made on the main thread.
        self._ended = [ipywidgets.HBox([button(label, opened) for label in self._endings]), place]
        self._controls = ipywidgets.VBox([ipywidgets.HBox(running)])

    def _follow(self) -> None:
        pause = threading.Event()
        while not self._has_ended():
            self._changed.wait(TICK)
            self._changed.clear()
            bundle = self._content(more=self._more)._repr_mimebundle_()
            self._output.replace(bundle)
            pause.wait(rest_after(bundle))
        self._output.replace(self._content(more=True)._repr_mimebundle_())
        row = self._controls.children[0]
        self._controls.children = self._ended if self._endings else []
        for each in (*row.children, row):
            each.close()
