"""Integrity checks of a library file: its pages, its pictures, and its derived tables and indexes."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from inkframe.errors import ConfigurationError
from inkframe.schema import RESOURCES
from inkframe.service.store.connection import connect
from inkframe.service.store.migrations import KEPT_TOTALS, MIGRATIONS, SEARCHED, count_totals, index_texts
from inkframe.service.store.read_only import ReadOnlyFile, is_read_only
from inkframe.service.store.record_table import picture_digest
from inkframe.service.store.schema_check import SchemaCheck, differences, known_trouble, known_version
from inkframe.service.store.search import match_expression

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from pathlib import Path

__all__ = ["Finding", "inspect_library", "repair_library"]

#: The number of records of each searched column that are looked up by their own text.
LOOKED_UP: Final = 500
#: The message for an older schema.
BEHIND: Final = "; upgraded when it is next opened, such as with inkframe.connect(library=…)"
#: The most ids listed in a message.
NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check of a library.

    Args:
        name: The name of the check.
        problem: The problem, or None.
        detail: What was checked, if there is no problem.
        repairable: Whether ``repair_library`` fixes it.
    """

    name: str
    problem: str | None = None
    detail: str = ""
    repairable: bool = False


class _Wrong(Exception):
    """A check that failed.

    Args:
        problem: The problem.
        repairable: Whether ``repair_library`` fixes it.
    """

    def __init__(self, problem: str, *, repairable: bool = False) -> None:
        super().__init__(problem)
        self.repairable = repairable


def inspect_library(path: Path, names: Container[str] | None = None) -> list[Finding]:
    """Check a library file without changing it.

    Args:
        path: The file.
        names: The checks to run besides that of the schema; all by default.

    Returns:
        A finding for each check.

    Raises:
        ConfigurationError: There is no such file, or it is not a library.
    """
    try:
        with _opened(path) as connection:
            version = known_version(connection, str(path))
            if not version:
                return [Finding("schema", detail="none yet; the file stays empty until its first use")]
            behind = "" if version == len(MIGRATIONS) else BEHIND
            wrong = differences(connection, version)
            return [
                Finding("schema", ", ".join(wrong) or None, f"{version}{behind}"),
                # Each check applies from the schema version that introduced its tables.
                *(
                    _run(name, check, connection)
                    for name, since, check in CHECKS
                    if version >= since and (names is None or name in names)
                ),
            ]
    except sqlite3.DatabaseError as error:
        if message := known_trouble(str(path), error):
            raise ConfigurationError(message) from None
        return [Finding("schema", f"the file cannot be read: {error}")]


def repair_library(path: Path) -> None:
    """Rebuild everything derived from the records, and delete what belongs to no record; no record changes.

    Args:
        path: The file; its schema must be current.

    Raises:
        ConfigurationError: There is no such file, it is not a library, or it cannot be read or written.
    """
    try:
        with _opened(path) as connection:
            if known_version(connection, str(path)) < len(MIGRATIONS):
                raise ConfigurationError(f"{path} has an older schema.\nOpen it once, then repair it.")
            connection.execute("BEGIN IMMEDIATE")
            SchemaCheck(str(path))(connection)
            _make_anew(connection)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        message = f"{path} cannot be repaired: {error}.\nList its problems: inkframe doctor --library {path}"
        raise ConfigurationError(known_trouble(str(path), error) or message) from error


def _make_anew(connection: sqlite3.Connection) -> None:
    for table, columns, block in KEPT_TOTALS:
        connection.execute(f"DELETE FROM {table}_totals")
        connection.execute(f"INSERT INTO {table}_totals {count_totals(table, columns, block)}")
    for table, column in SEARCHED:
        index = f"{table}_{column}_trigrams"
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
        connection.execute(index_texts(table, column))
    connection.execute("DELETE FROM pictures WHERE image_id NOT IN (SELECT id FROM images)")
    for table in RESOURCES:
        gone = f"collection = '{table}' AND record_id NOT IN (SELECT id FROM {table})"
        connection.execute(f"DELETE FROM imports WHERE {gone}")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise ConfigurationError(f"There is no library {path}.\nName another with --library FILE.")
    if not is_read_only(path):
        with closing(connect(str(path))) as connection:
            yield connection
        return
    with closing(ReadOnlyFile(path)) as file, closing(file.connect()) as connection:
        yield connection


def _run(name: str, check: Callable[[sqlite3.Connection], str], connection: sqlite3.Connection) -> Finding:
    try:
        return Finding(name, detail=check(connection))
    except _Wrong as wrong:
        return Finding(name, str(wrong), repairable=wrong.repairable)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorname.startswith("SQLITE_BUSY"):
            raise  # the file itself is fine
        return Finding(name, f"it could not be checked: {error}")


def _pages(connection: sqlite3.Connection) -> str:
    rows = [row[0] for row in connection.execute("PRAGMA quick_check(20)")]
    if rows != ["ok"]:
        raise _Wrong(f"the file is damaged: {rows[0].splitlines()[-1]}")
    (count,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return f"{count * size / 1e6:,.1f} MB"


def _resources(connection: sqlite3.Connection) -> list[str]:
    """Return the collections of a file; an older one may have fewer."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    return [table for table in RESOURCES if table in tables]


def _records(connection: sqlite3.Connection) -> str:
    tables = _resources(connection)
    counts = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    return ", ".join(f"{count:,} {table}" for table, count in counts.items())


def _pictures(connection: sqlite3.Connection) -> str:
    missing = connection.execute(
        "SELECT id FROM images WHERE NOT EXISTS (SELECT 1 FROM pictures WHERE image_id = id) ORDER BY id"
    ).fetchall()
    if missing:
        raise _Wrong(f"{_named('image', missing)} without a picture")
    broken = [
        (number,)
        for number, png, digest in connection.execute(
            "SELECT id, png, digest FROM images JOIN pictures ON image_id = id"
        )
        if picture_digest(png) != digest
    ]
    if broken:
        raise _Wrong(f"{_named('image', broken)} with a picture that has changed")
    return "every image has its picture, unchanged"


def _orphans(connection: sqlite3.Connection) -> str:
    orphans = connection.execute(
        "SELECT image_id FROM pictures WHERE NOT EXISTS (SELECT 1 FROM images WHERE id = image_id)"
    ).fetchall()
    if orphans:
        raise _Wrong(f"{_named('picture', orphans)} without an image", repairable=True)
    return "none"


def _totals(connection: sqlite3.Connection) -> str:
    tables = _resources(connection)
    for table, columns, block in [kept for kept in KEPT_TOTALS if kept[0] in tables]:
        kept = f"SELECT {', '.join(columns)}, block, total FROM {table}_totals WHERE total <> 0"
        counted = count_totals(table, columns, block)
        for one, other in ((kept, counted), (counted, kept)):
            if connection.execute(f"SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other})").fetchone():
                raise _Wrong(f"the stored totals of {table} differ from the counts", repairable=True)
    return "match the counts"


def _search(connection: sqlite3.Connection) -> str:
    looked_up, tables = 0, _resources(connection)
    for table, column in [searched for searched in SEARCHED if searched[0] in tables]:
        index = f"{table}_{column}_trigrams"
        try:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")
        except sqlite3.OperationalError as error:
            if "readonly" not in str(error):
                raise
        except sqlite3.DatabaseError:
            raise _Wrong(f"the search index of {table} by {column} is broken", repairable=True) from None
        # One transaction, so that the texts and the lookups are from the same moment.
        connection.execute("BEGIN")
        some = f"SELECT id FROM {table} ORDER BY random() LIMIT {LOOKED_UP}"
        texts = connection.execute(f"SELECT id, {column} FROM {table} WHERE id IN ({some})").fetchall()
        find = f"SELECT 1 FROM {index} WHERE {index} MATCH ? AND rowid = ?"
        lost = []
        for number, text in texts:
            match = match_expression(text)
            if match and not connection.execute(find, (match, number)).fetchone():
                lost.append((number,))
            looked_up += 1
        connection.execute("COMMIT")
        if lost:
            raise _Wrong(f"{_named(RESOURCES[table].noun, lost)} not found by {column}", repairable=True)
    return f"{looked_up:,} texts looked up, all found"


def _imports(connection: sqlite3.Connection) -> str:
    for table in _resources(connection):
        sql = f"SELECT record_id FROM imports WHERE collection = '{table}' AND record_id NOT IN (SELECT id FROM {table})"
        if gone := connection.execute(sql).fetchall():
            raise _Wrong(
                f"{_named(RESOURCES[table].noun, gone)} recorded as imported but missing", repairable=True
            )
    (count,) = connection.execute("SELECT count(*) FROM imports").fetchone()
    return f"{count:,} records"


#: Each check, with the schema version that introduced its tables.
CHECKS: Final[tuple[tuple[str, int, Callable[[sqlite3.Connection], str]], ...]] = (
    ("pages", 1, _pages),
    ("records", 1, _records),
    ("pictures", 1, _pictures),
    ("orphans", 1, _orphans),
    ("totals", 2, _totals),
    ("search", 3, _search),
    ("imports", 5, _imports),
)


def _named(noun: str, rows: Iterable[tuple[int]]) -> str:
    """Return a count with the first few ids, such as ``3 images (4, 7, 9)``."""
    ids = [number for (number,) in rows]
    shown = ", ".join(map(str, ids[:NAMED])) + (", …" if len(ids) > NAMED else "")
    return f"{len(ids):,} {noun}{'' if len(ids) == 1 else 's'} ({shown})"
