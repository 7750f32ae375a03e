"""Bulk creates: every row is checked before any is sent, and each is sent once."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.creating.create import create
from inkframe.creating.earlier_creates import EarlierCreates
from inkframe.creating.identity import NEXT, Identity, identities, shows_content
from inkframe.creating.journal import Journal, journal_of
from inkframe.creating.rows import (
    OLDER,
    THERE,
    Row,
    StopRule,
    first_line,
    id_of,
    outcomes,
    read_rows,
    run_rows,
)
from inkframe.display.console import notice, progress_bar
from inkframe.display.markup import counted
from inkframe.errors import (
    BatchInterrupted,
    ConfigurationError,
    InkframeError,
    InvalidArgument,
    OutcomeUnknown,
)
from inkframe.frames import identified, origin
from inkframe.http.connections import Cancelled, CancelScope
from inkframe.listing.frames import FrameMaker
from inkframe.listing.verdict import Completeness
from inkframe.vocabulary.arguments import check_boolean, check_create

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike

    from inkframe.display.view import View
    from inkframe.listing.session import SessionCalls

__all__ = ["Batch"]

#: The most creates on a billed service without a confirmation.
UNCONFIRMED: Final = 25
#: Creates in flight at once; each occupies a model.
IN_FLIGHT: Final = 4
#: Why a row was not sent after an interrupt or a cancellation.
STOPPED: Final = "the run was stopped"


class Batch:
    """The creates of one plan, each sent once and reported at start and end.

    Args:
        calls: The collection.
        preview: Returns a view of records, for a job that is shown.
        given: A DataFrame, a plan, or mappings.
        journal: The journal of earlier creates, or its file; None for that of the service.
        fresh: Whether rows in the journal are created again.
        once_more: Whether each row is created as by ``create``, though there may be an equal one.
        stopped: Set by the caller to stop it; its own by default.

    Attributes:
        noun: What it creates.
        rows: The rows in the given order, each with its status.
        stopped: Once set, no more creates are sent; those in flight are awaited, since they are billed.
        journal: The journal of earlier creates.
        earlier: The earlier creates of its rows.
        identities: Returns the identities of fields for each number among equal ones.
        frame: Returns the frame of the rows as they are at this moment.
        call: Returns the line of code that runs it with a confirmed number of creates.

    Raises:
        InvalidArgument: A column is a misspelled field, or a row is invalid; nothing was sent.
    """

    def __init__(
        self,
        calls: SessionCalls,
        preview: Callable[[list[Any]], View],
        given: pd.DataFrame | Iterable[Mapping[str, Any]],
        journal: Journal | str | PathLike[str] | None,
        *,
        fresh: bool = False,
        once_more: bool = False,
        stopped: threading.Event | None = None,
    ) -> None:
        fresh = check_boolean("fresh", fresh)
        self._calls = calls
        self._once_more = once_more
        self.preview = preview
        spec, self.noun = calls.spec, calls.spec.noun
        self.journal = journal if isinstance(journal, Journal) else journal_of(calls.session, journal)
        self.journal.refresh()
        is_result = (
            isinstance(given, pd.DataFrame)
            and origin(given).items() >= {**calls.session.source, "collection": spec.name}.items()
        )
        owner = partial(self.journal.owner, spec.name)

        def made(row: Mapping[str, Any]) -> int | str | None:
            id = id_of(row.get("id")) if row.get("status") in THERE and not fresh else None
            entry = self.journal.known(owner(id))
            return id if is_result or (entry is not None and shows_content(spec, row, entry)) else None

        self.rows, self._given = read_rows(
            given,
            partial(check_create, spec, calls.session.vocabulary),
            tuple(spec.creates),
            spec.columns,
            made,
            [
                name
                for name, field in spec.creates.items()
                if field.create == "required" and field.default is None
            ],
        )
        self.stopped = threading.Event() if stopped is None else stopped
        self.frame: Callable[[], pd.DataFrame] = self._frame
        self.call: Callable[[int], str] = "Pass confirm={} to continue.".format
        self.earlier = EarlierCreates(calls, self.journal, self.stopped, adopts=not (fresh or once_more))
        self.identities = partial(
            identities, calls, self.journal.contents, older=self._given.attrs.get(OLDER)
        )
        asked = [
            # What the service stored may differ from what was sent.
            (None if row.id is None else owner(row.id)) or next(self.identities(row.fields, [row.repeat]))
            for row in self.rows
        ]
        again = self.journal.repetition(asked) if fresh else map(self.journal.latest, asked)
        for row, each in zip(self.rows, again, strict=True):
            row.identity = each._replace(number=NEXT) if once_more else each

    def take_over(self, known: Mapping[Identity, Row]) -> None:
        """Replace rows with equal ones of earlier batches; failed ones, which are sent again, with copies.

        Args:
            known: The earlier rows, by identity.
        """
        equal = [known.get(row.identity, row) for row in self.rows]
        self.rows = [replace(row) if row.status == "failed" else row for row in equal]

    @property
    def new(self) -> int:
        """The number of creates that the journal does not have."""
        return len({row.identity for row in self.rows if not self.is_known(row)})

    def is_known(self, row: Row) -> bool:
        """Return whether a row is not sent, so that it costs nothing: its record is known, or may be there."""
        return self.earlier.create_of(row).step in {"show", "search"}

    def run(self, confirm: int | None, progress: bool | None) -> pd.DataFrame:
        """Create the missing records with a progress bar and return the frame.

        Raises:
            InvalidArgument: The number of creates is not confirmed, or exceeds the limit; nothing was sent.
            ConfigurationError: The journal cannot be used; nothing was sent.
            BatchInterrupted: An interrupt ended the run.
        """
        count = self.check(confirm)
        try:
            with progress_bar(
                progress if count else False, count, f"Creating {self.noun}s", "creations"
            ) as bar:
                self.create_rows(self.rows, counted=bar.update)
        except KeyboardInterrupt:
            self._skip(self.rows, STOPPED)
            raise BatchInterrupted(
                f"{sum(row.record is not None for row in self.rows):,} of {len(self.rows):,} created."
                " Run again to create the rest.",
                self.frame(),
            ) from None
        self.earlier.report(self.rows)
        return self.frame()

    def check(self, confirm: int | None) -> int:
        """Check the number of creates against confirmation and limit, print it, and return it.

        Raises:
            InvalidArgument: The number is not confirmed, or exceeds the limit; nothing was sent.
        """
        self.journal.refresh()
        count = self.new
        session = self._calls.session
        used = session.created + sum(job.remaining for job in session.jobs)
        if session.create_limit is not None and count > session.create_limit - used:
            raise InvalidArgument(
                f"create_limit={session.create_limit} is exceeded: "
                f"{used} creates so far, {count} in this batch.\n"
                "Nothing was sent. Raise the limit, or run fewer rows."
            )
        # The number of all rows is accepted too, so that a cell can be run again after an interrupt.
        if session.creations_are_billed and count > UNCONFIRMED and confirm not in (count, len(self.rows)):
            raise InvalidArgument(
                f"confirm must be {count} (the number of creates on {session.host}), got {confirm}.\n"
                f"Nothing was sent. {self.call(count)}"
            )
        self.earlier.adopt(self.rows)
        if count := self.new:
            notice(
                f"{counted(count, 'creation')} on {session.host}"
                f"{'; run again to resume' if self.journal.path else ''}"
            )
        return count

    @property
    def varied(self) -> list[str]:
        """The settings, and the variant of a plan, that differ between its rows."""
        return [
            name
            for name in ("variant", *self._calls.spec.settings)
            if name in self._given and len(self._given[name].unique()) > 1
        ]

    def create_rows(
        self,
        rows: Sequence[Row],
        at_once: int | None = None,
        *,
        changed: Callable[[Row], Any] = lambda _row: None,
        counted: Callable[[], Any] = lambda: None,
    ) -> None:
        """Fetch, create or search for rows of this batch; afterwards each has a status.

        Args:
            rows: The rows.
            at_once: The number of creates at once; 1 stays on this thread, so that an interrupt stops a local
                engine and nothing is stored.
            changed: Called with a row when it starts and when it ends, from the thread that creates it.
            counted: Called on this thread after each create.

        Raises:
            InvalidArgument, ConfigurationError: The journal could not be used, and nothing was sent at all.
        """
        session = self._calls.session
        at_once = at_once or session.creates_at_once or IN_FLIGHT
        self._rule = StopRule(creates=True)
        self.earlier.adopt(self.rows)
        self._reset(rows)
        made = [row for row in rows if not row.status and self.earlier.create_of(row).step == "show"]
        self.earlier.read_pages(made)
        settle = partial(self._settle, changed)
        run_rows(settle, made, session.width)
        waiting = [row for row in rows if not row.status]
        # Creates in flight that are billed are always awaited, and their replies written to the journal.
        scope, is_awaited = CancelScope(self.stopped), session.creations_are_billed
        run_rows(settle, waiting, min(at_once, session.concurrency), counted, scope, drain=is_awaited)
        lost = [row for row in waiting if row.status == "unknown"]
        if lost and not self._once_more and not self.stopped.is_set() and self._rule.reason is None:
            try:
                self.earlier.search(lost)
            except InkframeError as error:  # the rows stay unknown
                for row in lost:
                    row.cause = row.cause or error
        for row in lost:
            changed(row)
        if isinstance(self._rule.reason, ConfigurationError | InvalidArgument) and not any(
            row.seconds for row in self.rows
        ):
            raise self._rule.reason

    def _reset(self, rows: Iterable[Row]) -> None:
        """Reset the status of rows without a record; one that is equal to an earlier row is skipped."""
        met: set[Identity] = set()
        for row in rows:
            if row.status not in THERE:
                row.status, row.error, row.cause = "", None, None
                row.sent = row.seconds = None
            if row.identity in met:
                self._skip([row], "duplicate of an earlier row; set another repeat")
            met.add(row.identity)

    def _skip(self, rows: Iterable[Row], reason: str) -> None:
        for row in rows:
            if not row.status:
                row.status, row.error = "skipped", reason

    def _settle(self, changed: Callable[[Row], Any], row: Row) -> None:
        """Fetch, create or leave a row, by what is known of it; one that may have been created is looked for later."""
        is_there = self.earlier.create_of(row).step == "show"  # reading needs no claim
        try:
            with self.journal.claim([] if is_there else [row.identity], self.stopped) as is_claimed:
                step = self.earlier.create_of(row).step  # another program may have sent it meanwhile
                if self.stopped.is_set() or not is_claimed:
                    self._skip([row], STOPPED)
                elif step == "show" and self._rule.reason is not None:
                    self.earlier.keep(row, self._rule.reason)
                elif step == "show":
                    self.earlier.show(row)
                    self._rule.note(row.cause)
                elif self._rule.reason is not None:
                    self._skip([row], self._rule.words)
                elif step == "search":
                    row.status, row.error = "unknown", "an earlier request had no reply"
                else:
                    self._create(row, changed)
        except Cancelled:
            self._skip([row], STOPPED)
        except (ConfigurationError, InvalidArgument) as error:
            self._rule.reason = error
            self._skip([row], self._rule.words)
        if row.status != "unknown":
            changed(row)

    def _create(self, row: Row, changed: Callable[[Row], Any]) -> None:
        """Send a create that no other program sends, and note its outcome.

        Raises:
            Cancelled: The run was stopped; nothing was sent.
            ConfigurationError: The journal cannot be written; nothing was sent.
        """
        changed(row)
        began = time.monotonic()
        try:
            with self._calls.session.slots:
                made = (
                    create(self._calls, row.fields, row)
                    if self._once_more
                    else self.earlier.create_of(row).pay()
                )
            self.earlier.take(row, made, "pending" if made.awaited else "created")
        except InkframeError as error:
            if error is self.journal.problem or isinstance(error, Cancelled):
                raise
            row.status = "unknown" if isinstance(error, OutcomeUnknown) else "failed"
            row.error, row.cause = first_line(error), error
        except BaseException:
            row.status, row.error = "unknown", "interrupted"
            raise
        row.seconds = time.monotonic() - began
        self._rule.note(row.cause)
        if (problem := self.journal.problem) is not None:
            # What happened has happened; but nothing more is sent without a journal.
            row.error = row.error or first_line(problem)
            self._rule.reason = problem

    def look_for(self, row: Row) -> None:
        """Search for the record of a row whose reply was lost; creates nothing.

        Raises:
            InkframeError: The search failed.
        """
        row.cause = None
        self.earlier.search([row])
        if row.cause is not None:
            raise row.cause

    def let_create(self, row: Row) -> None:
        """Let a row that may have been created be created again, since a person decided so."""
        self.earlier.create_of(row).note("failed")
        self._reset([row])

    def discard(self, row: Row) -> None:
        """Remove a row whose record was deleted; the same row can be created again."""
        self._given = self._given[[each is not row for each in self.rows]]
        self.rows = [each for each in self.rows if each is not row]
        self.earlier.create_of(row).note("deleted")

    def _frame(self) -> pd.DataFrame:
        """Return the rows as a frame: the given columns, the fields of the records, then status and error."""
        maker = FrameMaker(self._calls)
        frame = outcomes(self.rows, self._given, maker.builder())
        # The given index may have the name of ids, and other values.
        made = identified(frame[frame["id"].notna()].drop_duplicates("id").reset_index(drop=True))
        maker.describe(frame, {}, Completeness("page"), (), fetched=made)
        return frame
