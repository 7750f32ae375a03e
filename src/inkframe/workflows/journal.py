"""The journal of creates and their outcomes, so that nothing is billed twice.

A line is written before a create is sent, and another when its outcome is known. If the kernel is killed in
between, the first line remains without an outcome: that record is searched for, and never sent again blindly.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from inkframe.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from os import PathLike

__all__ = ["Entry", "Journal", "identity"]

State = Literal["sent", "created", "failed", "deleted"]
STATES: Final = frozenset(get_args(State))


@dataclass(frozen=True, slots=True)
class Entry:
    """The last line of one create.

    Args:
        state: ``sent`` (outcome unknown), ``created``, ``failed``, or ``deleted`` on purpose.
        id: The id of the record, once created.
        time: The time of the line, in seconds since 1970.
        collection: The collection of the record; None in lines of release 0.1.
    """

    state: State
    id: int | str | None
    time: float
    collection: str | None = None


def identity(service: str, collection: str, fields: Mapping[str, Any], repeat: int = 1) -> str:
    """Return a hash that identifies a create by service, collection, content and repeat."""
    content = json.dumps(
        [service, collection, dict(sorted(fields.items())), repeat], ensure_ascii=True, default=str
    )
    return hashlib.sha256(content.encode()).hexdigest()[:32]


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
        self._torn = False
        self._lock = threading.Lock()
        self._read()

    def find(self, identity: str) -> Entry | None:
        """Return the entry of a create, or None."""
        return self._entries.get(identity)

    def ids(self, collection: str, identities: Container[str] = ()) -> set[int | str]:
        """Return the ids of the records of a collection that were created.

        Args:
            collection: The collection; another one may use the same ids.
            identities: Creates that belong to the collection, even if their lines do not show it.
        """
        return {
            entry.id
            for identity, entry in self._entries.items()
            if entry.id is not None and (entry.collection == collection or identity in identities)
        }

    def note(self, identity: str, state: State, id: int | str | None = None, *, collection: str) -> None:
        """Write a line, which then survives the end of the process.

        Raises:
            ConfigurationError: The file cannot be written.
        """
        entry = Entry(state, id, time.time(), collection)
        torn, self._torn = self._torn, False
        line = "\n" * torn + json.dumps(
            {
                "creation": identity,
                "state": state,
                "id": id,
                "time": round(entry.time, 3),
                "collection": collection,
            }
        )
        with self._lock:
            self._entries[identity] = entry
            self._append(f"{line}\n".encode())

    def _append(self, line: bytes) -> None:
        path = self.path
        if path is None:
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A single append, so that lines of several processes do not mix.
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)
        except OSError as error:
            raise ConfigurationError(
                f"The journal {path} cannot be written: {error.strerror}.\n"
                "Nothing was sent. Choose another file with journal=…"
            ) from None

    def _read(self) -> None:
        if self.path is None or not self.path.exists():
            return
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise ConfigurationError(f"The journal {self.path} cannot be read: {error.strerror}.") from None
        self._torn = bool(content) and not content.endswith(b"\n")
        for line in content.splitlines():
            try:
                found = json.loads(line)
                entry = Entry(found["state"], found["id"], float(found["time"]), found.get("collection"))
                key = str(found["creation"])
            except (ValueError, KeyError, TypeError):
                continue  # an incomplete last line
            if entry.state in STATES:
                self._entries[key] = entry
