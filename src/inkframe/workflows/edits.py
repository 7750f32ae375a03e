"""What was edited in a frame, cell by cell; refused where it cannot be sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.calls.arguments import check_update, short
from inkframe.errors import InvalidArgument
from inkframe.frames import origin, plain, same

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from inkframe.schema import ResourceSpec

__all__ = ["Cell", "find_edits", "unfetched"]

#: Columns that services change by themselves: a difference is no edit unless the fetch is known.
VOLATILE: Final = frozenset({"picture_url", "updated_at"})


@dataclass(slots=True)
class Cell:
    """One edited cell, and what becomes of it.

    Args:
        id: The record.
        column: The field.
        old: What stood there when the frame was fetched.
        new: What should stand there.
        outcome: What became of it.
        error: Why it did not go well, or what the service made of it.
    """

    id: int | str
    column: str
    old: Any
    new: Any
    outcome: str = "planned"
    error: str | None = None


def find_edits(
    frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool
) -> list[Cell]:
    """Give the cells that were edited, row by row.

    Args:
        frame: The edited frame, by id.
        baseline: What stood there before, by id.
        spec: The collection.
        fetched: Whether the baseline is the fetch that the frame came from, and not the service as it is now.

    Raises:
        InvalidArgument: An id is unknown, a column that no update takes was edited, or a value will not do.
    """
    positions = baseline.index.get_indexer(frame.index)
    _refuse_unknown(frame.index[positions < 0], baseline, spec, fetched=fetched)
    if not np.array_equal(positions, np.arange(len(baseline))):
        baseline = baseline.take(positions)
    cells: list[Cell] = []
    problems: list[tuple[str, str]] = []
    for column in _compared(frame, baseline, spec, fetched=fetched):
        for cell in _edited(frame, baseline, column):
            cells.append(cell)
            problems += _problems(cell, spec)
    if problems:
        (problem, remedy), more = problems[0], len(problems) - 1
        others = f" (and {more:,} more)" if more else ""
        raise InvalidArgument(f"{problem}{others}.\nNothing was sent. {remedy or _undo(cells, spec)}")
    order = {id: row for row, id in enumerate(frame.index)}
    return sorted(cells, key=lambda cell: order[cell.id])


def unfetched(frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec) -> list[str]:
    """Give the columns that an update would take but that were never fetched, so that nothing is known of them."""
    fetched = [name for name in baseline.columns if name not in origin(baseline).get("absent", ())]
    return [
        name
        for name in spec.updates
        if name in frame.columns and name not in fetched and frame[name].notna().any()
    ]


def _refuse_unknown(ids: pd.Index, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool) -> None:
    if not len(ids):
        return
    id = ids.tolist()[0]
    more = f" (and {len(ids) - 1:,} more)" if len(ids) > 1 else ""
    where = "among the rows that were fetched" if fetched else "on the service"
    remedy = "Leave it out: new records are made by create() and create_many()."
    if len(baseline) and baseline.index.dtype != ids.dtype:
        remedy = (
            f"Its ids look like {baseline.index.tolist()[0]!r}: keep them of the type {baseline.index.dtype}."
        )
    elif not len(baseline) and ids.dtype != "str":
        remedy += ' If ids were texts before a file, read them as such: dtype={"id": "str"}.'
    raise InvalidArgument(f"There is no {spec.noun} {id!r} {where}{more}.\nNothing was sent. {remedy}")


def _compared(
    frame: pd.DataFrame, baseline: pd.DataFrame, spec: ResourceSpec, *, fetched: bool
) -> Iterator[str]:
    """Give the columns that both have and that were fetched; a person's own are left alone."""
    absent = origin(baseline).get("absent", ())
    steady = spec.columns.keys() - VOLATILE
    for column in baseline.columns:
        if column not in frame.columns or column in absent or not (fetched or column in steady):
            continue
        if (frame.columns == column).sum() > 1:
            raise InvalidArgument(
                f"Two columns are called {column!r}.\nNothing was sent. Leave one of them out."
            )
        yield column


def _edited(frame: pd.DataFrame, baseline: pd.DataFrame, column: str) -> Iterator[Cell]:
    rows = np.flatnonzero(~same(frame[column], baseline[column]))
    if rows.size:
        ids = frame.index[rows].tolist()
        old, new = plain(baseline[column].iloc[rows]), plain(frame[column].iloc[rows])
        yield from map(Cell, ids, [column] * len(ids), old, new)


def _undo(cells: list[Cell], spec: ResourceSpec) -> str:
    columns = list(dict.fromkeys(cell.column for cell in cells if cell.column not in spec.updates))
    given = columns[0] if len(columns) == 1 else columns
    return f"Undo it, or leave what was not meant to change out: frame.drop(columns={given!r})."


def _problems(cell: Cell, spec: ResourceSpec) -> Iterator[tuple[str, str]]:
    """Give what is wrong with an edit and what to do about it; a value that will do is made plain.

    What no update takes has no remedy of its own: all such columns are left out together.
    """
    record = f"{spec.noun} {cell.id!r}"
    if cell.column not in spec.updates:
        yield f"{cell.column} of {record} became {short(cell.new)}, and no update takes it", ""
    elif cell.new is None:
        empty = ' or "" for an empty text' if cell.column == "result" else ""
        yield f"{cell.column} of {record} is missing (NA)", f"Give a value{empty}, or leave the row out."
    else:
        try:
            cell.new = check_update(spec.updates[cell.column], cell.new)
        except InvalidArgument as error:
            problem, _, remedy = str(error).partition("\n")
            yield f"{record}: {problem.rstrip('.')}", remedy
