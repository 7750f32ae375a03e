"""Show notices and progress bars: text in a terminal, a line of HTML in a notebook."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from threading import RLock
from typing import Any, ClassVar, Final
from weakref import WeakSet

from tqdm import tqdm

from inkframe.display.markup import plain, spell_seconds, tag

__all__ = [
    "ListingProgress",
    "is_progress_wanted",
    "notice",
    "progress_bar",
    "variable_name",
    "variables",
]

VARIABLE: Final = "INKFRAME_PROGRESS"
#: Seconds between two updates of a bar.
INTERVAL: Final = 0.1
_LINE = "display:flex;gap:10px;align-items:center;font:12.5px/1.5 var(--jp-ui-font-family,sans-serif);color:var(--jp-content-font-color2,gray)"
_BAR = "width:180px;accent-color:#5b76e8"


def notice(text: str) -> None:
    """Print a notice, such as the number of creations in a run.

    Without an output it is left out, since a call that was sent must not fail for it.
    """
    output = sys.stdout
    with suppress(OSError, ValueError):
        if output is not None:
            encoding = getattr(output, "encoding", None) or "utf-8"
            output.write(f"{plain(text)}\n".encode(encoding, "backslashreplace").decode(encoding))
            output.flush()


def is_progress_wanted(wanted: bool | None) -> bool:
    """Return whether bars are shown: as in the call, else as in ``INKFRAME_PROGRESS``."""
    return os.environ.get(VARIABLE) != "0" if wanted is None else wanted


def progress_bar(wanted: bool | None, total: int | None, words: str, unit: str, *, leave: bool = True) -> Any:
    """Return a bar as a context manager with ``update(n)``, ``set_postfix_str`` and ``close``, as in tqdm.

    Args:
        wanted: Whether to show the bar; None reads the environment. A single step is never shown.
        total: The number of steps, if known.
        words: The text before the numbers.
        unit: The unit of a step, in the plural.
        leave: Whether a summary line stays at the end.
    """
    shown = is_progress_wanted(wanted) and total != 1 and sys.stderr is not None
    if shown and not in_notebook():
        return tqdm(total=total, desc=words, unit=f" {unit}", leave=leave)
    bar = _HtmlBar(
        total=total,
        desc=words,
        unit=unit,
        leave=leave,
        miniters=0,
        mininterval=INTERVAL,
        gui=True,
        disable=not shown,
    )
    bar.refresh()
    return bar


class _HtmlBar(tqdm):  # type: ignore[misc]  # tqdm has no types
    """A progress bar as a line of HTML.

    The notebook bar of tqdm is a widget, which renders as an error message without its kernel. The text bar
    of tqdm writes to stderr, which notebooks show as a colored box. A line of HTML ends as text, or
    disappears.
    """

    monitor_interval = 0
    #: Its own: a text bar that is interrupted leaves the lock of tqdm locked for other threads.
    _lock = RLock()
    _instances: ClassVar[WeakSet[tqdm]] = WeakSet()
    _output: Any = None

    def refresh(self, **_options: object) -> None:
        """Show the current state."""
        if not self.disable:
            words = self._state()
            value = min(self.n, self.total) if self.total else None
            bar = tag("progress", max=self.total, value=value, style=_BAR)
            self._show(tag("div", bar, tag("span", words), style=_LINE), words)

    def close(self) -> None:
        """Replace the bar by a summary line, or remove it."""
        if not self.disable:
            super().close()
            done = f"{self.desc}: {self.n:,} {self.unit} in {spell_seconds(self.format_dict['elapsed'])}"
            words = done if self.leave else ""
            self._show(tag("div", words, style=_LINE) if words else "", words)

    def _show(self, html: str, words: str) -> None:
        from IPython.display import display

        bundle = {"text/html": str(html), "text/plain": words}
        if self._output is None:
            self._output = display(bundle, raw=True, display_id=True)
        else:
            self._output.update(bundle, raw=True)

    def _state(self) -> str:
        elapsed = self.format_dict["elapsed"]
        rate = self.n / elapsed if elapsed else 0.0
        parts = [f"{self.n:,} of {self.total:,} {self.unit}" if self.total else f"{self.n:,} {self.unit}"]
        if rate and self.total and self.n < self.total:
            parts.append(f"{spell_seconds((self.total - self.n) / rate)} left")
        if rate:
            parts.append(f"{rate:,.0f} a second" if rate >= 1 else f"{60 * rate:,.0f} a minute")
        parts += [self.postfix] if self.postfix else []
        return f"{self.desc}: {', '.join(parts)}"


class ListingProgress:
    """The progress bar of a whole listing, with its part, the number of records and the service's limit.

    It appears with the second page, so a short listing has no bar.

    Args:
        wanted: Whether to show the bar; None reads the environment.
        collection: ``images`` or ``documents``.
    """

    def __init__(self, wanted: bool | None, collection: str) -> None:
        self._wanted = wanted
        self._words = collection.capitalize()
        self._count = 0
        self._bar: Any = None

    def show(self, part: str, total: int | None, count: int, limit: str | None) -> None:
        """Show the part that is read, how many records of a total were read, and the limit of the service.

        Args:
            part: The part, such as template 2 of 5; empty if there is one only.
            total: The number of records, if the service reports it.
            count: Those so far.
            limit: The limit of requests, if the service tells it.
        """
        words = f"{self._words}: {part}" if part else self._words
        if self._count and self._bar is None:
            self._bar = progress_bar(self._wanted, total, words, "records")
        elif self._bar is not None and limit:
            self._bar.set_postfix_str(limit, refresh=False)
        self._count = count
        if self._bar is not None:
            self._bar.desc, self._bar.total = words, total
            self._bar.update(count - self._bar.n)

    def close(self) -> None:
        """Close the bar, if there is one."""
        if self._bar is not None:
            self._bar.close()


def in_notebook() -> bool:
    """Return whether this runs in a Jupyter kernel."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


def variable_name(value: object, otherwise: str) -> str:
    """Return the name of the user's variable that holds a value, or another name where there is none."""
    return next((name for name, held in variables(object).items() if held is value), otherwise)


def variables(kind: type) -> dict[str, Any]:
    """Return the variables of the notebook with a value of a type, without IPython's own, such as the last output."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    names = dict(shell.user_ns) if shell else {}
    return {name: held for name, held in names.items() if isinstance(held, kind) and name[0] != "_"}
