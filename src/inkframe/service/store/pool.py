"""A bounded pool of SQLite connections."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["LOCKED", "Closed", "LibraryConnection", "Pool"]

#: Seconds to wait for a free connection, or for another process that writes.
PATIENCE = 15.0
#: SQLite's message when another process locks the file for longer than that.
LOCKED = "database is locked"


class Closed(Exception):
    """The library was closed."""


class LibraryConnection(sqlite3.Connection):
    """A connection that caches the ids of its last search for the next pages of the same search."""

    last_search: tuple[object, Sequence[int]] = (None, ())


class Pool:
    """A pool of up to ``size`` connections, opened when needed; the most recently used one is lent first.

    Args:
        open_connection: Opens one more connection, in autocommit mode.
        size: The most connections. With one, the pool acts as a lock, as for a library in memory.
    """

    def __init__(self, open_connection: Callable[[], LibraryConnection], size: int) -> None:
        self._open = open_connection
        self._idle: deque[LibraryConnection] = deque()
        self._change = threading.Condition()
        self._waiting = 0
        self._unopened = size
        self._closed = False
        # Writers of one process queue here; in SQLite they would sleep and retry.
        self._writer = threading.Lock()

    @contextmanager
    def connection(self) -> Iterator[LibraryConnection]:
        """Yield a connection for single statements; a transaction left open is rolled back."""
        connection = self._take()
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._give(connection)

    @contextmanager
    def reading(self) -> Iterator[LibraryConnection]:
        """Yield a connection whose statements all read the same snapshot of the library."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[LibraryConnection]:
        """Yield a connection inside one transaction: commit all of it, or roll it back on any error."""
        if not self._writer.acquire(timeout=PATIENCE):
            raise sqlite3.OperationalError(LOCKED)
        try:
            with self.connection() as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        finally:
            self._writer.release()

    def close(self) -> None:
        """Close every idle connection now, and each one in use when it is returned."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> LibraryConnection:
        # The common case needs no lock: a deque's pop and append are atomic.
        if self._closed:
            raise Closed
        try:
            return self._idle.pop()
        except IndexError:
            return self._open_or_wait()

    def _open_or_wait(self) -> LibraryConnection:
        with self._change:
            if self._unopened:
                connection = self._open()
                self._unopened -= 1
                return connection
            self._waiting += 1
            try:
                while not self._closed:
                    if self._idle:
                        return self._idle.pop()
                    if not self._change.wait(PATIENCE):
                        raise sqlite3.OperationalError(LOCKED)
            finally:
                self._waiting -= 1
        raise Closed

    def _give(self, connection: LibraryConnection) -> None:
        if self._closed:
            connection.close()
            return
        self._idle.append(connection)
        if self._waiting:
            with self._change:
                self._change.notify()
