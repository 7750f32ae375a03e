"""Creates: each is noted, sent, read, found again after a lost reply, and noted, whatever way asks for it.

::

    create    a new record, though one whose program was killed is looked for first
    Create    one create: the way of everything that creates, rows of batches, columns, forms and panels included
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import uuid4

from inkframe.creating.identity import SETTLED, checksums, identities, marks
from inkframe.creating.journal import Journal, journal_of
from inkframe.creating.rows import Row
from inkframe.creating.search import RecentRecords, Search
from inkframe.display.console import notice
from inkframe.errors import (
    DeadlineExceeded,
    InkframeError,
    InvalidArgument,
    OutcomeUnknown,
    ServiceError,
    UnexpectedReply,
)
from inkframe.http.body import Response, encode_form, parse_json
from inkframe.http.failures import REFUSED
from inkframe.http.key import bare, foreign_text
from inkframe.http.pace import retry_after
from inkframe.replies.reader import linked_ids, read_costs, state_of, status_place
from inkframe.replies.record import Record, is_recognized
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inkframe.listing.session import SessionCalls
    from inkframe.schema import ResourceSpec

__all__ = ["Create", "create", "reported", "stored_instead", "wait"]

#: The seconds for which other services than the embedded one are expected to keep keys, a little less than a day.
KEPT: Final = 80_000.0
#: The seconds before a create is sent again with its key, where the service keeps keys; and the header that tells it.
RESENDS: Final = (0.5, 2.0, 5.0)
REPLAYED: Final = "idempotent-replayed"
#: The first and the longest wait in seconds before an operation, or an awaited record, is fetched again.
FIRST: Final = 0.5
LONGEST: Final = 5.0
ACCEPTED: Final = 202
#: Statuses of a create that is done, even if the reply is empty.
CONFIRMED: Final = frozenset({200, 201, 204})
RECONCILE: Final = "Call .reconcile() on this error: it searches for the record and never creates one."


def create(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    row: Row | None = None,
) -> Record:
    """Create a record even if there is an equal one, unless a program was killed while it created that one.

    Args:
        calls: The collection.
        fields: The checked fields.
        row: The row of a form, which is marked once it counts as sent.

    Raises:
        OutcomeUnknown: It is not known whether it happened, now or in the program that was killed; called once
            more, it creates another record.
    """
    row = Row(None, dict(fields)) if row is None else row
    if calls.sender.in_process:
        return Create(calls, row).pay()  # the embedded service keeps a journal itself
    journal = journal_of(calls.session)
    with journal.claim_next(next(identities(calls, journal.contents, fields)).content) as row.identity:
        asked = Create(calls, row, journal)
        if asked.step in {"send", "repeat"}:
            return asked.pay()
        record, doubt = asked.find()
        if record is not None:
            notice(f"{calls.spec.noun.capitalize()} {record.id} was created when a program ended early.")
            return record
        unknown = OutcomeUnknown(
            f"This {calls.spec.noun} may have been created already, by a program that ended early.\n"
            f"{doubt[:1].upper()}{doubt[1:]}.\n"
            "Nothing was sent. Try again to create another one.",
            doubt=doubt,
        )
        unknown.look = partial(asked.reconcile, unknown)
        raise unknown


class Create:
    """One create: noted, sent, read, found again and noted.

    Args:
        calls: The collection.
        row: Its fields, and its identity, which the caller has claimed; it is marked once it counts as sent.
        journal: The journal; one in memory by default.
    """

    def __init__(self, calls: SessionCalls, row: Row, journal: Journal | None = None) -> None:
        self.calls = calls
        self.row = row
        self.journal = Journal() if journal is None else journal
        #: Notes its state.
        self.note = partial(self.journal.note, row.identity, collection=calls.spec.name)

    @property
    def step(self) -> Literal["show", "search", "send", "repeat"]:
        """What a run does with it: its record is shown, it is looked for, sent, or sent again with its key, which settles it.

        What another account has sent is shown only if its record is here.
        """
        entry = self.journal.known(self.row.identity)
        if self.row.id is not None:
            return "show"
        if entry is None or entry.state in SETTLED:
            return "send"
        if entry.id is not None or not entry.is_own:
            return "show"
        is_kept = self.calls.dialect.idempotent is True and time.time() - entry.time < KEPT
        return "repeat" if entry.key and (is_kept or self.calls.session.is_local) else "search"

    def keep(self, record: Record, before: Mapping[str, str] | None = None) -> None:
        """Note its record.

        Args:
            record: The record.
            before: Hashes of the fields that it showed when it was noted before.
        """
        spec, made = self.calls.spec, record.known["created_at"]
        # What was generated, and what can be set.
        names = sorted({*spec.creates, *spec.updates, spec.generated})
        shown = marks({name: record.known.get(name) for name in names}) | dict(before or {})
        self.note("created", id=record.id, shown=shown, made=None if made is None else made.timestamp())

    def pay(self) -> Record:
        """Send it, counted against the client's limit, and note it before and after.

        Raises:
            InvalidArgument: The limit is reached; nothing was sent.
            ConfigurationError: The journal cannot be written; nothing was sent.
            OutcomeUnknown: It is not known whether it happened.
        """
        session = self.calls.session
        if (other := self.note("sent", key=str(uuid4()), sent=checksums(self.row.fields))) is not None:
            if other.id is not None:
                self.note(other.state, id=other.id, shown=other.shown, made=other.made)
            raise OutcomeUnknown(
                f"Another program is creating this {self.calls.spec.noun}.\n"
                "Nothing was sent. Run again to get its record."
            )
        self.row.sent = self.calls.known_ids.mark()
        with session.lock:
            is_allowed = session.create_limit is None or session.created < session.create_limit
            session.created += is_allowed
        if not is_allowed:
            self.note("failed")
            raise InvalidArgument(
                f"create_limit={session.create_limit} is reached: {session.created} creates so far.\n"
                "Raise the limit with ink.connect(…, create_limit=…)."
            )
        try:
            record = self._send()
        except OutcomeUnknown as error:
            self.note("unknown")
            error.look = partial(self.reconcile, error)
            with suppress(InkframeError):
                # Some services answer with nothing that names the record.
                if error.is_confirmed and (found := self.find()[0]) is not None:
                    return found
            raise
        except InkframeError:
            with session.lock:  # it certainly did not happen; but what an engine was asked for counts
                session.created = max(session.created - 1, session.asked())
            self.note("failed")
            raise
        self.keep(record)
        return record

    def _send(self) -> Record:
        """Send it; once more only if it was certainly not received, or if its key settles what became of it."""
        sender, entry = self.calls.sender, self.journal.find(self.row.identity)
        form = encode_form(self.row.fields, None if entry is None else entry.key)
        pauses = iter(RESENDS)
        while True:
            try:
                response = sender.send("POST", f"/{self.calls.spec.name}", form=form, answered=True)
                if REPLAYED in response.headers:
                    self.calls.dialect.learn(idempotent=True)
                return self._read(response)
            except InkframeError as error:
                pause = next(pauses, None)
                # The embedded service has said all that it knows.
                is_open = isinstance(error, OutcomeUnknown) and not sender.in_process
                if pause is None or not is_open or self.step != "repeat":
                    raise
            except Exception as error:  # noqa: BLE001  # it may have been billed, whatever the reply led to
                kind = type(error).__name__
                break
            sender.pause(pause, "POST")
        raise OutcomeUnknown(
            f"The outcome of the create is unknown: its reply could not be read ({kind}).\n{RECONCILE}"
        )

    def _read(self, response: Response) -> Record:
        """Return the new record of a reply.

        Raises:
            OutcomeUnknown: The reply leads to no new record in which a sent field can be recognized.
            ServiceError: The service refused the create.
        """
        failure: BaseException | None = response.error
        may_be_made = True
        try:
            self.calls.reader.refuse_failure(response)
        except InkframeError as error:
            failure = failure or error
        try:
            may_be_made = failure is None or bool(
                self.calls.reader.new_ids(response, with_own=False)
                or self.calls.reader.records_beside_failure(response)
            )
            for record, wholly in self._candidates(response, failure) if may_be_made else ():
                if is_recognized(self.calls.spec, self.row.fields, record.known, wholly=wholly):
                    record.costs = read_costs(response)
                    return self._accepted(record)
        except InkframeError as error:
            failure = failure or error
        # The embedded service stores nothing when it fails, but its engine may have been paid, unless it says 503.
        is_free = response.status == 503 or not self.calls.session.creations_are_billed
        is_unmade = self.calls.sender.in_process and response.status >= 500 and is_free
        # The frames have the addresses and ids of the reply, which may have the key.
        if failure is not None and not may_be_made and (is_unmade or response.status in REFUSED):
            raise bare(failure)
        unknown = OutcomeUnknown(
            f"The outcome of the create is unknown (status {response.status}).\n"
            f"{str(failure).partition(chr(10))[0]}\n"
            f"{RECONCILE}"
        )
        unknown.is_confirmed = response.status in CONFIRMED and isinstance(failure, UnexpectedReply)
        raise unknown from failure and bare(failure)

    def _accepted(self, record: Record) -> Record:
        if not self.calls.known_ids.claim(record.id, self.row.sent or 0):
            raise UnexpectedReply(
                f"The reply leads to {self.calls.spec.noun} "
                f"{foreign_text(repr(record.id), self.calls.sender.key, 80)}, which existed before."
            )
        entry = self.journal.find(self.row.identity)
        self.calls.learn_created(record, self.row.fields, 0.0 if entry is None else entry.time)
        return record

    def _candidates(self, response: Response, failure: BaseException | None) -> Iterator[tuple[Record, bool]]:
        """Yield each record that a reply shows or leads to, and whether all of its texts must be recognized.

        Args:
            response: The reply.
            failure: What it reports, if it is a failure; it then leads to no operation.
        """
        for reply in self._replies(response, is_refused=failure is not None):
            is_operation = reply is not response
            for is_own, record in self.calls.reader.records_in(reply):
                # Another object may be another resource, such as the project of the record.
                yield record, is_operation or not is_own
        if is_operation and state_of(reply) == "failed":
            self.calls.reader.refuse_failure(reply)
            raise ServiceError(
                "The service accepted the create and reports that it failed.", status=reply.status
            )
        problem: InkframeError | None = None
        sure = self.calls.reader.new_ids(reply, with_own=not is_operation)
        for id in dict.fromkeys([*sure, *linked_ids(reply, self.calls.spec)]):
            try:
                record = self.calls.get(id)
            except InkframeError as error:
                problem = error
            else:
                # The id of a reply with 202 may be that of a job, and other links lead to other records.
                yield record, id not in sure or (reply.status == ACCEPTED and not is_operation)
        raise problem or UnexpectedReply(
            f"The reply contains no {self.calls.spec.noun} in which the sent fields can be recognized."
            f"{self.calls.reader.said(reply)}"
        )

    def _replies(self, response: Response, *, is_refused: bool) -> Iterator[Response]:
        """Yield a reply, and those about the operation that it leads to unless it names the record, until that ends."""
        yield response
        spec, sender, reply = self.calls.spec, self.calls.sender, response
        is_open = response.status == ACCEPTED or (
            response.status < 300 and not self.calls.reader.new_ids(response, with_own=True)
        )
        place = status_place(response, sender.address, spec) if is_open and not is_refused else None
        pause, ends = FIRST, sender.clock.now() + sender.timeouts.create
        while place is not None:
            asked = retry_after(reply.headers)
            wait = pause if asked is None or asked < FIRST else asked
            left = ends - sender.clock.now() - wait
            if left <= 0:
                raise DeadlineExceeded(f"{sender.address.name} did not finish the create in time.")
            sender.pause(wait)
            yield (reply := self._operation(*place, left))
            place = (
                (status_place(reply, sender.address, spec) or place) if state_of(reply) == "pending" else None
            )
            pause = min(LONGEST, pause * 1.5)

    def _operation(self, path: str, query: str, seconds: float) -> Response:
        """Read an operation, which may be outside of the interface."""
        reply = self.calls.sender.send("GET", path, query=query, seconds=seconds, picture=True)
        try:
            return replace(reply, value=parse_json(reply.body) if reply.body.strip() else None)
        except ValueError:
            raise UnexpectedReply(
                f"{self.calls.sender.address.name} returned an operation that is not JSON."
            ) from None

    def find(self, recent: RecentRecords | None = None) -> tuple[Record | None, str]:
        """Search for its record after its outcome was lost, and note what was found; never create one.

        Args:
            recent: The newest records, read after it was sent; several creates may share them.

        Returns:
            The record, or None with the reason why it may exist.
        """
        row, entry = self.row, self.journal.known(self.row.identity)
        record, doubt = Search(
            self.calls, row.fields, self.journal, recent or RecentRecords(self.calls), entry, row.sent or 0
        ).run()
        if record is not None:
            self.keep(record)
        elif entry is None or entry.state != "unknown":
            self.note("unknown")
        return record, doubt

    def reconcile(self, error: OutcomeUnknown) -> Any:
        """Search for its record, so that nothing asks for it again; return None if it is in doubt.

        Args:
            error: The error, which gets the doubt.
        """
        row, spec = self.row, self.calls.spec
        if row.record is None:
            record, doubt = self.find()
            error.doubt = doubt or None
            if record is None:
                notice(f"It is unclear whether the {spec.noun} was created: {doubt}.")
            else:
                row.record, row.status = self.calls.as_record(reported(spec, record)), "created"
        return row.record


def reported(spec: ResourceSpec, record: Record) -> Record:
    """Return a created or updated record after printing what the service changed in it."""
    if record.differences:
        notice(f"{spec.noun.capitalize()} {record.id}: {stored_instead(record)}")
    return record


def stored_instead(record: Record) -> str | None:
    """Return a sentence about the values that a service stored instead of those that were sent."""
    values = ", ".join(f"{name}={short(value)}" for name, value in record.differences.items())
    return f"The service stored {values} instead." if values else None


def wait(calls: SessionCalls, id: int | str, timeout: float) -> Record:
    """Wait until the picture or text of a record is available and return the record.

    Args:
        calls: The collection.
        id: The record.
        timeout: The maximum seconds to wait.

    Raises:
        DeadlineExceeded: It was not finished in time.
        InvalidArgument: The timeout is not a number of seconds.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout >= 0:
        raise InvalidArgument(
            f"timeout must be 0 or greater, got {short(timeout)}.\nPass the maximum seconds to wait."
        )
    clock = calls.session.sender.clock
    pause, ends = FIRST, clock.now() + timeout
    while not (record := calls.get(id)).finished:
        if clock.now() + pause > ends:
            raise DeadlineExceeded(
                f"The {calls.spec.noun} is not finished after {timeout:g} s.\n"
                "It may come later. Fetch the record with .get(), or allow more time."
            )
        clock.sleep(pause)
        pause = min(LONGEST, pause * 1.5)
    return record
