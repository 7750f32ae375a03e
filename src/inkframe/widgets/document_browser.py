"""``DocumentBrowser``: a library of documents as a list with a reading pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.display.files import document_file
from inkframe.display.reader import read
from inkframe.resources.documents import Documents
from inkframe.resources.records import values_of
from inkframe.schema import DOCUMENTS
from inkframe.signatures import options_of
from inkframe.widgets.browsers import Browser
from inkframe.widgets.controls import styled
from inkframe.widgets.document_form import DocumentForm
from inkframe.widgets.fields import TemplateField
from inkframe.widgets.record_actions import Action
from inkframe.widgets.record_reader import RecordReader

if TYPE_CHECKING:
    from inkframe.client import Client
    from inkframe.display.view import View
    from inkframe.resources.records import Document

__all__ = ["DocumentBrowser"]


class DocumentBrowser(Browser):
    """Browse, read, select and change documents.

    Keys in the list: arrows move and read, Space selects, f makes a favorite, r renames, e edits the text, u
    reuses the settings, c compares, s downloads, d marks for deletion, z undoes that. Without a template the documents of every template are listed.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 documents on a page; None for all of them on one.
        template: Only this template: a label, a number, or an ``ink.Template``.
        **filters: What else ``client.documents.list`` takes: ``search``, ``search_by``, ``favorite``,
            ``sort_by``, ``sort``; ``template_id`` is ``template`` as well.

    Attributes:
        reader: Where the document that is chosen is read and edited.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.DocumentBrowser(client, template="Blog intro")
    """

    _spec = DOCUMENTS
    _make_form = DocumentForm

    @options_of(Documents.list, leave_out={"page"})
    def __init__(
        self, client: Client, *, per_page: int | None = 25, template: Any = None, **filters: Any
    ) -> None:
        field = TemplateField(client.vocabulary, "All templates")
        field.value = filters.get("template_id") if template is None else template
        self.reader = RecordReader(client.service, save=self.save_text)
        more = [Action("Edit text", "e", self.reader.edit, most=1)]
        super().__init__(client, [field], filters, per_page, more=more, beside=[self.reader])
        styled(self, "ink-reads")

    def _show_record(self, record: Document, *, opened: bool) -> None:
        del opened  # a document that is chosen is read at once
        self.reader.show(values_of(record))

    def _content(self, record: Document) -> bytes:
        return document_file(values_of(record), service=self._client.service)

    def _static_view(self) -> View:
        return read(list(self.records.values()), service=self._client.service)
