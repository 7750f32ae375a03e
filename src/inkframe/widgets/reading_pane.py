"""The pane beside a list of documents: one document to read, and its text to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display import tag
from inkframe.display.reader import article
from inkframe.widgets.controls import button, styled
from inkframe.widgets.form_fields import text_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ReadingPane"]

NOTHING = str(tag("p", "Choose a document to read it here.", class_="ink-hint"))


class ReadingPane(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Shows a document, or a field with its text.

    Args:
        service: What the header calls the service.
        save: Called with the id and the new text when an edit is to be stored.
    """

    def __init__(self, service: str, save: Callable[[int | str, str], Any]) -> None:
        self._service, self._save = service, save
        self._record: Mapping[str, Any] | None = None
        self._edited: int | str | None = None
        #: Texts that were edited and not stored, by id: another document may be read meanwhile.
        self._drafts: dict[int | str, str] = {}
        self._view = ipywidgets.HTML(NOTHING)
        self._text = text_field("result", "Text", lines=16, span=12)
        keep = button("Save text", self._store, "ink-go")
        drop = button("Discard changes", self._discard)
        self._editor = [self._text, styled(ipywidgets.HBox([keep, drop]), "ink-row")]
        super().__init__([self._view], tabbable=True)  # long texts are scrolled by keyboard too
        styled(self, "ink-pane")

    def show(self, record: Mapping[str, Any]) -> None:
        """Show a document; what was being edited is kept as a draft."""
        self._put_aside()
        self._record = record
        note = (
            "Changes to this text are not saved yet: press Edit text to go on."
            if record["id"] in self._drafts
            else ""
        )
        view = article(record, service=self._service, shown=60_000, most=60_000)
        self._view.value = str(tag("p", note, class_="ink-hint") + view if note else view)
        self.children = [self._view]

    def edit(self) -> None:
        """Put the text of the document that is shown into a field."""
        if self._record is None or self._edited is not None:
            return
        self._edited = self._record["id"]
        self._text.value = self._drafts.pop(self._edited, self._record.get("result") or "")
        self.children = self._editor
        self._text.control.focus()

    def saved(self, record: Mapping[str, Any]) -> None:
        """Show a document whose text was stored; only now is the edit gone."""
        if self._edited == record["id"]:
            self._edited = None
            self._drafts.pop(record["id"], None)
            self.show(record)

    def _store(self) -> None:
        if self._edited is not None:
            self._save(self._edited, self._text.value)

    def _discard(self) -> None:
        self._edited = None
        if self._record is not None:
            self._drafts.pop(self._record["id"], None)
            self.show(self._record)

    def _put_aside(self) -> None:
        """Keep what is being edited as a draft, if it differs from what is stored."""
        if self._edited is not None and self._record is not None:
            if self._text.value != (self._record.get("result") or ""):
                self._drafts[self._edited] = self._text.value
            self._edited = None
