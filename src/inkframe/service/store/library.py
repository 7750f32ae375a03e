"""Open a library file: check that it is one, upgrade its schema, and create it private to the user."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path

from inkframe.errors import ConfigurationError
from inkframe.files import create_private_folder
from inkframe.service.store.connection import MEMORY, connect
from inkframe.service.store.migrations import MIGRATIONS, migrate
from inkframe.service.store.pool import Pool
from inkframe.service.store.read_only import ReadOnlyFile, ReadOnlyPool, is_read_only, is_refused
from inkframe.service.store.schema_check import (
    ANOTHER,
    APPLICATION_ID,
    SchemaCheck,
    known_trouble,
    known_version,
)

__all__ = ["check_library", "open_library", "read_identity"]

#: The first version of SQLite with STRICT tables.
OLDEST_SQLITE = (3, 37)

#: Readers of a file never wait for each other, but more of them would only compete for the interpreter.
CONNECTIONS = 8


def open_library(library: str | Path) -> Pool:
    """Open a library, or create it.

    Args:
        library: A file, or ``":memory:"``. A new file and new folders are readable by their user
            only. A file that cannot be written is opened for reading.

    Returns:
        The pool of connections. A library in memory has one connection, shared by all threads.

    Raises:
        ConfigurationError: The file cannot be opened, is not an inkframe library, was changed by another
            program, or was written by a newer inkframe.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ConfigurationError(
            f"The local service requires SQLite 3.37 or later, and this Python has {sqlite3.sqlite_version}."
        )
    if str(library) == MEMORY:
        pool = Pool(partial(connect, MEMORY), 1, in_memory=True)
        with pool.writing() as connection:
            migrate(connection)
        return pool
    file = Path(library).expanduser()
    try:
        if not is_read_only(file):
            return _open(_private_file(file))
    except sqlite3.Error as error:
        if not is_refused(file, error):
            raise _unusable(file, error) from error
    try:
        return _open_read_only(file)
    except sqlite3.Error as error:
        raise _unusable(file, error) from error


def check_library(path: Path, *, whole: bool = True) -> int:
    """Check a library file without changing it.

    Args:
        path: The file.
        whole: Whether to read all of it (``PRAGMA integrity_check``), beyond its version and schema.

    Returns:
        The version of its schema; 0 for an empty file.

    Raises:
        ConfigurationError: There is no such file, it is not a library, it has foreign code, or it is damaged.
    """
    if not path.is_file():
        raise ConfigurationError(f"There is no library {path}.\nName another with --library FILE.")
    try:
        with ExitStack() as stack:
            file = stack.enter_context(closing(ReadOnlyFile(path))) if is_read_only(path) else None
            connection = stack.enter_context(closing(file.connect() if file else connect(str(path))))
            version = known_version(connection, str(path))
            SchemaCheck(str(path))(connection)
            (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone() if whole else ("ok",)
    except sqlite3.DatabaseError as error:
        if said := known_trouble(str(path), error):
            raise ConfigurationError(said) from error
        result = str(error)
    if result != "ok":
        # The recovery command of SQLite leaves the file as it is.
        raise ConfigurationError(
            f"The library {path} is damaged: {result.splitlines()[-1]}.\n"
            f"Recover its records with: sqlite3 {path} .recover | sqlite3 {path.with_suffix('.rescued.db')}"
        )
    return version


def read_identity(pool: Pool) -> str:
    """Return the unique identity of a library, which changes when its file is created again."""
    with pool.connection() as connection:
        (identity,) = connection.execute("SELECT id FROM identity").fetchone()
    return str(identity)


def _open(path: str) -> Pool:
    check = SchemaCheck(path)
    pool = Pool(partial(connect, path), CONNECTIONS, check=check)
    try:
        with pool.reading() as connection:
            version = known_version(connection, path)
            check(connection)
        with pool.connection() as connection:
            # WAL is a property of the file: readers and one writer do not wait for each other.
            connection.execute("PRAGMA journal_mode = WAL")
        if version < len(MIGRATIONS):
            with pool.writing() as connection:
                migrate(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    except BaseException:
        pool.close()
        raise
    return pool


def _open_read_only(path: Path) -> Pool:
    file = ReadOnlyFile(path)
    pool = ReadOnlyPool(file, CONNECTIONS)
    try:
        with pool.reading() as connection:
            version = known_version(connection, str(path))
            SchemaCheck(str(path))(connection)
        if version < len(MIGRATIONS):
            pool.close()
            file = ReadOnlyFile(path, copied=True)
            # The library stays as it is; only its copy is upgraded.
            _open(str(file.path)).close()
            pool = ReadOnlyPool(file, CONNECTIONS)
    except BaseException:
        pool.close()
        raise
    return pool


def _unusable(path: Path, error: sqlite3.Error) -> ConfigurationError:
    said = known_trouble(str(path), error)
    return ConfigurationError(said or f"The library {path} cannot be used: {error}.\n{ANOTHER}")


def _private_file(path: Path) -> str:
    """Create the file and its folders, readable by their user only; existing ones are not changed."""
    try:
        create_private_folder(path.parent)
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb"):
                path.chmod(0o600)
    except OSError as error:
        raise ConfigurationError(
            f"The library {path} cannot be created: {error.strerror}.\n{ANOTHER}"
        ) from error
    return str(path)
