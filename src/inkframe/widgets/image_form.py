"""``ImageForm``: say what a picture shows, choose its look, press Create."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from inkframe.widgets.call_source import client_name, write_call
from inkframe.widgets.form import Form
from inkframe.widgets.form_fields import ChoiceField, FormField, text_field
from inkframe.widgets.panel import check_keywords

if TYPE_CHECKING:
    from concurrent.futures import Future

    from inkframe.client import Client
    from inkframe.resources.images import Images
    from inkframe.resources.records import Image

__all__ = ["ImageForm"]

LOOKS = ("style", "medium", "filter")
KEYWORDS = ("name", "description", "resolution", *LOOKS)
#: Large enough to judge a picture by, a quarter of the largest.
RESOLUTION = "512x512"


class ImageForm(Form):
    """A form that creates images.

    Args:
        client: The service's client.
        name: The image's name.
        description: What the picture shows.
        resolution: Width and height in pixels.
        style: A style, or None.
        medium: A medium, or None.
        filter: A filter, or None.

    Raises:
        InvalidArgument: There is no such field, or a value is not of the client's vocabulary.

    Example:
        >>> form = ink.ImageForm(client, description="a harbour at dawn")
        >>> form.submit().result()  # as a press of its button does
    """

    _required = ("name", "description")

    def __init__(
        self,
        client: Client,
        *,
        name: str = "",
        description: str = "",
        resolution: str | None = None,
        style: str | None = None,
        medium: str | None = None,
        filter: str | None = None,
        **unknown: Any,
    ) -> None:
        check_keywords(type(self), unknown, KEYWORDS)
        self._client = client
        sizes = client.vocabulary.codes("resolution")
        size = resolution or (RESOLUTION if RESOLUTION in sizes else next(iter(sizes), None))
        chosen = {"resolution": size, "style": style, "medium": medium, "filter": filter}
        fields = [text_field("name", "Name", name), self._choice("resolution", chosen, span=6)]
        fields.append(text_field("description", "Description", description, lines=2, span=12))
        fields += [self._choice(field, chosen) for field in LOOKS]
        self._by_name = {field.name: field for field in fields if field is not None}
        super().__init__(client, list(self._by_name.values()), "image", "Drawing")
        for field in self._by_name.values():
            field.on_change(partial(self._touch, field.name))
        self._refresh()
        self._settled = self.code

    @property
    def _collection(self) -> Images:
        return self._client.images

    def fill(self, **fields: str | None) -> None:
        """Put values into fields; what is not named stays.

        Args:
            **fields: ``name``, ``description``, ``resolution``, ``style``, ``medium``, ``filter``.

        Raises:
            InvalidArgument: There is no such field, or a value is not of the client's vocabulary.
        """
        check_keywords(type(self), fields, self._by_name)
        vocabulary = self._client.vocabulary
        for name, value in fields.items():
            is_choice = name in ("resolution", *LOOKS) and value is not None
            self._by_name[name].value = vocabulary.code(name, value) if is_choice else value
        self._settled = self.code

    def submit(self) -> Future[Image]:
        """Create the image, in a thread; see ``Form.submit``."""
        return super().submit()

    def _settings_of(self, record: Image) -> dict[str, Any]:
        """Give what a record was made from; a value that the vocabulary does not have is left out."""
        found = {name: getattr(record, name) for name in self._by_name}
        codes = {name: self._client.vocabulary.codes(name) for name in ("resolution", *LOOKS)}
        return {
            name: value
            for name, value in found.items()
            if name not in codes or value in codes[name] or (value is None and name != "resolution")
        }

    def _choice(self, name: str, chosen: dict[str, str | None], *, span: int = 3) -> FormField | None:
        """Give the field for a setting; a service that does not know the setting has none."""
        vocabulary = self._client.vocabulary
        value = chosen[name]
        value = None if value is None else vocabulary.code(name, value)
        options: list[tuple[str, str | None]] = [
            (vocabulary.label(name, code), code) for code in vocabulary.codes(name)
        ]
        if not options:
            return None
        if name in LOOKS:
            options.insert(0, ("none", None))
        return ChoiceField(name, name.capitalize(), options, value, span=span)

    def _fields(self) -> dict[str, FormField]:
        return self._by_name

    def _arguments(self) -> dict[str, Any]:
        values = {name: self._by_name[name].value for name in KEYWORDS if name in self._by_name}
        return {name: value for name, value in values.items() if value is not None}

    def _refresh(self) -> None:
        self.code = write_call(f"{client_name(self._client)}.images.create", self._arguments())
