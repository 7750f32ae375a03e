"""Queries for pages of a collection, and their conditions and order in SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COUNTED", "Query", "Table", "order_by", "where_of"]

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
