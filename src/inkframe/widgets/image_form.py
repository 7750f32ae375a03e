"""``ImageForm``: a form with a description and the look of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.resources.records import Image
from inkframe.schema import IMAGES
from inkframe.widgets.fields import choice_fields, text_field
from inkframe.widgets.form import Form

if TYPE_CHECKING:
    from inkframe.client import Client

__all__ = ["ImageForm"]

#: Large enough to judge a picture by, a quarter of the largest.
RESOLUTION = "512x512"


class ImageForm(Form[Image]):
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
        >>> form = ink.ImageForm(client, name="Harbor", description="a harbor at dawn")
        >>> form.submit().result()  # as a press of its button does
    """

    _spec = IMAGES
    _working = "Drawing"

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
    ) -> None:
        vocabulary = client.vocabulary
        sizes = vocabulary.codes("resolution")
        size = resolution or (RESOLUTION if RESOLUTION in sizes else next(iter(sizes), None))
        looks = {"style": style, "medium": medium, "filter": filter}
        fields = [
            text_field("name", "Name", name, required=True),
            *choice_fields(vocabulary, {"resolution": size}, span=6),
            text_field("description", "Description", description, lines=2, span=12, required=True),
            *choice_fields(vocabulary, looks, nothing="None"),
        ]
        super().__init__(client, fields)
