"""Bulk creations of one collection: batches, and the jobs that run them in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.workflows.create_many import Batch
from inkframe.workflows.job import Job
from inkframe.workflows.journal import Journal

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike

    import pandas as pd

    from inkframe.calls.port import Calls
    from inkframe.display import View
    from inkframe.replies.record_reply import Record
    from inkframe.workflows.create_rows import Row
    from inkframe.workflows.session import Session

__all__ = ["Batches"]


@dataclass(frozen=True, slots=True)
class Batches:
    """Prepares batches of creates, and jobs that run them.

    Args:
        session: The session.
        calls: The collection.
        as_record: Converts the record of a reply.
        preview: Returns a view of records, for jobs that are shown.
    """

    session: Session
    calls: Calls
    as_record: Callable[[Record], Any]
    preview: Callable[[list[Any]], View]

    def prepare(
        self,
        rows: pd.DataFrame | Iterable[Mapping[str, Any]],
        journal: Journal | str | PathLike[str] | None,
        *,
        fresh: bool = False,
        by_name: bool = True,
        cancelled: threading.Event | None = None,
    ) -> Batch:
        """Return a batch of creates to run and monitor; ``create_many`` runs one.

        Args:
            rows: A DataFrame, a plan, or mappings.
            journal: The journal of earlier creates, or its file; None for that of the service.
            fresh: Whether rows in the journal are created again.
            by_name: Whether rows with different names are different.
            cancelled: Once set, no more creates are sent.

        Raises:
            InvalidArgument: A row is invalid; nothing was sent.
        """
        return Batch(
            self.session,
            self.calls,
            rows,
            journal if isinstance(journal, Journal) else self.session.journal(journal),
            self.as_record,
            fresh=fresh,
            by_name=by_name,
            cancelled=cancelled,
        )

    def job(
        self,
        batch: Batch,
        rows: Sequence[Row] | None = None,
        *,
        changed: Callable[[Row], Any] | None = None,
        at_once: int | None = None,
        searches: bool = True,
    ) -> Job:
        """Return a job that creates rows of a batch; ``Session.jobs`` starts it.

        Args:
            batch: The batch, checked and confirmed.
            rows: The rows; all of them by default.
            changed: Called with a row when it starts and when it ends, from the thread that creates it.
            at_once: The number of creates at once; chosen by the service if None.
            searches: Whether records are searched for whose replies were lost.
        """
        chosen = batch.rows if rows is None else rows
        return Job(batch, chosen, preview=self.preview, changed=changed, at_once=at_once, searches=searches)
