"""Queries for pages of a collection, and the matches of a search, counted only as far as a page needs them."""

# ruff: noqa: S608  # table and column names are our own; every value is bound as a parameter

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from inkframe.service.store.pool import LibraryConnection, match_expression

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


__all__ = ["COUNTED", "Matches", "Query", "Table", "order_by", "where_of"]

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
