"""Many deletions: confirmed by their number, each reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.arguments import check_id, short
from inkframe.errors import InvalidArgument, NotFound
from inkframe.frames import identified, origin
from inkframe.resources.selection import is_frame
from inkframe.workflows.row_by_row import row_by_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from inkframe.resources.collection import Collection
    from inkframe.workflows.row_by_row import Done

__all__ = ["delete_many"]

STATUSES: Final = ("deleted", "gone", "failed")


def delete_many(
    collection: Collection[Any], given: Iterable[Any] | pd.DataFrame, confirm: int
) -> pd.DataFrame:
    """Delete records and give a row for each with what became of it.

    Args:
        collection: Where they are.
        given: Ids, records, or a frame; all are read before the first is deleted.
        confirm: How many there are.

    Raises:
        InvalidArgument: An id is none, or the number is another; nothing was deleted.
    """
    ids = _ids(collection, given)
    if isinstance(confirm, bool) or confirm != len(ids):
        host = collection._session.host  # noqa: SLF001  # the same room
        raise InvalidArgument(
            f"This deletes {len(ids):,} {collection.resource} of {host}, not {short(confirm)}.\n"
            f"Nothing was deleted. There is no way back: confirm with confirm={len(ids)}."
        )
    width = collection._width  # noqa: SLF001  # the same room
    distinct = list(dict.fromkeys(ids))
    return _report(
        row_by_row(collection.delete, distinct, width, f"Deleting {collection.resource}", "deletions")
    )


def _ids(collection: Collection[Any], given: Any) -> list[int | str]:
    if is_frame(given):
        if origin(given).get("collection") not in {None, collection.resource}:
            raise InvalidArgument(
                f"The frame holds no {collection.resource}.\nIts ids mean something else here."
            )
        found: list[int | str] = identified(given).index.tolist()
        return found
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InvalidArgument(f"{short(given)} is no list of ids.\nGive several, or use delete() for one.")
    return [check_id(each, collection.record_type) for each in given]


def _report(done: list[Done[int | str]]) -> pd.DataFrame:
    import pandas as pd

    ids = [each.job for each in done]
    are_texts = any(isinstance(id, str) for id in ids)
    return pd.DataFrame(
        {
            "id": pd.array(list(map(str, ids)), dtype="str") if are_texts else pd.array(ids, dtype="int64"),
            "status": pd.Categorical([_status(each) for each in done], categories=STATUSES),
            "error": pd.array([_reason(each) for each in done], dtype="str"),
            "seconds": pd.array([each.seconds for each in done], dtype="float64"),
        }
    )


def _status(done: Done[int | str]) -> str:
    if done.error is None:
        return "deleted"
    return "gone" if isinstance(done.error, NotFound) else "failed"


def _reason(done: Done[int | str]) -> str | None:
    return done.reason if _status(done) == "failed" else None
