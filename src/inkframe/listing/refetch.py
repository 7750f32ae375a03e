"""Fetch records by id, with one request for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.errors import NotFound
from inkframe.frames import ATTRIBUTE
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.frame_maker import FrameMaker
from inkframe.listing.operations import PATIENT
from inkframe.replies.columns import Columns

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import pandas as pd

    from inkframe.listing.operations import Calls
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record

__all__ = ["refetch", "with_details"]


def refetch(calls: SessionCalls, ids: Sequence[Any]) -> pd.DataFrame:
    """Return the current records as a frame by id, without deleted ones.

    Args:
        calls: Their collection.
        ids: Their ids, which become the index.
    """
    shown = zip(ids, _show(calls, ids, calls.session.width), strict=True)
    found = {id: record for id, record in shown if record is not None}
    known = {name: [record.known[name] for record in found.values()] for name in calls.spec.shown}
    frame = FrameMaker(calls).of_pages([Columns(list(found), known, {})] if found else [])
    absent = frozenset[str].intersection(*(record.absent for record in found.values())) if found else ()
    frame.attrs[ATTRIBUTE] = {"absent": sorted(absent)}
    return frame


def with_details(calls: Calls, columns: Columns, width: int) -> Columns:
    """Return a page with its missing columns, using one request per record.

    A record that was deleted meanwhile keeps the values of the list.

    Args:
        calls: The collection.
        columns: The page.
        width: The most requests in flight.
    """
    records = list(_show(calls, columns.ids, width))
    for name in columns.absent:
        columns.known[name] = [None if record is None else record.known[name] for record in records]
    for name in {name for record in records if record for name in record.extra} - columns.extra.keys():
        columns.extra[name] = [None if record is None else record.extra.get(name) for record in records]
    shown = {
        name for record in records if record for name, value in record.known.items() if value is not None
    }
    columns.absent = tuple(name for name in columns.absent if name not in shown)
    return columns


def _show(calls: Calls, ids: Sequence[Any], width: int) -> Generator[Record | None]:
    """Yield records by their ids; None for a deleted one."""

    def show(id: Any) -> Record | None:
        try:
            return calls.get(id, PATIENT)
        except NotFound:
            return None

    return WorkerPool(show, width).run(ids)
