"""The two collections of the interface, as data."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class InterfaceCollection:
    """The definition of a collection in the interface.

    Args:
        name: Its name in the path, such as ``images``.
        singular: The noun for one record.
        filters: List parameters that filter by the field of the same name.
        searched: The values of ``search_by``; the first is the default.
        required: The required fields of a create.
        optional: The optional fields of a create, each with its default.
        editable: The fields of an update.
        choices: The fields whose values a deployment lists; without a list the field does not exist.
        generated: The patterns of the generated texts by field.
        has_picture: Whether each record has a picture.
    """

    name: str
    singular: str
    filters: tuple[str, ...]
    searched: tuple[str, ...]
    required: tuple[str, ...]
    optional: dict = field(default_factory=dict)
    editable: tuple[str, ...]
    choices: tuple[str, ...] = ()
    generated: dict = field(default_factory=dict)
    has_picture: bool = False


IMAGES = InterfaceCollection(
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
DOCUMENTS = InterfaceCollection(
    name="documents",
    singular="document",
    filters=("template_id",),
    searched=("name", "result"),
    required=("name", "prompt"),
    optional={"creativity": 0.5},
    editable=("name", "result", "favorite"),
    generated={"result": "{name}.\n\n{prompt}"},
)
#: The collections by name.
COLLECTIONS = {collection.name: collection for collection in (IMAGES, DOCUMENTS)}
