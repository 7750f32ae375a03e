"""Write-back of edited frames: only edited cells, without overwriting changes of others."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.rows import row_by_row
from inkframe.display.console import notice
from inkframe.editing.edits import Cell, find_edits, refuse_foreign, renamed, unfetched
from inkframe.errors import ConnectionFailed, DeadlineExceeded, InvalidArgument, NotFound, UnexpectedReply
from inkframe.frames import ATTRIBUTE, BASELINES, differing, identified, origin, plain, restored
from inkframe.listing.frames import refetch
from inkframe.replies.same_content import same_content
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.creating.rows import Done
    from inkframe.listing.session import SessionCalls

__all__ = ["Push"]

GONE: Final = "the record was deleted from the service"
OUTCOMES: Final = ("planned", "changed", "already", "conflict", "deleted", "failed", "unknown", "skipped")


class Push:
    """One ``push`` of a frame.

    Args:
        calls: The collection.
        edited: The frame as it was edited.
        baseline: The frame as fetched, if given.

    Raises:
        InvalidArgument: The frame is of another collection or service, or its ids are missing or duplicate.
    """

    def __init__(self, calls: SessionCalls, edited: pd.DataFrame, baseline: pd.DataFrame | None) -> None:
        self._calls = calls
        self._spec = calls.spec
        self._frame = identified(edited)
        refuse_foreign(self._frame, calls.spec)
        self._came = origin(edited)
        self._key: object = None
        self._known = self._find() if baseline is None else identified(baseline)
        self._cells: list[Cell] = []
        self._made: dict[tuple[str, int | str], Any] = {}

    def _find(self) -> pd.DataFrame | None:
        """Return the frame as fetched, if known."""
        came = self._came
        different = differing({"collection": self._spec.name, **self._calls.session.source}, came)
        if different is not None:
            field, (here, there) = different
            raise InvalidArgument(
                f"The frame must be of {field} {here!r}, got {short(there)}.\n"
                f"Nothing was sent. Push it to its own {field}, or pass baseline= if both are the same."
            )
        known = BASELINES.find(came.get("baseline"))
        if known is None:
            known = BASELINES.covering(self._calls.session.id, self._spec.name, self._frame.index)
        if known is not None:
            self._key = origin(known).get("baseline")
        return known if known is None or known.index.is_unique else known[~known.index.duplicated()]

    def run(self, *, dry_run: bool, force: bool) -> pd.DataFrame:
        """Find the edited cells, refetch their rows, send them, and return a row for each cell."""
        known = self._known
        if known is None:
            notice(
                "No baseline for these rows; comparing with the service's current values. "
                "Conflicts cannot be detected. (ink.concat keeps the baseline, pandas.concat does not.)"
            )
            baseline = refetch(self._calls, self._frame.index.tolist())
        else:
            baseline = known
        # Frames of a client say where they came from; files lose that.
        frame = self._frame if self._came else restored(self._frame, baseline)
        for other, name in renamed(frame, baseline, self._spec).items():
            notice(
                f"{other} looks like {name}, renamed, and is not sent. "
                f"Rename it back: frame.rename(columns={{{other!r}: {name!r}}})."
            )
        for name in unfetched(frame, baseline, self._spec):
            notice(f"{name} was never fetched, so it is not updated.")
        self._cells = find_edits(frame, baseline, self._spec, fetched=known is not None)
        if known is not None and self._cells and not force:
            self._judge(known)
        if not dry_run:
            try:
                self._send()
            finally:
                # After an interrupt too, since some cells were sent.
                self._learn()
        return self._report(dry_run=dry_run)

    def _judge(self, known: pd.DataFrame) -> None:
        """Refetch the edited rows and mark those that others changed meanwhile as conflicts."""
        ids = list(dict.fromkeys(cell.id for cell in self._cells))
        absent = origin(known).get("absent", ())
        columns = [name for name in self._spec.updates if name in known.columns and name not in absent]
        was = _rows(known.loc[ids], columns)
        now = _rows(refetch(self._calls, ids), columns)
        for id, cells in groupby(self._cells, key=lambda cell: cell.id):
            _settle(list(cells), was[id], now.get(id))

    def _send(self) -> None:
        planned = [cell for cell in self._cells if cell.outcome == "planned"]
        jobs = [list(cells) for _, cells in groupby(planned, key=lambda cell: cell.id)]
        words = f"Updating {self._spec.name}"
        for done in row_by_row(self._update, jobs, self._calls.session.width, words, "updates"):
            if done.error is not None:
                for cell in done.job:
                    cell.outcome, cell.error = _failure(done)

    def _update(self, cells: list[Cell]) -> None:
        fields = {cell.column: cell.new for cell in cells}
        # Without a record in the reply the update counts as done; fetching would double the requests.
        record = self._calls.change(cells[0].id, fields)
        for cell in cells:
            cell.outcome = "changed"
            shown = None if record is None else record.known[cell.column]
            if shown is not None and same_content(cell.new, shown) != "same":
                cell.error = f"the service stored {short(shown)} instead"
                self._made[cell.column, cell.id] = shown

    def _learn(self) -> None:
        """Update the baseline, so that the same frame can be edited and pushed again."""
        values: dict[str, dict[Any, Any]] = {}
        for cell in self._cells:
            if cell.outcome in {"changed", "already"}:
                made = self._made.get((cell.column, cell.id), cell.new)
                values.setdefault(cell.column, {})[cell.id] = made
        if values:
            BASELINES.amend(self._key, values)

    def _report(self, *, dry_run: bool) -> pd.DataFrame:
        import pandas as pd

        cells = self._cells
        ids = pd.Index([cell.id for cell in cells], dtype=self._frame.index.dtype)
        report = pd.DataFrame(
            {
                "id": ids,
                "column": pd.array([cell.column for cell in cells], dtype="str"),
                "old": pd.Series([cell.old for cell in cells], dtype=object),
                "new": pd.Series([cell.new for cell in cells], dtype=object),
                "outcome": pd.Categorical([cell.outcome for cell in cells], categories=OUTCOMES),
                "error": pd.array([cell.error for cell in cells], dtype="str"),
            }
        )
        report.attrs[ATTRIBUTE] = {
            "service": self._calls.session.service,
            "client": self._calls.session.id,
            "collection": self._spec.name,
            "dry_run": dry_run,
            "conflicts_checked": self._known is not None,
        }
        return report


def _rows(frame: pd.DataFrame, columns: list[str]) -> dict[Any, dict[str, Any]]:
    """Return the values of each row by id."""
    rows = zip(*(plain(frame[name]) for name in columns), strict=True)
    return {
        id: dict(zip(columns, row, strict=True)) for id, row in zip(frame.index.tolist(), rows, strict=True)
    }


def _settle(cells: list[Cell], was: dict[str, Any], now: dict[str, Any] | None) -> None:
    """Set the outcomes of the cells of a row; it is a conflict if others changed any of its fields."""
    if now is None:
        for cell in cells:
            cell.outcome, cell.error = "deleted", GONE
        return
    wanted = {cell.column: cell.new for cell in cells}
    others = [
        name
        for name, value in now.items()
        if not _same(was[name], value) and not (name in wanted and _same(wanted[name], value))
    ]
    for cell in cells:
        shown = now[cell.column]
        if shown == cell.new or (_same(cell.new, shown) and not _same(was[cell.column], shown)):
            cell.outcome = "already"
        elif others:
            cell.outcome = "conflict"
            cell.error = f"{others[0]} is now {short(now[others[0]])}"


def _same(one: Any, other: Any) -> bool:
    return same_content(one, other) == "same"


def _failure(done: Done[list[Cell]]) -> tuple[str, str]:
    """Return the outcome of a failed update and the reason."""
    if not done.was_sent:
        return "skipped", done.reason
    if isinstance(done.error, NotFound):
        return "deleted", GONE
    if isinstance(done.error, ConnectionFailed | DeadlineExceeded | UnexpectedReply):
        return "unknown", f"{done.reason} Push again to find out."
    return "failed", done.reason
