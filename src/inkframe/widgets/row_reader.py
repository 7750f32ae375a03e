"""The row that is read: its text or picture, the hits of the search, and all other columns."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.display import image_bundle, tag
from inkframe.display.markup import Html, join
from inkframe.display.plain_text import line
from inkframe.display.reader import article
from inkframe.display.record_facts import words
from inkframe.errors import InkframeError
from inkframe.widgets.controls import styled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.widgets.frame_source import FrameSource

__all__ = ["RowReader", "mark_hits"]

NOTHING: Final = str(tag("p", "Select a row to read it here.", class_="ink-hint"))
#: Columns that every view of a row shows.
SHOWN: Final = frozenset({"id", "name", "result", "prompt", "picture_url"})
#: Characters of a value in the list of columns.
LONG: Final = 600
TAG: Final = re.compile(r"(<[^>]*>)")


class RowReader(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Shows one row.

    Args:
        source: The frame.
        fetch: Returns the picture of a row by its key; None for rows without pictures.
    """

    def __init__(self, source: FrameSource, fetch: Callable[[Mapping[str, Any]], bytes] | None) -> None:
        self._source, self._fetch = source, fetch
        #: Columns that the text or the picture has beside it already.
        self._shown = SHOWN | set(source.spec.columns if fetch else ("template",))
        self._hit = self._hits = 0
        self._view = ipywidgets.HTML(NOTHING)
        super().__init__([self._view], tabbable=True)  # long texts are scrolled by keyboard too
        styled(self, "ink-pane")

    @property
    def content(self) -> str:
        """What is shown, as HTML."""
        return str(self._view.value)

    def show(self, key: str, row: Mapping[str, Any], search: str) -> None:
        """Show a row, with the hits of a search marked."""
        body = self._picture(key, row) if self._fetch else str(article(row, service=self._source.service))
        facts = [
            (tag("dt", name), tag("dd", line(words(row, name) or str(value), LONG), dir="auto"))
            for name, value in row.items()
            if name not in self._shown and words(row, name)
        ]
        columns = tag("dl", *(part for pair in facts for part in pair), class_="ink-columns") if facts else ""
        marked, self._hits = mark_hits(str(join(Html(body), columns)), search)
        self._hit = 0
        self._view.value = marked

    def turn(self, by: int) -> int:
        """Return the number of the next hit, or of the previous one, from 1; 0 without hits."""
        if not self._hits:
            return 0
        self._hit = (self._hit - 1 + by) % self._hits + 1 if self._hit else (1 if by > 0 else self._hits)
        return self._hit

    def _picture(self, key: str, row: Mapping[str, Any]) -> str:
        picture: bytes | str
        try:
            picture = self._fetch({"id": key}) if self._fetch else ""
        except InkframeError as error:
            picture = str(error).split("\n", 1)[0]
        bundle = image_bundle(row, picture, service=self._source.service)
        return str(bundle["text/html"])


def mark_hits(html: str, search: str) -> tuple[str, int]:
    """Mark a text wherever it occurs between the tags of safe HTML.

    Returns:
        The HTML and the number of hits, which have the classes ``ink-hit-1``, ``ink-hit-2``, ….
    """
    if not search.strip():
        return html, 0
    hits = 0
    wanted = re.compile(re.escape(escape(search, quote=False)), re.IGNORECASE)

    def marked(found: re.Match[str]) -> str:
        nonlocal hits
        hits += 1
        return f'<mark class="ink-hit ink-hit-{hits}">{found[0]}</mark>'

    inside_style = False
    parts = TAG.split(html)
    for at, part in enumerate(parts):
        if at % 2:
            inside_style = part.startswith("<style") or (inside_style and not part.startswith("</style"))
        elif not inside_style:
            parts[at] = wanted.sub(marked, part)
    return "".join(parts), hits
