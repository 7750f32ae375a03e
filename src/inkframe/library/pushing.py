"""Edited frames sent back: only the cells that changed, and nothing that others changed meanwhile."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import ConnectionFailed, DeadlineExceeded, InkframeError, InvalidArgument, NotFound
from inkframe.frames import ATTRIBUTE, BASELINES, identified, origin, plain
from inkframe.library.arguments import short
from inkframe.library.edits import Cell, find_edits, unfetched
from inkframe.library.notice import notice
from inkframe.library.rereading import reread
from inkframe.library.rows import row_by_row

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.library.collection import Collection
    from inkframe.library.records import Document, Image
    from inkframe.library.rows import Done

__all__ = ["Push"]

OUTCOMES: Final = ("planned", "changed", "already", "conflict", "deleted", "failed", "unknown", "skipped")


class Push:
    """One ``push`` of a frame.

    Args:
        collection: Where the records are.
        edited: The frame as it was edited.
        baseline: The frame as it was fetched, where it is given.

    Raises:
        InvalidArgument: The frame is of another collection or service, or has no ids, or not distinct ones.
    """

    def __init__(
        self, collection: Collection[Any], edited: pd.DataFrame, baseline: pd.DataFrame | None
    ) -> None:
        self._collection = collection
        self._kind = collection._kind  # noqa: SLF001  # the same room
        self._frame = identified(edited)
        self._key: object = None
        self._known = self._find(edited) if baseline is None else identified(baseline)
        self._cells: list[Cell] = []

    def _find(self, edited: pd.DataFrame) -> pd.DataFrame | None:
        """Give the frame as it was fetched, where that is known."""
        came = origin(edited)
        here = {"collection": self._collection.resource, "service": self._collection.service}
        for field, value in here.items():
            if came.get(field) not in {None, value}:
                raise InvalidArgument(
                    f"The frame is of another {field}: {short(came[field])}, not {value!r}.\n"
                    "Nothing was sent. Push it where it came from."
                )
        known = BASELINES.find(came.get("baseline"))
        if known is None:
            session = self._collection._session  # noqa: SLF001  # the same room
            known = BASELINES.covering(session.id, self._collection.resource, self._frame.index)
        if known is not None:
            self._key = origin(known).get("baseline")
        return known if known is None or known.index.is_unique else known[~known.index.duplicated()]

    def run(self, *, dry_run: bool, force: bool) -> pd.DataFrame:
        """Find what was edited, look at it again, and send it; gives a row for each cell."""
        frame, known = self._frame, self._known
        if known is None:
            notice(
                "It is not known what these rows were when they were fetched: they are compared with the service "
                "as it is now, and conflicts could not be checked."
            )
            baseline = reread(self._collection, frame.index.tolist(), frame, set())
        else:
            baseline = known
        for name in unfetched(frame, baseline, self._kind):
            notice(f"{name} was never fetched, so that it is left alone.")
        self._cells = find_edits(frame, baseline, self._kind, fetched=known is not None)
        if known is not None and not force:
            self._judge(known)
        if not dry_run:
            try:
                self._send()
            finally:
                # What was sent is sent, also when the rest was interrupted.
                self._learn()
        return self._report()

    def _judge(self, known: pd.DataFrame) -> None:
        """Look at the edited rows again: what changed meanwhile is a conflict."""
        ids = list(dict.fromkeys(cell.id for cell in self._cells))
        if not ids:
            return
        absent = origin(known).get("absent", ())
        columns = [name for name in self._kind.writable if name in known.columns and name not in absent]
        was = known.loc[ids]
        now = reread(self._collection, ids, known, columns)
        before = dict(zip(ids, zip(*(plain(was[name]) for name in columns), strict=True), strict=True))
        after = dict(zip(now.index.tolist(), zip(*(plain(now[name]) for name in columns), strict=True), strict=True))
        for id, cells in groupby(self._cells, key=lambda cell: cell.id):
            if id in after:
                _settle(list(cells), dict(zip(columns, before[id], strict=True)), dict(zip(columns, after[id], strict=True)))
            else:
                for cell in cells:
                    cell.outcome, cell.error = "deleted", "the record is gone from the service"
