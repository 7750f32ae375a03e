"""The images of a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from typing import Any, Literal, TypedDict, Unpack

import pandas as pd

from inkframe.creating.earlier_creates import ensure
from inkframe.creating.job import Job
from inkframe.display.console import is_progress_wanted
from inkframe.display.gallery import Gallery
from inkframe.display.view import View
from inkframe.errors import (
    InkframeError,
    NotFound,
    PermissionDenied,
    UnexpectedReply,
    checked_calls,
    like,
    options_of,
)
from inkframe.frames import ATTRIBUTE
from inkframe.resources.collection import NOT_FILTERS, Collection
from inkframe.resources.records import Image, picture_source
from inkframe.schema import IMAGES
from inkframe.vocabulary.arguments import NOT_GIVEN, NotGiven, short
from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

__all__ = ["ImageFilters", "Images"]


class ImageFilters(TypedDict, total=False):
    """The filters of a list of images, as in ``Images.all``."""

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
        session: The session of its client.
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
        """Return one page of images as a DataFrame; omitted arguments are not sent.

        Args:
            search: The text to search for in the name.
            search_by: The field to search: ``name``.
            resolution: Only this resolution, such as ``512x512``.
            style: Only this style, such as ``pop_art``.
            medium: Only this medium, such as ``ink``.
            filter: Only this filter, such as ``sepia``.
            favorite: True for favorites only, False for others only.
            sort_by: ``id`` (by creation, the default of the service) or ``name``.
            sort: ``desc`` (the default of the service) or ``asc``.
            per_page: 10 (the default of the service), 25, 50 or 100.
            page: The number of the page, from 1.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        return self._list(
            {
                "search": search,
                "search_by": search_by,
                "resolution": resolution,
                "style": style,
                "medium": medium,
                "filter": filter,
                "favorite": favorite,
                "sort_by": sort_by,
                "sort": sort,
                "per_page": per_page,
            },
            page,
        )

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

        ``frame.attrs["inkframe"]`` has its completeness (``exact``, ``verified`` or ``best-effort``) and the
        reasons.

        Args:
            search: The text to search for in the name.
            search_by: The field to search: ``name``.
            resolution: Only this resolution, or any of these.
            style: Only this style, or any of these.
            medium: Only this medium, or any of these.
            filter: Only this filter, or any of these.
            favorite: True for favorites only, False for others only.
            sort_by: ``id`` or ``name``.
            sort: ``desc`` or ``asc``.
            limit: The maximum number of records.
            details: Whether to fetch each record for the columns that lists omit, with one request each.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        found = self._all(
            {
                "search": search,
                "search_by": search_by,
                "resolution": resolution,
                "style": style,
                "medium": medium,
                "filter": filter,
                "favorite": favorite,
                "sort_by": sort_by,
                "sort": sort,
            },
            limit=limit,
            details=details,
            progress=progress,
        )
        if search is not None and found.empty and found.attrs[ATTRIBUTE]["completeness"] != "best-effort":
            self._session.say(
                f"No image has {short(search)} in its name; descriptions are not searched by the service. Search "
                "them in ink.Explorer(client.images.all()), or in pandas: "
                f"frame[frame['description'].str.contains({short(search)}, case=False, regex=False)]."
            )
        return found

    @options_of(all, leave_out=NOT_FILTERS)
    def pages(self, **filters: Unpack[ImageFilters]) -> Iterator[pd.DataFrame]:
        """Yield every matching image, one DataFrame per page, in constant memory; arguments as in ``all``."""
        return self._pages(filters)

    @options_of(all, leave_out=NOT_FILTERS)
    def to_dask(self, *, partition_size: int | None = None, **filters: Unpack[ImageFilters]) -> Any:
        """Return a lazy dask DataFrame of every matching image, fetched by the workers.

        It contains the records that exist now. If ids are numbers, a partition is a range of ids, and each
        record appears once even if others are added or deleted meanwhile; with a search or favorites an
        update may move a record. If ids are texts, a partition is a range of pages, and records may be
        missing or appear twice if others are added or deleted before they are read.

        Args:
            partition_size: The approximate number of records in a partition; by default 1,000 to 10,000.
            **filters: The other arguments as in ``all``.

        Returns:
            A ``dask.dataframe.DataFrame`` with the columns and types of ``all``, in the order of
            ``all(sort="asc")``; its divisions are known if ids are numbers.

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
        """Create an image. Billed by the service; never retried automatically.

        Args:
            name: The name of the image.
            description: The description of the picture.
            resolution: Width and height in pixels: ``256x256``, ``512x512`` or ``1024x1024``.
            style: A style, such as ``pop_art``.
            medium: A medium, such as ``ink``.
            filter: A filter, such as ``sepia``.

        Raises:
            InvalidArgument: A value is not allowed, or ``create_limit`` is reached; nothing was sent.
            OutcomeUnknown: It was sent, but no reply shows whether it happened.
        """
        return self._create(
            {
                "name": name,
                "description": description,
                "resolution": resolution,
                "style": style,
                "medium": medium,
                "filter": filter,
            }
        )

    @like(create)
    def ensure(self, **fields: Any) -> Image:
        """Return the image with these fields, creating it only if missing; arguments as in ``create``.

        Running a cell again creates no duplicate. If it is unclear whether a record is the one, nothing is created; nor
        if that takes more than two requests for each list, such as that of a template, and 60 more.
        """
        return self._create(fields, ensure)

    def update(
        self,
        id: int | str | Image,
        *,
        name: str | NotGiven = NOT_GIVEN,
        favorite: bool | NotGiven = NOT_GIVEN,
    ) -> Image:
        """Update the name or the favorite flag of an image; omitted fields are unchanged.

        Args:
            id: The id or the record.
            name: The new name.
            favorite: Whether it is a favorite.

        Raises:
            InvalidArgument: There is nothing to change, or a value is not allowed; nothing was sent.
            NotFound: There is no image with this id.
        """
        return self._update(id, {"name": name, "favorite": favorite})

    def draw(
        self,
        frame: pd.DataFrame,
        description: str,
        *,
        into: str = "picture",
        name: str | None = None,
        resolution: Resolution | str,
        style: Style | str | None = None,
        medium: Medium | str | None = None,
        filter: Filter | str | None = None,
        where: pd.Series | Sequence[bool] | None = None,
        again: pd.Series | Sequence[bool] | None = None,
        preview: int | None = None,
        overwrite: bool = False,
        journal: str | PathLike[str] | None = None,
        confirm: int | None = None,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Create a picture for each row of a table, and return the table with their locations as a column.

        Run again, it creates only what is missing or changed, as ``client.documents.write`` does. Show the pictures
        with ``client.images.gallery(frame["picture_id"].dropna())``.

        Args:
            frame: The table; its index and columns are kept.
            description: The description, in which ``{product}`` calls the column ``product``; braces are doubled.
            into: The name of the column.
            name: The names of the images, with columns as in the description; by default the first column of texts,
                else one that the prompt calls, or the index; rows that were created under another column keep it.
            resolution: A resolution as in ``create``, or a column such as ``"{size}"``.
            style: A style, or a column.
            medium: A medium, or a column.
            filter: A filter, or a column.
            where: A mask: only these rows are filled; by default all.
            again: A mask: the records of these rows are replaced by new ones. The frame must have their ids. A
                record that has replaced one already is taken, so that the same cell run twice sends nothing.
            preview: The number of records to create now (0 only finds earlier ones); the other rows get the status ``waiting``, or ``stale``
                if they have an earlier one, and the line that creates them is printed.
            overwrite: Whether to replace a column of your own, which has no {into}_status: whole, and once.
            journal: The journal file; by default one for this service under ``INKFRAME_HOME``.
            confirm: The number of creates, required for more than 25 on a billed service.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Returns:
            A copy of the frame with the locations, and beside them {into}_id (of the image, for ``get``),
            {into}_status (as in ``create_many``; ``edited`` for a cell that a person edited, ``waiting`` or
            ``stale`` for one that is left for later), and {into}_error. The given frame is not changed.

        Raises:
            InvalidArgument: A column that is called does not exist, an argument is not allowed, or the number is not
                confirmed; nothing was sent.
            BatchInterrupted: An interrupt ended it; ``frame`` has all rows, and run again, it creates the rest.

        Example:
            >>> products = pd.DataFrame({"product": ["a kettle", "a lamp"], "look": ["anime", "retro"]})
            >>> products = client.images.draw(products, "A photo of {product}", resolution="512x512", style="{look}")
        """
        return (
            self.column(
                self.draw,
                frame,
                description,
                into=into,
                name=name,
                resolution=resolution,
                style=style,
                medium=medium,
                filter=filter,
                where=where,
                again=again,
                preview=preview,
                overwrite=overwrite,
                journal=journal,
                confirm=confirm,
                progress=progress,
            )
            .announced()
            .run(confirm, progress)
        )

    @options_of(draw, leave_out=["progress"])
    def submit_draw(self, frame: pd.DataFrame, description: str, **options: Any) -> Job:
        """Create a picture for each row of a table in the background; arguments as in ``draw``.

        ``job.frame`` is the table with the pictures so far, ``job.result()`` waits for all.
        """
        column = self.column(self.draw, frame, description, **options)
        return self._submit(column.announced(), options.get("confirm"))

    def picture_of(self, image: Image) -> bytes:
        """Fetch the bytes of the picture of an image; an expired address is refreshed once.

        Raises:
            UnexpectedReply: The service has no picture for it, or the file is not a picture.
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
            return self._first_of([fresh.picture, *fresh.further], source)
        if fresh.awaited:
            raise UnexpectedReply(
                f"Image {id} has no picture yet.\nWait for it with client.images.wait({id!r})."
            )
        others = ", ".join(name[:30] for name in [*fresh.extra][:12]) or "nothing"
        raise UnexpectedReply(
            f"Image {id} has no picture location; its additional fields are {others}.\n"
            "Pin the key of the picture: client.images.dialect = ink.Dialect(picture_name=…)."
        )

    def _first_of(self, places: Sequence[str], tried: str | None) -> bytes:
        """Return the first picture that can be fetched; the location that was tried counts only if it is alone."""
        *untried, last = [place for place in places if place != tried] or places
        for place in untried:
            with suppress(InkframeError):
                return self._session.pictures.fetch(place)
        return self._session.pictures.fetch(last)

    def picture_of_row(self, row: Mapping[str, Any]) -> bytes:
        """Fetch the bytes of the picture of a row, a mapping with ``id`` and ``picture_url``."""
        return self._picture(row["id"], row.get("picture_url"))

    def thumbnails(
        self, rows: Sequence[Mapping[str, Any]], *, progress: bool | None = None
    ) -> Iterator[bytes | str]:
        """Yield a small picture for each row, a mapping with ``id`` and ``picture_url``, or the reason if it fails.

        Args:
            rows: The rows.
            progress: Whether to show a progress bar for more than 20; by default ``INKFRAME_PROGRESS`` decides.
        """
        from inkframe.display.figure import fetch_thumbnails

        return fetch_thumbnails(
            rows,
            self.picture_of_row,
            service=self.service,
            cache=self._session.thumbnails,
            progress=is_progress_wanted(progress),
        )

    def gallery(
        self,
        selected: pd.DataFrame | Iterable[int | str | Image] | int | str | Image,
        *,
        columns: int | None = None,
        size: int = 160,
        caption: str | Callable[[Mapping[str, Any]], str] | None = None,
        group_by: str | None = None,
        column: str | None = None,
        progress: bool | None = None,
    ) -> Gallery:
        """Show images as a gallery of thumbnails; a click enlarges one.

        Each picture adds at most 10 kB to the notebook, and the gallery at most 1 MB.

        Args:
            selected: A frame, ids, or records.
            columns: The number of columns; by default as many as fit.
            size: The width of a thumbnail in CSS pixels, 48 to 512.
            caption: The caption under a name: a field, a pattern such as ``"{style}, {medium}"``, or a
                function of the values of the record; by default its settings.
            group_by: A field such as ``style`` by which images are grouped.
            column: The generated column to show, where a frame has several.
            progress: Whether to show a progress bar for more than 20; by default ``INKFRAME_PROGRESS``
                decides.
        """
        from inkframe.display.gallery import gallery

        return gallery(
            self.select(selected, column=column),
            self.picture_of_row,
            columns=columns,
            size=size,
            caption=caption,
            group_by=group_by,
            service=self.service,
            cache=self._session.thumbnails,
            progress=is_progress_wanted(progress),
        )

    def preview(self, records: Sequence[Image]) -> View:
        """Return a view of some records, drawn without output of its own."""
        return self.gallery(records, size=120, progress=False)

    def file_of(self, row: dict[str, Any]) -> bytes:
        """Return the bytes of the file of the record of a row: the picture with its settings."""
        from inkframe.display.files import picture_file

        return picture_file(row, self.picture_of_row(row), service=self._session.service)
