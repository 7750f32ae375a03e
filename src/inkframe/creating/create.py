"""Single creates: counted, found again after a lost reply, never repeated, and awaited."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from inkframe.creating.creation import send_create
from inkframe.creating.journal import identity, journal_of
from inkframe.creating.lost import Search, naming_key
from inkframe.creating.recent_records import RecentRecords
from inkframe.creating.shown_fields import hashes, is_another
from inkframe.display.console import notice
from inkframe.errors import (
    ConfigurationError,
    DeadlineExceeded,
    InkframeError,
    InvalidArgument,
    NotFound,
    OutcomeUnknown,
)
from inkframe.listing.full_listing import FullListing
from inkframe.listing.queries import whole_queries
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from inkframe.creating.journal import Journal
    from inkframe.creating.lost import Finding
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page
    from inkframe.replies.record import Record
    from inkframe.schema import ResourceSpec

__all__ = ["create", "ensure", "find_lost", "reported", "stored_instead", "wait"]

Kept = TypeVar("Kept")

#: The first and the longest wait in seconds before an awaited record is fetched again.
FIRST: Final = 0.5
LONGEST: Final = 5.0


def create(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    key: str | None = None,
) -> Record:
    """Create a record, counted against the client's limit.

    Args:
        calls: The collection.
        fields: The checked fields.
        as_record: Converts the record that ``reconcile`` of the error finds.
        key: The ``Idempotency-Key``; a new one by default.

    Raises:
        InvalidArgument: The limit is reached; nothing was sent.
        OutcomeUnknown: It was sent, but no reply shows whether it happened.
    """
    calls.session.claim_creation()
    sent = time.time()
    try:
        record = send_create(calls, fields, key)
    except OutcomeUnknown as error:
        unknown = error
        found: list[Record] = []

        def look() -> Kept | None:
            if not found:
                finding = find_lost(calls, fields, since=sent)
                unknown.doubt = finding.doubt
                if finding.record is None:
                    if finding.doubt is not None:
                        notice(f"It is unclear whether the {calls.spec.noun} was created: {finding.doubt}.")
                    return None
                found.append(reported(calls.spec, finding.record))
            return as_record(found[0])

        error.look = look
        if error.is_confirmed:
            # Some services answer with nothing but their status.
            with suppress(InkframeError):
                finding = find_lost(calls, fields, since=sent, is_unique=True)
                if finding.record is not None:
                    return finding.record
        raise
    except InkframeError:
        calls.session.return_creation()
        raise
    return record


def find_lost(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    *,
    since: float,
    beside: Container[int | str] = (),
    recent: RecentRecords | None = None,
    is_unique: bool = False,
) -> Finding:
    """Search for the record of a create whose reply was lost.

    Args:
        calls: The collection.
        fields: The fields that were sent.
        since: The time at which they were sent, in seconds since 1970.
        beside: Ids of records that belong to other creates.
        recent: The newest records, read after the reply was lost; several searches may share them.
        is_unique: Whether a record counts only if no other of the newest is equal.
    """
    search = Search(calls, fields, since=since, beside=beside, is_unique=is_unique)
    recent = RecentRecords(calls) if recent is None else recent
    named = tuple if recent.only_likely else partial(_named, calls, fields)
    return search.run(recent.newest, named, recent.by_filter)


def ensure(calls: SessionCalls, fields: Mapping[str, Any], as_record: Callable[[Record], Kept]) -> Record:
    """Return the record with these fields, creating it only if neither the journal nor the service has it.

    Raises:
        ConfigurationError: The service does not show the name of a record; nothing was created.
        OutcomeUnknown: It is unclear whether the service has the record; nothing was created.
    """
    journal = journal_of(calls.session)
    known = identity(calls.session.place, calls.spec.name, fields)
    with journal.claim([known]):
        return _ensure(calls, fields, as_record, known)


def _ensure(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    known: str,
) -> Record:
    journal, noun = journal_of(calls.session), calls.spec.noun
    entry = journal.find(known)
    if entry is not None and entry.id is not None:
        with suppress(NotFound):
            found = calls.get(entry.id)
            if not is_another(calls.spec, found, entry.shown or {}):
                return found
    recent = RecentRecords(calls)
    newest = recent.newest
    _require_name(calls, newest)
    beside = journal.ids(calls.spec.name)
    named = partial(_named, calls, fields)
    # A service that has not shown that it keeps names may have given the record another one.
    by_filter = tuple if calls.kept.keeps("name", fields["name"]) else recent.by_filter
    finding = Search(calls, fields, beside=beside).run(newest, named, by_filter)
    if finding.record is None and finding.doubt is None and entry is not None and entry.is_open:
        finding = Search(calls, fields, since=entry.time, beside=beside).run(newest, named)
    if finding.record is not None:
        _note_created(journal, known, calls.spec, finding.record)
        shown = finding.record.known
        if unshown := [
            name for name, value in fields.items() if value not in (None, "") and shown.get(name) is None
        ]:
            names = " and ".join(unshown)
            notice(
                f"{noun.capitalize()} {finding.record.id}: The service does not show its {names}, which may differ."
            )
        return finding.record
    if finding.doubt is not None:
        raise OutcomeUnknown(
            f"It is unclear whether {calls.session.host} has {noun} {short(fields['name'])}; nothing was created.\n"
            f"{finding.doubt[:1].upper()}{finding.doubt[1:]}.\n"
            "Look at the records with .list(search=…), or create another one with .create()."
        )
    key = entry.key if entry is not None and entry.key else str(uuid4())
    journal.note(known, "sent", collection=calls.spec.name, key=key)
    record = create(calls, fields, as_record, key)
    _note_created(journal, known, calls.spec, record)
    return record


def _note_created(journal: Journal, known: str, spec: ResourceSpec, record: Record) -> None:
    journal.note(known, "created", record.id, collection=spec.name, shown=hashes(spec, record))


def _require_name(calls: SessionCalls, newest: Page) -> None:
    """Raise ConfigurationError if the service does not show the name of a record."""
    if not newest.columns.ids or calls.dialect.shows("name"):
        return
    record = calls.get(newest.columns.ids[0])  # lists may omit it
    if not calls.dialect.shows("name"):
        raise ConfigurationError(
            f"The service does not show the name of a {calls.spec.noun}, so that ensure finds nothing by it.\n"
            "Nothing was created. Pin the key of the name: "
            f'client.{calls.spec.name}.dialect = ink.Dialect(fields={{"name": "{naming_key(record)}"}}).'
        )


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
    clock = calls.session.conversation.clock
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


def _named(calls: SessionCalls, fields: Mapping[str, Any]) -> Iterator[FullListing]:
    """Yield listings that together search the whole collection for a name."""
    query = {"search": fields["name"].strip(), "search_by": "name"}
    for each in whole_queries(calls, query, {}):
        yield FullListing(calls, each)
