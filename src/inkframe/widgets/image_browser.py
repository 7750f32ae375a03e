"""``ImageBrowser``: a library of images as a gallery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.display.files import picture_file
from inkframe.display.gallery import gallery
from inkframe.resources.images import Images
from inkframe.resources.records import values_of
from inkframe.schema import IMAGES
from inkframe.signatures import options_of
from inkframe.widgets.browsers import Browser
from inkframe.widgets.controls import show, styled
from inkframe.widgets.fields import choice_fields
from inkframe.widgets.image_form import ImageForm
from inkframe.widgets.record_reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.client import Client
    from inkframe.display.view import View
    from inkframe.resources.records import Image

__all__ = ["ImageBrowser"]


class ImageBrowser(Browser):
    """Browse, select and change images.

    Keys in the gallery: arrows move, Space selects, Enter opens, f makes a favorite, r renames, u reuses the
    settings, c compares, s downloads, d marks for deletion, z undoes that.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 images on a page; None for all of them on one.
        **filters: Arguments of ``client.images.list``, such as ``search``, ``style`` and ``sort_by``.

    Attributes:
        reader: The image that is opened.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.ImageBrowser(client, favorite=True)
    """

    _spec = IMAGES
    _make_form = ImageForm

    @options_of(Images.list, leave_out={"page"})
    def __init__(self, client: Client, *, per_page: int | None = 25, **filters: Any) -> None:
        looks = {name: filters.get(name) for name in IMAGES.filters}
        fields = choice_fields(client.vocabulary, looks, nothing="Any")
        fetch = client.images.picture_of_row
        self.reader = styled(RecordReader(client.service, fetch=fetch), "ink-large", "ink-gone")
        super().__init__(client, fields, filters, per_page, fetch=fetch, under=[self.reader])

    def _show_record(self, record: Image, *, opened: bool) -> None:
        if opened:
            self.reader.show(values_of(record))
            self.bring_into_view(self.reader, "ink-large")
        else:
            self._close()

    def removed(self, keys: Sequence[str]) -> None:
        """List again, and close the opened image if it no longer exists."""
        super().removed(keys)
        if self.reader.is_empty:
            self._close()

    def _close(self) -> None:
        self.reader.clear()
        show(self.reader, shown=False)

    def _content(self, record: Image) -> bytes:
        return picture_file(values_of(record), record.picture_bytes, service=self._client.service)

    def _static_view(self) -> View:
        return gallery(list(self.records.values()), self._small, service=self._client.service, progress=False)

    def _small(self, record: Mapping[str, Any]) -> bytes:
        """Return the small picture that the gallery has; the static copy needs no larger one."""
        [small] = self.gallery.small([record])
        return small if isinstance(small, bytes) else self._client.images.picture_of_row(record)
