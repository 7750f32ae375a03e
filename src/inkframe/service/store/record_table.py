"""The records of one collection: the SQL behind list, get, create, update and delete, and repeated creates."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.service.store.pool import LibraryConnection, Pool, match_expression

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    Record = dict[str, Any]

__all__ = [
    "CLAIMED",
    "COUNTED",
    "KEPT",
    "MOST_KEPT",
    "Matches",
    "Query",
    "RecordTable",
    "Table",
    "find_creation",
    "forget_claim",
    "note_creation",
    "order_by",
    "picture_digest",
    "where_of",
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
            connection.execute(
                "INSERT INTO pictures VALUES (?, ?, ?)", (record["id"], picture, picture_digest(picture))
            )
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
            return connection.execute(f"DELETE FROM {self._table.name} WHERE id = ?", (number,)).rowcount == 1

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


#: The records among which all matches are counted.
SMALL = 2000
#: The matches of a search that are always counted.
COUNTED = 500


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a collection's table.

    Args:
        name: The table, such as ``images``.
        columns: The columns of a record in order, starting with ``id`` and including ``favorite``.
        computed: Expressions for columns that are not stored.
        booleans: The columns returned as true or false.
        large: Whether it may have millions of rows. Its favorites then have their own indexes, its totals are
            stored by block of ids, and its indexes start with the template, which every list filters by.
    """

    name: str
    columns: tuple[str, ...]
    computed: Mapping[str, str] = field(default_factory=dict)
    booleans: tuple[str, ...] = ("favorite",)
    large: bool = False

    def index(self, query: Query) -> str:
        """Return the narrow index with the records of a list in their order."""
        favorites = self.large and query.filters.get("favorite")
        return f"{self.name}_{'favorites_' if favorites else ''}by_{query.sort_by}"


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
        count_all: Whether all matches of a search are counted, however many there are.
    """

    filters: Mapping[str, Any] = field(default_factory=dict)
    search: str = ""
    search_by: str = "name"
    sort_by: str = "id"
    descending: bool = True
    limit: int = 10
    offset: int = 0
    count_all: bool = True

    @property
    def counted(self) -> int:
        """The number of matches from which a search without ``count_all`` has no total."""
        return max(COUNTED, self.offset + self.limit + 1)


class Matches:
    """The searches of one collection.

    Args:
        table: The collection's table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, connection: LibraryConnection, query: Query) -> tuple[Sequence[int], int | None]:
        """Return the matching ids in order, at least those up to the page, and their number if it is known."""
        if query.count_all or self._is_small(connection, query):
            ids = self._found(connection, query, None)
            return ids, len(ids)
        if query.sort_by == "id":
            ids = self._found(connection, query, query.counted)
            return ids, len(ids) if len(ids) < query.counted else None
        if query.offset + query.limit >= COUNTED:
            return self.find(connection, replace(query, count_all=True))
        values: list[Any]
        few, total = self.find(connection, replace(query, sort_by="id"))
        name = self._table.name
        order = order_by(name, query.sort_by, descending=query.descending)
        if total is not None:
            sql, values = f" WHERE id IN (SELECT value FROM json_each(?)){order}", [json.dumps(list(few))]
        else:
            # Where many match, the next ones by name are near.
            where, values = where_of(query.filters)
            sql = f" INDEXED BY {self._table.index(query)}{where} AND contains({query.search_by}, ?){order} LIMIT ?"
            values += [query.search.casefold(), query.offset + query.limit]
        return [id for (id,) in connection.execute(f"SELECT id FROM {name}{sql}", values)], total

    def _is_small(self, connection: LibraryConnection, query: Query) -> bool:
        """Return whether a list without the search is so short that all matches are counted."""
        where, values = where_of(query.filters)
        sql = f"SELECT ifnull(sum(total), 0) FROM {self._table.name}_totals{where}"
        (total,) = connection.execute(sql, values).fetchone()
        return bool(total <= SMALL)

    def _found(self, connection: LibraryConnection, query: Query, most: int | None) -> Sequence[int]:
        """Return the first matching ids in order, with those of the last search until the next write.

        Args:
            connection: The connection.
            query: The search; by name only if all are wanted.
            most: How many are enough; None for all.
        """
        # The first changes when another connection has written, the second when this one has.
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        sql, values = self._matches(query, "")
        search = (sql, values, version, connection.total_changes)
        known, ids, is_complete = connection.last_search
        if known != search:
            ids, is_complete = array("q"), False
        if is_complete or (most is not None and len(ids) >= most):
            return ids
        if ids:
            way = "<" if query.descending else ">"
            sql, values = self._matches(query, f" AND {self._number(query)} {way} {ids[-1]}")
        rows = connection.execute(sql, values)
        missing = None if most is None else most - len(ids)
        more = array("q", (id for (id,) in islice(rows, missing)))
        ids = ids + more
        connection.last_search = search, ids, missing is None or len(more) < missing
        return ids

    def _matches(self, query: Query, start: str) -> tuple[str, list[Any]]:
        """Return the statement for the matching ids in order, from a start, with its values."""
        name, column = self._table.name, query.search_by
        where, values = where_of(query.filters)
        term = query.search.casefold()
        way = "DESC" if query.descending else "ASC"
        order = order_by(name, "name", descending=query.descending)
        if query.sort_by == "id":
            # The search index is read in the order of its own ids, so that nothing is sorted.
            order = f" ORDER BY {self._number(query)} {way}"
        match = match_expression(query.search)
        if match is None:
            index = f" INDEXED BY {self._table.index(query)}" if column == query.sort_by else ""
            return f"SELECT id FROM {name}{index}{where} AND contains({column}, ?){start}{order}", [
                *values,
                term,
            ]
        trigrams = f"{name}_{column}_trigrams"
        sql = (
            f"SELECT id FROM {trigrams} CROSS JOIN {name} ON {name}.id = {trigrams}.rowid"
            f"{where} AND {trigrams} MATCH ? AND contains({name}.{column}, ?){start}{order}"
        )
        return sql, [*values, match, term]

    def _number(self, query: Query) -> str:
        """Return the column by which matches are found in the order of their ids."""
        name = self._table.name
        is_indexed = match_expression(query.search) is not None
        return f"{name}_{query.search_by}_trigrams.rowid" if is_indexed else f"{name}.id"


def order_by(table: str, sort_by: str, *, descending: bool) -> str:
    """Return the order of a list."""
    way = "DESC" if descending else "ASC"
    if sort_by == "name":
        return f" ORDER BY {table}.name COLLATE NOCASE {way}, {table}.id {way}"
    return f" ORDER BY {table}.id {way}"


def where_of(filters: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Return the condition of filters, and its values."""
    # The value of favorite is a literal, or SQLite would not use the index of the favorites.
    terms = [f"favorite = {value:d}" if c == "favorite" else f"{c} = ?" for c, value in filters.items()]
    values = [value for column, value in filters.items() if column != "favorite"]
    return f" WHERE {' AND '.join(terms) or 'true'}", values
