"""A bounded pool of SQLite connections."""

from __future__ import annotations

import sqlite3
import threading
import time
from array import array
from collections import deque
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from inkframe.http.forking import Forkable, on_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LOCKED", "Closed", "LibraryConnection", "Pool"]

#: Seconds to wait for a free connection, or for another process that writes.
PATIENCE = 15.0
#: SQLite's message when another process locks the file for longer than that.
LOCKED = "database is locked"


CLOSED = "The service was closed. Connect again."
#: Why a forked process cannot use a library, by whether the library is in memory.
INHERITED = {
    False: "The library was in use by another thread when this process was forked. Connect again.",
    True: "A library in memory is not shared with a forked process. Connect to a library in a file.",
}


class Closed(Exception):
    """The library was closed, or cannot be used in this process."""


class LibraryConnection(sqlite3.Connection):
    """A connection that caches its last search for the next pages of the same search.

    Attributes:
        last_search: The search, the ids that were found so far, and whether these are all.
    """

    last_search: tuple[object, array[int], bool] = (None, array("q"), False)


class Pool(Forkable):
    """A pool of up to ``size`` connections, opened when needed; the most recently used one is lent first.

    Args:
        open_connection: Opens one more connection, in autocommit mode.
        size: The most connections. With one, the pool acts as a lock.
        in_memory: Whether the library is in memory: its only connection stays open.
        check: Called in each transaction before it writes.

    Attributes:
        read_only: Whether every change is refused.
    """

    read_only = False

    def __init__(
        self,
        open_connection: Callable[[], LibraryConnection],
        size: int,
        *,
        in_memory: bool = False,
        check: Callable[[LibraryConnection], None] | None = None,
    ) -> None:
        self._open = open_connection
        self._check = check
        self._size = size
        self._in_memory = in_memory
        self._idle: deque[LibraryConnection] = deque()
        #: One entry for each connection that may be lent. An interrupt would lose the lock of a ``LifoQueue``.
        self._free: SimpleQueue[None] = SimpleQueue()
        self._add_free(size)
        #: Why no connection is lent any more; empty while the pool is open.
        self._closed = ""
        # Held from before a fork until after it, with as many free connections as could be had.
        self._forking = threading.Lock()
        self._had = 0
        # Writers of one process queue here; in SQLite they would sleep and retry.
        self._writer = threading.Lock()
        on_fork(self)

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
                if self._check:
                    self._check(connection)
                yield connection
                connection.execute("COMMIT")
        finally:
            self._writer.release()

    def check_writable(self) -> None:
        """Raise an error if every change is refused, before anything is created for it."""

    def close(self) -> None:
        """Close every idle connection now, and each one in use when it is returned."""
        self._closed = self._closed or CLOSED
        self._close_idle()
        self._add_free(1)  # so that those that wait see it, one after the other

    def before_fork(self) -> None:
        """Close every connection as soon as it is idle, and open no more until the fork is done."""
        self._forking.acquire()
        ends, self._had = time.monotonic() + PATIENCE, 0
        with suppress(Empty):
            while self._had < self._size:
                self._free.get(timeout=max(0, ends - time.monotonic()))
                self._had += 1
        if not self._in_memory:
            self._close_idle()

    def after_fork(self, *, in_child: bool) -> None:
        """Open connections again when they are needed; refuse a child that inherited one."""
        if in_child:
            if (self._had < self._size or self._idle) and not self._closed:
                self._closed = INHERITED[self._in_memory]
            # Other threads of the parent may have held the lock.
            self._free, self._writer, self._had = SimpleQueue(), threading.Lock(), self._size
        self._add_free(self._had)
        self._forking.release()

    def _add_free(self, count: int) -> None:
        for _ in range(count):
            self._free.put(None)

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _take(self) -> LibraryConnection:
        try:
            self._free.get(timeout=PATIENCE)
        except Empty:
            raise sqlite3.OperationalError(LOCKED) from None
        try:
            if self._closed:
                raise Closed(self._closed)  # noqa: TRY301
            with suppress(IndexError):
                return self._idle.pop()
            return self._open()
        except BaseException:
            self._free.put(None)
            raise

    def _give(self, connection: LibraryConnection) -> None:
        self._idle.append(connection)
        if self._closed:
            self._close_idle()
        self._free.put(None)
