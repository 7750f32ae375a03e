"""The edited cells of a frame, checked before they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.errors import InvalidArgument, nearest
from inkframe.frames import origin, plain, same
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import check_update, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from inkframe.schema import ResourceSpec

__all__ = ["Cell", "edited_cells", "find_edits", "refuse_foreign", "renamed", "unfetched", "unknown"]

#: Columns that services change: a difference is an edit only if the baseline is known.
VOLATILE: Final = frozenset({"picture_url", "updated_at"})


@dataclass(slots=True)
class Cell:
    """One edited cell and its outcome.

    Args:
        id: The record.
        column: The field.
        old: The fetched value.
        new: The new value.
        outcome: The outcome.
        error: The reason for the outcome, or the value that the service stored instead.
        stored: The value that the service stored instead, if known.
    """

    id: int | str
    column: str
    old: Any
    new: Any
    outcome: str = "planned"
    error: str | None = None
    stored: Any = None


def find_edits(
    frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool
) -> list[Cell]:
    """Return the edited cells, row by row.

    Args:
        frame: The edited frame, by id.
        baseline: The values to compare with, by id.
        spec: The collection.
        fetched: Whether the baseline is the original fetch, not the current values of the service.

    Raises:
        InvalidArgument: An id is unknown, a read-only column was edited, or a value is invalid.
    """
    positions = baseline.index.get_indexer(frame.index)
    _refuse_unknown(frame.index[positions < 0], baseline, spec, fetched=fetched)
    if not np.array_equal(positions, np.arange(len(baseline))):
        baseline = baseline.take(positions)
    cells: list[Cell] = []
    problems: list[tuple[str, str]] = []
    for cell in edited_cells(frame, baseline, spec, fetched=fetched):
        cells.append(cell)
        problems += _problems(cell, spec)
    if problems:
        (problem, remedy), more = problems[0], len(problems) - 1
        others = f" (and {more:,} more)" if more else ""
        raise InvalidArgument(f"{problem}{others}.\nNothing was sent. {remedy or _undo(cells, spec)}")
    order = {id: row for row, id in enumerate(frame.index)}
    return sorted(cells, key=lambda cell: order[cell.id])


def edited_cells(
    frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool
) -> Iterator[Cell]:
    """Yield the cells that differ, column by column; both frames have the same rows in the same order."""
    for column in _compared(frame, baseline, spec, fetched=fetched):
        rows = np.flatnonzero(~same(frame[column], baseline[column]))
        if rows.size:
            ids = frame.index[rows].tolist()
            old, new = plain(baseline[column].iloc[rows]), plain(frame[column].iloc[rows])
            yield from map(Cell, ids, [column] * len(ids), old, new)


def unfetched(frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec) -> list[str]:
    """Return the columns that can be updated but were never fetched."""
    fetched = [name for name in baseline.columns if name not in origin(baseline).get("absent", ())]
    return [
        name
        for name in spec.updates
        if name in frame.columns and name not in fetched and frame[name].notna().any()
    ]


def refuse_foreign(frame: pd.DataFrame, spec: ResourceSpec) -> None:
    """Refuse a frame without any column of its collection.

    Raises:
        InvalidArgument: There is none.
    """
    if not any(name in spec.columns for name in frame.columns):
        close = {
            name: near for name in map(str, frame.columns) if (near := nearest(name, list(spec.updates)))
        }
        remedy = (
            f"Rename columns: frame.rename(columns={close})." if close else "Pass a frame with ids and them."
        )
        raise InvalidArgument(
            f"push needs a frame with columns of {spec.name}, such as {' or '.join(spec.updates)}.\n"
            f"Nothing was sent. {remedy}"
        )


def renamed(frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec) -> dict[str, str]:
    """Return columns that are not ours and look like one that is missing, with its name.

    Their spelling is the same, or most rows have the same text.
    """
    missing = [name for name in spec.updates if name not in frame.columns]
    others = unknown(frame, baseline, spec)
    rows = baseline.index.get_indexer(frame.index)
    found: dict[str, str] = {}
    for other in others if missing else ():
        if close := nearest(other, missing):
            found[other] = close
            continue
        column = frame[other][rows >= 0]
        for name in missing:
            if spec.columns[name].type == "text" and name in baseline.columns and column.ndim == 1:
                unchanged = (
                    same(column, baseline[name].take(rows[rows >= 0])) & column.astype(bool).to_numpy()
                )
                if column.dtype in (text_type(), object) and unchanged.sum() > len(column) / 2:
                    found[other] = name
    return found


def unknown(frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec) -> list[str]:
    """Return the columns that neither were fetched nor are of the collection."""
    return [name for name in map(str, frame.columns) if name not in {*baseline.columns, *spec.columns}]


def _refuse_unknown(ids: pd.Index, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool) -> None:
    if not len(ids):
        return
    id = ids.tolist()[0]
    more = f" (and {len(ids) - 1:,} more)" if len(ids) > 1 else ""
    where = "among the rows that were fetched" if fetched else "on the service"
    remedy = "Drop the row; new records need create() or create_many()."
    if len(baseline) and baseline.index.dtype != ids.dtype:
        remedy = f"Ids must have the type {baseline.index.dtype}, such as {baseline.index.tolist()[0]!r}."
    elif not len(baseline) and ids.dtype != text_type():
        remedy += ' If the frame was read from a file with text ids, use dtype={"id": "str"}.'
    raise InvalidArgument(f"There is no {spec.noun} {id!r} {where}{more}.\nNothing was sent. {remedy}")


def _compared(
    frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool
) -> Iterator[str]:
    """Yield the fetched columns that both frames have; additional columns are ignored."""
    absent = origin(baseline).get("absent", ())
    steady = spec.columns.keys() - VOLATILE
    for column in baseline.columns:
        if column not in frame.columns or column in absent or not (fetched or column in steady):
            continue
        if (frame.columns == column).sum() > 1:
            raise InvalidArgument(
                f"The column {column!r} appears twice.\nNothing was sent. Drop one of them."
            )
        yield column


def _undo(cells: list[Cell], spec: ResourceSpec) -> str:
    columns = list(dict.fromkeys(cell.column for cell in cells if cell.column not in spec.updates))
    given = columns[0] if len(columns) == 1 else columns
    return f"Undo the edit, or drop the column: frame.drop(columns={given!r})."


def _problems(cell: Cell, spec: ResourceSpec) -> Iterator[tuple[str, str]]:
    """Yield the problem of an edit and its remedy; a valid value is converted in place.

    Read-only columns have no remedy here, since all of them are dropped together.
    """
    record = f"{spec.noun} {cell.id!r}"
    if cell.column not in spec.updates:
        yield f"{cell.column} of {record} cannot be updated, got {short(cell.new)}", ""
    elif cell.new is None:
        empty = ' or "" for an empty text' if cell.column == "result" else ""
        yield f"{cell.column} of {record} is missing (NA)", f"Set a value{empty}, or drop the row."
    else:
        try:
            cell.new = check_update(spec.updates[cell.column], cell.new)
        except InvalidArgument as error:
            problem, _, remedy = str(error).partition("\n")
            yield f"{record}: {problem.rstrip('.')}", remedy
