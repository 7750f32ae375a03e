"""``DocumentBrowser``: a library of documents as a list with a reading pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.calls.arguments import check_page_size
from inkframe.display import document_file, read
from inkframe.resources.records import values_of
from inkframe.widgets.browser import Browser
from inkframe.widgets.controls import styled
from inkframe.widgets.document_form import DocumentForm
from inkframe.widgets.filter_bar import KEYWORDS, FilterBar
from inkframe.widgets.form_fields import TemplateField
from inkframe.widgets.panel import check_keywords, own_keywords
from inkframe.widgets.reading_pane import ReadingPane
from inkframe.widgets.record_gallery import RecordGallery
from inkframe.widgets.static_output import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.client import Client
    from inkframe.resources.documents import Documents
    from inkframe.resources.records import Document
    from inkframe.widgets.form import Form

__all__ = ["DocumentBrowser"]

SEARCH_BY = (("names", "name"), ("texts", "result"))


class DocumentBrowser(Browser):
    """Documents to read, choose from and change.

    Keys on the list: arrows move and read, Space chooses, f marks as favourite, r renames, d notes for
    deletion. Without a template the documents of every template are listed.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 documents on a page; None for all of them on one.
        template: Only this template: a label, a number, or an ``ink.Template``.
        **filters: What else ``client.documents.list`` takes: ``search``, ``search_by``, ``favorite``,
            ``sort_by``, ``sort``.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.DocumentBrowser(client, template="Blog intro")
    """

    _noun = "document"

    def __init__(
        self, client: Client, *, per_page: int | None = 25, template: Any = None, **filters: Any
    ) -> None:
        check_keywords(type(self), filters, (*own_keywords(type(self)), *KEYWORDS))
        field = TemplateField(client.vocabulary, "every template")
        field.value = template
        gallery = RecordGallery(self._acted, service=client.service, label="Documents")
        self._pane = ReadingPane(client.service, self._save_text)
        size = None if per_page is None else check_page_size(per_page)
        super().__init__(client, FilterBar([field], SEARCH_BY, filters), gallery, size, beside=[self._pane])
        styled(self, "ink-reads")

    @staticmethod
    def _collection_of(client: Client) -> Documents:
        return client.documents

    def _make_form(self) -> Form:
        return DocumentForm(self._client)

    def _more_actions(self) -> dict[str, Callable[[], Any]]:
        return {"Edit text": self._pane.edit}

    def _show_record(self, record: Document, *, opened: bool) -> None:
        del opened  # a document that is chosen is read at once
        self._pane.show(values_of(record))

    def _save_text(self, id: int | str, text: str) -> None:
        """Store a text that was edited, and show the document as it is then."""

        def change() -> None:
            record = self._collection.update(id, result=text)
            self._replace(record, {"result": text})
            self._pane.saved(values_of(record))

        self._queue(change, "Saving")

    def _file(self, record: Document) -> tuple[str, bytes]:
        return ".md", document_file(values_of(record), service=self._client.service)

    def _copy_of(self, records: Sequence[dict[str, Any]]) -> Mapping[str, Any]:
        view = read(records, service=self._client.service)
        return folded(view)
