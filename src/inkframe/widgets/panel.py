"""The base class of panels: a box of controls that works in threads, has its state in traits, and shows its code."""

from __future__ import annotations

import json
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from importlib.resources import files
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anywidget
import ipywidgets
import traitlets
from IPython.display import display

from inkframe.client import Client
from inkframe.display.console import variable_name
from inkframe.display.markup import Html, read_sheet, root, tag
from inkframe.display.view import StaticOutput, View, answer, folded
from inkframe.errors import InkframeError, OutcomeUnknown, checked_calls
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    Result = TypeVar("Result")
    Widget = TypeVar("Widget", bound=Any)

Item = TypeVar("Item")

__all__ = [
    "CodeBox",
    "Expression",
    "Panel",
    "Question",
    "Status",
    "button",
    "client_name",
    "front",
    "later",
    "mark",
    "own_vocabulary",
    "script",
    "show",
    "styled",
    "write_call",
    "write_value",
]

#: Seconds after a piece of work in which a click is the second half of a double click, and does nothing.
DOUBLE_CLICK: Final = 0.6
#: Characters of a call in code; a longer one gets a line for each argument.
WIDTH: Final = 88


def script(name: str, *parts: str, package: str = __package__) -> str:
    """Return the ES module of a widget, behind the functions that all share and the parts that it uses.

    Args:
        name: The file's name in the folder ``front`` of the package, without ``.js``.
        parts: The names of files in this package's own folder.
        package: The package of the widget.
    """
    shared = "".join(front(f"{part}.js") for part in ("base", *parts))
    return shared + front(f"{name}.js", package)


def front(name: str, package: str = __package__) -> str:
    """Return a file of the folder ``front`` of a package."""
    return (files(package) / "front" / name).read_text(encoding="utf-8")


class Status(anywidget.AnyWidget):
    """The status line of a panel, which is announced by assistive technology too.

    Messages of kind ``cancel`` come from its Cancel button, ``shown`` once it is on a page, and ``settled`` in
    answer to ``settle``, behind every change that the page held back.
    """

    _esm = script("status", "large")
    _css = "".join(map(read_sheet, ("base", "figure", "prose", "compare", "table"))) + front("panel.css")

    #: The current work, such as ``Drawing``; empty if there is none.
    working = traitlets.Unicode().tag(sync=True)
    #: A hint beside it.
    hint = traitlets.Unicode().tag(sync=True)
    #: The last message.
    text = traitlets.Unicode().tag(sync=True)
    #: Completed steps, and all of them; 0 if the total is unknown.
    done = traitlets.Int().tag(sync=True)
    total = traitlets.Int().tag(sync=True)
    #: Whether Cancel is enabled.
    cancels = traitlets.Bool().tag(sync=True)
    #: The last error.
    alert = traitlets.Unicode().tag(sync=True)
    #: The error of each field, by name.
    problems = traitlets.Dict().tag(sync=True)
    #: What each key of the panel does, which ``?`` shows.
    key_words: traitlets.Dict[str, str] = traitlets.Dict().tag(sync=True)

    def begin(self, working: str, *, total: int = 0, cancels: bool = False, hint: str = "") -> None:
        """Show that work has begun; the arguments are traits."""
        self.set_state({"done": 0, "total": total, "cancels": cancels, "hint": hint, "working": working})


class CodeBox(anywidget.AnyWidget):
    """A box with Python code to copy.

    Its messages are received in turn, while those of a status overtake what waits on the main thread.
    """

    _esm = script("code_box")

    code = traitlets.Unicode().tag(sync=True)


@checked_calls
class Panel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A box of controls with its state in traits. No trait holds the client or its key.

    Traits change in the thread that does the work, so that whatever observes them runs there too.

    Args:
        client: The client; None for a panel that sends nothing.
        above: The widgets above the status.
        below: The widgets below it.
        beside: The widgets beside it.

    Attributes:
        record: The record created or selected last.
        frame: The shown records as a DataFrame.
        busy: Whether work is running.
        error: The last error; None after a success.
        code: The Python code that does the same as the panel.
        status: The status line.
        code_box: Where the code is shown.
        result: The last result, if the panel has no cell for it.
    """

    record = traitlets.Any()
    frame = traitlets.Any()
    busy = traitlets.Bool()
    error = traitlets.Instance(Exception, allow_none=True)
    code = traitlets.Unicode()

    #: Called with a folded copy of each result if the panel has no cell of its own, as in the studio.
    on_result: Callable[[Mapping[str, Any]], Any] | None = None

    _client: Client
    _window: View

    def __init__(
        self,
        client: Client | None,
        above: Iterable[ipywidgets.Widget],
        below: Iterable[ipywidgets.Widget] = (),
        *,
        beside: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        if client is not None:
            self._client = client
        self._static = StaticOutput(f"{type(self).__name__} needs a running kernel: run this cell again.")
        self.status, self.code_box = Status(), CodeBox()
        self.result = styled(ipywidgets.HTML(), "ink-gone")
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._under_way: Future[Any] | None = None
        self._ended, self._last_press = (-inf, ""), dict[str, Any]()
        #: Whether a page shows the panel.
        self._on_page = False
        #: What a press does once these have answered.
        self._held: list[Callable[[], Any]] = []
        self._awaited: set[ipywidgets.Widget] = set()
        status = styled(ipywidgets.HBox([self.status, *beside]), "ink-top") if beside else self.status
        super().__init__([*above, status, *below, self.code_box, self.result])
        styled(self, "inkframe", "ink-panel")
        self.status.on_msg(self._on_status)
        for each in (self.status, self.code_box):
            answer(each, at_once=each is self.status)
            each.on_msg(self._on_settled)
        self.observe(lambda change: self.code_box.set_trait("code", change["new"]), "code")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        checked_calls(cls)

    def submit(self) -> Future[Any]:
        """Start the work of the panel in a thread; while it runs, return the same future."""
        raise NotImplementedError

    @property
    def is_cancelled(self) -> bool:
        """Whether the current work was cancelled."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Cancel what has not been sent. A creation in flight is awaited and shown, since it is billed."""
        self._cancelled.set()

    def _begin(self, work: Callable[[], Result], working: str, **shown: Any) -> Future[Result]:
        """Run work in a thread and show its progress, as ``Status.begin``; while other work runs, return its future."""
        future: Future[Result] = Future()
        with self._lock:
            if self._under_way is not None:
                return self._under_way
            self._under_way = future
        self._cancelled.clear()
        self._clear_problems()
        self.busy = True
        self.say("")
        self.status.begin(working, **shown)
        return self._start(partial(self._work, work), future)

    def _work(self, work: Callable[[], Result]) -> Result:
        try:
            return self._reported(work)
        finally:
            self._ended = (time.monotonic(), self.code)
            self._under_way = None
            self.status.working = ""
            self.busy = False

    def _reported(self, work: Callable[[], Result]) -> Result:
        """Return the result of work; show its failure."""
        try:
            return work()
        except Exception as error:
            self._fail(error)
            raise

    def _aside(self, work: Callable[[], Result]) -> Future[Result]:
        """Run something small in a thread, beside the current work."""
        return self._start(partial(self._reported, work), Future())

    def _start(self, work: Callable[[], Result], future: Future[Result]) -> Future[Result]:
        future.set_running_or_notify_cancel()

        def run() -> None:
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001  # it is in the future
                future.set_exception(error)

        threading.Thread(target=run, name=f"inkframe-{type(self).__name__}", daemon=True).start()
        return future

    def _clicked(self, **how: Any) -> None:
        """Handle a press of a button that submits, with its own arguments of ``submit``."""
        self.when_settled(partial(self._answered, **how))

    def when_settled(self, act: Callable[[], Any]) -> None:
        """Do what a button means once all that was entered before its press has arrived; at once where no page shows it.

        A page holds a change back while the kernel is busy with the one before, but never a press: what is shown there
        is asked for, and answers behind every change that was sent; twice, since what was held back is sent meanwhile.
        Changes come in two lines, that of the main thread and that of a subshell, so that there are two answers.
        """
        if self._on_page:
            self._ask(partial(self._ask, act))
        else:
            act()

    def _ask(self, act: Callable[[], Any]) -> None:
        with self._lock:
            self._held.append(act)
            self._awaited = {self.status, self.code_box}
        for each in (self.status, self.code_box):
            each.send({"kind": "settle"})

    def _on_settled(self, widget: ipywidgets.Widget, content: Mapping[str, Any], _buffers: object) -> None:
        held: list[Callable[[], Any]] = []
        with self._lock:
            if content.get("kind") == "settled":
                self._awaited.discard(widget)
            if not self._awaited:
                held, self._held = self._held, held
        for act in held:
            act()

    def _answered(self, **how: Any) -> None:
        """Submit after a press of a button; ignore the second half of a double click."""
        when, code = self._ended
        if time.monotonic() - when > DOUBLE_CLICK or (code, self._last_press) != (self.code, how):
            self._last_press = how
            self._press(**how)

    def _press(self, **how: Any) -> None:
        self.submit(**how)

    def steps(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items until Cancel is pressed, and count the completed ones."""
        for done, item in enumerate(items, 1):
            if self.is_cancelled:
                return
            yield item
            self.status.done = done

    def _fail(self, error: Exception) -> None:
        """Show an error."""
        self.error = error
        self.status.alert = sentence(error)

    def _clear_problems(self) -> None:
        self.error = None
        self.status.alert = ""

    def say(self, text: str) -> None:
        """Show a message, which assistive technology announces."""
        self.status.text = text

    def bring_into_view(self, box: ipywidgets.Widget, name: str) -> None:
        """Show a box, and bring it into view.

        Args:
            box: The box.
            name: A class that no other box of the panel has.
        """
        show(box)
        self.status.send({"kind": "reveal", "where": f".{name}"})

    def _show(self, bundle: Mapping[str, Any]) -> None:
        """Show a result in the panel's cell, which keeps it, or below if there is none."""
        if self._static.is_placed:
            self._static.replace(bundle)
        else:
            self.result.value = bundle["text/html"]
            show(self.result)
            self._window = View(Html(bundle["text/html"]), bundle["text/plain"])
            self._keep_copy()

    def _saved_view(self) -> View:
        """Return the first window of what is shown, in a container that needs no kernel."""
        return self._window

    def _keep_copy(self) -> None:
        """Keep the first window in the panel's cell, folded, or where the panel is shown without one."""
        if keep := self._static.replace if self._static.is_placed else self.on_result:
            keep(folded(self._saved_view()))

    def _on_status(self, _widget: ipywidgets.Widget, content: Mapping[str, Any], _buffers: object) -> None:
        kind = content.get("kind")
        if kind == "cancel":
            self.cancel()
        elif kind == "shown":
            self._on_page = True

    def _ipython_display_(self) -> None:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        note = f"{type(self).__name__} needs a running kernel: run this cell again."
        bundle = {
            "text/plain": f"{note}\n{self.code}",
            "text/html": "",  # the output below says it, in a trusted notebook too, which takes the view
            "application/vnd.jupyter.widget-view+json": view,
        }
        display(bundle, raw=True)
        self._static.place()

    def _display_(self) -> View:
        """Return what marimo shows in place of the panel."""
        note = f"{type(self).__name__} needs Jupyter widgets, which marimo does not run. The same in Python:"
        return View(root(tag("p", note), tag("pre", self.code)), f"{note}\n{self.code}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._client.service}>"


def sentence(error: Exception) -> str:
    """Return the text of an error for a person; the remedy for a lost answer is a button of the panel."""
    if isinstance(error, OutcomeUnknown):
        return "\n".join(str(error).split("\n")[:2])
    is_ours = isinstance(error, InkframeError)
    return str(error) if is_ours else f"Unexpected error: {type(error).__name__}: {error}"


def styled(widget: Widget, *names: str) -> Widget:
    """Add classes of the style sheet to a widget, and return it."""
    for name in names:
        widget.add_class(name)
    return widget


def mark(widget: Any, name: str, *, on: bool) -> None:
    """Add a class to a widget, or remove it."""
    (widget.add_class if on else widget.remove_class)(name)


def show(widget: Any, *, shown: bool = True) -> None:
    """Show a widget, or hide it without closing it."""
    mark(widget, "ink-gone", on=not shown)


def later(seconds: float, act: Callable[[], Any]) -> threading.Timer:
    """Call a function after a pause, in a thread that ends with the program."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    return timer


def button(label: str, press: Callable[[], Any], *names: str) -> ipywidgets.Button:
    """Return a button.

    Args:
        label: The words on it.
        press: Called when it is pressed.
        *names: Its classes.
    """
    made = ipywidgets.Button(description=label)
    made.on_click(lambda _: press())
    return styled(made, *names)


class Question(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A bar that asks before something would be lost; hidden until then."""

    def __init__(self) -> None:
        self._text = ipywidgets.HTML()
        super().__init__()
        styled(self, "ink-row", "ink-question", "ink-gone")

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return bool(self.children)

    def ask(self, text: str, answers: Mapping[str, Callable[[], Any]]) -> None:
        """Ask a question, which replaces an earlier one.

        Args:
            text: The question.
            answers: What each button says, and what is done when it is pressed.
        """
        self._text.value = str(tag("span", text, role="alert"))
        self.children = [
            self._text,
            *(button(label, partial(self._answer, act), "ink-small") for label, act in answers.items()),
        ]
        show(self)

    def close_question(self) -> None:
        """Hide the question."""
        show(self, shown=False)
        answers, self.children = self.children[1:], []
        for each in answers:
            each.close()

    def _answer(self, act: Callable[[], Any]) -> None:
        self.close_question()
        act()


class Expression(str):
    """Python code that is not quoted in a call, such as another call."""

    __slots__ = ()


def write_call(function: str, arguments: Mapping[str, Any]) -> Expression:
    """Write a call with keyword arguments.

    Args:
        function: What is called, such as ``client.images.create``.
        arguments: The values by keyword; None is left out.

    Example:
        >>> write_call("client.images.list", {"style": "anime", "page": 2})
        'client.images.list(style="anime", page=2)'
    """
    given = [f"{name}={write_value(value)}" for name, value in arguments.items() if value is not None]
    line = f"{function}({', '.join(given)})"
    if len(line) <= WIDTH and "\n" not in line:
        return Expression(line)
    lines = "".join(f"{each},\n" for each in given)
    return Expression(f"{function}(\n{textwrap.indent(lines, '    ')})")


def write_value(value: Any) -> str:
    """Write a value: texts in double quotes on one line, numbers as short as they are exact."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        # JSON spells every character as Python does, but for those that a source file cannot hold.
        text = json.dumps(value, ensure_ascii=False)
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(write_value, value))}]"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def own_vocabulary(vocabulary: Vocabulary, client: str) -> Expression | None:
    """Return the argument for the vocabulary of a client of this name; None for the interface's own."""
    return None if vocabulary == Vocabulary() else Expression(f"{client}.vocabulary")


def client_name(client: Client) -> str:
    """Return the name of the variable that holds a client; ``client`` where there is none."""
    return variable_name(client, "client")
