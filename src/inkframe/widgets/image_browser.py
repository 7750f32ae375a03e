"""``ImageBrowser``: a library of images as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.calls.arguments import check_page_size
from inkframe.display import gallery, picture_file
from inkframe.widgets.browser import Browser
from inkframe.widgets.controls import show, styled
from inkframe.widgets.filter_bar import KEYWORDS, FilterBar
from inkframe.widgets.form_fields import choice_fields
from inkframe.widgets.image_form import ImageForm
from inkframe.widgets.panel import check_keywords, own_keywords
from inkframe.widgets.record_gallery import RecordGallery
from inkframe.widgets.static_output import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.client import Client
    from inkframe.resources.images import Images
    from inkframe.resources.records import Image
    from inkframe.widgets.form import Form

__all__ = ["ImageBrowser"]

LOOKS = ("style", "medium", "filter", "resolution")


class ImageBrowser(Browser):
    """Images to look through, choose from and change.

    Keys on the gallery: arrows move, Space chooses, Enter opens, f marks as favourite, r renames, d notes for
    deletion.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 images on a page; None for all of them on one.
        **filters: What ``client.images.list`` takes: ``search``, ``style``, ``medium``, ``filter``,
            ``resolution``, ``favorite``, ``sort_by``, ``sort``.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.ImageBrowser(client, favorite=True)
    """

    _noun = "image"

    def __init__(self, client: Client, *, per_page: int | None = 25, **filters: Any) -> None:
        check_keywords(type(self), filters, (*own_keywords(type(self)), *KEYWORDS, *LOOKS))
        looks = {name: filters.get(name) for name in LOOKS}
        fields = choice_fields(client.vocabulary, looks, nothing="any")
        tiles = RecordGallery(
            self._acted, client.images.picture_of_row, service=client.service, label="Images"
        )
        self._large = styled(ipywidgets.HTML(), "ink-large", "ink-gone")
        size = None if per_page is None else check_page_size(per_page)
        super().__init__(client, FilterBar(fields, (), filters), tiles, size, under=[self._large])

    @staticmethod
    def _collection_of(client: Client) -> Images:
        return client.images

    def _make_form(self) -> Form:
        return ImageForm(self._client)

    def _show_record(self, record: Image, *, opened: bool) -> None:
        if opened:
            self._large.value = str(record._repr_mimebundle_()["text/html"])  # what IPython itself calls
        show(self._large, shown=opened)
        if opened:
            self.status.send({"kind": "reveal", "where": ".ink-large"})

    def _file(self, record: Image) -> tuple[str, bytes]:
        settings = self._records.get(str(record.id), {})
        return ".png", picture_file(settings, record.picture_bytes, service=self._client.service)

    def _copy_of(self, records: Sequence[dict[str, Any]]) -> Mapping[str, Any]:
        view = gallery(records, self._small, service=self._client.service, progress=False)
        return folded(view)

    def _small(self, record: Mapping[str, Any]) -> bytes:
        """Give the small picture that the gallery has; the static copy needs no larger one."""
        thumbnails = self._gallery.thumbnails
        small = next(thumbnails.small([record])) if thumbnails else None
        return small if isinstance(small, bytes) else self._client.images.picture_of_row(record)
