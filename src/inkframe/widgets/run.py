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

__all__ = ["Row", "create_rows", "frame_of_rows", "rows_of_plan"]

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


def create_rows(
    collection: Any,
    rows: Sequence[Row],
    *,
    at_once: int,
    cancelled: threading.Event,
    changed: Callable[[Row], Any],
) -> list[tuple[Row, InkframeError]]:
    """Create what rows say; afterwards each has a status, and its record where there is one.

    Args:
        collection: Where the records are made.
        rows: The rows, none of which is there yet.
        at_once: How many are under way at once.
        cancelled: Once it is set nothing more begins; what is under way is awaited, since it is paid for.
        changed: Called with a row when it begins and when it has ended, from the thread that does it.

    Returns:
        What went wrong, with the row it went wrong with.
    """
    failures: list[tuple[Row, InkframeError]] = []
    in_a_row = 0
    lock = threading.Lock()

    def create(row: Row) -> None:
        nonlocal in_a_row
        if cancelled.is_set() or in_a_row >= MOST_FAILURES:
            row.status = "skipped"
            row.error = "cancelled" if cancelled.is_set() else "not begun, since the ones before failed"
            changed(row)
            return
        row.status, row.error = "", None
        changed(row)
        began = time.monotonic()
        try:
            row.record = collection.create(**row.fields)
            row.status = "created" if is_finished(row.record) else "pending"
        except InkframeError as error:
            row.status = "unknown" if isinstance(error, OutcomeUnknown) else "failed"
            row.error = " ".join(str(error).split("\n"))
            failures.append((row, error))
        row.seconds = time.monotonic() - began
        with lock:
            in_a_row = in_a_row + 1 if row.error else 0
        changed(row)

    with ThreadPoolExecutor(at_once, thread_name_prefix="inkframe-create") as pool:
        for future in [pool.submit(create, row) for row in rows]:
            future.result()
    return failures
