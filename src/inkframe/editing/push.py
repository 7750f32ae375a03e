"""Write-back of edited frames: only edited cells, without overwriting changes of others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.creating.identity import marks
from inkframe.creating.rows import Row, row_by_row
from inkframe.display.console import notice
from inkframe.display.markup import counted, unmarked
from inkframe.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    InvalidArgument,
    NotFound,
    UnexpectedReply,
    nearest,
)
from inkframe.frames import (
    ATTRIBUTE,
    BASELINES,
    differing,
    identified,
    origin,
    plain,
    restored,
    same,
    stacked,
)
from inkframe.listing.frames import FrameMaker, refetch
from inkframe.listing.queries import MultiQuery, whole_queries
from inkframe.replies.values import same_content
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import check_update, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inkframe.creating.journal import Journal
    from inkframe.listing.session import SessionCalls
    from inkframe.schema import ResourceSpec

__all__ = [
    "Cell",
    "as_made",
    "edited_cells",
    "find_edits",
    "push",
    "refuse_foreign",
    "renamed",
    "unfetched",
    "unknown",
]

#: The most rows that are read one by one without a look at pages, and the rows for which one page may be read.
FEW: Final = 20
ROWS_OF_A_PAGE: Final = 5
GONE: Final = "the record was deleted from the service"
OUTCOMES: Final = ("planned", "changed", "already", "conflict", "deleted", "failed", "unknown", "skipped")


def push(
    calls: SessionCalls,
    edited: pd.DataFrame,
    baseline: pd.DataFrame | None,
    *,
    dry_run: bool,
    force: bool,
    unmark: bool = False,
) -> pd.DataFrame:
    """Send the edited cells of a frame, and return a row for each.

    Args:
        calls: The collection.
        edited: The frame as it was edited.
        baseline: The frame as fetched, if given.
        dry_run: Whether to send nothing.
        force: Whether to overwrite changes of others.
        unmark: Whether a file may have texts without the marks of Markdown.

    Raises:
        InvalidArgument: The frame is of another collection or service, its ids are missing or duplicate, or an edit
            is not allowed; nothing was sent.
    """
    given = identified(edited)
    refuse_foreign(given, calls.spec)
    came = origin(edited)
    known = _baseline_of(given, calls, came) if baseline is None else identified(baseline)
    if known is None:
        notice(
            "The fetched values of these rows are not known here, so that conflicts cannot be detected. "
            "(ink.concat keeps them, pandas.concat does not.)"
        )
    before = _current(calls, given, unmark=unmark) if known is None else known
    # Frames of a client say where they came from; files lose that.
    frame = given if came else restored(given, before, unmark=unmarked if unmark else None)
    similar = renamed(frame, before, calls.spec)
    if others := [name for name in unknown(frame, before, calls.spec) if name not in similar]:
        notice(f"Not sent, since {calls.spec.name} have no such column: {', '.join(others)}.")
    for other, name in similar.items():
        notice(
            f"{other} looks like {name}, renamed, and is not sent. "
            f"Rename it back: frame.rename(columns={{{other!r}: {name!r}}})."
        )
    for name in unfetched(frame, before, calls.spec):
        notice(f"{name} was never fetched, so it is not updated.")
    cells = find_edits(frame, before, calls.spec, fetched=known is not None)
    if known is not None and cells and not force:
        _mark_conflicts(calls, cells, known)
        if number := sum(cell.outcome == "conflict" for cell in cells):
            notice(
                f"Conflicts: others changed {counted(number, 'cell')} meanwhile. Fetch again to keep that, "
                "or push with force=True to overwrite it."
            )
    if not dry_run:
        try:
            _send(calls, cells)
        finally:
            # After an interrupt too, since some cells were sent.
            if baseline is None and known is not None:
                _amend(known, cells)
    report = _report(cells, given.index)
    report.attrs[ATTRIBUTE] = {
        "service": calls.session.service,
        "client": calls.session.id,
        "collection": calls.spec.name,
        "dry_run": dry_run,
        "conflicts_checked": known is not None,
    }
    return report


def as_made(calls: SessionCalls, journal: Journal, ids: Sequence[Any], cells: Sequence[Any]) -> list[Any]:
    """Return the texts of a generated column of a file, with the marks of Markdown where only these are missing.

    The records of texts that are not as they were created are fetched.

    Args:
        calls: The collection.
        journal: The journal of creates, which knows what was created.
        ids: The id of the record of each text, or None.
        cells: The texts.
    """
    name = calls.spec.generated
    places = [
        at
        for at, (id, cell, owner) in enumerate(
            zip(ids, cells, map(partial(journal.owner, calls.spec.name), ids), strict=True)
        )
        if not (id is None or cell is None)
        and (
            (entry := journal.find(owner)) is None
            or (entry.shown or {}).get(name) != marks({name: cell})[name]
        )
        and unmarked(str(cell)) == str(cell)
    ]
    given = pd.DataFrame(
        {name: [cells[at] for at in places]}, pd.Index([ids[at] for at in places], name="id"), dtype=object
    )
    whole = restored(given, _current(calls, given[~given.index.duplicated()], unmark=True), unmark=unmarked)
    texts = dict(zip(places, plain(whole[name]), strict=True))
    return [texts.get(at, cell) for at, cell in enumerate(cells)]


def _baseline_of(frame: pd.DataFrame, calls: SessionCalls, came: Mapping[str, Any]) -> pd.DataFrame | None:
    """Return the frame as fetched, if known."""
    different = differing({"collection": calls.spec.name, **calls.session.source}, came)
    if different is not None:
        field, (here, there) = different
        raise InvalidArgument(
            f"The frame must be of {field} {here!r}, got {short(there)}.\n"
            f"Nothing was sent. Push it to its own {field}, or pass baseline= if both are the same."
        )
    known = BASELINES.find(came.get("baseline"))
    if known is None:
        known = BASELINES.covering(calls.session.id, calls.spec.name, frame)
    return known if known is None or known.index.is_unique else known[~known.index.duplicated()]


def _current(calls: SessionCalls, frame: pd.DataFrame, *, unmark: bool) -> pd.DataFrame:
    """Return the current records of a frame: rows that are on pages as they are here, and the others one by one.

    A list may show less than a record, so that a row that differs from its page is read by itself.
    """
    if len(frame) <= FEW:
        return refetch(calls, frame.index.tolist())
    queries = whole_queries(calls, {}, {})
    pages = MultiQuery(calls, queries, concurrency=1).pages()  # one at a time, so that no more are read
    listed = FrameMaker(calls).collected(islice(pages, len(frame) // ROWS_OF_A_PAGE), queries)
    listed = listed[listed.index.isin(frame.index)]
    here = restored(frame.loc[listed.index], listed, unmark=unmarked if unmark else None)
    equal = listed.drop([cell.id for cell in edited_cells(here, listed, calls.spec, fetched=False)])
    others = refetch(calls, frame.index[~frame.index.isin(equal.index)].tolist())
    records = stacked(equal, others)
    records.attrs = others.attrs
    return records


def _mark_conflicts(calls: SessionCalls, cells: list[Cell], known: pd.DataFrame) -> None:
    """Refetch the edited rows and mark those that others changed meanwhile as conflicts."""
    ids = list(dict.fromkeys(cell.id for cell in cells))
    absent = origin(known).get("absent", ())
    columns = [name for name in calls.spec.updates if name in known.columns and name not in absent]
    was = _rows(known.loc[ids], columns)
    now = _rows(refetch(calls, ids), columns)
    for id, row in groupby(cells, key=lambda cell: cell.id):
        _settle(list(row), was[id], now.get(id))


def _rows(frame: pd.DataFrame, columns: list[str]) -> dict[Any, dict[str, Any]]:
    """Return the values of each row by id."""
    rows = zip(*(plain(frame[name]) for name in columns), strict=True)
    return {
        id: dict(zip(columns, row, strict=True)) for id, row in zip(frame.index.tolist(), rows, strict=True)
    }


def _settle(cells: list[Cell], was: dict[str, Any], now: dict[str, Any] | None) -> None:
    """Set the outcomes of the cells of a row; one that others changed is a conflict."""
    for cell in cells:
        if now is None:
            cell.outcome, cell.error = "deleted", GONE
            continue
        shown = now[cell.column]
        is_changed = not _same(was[cell.column], shown)
        if shown == cell.new or (is_changed and _same(cell.new, shown)):
            cell.outcome = "already"
        elif is_changed:
            cell.outcome, cell.error = "conflict", f"{cell.column} is now {short(shown)}"


def _same(one: Any, other: Any) -> bool:
    return same_content(one, other) == "same"


def _send(calls: SessionCalls, cells: Sequence[Cell]) -> None:
    """Update the records of the planned cells, and set the outcome of each cell."""
    planned = [cell for cell in cells if cell.outcome == "planned"]
    jobs = [list(row) for _, row in groupby(planned, key=lambda cell: cell.id)]
    update = partial(_update, calls)
    for done in row_by_row(update, jobs, calls.session.width, f"Updating {calls.spec.name}", "updates"):
        if done.cause is not None:
            for cell in done.label:
                cell.outcome, cell.error = _failure(done)


def _update(calls: SessionCalls, cells: list[Cell]) -> None:
    fields = {cell.column: cell.new for cell in cells}
    # Without a record in the reply the update counts as done; fetching would double the requests.
    record = calls.change(cells[0].id, fields)
    for cell in cells:
        cell.outcome = "changed"
        shown = None if record is None else record.known[cell.column]
        if shown is not None and not _same(cell.new, shown):
            cell.error, cell.stored = f"the service stored {short(shown)} instead", shown


def _failure(done: Row) -> tuple[str, str]:
    """Return the outcome of a failed update and the reason."""
    if done.seconds is None:
        return "skipped", str(done.error)
    if isinstance(done.cause, NotFound):
        return "deleted", GONE
    if isinstance(done.cause, ConnectionFailed | DeadlineExceeded | UnexpectedReply):
        return "unknown", f"{done.error} Push again to find out."
    return "failed", str(done.error)


def _amend(known: pd.DataFrame, cells: Sequence[Cell]) -> None:
    """Update the baseline, so that the same frame can be edited and pushed again."""
    values: dict[str, dict[Any, Any]] = {}
    for cell in cells:
        if cell.outcome in {"changed", "already"}:
            values.setdefault(cell.column, {})[cell.id] = cell.new if cell.stored is None else cell.stored
    if values:
        BASELINES.amend(origin(known).get("baseline"), values)


def _report(cells: Sequence[Cell], ids: pd.Index) -> pd.DataFrame:
    """Return a row for each cell, with ids of the type that the frame has."""
    return pd.DataFrame(
        {
            "id": pd.Index([cell.id for cell in cells], dtype=ids.dtype),
            "column": pd.array([cell.column for cell in cells], dtype=text_type()),
            "old": pd.Series([cell.old for cell in cells], dtype=object),
            "new": pd.Series([cell.new for cell in cells], dtype=object),
            "outcome": pd.Categorical([cell.outcome for cell in cells], categories=OUTCOMES),
            "error": pd.array([cell.error for cell in cells], dtype=text_type()),
        }
    )


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
        raise InvalidArgument(
            f"{problem}{f' (and {more:,} more)' * bool(more)}.\nNothing was sent. {remedy or _undo(cells, spec)}"
        )
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
    for column in baseline.columns:
        if (
            column not in frame.columns
            or column in absent
            or not (fetched or column in spec.columns.keys() - VOLATILE)
        ):
            continue
        if (frame.columns == column).sum() > 1:
            raise InvalidArgument(
                f"The column {column!r} appears twice.\nNothing was sent. Drop one of them."
            )
        yield column


def _undo(cells: list[Cell], spec: ResourceSpec) -> str:
    columns = list(dict.fromkeys(cell.column for cell in cells if cell.column not in spec.updates))
    return f"Undo the edit, or drop the column: frame.drop(columns={columns[0] if len(columns) == 1 else columns!r})."


def _problems(cell: Cell, spec: ResourceSpec) -> Iterator[tuple[str, str]]:
    """Yield the problem of an edit and its remedy; a valid value is converted in place.

    Read-only columns have no remedy here, since all of them are dropped together.
    """
    record = f"{spec.noun} {cell.id!r}"
    if cell.column not in spec.updates:
        yield f"{cell.column} of {record} cannot be updated, got {short(cell.new)}", ""
    elif cell.new is None:
        empty = ' or "" for an empty text' * (cell.column == "result")
        yield f"{cell.column} of {record} is missing (NA)", f"Set a value{empty}, or drop the row."
    else:
        try:
            cell.new = check_update(spec.updates[cell.column], cell.new)
        except InvalidArgument as error:
            problem, _, remedy = str(error).partition("\n")
            yield f"{record}: {problem.rstrip('.')}", remedy
