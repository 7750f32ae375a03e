"""The images of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from inkframe.calls.arguments import NOT_GIVEN
from inkframe.display.console import is_progress_wanted
from inkframe.errors import NotFound, PermissionDenied, UnexpectedReply
from inkframe.resources.collection import Collection
from inkframe.resources.records import Image, picture_source
from inkframe.schema import IMAGES
from inkframe.signatures import checked_calls, filters_of, like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Literal

    import pandas as pd

    from inkframe.calls.arguments import NotGiven
    from inkframe.display import Gallery, View
    from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

__all__ = ["ImageFilters", "Images"]


class ImageFilters(TypedDict, total=False):
    """What filters a list of images, as in ``Images.all``."""

    search: str | None
    search_by: Literal["name"] | None
    resolution: Resolution | str | Iterable[Resolution | str] | None
    style: Style | str | Iterable[Style | str] | None
    medium: Medium | str | Iterable[Medium | str] | None
    filter: Filter | str | Iterable[Filter | str] | None
    favorite: bool | None


@checked_calls
class Images(Collection[Image]):
    """The images of a service: ``client.images``.

    Args:
        session: What it shares with the other collections of its client.
    """

    spec = IMAGES
    record_type = Image

    def list(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name"] | None = None,
        resolution: Resolution | str | None = None,
        style: Style | str | None = None,
        medium: Medium | str | None = None,
        filter: Filter | str | None = None,
        favorite: bool | None = None,
        sort_by: Literal["id", "name"] | None = None,
        sort: Literal["desc", "asc"] | None = None,
        per_page: Literal[10, 25, 50, 100] | None = None,
        page: int | None = None,
    ) -> pd.DataFrame:
        """Return one page of images as a DataFrame; what is left out is not sent.

        Args:
            search: A text to look for in the name.
            search_by: Where to look: ``name``.
            resolution: Only this resolution, such as ``512x512``.
            style: Only this style, such as ``pop_art``.
            medium: Only this medium, such as ``ink``.
            filter: Only this filter, such as ``sepia``.
            favorite: Only favourites, or only others.
            sort_by: ``id`` (by creation, the service's default) or ``name``.
            sort: ``desc`` (the service's default) or ``asc``.
            per_page: 10 (the service's default), 25, 50 or 100.
            page: The page's number, from 1.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        return self._list(locals())

    def all(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name"] | None = None,
        resolution: Resolution | str | Iterable[Resolution | str] | None = None,
        style: Style | str | Iterable[Style | str] | None = None,
        medium: Medium | str | Iterable[Medium | str] | None = None,
        filter: Filter | str | Iterable[Filter | str] | None = None,
        favorite: bool | None = None,
        sort_by: Literal["id", "name"] | None = None,
        sort: Literal["desc", "asc"] | None = None,
        limit: int | None = None,
        details: bool = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Return every matching image as a DataFrame.

        ``frame.attrs["inkframe"]`` says how complete it is: ``exact``, ``verified`` or ``best-effort``, and why.

        Args:
            search: A text to look for in the name.
            search_by: Where to look: ``name``.
            resolution: Only this resolution, or any of these.
            style: Only this style, or any of these.
            medium: Only this medium, or any of these.
            filter: Only this filter, or any of these.
            favorite: Only favourites, or only others.
            sort_by: ``id`` or ``name``.
            sort: ``desc`` or ``asc``.
            limit: The most records to give.
            details: Show each record for the columns that the service leaves out of its lists: one request each.
            progress: Whether a bar is shown; ``INKFRAME_PROGRESS`` decides if not given.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        return self._all(locals())

    @filters_of(all)
    def pages(self, **filters: Unpack[ImageFilters]) -> Iterator[pd.DataFrame]:
        """Yield every matching image, a DataFrame a page, in constant memory; arguments as in ``all``."""
        return self._pages(filters)

    @filters_of(all)
    def to_dask(self, *, partition_size: int | None = None, **filters: Unpack[ImageFilters]) -> Any:
        """Return a lazy dask DataFrame of every matching image, whose partitions are fetched by the workers.

        It holds the records that are there now. Where ids are numbers, a partition is a range of them, and each
        record is in it once, whatever comes and goes meanwhile; with a search or favorites a change may move one
        out of its place. Where ids are texts, a partition is a range of pages, and records may be missing or
        appear twice if others come or go before they are read.

        Args:
            partition_size: About how many records a partition has; 1,000 to 10,000 if not given.
            **filters: The other arguments as in ``all``.

        Returns:
            A ``dask.dataframe.DataFrame`` with the columns and types of ``all``; its divisions are known where ids
            are numbers.

        Raises:
            ConfigurationError: The extra ``dask`` is not installed.
            InvalidArgument: A value is not allowed; nothing was sent.

        Example:
            >>> lazy = client.images.to_dask(style="anime")
            >>> lazy.groupby("medium").size().compute()
        """
        return self._to_dask(partition_size, filters)

    def create(
        self,
        *,
        name: str,
        description: str,
        resolution: Resolution | str,
        style: Style | str | None = None,
        medium: Medium | str | None = None,
        filter: Filter | str | None = None,
    ) -> Image:
        """Create an image; this is paid for, and sent once.

        Args:
            name: The image's name.
            description: What the picture shows.
            resolution: Width and height in pixels: ``256x256``, ``512x512`` or ``1024x1024``.
            style: A style, such as ``pop_art``.
            medium: A medium, such as ``ink``.
            filter: A filter, such as ``sepia``.

        Raises:
            InvalidArgument: A value is not allowed, or ``create_limit`` is reached; nothing was sent.
            OutcomeUnknown: It was sent, and no answer says whether it happened.
        """
        return self._create(locals())

    @like(create)
    def ensure(self, **fields: Any) -> Image:
        """Return the image that has this name and these settings, created only if there is none; arguments as in ``create``.

        A cell that is run again creates nothing twice. Two programs at the same moment may both create.
        """
        return self._ensure(fields)

    def update(
        self,
        id: int | str | Image,
        *,
        name: str | NotGiven = NOT_GIVEN,
        favorite: bool | NotGiven = NOT_GIVEN,
    ) -> Image:
        """Change an image's name or whether it is a favourite; what is left out stays.

        Args:
            id: Its id, or the record.
            name: The new name.
            favorite: Whether it is a favourite.

        Raises:
            InvalidArgument: Nothing to change, or a value is not allowed; nothing was sent.
            NotFound: There is none with this id.
        """
        return self._update(locals())

    def picture_of(self, image: Image) -> bytes:
        """Fetch the bytes of an image's picture; an address that has expired is asked for once more.

        Raises:
            UnexpectedReply: The service shows no picture for it, or it is none.
        """
        return self._picture(image.id, picture_source(image))

    def _picture(self, id: int | str, source: str | None) -> bytes:
        if source:
            try:
                return self._session.pictures.fetch(source)
            except (NotFound, PermissionDenied) as error:
                if error.status not in {403, 404, 410}:
                    raise
        fresh = self._calls.get(id)
        if fresh.picture:
            return self._session.pictures.fetch(fresh.picture)
        if fresh.awaited:
            raise UnexpectedReply(
                f"The service shows no picture for image {id} yet.\nWait for it: client.images.wait({id!r})."
            )
        others = ", ".join(name[:30] for name in [*fresh.extra][:12]) or "nothing"
        raise UnexpectedReply(
            f"Image {id} shows nothing that looks like the place of a picture; beside its fields it has {others}.\n"
            "Name the key that leads to it: client.images.dialect = ink.Dialect(picture_name=…)."
        )

    def picture_of_row(self, row: Mapping[str, Any]) -> bytes:
        """Fetch the bytes of the picture of a frame's row, given as a mapping with ``id`` and ``picture_url``."""
        return self._picture(row["id"], row.get("picture_url"))

    def gallery(
        self,
        selected: pd.DataFrame | Iterable[int | str | Image] | int | str | Image,
        *,
        columns: int | None = None,
        size: int = 160,
        caption: str | Callable[[Mapping[str, Any]], str] | None = None,
        group_by: str | None = None,
        progress: bool | None = None,
    ) -> Gallery:
        """Show images as a wall of small pictures; a click opens one large.

        Each picture adds at most 10 kB to the notebook and the whole wall at most 1 MB.

        Args:
            selected: A frame, ids, or records.
            columns: How many stand side by side; as many as fit if not given.
            size: Their width in CSS pixels, 48 to 512.
            caption: What stands under a name: a field, a pattern such as ``"{style}, {medium}"``, or a function
                of the record's values; the look if not given.
            group_by: A field such as ``style``; images that share its value hang together.
            progress: Whether a bar is shown for more than 20; ``INKFRAME_PROGRESS`` decides if not given.
        """
        from inkframe.display import gallery

        return gallery(
            self.select(selected),
            self.picture_of_row,
            columns=columns,
            size=size,
            caption=caption,
            group_by=group_by,
            service=self.service,
            cache=self._session.thumbnails(),
            progress=is_progress_wanted(progress),
        )

    def table(self, frame: pd.DataFrame, *, rows: int = 100) -> View:
        """Show a frame of images with small pictures in its cells.

        Args:
            frame: The frame.
            rows: The most rows.
        """
        from inkframe.display import fetch_thumbnails, table

        shown = frame.head(rows)
        pictures = fetch_thumbnails(
            self.select(shown),
            self.picture_of_row,
            service=self.service,
            cache=self._session.thumbnails(),
            progress=is_progress_wanted(None),
        )
        return table(frame, dict(zip(shown.index, pictures, strict=True)), rows=rows, service=self.service)

    def _file(self, row: dict[str, Any]) -> bytes:
        from inkframe.display import picture_file

        return picture_file(row, self.picture_of_row(row), service=self.service)
