"""Check that a file is a library: its identity, its version, and that its schema is ours alone."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Final

from inkframe.errors import ConfigurationError
from inkframe.service.store.connection import MEMORY, connect
from inkframe.service.store.migrations import MIGRATIONS

if TYPE_CHECKING:
    import sqlite3

    Schema = dict[tuple[str, str], str | None]

__all__ = ["ANOTHER", "APPLICATION_ID", "SchemaCheck", "known_trouble", "known_version"]

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

#: The ends of the names of tables that SQLite creates for a search index; their text depends on its version.
SHADOWS: Final = ("_data", "_idx", "_config", "_docsize", "_content")
#: The most parts of a schema that a message lists.
NAMED: Final = 3


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
        for step in MIGRATIONS[:version]:
            step(connection)
        return _schema(connection)


def _schema(connection: sqlite3.Connection) -> Schema:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema")
    return {(kind, name): sql for kind, name, sql in rows}
