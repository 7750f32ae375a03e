"""The documents of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from inkframe.calls.arguments import NOT_GIVEN
from inkframe.resources.collection import Collection
from inkframe.resources.records import Document
from inkframe.schema import DOCUMENTS
from inkframe.signatures import checked_calls, filters_of, like

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    import pandas as pd

    from inkframe.calls.arguments import NotGiven
    from inkframe.display import View
    from inkframe.vocabulary import Template
    from inkframe.vocabulary.names import Creativity, TemplateLabel

__all__ = ["DocumentFilters", "Documents"]


class DocumentFilters(TypedDict, total=False):
    """What filters a list of documents, as in ``Documents.all``."""

    search: str | None
    search_by: Literal["name", "result"] | None
    template: TemplateLabel | str | int | Template | Iterable[str | int | Template] | None
    template_id: int | Iterable[int] | None
    favorite: bool | None


@checked_calls
class Documents(Collection[Document]):
    """The documents of a service: ``client.documents``.

    Args:
        session: What it shares with the other collections of its client.
    """

    spec = DOCUMENTS
    record_type = Document

    def list(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name", "result"] | None = None,
        template: TemplateLabel | str | int | Template | None = None,
        template_id: int | None = None,
        favorite: bool | None = None,
        sort_by: Literal["id", "name"] | None = None,
        sort: Literal["desc", "asc"] | None = None,
        per_page: Literal[10, 25, 50, 100] | None = None,
        page: int | None = None,
    ) -> pd.DataFrame:
        """Return one page of documents as a DataFrame; what is left out is not sent.

        Without ``template`` the service gives Freestyle documents only; ``all`` gives every template.

        Args:
            search: A text to look for.
            search_by: Where to look: ``name`` (the service's default) or ``result``.
            template: Only this template: a label such as ``Blog intro``, a number, or an ``ink.Template``.
            template_id: The same by the service's own name.
            favorite: Only favourites, or only others.
            sort_by: ``id`` (by creation, the service's default) or ``name``.
            sort: ``desc`` (the service's default) or ``asc``.
            per_page: 10 (the service's default), 25, 50 or 100.
            page: The page's number, from 1.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        if template is None and template_id is None:
            self._session.say_once(
                "documents without template",
                "Without template= the service lists Freestyle documents; client.documents.all() lists every one.",
            )
        return self._list(locals())

    def all(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name", "result"] | None = None,
        template: TemplateLabel | str | int | Template | Iterable[str | int | Template] | None = None,
        template_id: int | Iterable[int] | None = None,
        favorite: bool | None = None,
        sort_by: Literal["id", "name"] | None = None,
        sort: Literal["desc", "asc"] | None = None,
        limit: int | None = None,
        details: bool = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Return every matching document of every template as a DataFrame.

        ``frame.attrs["inkframe"]`` says how complete it is: ``exact``, ``verified`` or ``best-effort``, and why.

        Args:
            search: A text to look for.
            search_by: Where to look: ``name`` or ``result``.
            template: Only this template, or any of these.
            template_id: The same by the service's own name.
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
    def pages(self, **filters: Unpack[DocumentFilters]) -> Iterator[pd.DataFrame]:
        """Yield every matching document, a DataFrame a page, in constant memory; arguments as in ``all``."""
        return self._pages(filters)

    @filters_of(all)
    def to_dask(self, *, partition_size: int | None = None, **filters: Unpack[DocumentFilters]) -> Any:
        """Return a lazy dask DataFrame of every matching document, whose partitions are fetched by the workers.

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
            >>> lazy = client.documents.to_dask(template="FAQ")
            >>> lazy["result"].str.len().mean().compute()
        """
        return self._to_dask(partition_size, filters)

    def create(self, *, name: str, prompt: str, creativity: float | Creativity | str = 0.5) -> Document:
        """Create a document; this is paid for, and sent once.

        Args:
            name: The document's name.
            prompt: The instructions; ``ink.compose_prompt`` makes them from a template.
            creativity: 0, 0.25, 0.5, 0.75 or 1, or its label: ``Repetitive``, ``Deterministic``, ``Original``,
                ``Creative``, ``Imaginative``.

        Raises:
            InvalidArgument: A value is not allowed, or ``create_limit`` is reached; nothing was sent.
            OutcomeUnknown: It was sent, and no answer says whether it happened.
        """
        return self._create(locals())

    @like(create)
    def ensure(self, **fields: Any) -> Document:
        """Return the document that has this name and these settings, created only if there is none; arguments as in ``create``.

        A cell that is run again creates nothing twice. Two programs at the same moment may both create.
        """
        return self._ensure(fields)

    def update(
        self,
        id: int | str | Document,
        *,
        name: str | NotGiven = NOT_GIVEN,
        result: str | NotGiven = NOT_GIVEN,
        favorite: bool | NotGiven = NOT_GIVEN,
    ) -> Document:
        """Change a document's name, its text, or whether it is a favourite; what is left out stays.

        Args:
            id: Its id, or the record.
            name: The new name.
            result: The new text.
            favorite: Whether it is a favourite.

        Raises:
            InvalidArgument: Nothing to change, or a value is not allowed; nothing was sent.
            NotFound: There is none with this id.
        """
        return self._update(locals())

    def read(
        self,
        selected: pd.DataFrame | Iterable[int | str | Document] | int | str | Document,
        *,
        layout: Literal["accordion", "page"] = "accordion",
    ) -> View:
        """Show documents in full, to be read.

        Args:
            selected: A frame, ids, or records.
            layout: ``accordion`` opens one at a time; ``page`` shows all below each other.
        """
        from inkframe.display import read

        return read(self.select(selected, needed="result"), layout=layout, service=self.service)

    def table(self, frame: pd.DataFrame, *, rows: int = 100) -> View:
        """Show a frame of documents with its long texts folded.

        Args:
            frame: The frame.
            rows: The most rows.
        """
        from inkframe.display import table

        return table(frame, rows=rows, service=self.service)

    def _file(self, row: dict[str, Any]) -> bytes:
        from inkframe.display import document_file

        return document_file(row, service=self.service)
