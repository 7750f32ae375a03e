"""The journal of creations: what was sent and what became of it, so that nothing is paid for twice.

A line is written before a create is sent, and another when its outcome is known. A kernel that is killed in
between leaves a line without an outcome: that create is looked for, never sent blindly.
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
    """What is known of one creation.

    Args:
        state: ``sent`` (and no more is known), ``created``, ``failed``, or ``deleted`` on purpose.
        id: The record's id, once created.
        time: When the line was written, in seconds since 1970.
        collection: Where the record is; None in the lines of release 0.1, which do not say.
    """

    state: State
    id: int | str | None
    time: float
    collection: str | None = None


def identity(service: str, collection: str, fields: Mapping[str, Any], repeat: int = 1) -> str:
    """Give what makes a creation the same as another: service, content, and which repeat of it this is."""
    content = json.dumps(
        [service, collection, dict(sorted(fields.items())), repeat], ensure_ascii=True, default=str
    )
    return hashlib.sha256(content.encode()).hexdigest()[:32]


class Journal:
    """A file of lines that only grows; None keeps it in memory.

    Args:
        path: The file; it and its folder are made when the first line is written, readable by their owner only.

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
        """Give what is known of a creation."""
        return self._entries.get(identity)

    def ids(self, collection: str, identities: Container[str] = ()) -> set[int | str]:
        """Return the ids of the records of a collection that were created.

        Args:
            collection: The collection; another one may use the same ids.
            identities: Creations that are known to be of the collection, whether their lines say so or not.
        """
        return {
            entry.id
            for identity, entry in self._entries.items()
            if entry.id is not None and (entry.collection == collection or identity in identities)
        }

    def note(self, identity: str, state: State, id: int | str | None = None, *, collection: str) -> None:
        """Write a line; when this returns, killing the process no longer loses it.

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
            # One write to a file that only grows: lines of several processes do not mix.
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)
        except OSError as error:
            raise ConfigurationError(
                f"The journal {path} cannot be written: {error.strerror}.\n"
                "Nothing was sent. Choose another with journal=…"
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
                continue  # the last line of a machine that lost its power
            if entry.state in STATES:
                self._entries[key] = entry
