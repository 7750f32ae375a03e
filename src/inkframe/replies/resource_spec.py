"""The fields of an image and of a document, and how services name and write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from inkframe.replies.times import read_time
from inkframe.replies.values import read_boolean, read_integer, read_number, read_text

__all__ = ["DOCUMENTS", "ID_NAMES", "IMAGES", "MADE_ID_NAMES", "Kind"]

Reader = Callable[[Any], Any]

#: The usual names of an id, the likeliest first; here and below case, ``_`` and ``-`` do not count.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")
#: What database drivers call the id of what they just made.
MADE_ID_NAMES: Final = ("inserted_id", "insert_id", "last_insert_id", "last_insert_rowid", "last_id", "created_id",
                        "new_id")  # fmt: skip
CREATED_NAMES: Final = ("created_at", "created", "created_on", "date_created", "created_time", "creation_time",
                        "created_date", "creation_date", "creation_timestamp", "inserted_at", "date_added",
                        "timestamp", "date")  # fmt: skip
UPDATED_NAMES: Final = ("updated_at", "updated", "updated_on", "modified", "modified_at", "last_modified",
                        "date_updated", "date_modified", "updated_time", "updated_date", "modified_date",
                        "last_modified_date", "last_updated")  # fmt: skip
FAVORITE_NAMES: Final = ("favorite", "favourite", "is_favorite", "is_favourite")
TEMPLATE_NAMES: Final = ("template_id", "template")
#: Columns that any record may have, of whatever collection.
GENERAL: Final = frozenset({"favorite", "created_at", "updated_at"})


@dataclass(frozen=True, eq=False)
class Kind:
    """One of the two collections.

    Args:
        resource: Its path and plural, such as ``images``.
        noun: One record of it, such as ``image``.
        readers: The reader of each column that a record may show, in the order of the frame.
        names: The names a service may use for a column, where they are not the column's own.
        writable: The columns that an update takes.
        filters: The query parameters of a list that narrow it, beside search and favorite.
        search_by: The fields a search can look in.
    """

    resource: str
    noun: str
    readers: Mapping[str, Reader]
    names: Mapping[str, tuple[str, ...]]
    writable: tuple[str, ...]
    filters: tuple[str, ...]
    search_by: tuple[str, ...]

    def candidates(self, column: str) -> tuple[str, ...]:
        """Give the names under which a service may show a column."""
        return self.names.get(column, (column,))

    @cached_property
    def content(self) -> frozenset[str]:
        """The columns that only a record of this collection has."""
        return frozenset(self.readers) - GENERAL - {"picture_url"}


IMAGES: Final = Kind(
    resource="images",
    noun="image",
    readers={
        "name": read_text,
        "description": read_text,
        "resolution": read_text,
        "style": read_text,
        "medium": read_text,
        "filter": read_text,
        "favorite": read_boolean,
        "picture_url": read_text,
        "created_at": read_time,
        "updated_at": read_time,
    },
    names={
        "favorite": FAVORITE_NAMES,
        "picture_url": (),
        "created_at": CREATED_NAMES,
        "updated_at": UPDATED_NAMES,
    },
    writable=("name", "favorite"),
    filters=("resolution", "style", "medium", "filter"),
    search_by=("name",),
)

DOCUMENTS: Final = Kind(
    resource="documents",
    noun="document",
    readers={
        "name": read_text,
        "template_id": read_integer,
        "prompt": read_text,
        "creativity": read_number,
        "result": read_text,
        "favorite": read_boolean,
        "created_at": read_time,
        "updated_at": read_time,
    },
    names={
        "favorite": FAVORITE_NAMES,
        "template_id": TEMPLATE_NAMES,
        "created_at": CREATED_NAMES,
        "updated_at": UPDATED_NAMES,
    },
    writable=("name", "result", "favorite"),
    filters=("template_id",),
    search_by=("name", "result"),
)
