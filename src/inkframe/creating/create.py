"""Single creates: sent once, counted, found again after a lost reply, never repeated, and awaited."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from inkframe.creating.lost import SearchResult, Sent, find_lost
from inkframe.display.console import notice
from inkframe.errors import (
    DeadlineExceeded,
    InkframeError,
    InvalidArgument,
    OutcomeUnknown,
    ServiceError,
    UnexpectedReply,
)
from inkframe.http.address import Form, Parameter, encode_form
from inkframe.http.body import Response, parse_json
from inkframe.http.failures import REFUSED
from inkframe.http.key import bare, foreign_text
from inkframe.http.pace import retry_after
from inkframe.replies.fields import linked_id
from inkframe.replies.reader import linked_ids, read_costs, state_of, status_place
from inkframe.replies.same_content import is_recognized
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record
    from inkframe.schema import ResourceSpec

__all__ = [
    "create",
    "let_look",
    "reported",
    "send_create",
    "stored_instead",
    "wait",
]

Kept = TypeVar("Kept")
#: The first and the longest wait in seconds before an awaited record, or an operation, is fetched again.
FIRST: Final = 0.5
LONGEST: Final = 5.0
ACCEPTED: Final = 202
#: The seconds before a create is sent again with its key, where the service keeps keys; and the header that tells it.
RESENDS: Final = (0.5, 2.0, 5.0)
REPLAYED: Final = "idempotent-replayed"
#: Statuses of a create that is done, even if the reply is empty.
CONFIRMED: Final = frozenset({200, 201, 204})


def create(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    key: str | None = None,
    find: Callable[..., SearchResult] | None = None,
) -> Record:
    """Create a record, counted against the client's limit.

    Args:
        calls: The collection.
        fields: The checked fields.
        as_record: Converts the record that ``reconcile`` of the error finds.
        key: The ``Idempotency-Key``; a new one by default.
        find: Searches for the record, as ``find_lost``, with what a journal knows; it takes when it was sent.

    Raises:
        InvalidArgument: The limit is reached; nothing was sent.
        OutcomeUnknown: It was sent, but no reply shows whether it happened.
    """
    calls.session.claim_creation()
    mark, began = calls.known_ids.mark(), time.time()
    try:
        return send_create(calls, fields, key)
    except OutcomeUnknown as error:
        search = partial(find or partial(find_lost, calls, fields), Sent(mark, began))
        let_look(error, calls.spec, search, as_record)
        if error.is_confirmed:
            # Some services answer with nothing that names the record.
            with suppress(InkframeError):
                result = search()
                if result.record is not None:
                    return result.record
        raise
    except InkframeError:
        calls.session.return_creation()
        raise


def let_look(
    error: OutcomeUnknown,
    spec: ResourceSpec,
    search: Callable[[], SearchResult],
    as_record: Callable[[Record], Kept],
) -> None:
    """Let ``reconcile`` of an error search for the record."""
    found: list[Kept] = []

    def look() -> Kept | None:
        if not found:
            result = search()
            error.doubt = result.doubt
            if result.record is None:
                notice(f"It is unclear whether the {spec.noun} was created: {result.doubt}.")
                return None
            found.append(as_record(reported(spec, result.record)))
        return found[0]

    error.look = look


def send_create(calls: SessionCalls, fields: Mapping[str, Parameter], key: str | None = None) -> Record:
    """Create a record; the request is repeated only if it was certainly not received, or if its key settles it.

    If the reply has only an id or a location, the record is fetched; if it leads to an operation, that is
    followed to the record.

    Args:
        calls: The collection.
        fields: The fields to send.
        key: The ``Idempotency-Key``, by which a service recognizes another try; a new one by default.

    Raises:
        OutcomeUnknown: No reply shows whether it happened, or the reply shows another record.
        ServiceError: The service refused the create, or reports that it failed.
    """
    form = encode_form(fields, str(uuid4()) if key is None else key)
    mark, since = calls.known_ids.mark(), time.time()
    for pause in RESENDS:
        try:
            return _send_once(calls, fields, form, mark, since)
        except OutcomeUnknown:
            # The embedded service has said all that it knows.
            if calls.sender.in_process or not calls.settles(form.key, since):
                raise
        calls.sender.pause(pause, "POST")
    return _send_once(calls, fields, form, mark, since)


def _send_once(
    calls: SessionCalls, fields: Mapping[str, Parameter], form: Form, mark: int, since: float
) -> Record:
    """Send a create and read the reply."""
    try:
        response = calls.sender.send("POST", f"/{calls.spec.name}", form=form, answered=True)
        if REPLAYED in response.headers:
            calls.dialect.learn(idempotent=True)
        ends = calls.sender.clock.now() + calls.sender.timeouts.create
        record = _Answered(calls, fields, mark, since, ends).record(response)
        record.costs = read_costs(response)
    except InkframeError:
        raise
    except Exception as error:  # noqa: BLE001  # it may have been billed, whatever the reply led to
        kind = type(error).__name__
    else:
        return record
    raise OutcomeUnknown(
        f"The outcome of the create is unknown: its reply could not be read ({kind}).\n"
        "Call .reconcile() on this error: it searches for the record and never creates one."
    )


@dataclass(frozen=True, slots=True, repr=False)  # a traceback with variables shows no content of a service
class _Answered:
    """A create that was answered, and what its reply leads to.

    Args:
        calls: The collection.
        fields: The fields that were sent.
        mark: The mark of the known ids before they were sent.
        since: The time at which they were sent, in seconds since 1970.
        ends: The time on the sender's clock until which an operation is followed.
    """

    calls: SessionCalls
    fields: Mapping[str, Any]
    mark: int
    since: float
    ends: float

    def record(self, response: Response) -> Record:
        """Return the new record.

        Raises:
            OutcomeUnknown: The reply leads to no new record in which a sent field can be recognized.
            ServiceError: The service refused the create.
        """
        failure: BaseException | None = response.error or self._spoken(response)
        if failure is not None and not self._names_record(response):
            # The embedded service stores nothing when it fails, but its engine may have been paid, unless it says 503.
            is_free = not self.calls.session.creations_are_billed or response.status == 503
            if response.status in REFUSED or (
                self.calls.sender.in_process and is_free and response.status >= 500
            ):
                raise bare(failure)
            raise self._unknown(response, failure) from bare(failure)
        record: Record | None = None
        try:
            record, reply = self._shown(response), response
            if (
                record is None
                and failure is None
                and (response.status == ACCEPTED or not self._ids(response))
            ):
                record, reply = self._followed(response)
            if record is None and reply is not response and state_of(reply) == "failed":
                failure = self._spoken(reply) or ServiceError(
                    "The service accepted the create and reports that it failed.", status=reply.status
                )
            elif record is None:
                record = self._fetched(reply, is_operation=reply is not response)
        except InkframeError as problem:
            # Its frames have the addresses and ids of the reply, which may have the key.
            failure = failure or problem
        if record is None:
            raise self._unknown(response, failure) from failure and bare(failure)
        return record

    def _names_record(self, response: Response) -> bool:
        """Return whether a reply that is an error shows a record, or where one is."""
        return bool(self._ids(response, with_own=False)) or self.calls.reader.shows_record(response)

    def _spoken(self, response: Response) -> ServiceError | None:
        """Return the failure that a reply with a status of success reports."""
        try:
            self.calls.reader.refuse_failure(response)
        except ServiceError as error:
            return error
        return None

    def _unknown(self, response: Response, problem: BaseException | None) -> OutcomeUnknown:
        unknown = OutcomeUnknown(
            f"The outcome of the create is unknown (status {response.status}).\n"
            f"{str(problem).partition(chr(10))[0]}\n"
            "Call .reconcile() on this error: it searches for the record and never creates one."
        )
        unknown.is_confirmed = response.status in CONFIRMED and isinstance(problem, UnexpectedReply)
        return unknown

    def _shown(self, response: Response, *, is_operation: bool = False) -> Record | None:
        """Return the new record if a reply contains it."""
        for path, record in self.calls.reader.records_in(response):
            # Under other keys there may be another resource, such as the project of the record.
            wholly = is_operation or not self.calls.reader.is_wrapper(path)
            if is_recognized(self.calls.spec, self.fields, record.known, wholly=wholly):
                self.calls.reader.dialect.learn(record_at=path)
                return self._accepted(record)
        return None

    def _accepted(self, record: Record) -> Record:
        if not self.calls.known_ids.claim(record.id, self.mark):
            id = foreign_text(repr(record.id), self.calls.sender.key, 80)
            raise UnexpectedReply(f"The reply leads to {self.calls.spec.noun} {id}, which existed before.")
        self.calls.learn_created(record, self.fields, self.since)
        return record

    def _fetched(self, reply: Response, *, is_operation: bool) -> Record:
        """Fetch the record that a reply leads to."""
        sure = self._ids(reply, with_own=not is_operation)
        problem: InkframeError | None = None
        for id in dict.fromkeys([*sure, *linked_ids(reply, self.calls.spec)]):
            try:
                record = self.calls.get(id)
            except InkframeError as error:
                problem = error
                continue
            # The id of a reply with 202 may be that of a job, and other links lead to other records.
            wholly = id not in sure or (reply.status == ACCEPTED and not is_operation)
            if is_recognized(self.calls.spec, self.fields, record.known, wholly=wholly):
                return self._accepted(record)
        raise problem or UnexpectedReply(
            f"The reply contains no {self.calls.spec.noun} in which the sent fields can be recognized."
            f"{self.calls.reader.said(reply)}"
        )

    def _ids(self, reply: Response, *, with_own: bool = True) -> list[int | str]:
        """Return the ids in a reply that are meant to be that of the new record."""
        located = linked_id(reply.headers.get("location"), self.calls.spec)
        found = [located, *self.calls.reader.new_ids(reply, with_own=with_own)]
        return list(dict.fromkeys(id for id in found if id is not None))

    def _followed(self, response: Response) -> tuple[Record | None, Response]:
        """Return the new record of the operation that a reply leads to, and the last reply that was read."""
        spec, sender = self.calls.spec, self.calls.sender
        place = status_place(response, sender.address, spec) if response.status < 300 else None
        record, reply, pause = None, response, FIRST
        while place is not None:
            asked = retry_after(reply.headers)
            wait = pause if asked is None or asked < FIRST else asked
            left = self.ends - sender.clock.now() - wait
            if left <= 0:
                raise DeadlineExceeded(f"{sender.address.name} did not finish the create in time.")
            sender.pause(wait)
            reply = self._read(*place, left)
            record = self._shown(reply, is_operation=True)
            if record is not None or state_of(reply) != "pending":
                break
            place = status_place(reply, sender.address, spec) or place
            pause = min(LONGEST, pause * 1.5)
        return record, reply

    def _read(self, path: str, query: str, seconds: float) -> Response:
        """Read an operation, which may be outside of the interface."""
        reply = self.calls.sender.send("GET", path, query=query, seconds=seconds, picture=True)
        try:
            return replace(reply, value=parse_json(reply.body) if reply.body.strip() else None)
        except ValueError:
            raise UnexpectedReply(
                f"{self.calls.sender.address.name} returned an operation that is not JSON."
            ) from None


def reported(spec: ResourceSpec, record: Record) -> Record:
    """Return a created or updated record after printing what the service changed in it."""
    if text := stored_instead(record):
        notice(f"{spec.noun.capitalize()} {record.id}: {text}")
    return record


def stored_instead(record: Record) -> str | None:
    """Return a sentence about the values that a service stored instead of those that were sent."""
    if not record.differences:
        return None
    values = ", ".join(f"{name}={short(value)}" for name, value in record.differences.items())
    return f"The service stored {values} instead."


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
    ends = clock.now() + timeout
    pause = FIRST
    while not (record := calls.get(id)).finished:
        if clock.now() + pause > ends:
            raise DeadlineExceeded(
                f"The {calls.spec.noun} is not finished after {timeout:g} s.\n"
                "It may come later. Fetch the record with .get(), or allow more time."
            )
        clock.sleep(pause)
        pause = min(LONGEST, pause * 1.5)
    return record
