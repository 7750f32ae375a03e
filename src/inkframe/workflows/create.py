"""Single creates: counted, found again after a lost reply, never repeated, and awaited."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from inkframe.calls.arguments import short
from inkframe.display.console import notice
from inkframe.errors import DeadlineExceeded, InkframeError, InvalidArgument, NotFound, OutcomeUnknown
from inkframe.workflows.journal import identity
from inkframe.workflows.multi_query import whole_queries
from inkframe.workflows.reconcile import find

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.calls.port import Calls
    from inkframe.replies.record_reply import Record
    from inkframe.schema import ResourceSpec
    from inkframe.workflows.session import Session

__all__ = ["create", "ensure", "find_lost", "reported", "stored_instead", "wait"]

Kept = TypeVar("Kept")

#: The first and the longest wait in seconds before an awaited record is fetched again.
FIRST: Final = 0.5
LONGEST: Final = 5.0


def create(
    session: Session,
    calls: Calls,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    key: str | None = None,
) -> Record:
    """Create a record, counted against the client's limit.

    Args:
        session: The session.
        calls: The collection.
        fields: The checked fields.
        as_record: Converts the record that ``reconcile`` of the error finds.
        key: The ``Idempotency-Key``; a new one by default.

    Raises:
        InvalidArgument: The limit is reached; nothing was sent.
        OutcomeUnknown: It was sent, but no reply shows whether it happened.
    """
    session.claim_creation()
    sent = time.time()
    try:
        record = calls.create(fields, key)
    except OutcomeUnknown as error:

        def look() -> Kept | None:
            found = find_lost(session, calls, fields, since=sent, beside=session.made[calls.spec.name])
            return None if found is None else as_record(found)

        error.look = look
        raise
    except InkframeError:
        session.return_creation()
        raise
    session.made[calls.spec.name].add(record.id)
    return record


def find_lost(session: Session, calls: Calls, fields: Mapping[str, Any], **limits: Any) -> Record | None:
    """Return the record of a create whose reply was lost, or None; limits as in ``find``."""
    found, _ = find(calls, fields, _searches(session, calls, fields), **limits)
    return None if found is None else calls.get(found)


def ensure(
    session: Session, calls: Calls, fields: Mapping[str, Any], as_record: Callable[[Record], Kept]
) -> Record:
    """Return the record with these fields, creating it only if neither the journal nor the service has it."""
    journal = session.journal()
    known = identity(session.place, calls.spec.name, fields)
    entry = journal.find(known)
    if entry is not None and entry.id is not None:
        with suppress(NotFound):
            return calls.get(entry.id)
    found, named = find(calls, fields, _searches(session, calls, fields), wholly=True)
    if found is not None:
        journal.note(known, "created", found, collection=calls.spec.name)
        return calls.get(found)
    if named:
        notice(
            f"{session.host} has {calls.spec.noun} {fields['name']!r}, but does not return its text or "
            "settings. The name alone is not a match, so another one is created."
        )
    journal.note(known, "sent", collection=calls.spec.name)
    record = create(session, calls, fields, as_record)
    journal.note(known, "created", record.id, collection=calls.spec.name)
    return record


def wait(session: Session, calls: Calls, id: int | str, timeout: float) -> Record:
    """Wait until the picture or text of a record is available and return the record.

    Args:
        session: The session.
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
    clock = session.conversation.clock
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


def stored_instead(record: Record) -> str | None:
    """Return a sentence about the values that a service stored instead of those that were sent."""
    if not record.differences:
        return None
    values = ", ".join(f"{name}={short(value)}" for name, value in record.differences.items())
    return f"The service stored {values} instead."


def reported(spec: ResourceSpec, record: Record) -> Record:
    """Return a created or updated record after printing what the service changed in it."""
    if text := stored_instead(record):
        notice(f"{spec.noun.capitalize()} {record.id}: {text}")
    return record


def _searches(session: Session, calls: Calls, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return queries that search the whole collection for a name."""
    query = {"search": fields["name"].strip(), "search_by": "name"}
    return whole_queries(calls, session.vocabulary, query, {})
