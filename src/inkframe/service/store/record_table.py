"""The records of one collection: the SQL behind list, get, create, update and delete, and repeated creates."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from inkframe.service.store.matches import Matches, Query, Table, order_by, where_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from inkframe.service.store.pool import LibraryConnection, Pool

    Record = dict[str, Any]

__all__ = [
    "CLAIMED",
    "KEPT",
    "MOST_KEPT",
    "RecordTable",
    "find_creation",
    "forget_claim",
    "note_creation",
    "picture_digest",
]

#: Ids per block of the stored totals.
BLOCK = 4096

#: The id of a record that is not stored yet, while the engine is asked for it; ids begin with 1.
CLAIMED: Final = 0
#: The validity of a key.
KEPT: Final = timedelta(hours=24)
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
        self._matches = Matches(table)
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

    def page(self, query: Query) -> tuple[list[Record], int | None]:
        """Return one page of the matching records, and the total number of matches.

        The total of a search without ``count_all`` is None if there are at least ``query.counted`` matches in a
        large list.
        """
        with self._pool.reading() as connection:
            find = self._search if query.search else self._list
            rows, total = find(connection, query)
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
            row = (record["id"], picture, picture_digest(picture))
            connection.execute("INSERT INTO pictures VALUES (?, ?, ?)", row)
        return record

    def counts(self, column: str) -> dict[int, int]:
        """Return the number of records with each value of a column of numbers that lists filter by."""
        name = self._table.name
        sql = f"SELECT {column}, sum(total) AS held FROM {name}_totals GROUP BY {column} HAVING held > 0"
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
            cursor = connection.execute(f"DELETE FROM {self._table.name} WHERE id = ?", (number,))
            return cursor.rowcount == 1

    def _records(self, rows: Iterable[tuple[Any, ...]]) -> list[Record]:
        columns = self._table.columns
        records = [dict(zip(columns, row, strict=False)) for row in rows]
        for record in records:
            for column in self._table.booleans:
                record[column] = record[column] == 1
        return records

    def _list(self, connection: sqlite3.Connection, query: Query) -> tuple[list[Any], int]:
        """Find the ids of a page in a narrow index, then fetch its records."""
        name = self._table.name
        where, values = where_of(query.filters)
        (total,) = connection.execute(
            f"SELECT ifnull(sum(total), 0) FROM {name}_totals{where}", values
        ).fetchone()
        limit = min(query.limit, total - query.offset)
        if limit <= 0:
            return [], total
        # Read from the nearer end.
        backwards = query.offset > total // 2
        offset = total - query.offset - limit if backwards else query.offset
        descending = query.descending != backwards
        order = order_by(name, query.sort_by, descending=descending)
        start, walked = "", where
        if self._table.large and query.sort_by == "id" and offset > BLOCK:
            start, offset = self._skip_blocks(connection, query.filters, offset, descending=descending)
        elif self._table.large and query.sort_by == "name":
            if query.filters.get("favorite") is False and offset > BLOCK:
                start, entry, offset = self._skip_others(connection, query, offset, descending=descending)
                values += entry
            else:
                walked, order = _unended(where, order, descending=descending)
        ids = f"SELECT id FROM {name} INDEXED BY {self._table.index(query)}{walked}{start}{order} LIMIT ? OFFSET ?"
        shown = order_by(name, query.sort_by, descending=query.descending)
        sql = f"SELECT {self._shown} FROM {name} WHERE id IN ({ids}){shown}"
        return connection.execute(sql, (*values, limit, offset)).fetchall(), total

    def _skip_blocks(
        self, connection: sqlite3.Connection, filters: Mapping[str, Any], offset: int, *, descending: bool
    ) -> tuple[str, int]:
        """Return a condition that skips whole blocks of ids, and the offset that remains."""
        where, values = where_of(filters)
        way = "DESC" if descending else "ASC"
        sql = f"SELECT block, sum(total) FROM {self._table.name}_totals{where} GROUP BY block ORDER BY block {way}"
        for block, held in connection.execute(sql, values):
            edge = (block + 1) * BLOCK - 1 if descending else block * BLOCK
            if held > offset:  # as one does: the totals of the blocks are the total
                break
            offset -= held
        return f" AND id {'<=' if descending else '>='} {edge}", offset

    def _skip_others(
        self, connection: sqlite3.Connection, query: Query, offset: int, *, descending: bool
    ) -> tuple[str, list[Any], int]:
        """Return a start in the order by name, and the remaining offset, for records that are not favorites.

        As many entries as the offset are skipped without filtering, which is three times as fast. The few
        favorites among them are counted in their own index: that many entries remain to be skipped.
        """
        name = self._table.name
        every = replace(query, filters={c: value for c, value in query.filters.items() if c != "favorite"})
        where, values = where_of(every.filters)
        walked, order = _unended(where, order_by(name, "name", descending=descending), descending=descending)
        entry = connection.execute(
            f"SELECT name, id FROM {name} INDEXED BY {self._table.index(every)}{walked}{order} LIMIT 1 OFFSET ?",
            (*values, offset),
        ).fetchone()
        before, after = (">", "<=") if descending else ("<", ">=")
        favorites = self._table.index(replace(query, filters={"favorite": True}))
        (passed,) = connection.execute(
            f"SELECT count(*) FROM {name} INDEXED BY {favorites}{where} AND favorite = 1{_beside(before)}",
            (*values, entry[0], *entry),
        ).fetchone()
        return _beside(after), [entry[0], *entry], passed

    def _search(self, connection: LibraryConnection, query: Query) -> tuple[list[Any], int | None]:
        """Find the matching ids up to the page, then fetch its records."""
        name = self._table.name
        order = order_by(name, query.sort_by, descending=query.descending)
        ids, total = self._matches.find(connection, query)
        wanted = json.dumps(list(ids[query.offset : query.offset + query.limit]))
        sql = f"SELECT {self._shown} FROM {name} WHERE id IN (SELECT value FROM json_each(?)){order}"
        return connection.execute(sql, (wanted,)).fetchall(), total


def picture_digest(picture: bytes) -> str:
    """Return a picture's digest, used as its ETag and to verify the stored file."""
    return blake2b(picture, digest_size=12).hexdigest()


def _beside(relation: str) -> str:
    """Return the condition that a record is before or after a name and an id, in the order by name."""
    # The index is searched by name first; the id only separates records with the same name.
    return f" AND name COLLATE NOCASE {relation[0]}= ? AND (name COLLATE NOCASE, id) {relation} (?, ?)"


def _unended(where: str, order: str, *, descending: bool) -> tuple[str, str]:
    """Return the condition and order of a scan that starts at a template and does not check for its end.

    The total already proves that the page ends within the template. Without a comparison of each entry,
    skipping is four times as fast.
    """
    edge, way = ("<=", "DESC") if descending else (">=", "ASC")
    return (
        where.replace("template_id = ?", f"template_id {edge} ?"),
        order.replace(" ORDER BY ", f" ORDER BY template_id {way}, "),
    )


def find_creation(
    connection: sqlite3.Connection, collection: str, key: str, since: str
) -> tuple[int, str] | None:
    """Return the id of the record that a key created, or ``CLAIMED``, and the digest of what was sent, or None.

    Args:
        connection: A connection to the library.
        collection: ``images`` or ``documents``.
        key: The key.
        since: The time before which keys no longer count.
    """
    sql = "SELECT record_id, digest FROM creations WHERE collection = ? AND key = ? AND created_at >= ?"
    found: tuple[int, str] | None = connection.execute(sql, (collection, key, since)).fetchone()
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
