"""The connections to a library: a bounded pool, and read-only libraries."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import deque
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from inkframe.errors import ConfigurationError
from inkframe.system.processes import Forkable, on_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "COPY_IT",
    "LOCKED",
    "MEMORY",
    "Closed",
    "Pool",
    "ReadOnlyPool",
    "connect",
    "connect_read_only",
    "is_read_only",
    "is_refused",
]

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

#: The path of a library in memory, which is lost when the service is closed.
MEMORY: Final = ":memory:"
#: The settings of every connection.
PRAGMAS = (
    # Deleting an image deletes its picture, in the same statement.
    "PRAGMA foreign_keys = ON",
    # With WAL a commit survives a crash of the process. A power failure can lose the last commits, but
    # never damages the file. FULL would cost one disk sync per write.
    "PRAGMA synchronous = NORMAL",
    # 32 MB of pages per connection; all other reads use the memory map below, which the connections share.
    "PRAGMA cache_size = -32768",
    "PRAGMA mmap_size = 2147418112",
    # Sort searches by name in memory.
    "PRAGMA temp_store = MEMORY",
    # Truncate the write-ahead log to 64 MB after a large import.
    "PRAGMA journal_size_limit = 67108864",
)

#: SQLite's errors where a file may be readable but not writable.
REFUSALS: Final = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
#: The ends of the names of logs that are part of a library's content.
LOGS: Final = ("-wal", "-journal")
COPY_IT: Final = (
    "Its folder is read-only.\nCopy the file and its logs to a folder that can be written, and open the copy."
)
CHANGED = "Another program changed the library while it was read. Connect again."


class Closed(Exception):
    """The library was closed, or cannot be used in this process."""


class Pool(Forkable):
    """A pool of up to ``size`` connections, opened when needed; the most recently used one is lent first.

    Args:
        open_connection: Opens one more connection, in autocommit mode.
        size: The most connections. With one, the pool acts as a lock.
        in_memory: Whether the library is in memory: its only connection stays open.
        check: Called in each transaction before it writes.
        file: The file of the library; None for one that is in memory or only read.
        idle: The idle connections, which all pools of one file share, so that many of them need few.

    Attributes:
        read_only: Whether every change is refused.
    """

    read_only = False

    def __init__(
        self,
        open_connection: Callable[[], sqlite3.Connection],
        size: int,
        *,
        in_memory: bool = False,
        check: Callable[[sqlite3.Connection], None] | None = None,
        file: Path | None = None,
        idle: deque[sqlite3.Connection] | None = None,
    ) -> None:
        self.file = file
        self._open = open_connection
        self._check = check
        self._size = size
        self._in_memory = in_memory
        self._idle = deque[sqlite3.Connection]() if idle is None else idle
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
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for single statements; a transaction left open is rolled back."""
        connection = self._take()
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._give(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection whose statements all read the same snapshot of the library."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
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

    def _take(self) -> sqlite3.Connection:
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

    def _give(self, connection: sqlite3.Connection) -> None:
        self._idle.append(connection)
        if self._closed:
            self._close_idle()
        self._free.put(None)


def connect(path: str, *pragmas: str) -> sqlite3.Connection:
    """Open one connection to a file, without checking the file.

    Args:
        path: The file, or a ``file:`` URI.
        pragmas: More settings, such as ``PRAGMA query_only = ON``.
    """
    connection = sqlite3.connect(
        path,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        uri=path.startswith("file:"),
    )
    for pragma in (*PRAGMAS, *pragmas):
        connection.execute(pragma)
    connection.create_function("folded", 1, folded, deterministic=True)
    return connection


class ReadOnly(sqlite3.OperationalError):
    """The library cannot be written."""

    sqlite_errorname = "SQLITE_READONLY"


def is_read_only(path: Path) -> bool:
    """Return whether a file is there and it or its folder cannot be written."""
    file = path.resolve()
    effective = os.access in os.supports_effective_ids
    return file.is_file() and not all(
        os.access(each, os.W_OK, effective_ids=effective) for each in (file, file.parent)
    )


def is_refused(path: Path, error: sqlite3.Error) -> bool:
    """Return whether SQLite refused to write a file that can be read."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(REFUSALS) and path.is_file() and os.access(path, os.R_OK)


class ReadOnlyPool(Pool):
    """The connections to a library that is only read, where it is.

    Args:
        library: The file.
        size: The most connections.
    """

    read_only = True

    def __init__(self, library: Path, size: int) -> None:
        super().__init__(partial(connect_read_only, library), size)
        self._library, self._state = library, _state(library)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection; what it read is refused if the file was changed."""
        with super().connection() as connection:
            yield connection
        if _state(self._library) != self._state:
            raise Closed(CHANGED)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Refuse every change."""
        self.check_writable()
        yield from ()

    def check_writable(self) -> None:
        """Refuse every change."""
        raise ReadOnly("attempt to write a read-only library")


def connect_read_only(library: Path) -> sqlite3.Connection:
    """Open one connection to a file in a folder that cannot be written.

    Args:
        library: The file.

    Raises:
        ConfigurationError: Its last changes are in a log, which SQLite reads only where it can write.
    """
    library = library.resolve()
    logs = [library.with_name(library.name + log) for log in LOGS]
    if any(log.exists() and log.stat().st_size for log in logs):
        raise ConfigurationError(f"The library {library} was not closed by its last program. {COPY_IT}")
    # Without locks, which need a writable folder, and without a memory map, which fails if the file shrinks.
    return connect(f"{library.as_uri()}?mode=ro&immutable=1", "PRAGMA mmap_size = 0")


def _state(library: Path) -> tuple[int, int, int]:
    status = library.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


def folded(text: str) -> str | None:
    """Return a text case-folded by Unicode, or None if SQLite's ``lower()``, which knows only ASCII, folds it as well."""
    folded = text.casefold()
    return None if folded.encode() == text.encode().lower() else folded
