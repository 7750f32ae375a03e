"""Join frames of one collection, and compare two of them cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

import numpy as np
import pandas as pd

from inkframe.errors import InvalidArgument, checked
from inkframe.frames.baselines import ATTRIBUTE, BASELINES, COLUMNS, SOURCES, differing, origin, plain, same
from inkframe.frames.frame_records import (
    check_frames,
    column_source,
    generated_columns,
    identified,
    is_own_table,
    records_of,
)
from inkframe.versions import text_type

__all__ = ["concat", "diff"]

#: Parts of a query that select a page or its order, but no records.
PAGING: Final = frozenset({"page", "per_page", "sort", "sort_by"})

CHANGES: Final = ("added", "removed", "changed", "flipped")
#: A column that changes with every other one.
FOLLOWING: Final = "updated_at"
#: One difference: the record, the change, the column, the old value and the new value.
Difference = tuple[Any, str, str, Any, Any]


@checked
def concat(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Join frames of one collection, such as pages. If a record appears in several, the last is kept.

    Tables of your own with generated columns, as ``write`` and ``draw`` return them, keep every row and their index.

    Categories stay categories: those of the vocabulary first, then others in the order of arrival. The frame
    has provenance if each part has, and can be pushed if each part can.

    Args:
        frames: DataFrames with ids, or with generated columns.

    Raises:
        InvalidArgument: There are no frames, or they are of different collections or services.

    Example:
        >>> frame = ink.concat(client.images.pages(style="anime"))
    """
    parts = list(frames)
    check_frames(*parts)
    if not parts:
        raise InvalidArgument(
            "frames must have at least one frame, got none.\nPass a list or iterator of frames."
        )
    joined = (
        _stacked(parts)
        if any(map(is_own_table, parts))
        else _joined([identified(part, distinct=False) for part in parts])
    )
    if all(origins := [origin(part) for part in parts]):
        joined.attrs[ATTRIBUTE] = _carried(joined, origins)
    made = {
        name: _carried(joined, sources)
        for name in dict.fromkeys(name for part in parts for name in generated_columns(part))
        if all(sources := [column_source(part, name) for part in parts if name in part])
    }
    if made:
        joined.attrs |= {COLUMNS: {name: each["collection"] for name, each in made.items()}, SOURCES: made}
    return joined


def _carried(joined: pd.DataFrame, origins: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the provenance of a joined frame, or of a generated column, whose baselines are joined too."""
    came = _origin(origins)
    known = [rows for each in origins if (rows := BASELINES.find(each.get("baseline"))) is not None]
    if len(known) == len(origins):
        BASELINES.keep(joined, _joined(known), came)
    return came


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return frames as one by id; the last row of an id is kept."""
    joined = _stacked(_alike(frames))
    return joined[~joined.index.duplicated(keep="last")] if joined.index.has_duplicates else joined


def _alike(frames: Sequence[pd.DataFrame]) -> Sequence[pd.DataFrame]:
    """Return frames with ids of one type; one string id turns all ids into strings."""
    if len({str(frame.index.dtype) for frame in frames}) == 1:
        return frames
    return [frame.set_axis(frame.index.astype(text_type()), axis=0) for frame in frames]


def _stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    names = dict.fromkeys(name for frame in frames for name in frame.columns)
    types = {name: _common([frame[name] for frame in frames if name in frame], len(frames)) for name in names}
    # Columns without values are made anew, since not every type becomes every other.
    parts = [
        frame.dropna(axis="columns", how="all").reindex(columns=[*names]).astype(types) for frame in frames
    ]
    stacked = pd.concat(parts)
    stacked.attrs = {}
    return stacked


def _common(parts: Sequence[pd.Series], count: int) -> Any:
    """Return the type for the values of a column in some of a number of frames, as ``FrameBuilder`` would choose it."""
    filled = [part.dtype for part in parts if part.notna().any()]
    different: list[Any] = list(dict.fromkeys(filled or [part.dtype for part in parts]))
    dtype = different[0]
    if len(different) > 1:
        if all(isinstance(each, pd.CategoricalDtype) for each in different):
            values = dict.fromkeys(value for each in different for value in each.categories)
            return pd.CategoricalDtype(pd.Index([*values]), ordered=all(each.ordered for each in different))
        if all(pd.api.types.is_numeric_dtype(each) and each.kind != "b" for each in different):
            return np.dtype("float64")
        return object if object in different else text_type()
    if len(filled) == count or not isinstance(dtype, np.dtype):
        return pd.Series([], dtype=dtype).reindex(range(count - len(filled))).dtype
    return {"b": pd.BooleanDtype(), "i": pd.Int64Dtype(), "u": pd.Int64Dtype()}.get(dtype.kind, dtype)


def _origin(origins: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = origins[0]
    if (different := differing(*origins)) is not None:
        field, values = different
        advice = "" if field == "collection" else " ink.connect(label=…) names a service in such messages."
        raise InvalidArgument(
            f"All frames must be of one {field}, got {' and '.join(sorted(values))}.\n"
            f"Join them with pandas.concat.{advice}"
        )
    if not all("fetched_at" in each for each in origins):  # of a table that was not fetched
        return _shared(origins) | ({"baseline": uuid4().hex} if "baseline" in origins[0] else {})
    assumed = _union(each.get("assumed", []) for each in origins)
    return {
        **first,
        **({"assumed": assumed} if assumed else {}),
        "query": _shared([each.get("query", {}) for each in origins]),
        "fetched_at": min(str(each.get("fetched_at")) for each in origins),
        "total": first.get("total") if len({each.get("total") for each in origins}) == 1 else None,
        "completeness": "best-effort" if len(origins) > 1 else first.get("completeness"),
        "reasons": _union(
            [
                *(each.get("reasons", []) for each in origins),
                [f"joined from {len(origins)} frames"][: len(origins) - 1],
            ]
        ),
        "absent": _union(each.get("absent", []) for each in origins),
        "client": first.get("client") if len({each.get("client") for each in origins}) == 1 else None,
        "baseline": uuid4().hex,
    }


def _union(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(each for part in lists for each in part))


def _shared(several: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all queries, or sources, share, without pages and orders."""
    return {
        name: value
        for name, value in several[0].items()
        if name not in PAGING and all(each.get(name) == value for each in several)
    }


@checked
def diff(old: pd.DataFrame, new: pd.DataFrame, *, column: str | None = None) -> pd.DataFrame:
    """Return the changes from one frame to another, such as from a snapshot to the present library.

    Columns that only one frame has or has fetched are not compared, and neither is ``updated_at``. The
    address of a picture is compared up to the ``?``, since signatures change between replies.

    Args:
        old: The earlier frame, with ids or a generated column.
        new: The later frame, likewise.
        column: The generated column whose records are compared, where a frame has several.

    Returns:
        A DataFrame with id, change (``added``, ``removed``, ``changed``, and ``flipped`` for favorites),
        column, old and new. A record that was added or removed is one row with its name. ``attrs["summary"]``
        has the counts.

    Raises:
        InvalidArgument: The frames are of different collections, or have no ids.

    Example:
        >>> ink.diff(ink.load("monday.parquet"), client.documents.all())
    """
    check_frames(old, new)
    held = {str(said) for each in (old, new) if column is None and (said := origin(each).get("collection"))}
    found = (
        []
        if len(held) > 1
        else [records_of(each, *held, column=column, distinct=True) for each in (old, new)]
    )
    held |= {each.spec.name for each in found if each.column}
    if len(held) > 1:
        raise InvalidArgument(
            f"Both frames must hold images, or both documents, got {' and '.join(sorted(held))}.\n"
            "Pass two frames of the same collection."
        )
    before, after = _alike([each.frame for each in found])
    absent = [name for each in (old, new) for name in origin(each).get("absent", ())]
    made_up = [] if "name" in old and "name" in new else ["name"]  # as generated records have one
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
    for name in after.columns:
        if name in before.columns and name not in {FOLLOWING, *absent, *made_up}:
            rows += _cells(before[name], after[name])
    return _tidy(rows, after.index.dtype)


def _names(frame: pd.DataFrame, ids: pd.Index) -> Iterator[tuple[Any, Any]]:
    return zip(ids.tolist(), plain(frame.reindex(columns=["name"]).loc[ids, "name"]), strict=True)


def _cells(old: pd.Series, new: pd.Series) -> Iterator[Difference]:
    column = str(new.name)
    equal = same(_unsigned(new), _unsigned(old)) if column == "picture_url" else same(new, old)
    rows = np.flatnonzero(~equal)
    for id, before, after in zip(
        new.index[rows].tolist(), plain(old.iloc[rows]), plain(new.iloc[rows]), strict=True
    ):
        yield id, "flipped" if column == "favorite" else "changed", column, before, after


def _unsigned(addresses: pd.Series) -> pd.Series:
    return addresses.astype(text_type()).str.split("?").str[0]


def _tidy(rows: list[Difference], dtype: Any) -> pd.DataFrame:
    ids, changes, columns, old, new = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    frame = pd.DataFrame(
        {
            "id": pd.array(list(ids), dtype=dtype),
            "change": pd.Categorical(changes, categories=CHANGES),
            "column": pd.array(list(columns), dtype=text_type()),
            "old": pd.Series(old, dtype=object),
            "new": pd.Series(new, dtype=object),
        }
    )
    count = {change: changes.count(change) for change in CHANGES}
    records = len({id for id, change in zip(ids, changes, strict=True) if change == "changed"})
    frame.attrs["summary"] = (
        f"{count['added']:,} added, {count['removed']:,} removed, "
        f"{count['changed']:,} cells changed in {records:,} records, {count['flipped']:,} favorites flipped"
    )
    return frame
