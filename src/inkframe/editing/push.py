"""Write-back of edited frames: only edited cells, without overwriting changes of others."""

from __future__ import annotations

from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.rows import Done, row_by_row
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.editing.edits import Cell, edited_cells, find_edits, refuse_foreign, renamed, unfetched, unknown
from inkframe.errors import ConnectionFailed, DeadlineExceeded, InvalidArgument, NotFound, UnexpectedReply
from inkframe.frames import ATTRIBUTE, BASELINES, differing, identified, origin, plain, restored, stacked
from inkframe.listing.frames import FrameMaker, refetch
from inkframe.listing.queries import MultiQuery, whole_queries
from inkframe.replies.same_content import same_content
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from inkframe.listing.session import SessionCalls

__all__ = ["push"]

#: The most rows that are read one by one without a look at pages, and the rows for which one page may be read.
FEW: Final = 20
ROWS_OF_A_PAGE: Final = 5
GONE: Final = "the record was deleted from the service"
OUTCOMES: Final = ("planned", "changed", "already", "conflict", "deleted", "failed", "unknown", "skipped")


def push(
    calls: SessionCalls, edited: pd.DataFrame, baseline: pd.DataFrame | None, *, dry_run: bool, force: bool
) -> pd.DataFrame:
    """Send the edited cells of a frame, and return a row for each.

    Args:
        calls: The collection.
        edited: The frame as it was edited.
        baseline: The frame as fetched, if given.
        dry_run: Whether to send nothing.
        force: Whether to overwrite changes of others.

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
            "No baseline for these rows; comparing with the service's current values. "
            "Conflicts cannot be detected. (ink.concat keeps the baseline, pandas.concat does not.)"
        )
    before = _current(calls, given) if known is None else known
    # Frames of a client say where they came from; files lose that.
    frame = given if came else restored(given, before)
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
        known = BASELINES.covering(calls.session.id, calls.spec.name, frame.index)
    return known if known is None or known.index.is_unique else known[~known.index.duplicated()]


def _current(calls: SessionCalls, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the current records of a frame: rows that are on pages as they are here, and the others one by one.

    A list may show less than a record, so that a row that differs from its page is read by itself.
    """
    if len(frame) <= FEW:
        return refetch(calls, frame.index.tolist())
    queries = whole_queries(calls, {}, {})
    # One page at a time, so that no more are read.
    pages = MultiQuery(calls, queries, concurrency=1).pages()
    listed = FrameMaker(calls).collected(islice(pages, len(frame) // ROWS_OF_A_PAGE), queries)
    listed = listed[listed.index.isin(frame.index)]
    here = restored(frame.loc[listed.index], listed)
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
        if done.error is not None:
            for cell in done.job:
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


def _failure(done: Done[list[Cell]]) -> tuple[str, str]:
    """Return the outcome of a failed update and the reason."""
    if not done.was_sent:
        return "skipped", done.reason
    if isinstance(done.error, NotFound):
        return "deleted", GONE
    if isinstance(done.error, ConnectionFailed | DeadlineExceeded | UnexpectedReply):
        return "unknown", f"{done.reason} Push again to find out."
    return "failed", done.reason


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
    import pandas as pd

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
