"""The output of a view in a notebook: as it is saved, live while work goes on, and in place of a panel."""

from __future__ import annotations

import json
import threading
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from IPython.display import display

from inkframe.display.markup import Html, fold, join, root, spell_bytes, tag
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Entry = TypeVar("Entry")

__all__ = [
    "LiveView",
    "StaticOutput",
    "View",
    "answer",
    "data_uri",
    "fit",
    "folded",
    "left_out",
    "until_full",
    "weigh",
]

#: The maximum bytes that one record adds to a notebook, in all its formats together.
RECORD_BYTES = 150_000
#: The maximum bytes that one view of several records adds to a notebook.
CELL_BYTES = 1_000_000

#: Seconds between two updates: while nothing changes, and at least.
TICK: Final = 2.0
PAUSE: Final = 0.25
#: The characters that are sent in a second; Jupyter drops outputs of more than a million bytes a second.
CHARACTERS_A_SECOND: Final = 600_000
#: The attribute of a comm of ipykernel that routes its messages.
ROUTE: Final = "_reply_subshell_for"

EMPTY = {"text/html": "", "text/plain": ""}
#: Where the notebook is trusted, it shows an error in place of a widget that no kernel knows: that is hidden. While
#: the widget is there, the sentence and the preview are; pages of nbconvert and Voila have no kernel to ask for.
REOPENED: Final = Html(
    '<style class="ink-reopened">'
    ".jp-OutputArea:has(.ink-reopened) .jp-OutputArea-output:is(.lm-Panel,.jupyter-widgets):not(:has(*)),"
    ".jp-OutputArea:has(.jupyter-widgets *) :is(.ink-needs-kernel,.ink-preview),"
    "body.jp-Notebook .ink-needs-kernel{display:none}</style>"
)


class View:
    """An object that renders inline in a notebook, and again without a kernel.

    Args:
        html: The view as self-contained HTML.
        text: The view as plain text.
    """

    def __init__(self, html: Html, text: str) -> None:
        self.html, self.text = html, text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        return {"text/html": str(self.html), "text/plain": self.text}


def weigh(bundle: Mapping[str, object]) -> int:
    """Return the bytes that a bundle adds to a saved notebook, with line breaks and indentation."""
    text = json.dumps(bundle, ensure_ascii=False)
    # nbformat stores text as a list of lines, each on its own line after eight spaces.
    return len(text.encode("utf-8", "replace")) + 12 * text.count("\\n")


def fit(build: Callable[[int], dict[str, Any]], most: int, max_bytes: int) -> dict[str, Any]:
    """Build a bundle with as much text as the size limit allows.

    Args:
        build: Returns the bundle for a maximum number of characters of each text.
        most: The initial maximum, halved until the bundle fits.
        max_bytes: The maximum size of the bundle.
    """
    bundle = build(most)
    while weigh(bundle) > max_bytes and most > 100:
        most //= 2
        bundle = build(most)
    return bundle


def until_full(entries: Iterable[Entry], text: Callable[[Entry], str], reserved: int) -> Iterator[Entry]:
    """Yield entries while a cell has space for them.

    Args:
        entries: The entries, in order.
        text: Returns the text that an entry adds to the cell.
        reserved: Bytes of the cell for everything around the entries.
    """
    left = CELL_BYTES - reserved
    for entry in entries:
        left -= weigh({"": text(entry)})
        if left < 0:
            return
        yield entry


def left_out(number: int) -> list[str]:
    """Return the note about entries that a full cell leaves out, if there are any."""
    return [f"{number:,} left out: a cell holds {spell_bytes(CELL_BYTES)}"] if number else []


def data_uri(data: bytes, mime: str) -> Html:
    """Return bytes as a data URI for an attribute."""
    return Html(f"data:{mime};base64,{b64encode(data).decode()}")


def answer(widget: Any, *, at_once: bool) -> None:
    """Choose where a widget receives its messages.

    The front end sends them to a subshell, but ipykernel would route them to the shell that last used the widget.

    Args:
        widget: The widget.
        at_once: Whether it receives them while a cell runs, where their handlers run off the main thread; else on the
            main thread, behind all that wait there.
    """
    if hasattr(widget.comm, ROUTE):
        setattr(widget.comm, ROUTE, lambda _data, sent_to: sent_to if at_once else None)


def rest_after(bundle: Mapping[str, Any]) -> float:
    """Return the seconds between a view that was sent and the next one."""
    return max(PAUSE, sum(len(text) for text in bundle.values()) / CHARACTERS_A_SECOND)


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
        self._content, self._cancel, self._has_ended = content, cancel, has_ended
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
            answer(each, at_once=True)
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


class StaticOutput:
    """An output that is replaced long after its cell has ended, from any thread.

    The notebook stores it like any other output, so it is there again without a kernel and without scripts,
    where a widget is not.

    Args:
        note: What stands above it while there is no widget beside it.
    """

    def __init__(self, note: str = "") -> None:
        self._places: list[str] = []
        self._head = join(REOPENED, tag("p", note, class_="ink-needs-kernel") if note else "")
        self._bundle: Mapping[str, Any] = EMPTY | {"text/html": self._head}

    @property
    def is_placed(self) -> bool:
        """Whether a cell shows it."""
        return bool(self._places)

    def place(self) -> None:
        """Show it in the cell that runs now."""
        self._places.append(f"inkframe-{uuid4().hex}")
        display(self._bundle, raw=True, display_id=self._places[-1])

    def replace(self, bundle: Mapping[str, Any]) -> None:
        """Show something else wherever it is shown."""
        self._bundle = bundle = {**bundle, "text/html": self._head + bundle["text/html"]}
        for place in self._places:
            display(bundle, raw=True, display_id=place, update=True)


def folded(view: View) -> dict[str, Any]:
    """Return a view in an open fold, which is hidden below the live view that shows the same."""
    preview = fold("Saved preview", view.html, opened=True, class_="ink-fold ink-preview")
    return {"text/html": str(root(preview)), "text/plain": view.text}
