"""The fields of images and documents, each defined once, as plain data.

The other layers derive from it the columns of frames, the fields of replies, the checks of create and update, form
rules and the options of the magics, each with a small map from a field's type to its own reader or rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

__all__ = ["DEFAULT_SIZE", "DOCUMENTS", "IMAGES", "INT64", "PAGE_SIZES", "RESOURCES", "SORTS", "SORT_FIELDS", "FieldSpec", "FieldType",
           "ResourceSpec"]  # fmt: skip

FieldType = Literal["text", "choice", "label", "boolean", "number", "integer", "time", "picture"]

#: List parameters of every collection; the default comes first.
SORT_FIELDS: Final = ("id", "name")
SORTS: Final = ("desc", "asc")
PAGE_SIZES: Final = (10, 25, 50, 100)
#: The default page size of the interface.
DEFAULT_SIZE: Final = PAGE_SIZES[0]
#: The integers that columns can have.
INT64: Final = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a record.

    Args:
        name: The interface's name, which is also the column's.
        type: The type of its values: a ``choice`` is a code, a ``label`` the vocabulary's text for another field.
        about: A short description.
        create: Whether create requires it, accepts it, or neither.
        update: Whether update accepts it.
        filter: Whether lists filter by it.
        search: Whether lists search in it.
        default: The value that create sends by default.
        filter_default: The value that lists filter by if none is given.
        usual: The initial code of forms and commands, if the vocabulary has it.
        longest: The maximum number of characters in the embedded service.
        blank: Whether an empty text is a value.
        vocabulary: The vocabulary's name for its values.
        label_of: The field whose label this is.
        names: The names under which services show it; by default its own.
    """

    name: str
    type: FieldType
    about: str
    create: Literal["required", "optional", "no"] = "no"
    update: bool = False
    filter: bool = False
    search: bool = False
    default: Any = None
    filter_default: Any = None
    usual: str | None = None
    longest: int | None = None
    blank: bool = False
    vocabulary: str | None = None
    label_of: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ResourceSpec:
    """One collection of the interface.

    Args:
        name: Its path and plural, such as ``images``.
        noun: One record of it, such as ``image``.
        fields: Its fields, in the order of the frame's columns.
        source: The field that a record is generated from.
        generated: The field that the service generates.
        file_ending: How the name of a record's file ends.
    """

    name: str
    noun: str
    fields: tuple[FieldSpec, ...]
    source: str
    generated: str
    file_ending: str

    @cached_property
    def columns(self) -> dict[str, FieldSpec]:
        """All fields by name."""
        return {field.name: field for field in self.fields}

    @cached_property
    def shown(self) -> dict[str, FieldSpec]:
        """The fields that a record may show; labels are looked up here."""
        return {field.name: field for field in self.fields if field.type != "label"}

    @cached_property
    def creates(self) -> dict[str, FieldSpec]:
        """The fields that create accepts, the required ones first."""
        return {
            field.name: field
            for field in sorted(self.fields, key=lambda field: field.create != "required")
            if field.create != "no"
        }

    @cached_property
    def settings(self) -> dict[str, FieldSpec]:
        """The fields that create accepts apart from the name and the source."""
        return {name: field for name, field in self.creates.items() if name not in ("name", self.source)}

    @cached_property
    def updates(self) -> dict[str, FieldSpec]:
        """The fields that update accepts."""
        return {field.name: field for field in self.fields if field.update}

    @cached_property
    def filters(self) -> tuple[str, ...]:
        """The list parameters that filter, apart from search and favorite."""
        return tuple(field.name for field in self.fields if field.filter and field.type != "boolean")

    @cached_property
    def arguments(self) -> dict[str, tuple[str, ...]]:
        """The names of each filter in calls, that of its label first."""
        labels = {field.label_of: field.name for field in self.labels}
        return {name: (labels[name], name) if name in labels else (name,) for name in self.filters}

    @cached_property
    def query_names(self) -> tuple[str, ...]:
        """The preferred name of each filter in calls."""
        return tuple(names[0] for names in self.arguments.values())

    @cached_property
    def labels(self) -> tuple[FieldSpec, ...]:
        """The fields that are labels of others."""
        return tuple(field for field in self.fields if field.label_of is not None)

    @cached_property
    def filter_defaults(self) -> dict[str, Any]:
        """The default of each filter that has one."""
        return {field.name: field.filter_default for field in self.fields if field.filter_default is not None}

    @cached_property
    def search_by(self) -> tuple[str, ...]:
        """The fields that a search covers."""
        return tuple(field.name for field in self.fields if field.search)

    @cached_property
    def content(self) -> frozenset[str]:
        """The fields that only a record of this collection has."""
        general = {"boolean", "time", "picture"}
        return frozenset(name for name, field in self.shown.items() if field.type not in general)

    @cached_property
    def booleans(self) -> tuple[str, ...]:
        """The fields that are true or false."""
        return tuple(field.name for field in self.fields if field.type == "boolean")

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The fields whose values are codes of the vocabulary."""
        return tuple(field.name for field in self.fields if field.type == "choice")

    @cached_property
    def has_picture(self) -> bool:
        """Whether records have a picture."""
        return self.columns[self.generated].type == "picture"

    @cached_property
    def file_field(self) -> str | None:
        """The field that a record's file needs; None for pictures, which are fetched separately."""
        return None if self.has_picture else self.generated


NAME: Final = FieldSpec("name", "text", "The name.", create="required", update=True, search=True, longest=255)
FAVORITE: Final = FieldSpec(
    "favorite",
    "boolean",
    "Whether it is a favorite.",
    update=True,
    filter=True,
    names=("favorite", "favourite", "is_favorite", "is_favourite"),
)
CREATED_AT: Final = FieldSpec("created_at", "time", "When it was created.", names=(
    "created_at", "created", "created_on", "date_created", "created_time", "creation_time", "created_date",
    "creation_date", "creation_timestamp", "create_time", "create_date", "inserted_at", "date_added", "timestamp", "date",
))  # fmt: skip
UPDATED_AT: Final = FieldSpec("updated_at", "time", "When it last changed.", names=(
    "updated_at", "updated", "updated_on", "modified", "modified_at", "last_modified", "date_updated",
    "date_modified", "updated_time", "updated_date", "modified_date", "last_modified_date", "last_updated", "update_time", "update_date",
    "last_update_time", "last_modified_time", "modification_time",
))  # fmt: skip

IMAGES: Final = ResourceSpec(
    name="images",
    noun="image",
    fields=(
        NAME,
        FieldSpec("description", "text", "What the picture shows.", create="required"),
        FieldSpec(
            "resolution",
            "choice",
            "Width and height in pixels.",
            create="required",
            filter=True,
            usual="512x512",
            vocabulary="resolutions",
        ),
        FieldSpec("style", "choice", "The style.", create="optional", filter=True, vocabulary="styles"),
        FieldSpec("medium", "choice", "The medium.", create="optional", filter=True, vocabulary="mediums"),
        FieldSpec("filter", "choice", "The filter.", create="optional", filter=True, vocabulary="filters"),
        FAVORITE,
        FieldSpec("picture_url", "picture", "Where the picture is."),
        CREATED_AT,
        UPDATED_AT,
    ),
    source="description",
    generated="picture_url",
    file_ending=".png",
)

DOCUMENTS: Final = ResourceSpec(
    name="documents",
    noun="document",
    fields=(
        NAME,
        FieldSpec(
            "template", "label", "The template's label.", vocabulary="templates", label_of="template_id"
        ),
        FieldSpec(
            "template_id",
            "integer",
            "The template's number.",
            filter=True,
            filter_default=1,
            vocabulary="templates",
            names=("template_id", "template"),
        ),
        FieldSpec("prompt", "text", "The instructions.", create="required"),
        FieldSpec(
            "creativity",
            "number",
            "From 0 (Repetitive) to 1 (Imaginative).",
            create="required",
            default=0.5,
            vocabulary="creativities",
        ),
        FieldSpec("result", "text", "The text.", update=True, search=True, blank=True),
        FAVORITE,
        CREATED_AT,
        UPDATED_AT,
    ),
    source="prompt",
    generated="result",
    file_ending=".md",
)

#: Every collection by its name.
RESOURCES: Final = {spec.name: spec for spec in (IMAGES, DOCUMENTS)}
