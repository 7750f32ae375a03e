"""Records as rows of plain values, whatever they were given as: a frame, records, or ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from inkframe.calls.arguments import check_id
from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.errors import InvalidArgument, NotFound
from inkframe.frames import identified, origin
from inkframe.resources.records import Document, Image

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas as pd

    from inkframe.resources.collection import Collection

__all__ = ["holds", "is_frame", "rows", "select", "values"]

Record = Image | Document

#: Columns by which a frame that does not say what it holds is known.
OWN_COLUMNS: Final = {
    "documents": {"prompt", "result", "creativity", "template"},
    "images": {"picture_url", "description", "resolution", "style", "medium", "filter"},
}


def select(
    collection: Collection[Any],
    given: pd.DataFrame | Iterable[int | str | Record] | int | str | Record,
    needed: str | None = None,
) -> list[dict[str, Any]]:
    """Give a row for each record.

    Args:
        collection: Where ids are looked up, a few at a time.
        given: A frame with the ids as its index or in a column ``id``, records, ids, or one of these.
        needed: A column without which the rows are of no use: where a frame lacks it, because the service
            leaves it out of its lists or the caller did, the records are asked for it.

    Raises:
        InvalidArgument: It is none of these.
        NotFound: An id is not there.
    """
    if is_frame(given):
        if holds(given) not in {None, collection.resource}:
            raise InvalidArgument(
                f"The frame holds no {collection.resource}.\nIts ids mean something else here."
            )
        found = rows(given)
        lacks = needed is not None and (needed not in given.columns or given[needed].isna().all())
        return _completed(collection, found) if lacks else found
    if isinstance(given, Image | Document | str) or not hasattr(given, "__iter__"):
        given = [given]
    known: list[Any] = list(given)
    for one in known:
        check_id(one, collection.record_type)
    unknown = [one for one in known if not isinstance(one, Image | Document)]
    fetched = iter(_each(collection, collection.get, unknown))
    return [_row(one if isinstance(one, Image | Document) else next(fetched)) for one in known]


def holds(frame: pd.DataFrame) -> str | None:
    """Say whether a frame holds ``images`` or ``documents``: as it says itself, else by its columns."""
    said = origin(frame).get("collection")
    columns = set(frame.columns)
    seen = [name for name, own in OWN_COLUMNS.items() if own & columns]
    return said or (seen[0] if len(seen) == 1 else None)


def values(record: Record) -> dict[str, Any]:
    """Give a record's values by name."""
    row = record._values()  # noqa: SLF001  # the same room
    extra: dict[str, Any] = row.pop("extra")
    return row | extra


def is_frame(given: object) -> TypeGuard[pd.DataFrame]:
    """Whether something is a DataFrame, without importing pandas for records and ids."""
    return hasattr(given, "columns") and hasattr(given, "index")


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give a frame's rows; what is missing is None.

    Raises:
        InvalidArgument: The frame has no ids, or a row has none.
    """
    frame = identified(frame, distinct=False)
    found: list[dict[str, Any]] = [{"id": id} for id in frame.index.tolist()]
    for name in frame.columns:
        column = frame[name]
        for row, value, missing in zip(found, column.astype(object), column.isna(), strict=True):
            row[name] = None if missing else value
    return found


def _row(record: Record) -> dict[str, Any]:
    """Give a record's values by name, with its picture where the record itself is where it stands."""
    found = values(record)
    source = getattr(record, "_source", None)
    return found | {"picture_url": source} if source else found


def _completed(collection: Collection[Any], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fill in what rows lack from the records themselves; a record that is gone stays as it is."""

    def shown(row: dict[str, Any]) -> dict[str, Any]:
        try:
            record = values(collection.get(row["id"]))
        except NotFound:
            return row
        return row | {name: value for name, value in record.items() if row.get(name) is None}

    return _each(collection, shown, found)


def _each(collection: Collection[Any], work: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
    return list(WorkerPool(work, Limiter(collection._width)).run(jobs))  # noqa: SLF001  # the same room
