"""The schema as numbered steps; ``PRAGMA user_version`` is the number of steps applied to a file.

A released step is never changed; new steps are added after it. Each step also fills its new tables and
columns for the existing records.
"""

# ruff: noqa: S608  # table and column names are our own; there are no values from outside

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

__all__ = ["KEPT_TOTALS", "MIGRATIONS", "SEARCHED", "migrate"]

LOOKS = ("resolution", "style", "medium", "filter", "favorite")

# Steps below read these tables, so that a later step with more of them leaves theirs as they are.

#: The tables with stored totals, and the columns and block of ids of each total. A deep page of documents is
#: found by adding up blocks of 4,096.
KEPT_TOTALS = (("images", LOOKS, "0"), ("documents", ("template_id", "favorite"), "id >> 12"))

#: The columns that are searched, by table.
SEARCHED = (("images", "name"), ("documents", "name"), ("documents", "result"))


def migrate(connection: sqlite3.Connection) -> None:
    """Upgrade a library to the current schema, inside the caller's transaction."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def m001_records(connection: sqlite3.Connection) -> None:
    """Create the records. Pictures get their own table, so lists never read them; ids are not reused."""
    connection.execute("""
        CREATE TABLE images (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            resolution TEXT NOT NULL,
            style TEXT,
            medium TEXT,
            filter TEXT,
            favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT""")
    connection.execute("""
        CREATE TABLE pictures (
            image_id INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
            png BLOB NOT NULL,
            digest TEXT NOT NULL
        ) STRICT""")
    connection.execute("""
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            template_id INTEGER NOT NULL,
            prompt TEXT NOT NULL,
            creativity REAL NOT NULL,
            result TEXT NOT NULL,
            favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT""")
    connection.execute("CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT")
    connection.execute("INSERT INTO counters VALUES ('take', 0)")


def m002_lists(connection: sqlite3.Connection) -> None:
    """Create stored totals, and narrow indexes for deep pages.

    The indexes contain the filtered columns, so that a page's ids are found without reading records.
    """
    for table, columns, block in KEPT_TOTALS:
        _keep_totals(connection, table, columns, block)
    by_id, by_name = "template_id, id, favorite", "template_id, name COLLATE NOCASE, id, favorite"
    for statement in (
        f"CREATE INDEX images_by_id ON images (id, {', '.join(LOOKS)})",
        f"CREATE INDEX images_by_name ON images (name COLLATE NOCASE, id, {', '.join(LOOKS)})",
        f"CREATE INDEX documents_by_id ON documents ({by_id})",
        f"CREATE INDEX documents_by_name ON documents ({by_name})",
        f"CREATE INDEX documents_favorites_by_id ON documents ({by_id}) WHERE favorite = 1",
        f"CREATE INDEX documents_favorites_by_name ON documents ({by_name}) WHERE favorite = 1",
    ):
        connection.execute(statement)


def m003_search(connection: sqlite3.Connection) -> None:
    """Create the trigram tables for search; triggers keep them current."""
    for table, column in SEARCHED:
        _keep_trigrams(connection, table, column)


def m004_identity(connection: sqlite3.Connection) -> None:
    """Create the library's identity, which distinguishes it from an earlier library in the same file."""
    connection.execute("CREATE TABLE identity (id TEXT NOT NULL) STRICT")
    connection.execute("INSERT INTO identity VALUES (lower(hex(randomblob(16))))")


def m005_imports(connection: sqlite3.Connection) -> None:
    """Create the table of imported records: the id of each at its source, and its digest on arrival.

    Deleting a record also deletes its row here, so that it can be imported again.
    """
    connection.execute("""
        CREATE TABLE imports (
            source TEXT NOT NULL,
            collection TEXT NOT NULL,
            source_id TEXT NOT NULL,
            record_id INTEGER NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (source, collection, source_id)
        ) STRICT, WITHOUT ROWID""")
    connection.execute("CREATE UNIQUE INDEX imports_by_record ON imports (collection, record_id)")
    for table in ("images", "documents"):
        _forget_imports(connection, table)


def m006_creations(connection: sqlite3.Connection) -> None:
    """Create the table of the records that creates with an ``Idempotency-Key`` have stored.

    A record that is deleted keeps its row here, so that another try does not create it again.
    """
    connection.execute("""
        CREATE TABLE creations (
            number INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            key TEXT NOT NULL,
            record_id INTEGER NOT NULL,
            digest TEXT NOT NULL,
            created_at TEXT NOT NULL,
            UNIQUE (collection, key)
        ) STRICT""")


def _keep_totals(connection: sqlite3.Connection, table: str, columns: tuple[str, ...], block: str) -> None:
    keys = f"{', '.join(columns)}, block"
    # A missing look is '' here, since a primary key cannot be NULL.
    stored = ", ".join(f"ifnull({c}, '')" for c in columns)
    added = ", ".join(f"ifnull(new.{c}, '')" for c in columns)
    matches = " AND ".join(f"{c} = ifnull(old.{c}, '')" for c in columns)
    new, old = block.replace("id", "new.id"), block.replace("id", "old.id")
    add = (
        f"INSERT INTO {table}_totals VALUES ({added}, {new}, 1)"
        f" ON CONFLICT ({keys}) DO UPDATE SET total = total + 1;"
    )
    remove = f"UPDATE {table}_totals SET total = total - 1 WHERE {matches} AND block = {old};"
    changes = ", ".join(columns)
    for statement in (
        f"CREATE TABLE {table}_totals ({keys}, total INTEGER NOT NULL, PRIMARY KEY ({keys})) WITHOUT ROWID",
        f"INSERT INTO {table}_totals SELECT {stored}, {block} AS block, count(*) FROM {table} GROUP BY {keys}",
        f"CREATE TRIGGER {table}_totals_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {table}_totals_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {table}_totals_update AFTER UPDATE OF {changes} ON {table} BEGIN {remove} {add} END",
    ):
        connection.execute(statement)


def _keep_trigrams(connection: sqlite3.Connection, table: str, column: str) -> None:
    # Without content, positions and sizes the index is half the size of the texts. fold() folds the case by
    # the same rule as the check of a candidate.
    index = f"{table}_{column}_trigrams"
    add = f"INSERT INTO {index} (rowid, {column}) VALUES (new.id, fold(new.{column}));"
    remove = f"INSERT INTO {index} ({index}, rowid, {column}) VALUES ('delete', old.id, fold(old.{column}));"
    options = """content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1" """
    changed = f"WHEN old.{column} IS NOT new.{column}"
    for statement in (
        f"CREATE VIRTUAL TABLE {index} USING fts5 ({column}, {options})",
        f"INSERT INTO {index} (rowid, {column}) SELECT id, fold({column}) FROM {table}",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE OF {column} ON {table} {changed} BEGIN {remove} {add} END",
    ):
        connection.execute(statement)


def _forget_imports(connection: sqlite3.Connection, table: str) -> None:
    forget = f"DELETE FROM imports WHERE collection = '{table}' AND record_id = old.id;"
    connection.execute(f"CREATE TRIGGER {table}_imports_delete AFTER DELETE ON {table} BEGIN {forget} END")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m001_records,
    m002_lists,
    m003_search,
    m004_identity,
    m005_imports,
    m006_creations,
)
