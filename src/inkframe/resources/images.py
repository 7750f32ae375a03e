"""The images of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.calls.arguments import NOT_GIVEN, check_text
from inkframe.display.console import is_progress_wanted
from inkframe.errors import NotFound, PermissionDenied, UnexpectedReply
from inkframe.replies.resource_spec import IMAGES
from inkframe.resources.collection import Collection
from inkframe.resources.queries import combinations, several, shown, single
from inkframe.resources.records import Image
from inkframe.resources.selection import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    import pandas as pd

    from inkframe.calls.arguments import NotGiven
    from inkframe.calls.port import Record
    from inkframe.display import Gallery, View
    from inkframe.vocabulary.names import Filter, Medium, Resolution, Style
    from inkframe.workflows.session import Session

__all__ = ["Images"]


class Images(Collection[Image]):
    """The images of a service: ``client.images``.

    Args:
        session: What it shares with the documents.
        update_method: ``PATCH`` or ``PUT``.
    """

    record_type = Image
    _creatable = ("name", "description", "resolution", "style", "medium", "filter")

    def __init__(self, session: Session, update_method: str | None = None) -> None:
        super().__init__(session, IMAGES, update_method)

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
        """Give one page of images as a DataFrame; what is left out is not sent.

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
        query = self._common(search, search_by, favorite, sort_by, sort, per_page)
        looks = self._looks(resolution=resolution, style=style, medium=medium, filter=filter)
        query |= {field: single(field, values) for field, values in looks.items()}
        return self._list(query, page)

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
        """Give every matching image as a DataFrame.

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
        query = self._common(search, search_by, favorite, sort_by, sort)
        looks = self._looks(resolution=resolution, style=style, medium=medium, filter=filter)
        return self._all(
            combinations(query, looks), query | shown(looks), limit=limit, details=details, progress=progress
        )

    def pages(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name"] | None = None,
        resolution: Resolution | str | Iterable[Resolution | str] | None = None,
        style: Style | str | Iterable[Style | str] | None = None,
        medium: Medium | str | Iterable[Medium | str] | None = None,
        filter: Filter | str | Iterable[Filter | str] | None = None,
        favorite: bool | None = None,
    ) -> Iterator[pd.DataFrame]:
        """Give every matching image, a DataFrame a page, in constant memory; arguments as in ``all``."""
        query = self._common(search, search_by, favorite, None, None)
        return self._pages(
            combinations(query, self._looks(resolution=resolution, style=style, medium=medium, filter=filter))
        )

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
        return self._create(
            self._checked(
                name=name,
                description=description,
                resolution=resolution,
                style=style,
                medium=medium,
                filter=filter,
            )
        )

    def ensure(
        self,
        *,
        name: str,
        description: str,
        resolution: Resolution | str,
        style: Style | str | None = None,
        medium: Medium | str | None = None,
        filter: Filter | str | None = None,
    ) -> Image:
        """Give the image that has this name and these settings, created only if there is none; arguments as in ``create``.

        A cell that is run again creates nothing twice. Two programs at the same moment may both create.
        """
        return self._ensure(
            self._checked(
                name=name,
                description=description,
                resolution=resolution,
                style=style,
                medium=medium,
                filter=filter,
            )
        )

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
        return self._update(id, {"name": name, "favorite": favorite})

    def _checked(self, **fields: Any) -> dict[str, Any]:
        """Check the fields of a create; gives what is sent."""
        vocabulary = self._session.vocabulary
        sent: dict[str, Any] = {
            "name": check_text("name", fields.get("name")),
            "description": check_text("description", fields.get("description")),
            "resolution": vocabulary.code("resolution", fields.get("resolution")),
        }
        looks = {field: fields.get(field) for field in ("style", "medium", "filter")}
        return sent | {
            field: vocabulary.code(field, value) for field, value in looks.items() if value is not None
        }

    def _searches(self, name: str) -> Iterable[dict[str, Any]]:
        return [{"search": name, "search_by": "name"}]

    def _queries(self, query: dict[str, Any], filters: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
        return combinations(query, self._looks(**filters))

    def _looks(self, **given: Any) -> dict[str, tuple[str, ...]]:
        """Check the look arguments; each that is given becomes a tuple of codes."""
        code = self._session.vocabulary.code
        return {
            field: tuple(code(field, value) for value in several(field, values))
            for field, values in given.items()
            if values is not None
        }

    def _kept(self, record: Record) -> Image:
        return Image(
            id=record.id,
            **record.known,
            extra=record.extra,
            _source=record.picture,
            _awaited=record.awaited,
            _origin=self,
        )

    def picture_of(self, image: Image) -> bytes:
        """Fetch the bytes of an image's picture; an address that has expired is asked for once more.

        Raises:
            UnexpectedReply: The service shows no picture for it, or it is none.
        """
        # A record's source may be the picture itself, which never stands in `picture_url`.
        return self._picture(image.id, image._source or image.picture_url)  # noqa: SLF001

    def _picture(self, id: int | str, source: str | None) -> bytes:
        if source:
            try:
                return self._session.pictures.fetch(source)
            except (NotFound, PermissionDenied) as error:
                if error.status not in {403, 404, 410}:
                    raise
        fresh = self._resource.get(id)
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
            select(self, selected),
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
            select(self, shown),
            self.picture_of_row,
            service=self.service,
            cache=self._session.thumbnails(),
            progress=is_progress_wanted(None),
        )
        return table(frame, dict(zip(shown.index, pictures, strict=True)), rows=rows, service=self.service)

    _file_ending = ".png"

    def _file(self, row: dict[str, Any]) -> bytes:
        from inkframe.display import picture_file

        return picture_file(row, self.picture_of_row(row), service=self.service)
