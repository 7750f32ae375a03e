"""A reader of one record: its text or picture, marked hits of a search, all other columns, and an editor."""

from __future__ import annotations

import re
from datetime import datetime
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import ipywidgets
import traitlets

from inkframe.display.figure import held_by, moment, value, words
from inkframe.display.fragments import article, fact_list, image_bundle
from inkframe.display.markup import Html, join, line, spell_number, tag
from inkframe.errors import InkframeError
from inkframe.schema import IMAGES
from inkframe.widgets.fields import text_field
from inkframe.widgets.panel import button, show, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["RecordReader", "mark_hits"]

UNSAVED: Final = "This text has unsaved changes. Press Edit text to continue."
#: Columns that every view of a record shows.
SHOWN: Final = frozenset({"id", "name", "result", "prompt", "picture_url"})
#: Further columns that the view of a text shows, and that of a picture.
OF_TEXTS: Final = frozenset({"template", "template_id", "creativity", "favorite", "created_at"})
OF_PICTURES: Final = frozenset(IMAGES.columns)
#: Columns whose values have words of their own.
KNOWN: Final = (OF_TEXTS | OF_PICTURES) - {"created_at", "updated_at"}
#: Characters of a text, and of a value in the list of columns.
TEXT, LONG = 60_000, 600
#: A tag, and a style sheet as a whole.
TAG: Final = re.compile(r"(<style.*?(?:</style|\Z)[^>]*>?|<[^>]*>?)", re.DOTALL)


class RecordReader(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Shows a record, or a field with its text.

    Args:
        service: What the header calls the service.
        fetch: Returns the picture of an image; None where no images are read.
        save: Called with the id and the new text when an edit is to be stored.
        hides: Whether it is hidden until it is brought into view, and while it shows no record.

    Attributes:
        text: The field.
        keep: Stores the edit.
        drop: Discards it.
    """

    #: The record as HTML.
    content = traitlets.Unicode()

    def __init__(
        self,
        service: str,
        *,
        fetch: Callable[[Mapping[str, Any]], bytes] | None = None,
        save: Callable[[int | str, str], Any] = lambda _id, _text: None,
        hides: bool = False,
    ) -> None:
        self._service, self._fetch, self._hides = service, fetch, hides
        self._record: Mapping[str, Any] = {}
        self._search = ""
        self._hit = self._hits = 0
        #: Texts that were edited and not stored, by id: another document may be read meanwhile.
        self._drafts: dict[int | str, str] = {}
        self._view = ipywidgets.HTML()
        self.text = text_field("result", "Text", lines=16, span=12)
        self.keep = button("Save text", lambda: save(self._record["id"], self.text.value), "ink-go")
        self.drop = button("Discard changes", lambda: self._read(self._record))
        self._editor = [self.text, styled(ipywidgets.HBox([self.keep, self.drop]), "ink-row")]
        super().__init__([self._view], tabbable=True)  # long texts are scrolled by keyboard too
        styled(self, "ink-pane")
        self.observe(lambda change: self._view.set_trait("value", change["new"]), "content")
        self.clear()

    @property
    def is_editing(self) -> bool:
        """Whether the text is in the field."""
        return self.text in self.children

    def clear(self) -> None:
        """Show no record."""
        self._record = {}
        self.content = str(tag("p", "Select one to read it here.", class_="ink-hint"))
        self.children = [self._view]
        show(self, shown=not self._hides)

    def show(self, record: Mapping[str, Any], search: str = "") -> None:
        """Show a record, with the hits of a search marked; an edit of the one before is kept as a draft."""
        if self.is_editing and self.text.value != (self._record.get("result") or ""):
            self._drafts[self._record["id"]] = self.text.value
        self._search = search
        self._read(record)

    def turn(self, by: int) -> int:
        """Return the number of the next hit, or of the previous one, from 1; 0 without hits."""
        if not self._hits:
            return 0
        self._hit = (self._hit - 1 + by) % self._hits + 1 if self._hit else (1 if by > 0 else self._hits)
        return self._hit

    def edit(self) -> None:
        """Put the text of the document that is shown into the field."""
        if self._record and not self.is_editing:
            self.text.value = self._drafts.pop(self._record["id"], self._record.get("result") or "")
            self.children = self._editor
            self.text.control.send({"do": "focus"})

    def renew(self, record: Mapping[str, Any], *, stored: bool = False) -> None:
        """Show a record as it is now, if it is the one that is read; an edit stays in the field until it is stored."""
        if self._record.get("id") == record["id"] and held_by(self._record) == held_by(record):
            if self.is_editing and not stored:
                self._record = record
            else:
                self._read(record)

    def forget(self, keys: Iterable[str]) -> None:
        """Drop the drafts of records that no longer exist, and show none of them; the keys are ids as text."""
        gone = set(keys)
        self._drafts = {id: draft for id, draft in self._drafts.items() if str(id) not in gone}
        if self._record and str(self._record["id"]) in gone:
            self.clear()

    def _read(self, record: Mapping[str, Any]) -> None:
        self._record, self._hit = record, 0
        is_image = self._fetch is not None and held_by(record) == IMAGES.name
        body = self._picture(record) if is_image else article(record, service=self._service, shown=TEXT)
        shown = SHOWN | (OF_PICTURES if is_image else OF_TEXTS)
        names = [name for name in record if name not in shown and value(record, name) is not None]
        columns = fact_list([(name, _words(record, name)) for name in names]) if names else ""
        marked, self._hits = mark_hits(str(join(body, columns)), self._search)
        note = tag("p", UNSAVED, class_="ink-hint") if record["id"] in self._drafts and not is_image else ""
        self.content = str(note) + marked
        self.children = [self._view]

    def _picture(self, record: Mapping[str, Any]) -> Html:
        picture: bytes | str
        try:
            picture = self._fetch(record) if self._fetch else ""
        except InkframeError as error:
            picture = str(error).split("\n", 1)[0]
        return Html(image_bundle(record, picture, service=self._service)["text/html"])


def _words(record: Mapping[str, Any], name: str) -> str:
    code = value(record, name)
    text = moment(code) if isinstance(code, datetime) else spell_number(code)
    return words(record, name) if name in KNOWN else line(text, LONG)


def mark_hits(html: str, search: str) -> tuple[str, int]:
    """Mark a text wherever it occurs between the tags of safe HTML.

    Returns:
        The HTML and the number of hits, which have the classes ``ink-hit-1``, ``ink-hit-2``, ….
    """
    if not search.strip():
        return html, 0
    hits = count(1)
    wanted = re.compile(re.escape(escape(search, quote=False)), re.IGNORECASE)

    def marked(found: re.Match[str]) -> str:
        return f'<mark class="ink-hit ink-hit-{next(hits)}">{found[0]}</mark>'

    parts = TAG.split(html)
    parts[::2] = [wanted.sub(marked, text) for text in parts[::2]]
    return "".join(parts), next(hits) - 1
