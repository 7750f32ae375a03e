"""One text of a tuning run: what it says, what was measured, and whether it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display import tag
from inkframe.display.plain_text import plain, without_marks
from inkframe.widgets.controls import button, mark, styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.analysis.text_measures import Measures
    from inkframe.display import Html
    from inkframe.workflows.create_rows import Row

__all__ = ["TextCard"]

WAITING = {
    "": "Writing…",
    "pending": "Writing…",
    "skipped": "Not written.",
    "failed": "Failed",
    "unknown": "May have been written.",
}


class TextCard(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A text under its creativity level.

    Args:
        heading: The level's words.
        level: The level.
        keep: Called when the text is to be kept, or no longer.
        rename: Called with a new name.
        look: Called when a text that may have been written is to be looked for.
    """

    def __init__(
        self,
        heading: str,
        level: str,
        *,
        keep: Callable[[], Any],
        rename: Callable[[str], Any],
        look: Callable[[], Any],
    ) -> None:
        self._heading, self._level, self._rename = heading, level, rename
        self._text = ipywidgets.HTML()
        self._keep = button("Keep", keep, "ink-small")
        self._look = button("Look for it", look, "ink-small")
        self._name = ipywidgets.Text(description="Name", continuous_update=False)
        self._name.observe(lambda change: self._named(change["new"]), "value")
        self._shown_name = ""
        self._parts: list[Any] = [self._text]
        super().__init__(self._parts)
        styled(self, "ink-col", "ink-card")

    def show(self, row: Row, body: Html | None = None, measures: Measures | None = None) -> None:
        """Show a row as it is now.

        Args:
            row: The row.
            body: Its text with what differs marked; the bare text without it.
            measures: What was measured.
        """
        record: Any = row.record
        kept = record is not None and bool(record.favorite)
        heading = f"{self._heading} ★" if kept else self._heading
        head = tag("header", tag("b", heading), tag("span", self._level))
        if record is None or row.status == "pending":
            reason = f": {row.error}" if row.error and row.status == "failed" else ""
            content = tag("p", WAITING.get(row.status, "") + reason, class_="ink-hint")
        else:
            content = tag(
                "div",
                body or without_marks(plain(record.result or "")),
                class_="ink-text",
                dir="auto",
                tabindex=0,  # long texts are scrolled by keyboard too
                role="group",
                aria_label=record.name or "Text",
            )
        self._text.value = str(head + content + (numbers(measures) if measures else ""))
        mark(self, "ink-on", on=kept)
        self._keep.description = "★ Kept" if kept else "Keep"
        if record is not None:
            self._shown_name = record.name or ""
            self._name.value = self._shown_name
        lost = row.status in ("unknown", "pending")
        there = record is not None and not lost
        optional = ((self._look, lost), (self._keep, there), (self._name, there and kept))
        parts = [self._text, *(part for part, wanted in optional if wanted)]
        if parts != self._parts:
            self._parts = parts
            self.children = parts

    def _named(self, name: str) -> None:
        if name.strip() and name != self._shown_name:
            self._shown_name = name
            self._rename(name)


def numbers(measures: Measures) -> Html:
    """Give a text's row of measures; what cannot be said of it is left out."""
    shown = (
        (measures.words, "{:,}", "words", ""),
        (measures.distinct_words, "{:,}", "distinct", "different words"),
        (
            measures.similarity,
            "{:.2f}",
            "alike",
            "mean share of words and word pairs in common with the other repeats",
        ),
        (measures.reading_ease, "{:.0f}", "ease", "Flesch reading ease: 100 very easy, below 30 very hard"),
    )
    parts = [
        tag("span", tag("b", form.format(value)), f" {words}", title=hint or None)
        for value, form, words, hint in shown
        if value is not None
    ]
    return tag("div", *parts, class_="ink-num")
