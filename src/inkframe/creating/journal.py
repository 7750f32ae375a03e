"""The journal of creates and their outcomes, so that nothing is billed twice.

A line is written before a create is sent, and another when its outcome is known. If the kernel is killed in
between, the first line remains without an outcome: that record is searched for, and never sent again blindly.
Several threads and processes may use one journal; ``claim`` lets one of them at a time create a record. Lines
count in their order, never by a clock.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
import threading
import time
import zlib
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from inkframe.creating.identity import OPEN, SETTLED, Entry, Identity, State
from inkframe.errors import ConfigurationError, InvalidArgument, UnexpectedReply
from inkframe.http.body import parse_json
from inkframe.system.files import journal_path
from inkframe.system.processes import SharedLocks, append_line
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from inkframe.listing.session import Session

__all__ = ["Journal", "journal_of"]

STATES: Final = frozenset(get_args(State))
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
OPTIONAL: Final = {
    "collection": str,
    "key": str,
    "shown": dict,
    "account": str,
    "made": float | int,
    "sent": dict,
}
REMEDY: Final = "Nothing was sent. Choose another file with journal=…"


def journal_of(session: Session, path: str | PathLike[str] | None = None) -> Journal:
    """Return the journal at a path, by default that of the service of a session; each is opened once.

    Raises:
        InvalidArgument: It is not a path.
        ConfigurationError: The file cannot be read.
    """
    if not isinstance(path, str | os.PathLike | None):
        raise InvalidArgument(f"journal must be a path, got {short(path)}.\n{REMEDY}")
    where = session.journal_path if path is None else Path(path).expanduser()
    with session.lock:
        journal: Journal | None = session.journals.get(where)
        if journal is None:
            older = [journal_path(place) for place in session.places[1:]] if path is None else []
            account = None if session.is_local else lru_cache(partial(_account, session))
            journal = session.journals[where] = Journal(where, older=older, account=account)
    return journal


def _account(session: Session, content: str) -> str:
    """Return a hash of the key, another one for each content, from which the key cannot be told."""
    digest = partial(hashlib.blake2b, digest_size=4, salt=content.encode()[:16], person=b"inkframe")
    return session.sender.key.use(lambda key: digest(key.encode()).hexdigest())


class Journal:
    """An append-only file of lines, or a journal in memory.

    Args:
        path: The file, created with its folder at the first line, readable by its owner only; None for
            memory.
        older: The files of older releases for the same service, which are read only.
        account: Returns the mark of the account for the content of a create.

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
        #: Returns the mark of the account for a content.
        self._mark: Callable[[str], str | None] = account or (lambda _content: None)
        #: The last entry of each create of this account, and of another one.
        self._entries: dict[tuple[Identity | None, bool], Entry] = {}
        #: The identities of each content, in the order of their first lines.
        self.contents: dict[str, dict[Identity, None]] = {}
        #: The last create with each id of a record, by collection; those of this account come first.
        self._owners: dict[tuple[str | None, str], Identity] = {}
        #: The collections of the creates that this account has sent, by which it is known that this home is not a new one.
        self.sent = set[str | None]()
        self._count = 0
        #: Why the last line could not be written.
        self.problem: ConfigurationError | None = None
        # Links to one file share its locks.
        self._locks = SharedLocks(None if path is None else Path(f"{os.path.realpath(path)}.lock"))
        #: Held while this object reads or writes; lines of others need no lock, since one that is incomplete is read later.
        self._reading = threading.RLock()
        #: The position up to which the file was read, and the bytes before it.
        self._offset, self._before = 0, b""
        for file in older:
            with suppress(OSError), file.open("rb") as lines:
                while line := lines.readline(LONGEST_LINE):
                    self._take(line)
        self.refresh()

    def find(self, identity: Identity | None) -> Entry | None:
        """Return the entry of a create of this account, or None."""
        return self._entries.get((identity, True))

    def known(self, identity: Identity | None) -> Entry | None:
        """Return the entry of a create of any account, or None; this one first, unless another sent it after a failure."""
        own, other = self._entries.get((identity, True)), self._entries.get((identity, False))
        is_later = other is not None and (own is None or (own.state in SETTLED and own.order < other.order))
        return other if is_later else own

    def owner(self, collection: str, id: Any) -> Identity | None:
        """Return the create that made a record, of this account if it has one, or None."""
        identity = self._owners.get((collection, str(id)))
        entry = self.known(identity)
        return None if entry is None or str(entry.id) != str(id) else identity

    def rivals(
        self, collection: str | None, sent: Mapping[str, int], hidden: Collection[str] = ()
    ) -> list[Mapping[str, int]]:
        """Return the checksums of the open creates of this account that differ in hidden fields at most.

        Args:
            collection: The collection.
            sent: The checksums of the fields of a create.
            hidden: The fields that its record does not show.
        """
        self.refresh()
        return [
            each.sent
            for each in [*self._entries.values()]  # another thread may add some
            if each.is_own and each.is_open and each.sent and each.collection == collection
            if all(each.sent.get(name) == sent.get(name) for name in {*sent, *each.sent}.difference(hidden))
        ]

    def creates(self, content: str, *, examples: bool = False) -> list[tuple[Identity, Entry]]:
        """Return the creates of a content, with any number and of any account, the latest first.

        Args:
            content: The content.
            examples: Whether to return those with examples, or those without.
        """
        known = [
            (each, self._entries[each, is_own])
            for each in [*self.contents.get(content, ())]  # another thread may add some
            for is_own in (True, False)
            if bool(each.examples) == examples and (each, is_own) in self._entries
        ]
        return sorted(known, key=lambda pair: pair[1].order, reverse=True)

    def last(self, identity: Identity) -> Identity:
        """Return the last repetition of a create by this account, or its first one."""
        known = self.creates(identity.content, examples=bool(identity.examples))
        own = [each.number for each, entry in known if entry.is_own and each.examples == identity.examples]
        return identity._replace(number=max([0, *own]))

    def next(self, identities: Sequence[Identity], number: int) -> list[Identity]:
        """Return repetitions of creates that no other account has sent, with the next number that is free."""
        numbered = [each._replace(number=number) for each in identities]
        is_taken = any(self.known(each) is not self.find(each) for each in numbered)
        return self.next(identities, number + 1) if is_taken else numbered

    def repetition(self, identities: Sequence[Identity]) -> list[Identity]:
        """Return repetitions of the creates of a run: the last ones if they did not end, else new ones."""
        number = max((self.last(each).number for each in identities), default=0)
        # A row that was reached has an outcome, though it may be unknown.
        last = (self.find(each._replace(number=number)) for each in identities)
        has_ended = all(entry is not None and entry.state != "sent" for entry in last)
        return self.next(identities, number + 1 if has_ended or not number else number)

    def latest(self, identity: Identity) -> Identity:
        """Return the create of a row, or the last one of this account with its content if that has no record."""
        entry = self.find(identity)
        own = [pair for pair in self.creates(identity.content) if pair[1].is_own]
        if not own or not (entry is None or entry.is_open):
            return identity
        return min(own, key=lambda pair: pair[1].is_open)[0]  # what has ended first, the latest of it

    @contextmanager
    def claim(self, identities: Iterable[Identity], stop: threading.Event | None = None) -> Iterator[bool]:
        """Keep creates to this caller during the block, with the latest lines of all processes.

        Args:
            identities: The creates.
            stop: Once set, the wait for another thread or process ends.

        Yields:
            Whether they are claimed; False if the wait was stopped.
        """
        numbers = {WRITING + 1 + zlib.crc32(str(each.written).encode()) // 4 for each in identities}
        with ExitStack() as held:
            # In order, so that two callers never wait for each other.
            are_held = all(held.enter_context(self._locks.hold(number, stop)) for number in sorted(numbers))
            if are_held:
                self.refresh()
            yield are_held

    @contextmanager
    def claim_next(self, content: str) -> Iterator[Identity]:
        """Keep the next create of one content to this caller during the block: a new one, or one that was sent and no more."""
        taken = threading.Event()
        taken.set()  # what another caller creates at this moment is not waited for

        def may_be_sent(identity: Identity) -> bool:
            entry = self.known(identity)
            return entry is None or entry.state == "sent"

        for identity in filter(may_be_sent, (Identity(content, -number) for number in itertools.count(1))):
            with self.claim([identity], taken) as is_claimed:
                if is_claimed and may_be_sent(identity):  # with the latest lines
                    yield identity
                    return

    def note(
        self,
        identity: Identity,
        state: State,
        id: int | str | None = None,
        *,
        collection: str,
        key: str | None = None,
        shown: Mapping[str, str] | None = None,
        made: float | None = None,
        sent: Mapping[str, int] | None = None,
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
            sent: Checksums of the fields of the request, kept as the key is.

        Returns:
            What another program wrote about the create since it was claimed, where locks do not hold.

        Raises:
            ConfigurationError: The file cannot be written, so that nothing must be sent.
        """
        mark, now = self._mark(identity.content), round(time.time(), 3)
        entry = Entry(state, id, now, collection, key, shown, mark, made, sent)
        try:
            with self._locks.hold(WRITING), self._reading:
                added = self.refresh()
                if self.path is None:
                    self._keep(identity, entry)
                else:
                    line = {
                        name: value
                        for name in ("state", "id", "time", *OPTIONAL)
                        if (value := getattr(entry, name)) is not None or name == "id"
                    }
                    append_line(self.path, {"creation": identity.written, **line})
                self.problem = None
                added += itertools.takewhile(lambda pair: pair != (identity, entry), self.refresh())
                return next((each for known, each in reversed(added) if known == identity), None)
        except (OSError, ConfigurationError, InvalidArgument) as error:
            fate = "Nothing was sent." if state == "sent" else "The record is not affected."
            self.problem = ConfigurationError(
                f"The journal {self.path} cannot be written: {error.strerror}.\n"
                f"{fate} Free space, or choose another file with journal=…, or another folder with INKFRAME_HOME."
                if isinstance(error, OSError)
                else str(error).replace("Nothing was sent.", fate)
            )
            if state == "sent":
                raise self.problem from None
            self._keep(identity, entry)  # what was sent was sent, whatever became of the file meanwhile
            return None

    def refresh(self) -> list[tuple[Identity, Entry]]:
        """Read the lines that other threads and processes have added, and return the creates in them.

        Raises:
            ConfigurationError: The file cannot be read.
            InvalidArgument: The file is none of a journal.
        """
        added: list[tuple[Identity, Entry]] = []
        if self.path is None:
            return added
        try:
            status = self.path.stat()  # before it is opened, which never ends for a pipe
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                raise InvalidArgument(
                    f"journal must be a regular file of at most {LARGEST:,} bytes, got {self.path}.\n{REMEDY}"
                )
            with self._reading, self.path.open("rb") as file:
                file.seek(self._offset - len(self._before))
                if file.read(len(self._before)) != self._before:  # another file
                    self._offset, self._before = file.seek(0), b""
                while line := file.readline(LONGEST_LINE):
                    added += self._take(line)
                    if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                        break  # incomplete, unless only its end is missing
                    self._offset, self._before = self._offset + len(line), line
                if not self.contents:
                    file.seek(0)  # it may be empty, or only its first line incomplete
                    if not BEGINNING.startswith(file.read(len(BEGINNING))):
                        raise InvalidArgument(
                            f"journal must be a journal of inkframe, got {self.path}.\n{REMEDY}"
                        )
        except FileNotFoundError:
            pass  # a new file is recognized by what stands before the position
        except OSError as error:
            raise ConfigurationError(
                f"The journal {self.path} cannot be read: {error.strerror}.\n{REMEDY}"
            ) from None
        return added

    def _take(self, line: bytes) -> list[tuple[Identity, Entry]]:
        """Take over a line, and return the create in it; one that is incomplete or not of a journal is ignored."""
        with suppress(ValueError, KeyError, TypeError, AttributeError, UnexpectedReply):
            found = parse_json(line)
            if isinstance(found["id"], float):  # an integer beyond 64 bits
                found = parse_json(line, exactly=True)
            values = {name: found.get(name) for name in OPTIONAL}
            # No clock can have shown another time.
            when, values["made"] = (
                each if isinstance(each, int | float) and 0 <= each <= LATEST else None
                for each in (float(found["time"]), values["made"])
            )
            optional = {name: value for name, value in values.items() if value is not None}
            fits = all(isinstance(value, OPTIONAL[name]) for name, value in optional.items())
            if fits and found["state"] in STATES and isinstance(found["id"], int | str | None):
                entry = Entry(found["state"], found["id"], when or 0.0, **optional)
                self._keep(identity := Identity.read(found["creation"]), entry)
                return [(identity, entry)]
        return []

    def _keep(self, identity: Identity, entry: Entry) -> None:
        """Take over an entry, which continues the one before it if the create is still open, or of the same record."""
        self._count += 1
        # Of this account, as far as the line tells.
        is_own = entry.account in {None, self._mark(identity.content) or entry.account}
        before = self._entries.get((identity, is_own))
        entry = replace(entry, order=self._count, is_own=is_own)
        if before is not None and (
            (before.is_open and entry.state in OPEN) or (entry.id is not None and entry.id == before.id)
        ):
            key, sent = before.key or entry.key, before.sent or entry.sent
            entry = replace(entry, time=before.time, order=before.order, key=key, sent=sent)
        self._entries[identity, is_own] = entry
        self.contents.setdefault(identity.content, {})[identity] = None
        if is_own and entry.state == "sent":
            self.sent.add(entry.collection)
        place = entry.collection, str(entry.id)
        if entry.id is not None and (is_own or self.find(self._owners.get(place)) is None):
            self._owners[place] = identity
