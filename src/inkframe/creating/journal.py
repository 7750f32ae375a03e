"""The journal of creates and their outcomes, so that nothing is billed twice.

A line is written before a create is sent, and another when its outcome is known. If the kernel is killed in
between, the first line remains without an outcome: that record is searched for, and never sent again blindly.
Several threads and processes may use one journal; ``claim`` lets one of them at a time create a record. Which
record was there first is decided by the order of the lines, never by a clock.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import stat
import threading
import time
import zlib
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, get_args
from uuid import uuid4

from inkframe.errors import ConfigurationError, InvalidArgument, UnexpectedReply
from inkframe.http.body import parse_json
from inkframe.system.files import append_line, journal_path
from inkframe.system.locks import SharedLocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from os import PathLike

    from inkframe.listing.session import Session

__all__ = ["Entry", "Journal", "journal_of"]

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
#: The latest time of a line, and the longest duration, in seconds: the year 5138.
LATEST: Final = 1e11
#: The beginning of every line.
BEGINNING: Final = b'{"creation": '
#: The number of the lock that is held while a line is written; the others belong to creates.
WRITING: Final = 0
#: The optional values of a line, with their types.
OPTIONAL: Final = {"collection": str, "key": str, "shown": dict, "account": str, "made": float | int}
#: The seconds by which the reply to a create and a list may show one time, since many services round it.
ROUNDED: Final = 2.0
#: The state of a line about records that were there before, and the most ids in it and characters of one in JSON.
SEEN: Final = "seen"
MOST_SEEN: Final = 100
LONGEST_ID: Final = 200
REMEDY: Final = "Nothing was sent. Choose another file with journal=…"


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
        order: The number of the first line with this record, or with an open outcome.
    """

    state: State
    id: int | str | None
    time: float
    collection: str | None = None
    key: str | None = None
    shown: Mapping[str, str] | None = None
    account: str | None = None
    made: float | None = None
    order: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the create may have happened, and its record is not known."""
        return self.state in OPEN or (self.state == "created" and self.id is None)

    @property
    def is_settled(self) -> bool:
        """Whether there is no record, so that the create may be sent."""
        return self.state in SETTLED

    def is_another(self, made: datetime | None) -> bool:
        """Return whether its id belongs to another record now, which has another time of creation."""
        return self.made is not None and made is not None and abs(made.timestamp() - self.made) > ROUNDED


def journal_of(session: Session, path: str | PathLike[str] | None = None) -> Journal:
    """Return the journal at a path, by default that of the service of a session; each is opened once."""
    where = session.journal_path if path is None else Path(path).expanduser()
    older = [journal_path(place) for place in session.places[1:]] if path is None else []
    with session.lock:
        if where not in session.journals:
            account = None if session.is_local else partial(_account, session)
            session.journals[where] = Journal(where, older=older, account=account)
        journal: Journal = session.journals[where]
    return journal


def _account(session: Session, identity: str) -> str:
    """Return a hash of the key, another one for each create, from which the key cannot be told."""
    digest = partial(hashlib.blake2b, digest_size=4, salt=identity.encode()[:16], person=b"inkframe")
    return session.sender.key.use(lambda key: digest(key.encode()).hexdigest())


class Journal:
    """An append-only file of lines, or a journal in memory.

    Args:
        path: The file, created with its folder at the first line, readable by its owner only; None for
            memory.
        older: The files of older releases for the same service, which are read only.
        account: Returns the mark of the account for the identity of a create.

    Raises:
        ConfigurationError: The file cannot be read.
    """

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        *,
        older: Iterable[Path] = (),
        account: Callable[[str], str] | None = None,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._account = account
        self._entries: dict[str, Entry] = {}
        #: The creates in the lines that are read while one is written.
        self._recent: list[tuple[str, Entry]] | None = None
        #: The identities of the creates of each content.
        self._creates: dict[str, list[str]] = {}
        #: The creates of other accounts.
        self._foreign: dict[str, Entry] = {}
        #: The number of the first line with each id of a record, by collection.
        self._first: dict[tuple[str | None, str], int] = {}
        #: The highest ids so far on services whose ids increase, by collection, each with the number of its line.
        self._highest: dict[str | None, list[tuple[int, int]]] = {}
        #: The create of each record, and the number of lines when it was put down.
        self._owners: tuple[int, dict[tuple[str | None, str], str]] = (0, {})
        self._count = 0
        #: Why the last line could not be written.
        self.problem: ConfigurationError | InvalidArgument | None = None
        #: Outcomes that could not be written.
        self._unwritten: dict[str, Entry] = {}
        # Links to one file share its locks.
        real = None if self.path is None else Path(os.path.realpath(self.path))
        self._locks = SharedLocks(None if real is None else real.with_name(f"{real.name}.lock"))
        #: The position up to which the file was read, and the bytes before it.
        self._offset, self._before = 0, b""
        for file in older:
            with suppress(OSError), file.open("rb") as lines:
                while line := lines.readline(LONGEST_LINE):
                    self._take(line)
        self._read()

    def knows(self, identity: str) -> bool:
        """Return whether there is a line of a create, of any account."""
        return identity in self._entries or identity in self._foreign

    def foreign(self, identity: str) -> Entry | None:
        """Return the entry of a create that only another account has sent, or None."""
        return None if self.find(identity) is not None else self._foreign.get(identity)

    def find(self, identity: str) -> Entry | None:
        """Return the entry of a create, or None."""
        return self._unwritten.get(identity) or self._entries.get(identity)

    def ids(self, collection: str) -> dict[int | str, Entry]:
        """Return the ids of the records of a collection that this account created, each with its create."""
        return {
            entry.id: entry
            for entry in (self._entries | self._unwritten).values()
            if entry.id is not None and entry.collection == collection
        }

    def owner(self, collection: str, id: Any) -> str | None:
        """Return the identity of the create that made a record, of this account if it has one, or None."""
        count, owners = self._owners
        if count != self._count:
            # A copy, since other threads go on with their creates.
            entries = (self._foreign | self._entries | self._unwritten).items()
            owners = {(each.collection, str(each.id)): identity for identity, each in entries}
            self._owners = self._count, owners
        return owners.get((collection, str(id)))

    def existed(self, entry: Entry, id: int | str) -> bool:
        """Return whether a record with this id was there before a create was sent."""
        highest = self.highest(entry)
        is_lower = highest is not None and isinstance(id, int) and id <= highest
        return is_lower or self._first.get((entry.collection, str(id)), entry.order) < entry.order

    def highest(self, entry: Entry) -> int | None:
        """Return the highest id before a create was sent, if the ids of the service increase."""
        found = self._highest.get(entry.collection, ())
        return max((id for order, id in found if order < entry.order), default=None)

    def repetitions(self) -> dict[str, int]:
        """Return the highest number of a repetition of each create that was repeated."""
        highest: dict[str, int] = {}
        for each in self._entries | self._unwritten:
            base, _, number = each.partition("+")
            if number.isdecimal():
                highest[base] = max(int(number), highest.get(base, 0))
        return highest

    def own_identities(self, identities: Sequence[str]) -> list[str]:
        """Return the identities of creates, or of the last one of this account with the same content."""
        found = []
        for each in identities:
            entry = self.find(each)
            own = [pair for pair in self.creates(each) if self.find(pair[0]) is not None]
            if own and (entry is None or entry.is_open):
                own.sort(key=lambda pair: pair[1].is_open)  # what has ended first, the latest of it
                found.append(own[0][0])
            else:
                found.append(each)
        return found

    def creates(self, content: str) -> list[tuple[str, Entry]]:
        """Return the creates of a content, in any repetition and of any account, the latest first."""
        known = ((each, self.find(each) or self._foreign[each]) for each in self._creates.get(content, ()))
        return sorted(known, key=lambda pair: pair[1].order, reverse=True)

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

    @contextmanager
    def claim_next(self, content: str) -> Iterator[str]:
        """Keep the next create of the identity of a content to this caller during the block; yield its identity."""
        taken = threading.Event()
        taken.set()  # what another caller creates at this moment is not waited for
        for number in itertools.count(1):
            identity = f"{content}.{number}"
            if self.has_outcome(identity):
                continue
            with self.claim([identity], taken) as is_claimed:
                if is_claimed and not self.has_outcome(identity):
                    yield identity
                    return

    def has_outcome(self, identity: str) -> bool:
        """Return whether what became of a create is known, or was reported as unknown."""
        entry = self.find(identity) or self._foreign.get(identity)
        return entry is not None and entry.state != "sent"

    def note(
        self,
        identity: str,
        state: State,
        id: int | str | None = None,
        *,
        collection: str,
        key: str | None = None,
        shown: Mapping[str, str] | None = None,
        made: float | None = None,
    ) -> Entry | None:
        """Write a line, which then survives the end of the process and of the system.

        An outcome is kept in memory even if it cannot be written, and ``problem`` has the error; a request that
        is not on disk is not kept.

        Args:
            identity: The create.
            state: Its state.
            id: The id of the record.
            collection: The collection.
            key: The ``Idempotency-Key``; as long as the outcome is open, that of the first request is kept.
            shown: Short hashes of the fields of the record.
            made: The time of creation that the record shows, in seconds since 1970.

        Returns:
            What another program wrote about the create just before, where locks do not hold.

        Raises:
            ConfigurationError: The file cannot be written, so that nothing must be sent.
        """
        others: list[Entry] = []
        now = round(time.time(), 3)
        entry = Entry(state, id, now, collection, key, shown, self._mark(identity), made)
        try:
            with self._locks.hold(WRITING):
                self._read()
                before = self.find(identity)
                if state in OPEN and before is not None and before.is_open:
                    entry = replace(entry, key=before.key or key, time=before.time)
                elif before is not None and id is not None and before.id == id:
                    entry = replace(entry, time=before.time)
                values = {name: getattr(entry, name) for name in ("state", "id", "time", *OPTIONAL)}
                line = {name: value for name, value in values.items() if value is not None or name == "id"}
                self._append({"creation": identity, **line})
                self._recent = []
                if self.path is None:
                    self._keep(identity, entry)
                else:
                    self._read()
                others = [each for known, each in self._recent if known == identity][:-1]
                self._recent = None
                self._unwritten.pop(identity, None)
        except (ConfigurationError, InvalidArgument) as error:
            if state == "sent":
                self.problem = error
                raise
            # What was sent was sent, whatever became of the file meanwhile.
            text = str(error).replace("Nothing was sent.", "The record is not affected.")
            self.problem = ConfigurationError(text)
            self._unwritten[identity] = entry
        return others[-1] if others else None

    def see(self, collection: str, seen: Sequence[int | str], *, increasing: bool) -> None:
        """Note that records were there before the creates that follow.

        Args:
            collection: The collection.
            seen: Their ids.
            increasing: Whether the ids of new records are greater than all others.

        Raises:
            ConfigurationError: The file cannot be written.
        """
        with self._locks.hold(WRITING):
            self._read()
            new = [id for id in seen[:MOST_SEEN] if (collection, str(id)) not in self._first]
            new = [id for id in new if len(json.dumps(id)) <= LONGEST_ID]
            if new:
                creation = uuid4().hex
                line = {"creation": creation, "state": SEEN, "id": None, "time": round(time.time(), 3)}
                about = {"collection": collection, "ids": new, "increasing": increasing}
                self._append(line | about | {"account": self._mark(creation)})
                self._keep_seen(about)

    def _append(self, line: Mapping[str, Any]) -> None:
        """Append a line and wait until it is on disk."""
        path = self.path
        if path is None:
            return
        try:
            append_line(path, line)
        except OSError as error:
            raise ConfigurationError(
                f"The journal {path} cannot be written: {error.strerror}.\n"
                "Nothing was sent. Free space, or choose another file with journal=…, or another folder with INKFRAME_HOME."
            ) from None
        self.problem = None

    def refresh(self) -> None:
        """Read the lines that other threads and processes have added.

        Raises:
            ConfigurationError: The file cannot be read.
        """
        with self._locks.hold(WRITING):
            self._read()

    def _read(self) -> None:
        if self.path is None:
            return
        try:
            status = self.path.stat()  # before it is opened, which never ends for a pipe
            if not stat.S_ISREG(status.st_mode):
                raise ConfigurationError(f"journal must be a regular file, got {self.path}.\n{REMEDY}")
            if status.st_size > LARGEST:
                raise InvalidArgument(
                    f"journal must have at most {LARGEST:,} bytes, got {self.path} with"
                    f" {status.st_size:,}.\n{REMEDY}"
                )
            with self.path.open("rb") as file:
                file.seek(self._offset - len(self._before))
                if file.read(len(self._before)) != self._before:  # another file
                    self._offset, self._before = file.seek(0), b""
                    self._first.clear()
                    self._highest.clear()
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
        with suppress(ValueError, KeyError, TypeError, AttributeError, UnexpectedReply):
            found = parse_json(line)
            if isinstance(found["id"], float):  # an integer beyond 64 bits
                found = parse_json(line, exactly=True)
            values = {name: found.get(name) for name in OPTIONAL}
            values["made"] = _bounded(values["made"])
            optional = {name: value for name, value in values.items() if value is not None}
            if not all(isinstance(value, OPTIONAL[name]) for name, value in optional.items()):
                return
            creation = str(found["creation"])
            if found["state"] == SEEN:
                if self._is_own(creation, optional.get("account")):
                    self._keep_seen(found)
            elif found["state"] in STATES and isinstance(found["id"], int | str | None):
                entry = Entry(found["state"], found["id"], _bounded(float(found["time"])) or 0.0, **optional)
                self._keep(creation, entry)

    def _mark(self, creation: str) -> str | None:
        return None if self._account is None else self._account(creation)

    def _is_own(self, creation: str, account: str | None) -> bool:
        """Return whether a line is of this account, as far as it tells."""
        return account is None or account == (self._mark(creation) or account)

    def _keep(self, identity: str, entry: Entry) -> None:
        self._count += 1
        if self._recent is not None:
            self._recent.append((identity, entry))
        is_own = self._is_own(identity, entry.account)
        entries = self._entries if is_own else self._foreign
        before, order = entries.get(identity), self._count
        is_open = before is not None and before.is_open and entry.state in OPEN
        if before is not None and (is_open or (entry.id is not None and entry.id == before.id)):
            order = before.order
        if before is None and "~" not in identity and identity not in self._foreign:
            self._creates.setdefault(re.split("[+.]", identity)[0], []).append(identity)
        entries[identity] = replace(entry, order=order)
        if entry.id is not None and is_own:
            self._first.setdefault((entry.collection, str(entry.id)), self._count)

    def _keep_seen(self, line: Mapping[str, Any]) -> None:
        collection, ids = line.get("collection"), line["ids"]
        for id in map(str, ids):
            self._first.setdefault((collection, id), self._count)
        if line["increasing"] is True:
            self._highest.setdefault(collection, []).append((self._count, max(map(int, ids))))


def _bounded(seconds: Any) -> float | None:
    """Return a time or a duration of a line, or None for one that no clock can have shown."""
    return seconds if isinstance(seconds, int | float) and 0 <= seconds <= LATEST else None


def _may_begin_journal(file: IO[bytes]) -> bool:
    """Return whether a file without any entry is empty, or only its first line is incomplete."""
    file.seek(0)
    line = file.readline(LONGEST_LINE)
    return line.startswith(BEGINNING) or BEGINNING.startswith(line)
