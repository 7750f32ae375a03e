"""What a create is known by, whatever way asks for it, and its record once it was edited or replaced.

A create is its values: the service, the collection and the fields, however they are spelled. Its record is that which
showed the same when it was new, of which the journal keeps short hashes.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from inkframe.replies.values import plain
from inkframe.schema import IMAGES
from inkframe.vocabulary.arguments import canonical_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.record import Record
    from inkframe.schema import ResourceSpec

__all__ = [
    "NEXT",
    "OPEN",
    "SETTLED",
    "Entry",
    "Identity",
    "State",
    "canonical",
    "checksums",
    "edits",
    "identities",
    "marks",
    "shows_content",
]

State = Literal["sent", "unknown", "created", "failed", "deleted"]
#: States of creates that may have happened.
OPEN: Final = frozenset({"sent", "unknown"})
#: States without a record, after which a create may be sent.
SETTLED: Final = frozenset({"failed", "deleted"})
#: The seconds by which the reply to a create and a list may show one time, since many services round it.
ROUNDED: Final = 2.0
#: An identity as releases 0.1 to 0.3 wrote it: ``content``, ``content+1``, ``content.1`` or ``content~examples+1``.
WRITTEN: Final = re.compile(r"(\w+)(?:~(\w+))?(?:([+.])(\d{1,9}))?")


#: The number of a create one by one that gets its own once it is sent.
NEXT: Final = -(2**31)


class Identity(NamedTuple):
    """What identifies a create.

    Args:
        content: A hash of the service, the collection and the fields.
        number: Its number among creates with this content: 0 for a row, 1, 2 … for those that repeated or replaced
            it, -1, -2 … for creates one by one.
        examples: A hash of the examples that were put into its prompt.
    """

    content: str
    number: int = 0
    examples: str = ""

    @classmethod
    def read(cls, written: Any) -> Identity:
        """Return the identity in a line of any release."""
        if isinstance(written, list):
            content, number, examples = written
            return cls(str(content), int(number), str(examples))
        found = WRITTEN.fullmatch(str(written))
        if found is None:
            return cls(str(written))
        return cls(found[1], int(found[4] or 0) * (-1 if found[3] == "." else 1), found[2] or "")

    @property
    def written(self) -> str | list[str | int]:
        """How a line has it; that of a row as in every release, by which they share its lock."""
        return [*self] if self.number or self.examples else self.content


@dataclass(frozen=True, slots=True)
class Entry:
    """The last line of one create.

    Args:
        state: ``sent`` (the outcome is not known yet), ``unknown`` (nor later), ``created``, ``failed``, or
            ``deleted`` on purpose.
        id: The id of the record, once created.
        time: The time in seconds since 1970 of the first line with this record, or of the last request while it is
            not known what became of it.
        collection: The collection of the record; None in lines of release 0.1.
        key: The ``Idempotency-Key`` of the request, as long as its outcome is open.
        shown: Short hashes of the fields that the new record showed, by name.
        account: A salted hash of the key; None in lines of release 0.2, and for the embedded service.
        made: The time of creation that the record showed, in seconds since 1970.
        sent: Checksums of the fields of the request, by name, as long as its outcome is open.
        order: The number of the first line with this record, or with an open outcome.
        is_own: Whether this account sent it, as far as its line tells.
    """

    state: State
    id: int | str | None
    time: float
    collection: str | None = None
    key: str | None = None
    shown: Mapping[str, str] | None = None
    account: str | None = None
    made: float | None = None
    sent: Mapping[str, int] | None = None
    order: int = 0
    is_own: bool = True

    @property
    def is_open(self) -> bool:
        """Whether the create may have happened, and its record is not known."""
        return self.state in OPEN or (self.state == "created" and self.id is None)


def identities(
    calls: SessionCalls,
    contents: Container[str],
    fields: Mapping[str, Any],
    repeats: Iterable[int] = (1,),
    older: Mapping[str, Mapping[str, str]] | None = None,
) -> Iterator[Identity]:
    """Return the identities of a create by service, collection and content, for each number among equal ones.

    A create that an older release noted under another spelling of the service, or of the texts, keeps that identity.

    Args:
        calls: The collection, whose session has the identity of the service, then those of older releases.
        contents: The contents in the journal.
        fields: The checked fields.
        repeats: The numbers among creates with the same content.
        older: What release 0.3 made of texts of a plan, by field.
    """
    texts = canonical(calls.spec, fields)
    # Each field as it counts, as it is typed, or as release 0.3 filled it in.
    spelled = [
        dict.fromkeys([texts[name], value, (older or {}).get(name, {}).get(value, value)])
        for name, value in sorted(fields.items())
    ]
    written = [
        json.dumps([place, calls.spec.name, dict(zip(sorted(fields), values, strict=True))], default=str)[:-1]
        for values in product(*spelled)
        for place in calls.session.places
    ]
    found = (
        [hashlib.sha256(f"{each}, {repeat}]".encode()).hexdigest()[:32] for each in written]
        for repeat in repeats
    )
    return (Identity(next(filter(contents.__contains__, each), each[0])) for each in found)


def canonical(spec: ResourceSpec, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with texts as they count, however they were typed or saved."""
    return {
        name: canonical_text(value) if isinstance(value, str) and name not in spec.settings else value
        for name, value in values.items()
    }


def marks(values: Mapping[str, Any]) -> dict[str, str]:
    """Return a short hash of each value that is not None, by the name of its field.

    Line ends and white space around a text do not count, nor the query in the location of a picture, which may be a
    signature.
    """
    texts = {
        name: str(value).partition("?")[0] if name == IMAGES.generated else str(value)
        for name, value in values.items()
        if value is not None
    }
    return {
        name: hashlib.sha256(plain(text).encode("utf-8", "surrogatepass")).hexdigest()[:8]
        for name, text in texts.items()
    }


def checksums(fields: Mapping[str, Any]) -> dict[str, int]:
    """Return a checksum of each field of a create, by which open ones are compared."""
    return {name: zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for name, value in fields.items()}


def shows_content(spec: ResourceSpec, row: Mapping[str, Any], entry: Entry) -> bool:
    """Return whether a row has the name or the text that the record of a create showed when it was new."""
    now = marks({name: row.get(name) for name in ("name", spec.source)})
    return not now.items().isdisjoint((entry.shown or {}).items())


def edits(spec: ResourceSpec, record: Record, entry: Entry) -> list[str] | None:
    """Return the fields of a record that were edited since its create; None if its id belongs to another record now.

    Where its picture is does not count, and its time of creation does. On a service that started again with an empty
    library, the name of the record and the text that it was generated from differ, of which only the name can be edited,
    or its time of creation and something that was sent. One alone may be shown in another form.

    Args:
        spec: The collection.
        record: The record with the id of the create, as it is now.
        entry: The create; the same id may be that of another record in another account.
    """
    now, made = marks(record.known), record.known["created_at"]
    edited = [
        name
        for name, mark in (entry.shown or {}).items()
        if name != IMAGES.generated
        and name in record.known
        and name not in record.absent
        and now.get(name) != mark
    ]
    has_other_time = (
        entry.made is not None and made is not None and abs(made.timestamp() - entry.made) > ROUNDED
    )
    is_another = spec.creates.keys() & edited if has_other_time else {"name", spec.source}.issubset(edited)
    edited += ["created_at"] * has_other_time
    is_ours = entry.is_own or (entry.shown and not edited)
    return edited if is_ours and not is_another else None
