"""Progress bars: shown for work that takes a while, off by ``progress=False`` or ``INKFRAME_PROGRESS=0``."""

from __future__ import annotations

import os
from typing import Any, Final

__all__ = ["Listing", "is_progress_wanted", "progress_bar"]

VARIABLE: Final = "INKFRAME_PROGRESS"


def progress_bar(wanted: bool | None, total: int | None, words: str, unit: str) -> Any:
    """Give a bar as a context, with ``update(n)`` and ``set_postfix_str``.

    Args:
        wanted: Whether it is shown; None asks the environment, and shows none for a single step.
        total: How many steps there are, where that is known.
        words: What is being done.
        unit: What is counted.
    """
    from inkframe.display import progress_bar

    return progress_bar(total, words, unit, shown=is_progress_wanted(wanted) and total != 1)


def is_progress_wanted(wanted: bool | None) -> bool:
    """Whether bars are shown: as the call says, else as the environment does."""
    return os.environ.get(VARIABLE) != "0" if wanted is None else wanted


class Listing:
    """The bar of a whole listing: what is walked, how many records, the limit that holds it back.

    It appears with the second page, so that a short listing says nothing.

    Args:
        wanted: Whether it is shown; None asks the environment.
        collection: ``images`` or ``documents``.
    """

    def __init__(self, wanted: bool | None, collection: str) -> None:
        self._wanted = wanted
        self._words = collection.capitalize()
        self._part = ""
        self._total: int | None = 0
        self._count = 0
        self._pages = 0
        self._bar: Any = None

    def walk(self, number: int, of: int, what: str) -> None:
        """Say which of several walks this is."""
        self._part = f": {what} {number} of {of}" if of > 1 else ""
        if self._bar is not None:
            self._bar.set_description_str(f"{self._words}{self._part}", refresh=False)

    def expect(self, total: int | None) -> None:
        """Take account of how many records a walk will give."""
        self._total = None if total is None or self._total is None else self._total + total
        if self._bar is not None:
            self._bar.total = self._total

    def add(self, count: int, limit: str | None) -> None:
        """Count a page."""
        self._count += count
        self._pages += 1
        if self._bar is None and self._pages == 2:
            self._bar = progress_bar(self._wanted, self._total, f"{self._words}{self._part}", "records")
            self._bar.update(self._count)
        elif self._bar is not None:
            if limit:
                self._bar.set_postfix_str(limit, refresh=False)
            self._bar.update(count)

    def close(self) -> None:
        """Take the bar away, or leave it where it ended."""
        if self._bar is not None:
            self._bar.close()
