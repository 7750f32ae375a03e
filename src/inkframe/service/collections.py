"""What the two collections have in common, as data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from inkframe.service.form_rules import Field, choice, flag, text, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.service.store import Records

__all__ = ["NAME", "PREFIX", "Collection", "now", "timestamp"]

PREFIX = "/api/v1"

#: The name of a record: as long as a line may be, and never blank.
NAME = text("name", limit=255, strip=True)


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of the interface: its fields, its records, and how one is made.

    Args:
        name: The last part of its address, such as ``images``.
        noun: One of them, such as ``image``.
        columns: What a record shows.
        records: What is stored.
        filters: The exact filters of its lists.
        searched: The fields a search can look in, the default first.
        creates: The fields of Store.
        updates: The fields of Update.
        create: Makes and stores a record from the values of ``creates``.
    """

    name: str
    noun: str
    columns: tuple[str, ...]
    records: Records
    filters: tuple[Field, ...]
    searched: tuple[str, ...]
    creates: tuple[Field, ...]
    updates: tuple[Field, ...]
    create: Callable[[Mapping[str, Any]], dict[str, Any]]

    @property
    def path(self) -> str:
        """The address of its list."""
        return f"{PREFIX}/{self.name}"

    @property
    def listing(self) -> tuple[Field, ...]:
        """The fields of List."""
        return (
            text("search", empty=True),
            choice("search_by", self.searched, default=self.searched[0]),
            *self.filters,
            flag("favorite"),
            choice("sort_by", ("id", "name"), default="id"),
            choice("sort", ("desc", "asc"), default="desc"),
            whole("per_page", allowed=(10, 25, 50, 100), default=10),
            whole("page", minimum=1, default=1),
        )


def timestamp(moment: datetime) -> str:
    """Give a moment as the records hold it: ISO 8601 in UTC, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def now() -> str:
    """Give the present moment as the records hold it."""
    return timestamp(datetime.now(UTC))
