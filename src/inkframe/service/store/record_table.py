"""The records of one collection: the SQL behind list, get, create, update and delete, and repeated creates."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from inkframe.service.store.pool import Pool

    Record = dict[str, Any]

__all__ = [
    "CLAIMED",
    "MOST_KEPT",
    "TOKENS",
    "Query",
    "RecordTable",
    "Table",
    "find_creation",
    "forget_claim",
    "note_creation",
    "picture_digest",
]

#: The id of a record that is not stored yet, while the engine is asked for it; ids begin with 1.
CLAIMED: Final = 0
#: The columns with the tokens that a text took, where they are known; the interface has no such fields.
TOKENS: Final = ("prompt_tokens", "completion_tokens")
#: The most keys in a library; the oldest ones are forgotten first.
MOST_KEPT: Final = 10_000


class RecordTable:
    """The records of one collection in a library.

    Args:
        pool: The library's connections.
        table: The collection's table.
    """

    def __init__(self, pool: Pool, table: Table) -> None:
        self._pool = pool
        self._table = table
        shown = (f"{table.computed[c]} AS {c}" if c in table.computed else c for c in table.columns)
        self._shown = ", ".join(shown)
        self._get = f"SELECT {self._shown} FROM {table.name} WHERE id = ?"

    def get(self, number: int) -> Record | None:
        """Return the record with an id, or None."""
        with self._pool.connection() as connection:
            return self.read(connection, number)

    def read(self, connection: sqlite3.Connection, number: int) -> Record | None:
        """Return the record with an id, or None, on the caller's connection."""
        row = connection.execute(self._get, (number,)).fetchone()
        return self._records([row])[0] if row else None

    def page(self, query: Query) -> tuple[list[Record], int]:
        """Return one page of the matching records, and the total number of matches."""
        name = self._table.name
        where = " AND ".join(f"{column} = ?" for column in query.filters) or "true"
        values = [*query.filters.values()]
        way = "DESC" if query.descending else "ASC"
        order = f"name COLLATE NOCASE {way}, id {way}" if query.sort_by == "name" else f"id {way}"
        with self._pool.reading() as connection:
            if query.search:
                # One search for the total and for the page.
                sql = (
                    f"SELECT id FROM {name} LEFT JOIN {name}_folded ON record_id = id WHERE {where}"
                    f" AND instr(ifnull(folded_{query.search_by}, lower({query.search_by})), ?) ORDER BY {order}"
                )
                found = [id for (id,) in connection.execute(sql, (*values, query.search.casefold()))]
                total, page = len(found), found[query.offset : query.offset + query.limit]
                ids, values = "SELECT value FROM json_each(?)", [json.dumps(page)]
            else:
                ((total,),) = connection.execute(f"SELECT count(*) FROM {name} WHERE {where}", values)
                # An index has all that is compared here, so that no record before the page is read.
                ids = f"SELECT id FROM {name} WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
                values += query.limit, query.offset
            sql = f"SELECT {self._shown} FROM {name} WHERE id IN ({ids}) ORDER BY {order}"
            rows = connection.execute(sql, values).fetchall()
        return self._records(rows), total

    def insert(
        self, connection: sqlite3.Connection, values: Mapping[str, Any], picture: bytes | None = None
    ) -> Record:
        """Insert a record, and its picture if it has one, inside the caller's transaction."""
        columns = ", ".join(values)
        places = ", ".join("?" * len(values))
        sql = f"INSERT INTO {self._table.name} ({columns}) VALUES ({places}) RETURNING {self._shown}"
        record = self._records(connection.execute(sql, tuple(values.values())).fetchall())[0]
        if picture is not None:
            connection.execute(
                "INSERT INTO pictures VALUES (?, ?, ?)", (record["id"], picture, picture_digest(picture))
            )
        return record

    def counts(self, column: str) -> dict[int, int]:
        """Return the number of records with each value of a column of numbers that lists filter by."""
        sql = f"SELECT {column}, count(*) FROM {self._table.name} GROUP BY {column}"
        with self._pool.connection() as connection:
            return dict(connection.execute(sql).fetchall())

    def picture(self, number: int) -> tuple[bytes, str] | None:
        """Return the PNG bytes of a record's picture and their digest, or None."""
        with self._pool.connection() as connection:
            sql = "SELECT png, digest FROM pictures WHERE image_id = ?"
            found: tuple[bytes, str] | None = connection.execute(sql, (number,)).fetchone()
        return found

    def update(self, number: int, values: Mapping[str, Any]) -> Record | None:
        """Update a record and return it, or return None if there is no such record."""
        changes = ", ".join(f"{column} = ?" for column in values)
        sql = f"UPDATE {self._table.name} SET {changes} WHERE id = ? RETURNING {self._shown}"
        with self._pool.writing() as connection:
            rows = connection.execute(sql, (*values.values(), number)).fetchall()
        return self._records(rows)[0] if rows else None

    def delete(self, number: int) -> bool:
        """Delete a record; return False if there is no such record."""
        with self._pool.writing() as connection:
            return connection.execute(f"DELETE FROM {self._table.name} WHERE id = ?", (number,)).rowcount == 1

    def _records(self, rows: Iterable[tuple[Any, ...]]) -> list[Record]:
        columns = self._table.columns
        records = [dict(zip(columns, row, strict=False)) for row in rows]
        for record in records:
            for column in self._table.booleans:
                record[column] = record[column] == 1
            usage = {name: n for name in TOKENS if (n := record.pop(name, None)) is not None}
            record.update({"usage": usage} if usage else {})
        return records


def picture_digest(picture: bytes) -> str:
    """Return a picture's digest, used as its ETag and to verify the stored file."""
    return blake2b(picture, digest_size=12).hexdigest()


def find_creation(connection: sqlite3.Connection, collection: str, key: str) -> tuple[int, str] | None:
    """Return the id of the record that a key created, or ``CLAIMED``, and the digest of what was sent, or None.

    Args:
        connection: A connection to the library.
        collection: ``images`` or ``documents``.
        key: The key.
    """
    sql = "SELECT record_id, digest FROM creations WHERE collection = ? AND key = ?"
    found: tuple[int, str] | None = connection.execute(sql, (collection, key)).fetchone()
    return found


def note_creation(
    connection: sqlite3.Connection, collection: str, key: str, record_id: int, digest: str, moment: str
) -> None:
    """Store that a key created a record, or claims to, inside the caller's transaction; forget the oldest keys.

    Args:
        connection: A connection to the library.
        collection: ``images`` or ``documents``.
        key: The key; an older creation with it is replaced.
        record_id: The id of the record, or ``CLAIMED``.
        digest: The digest of what was sent.
        moment: The time of the creation.
    """
    # The number of a claim stays when its record is stored; a new row gets that of the latest plus one.
    sql = (
        "INSERT INTO creations (collection, key, record_id, digest, created_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (collection, key) DO UPDATE"
        " SET record_id = excluded.record_id, digest = excluded.digest, created_at = excluded.created_at"
    )
    connection.execute(sql, (collection, key, record_id, digest, moment))
    connection.execute(
        "DELETE FROM creations WHERE number <= (SELECT max(number) FROM creations) - ?", (MOST_KEPT,)
    )


def forget_claim(connection: sqlite3.Connection, collection: str, key: str) -> None:
    """Forget a key that created no record, inside the caller's transaction."""
    sql = "DELETE FROM creations WHERE collection = ? AND key = ? AND record_id = ?"
    connection.execute(sql, (collection, key, CLAIMED))


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a collection's table.

    Args:
        name: The table, such as ``images``.
        columns: The columns of a record in order, starting with ``id`` and including ``favorite``.
        computed: Expressions for columns that are not stored.
        booleans: The columns returned as true or false.
    """

    name: str
    columns: tuple[str, ...]
    computed: Mapping[str, str] = field(default_factory=dict)
    booleans: tuple[str, ...] = ("favorite",)


@dataclass(frozen=True, slots=True)
class Query:
    """A query for one page of records.

    Args:
        filters: Exact values by column.
        search: A substring, or empty for none.
        search_by: The column to search.
        sort_by: ``id`` or ``name``; records with the same name are ordered by id.
        descending: Whether the order is descending.
        limit: The number of records on the page.
        offset: The number of records before the page.
    """

    filters: Mapping[str, Any] = field(default_factory=dict)
    search: str = ""
    search_by: str = "name"
    sort_by: str = "id"
    descending: bool = True
    limit: int = 10
    offset: int = 0
