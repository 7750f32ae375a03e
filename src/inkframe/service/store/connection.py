"""One SQLite connection to a library."""

from __future__ import annotations

from typing import Final

from inkframe.service.store.pool import PATIENCE, LibraryConnection
from inkframe.service.store.search import contains, fold

__all__ = ["MEMORY", "connect"]

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


def connect(path: str, *pragmas: str) -> LibraryConnection:
    """Open one connection to a file, without checking the file.

    Args:
        path: The file, or a ``file:`` URI.
        pragmas: More settings, such as ``PRAGMA query_only = ON``.
    """
    connection = LibraryConnection(
        path,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        uri=path.startswith("file:"),
    )
    for pragma in (*PRAGMAS, *pragmas):
        connection.execute(pragma)
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("contains", 2, contains, deterministic=True)
    return connection
