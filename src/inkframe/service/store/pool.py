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
#: What SQLite says when another process holds the file for longer than that.
LOCKED = "database is locked"


class Closed(Exception):
    """The library was closed."""


class LibraryConnection(sqlite3.Connection):
    """A connection that remembers the ids of its last search, since pages of a search come one after another."""

    last_search: tuple[object, Sequence[int]] = (None, ())


class Pool:
    """Up to ``size`` connections, opened when they are needed; the one used last is handed out first.

    Args:
        open_connection: Opens one more connection, in autocommit mode.
        size: How many there may be. One makes the pool a lock, which is how a library in memory is shared.
    """

    def __init__(self, open_connection: Callable[[], LibraryConnection], size: int) -> None:
        self._open = open_connection
        self._idle: deque[LibraryConnection] = deque()
        self._change = threading.Condition()
        self._waiting = 0
        self._unopened = size
        self._closed = False
        # Writers of one process queue here; SQLite would have them sleep and try again.
        self._writer = threading.Lock()

    @contextmanager
    def connection(self) -> Iterator[LibraryConnection]:
        """Lend a connection for single statements; a transaction left open in it is undone."""
        connection = self._take()
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._give(connection)

    @contextmanager
    def reading(self) -> Iterator[LibraryConnection]:
        """Lend a connection whose statements all see the library at one moment."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[LibraryConnection]:
        """Lend a connection inside one transaction: all of it is kept, or on any error nothing."""
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
        """Close every idle connection now, and each one in use when it comes back."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> LibraryConnection:
        # The usual case takes no lock: a deque's pop and append are atomic.
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
