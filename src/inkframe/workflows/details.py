"""Columns that a service leaves out of its lists, filled in from the records themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.concurrency.cancellation import CancelScope
from inkframe.concurrency.worker_pool import Crew, Pace
from inkframe.errors import NotFound

if TYPE_CHECKING:
    from inkframe.calls.port import Record, Resource
    from inkframe.replies.record_reply import Columns

__all__ = ["detailed"]


def detailed(resource: Resource, columns: Columns, concurrency: int) -> Columns:
    """Give a page with the columns it lacks, by one request for each record.

    A record that was deleted meanwhile keeps what the list showed.

    Args:
        resource: The collection.
        columns: The page.
        concurrency: The most requests in flight.
    """
    scope = CancelScope()
    pace = Pace(concurrency)
    pace.width = pace.most

    def show(id: int | str) -> Record | None:
        try:
            return resource.get(id, scope=scope, tries=8, seconds=300.0)
        except NotFound:
            return None

    records = list(Crew(show, pace, scope, lambda _: {}).run(columns.ids))
    for name in columns.absent:
        columns.known[name] = [None if record is None else record.known[name] for record in records]
    for name in {name for record in records if record for name in record.extra} - columns.extra.keys():
        columns.extra[name] = [None if record is None else record.extra.get(name) for record in records]
    shown = {
        name for record in records if record for name, value in record.known.items() if value is not None
    }
    columns.absent = tuple(name for name in columns.absent if name not in shown)
    return columns
