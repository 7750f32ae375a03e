"""The pane beside a list of documents: one document to read, and its text to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from inkframe.display import tag
from inkframe.display.reader import article
from inkframe.widgets.controls import button, styled
from inkframe.widgets.form_fields import text_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ReadingPane"]

NOTHING = str(tag("p", "Select a document to read it here.", class_="ink-hint"))
UNSAVED = "This text has unsaved changes. Press Edit text to continue."


class ReadingPane(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Shows a document, or a field with its text.

    Args:
        service: What the header calls the service.
        save: Called with the id and the new text when an edit is to be stored.

    Attributes:
        text: The field.
        keep: Stores the edit.
        drop: Discards it.
    """

    #: The document as HTML.
    content = traitlets.Unicode(NOTHING)

    def __init__(self, service: str, save: Callable[[int | str, str], Any]) -> None:
        self._service = service
        self._record: Mapping[str, Any] = {}
        #: Texts that were edited and not stored, by id: another document may be read meanwhile.
        self._drafts: dict[int | str, str] = {}
        self._view = ipywidgets.HTML(NOTHING)
        self.text = text_field("result", "Text", lines=16, span=12)
        self.keep = button("Save text", lambda: save(self._record["id"], self.text.value), "ink-go")
        self.drop = button("Discard changes", lambda: self._read(self._record))
        self._editor = [self.text, styled(ipywidgets.HBox([self.keep, self.drop]), "ink-row")]
        super().__init__([self._view], tabbable=True)  # long texts are scrolled by keyboard too
        styled(self, "ink-pane")
        self.observe(lambda change: self._view.set_trait("value", change["new"]), "content")

    @property
    def is_editing(self) -> bool:
        """Whether the text is in the field."""
        return self.text in self.children

    def show(self, record: Mapping[str, Any]) -> None:
        """Show a document; an edit of the one before is kept as a draft."""
        if self.is_editing and self.text.value != (self._record.get("result") or ""):
            self._drafts[self._record["id"]] = self.text.value
        self._read(record)

    def edit(self) -> None:
        """Put the text of the document that is shown into the field."""
        if self._record and not self.is_editing:
            stored = self._record.get("result") or ""
            self.text.value = self._drafts.pop(self._record["id"], stored)
            self.children = self._editor
            self.text.control.focus()

    def saved(self, record: Mapping[str, Any]) -> None:
        """Show a document whose text was stored; only now is the edit gone."""
        if self.is_editing and self._record["id"] == record["id"]:
            self._read(record)

    def _read(self, record: Mapping[str, Any]) -> None:
        self._record = record
        view = article(record, service=self._service, shown=60_000, most=60_000)
        note = tag("p", UNSAVED, class_="ink-hint") if record["id"] in self._drafts else ""
        self.content = str(note + view)
        self.children = [self._view]
