"""The documents of a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, Unpack

import pandas as pd

from inkframe.creating.earlier_creates import ensure
from inkframe.creating.job import Job
from inkframe.display.view import View
from inkframe.errors import checked_calls, like, options_of
from inkframe.frames import ATTRIBUTE
from inkframe.resources.collection import NOT_FILTERS, Collection
from inkframe.resources.records import Document
from inkframe.schema import DOCUMENTS
from inkframe.vocabulary import Template
from inkframe.vocabulary.arguments import NOT_GIVEN, NotGiven
from inkframe.vocabulary.names import Creativity, TemplateLabel

__all__ = ["DocumentFilters", "Documents"]


class DocumentFilters(TypedDict, total=False):
    """The filters of a list of documents, as in ``Documents.all``."""

    search: str | None
    search_by: Literal["name", "result"] | None
    template: TemplateLabel | str | int | Template | Iterable[str | int | Template] | None
    template_id: int | Iterable[int] | None
    favorite: bool | None


@checked_calls
class Documents(Collection[Document]):
    """The documents of a service: ``client.documents``.

    Args:
        session: The session of its client.
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
        """Return one page of documents as a DataFrame; omitted arguments are not sent.

        Without ``template`` the service lists Freestyle documents only; ``all`` lists every template.

        Args:
            search: The text to search for.
            search_by: The field to search: ``name`` (the default of the service) or ``result``.
            template: Only this template: a label such as ``Blog intro``, a number, or an ``ink.Template``.
            template_id: The number of the template; an alternative to ``template``.
            favorite: True for favorites only, False for others only.
            sort_by: ``id`` (by creation, the default of the service) or ``name``.
            sort: ``desc`` (the default of the service) or ``asc``.
            per_page: 10 (the default of the service), 25, 50 or 100.
            page: The number of the page, from 1.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        if template is None and template_id is None:
            self._session.say_once(
                "documents without template",
                "Without template= the service lists Freestyle documents only. "
                "client.documents.all() lists all of them.",
            )
        frame = self._list(
            {
                "search": search,
                "search_by": search_by,
                "template": template,
                "template_id": template_id,
                "favorite": favorite,
                "sort_by": sort_by,
                "sort": sort,
                "per_page": per_page,
            },
            page,
        )
        if template is None and template_id is None and self.dialect.default_template is not False:
            frame.attrs[ATTRIBUTE]["reasons"].append("Freestyle documents only, since no template was given")
        return frame

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

        ``frame.attrs["inkframe"]`` has its completeness (``exact``, ``verified`` or ``best-effort``) and the
        reasons.

        Args:
            search: The text to search for.
            search_by: The field to search: ``name`` or ``result``.
            template: Only this template, or any of these.
            template_id: The number of the template, or several; an alternative to ``template``.
            favorite: True for favorites only, False for others only.
            sort_by: ``id`` or ``name``.
            sort: ``desc`` or ``asc``.
            limit: The maximum number of records.
            details: Whether to fetch each record for the columns that lists omit, with one request each.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Raises:
            InvalidArgument: A value is not allowed; nothing was sent.
        """
        return self._all(
            {
                "search": search,
                "search_by": search_by,
                "template": template,
                "template_id": template_id,
                "favorite": favorite,
                "sort_by": sort_by,
                "sort": sort,
            },
            limit=limit,
            details=details,
            progress=progress,
        )

    @options_of(all, leave_out=NOT_FILTERS)
    def pages(self, **filters: Unpack[DocumentFilters]) -> Iterator[pd.DataFrame]:
        """Yield every matching document, one DataFrame per page, in constant memory; arguments as in ``all``."""
        return self._pages(filters)

    @options_of(all, leave_out=NOT_FILTERS)
    def to_dask(self, *, partition_size: int | None = None, **filters: Unpack[DocumentFilters]) -> Any:
        """Return a lazy dask DataFrame of every matching document, fetched by the workers.

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
            >>> lazy = client.documents.to_dask(template="FAQ")
            >>> lazy["result"].str.len().mean().compute()
        """
        return self._to_dask(partition_size, filters)

    def create(self, *, name: str, prompt: str, creativity: float | Creativity | str = 0.5) -> Document:
        """Create a document. Billed by the service; never retried automatically.

        Args:
            name: The name of the document.
            prompt: The instructions; ``ink.compose_prompt`` builds them from a template.
            creativity: 0, 0.25, 0.5, 0.75 or 1, or its label: ``Repetitive``, ``Deterministic``,
                ``Original``, ``Creative``, ``Imaginative``.

        Raises:
            InvalidArgument: A value is not allowed, or ``create_limit`` is reached; nothing was sent.
            OutcomeUnknown: It was sent, but no reply shows whether it happened.
        """
        return self._create({"name": name, "prompt": prompt, "creativity": creativity})

    @like(create)
    def ensure(self, **fields: Any) -> Document:
        """Return the document with these fields, creating it only if missing; arguments as in ``create``.

        Running a cell again creates no duplicate. If it is unclear whether a record is the one, nothing is created; nor
        if that takes more than two requests for each list, such as that of a template, and 60 more.
        """
        return self._create(fields, ensure)

    def update(
        self,
        id: int | str | Document,
        *,
        name: str | NotGiven = NOT_GIVEN,
        result: str | NotGiven = NOT_GIVEN,
        favorite: bool | NotGiven = NOT_GIVEN,
    ) -> Document:
        """Update the name, the text or the favorite flag of a document; omitted fields are unchanged.

        Args:
            id: The id or the record.
            name: The new name.
            result: The new text.
            favorite: Whether it is a favorite.

        Raises:
            InvalidArgument: There is nothing to change, or a value is not allowed; nothing was sent.
            NotFound: There is no document with this id.
        """
        return self._update(id, {"name": name, "result": result, "favorite": favorite})

    def write(
        self,
        frame: pd.DataFrame,
        prompt: str,
        *,
        into: str = "text",
        name: str | None = None,
        creativity: float | Creativity | str = 0.5,
        template: TemplateLabel | str | int | Template | None = None,
        where: pd.Series | Sequence[bool] | None = None,
        again: pd.Series | Sequence[bool] | None = None,
        examples: pd.DataFrame | pd.Series | Sequence[bool] | None = None,
        preview: int | None = None,
        overwrite: bool = False,
        journal: str | PathLike[str] | None = None,
        confirm: int | None = None,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Create a text for each row of a table, and return the table with the texts as a column.

        Like a spreadsheet: run again, nothing is created; a changed row is created anew, one that is set back gets
        its earlier text, an emptied cell is filled, and an edited cell stays. A row is its name, its filled prompt
        and its settings; equal rows are numbered. Rows that lack what the prompt calls are left out.

        Args:
            frame: The table; its index and columns are kept.
            prompt: The instructions, in which ``{product}`` calls the column ``product``; braces are doubled.
            into: The name of the column.
            name: The names of the documents, with columns as in the prompt; by default the first column of texts,
                else one that the prompt calls, or the index; rows that were created under another column keep it.
            creativity: The creativity as in ``create``, or a column such as ``"{level}"``.
            template: A template that builds the prompt, or a column.
            where: A mask: only these rows are filled; by default all.
            again: A mask: the records of these rows are replaced by new ones. The frame must have their ids. A
                record that has replaced one already is taken, so that the same cell run twice sends nothing.
            examples: At most eight rows with approved texts, as a frame or a mask over this one. They follow the
                prompt of the rows that are created now, each as its prompt and its text; approved rows stay.
            preview: The number of records to create now (0 only finds earlier ones); the other rows get the status ``waiting``, or ``stale``
                if they have an earlier one, and the line that creates them is printed.
            overwrite: Whether to replace a column of your own, which has no {into}_status: whole, and once.
            journal: The journal file; by default one for this service under ``INKFRAME_HOME``.
            confirm: The number of creates, required for more than 25 on a billed service.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Returns:
            A copy of the frame with the texts, and beside them {into}_id (of the document, for ``get``),
            {into}_status (as in ``create_many``; ``edited`` for a cell that a person edited, ``waiting`` or
            ``stale`` for one that is left for later), and {into}_error. The given frame is not changed.

        Raises:
            InvalidArgument: A column that is called does not exist, an argument is not allowed, or the number is not
                confirmed; nothing was sent.
            BatchInterrupted: An interrupt ended it; ``frame`` has all rows, and run again, it creates the rest.

        Example:
            >>> products = pd.DataFrame({"product": ["a kettle", "a lamp"], "price": [40, 25]})
            >>> products = client.documents.write(products, "Describe {product} in two sentences.", preview=3)
        """
        return (
            self.column(
                self.write,
                frame,
                prompt,
                into=into,
                name=name,
                creativity=creativity,
                template=template,
                where=where,
                again=again,
                examples=examples,
                preview=preview,
                overwrite=overwrite,
                journal=journal,
                confirm=confirm,
                progress=progress,
            )
            .announced()
            .run(confirm, progress)
        )

    @options_of(write, leave_out=["progress"])
    def submit_write(self, frame: pd.DataFrame, prompt: str, **options: Any) -> Job:
        """Create a text for each row of a table in the background; arguments as in ``write``.

        ``job.frame`` is the table with the texts so far, ``job.result()`` waits for all.
        """
        column = self.column(self.write, frame, prompt, **options)
        return self._submit(column.announced(), options.get("confirm"))

    def read(
        self,
        selected: pd.DataFrame | Iterable[int | str | Document] | int | str | Document,
        *,
        layout: Literal["accordion", "page"] = "accordion",
        column: str | None = None,
    ) -> View:
        """Show documents in full.

        Args:
            selected: A frame, ids, or records.
            layout: ``accordion`` opens one at a time; ``page`` shows all one after another.
            column: The generated column to read, where a frame has several.
        """
        from inkframe.display.gallery import read

        return read(
            self.select(selected, needed="result", column=column), layout=layout, service=self.service
        )

    def preview(self, records: Sequence[Document]) -> View:
        """Return a view of some records, drawn without output of its own."""
        return self.read(records)

    def file_of(self, row: dict[str, Any]) -> bytes:
        """Return the bytes of the file of the record of a row: the text with its settings."""
        from inkframe.display.files import document_file

        return document_file(row, service=self._session.service)
