"""Opening a library file: private to the user, known to be ours, brought up to date."""

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

#: The path that means: in memory, gone when the service is closed.
MEMORY = ":memory:"

#: Written into the file's header ("inkf"), so that a foreign database is recognised before it is changed.
APPLICATION_ID = 0x696E6B66

#: STRICT tables came with this version of SQLite.
OLDEST_SQLITE = (3, 37)

#: Readers never wait for each other in a file; more than this at once only fight over the interpreter.
CONNECTIONS = 8

ANOTHER = "Choose another file: library= in Python, --library in the shell."

#: Why a file cannot be opened, by the name of SQLite's error.
TROUBLES = {
    "SQLITE_NOTADB": "{path} is no inkframe library.",
    "SQLITE_BUSY": "Another program holds the library {path}; close it, and try again.",
    "SQLITE_FULL": "The disk is full, and the library {path} needs room on it.",
    "SQLITE_READONLY": "The library {path} cannot be written: the file or its folder is read-only.",
    "SQLITE_CANTOPEN": "The library {path} cannot be opened: it is no file, or it is not yours to read.",
}

#: Set on every connection, each for its reason.
PRAGMAS = (
    # Deleting an image deletes its picture, in the same statement.
    "PRAGMA foreign_keys = ON",
    # With WAL a commit survives the death of the process; only a power cut can lose the last ones, and
    # never breaks the file. FULL would cost a disk sync for each renamed record.
    "PRAGMA synchronous = NORMAL",
    # 32 MB of pages a connection; the rest is read through the map below, which all connections share.
    "PRAGMA cache_size = -32768",
    "PRAGMA mmap_size = 2147418112",
    # Sorting a search by name happens in memory.
    "PRAGMA temp_store = MEMORY",
    # After a large import the write-ahead log shrinks to 64 MB again.
    "PRAGMA journal_size_limit = 67108864",
)


def open_library(library: str | Path) -> Pool:
    """Open a library, or make it.

    Args:
        library: A file, or ``":memory:"``. A file that is made is readable by its user only, and so is a
            folder that is made for it.

    Returns:
        The pool of connections. A library in memory has one, shared by all threads.

    Raises:
        ConfigurationError: The file cannot be opened, is not an inkframe library, or was written by a newer
            inkframe.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ConfigurationError(
            f"This Python carries SQLite {sqlite3.sqlite_version}; the local service needs 3.37 or later."
        )
    in_memory = str(library) == MEMORY
    path = MEMORY if in_memory else _private_file(Path(library).expanduser())
    pool = Pool(partial(connect, path), size=1 if in_memory else CONNECTIONS)
    try:
        with pool.reading() as connection:
            version = known_version(connection, path)
        with pool.connection() as connection:
            # WAL is a property of the file, kept in it: readers and one writer do not wait for each other.
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
    """Give what tells a library from every other, also from one that stood in the same file before."""
    with pool.connection() as connection:
        (identity,) = connection.execute("SELECT id FROM identity").fetchone()
    return str(identity)


def connect(path: str) -> LibraryConnection:
    """Open one connection to a file, without looking at what it is."""
    connection = LibraryConnection(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    for pragma in PRAGMAS:
        connection.execute(pragma)
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("contains", 2, contains, deterministic=True)
    return connection


def known_trouble(path: str, error: sqlite3.Error) -> str | None:
    """Say why a file cannot be opened, where that does not come from what is in it."""
    name = getattr(error, "sqlite_errorname", "")
    known = (said.format(path=path) for start, said in TROUBLES.items() if name.startswith(start))
    said = next(known, None)
    return f"{said}\n{ANOTHER}" if said else None


def known_version(connection: sqlite3.Connection, path: str) -> int:
    """Give the schema's version; refuse a file of another application, or of a later version."""
    (identity,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and identity != APPLICATION_ID:
        raise ConfigurationError(
            f"{path} is a database of something else, not an inkframe library.\n{ANOTHER}"
        )
    if version > len(MIGRATIONS):
        raise ConfigurationError(
            f"The library {path} was written by a newer inkframe (schema {version}, known up to"
            f" {len(MIGRATIONS)}).\nUpgrade with: pip install --upgrade inkframe"
        )
    return int(version)


def _private_file(path: Path) -> str:
    """Make the file and its folders readable by their user only; leave what exists as it is."""
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
            f"The library {path} cannot be made: {error.strerror}.\n{ANOTHER}"
        ) from error
    return str(path)
