"""The two collections of the interface, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["COLLECTIONS", "DOCUMENTS", "IMAGES", "InterfaceCollection"]


@dataclass(frozen=True, kw_only=True)
class InterfaceCollection:
    """What the interface says about a collection.

    Args:
        name: The word in the path, such as ``images``.
        singular: The word for one record.
        filters: List parameters that are compared with the field of the same name.
        searched: Fields that ``search_by`` may name; the first is the default.
        required: Fields that a create needs.
        optional: Fields that a create may have.
        editable: Fields that an update may have.
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
#: The collections by the word in the path.
COLLECTIONS: Final = {collection.name: collection for collection in (IMAGES, DOCUMENTS)}
