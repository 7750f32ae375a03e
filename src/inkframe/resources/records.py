"""Records as objects that render inline, and rows of plain values from records, frames or ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, fields
from datetime import datetime
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self, TypeGuard, TypeVar

from inkframe.editing.bulk import is_own_file
from inkframe.errors import InkframeError, InvalidArgument, checked_calls
from inkframe.frames import records_of
from inkframe.schema import DOCUMENTS, IMAGES, ResourceSpec
from inkframe.system.files import check_file, write_file
from inkframe.versions import Later
from inkframe.vocabulary.arguments import NOT_GIVEN, NotGiven, check_id, short
from inkframe.vocabulary.names import Creativity, Filter, Medium, Resolution, Style

if TYPE_CHECKING:
    import pandas as pd
    import PIL.Image as pillow  # noqa: N813  # a record is named Image
else:
    pillow = Later("PIL.Image")

__all__ = ["Document", "Image", "TypedRecord", "fields_of", "is_awaited", "is_finished",
           "is_frame", "picture_of", "picture_source", "read_ids", "row_of",
           "service_of", "values_of"]  # fmt: skip

Kind_co = TypeVar("Kind_co", covariant=True)
#: What the constructors of records take beside the fields, in their order.
PRIVATE: Final = ("_origin", "_source", "_awaited")


class Origin(Protocol[Kind_co]):
    """The collection of a record, through which it is shown, read and written again."""

    @property
    def service(self) -> str:
        """The name of the service in captions."""

    def get(self, id: Any) -> Kind_co:
        """Fetch a record."""

    def update(self, id: Any, **fields: Any) -> Kind_co:
        """Update a record."""

    def create(self, **fields: Any) -> Kind_co:
        """Create a record."""

    def delete(self, id: Any) -> None:
        """Delete a record."""


@checked_calls
@dataclass(frozen=True, eq=False, repr=False)
class TypedRecord:
    """The common base of the records of all collections."""

    _spec: ClassVar[ResourceSpec]
    #: Attributes of this class by what other libraries call them.
    _meant: ClassVar[Mapping[str, str]] = {}

    id: int | str

    def __post_init__(self, *private: object) -> None:
        # What is no field stays out of ``asdict``, and so out of a DataFrame of records.
        vars(self).update(zip(PRIVATE, private, strict=False))

    def __getstate__(self) -> dict[str, Any]:
        # A copy or pickle keeps the record but not its client, which has the key.
        names = self.__dataclass_fields__
        return {name: kept for name, kept in vars(self).items() if name in names} | {"_origin": None}

    def __repr__(self) -> str:
        shown = [
            f"{name}={short(value)}" for name, value in fields_of(self).items() if value not in (None, {})
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def refresh(self) -> Self:
        """Return this record as the service has it now.

        Raises:
            InvalidArgument: This is a copy without a client.
            NotFound: The record was deleted.
        """
        return self._collection().get(self.id)

    def delete(self) -> None:
        """Delete this record from the service; this cannot be undone.

        Raises:
            InvalidArgument: This is a copy without a client; nothing was sent.
            NotFound: The record was deleted before.
        """
        self._collection().delete(self.id)

    def _again(self, changes: Mapping[str, Any]) -> Self:
        """Create another record with the settings of this one, where the service shows them, and some changes."""
        shown = ((name, getattr(self, name)) for name in self._spec.creates)
        settings = {name: value for name, value in shown if value is not None} | {
            name: value for name, value in changes.items() if not isinstance(value, NotGiven)
        }
        for name, each in self._spec.creates.items():
            if each.create == "required" and name not in settings:
                raise InvalidArgument(
                    f"The {name} of {self._spec.noun} {self.id} is not known, since the service does not show it.\n"
                    f"Nothing was sent. Pass again({name}=…)."
                )
        return self._collection().create(**settings)

    def _collection(self) -> Origin[Self]:
        found: Origin[Self] | None = getattr(self, "_origin", None)
        if found is None:
            raise InvalidArgument(
                f"This copy of {self._spec.noun} {self.id} has no client.\n"
                f"Fetch it with client.{self._spec.name}.get({self.id!r})."
            )
        return found


@checked_calls
@dataclass(frozen=True, eq=False, repr=False)
class Image(TypedRecord):
    """A generated image that renders inline in notebooks.

    Attributes:
        id: The id.
        name: The name.
        description: The description it was generated from.
        resolution: The width and height in pixels, such as ``512x512``.
        style: The code of the style, or None.
        medium: The code of the medium, or None.
        filter: The code of the filter, or None.
        favorite: Whether it is a favorite; None if the service does not report it.
        picture_url: The location of the picture.
        created_at: The time of creation, in UTC.
        updated_at: The time of the last change, in UTC.
        extra: The additional fields of the service.
    """

    _spec = IMAGES
    _meant: ClassVar = {"url": "picture_url", "data": "picture_bytes"} | {
        name: f"picture.{name}"
        for name in ("convert", "crop", "height", "mode", "resize", "show", "size", "width")
    }

    name: str | None = None
    description: str | None = None
    resolution: str | None = None
    style: str | None = None
    medium: str | None = None
    filter: str | None = None
    favorite: bool | None = None
    picture_url: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    _origin: InitVar[Origin[Image] | None] = None
    _source: InitVar[str | None] = None
    _awaited: InitVar[bool] = False

    @cached_property
    def picture_bytes(self) -> bytes:
        """The picture as the service stores it, fetched once.

        Raises:
            InvalidArgument: This is a copy without a client.
            InkframeError: The picture could not be fetched, or is invalid.
        """
        origin: Any = self._collection()
        picture: bytes = origin.picture_of(self)
        return picture

    @cached_property
    def picture(self) -> pillow.Image:
        """The picture as a ``PIL.Image``, fetched once.

        Raises:
            InkframeError: The picture could not be fetched, or is invalid.
        """
        from inkframe.display.picture import load_picture

        return load_picture(self.picture_bytes)

    def update(self, *, name: str | NotGiven = NOT_GIVEN, favorite: bool | NotGiven = NOT_GIVEN) -> Image:
        """Update the name or the favorite flag on the service and return the changed image.

        Args:
            name: The new name.
            favorite: Whether it is a favorite.

        Raises:
            InvalidArgument: This is a copy without a client, or a value is not allowed; nothing was sent.
            NotFound: The image was deleted.
        """
        return self._collection().update(self.id, name=name, favorite=favorite)

    def again(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        resolution: Resolution | str | NotGiven = NOT_GIVEN,
        style: Style | str | NotGiven | None = NOT_GIVEN,
        medium: Medium | str | NotGiven | None = NOT_GIVEN,
        filter: Filter | str | NotGiven | None = NOT_GIVEN,
    ) -> Image:
        """Create another image with the same settings but these. Billed by the service; never retried automatically.

        This image stays as it is. Settings that the service does not show are not sent.

        Args:
            name: The name; by default that of this image.
            description: The description of the picture.
            resolution: Width and height in pixels.
            style: A style; None for none.
            medium: A medium; None for none.
            filter: A filter; None for none.

        Raises:
            InvalidArgument: This is a copy without a client, or a value is invalid or not known; nothing was sent.
            OutcomeUnknown: It was sent, but no reply shows whether it happened.

        Example:
            >>> client.images.get(1).again(style="retro").style
            'retro'
        """
        looks = {"style": style, "medium": medium, "filter": filter}
        return self._again({"name": name, "description": description, "resolution": resolution, **looks})

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the picture to a file with our mark; a PNG has the settings too, for ``ink.open_file``.

        Args:
            path: The file; its extension sets the format, and a missing one is added. Or a folder, for a PNG with
                the name that ``download`` gives it.
            overwrite: Whether to replace a file without our mark; one with it is replaced anyway.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The extension is not a picture format, there is another file, or it cannot be
                written.
        """
        from inkframe.display.files import is_picture_file, saved_picture, target_file

        target = target_file(path, self.id, self.name, self._spec.file_ending)
        if not target.suffix:
            target = target.with_suffix(f".{(self.picture.format or 'png').lower()}")
        check_file(target.parent, target.name, overwrite=overwrite, ours=is_picture_file)
        data = saved_picture(values_of(self), self.picture_bytes, target.suffix, service=service_of(self))
        return write_file(target.parent, target.name, data, overwrite=overwrite, ours=is_picture_file)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # The pixels, for numpy.asarray and plt.imshow; decoding always copies.
        import numpy as np

        return np.array(self.picture, dtype=dtype)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        from inkframe.display.fragments import image_bundle

        try:
            picture: bytes | str = self.picture_bytes
        except InkframeError as error:
            picture = str(error)
        return image_bundle(fields_of(self), picture, service=service_of(self))


@checked_calls
@dataclass(frozen=True, eq=False, repr=False)
class Document(TypedRecord):
    """A generated text that renders inline in notebooks.

    Attributes:
        id: The id.
        name: The name.
        template: The label of the template, if the service sends its number.
        template_id: The number of the template.
        prompt: The instructions it was generated from.
        creativity: The creativity, from 0 (Repetitive) to 1 (Imaginative).
        result: The text.
        favorite: Whether it is a favorite; None if the service does not report it.
        created_at: The time of creation, in UTC.
        updated_at: The time of the last change, in UTC.
        extra: The additional fields of the service.
    """

    _spec = DOCUMENTS
    _meant: ClassVar = dict.fromkeys(("body", "content", "markdown", "text"), "result")

    name: str | None = None
    template: str | None = None
    template_id: int | None = None
    prompt: str | None = None
    creativity: float | None = None
    result: str | None = None
    favorite: bool | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    _origin: InitVar[Origin[Document] | None] = None

    def __str__(self) -> str:
        return self.result or ""

    def update(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        result: str | NotGiven = NOT_GIVEN,
        favorite: bool | NotGiven = NOT_GIVEN,
    ) -> Document:
        """Update the name, the text or the favorite flag on the service and return the changed document.

        Args:
            name: The new name.
            result: The new text.
            favorite: Whether it is a favorite.

        Raises:
            InvalidArgument: This is a copy without a client, or a value is not allowed; nothing was sent.
            NotFound: The document was deleted.
        """
        return self._collection().update(self.id, name=name, result=result, favorite=favorite)

    def again(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        prompt: str | NotGiven = NOT_GIVEN,
        creativity: float | Creativity | str | NotGiven = NOT_GIVEN,
    ) -> Document:
        """Create another document with the same settings but these. Billed by the service; never retried automatically.

        This document stays as it is. Its prompt is sent as it is: what a template made of it is not composed again.

        Args:
            name: The name; by default that of this document.
            prompt: The instructions.
            creativity: A level or its label.

        Raises:
            InvalidArgument: This is a copy without a client, or a value is invalid or not known; nothing was sent.
            OutcomeUnknown: It was sent, but no reply shows whether it happened.
        """
        return self._again({"name": name, "prompt": prompt, "creativity": creativity})

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the text to a Markdown file with its settings, as ``download`` does.

        Args:
            path: The file; a missing extension is added. Or a folder, for the name that ``download`` gives it.
            overwrite: Whether to replace another file; one of this document is replaced anyway.

        Returns:
            The path written.

        Raises:
            InvalidArgument: There is another file, or it cannot be written.
        """
        from inkframe.display.files import document_file, target_file

        target = target_file(path, self.id, self.name, self._spec.file_ending)
        name, row = target.name if target.suffix else target.name + self._spec.file_ending, values_of(self)
        ours = partial(is_own_file, row=row, service=service_of(self))
        content = document_file(row, service=service_of(self))
        return write_file(target.parent, name, content, overwrite=overwrite, ours=ours)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        from inkframe.display.fragments import document_bundle

        return document_bundle(fields_of(self), service=service_of(self))


def fields_of(record: TypedRecord) -> dict[str, Any]:
    """Return the values of a record by name, with ``extra`` as one value."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def values_of(record: TypedRecord) -> dict[str, Any]:
    """Return the values of a record by name, including those of ``extra``."""
    row = fields_of(record)
    extra: dict[str, Any] = row.pop("extra")
    return row | extra


def picture_source(record: TypedRecord) -> str | None:
    """Return the location of the picture of an image, a data URI or base64; None for other records."""
    source: str | None = getattr(record, "_source", None) or getattr(record, "picture_url", None)
    return source


def picture_of(record: TypedRecord) -> bytes:
    """Return the bytes of a record's picture.

    Raises:
        InvalidArgument: Records of its collection have no picture.
    """
    if isinstance(record, Image):
        return record.picture_bytes
    raise InvalidArgument(f"{type(record).__name__} {record.id} has no picture.")


def service_of(record: TypedRecord) -> str:
    """Return the name of the service of a record in captions."""
    origin: Origin[TypedRecord] | None = getattr(record, "_origin", None)
    return origin.service if origin else "a saved copy"


def is_awaited(record: TypedRecord) -> bool:
    """Return whether the picture or text of a record is still being generated."""
    return bool(getattr(record, "_awaited", not is_finished(record)))


def is_finished(record: TypedRecord) -> bool:
    """Whether what is generated of a record is there; some services create it in the background."""
    match record:
        case TypedRecord(_spec=spec):
            return picture_source(record) is not None or getattr(record, spec.generated) is not None


def read_ids(spec: ResourceSpec, record_type: type, given: Any) -> list[int | str]:
    """Return the ids of a frame, of records, or given ids.

    Args:
        spec: The collection.
        record_type: The class of its records.
        given: The frame, or the records or ids.

    Raises:
        InvalidArgument: It is none of these, or of another collection.
    """
    if is_frame(given):
        found: list[int | str] = records_of(given, spec.name, distinct=True).frame.index.tolist()
        return found
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InvalidArgument(
            f"ids must be a list of ids, got {short(given)}.\nUse delete() for a single id."
        )
    return [check_id(each, record_type) for each in given]


def is_frame(given: object) -> TypeGuard[pd.DataFrame]:
    """Return whether an object is a DataFrame, without importing pandas for records and ids."""
    return hasattr(given, "columns") and hasattr(given, "index")


def row_of(record: TypedRecord) -> dict[str, Any]:
    """Return the values of a record by name, with the picture if the record contains it."""
    found = values_of(record)
    source = picture_source(record)
    return found | {"picture_url": source} if source else found
