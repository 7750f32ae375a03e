"""The two collections of the interface, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        optional: Fields that a create may have, each with its value where it is not sent.
        editable: Fields that an update may have.
        choices: Fields whose values a deployment lists; one that lists none does not have the field.
        generated: Patterns of the texts that the service generates, by field, from the other fields.
        has_picture: Whether the service draws a picture of each record.
    """

    name: str
    singular: str
    filters: tuple[str, ...]
    searched: tuple[str, ...]
    required: tuple[str, ...]
    optional: Mapping[str, Any] = field(default_factory=dict)
    editable: tuple[str, ...]
    choices: tuple[str, ...] = ()
    generated: Mapping[str, str] = field(default_factory=dict)
    has_picture: bool = False


IMAGES: Final = InterfaceCollection(
    name="images",
    singular="image",
    filters=("resolution", "style", "medium", "filter"),
    searched=("name",),
    required=("name", "description", "resolution"),
    optional={"style": None, "medium": None, "filter": None},
    editable=("name", "favorite"),
    choices=("resolution", "style", "medium", "filter"),
    has_picture=True,
)
DOCUMENTS: Final = InterfaceCollection(
    name="documents",
    singular="document",
    filters=("template_id",),
    searched=("name", "result"),
    required=("name", "prompt"),
    optional={"creativity": 0.5},
    editable=("name", "result", "favorite"),
    generated={"result": "{name}.\n\n{prompt}"},
)
#: The collections by the word in the path.
COLLECTIONS: Final = {collection.name: collection for collection in (IMAGES, DOCUMENTS)}
