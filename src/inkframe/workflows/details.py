"""Columns that a service leaves out of its lists, filled in from the records themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
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

    def show(id: int | str) -> Record | None:
        try:
            return resource.get(id, tries=8, seconds=300.0)
        except NotFound:
            return None

    records = list(WorkerPool(show, Limiter(concurrency)).run(columns.ids))
    for name in columns.absent:
        columns.known[name] = [None if record is None else record.known[name] for record in records]
    for name in {name for record in records if record for name in record.extra} - columns.extra.keys():
        columns.extra[name] = [None if record is None else record.extra.get(name) for record in records]
    shown = {
        name for record in records if record for name, value in record.known.items() if value is not None
    }
    columns.absent = tuple(name for name in columns.absent if name not in shown)
    return columns
