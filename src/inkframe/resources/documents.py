"""The documents of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.calls.arguments import NOT_GIVEN, check_text
from inkframe.display.console import notice
from inkframe.errors import InvalidArgument
from inkframe.replies.resource_spec import DOCUMENTS
from inkframe.resources.collection import Collection
from inkframe.resources.queries import combinations, several, shown, single
from inkframe.resources.records import Document
from inkframe.resources.selection import select
from inkframe.workflows.full_listing import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    import pandas as pd

    from inkframe.calls.arguments import NotGiven
    from inkframe.calls.port import Record
    from inkframe.display import View
    from inkframe.replies.record_reply import Columns
    from inkframe.vocabulary import Template
    from inkframe.vocabulary.names import Creativity, TemplateLabel
    from inkframe.workflows.session import Session

__all__ = ["Documents"]

#: What a document list shows when no template is asked for, by the interface.
FREESTYLE = 1


class Documents(Collection[Document]):
    """The documents of a service: ``client.documents``.

    Args:
        session: What it shares with the images.
        update_method: ``PATCH`` or ``PUT``.
    """

    record_type = Document
    _creatable = ("name", "prompt", "creativity")

    def __init__(self, session: Session, update_method: str | None = None) -> None:
        super().__init__(session, DOCUMENTS, update_method)
        self._hinted = False

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
        """Give one page of documents as a DataFrame; what is left out is not sent.

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
        query = self._common(search, search_by, favorite, sort_by, sort, per_page)
        templates = self._templates(template, template_id)
        query |= {field: single("template", values) for field, values in templates.items()}
        if not templates and not self._hinted:
            self._hinted = True
            notice(
                "Without template= the service lists Freestyle documents; client.documents.all() lists every one."
            )
        return self._list(query, page)

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
        """Give every matching document of every template as a DataFrame.

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
        query = self._common(search, search_by, favorite, sort_by, sort)
        templates = self._templates(template, template_id)
        return self._all(
            self._walked(query, templates),
            query | shown(templates),
            limit=limit,
            details=details,
            progress=progress,
        )

    def pages(
        self,
        *,
        search: str | None = None,
        search_by: Literal["name", "result"] | None = None,
        template: TemplateLabel | str | int | Template | Iterable[str | int | Template] | None = None,
        template_id: int | Iterable[int] | None = None,
        favorite: bool | None = None,
    ) -> Iterator[pd.DataFrame]:
        """Give every matching document, a DataFrame a page, in constant memory; arguments as in ``all``."""
        query = self._common(search, search_by, favorite, None, None)
        return self._pages(self._walked(query, self._templates(template, template_id)))

    def _queries(self, query: dict[str, Any], filters: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
        return self._walked(query, self._templates(filters.get("template"), filters.get("template_id")))

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
        return self._create(self._checked(name=name, prompt=prompt, creativity=creativity))

    def ensure(self, *, name: str, prompt: str, creativity: float | Creativity | str = 0.5) -> Document:
        """Give the document that has this name and these settings, created only if there is none; arguments as in ``create``.

        A cell that is run again creates nothing twice. Two programs at the same moment may both create.
        """
        return self._ensure(self._checked(name=name, prompt=prompt, creativity=creativity))

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
        return self._update(id, {"name": name, "result": result, "favorite": favorite})

    def _checked(self, **fields: Any) -> dict[str, Any]:
        """Check the fields of a create; gives what is sent."""
        return {
            "name": check_text("name", fields.get("name")),
            "prompt": check_text("prompt", fields.get("prompt")),
            "creativity": self._session.vocabulary.creativity(fields.get("creativity", 0.5)),
        }

    def _searches(self, name: str) -> Iterable[dict[str, Any]]:
        return self._walked({"search": name, "search_by": "name"}, {})

    def _templates(self, template: Any, template_id: Any) -> dict[str, tuple[int, ...]]:
        given = template if template is not None else template_id
        if given is None:
            return {}
        if template is not None and template_id is not None:
            both = self._templates(template, None), self._templates(template_id, None)
            if both[0] != both[1]:
                raise InvalidArgument(
                    f"template={template!r} and template_id={template_id!r} contradict each other.\nGive one of them."
                )
        vocabulary = self._session.vocabulary
        return {"template_id": tuple(vocabulary.template(value).id for value in several("template", given))}

    def _walked(
        self, query: dict[str, Any], templates: Mapping[str, tuple[int, ...]]
    ) -> Sequence[dict[str, Any]]:
        """Give the queries that together list every document."""
        if templates:
            return combinations(query, templates)
        plain = combinations(query, {})
        if self._lists_every_template(plain[0]):
            return plain
        return combinations(query, {"template_id": [t.id for t in self._session.vocabulary.all_templates]})

    def _lists_every_template(self, query: dict[str, Any]) -> bool:
        """Whether one list without ``template_id`` is all there is, as far as a page or three can show."""
        dialect = self._resource.dialect
        if dialect.default_template is None and dialect.filters_templates is None:
            first = Walk(self._resource, query).newest().columns
            if any(number not in {None, FREESTYLE} for number in first.known["template_id"]):
                dialect.learn(default_template=False)
            elif "template_id" in first.absent and first.ids:
                dialect.learn(filters_templates=not self._ignores_templates(query, first.ids))
        return dialect.default_template is False or dialect.filters_templates is False

    def _ignores_templates(self, query: dict[str, Any], unfiltered: Sequence[int | str]) -> bool:
        """Whether records stand under more than one template, where they do not show theirs."""
        known = set(unfiltered)
        for number in (FREESTYLE + 1, FREESTYLE + 2):
            ids = Walk(self._resource, {**query, "template_id": number}).newest().columns.ids
            if known.isdisjoint(ids):
                return False
            known = set(ids)
        return True

    def _kept(self, record: Record) -> Document:
        known = record.known | {"template": self._label(record.known["template_id"])}
        return Document(id=record.id, **known, extra=record.extra, _origin=self)

    def _label(self, number: int | None) -> str | None:
        if number is None:
            return None
        return self._session.vocabulary.template_label(number) or f"Template {number}"

    def _completed(self, columns: Columns, query: Mapping[str, Any]) -> Columns:
        """Fill in the template that was asked for where records do not show it."""
        if "template_id" in query and "template_id" in columns.absent:
            columns.known["template_id"] = [query["template_id"]] * len(columns.ids)
            columns.absent = tuple(name for name in columns.absent if name != "template_id")
        return columns

    def _known(self, columns: Columns) -> Mapping[str, Any]:
        numbers = columns.known["template_id"]
        labels = {number: self._label(number) for number in set(numbers)}
        return {**columns.known, "template": [labels[number] for number in numbers]}

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

        return read(select(self, selected, needed="result"), layout=layout, service=self.service)

    def table(self, frame: pd.DataFrame, *, rows: int = 100) -> View:
        """Show a frame of documents with its long texts folded.

        Args:
            frame: The frame.
            rows: The most rows.
        """
        from inkframe.display import table

        return table(frame, rows=rows, service=self.service)

    _file_ending = ".md"
    _file_needs = "result"

    def _file(self, row: dict[str, Any]) -> bytes:
        from inkframe.display import document_file

        return document_file(row, service=self.service)
