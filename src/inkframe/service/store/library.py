"""Open a library file: check its identity, its version and that its schema is ours alone, and upgrade it."""

from __future__ import annotations

import os
import re
import sqlite3
from collections import deque
from contextlib import closing, suppress
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from inkframe.errors import ConfigurationError
from inkframe.service.store.pool import (
    COPY_IT,
    MEMORY,
    Pool,
    ReadOnlyPool,
    connect,
    connect_read_only,
    is_read_only,
    is_refused,
)
from inkframe.system.files import create_private_folder

if TYPE_CHECKING:
    Schema = dict[tuple[str, str], str | None]

__all__ = [
    "ANOTHER",
    "APPLICATION_ID",
    "MIGRATIONS",
    "check_library",
    "known_version",
    "migrate",
    "open_library",
    "read_identity",
]

#: The first version of SQLite with STRICT tables.
OLDEST_SQLITE = (3, 37)
#: Readers of a file never wait for each other, but more of them would only compete for the interpreter.
CONNECTIONS = 8

#: The statements of each step of ``migrations.sql``; ``PRAGMA user_version`` is the number of steps applied to a file.
MIGRATIONS: Final = tuple(
    # A statement ends with its line, unless it is within a trigger.
    re.split(r";\n(?![ E])", step)
    for step in re.split(
        r"^-- \d+\. .*\n",
        files(__package__).joinpath("migrations.sql").read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )[1:]
)
#: The share of free pages from which a migrated file is written anew without them, and the most pages of one that is;
#: for more (256 MB), it would take too long. Free pages are used again for new records.
MOST_FREE: Final = 1 / 4
MOST_PAGES: Final = 65_536

#: Written into the file's header ("inkf"), so that another application's database is recognized before it is
#: changed.
APPLICATION_ID = 0x696E6B66
ANOTHER = "Choose another file: library= in Python, --library in the shell."
#: Messages for files that cannot be opened, by the name of SQLite's error.
TROUBLES = {
    "SQLITE_NOTADB": "{path} is not an inkframe library.",
    "SQLITE_BUSY": "Another program has the library {path} open. Close it and try again.",
    "SQLITE_FULL": "The disk is full, so the library {path} cannot be opened.",
    "SQLITE_READONLY": "The library {path} cannot be written: the file or its folder is read-only.",
    "SQLITE_CANTOPEN": "The library {path} cannot be opened: it is not a file, or you may not read it.",
}
#: The idle connections of this process to each file that is open.
_idle: Final[WeakValueDictionary[tuple[int, str, int], deque[sqlite3.Connection]]] = WeakValueDictionary()
#: The ends of the names of tables that SQLite creates for a search index; their text depends on its version.
SHADOWS: Final = ("_data", "_idx", "_config", "_docsize", "_content")
#: The most parts of a schema that a message lists.
NAMED: Final = 3


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
        with closing(connect_read_only(path) if is_read_only(path) else connect(str(path))) as connection:
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
    check, file = SchemaCheck(path), Path(path).resolve()
    # A file that is created again has another number for as long as the first one is open.
    idle = _idle.setdefault((os.getpid(), str(file), file.stat().st_ino), deque())
    pool = Pool(partial(connect, path), CONNECTIONS, check=check, file=file, idle=idle)
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
            _shrink(path)
    except BaseException:
        pool.close()
        raise
    return pool


def migrate(connection: sqlite3.Connection, version: int = len(MIGRATIONS)) -> None:
    """Upgrade a library to a version of the schema, inside the caller's transaction."""
    (present,) = connection.execute("PRAGMA user_version").fetchone()
    for statement in chain.from_iterable(MIGRATIONS[present:version]):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")


def _shrink(path: str) -> None:
    """Return free pages to the disk if they are many, as after a migration that drops tables; on any error, keep them."""
    # In memory, the copy could be too large.
    with suppress(sqlite3.Error), closing(connect(path, "PRAGMA temp_store = FILE")) as connection:
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        if MOST_FREE * pages < free and pages <= MOST_PAGES:
            connection.execute("VACUUM")


def _open_read_only(path: Path) -> Pool:
    pool = ReadOnlyPool(path, CONNECTIONS)
    try:
        with pool.reading() as connection:
            version = known_version(connection, str(path))
            SchemaCheck(str(path))(connection)
        if version < len(MIGRATIONS):
            raise ConfigurationError(f"The library {path} was written by an older inkframe. {COPY_IT}")  # noqa: TRY301
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


def known_trouble(path: str, error: sqlite3.Error) -> str | None:
    """Return why a file cannot be opened, or None if the reason is in its content."""
    name = getattr(error, "sqlite_errorname", "")
    said = next((said for start, said in TROUBLES.items() if name.startswith(start)), None)
    return f"{said.format(path=path)}\n{ANOTHER}" if said else None


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


class SchemaCheck:
    """Compares the schema of a library with that of a new one, once for each change of the schema.

    Triggers and views run whenever records are written or read, whoever added them.

    Args:
        path: The file, for messages.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._checked: int | None = None

    def __call__(self, connection: sqlite3.Connection) -> None:
        """Check the schema inside a transaction.

        Raises:
            ConfigurationError: It differs from that of a new library of the same version.
        """
        (number,) = connection.execute("PRAGMA schema_version").fetchone()
        if number == self._checked:
            return
        if wrong := _differences(connection, known_version(connection, self._path)):
            more = f" and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
            raise ConfigurationError(
                f"The schema of {self._path} must be that of an inkframe library,"
                f" got {', '.join(wrong[:NAMED])}{more}.\n"
                f"Nothing was written. Remove what another program added, or restore a backup. {ANOTHER}"
            )
        self._checked = number


def _differences(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the parts of a schema that are missing, changed, or not ours; tables of others are harmless."""
    ours, found = _new_schema(version), _schema(connection)
    tables = {name for kind, name in ours if kind == "table"}
    on_ours = {
        (kind, name)
        for kind, name, table in connection.execute("SELECT type, name, tbl_name FROM sqlite_schema")
        if kind in ("trigger", "view") or (kind == "index" and table in tables)
    }
    return [
        *(f"a foreign {kind} {name!r}" for kind, name in found if (kind, name) in on_ours - ours.keys()),
        *(f"no {kind} {name!r}" for kind, name in ours if (kind, name) not in found),
        *(
            f"a changed {kind} {name!r}"
            for (kind, name), sql in ours.items()
            if found.get((kind, name), sql) != sql and not name.endswith(SHADOWS)
        ),
    ]


@cache
def _new_schema(version: int) -> Schema:
    with closing(connect(MEMORY)) as connection:
        migrate(connection, version)
        return _schema(connection)


def _schema(connection: sqlite3.Connection) -> Schema:
    return {
        (kind, name): sql
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema")
    }
