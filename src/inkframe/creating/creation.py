"""Creates: a reply is accepted as the new record, or followed to it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from inkframe.errors import DeadlineExceeded, InkframeError, OutcomeUnknown, ServiceError, UnexpectedReply
from inkframe.http.address import encode_form
from inkframe.http.body import parse_json
from inkframe.http.key import bare, foreign_text
from inkframe.http.pace import retry_after
from inkframe.replies.fields import linked_id
from inkframe.replies.operation import linked_ids, read_costs, state_of, status_place
from inkframe.replies.same_content import differences, is_recognized

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.http.address import Parameter
    from inkframe.http.body import Response
    from inkframe.listing.operations import Calls
    from inkframe.replies.record import Record

__all__ = ["send_create"]

ACCEPTED: Final = 202
#: Statuses of a create that is done, even if the reply is empty.
CONFIRMED: Final = frozenset({200, 201, 204})
#: The first and the longest wait in seconds before the state of a create is read again, unless the service
#: requests at least the first.
FIRST: Final = 0.5
LONGEST: Final = 5.0


def send_create(calls: Calls, fields: Mapping[str, Parameter], key: str | None = None) -> Record:
    """Create a record; the request is repeated only if it was certainly not received.

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
    since = time.time()
    response = calls.sender.send("POST", f"/{calls.spec.name}", form=form)
    record = _Reply(calls, fields, since).record(response)
    record.costs = read_costs(response)
    return record


class _Reply:
    """The reply to one create, and what it leads to.

    Args:
        calls: The collection.
        fields: The fields that were sent.
        since: The time at which they were sent, in seconds since 1970.
    """

    def __init__(self, calls: Calls, fields: Mapping[str, Any], since: float) -> None:
        self._calls = calls
        self._sender = calls.sender
        self._reader = calls.reader
        self._fields = fields
        self._since = since
        self._ends = calls.sender.clock.now() + calls.sender.timeouts.create

    def record(self, response: Response) -> Record:
        """Return the new record.

        Raises:
            OutcomeUnknown: The reply leads to no new record in which a sent field can be recognized.
            ServiceError: The service reports that the create failed.
        """
        try:
            self._reader.refuse_failure(response)
        except ServiceError as error:
            if response.status == 200 and not self._reader.shows_record(response):
                if error.status < 500:
                    raise
                raise self._unknown(response, error) from error
        try:
            record = self._shown(response)
            reply = response
            if record is None and (response.status == ACCEPTED or not self._ids(response)):
                record, reply = self._followed(response)
            if record is None and (reply is response or state_of(reply) != "failed"):
                record = self._fetched(reply, is_operation=reply is not response)
        except InkframeError as problem:
            # Its frames have the addresses and ids of the reply, which may have the key.
            raise self._unknown(response, problem) from bare(problem)
        if record is None:
            self._reader.refuse_failure(reply)
            raise ServiceError(
                "The service accepted the create and reports that it failed.", status=reply.status
            )
        return record

    def _unknown(self, response: Response, problem: InkframeError) -> OutcomeUnknown:
        unknown = OutcomeUnknown(
            f"The outcome of the create is unknown (status {response.status}).\n"
            f"{str(problem).partition(chr(10))[0]}\n"
            "Call .reconcile() on this error: it searches for the record and never creates one."
        )
        unknown.is_confirmed = response.status in CONFIRMED and not response.body.strip()
        return unknown

    def _shown(self, response: Response, *, is_operation: bool = False) -> Record | None:
        """Return the new record if a reply contains it."""
        for path, record in self._reader.records_in(response):
            # Under other keys there may be another resource, such as the project of the record.
            wholly = is_operation or not self._reader.is_wrapper(path)
            if is_recognized(self._calls.spec, self._fields, record.known, wholly=wholly):
                self._reader.dialect.learn(record_at=path)
                return self._accepted(record)
        return None

    def _accepted(self, record: Record) -> Record:
        if not self._calls.known_ids.claim(record.id, self._since):
            id = foreign_text(repr(record.id), self._sender.key, 80)
            raise UnexpectedReply(f"The reply leads to {self._calls.spec.noun} {id}, which existed before.")
        self._calls.learn_created(record, self._fields, self._since)
        record.differences = differences(self._fields, record.known)
        return record

    def _fetched(self, reply: Response, *, is_operation: bool) -> Record:
        """Fetch the record that a reply leads to."""
        sure = self._ids(reply, with_own=not is_operation)
        problem: InkframeError | None = None
        for id in dict.fromkeys([*sure, *linked_ids(reply, self._calls.spec)]):
            try:
                record = self._calls.get(id)
            except InkframeError as error:
                problem = error
                continue
            # The id of a reply with 202 may be that of a job, and other links lead to other records.
            wholly = id not in sure or (reply.status == ACCEPTED and not is_operation)
            if is_recognized(self._calls.spec, self._fields, record.known, wholly=wholly):
                return self._accepted(record)
        raise problem or UnexpectedReply(
            f"The reply contains no {self._calls.spec.noun} in which the sent fields can be recognized."
            f"{self._reader.said(reply)}"
        )

    def _ids(self, reply: Response, *, with_own: bool = True) -> list[int | str]:
        """Return the ids in a reply that are meant to be that of the new record."""
        located = linked_id(reply.headers.get("location"), self._calls.spec)
        found = [located, *self._reader.new_ids(reply, with_own=with_own)]
        return list(dict.fromkeys(id for id in found if id is not None))

    def _followed(self, response: Response) -> tuple[Record | None, Response]:
        """Return the new record of the operation that a reply leads to, and the last reply that was read."""
        spec, sender = self._calls.spec, self._sender
        place = status_place(response, sender.address, spec) if response.status < 300 else None
        record, reply, pause = None, response, FIRST
        while place is not None:
            asked = retry_after(reply.headers)
            wait = pause if asked is None or asked < FIRST else asked
            left = self._ends - sender.clock.now() - wait
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
        reply = self._sender.send("GET", path, query=query, seconds=seconds, picture=True)
        try:
            return replace(reply, value=parse_json(reply.body) if reply.body.strip() else None)
        except ValueError:
            raise UnexpectedReply(
                f"{self._sender.address.name} returned an operation that is not JSON."
            ) from None
