"""Compare two frames of one collection, cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.errors import InvalidArgument
from inkframe.frames.comparing import plain, same
from inkframe.frames.ids import identified
from inkframe.frames.provenance import origin
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["diff"]

CHANGES: Final = ("added", "removed", "changed", "flipped")
#: A column that changes with every other one.
FOLLOWING: Final = "updated_at"

#: One difference: the record, the change, the column, the old value and the new value.
Difference = tuple[Any, str, str, Any, Any]


@checked
def diff(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return the changes from one frame to another, such as from a snapshot to the present library.

    Columns that only one frame has or has fetched are not compared, and neither is ``updated_at``. The
    address of a picture is compared up to the ``?``, since signatures change between replies.

    Args:
        old: The earlier frame, with ids.
        new: The later frame, with ids.

    Returns:
        A DataFrame with id, change (``added``, ``removed``, ``changed``, and ``flipped`` for favorites),
        column, old and new. A record that was added or removed is one row with its name. ``attrs["summary"]``
        has the counts.

    Raises:
        InvalidArgument: The frames are of different collections, or have no ids.

    Example:
        >>> ink.diff(ink.load("monday.parquet"), client.documents.all())
    """
    before, after = identified(old), identified(new)
    collections = {origin(frame).get("collection") for frame in (old, new)} - {None}
    if len(collections) > 1:
        raise InvalidArgument(
            f"Both frames must hold images, or both documents, got {' and '.join(sorted(map(str, collections)))}.\n"
            "Pass two frames of the same collection."
        )
    absent = {*origin(old).get("absent", ()), *origin(new).get("absent", ())}
    if before.index.dtype != after.index.dtype:
        before, after = (frame.set_axis(frame.index.astype("str"), axis=0) for frame in (before, after))
    added, removed = (
        after.index.difference(before.index, sort=False),
        before.index.difference(after.index, sort=False),
    )
    rows = [
        *((id, "added", "name", None, name) for id, name in _names(after, added)),
        *((id, "removed", "name", name, None) for id, name in _names(before, removed)),
    ]
    kept = after.index.intersection(before.index, sort=False)
    before, after = before.loc[kept], after.loc[kept]
    for column in after.columns:
        if column in before.columns and column not in absent and column != FOLLOWING:
            rows += _cells(before[column], after[column])
    return _tidy(rows, after.index.dtype)


def _names(frame: pd.DataFrame, ids: pd.Index) -> Iterator[tuple[Any, Any]]:
    names = plain(frame.loc[ids, "name"]) if "name" in frame.columns else [None] * len(ids)
    return zip(ids.tolist(), names, strict=True)


def _cells(old: pd.Series, new: pd.Series) -> Iterator[Difference]:
    column = str(new.name)
    equal = same(_unsigned(new), _unsigned(old)) if column == "picture_url" else same(new, old)
    rows = np.flatnonzero(~equal)
    change = "flipped" if column == "favorite" else "changed"
    for id, before, after in zip(
        new.index[rows].tolist(), plain(old.iloc[rows]), plain(new.iloc[rows]), strict=True
    ):
        yield id, change, column, before, after


def _unsigned(addresses: pd.Series) -> pd.Series:
    return addresses.astype("str").str.partition("?")[0]


def _tidy(rows: list[Difference], dtype: Any) -> pd.DataFrame:
    ids, changes, columns, old, new = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    frame = pd.DataFrame(
        {
            "id": pd.array(list(ids), dtype=dtype),
            "change": pd.Categorical(changes, categories=CHANGES),
            "column": pd.array(list(columns), dtype="str"),
            "old": pd.Series(old, dtype=object),
            "new": pd.Series(new, dtype=object),
        }
    )
    frame.attrs["summary"] = _summary(changes, ids)
    return frame


def _summary(changes: tuple[str, ...], ids: tuple[Any, ...]) -> str:
    count = {change: changes.count(change) for change in CHANGES}
    records = len({id for id, change in zip(ids, changes, strict=True) if change == "changed"})
    return (
        f"{count['added']:,} added, {count['removed']:,} removed, "
        f"{count['changed']:,} cells changed in {records:,} records, {count['flipped']:,} favorites flipped"
    )
