"""Open a library file: check that it is one, upgrade its schema, and create it private to the user."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path

from inkframe.errors import ConfigurationError
from inkframe.service.store.migrations import MIGRATIONS, migrate
from inkframe.service.store.pool import PATIENCE, LibraryConnection, Pool
from inkframe.service.store.search import contains, fold

__all__ = [
    "APPLICATION_ID",
    "MEMORY",
    "connect",
    "known_trouble",
    "known_version",
    "open_library",
    "read_identity",
]

#: The path of a library in memory, which is lost when the service is closed.
MEMORY = ":memory:"

#: Written into the file's header ("inkf"), so that another application's database is recognized before it is
#: changed.
APPLICATION_ID = 0x696E6B66

#: The first version of SQLite with STRICT tables.
OLDEST_SQLITE = (3, 37)

#: Readers of a file never wait for each other, but more of them would only compete for the interpreter.
CONNECTIONS = 8

ANOTHER = "Choose another file: library= in Python, --library in the shell."

#: Messages for files that cannot be opened, by the name of SQLite's error.
TROUBLES = {
    "SQLITE_NOTADB": "{path} is not an inkframe library.",
    "SQLITE_BUSY": "Another program has the library {path} open. Close it and try again.",
    "SQLITE_FULL": "The disk is full, so the library {path} cannot be opened.",
    "SQLITE_READONLY": "The library {path} cannot be written: the file or its folder is read-only.",
    "SQLITE_CANTOPEN": "The library {path} cannot be opened: it is not a file, or you may not read it.",
}

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


def open_library(library: str | Path) -> Pool:
    """Open a library, or create it.

    Args:
        library: A file, or ``":memory:"``. A new file and new folders are readable by their user
            only.

    Returns:
        The pool of connections. A library in memory has one connection, shared by all threads.

    Raises:
        ConfigurationError: The file cannot be opened, is not an inkframe library, or was written by a newer
            inkframe.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ConfigurationError(
            f"The local service requires SQLite 3.37 or later, and this Python has {sqlite3.sqlite_version}."
        )
    in_memory = str(library) == MEMORY
    path = MEMORY if in_memory else _private_file(Path(library).expanduser())
    pool = Pool(partial(connect, path), size=1 if in_memory else CONNECTIONS, in_memory=in_memory)
    try:
        with pool.reading() as connection:
            version = known_version(connection, path)
        with pool.connection() as connection:
            # WAL is a property of the file: readers and one writer do not wait for each other.
            connection.execute("PRAGMA journal_mode = WAL")
        if version < len(MIGRATIONS):
            with pool.writing() as connection:
                migrate(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    except sqlite3.Error as error:
        pool.close()
        told = known_trouble(path, error) or f"The library {path} cannot be used: {error}.\n{ANOTHER}"
        raise ConfigurationError(told) from error
    except BaseException:
        pool.close()
        raise
    return pool


def read_identity(pool: Pool) -> str:
    """Return the unique identity of a library, which changes when its file is created again."""
    with pool.connection() as connection:
        (identity,) = connection.execute("SELECT id FROM identity").fetchone()
    return str(identity)


def connect(path: str) -> LibraryConnection:
    """Open one connection to a file, without checking the file."""
    connection = LibraryConnection(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    for pragma in PRAGMAS:
        connection.execute(pragma)
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("contains", 2, contains, deterministic=True)
    return connection


def known_trouble(path: str, error: sqlite3.Error) -> str | None:
    """Return why a file cannot be opened, or None if the reason is in its content."""
    name = getattr(error, "sqlite_errorname", "")
    known = (said.format(path=path) for start, said in TROUBLES.items() if name.startswith(start))
    said = next(known, None)
    return f"{said}\n{ANOTHER}" if said else None


def known_version(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version; reject a file of another application or of a later version."""
    (identity,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and identity != APPLICATION_ID:
        raise ConfigurationError(
            f"{path} is a database of another application, not an inkframe library.\n{ANOTHER}"
        )
    if version > len(MIGRATIONS):
        raise ConfigurationError(
            f"The library {path} was written by a newer inkframe (schema {version}; this version supports up"
            f" to {len(MIGRATIONS)}).\nUpgrade with: pip install --upgrade inkframe"
        )
    return int(version)


def _private_file(path: Path) -> str:
    """Create the file and its folders, readable by their user only; existing ones are not changed."""
    try:
        missing = [folder for folder in path.parents if not folder.exists()]
        for folder in reversed(missing):
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                folder.chmod(0o700)
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb"):
                path.chmod(0o600)
    except OSError as error:
        raise ConfigurationError(
            f"The library {path} cannot be created: {error.strerror}.\n{ANOTHER}"
        ) from error
    return str(path)
