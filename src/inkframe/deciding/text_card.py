"""One text of a tuning run with its measures, and whether it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from inkframe.deciding.text_metrics import COMPARED
from inkframe.display.markup import cut, prose, tag
from inkframe.widgets.controls import button, mark, styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.analysis.text_measures import Measures
    from inkframe.creating.rows import Row
    from inkframe.display.markup import Html

__all__ = ["TextCard"]

WAITING = {
    "": "Writing…",
    "pending": "Writing…",
    "skipped": "Not created.",
    "failed": "Failed",
    "unknown": "May have been created.",
}


class TextCard(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A text under its creativity level.

    Args:
        heading: The words for the level.
        row: The row of the text.
        update: Called with the row and the fields of its record that are to change.
        look_for: Called with the row when its text may have been written.
    """

    #: The text as HTML.
    content = traitlets.Unicode()

    def __init__(
        self, heading: str, row: Row, *, update: Callable[..., Any], look_for: Callable[[Row], Any]
    ) -> None:
        self._heading, self._row, self._update = heading, row, update
        self._text = ipywidgets.HTML()
        self.observe(lambda change: self._text.set_trait("value", change["new"]), "content")
        self.keep = button("Keep", self._mark, "ink-small")
        self._look = button("Search for it", lambda: look_for(row), "ink-small")
        self.name = ipywidgets.Text(description="Name", continuous_update=False)
        self.name.observe(lambda change: self._named(change["new"]), "value")
        super().__init__()
        styled(self, "ink-col", "ink-card")

    def show(self, body: Html | None = None, measures: Measures | None = None) -> None:
        """Show the row as it is now.

        Args:
            body: Its text with what differs marked; the bare text without it.
            measures: What was measured.
        """
        row = self._row
        record: Any = row.record
        kept = record is not None and bool(record.favorite)
        heading = f"{self._heading} ★" if kept else self._heading
        head = tag("header", tag("b", heading), tag("span", row.fields["creativity"]))
        if record is None or row.status == "pending":
            reason = f": {row.error}" if row.status == "failed" else ""
            content = tag("p", WAITING.get(row.status, "") + reason, class_="ink-hint")
        else:
            content = tag(
                "div",
                body or prose(cut(record.result or "", COMPARED)),
                class_="ink-text ink-prose",
                dir="auto",
                tabindex=0,  # long texts are scrolled by keyboard too
                role="group",
                aria_label=record.name or "Text",
            )
        self.content = str(head + content + (numbers(measures) if measures else ""))
        mark(self, "ink-on", on=kept)
        self.keep.description = "★ Kept" if kept else "Keep"
        self.name.value = (record and record.name) or ""
        lost = row.status in ("unknown", "pending")
        there = record is not None and not lost
        optional = ((self._look, lost), (self.keep, there), (self.name, there and kept))
        self.children = [self._text, *(part for part, wanted in optional if wanted)]

    def _mark(self) -> None:
        if self._row.record is not None:
            self._update(self._row, favorite=not self._row.record.favorite)

    def _named(self, name: str) -> None:
        if name.strip() and self._row.record is not None and name != self._row.record.name:
            self._update(self._row, name=name)


def numbers(measures: Measures) -> Html:
    """Return the row of a text's measures; unknown ones are left out."""
    shown = (
        (measures.words, "{:,}", "words", ""),
        (measures.distinct_words, "{:,}", "unique words", ""),
        (
            measures.similarity,
            "{:.2f}",
            "similarity",
            "mean share of words and word pairs in common with the other repeats",
        ),
        (
            measures.reading_ease,
            "{:.0f}",
            "reading ease",
            "Flesch reading ease: 100 very easy, below 30 very hard",
        ),
    )
    parts = [
        tag("span", tag("b", form.format(value)), f" {words}", title=hint or None)
        for value, form, words, hint in shown
        if value is not None
    ]
    return tag("div", *parts, class_="ink-num")
