"""The rows of a plan created one by one, several at once, seen as they come and stopped when asked."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InkframeError, OutcomeUnknown
from inkframe.library.batch import Row, is_finished, outcomes, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

__all__ = ["Row", "Run", "frame_of_rows", "rows_of_plan"]

#: Failures in a row after which nothing more is begun: what ails one then ails all, and each may cost.
MOST_FAILURES: Final = 3


def rows_of_plan(collection: Any, plan: pd.DataFrame) -> list[Row]:
    """Check a plan and give its rows.

    Raises:
        InvalidArgument: A row will not do; nothing was sent.
    """
    return read_rows(plan, collection._checked, collection._creatable, collection._builder().columns)[0]  # noqa: SLF001  # as create_many does


def frame_of_rows(collection: Any, plan: pd.DataFrame, rows: Sequence[Row]) -> pd.DataFrame:
    """Give a plan with what became of its rows, as ``create_many`` gives it."""
    return outcomes(list(rows), plan, collection._builder())  # noqa: SLF001  # as create_many does


class Run:
    """Rows being created; afterwards each has a status, and its record where there is one.

    Args:
        create: Creates a record from a row's fields.
        cancelled: Once it is set nothing more begins; what is under way is awaited, since it is paid for.
        changed: Called with a row when it begins and when it has ended, from the thread that does it.

    Attributes:
        failures: What went wrong, with the row it went wrong with.
    """

    def __init__(
        self, create: Callable[..., Any], cancelled: threading.Event, changed: Callable[[Row], Any]
    ) -> None:
        self._create, self._cancelled, self._changed = create, cancelled, changed
        self._lock = threading.Lock()
        self._in_a_row = 0
        self.failures: list[tuple[Row, InkframeError]] = []

    def run(self, rows: Sequence[Row], at_once: int) -> None:
        """Create rows that are not there yet, so many at once."""
        with ThreadPoolExecutor(at_once, thread_name_prefix="inkframe-create") as pool:
            for future in [pool.submit(self._make, row) for row in rows]:
                future.result()

    def _make(self, row: Row) -> None:
        row.status, row.error = "", None
        if self._cancelled.is_set():
            row.status, row.error = "skipped", "cancelled"
        elif self._in_a_row >= MOST_FAILURES:
            row.status, row.error = "skipped", "not begun, since those before it failed"
        self._changed(row)
        if row.status:
            return
        began = time.monotonic()
        try:
            row.record = self._create(**row.fields)
            row.status = "created" if is_finished(row.record) else "pending"
        except InkframeError as error:
            row.status = "unknown" if isinstance(error, OutcomeUnknown) else "failed"
            row.error = " ".join(str(error).split("\n"))
            self.failures.append((row, error))
        row.seconds = time.monotonic() - began
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if row.error else 0
        self._changed(row)
