"""The two collections of the interface, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["COLLECTIONS", "DOCUMENTS", "IMAGES", "InterfaceCollection"]


@dataclass(frozen=True, kw_only=True)
class InterfaceCollection:
    """The definition of a collection in the interface.

    Args:
        name: Its name in the path, such as ``images``.
        singular: The noun for one record.
        filters: List parameters that filter by the field of the same name.
        searched: The values of ``search_by``; the first is the default.
        required: The required fields of a create.
        optional: The optional fields of a create.
        editable: The fields of an update.
    """

    name: str
    singular: str
    filters: tuple[str, ...]
    searched: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    editable: tuple[str, ...]


IMAGES: Final = InterfaceCollection(
    name="images",
    singular="image",
    filters=("resolution", "style", "medium", "filter"),
    searched=("name",),
    required=("name", "description", "resolution"),
    optional=("style", "medium", "filter"),
    editable=("name", "favorite"),
)
DOCUMENTS: Final = InterfaceCollection(
    name="documents",
    singular="document",
    filters=("template_id",),
    searched=("name", "result"),
    required=("name", "prompt"),
    optional=("creativity",),
    editable=("name", "result", "favorite"),
)
#: The collections by name.
COLLECTIONS: Final = {collection.name: collection for collection in (IMAGES, DOCUMENTS)}
