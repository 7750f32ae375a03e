"""Bulk deletion, confirmed by the number of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inkframe.creating.row_by_row import row_by_row
from inkframe.errors import InvalidArgument, NotFound
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from inkframe.creating.row_by_row import Done
    from inkframe.listing.session import SessionCalls

__all__ = ["delete_many"]

STATUSES: Final = ("deleted", "gone", "failed")


def delete_many(calls: SessionCalls, ids: Sequence[int | str], confirm: int) -> pd.DataFrame:
    """Delete records and return a row with the status of each.

    Args:
        calls: The collection.
        ids: Their ids.
        confirm: The number of records.

    Raises:
        InvalidArgument: The number is wrong; nothing was deleted.
    """
    if isinstance(confirm, bool) or confirm != len(ids):
        raise InvalidArgument(
            f"confirm must be {len(ids)} (the number of {calls.spec.name}), got {short(confirm)}.\n"
            f"Nothing was deleted. This cannot be undone. Pass confirm={len(ids)} to continue."
        )
    distinct = list(dict.fromkeys(ids))
    return _report(
        row_by_row(calls.delete, distinct, calls.session.width, f"Deleting {calls.spec.name}", "deletions")
    )


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
