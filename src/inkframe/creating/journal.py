"""The journal of creates and their outcomes, so that nothing is billed twice.

A line is written before a create is sent, and another when its outcome is known. If the kernel is killed in
between, the first line remains without an outcome: that record is searched for, and never sent again blindly.
Several threads and processes may use one journal; ``claim`` lets one of them at a time create a record.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
import zlib
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, get_args

from inkframe.creating.locks import SharedLocks
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.files import append_line

if TYPE_CHECKING:
    import threading
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from inkframe.listing.session import Session

__all__ = ["Entry", "Journal", "fresh_identities", "identity", "journal_of"]

State = Literal["sent", "unknown", "created", "failed", "deleted"]
STATES: Final = frozenset(get_args(State))
#: States of creates that may have happened.
OPEN: Final = frozenset({"sent", "unknown"})
#: States without a record, after which a create may be sent.
SETTLED: Final = frozenset({"failed", "deleted"})
#: The longest line in bytes that is read.
LONGEST_LINE: Final = 65_536
#: The largest file that is read: about five million creates.
LARGEST: Final = 2**30
#: The beginning of every line.
BEGINNING: Final = b'{"creation": '
#: The number of the lock that is held while a line is written; the others belong to creates.
WRITING: Final = 0
#: The types of an entry's id, collection, key, hashes and duration.
TYPES: Final = (int | str | None, str | None, str | None, dict | None, float | int | None)
REMEDY: Final = "Nothing was sent. Choose another file with journal=…"


@dataclass(frozen=True, slots=True)
class Entry:
    """The last line of one create.

    Args:
        state: ``sent`` (the outcome is not known yet), ``unknown`` (nor later), ``created``, ``failed``, or
            ``deleted`` on purpose.
        id: The id of the record, once created.
        time: The time of the line in seconds since 1970; of the first request as long as its outcome is open.
        collection: The collection of the record; None in lines of release 0.1.
        key: The ``Idempotency-Key`` of the request, as long as its outcome is open.
        shown: Short hashes of the fields that the new record showed, by name.
        seconds: The duration of the request that created it.
    """

    state: State
    id: int | str | None
    time: float
    collection: str | None = None
    key: str | None = None
    shown: Mapping[str, str] | None = None
    seconds: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the create may have happened."""
        return self.state in OPEN

    @property
    def is_settled(self) -> bool:
        """Whether there is no record, so that the create may be sent."""
        return self.state in SETTLED


def journal_of(session: Session, path: str | PathLike[str] | None = None) -> Journal:
    """Return the journal at a path, by default that of the service of a session; each is opened once."""
    where = session.journal_path if path is None else Path(path).expanduser()
    with session.lock:
        if where not in session.journals:
            session.journals[where] = Journal(where)
        journal: Journal = session.journals[where]
    return journal


def identity(service: str, collection: str, fields: Mapping[str, Any], repeat: int = 1) -> str:
    """Return a hash that identifies a create by service, collection, content and repeat."""
    content = json.dumps([service, collection, dict(sorted(fields.items())), repeat], default=str)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def fresh_identities(journal: Journal, identities: Sequence[str]) -> list[str]:
    """Return the identities of repeated creates: those of the last repetition if it did not end, else new ones.

    Args:
        journal: The journal.
        identities: The identities of the first creates.
    """
    last = journal.last_repetition(identities)
    entries = [journal.find(f"{each}+{last}") for each in identities]
    # A row that was reached has an outcome, though it may be unknown.
    has_ended = all(entry is not None and entry.state != "sent" for entry in entries)
    number = last + 1 if has_ended or not last else last
    return [f"{each}+{number}" for each in identities]


class Journal:
    """An append-only file of lines, or a journal in memory.

    Args:
        path: The file, created with its folder at the first line, readable by its owner only; None for
            memory.

    Raises:
        ConfigurationError: The file cannot be read.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = None if path is None else Path(path)
        self._entries: dict[str, Entry] = {}
        #: Outcomes that could not be written.
        self._unwritten: dict[str, Entry] = {}
        self._locks = SharedLocks(
            None if self.path is None else self.path.with_name(f"{self.path.name}.lock")
        )
        #: The position up to which the file was read, and the bytes before it.
        self._offset, self._before = 0, b""
        self._read()

    def find(self, identity: str) -> Entry | None:
        """Return the entry of a create, or None."""
        return self._unwritten.get(identity) or self._entries.get(identity)

    def ids(self, collection: str, identities: Container[str] = ()) -> set[int | str]:
        """Return the ids of the records of a collection that were created.

        Args:
            collection: The collection; another one may use the same ids.
            identities: Creates that belong to the collection, even if their lines do not show it.
        """
        return {
            entry.id
            for identity, entry in (self._entries | self._unwritten).items()
            if entry.id is not None and (entry.collection == collection or identity in identities)
        }

    def longest(self, collection: str) -> float:
        """Return the longest duration of a create of a collection in seconds."""
        entries = self._entries.copy().values()
        return max((entry.seconds or 0 for entry in entries if entry.collection == collection), default=0)

    def last_repetition(self, identities: Container[str]) -> int:
        """Return the highest number of a repetition of any of these creates, or 0."""
        parts = (each.partition("+") for each in (self._entries | self._unwritten))
        return max((int(n) for base, _, n in parts if n.isdecimal() and base in identities), default=0)

    @contextmanager
    def claim(self, identities: Iterable[str], stop: threading.Event | None = None) -> Iterator[bool]:
        """Keep creates to this caller during the block, with the latest lines of all processes.

        Args:
            identities: The creates.
            stop: Once set, the wait for another thread or process ends.

        Yields:
            Whether they are claimed; False if the wait was stopped.
        """
        numbers = {WRITING + 1 + zlib.crc32(identity.encode()) // 4 for identity in identities}
        with ExitStack() as held:
            # In order, so that two callers never wait for each other.
            are_held = all(held.enter_context(self._locks.hold(number, stop)) for number in sorted(numbers))
            if are_held:
                self.refresh()
            yield are_held

    def note(
        self,
        identity: str,
        state: State,
        id: int | str | None = None,
        *,
        collection: str,
        key: str | None = None,
        shown: Mapping[str, str] | None = None,
        seconds: float | None = None,
    ) -> None:
        """Write a line, which then survives the end of the process and of the system.

        An outcome is kept in memory even if it cannot be written; a request that is not on disk is not kept.

        Args:
            identity: The create.
            state: Its state.
            id: The id of the record.
            collection: The collection.
            key: The ``Idempotency-Key``; as long as the outcome is open, that of the first request is kept.
            shown: Short hashes of the fields of the record.
            seconds: The duration of the request.

        Raises:
            ConfigurationError: The file cannot be written.
        """
        with self._locks.hold(WRITING):
            self._read()
            before, now = self.find(identity), round(time.time(), 3)
            if state in OPEN and before is not None and before.is_open:
                key, now = before.key or key, before.time
            entry = Entry(state, id, now, collection, key, shown, seconds)
            if state != "sent":
                self._unwritten[identity] = entry
            self._append(identity, entry)
            self._entries[identity] = entry
            self._unwritten.pop(identity, None)

    def _append(self, identity: str, entry: Entry) -> None:
        """Append a line and wait until it is on disk."""
        path = self.path
        if path is None:
            return
        shown = {name: value for name, value in asdict(entry).items() if value is not None or name == "id"}
        try:
            append_line(path, {"creation": identity, **shown})
        except OSError as error:
            fate = "Nothing was sent." if entry.state == "sent" else "The record is not affected."
            raise ConfigurationError(
                f"The journal {path} cannot be written: {error.strerror}.\n"
                f"{fate} Free space, or choose another file with journal=…"
            ) from None

    def refresh(self) -> None:
        """Read the lines that other threads and processes have added.

        Raises:
            ConfigurationError: The file cannot be read.
        """
        if self.path is not None:
            with self._locks.hold(WRITING):
                self._read()

    def _read(self) -> None:
        if self.path is None:
            return
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise ConfigurationError(f"journal must be a regular file, got {self.path}.\n{REMEDY}")
                if status.st_size > LARGEST:
                    raise InvalidArgument(
                        f"journal must have at most {LARGEST:,} bytes, got {self.path} with"
                        f" {status.st_size:,}.\n{REMEDY}"
                    )
                file.seek(self._offset - len(self._before))
                if file.read(len(self._before)) != self._before:  # another file
                    self._offset, self._before = file.seek(0), b""
                while line := file.readline(LONGEST_LINE):
                    self._take(line)
                    if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                        break  # incomplete, unless only its end is missing
                    self._offset, self._before = self._offset + len(line), line
                if not self._entries and not _may_begin_journal(file):
                    raise InvalidArgument(
                        f"journal must be a journal of inkframe, got {self.path}.\n{REMEDY}"
                    )
        except FileNotFoundError:
            pass  # a new file is recognized by what stands before the position
        except OSError as error:
            raise ConfigurationError(
                f"The journal {self.path} cannot be read: {error.strerror}.\n{REMEDY}"
            ) from None

    def _take(self, line: bytes) -> None:
        """Take over a line; one that is incomplete or not of a journal is ignored."""
        with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            found = json.loads(line)
            entry = Entry(
                found["state"],
                found["id"],
                float(found["time"]),
                *map(found.get, ("collection", "key", "shown", "seconds")),
            )
            values = (entry.id, entry.collection, entry.key, entry.shown, entry.seconds)
            types = zip(values, TYPES, strict=True)
            if entry.state in STATES and all(isinstance(value, type) for value, type in types):
                self._entries[str(found["creation"])] = entry


def _may_begin_journal(file: IO[bytes]) -> bool:
    """Return whether a file without any entry is empty, or only its first line is incomplete."""
    file.seek(0)
    line = file.readline(LONGEST_LINE)
    return line.startswith(BEGINNING) or BEGINNING.startswith(line)
