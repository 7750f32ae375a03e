"""Progress bars: text in a terminal, a line of HTML in a notebook.

The bar that tqdm has for notebooks is a widget, and a saved widget is an error message once its kernel is
gone; its text bar leaves a coloured box of errors behind. A line of HTML ends as words, or as nothing.
"""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

from inkframe.display.markup import tag

__all__ = ["progress_bar"]

_LINE = "display:flex;gap:10px;align-items:center;font:12.5px/1.5 var(--jp-ui-font-family,sans-serif);color:var(--jp-content-font-color2,gray)"
_BAR = "width:180px;accent-color:#5b76e8"


def progress_bar(total: int | None, words: str, unit: str, *, shown: bool = True, leave: bool = True) -> Any:
    """Give a bar as a context, with the methods of ``tqdm``: ``update(n)``, ``set_postfix_str``, ``close``.

    Args:
        total: How many steps there are, where that is known.
        words: What is being done.
        unit: What is counted, in the plural.
        shown: Whether there is anything to see.
        leave: Whether a line that says what was done stays behind.
    """
    kind = _Line if _in_notebook() else tqdm
    return kind(total=total, desc=words, unit=f" {unit}", disable=not shown, leave=leave)


class _Line(tqdm):  # type: ignore[misc]  # tqdm carries no types
    """A bar that a notebook shows as a line of HTML."""

    def __init__(self, **options: Any) -> None:
        self._place: Any = None
        super().__init__(gui=True, **options)  # with it, tqdm itself writes nothing
        if not self.disable:
            self.display()

    def display(self, msg: str | None = None, pos: int | None = None) -> bool:  # noqa: ARG002  # tqdm's signature
        """Show how far it is; called by tqdm at most ten times a second."""
        words, total = self._words(), self.format_dict["total"]
        bar = tag("progress", max=total, value=min(self.n, total) if total else None, style=_BAR)
        self._show(tag("div", bar, tag("span", words), style=_LINE), words)
        return True

    def close(self) -> None:
        """End with what was done, or without a trace."""
        if self.disable:
            return
        super().close()
        words = self._done() if self.leave else ""
        self._show(tag("div", words, style=_LINE) if words else "", words)

    def _show(self, html: str, words: str) -> None:
        from IPython.display import display

        bundle = {"text/html": str(html), "text/plain": words}
        if self._place is None:
            self._place = display(bundle, raw=True, display_id=True)
        else:
            self._place.update(bundle, raw=True)

    def _words(self) -> str:
        state = self.format_dict
        rate = state["rate"] or (self.n / state["elapsed"] if state["elapsed"] else 0)
        known = bool(state["total"])
        parts = [f"{self.n:,} of {state['total']:,}{self.unit}" if known else f"{self.n:,}{self.unit}"]
        if rate and known:
            parts.append(f"{_time((state['total'] - self.n) / rate)} left")
        if rate:
            parts.append(f"{rate:,.0f} a second" if rate >= 1 else f"{60 * rate:,.0f} a minute")
        return self._about(", ".join([*parts, self.postfix] if self.postfix else parts))

    def _done(self) -> str:
        return self._about(f"{self.n:,}{self.unit} in {_time(self.format_dict['elapsed'])}")

    def _about(self, said: str) -> str:
        return f"{self.desc.removesuffix(': ')}: {said}" if self.desc else said


def _time(seconds: float) -> str:
    return f"{seconds:.{seconds < 10:d}f} s" if seconds < 60 else str(tqdm.format_interval(seconds))


def _in_notebook() -> bool:
    """Whether a kernel runs this, not a terminal."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None
