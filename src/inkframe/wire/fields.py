"""The fields of an image and of a document, and how services name and write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from inkframe.wire.values import read_boolean, read_integer, read_number, read_text, read_time

__all__ = ["DOCUMENTS", "ID_NAMES", "IMAGES", "Kind"]

Reader = Callable[[Any], Any]

#: The usual names of an id, the likeliest first.
ID_NAMES: Final = ("id", "_id", "uuid", "ID", "Id", "uid", "guid", "key", "pk")
CREATED_NAMES: Final = ("created_at", "createdAt", "created", "created_on", "date_created", "created_time",
                        "creation_date", "inserted_at", "timestamp", "date", "createdDate")  # fmt: skip
UPDATED_NAMES: Final = ("updated_at", "updatedAt", "updated", "updated_on", "modified", "modified_at",
                        "modifiedAt", "last_modified", "date_updated", "lastModifiedDate")  # fmt: skip
PICTURE_NAMES: Final = ("picture_url", "url", "image_url", "imageUrl", "image", "picture", "src", "file", "path",
                        "file_url", "image_path", "file_path", "download_url", "location", "href", "result",
                        "media_url", "original_url", "b64_json", "base64", "image_base64", "data")  # fmt: skip
FAVORITE_NAMES: Final = ("favorite", "favourite", "is_favorite", "isFavorite")
TEMPLATE_NAMES: Final = ("template_id", "templateId", "template")


@dataclass(frozen=True)
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
        "picture_url": PICTURE_NAMES,
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
