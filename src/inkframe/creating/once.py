"""Creates that are noted in the journal before they are sent: paid for once, whatever ends the program.

::

    pay             notes a create, sends it, and notes its outcome: the way of every create below
    create_another  a new record, though one whose program was killed is looked for first
    ensure          the record that has the fields already, else a new one
    Batch           many rows, in ``create_many.py``
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from inkframe.creating.create import create, let_look
from inkframe.creating.journal import Entry, Journal, journal_of
from inkframe.creating.lost import (
    NOT_FOUND,
    RecentRecords,
    Search,
    SearchResult,
    Sent,
    find_lost,
    naming_key,
    note_newest,
    sent_before,
)
from inkframe.display.console import notice
from inkframe.errors import ConfigurationError, InkframeError, NotFound, OutcomeUnknown
from inkframe.replies.dialect import pinning
from inkframe.replies.same_content import compare, content_mark
from inkframe.schema import IMAGES
from inkframe.vocabulary.arguments import canonical_text, short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.rows import Row
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page
    from inkframe.replies.record import Record
    from inkframe.schema import ResourceSpec

__all__ = [
    "create_another",
    "edited_fields",
    "ensure",
    "field_mark",
    "fresh_identities",
    "hashes",
    "identify",
    "is_another",
    "note_created",
    "pay",
    "shows_content",
    "unclear",
]

Kept = TypeVar("Kept")


def pay(
    calls: SessionCalls,
    journal: Journal,
    identity: str,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    row: Row | None = None,
) -> Record:
    """Create a record that the journal does not have, and note it: the way of every create with an identity.

    Args:
        calls: The collection.
        journal: The journal.
        identity: The create, which the caller has claimed.
        fields: The checked fields.
        as_record: Converts the record that ``reconcile`` of the error finds.
        row: The row of a batch, which is marked once it counts as sent.

    Raises:
        ConfigurationError: The journal cannot be written; nothing was sent.
        OutcomeUnknown: It is not known whether it happened.
    """
    note = partial(journal.note, identity, collection=calls.spec.name)
    before = journal.find(identity)
    key = (before.key if before is not None else None) or str(uuid4())
    if (other := note("sent", key=key)) is not None:
        if other.id is not None:
            note(other.state, other.id, shown=other.shown, made=other.made)
        raise OutcomeUnknown(
            f"Another program is creating this {calls.spec.noun}.\nNothing was sent. Run again to get its record."
        )
    if row is not None:
        row.sent = calls.known_ids.mark()
    find = partial(_find_sent, calls, fields, journal, identity)
    try:
        record = create(calls, fields, partial(_found, calls, journal, identity, as_record), key, find)
    except OutcomeUnknown:
        note("unknown")
        raise
    except InkframeError:
        note("failed")
        raise
    note_created(calls, journal, identity, record)
    return record


def _find_sent(
    calls: SessionCalls, fields: Mapping[str, Any], journal: Journal, identity: str, sent: Sent
) -> SearchResult:
    """Search for the record of a create that this process sent, with what the journal knows."""
    if (entry := journal.find(identity)) is not None:
        sent = sent_before(journal, entry, sent.mark)
    equals = sum(entry.is_open for _, entry in journal.creates(identity.partition(".")[0]))
    return find_lost(calls, fields, sent, beside=journal.ids(calls.spec.name), equals=max(1, equals))


def _found(
    calls: SessionCalls,
    journal: Journal,
    identity: str,
    as_record: Callable[[Record], Kept],
    record: Record,
) -> Kept:
    """Note a record that ``reconcile`` has found, so that nothing asks for it again, and return it."""
    note_created(calls, journal, identity, record)
    return as_record(record)


def note_created(
    calls: SessionCalls,
    journal: Journal,
    identity: str,
    record: Record,
    before: Mapping[str, str] | None = None,
) -> None:
    """Note the record of a create, which may have been noted before with fewer fields."""
    made = record.known["created_at"]
    journal.note(
        identity,
        "created",
        record.id,
        collection=calls.spec.name,
        shown=hashes(calls.spec, record) | dict(before or {}),
        made=None if made is None else made.timestamp(),
    )


def create_another(
    calls: SessionCalls,
    fields: Mapping[str, Any],
    as_record: Callable[[Record], Kept],
    row: Row | None = None,
) -> Record:
    """Create a record even if there is an equal one, unless a program was killed while it created that one.

    Args:
        calls: The collection.
        fields: The checked fields.
        as_record: Converts the record that ``reconcile`` of the error finds.
        row: The row of a form, which is marked once it counts as sent.

    Raises:
        OutcomeUnknown: It is not known whether it happened, now or in the program that was killed; called once
            more, it creates another record.
    """
    if calls.session.is_local:
        return create(calls, fields, as_record)  # the embedded service keeps a journal itself
    journal = journal_of(calls.session)
    content = identify(journal, calls.session.places, calls.spec.name, fields)
    with journal.claim_next(content) as identity:
        entry = journal.find(identity) or journal.foreign(identity)
        if entry is None:
            return pay(calls, journal, identity, fields, as_record, row)
        if calls.settles(entry.key, entry.time) and journal.foreign(identity) is None:
            return pay(calls, journal, identity, fields, as_record, row)
        beside = journal.ids(calls.spec.name)
        search = partial(find_lost, calls, fields, sent_before(journal, entry, None), beside=beside)
        result = search()
        if result.record is not None:
            note_created(calls, journal, identity, result.record)
            notice(
                f"{calls.spec.noun.capitalize()} {result.record.id} was created when a program ended early."
            )
            return result.record
        journal.note(identity, "unknown", collection=calls.spec.name)
        unknown = unclear(calls.spec, result.doubt or NOT_FOUND)
        let_look(unknown, calls.spec, search, partial(_found, calls, journal, identity, as_record))
        raise unknown


def unclear(spec: ResourceSpec, doubt: str) -> OutcomeUnknown:
    """Return the error of a create that a program that was killed may have sent."""
    error = OutcomeUnknown(
        f"This {spec.noun} may have been created already, by a program that ended early.\n"
        f"{doubt[:1].upper()}{doubt[1:]}.\n"
        "Nothing was sent. Try again to create another one."
    )
    error.doubt = doubt
    return error


def ensure(calls: SessionCalls, fields: Mapping[str, Any], as_record: Callable[[Record], Kept]) -> Record:
    """Return the record with these fields, creating it only if neither the journal nor the service has it.

    Raises:
        ConfigurationError: The service does not show the name of a record; nothing was created.
        OutcomeUnknown: It is unclear whether the service has the record; nothing was created.
    """
    journal = journal_of(calls.session)
    known = identify(journal, calls.session.places, calls.spec.name, fields)
    with journal.claim([known]):
        record = _noted_record(calls, journal, known)
        lost = [
            pair for pair in journal.creates(known) if pair[1].is_open and journal.find(pair[0]) is pair[1]
        ]
        if record is None and lost and calls.settles(lost[0][1].key, lost[0][1].time):
            return pay(calls, journal, lost[0][0], fields, as_record)
        record = record or _equal_record(calls, fields, journal, known)
        if record is None:
            record = pay(calls, journal, known, fields, as_record)
        elif journal.owner(calls.spec.name, record.id) is None:
            note_created(calls, journal, known, record)
        if journal.problem is not None:
            notice(str(journal.problem))
        return record


def _noted_record(calls: SessionCalls, journal: Journal, known: str) -> Record | None:
    """Return the record that the journal has for a content, whatever way created it and whatever it shows."""
    for identity, entry in journal.creates(known):
        if entry.id is None:
            continue
        with suppress(NotFound):
            noted = calls.get(entry.id)
            edited = edited_fields(noted, entry)
            # The same id may be that of another record in another account.
            is_sure = bool(entry.shown) and not edited
            if is_sure or (journal.find(identity) is entry and not is_another(calls.spec, edited)):
                return noted
    return None


def _equal_record(
    calls: SessionCalls, fields: Mapping[str, Any], journal: Journal, known: str
) -> Record | None:
    """Return the record that the service has with these fields; None if there is certainly none.

    Args:
        calls: The collection.
        fields: The checked fields.
        journal: The journal.
        known: The identity of a create with these fields.

    Raises:
        ConfigurationError: The service does not show the name of a record.
        OutcomeUnknown: It is unclear whether there is one.
    """
    recent = RecentRecords(calls)
    _require_name(calls, recent.newest)
    noun, beside = calls.spec.noun, journal.ids(calls.spec.name)
    search = Search(calls, fields, beside=beside, recent=recent)
    search.look_at_all()
    result = search.result()
    lost = next((entry for _, entry in journal.creates(known) if entry.is_open), None)
    if result == SearchResult() and lost is not None:
        sent = sent_before(journal, lost, None)
        result = find_lost(calls, fields, sent, beside=beside, recent=recent)
    note_newest(calls, journal, recent.newest)
    if result.doubt is not None:
        raise OutcomeUnknown(
            f"It is unclear whether {calls.session.host} has {noun} {short(fields['name'])}; nothing was created.\n"
            f"{result.doubt[:1].upper()}{result.doubt[1:]}.\n"
            "Look at the records with .list(search=…), or create another one with .create()."
        )
    if result.record is not None:
        comparison = compare(fields, result.record.known)
        if unshown := [name for name, each in comparison.items() if each == "hidden"]:
            names = " and ".join(unshown)
            notice(
                f"{noun.capitalize()} {result.record.id}: The service does not show its {names}, which may differ."
            )
    return result.record


def _require_name(calls: SessionCalls, newest: Page) -> None:
    """Raise ConfigurationError if the service does not show the name of a record."""
    if not newest.columns.ids or calls.dialect.shows("name"):
        return
    record = calls.get(newest.columns.ids[0])  # lists may omit it
    if not calls.dialect.shows("name"):
        raise ConfigurationError(
            f"The service does not show the name of a {calls.spec.noun}, so that ensure finds nothing by it.\n"
            "Nothing was created. Pin the key of the name: "
            + pinning(calls.spec.name, {"fields": {"name": naming_key(record)}}, calls.sender.key)
        )


def identify(
    journal: Journal, places: Sequence[str], collection: str, fields: Mapping[str, Any], repeat: int = 1
) -> str:
    """Return a hash that identifies a create by service, collection, content and repeat.

    A create that an older release noted under another spelling of the service, or of the texts, keeps that identity.

    Args:
        journal: The journal.
        places: The identity of the service, then those of older releases.
        collection: The collection.
        fields: The checked fields.
        repeat: The number among creates with the same content.
    """
    plain = {
        name: canonical_text(value) if isinstance(value, str) else value for name, value in fields.items()
    }
    contents = [
        json.dumps([collection, dict(sorted(each.items())), repeat], default=str)[1:]
        for each in (plain, fields)
    ]
    marks = dict.fromkeys(
        hashlib.sha256(f"[{json.dumps(place)}, {content}".encode()).hexdigest()[:32]
        for content in dict.fromkeys(contents)
        for place in places
    )
    return next((each for each in marks if journal.creates(each)), next(iter(marks)))


def fresh_identities(journal: Journal, identities: Sequence[str]) -> list[str]:
    """Return the identities of repeated creates: those of the last repetition if it did not end, else new ones.

    Args:
        journal: The journal.
        identities: The identities of the first creates.
    """
    repetitions = journal.repetitions()
    last = max((repetitions.get(each, 0) for each in identities), default=0)
    entries = [journal.find(f"{each}+{last}") for each in identities]
    # A row that was reached has an outcome, though it may be unknown.
    has_ended = all(entry is not None and entry.state != "sent" for entry in entries)
    number = last + 1 if has_ended or not last else last
    while any(journal.foreign(f"{each}+{number}") is not None for each in identities):
        number += 1
    return [f"{each}+{number}" for each in identities]


def hashes(spec: ResourceSpec, record: Record) -> dict[str, str]:
    """Return short hashes of what a record shows of what was generated, and of the fields that can be set, by name."""
    names = {*spec.creates, *spec.updates, spec.generated}
    shown = {name: record.known.get(name) for name in names}
    return {name: field_mark(name, value) for name, value in sorted(shown.items()) if value is not None}


def field_mark(name: str, value: Any) -> str:
    """Return a short hash of a field; of the location of a picture without its query, which may be a signature."""
    return content_mark(str(value).partition("?")[0] if name == IMAGES.generated else value)


def edited_fields(record: Record, entry: Entry) -> list[str]:
    """Return the fields whose values differ from those of the new record, its time of creation among them.

    Where its picture is does not count.

    Args:
        record: The record as it is now.
        entry: Its create, with the hashes of its fields when it was new.
    """
    edited = [
        name
        for name, mark in (entry.shown or {}).items()
        if name != IMAGES.generated
        and name in record.known
        and name not in record.absent
        and content_mark(record.known[name]) != mark
    ]
    return edited + ["created_at"] * entry.is_another(record.known["created_at"])


def shows_content(spec: ResourceSpec, row: Mapping[str, Any], entry: Entry) -> bool:
    """Return whether a row has the name or the text that the record of a create showed when it was new."""
    marks = entry.shown or {}
    return any(name in marks and content_mark(row.get(name)) == marks[name] for name in ("name", spec.source))


def is_another(spec: ResourceSpec, edited: Sequence[str]) -> bool:
    """Return whether an id belongs to another record now, as on a service that started again with an empty library.

    Then its name and the text that it was generated from differ, of which only the name can be edited, or its time of
    creation and something that was sent. One alone may be shown in another form.

    Args:
        spec: The collection.
        edited: The fields that differ from those of the new record.
    """
    if "created_at" in edited:
        return not spec.creates.keys().isdisjoint(edited)
    return {"name", spec.source}.issubset(edited)
