"""The texts of a tuning run side by side: a column for each level, a line for each repeat, measures and differences."""

from __future__ import annotations

from collections import defaultdict
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import ipywidgets
import pandas as pd
import traitlets

from inkframe.analysis.text_measures import Measures, measure
from inkframe.display.comparison import Words, against_first
from inkframe.display.figure import title
from inkframe.display.fragments import draft, number_line
from inkframe.display.markup import Html, counted, cut, first_of, joined, plain, prose, tag
from inkframe.errors import ConfigurationError
from inkframe.frames import attribute
from inkframe.widgets.fields import choice_field
from inkframe.widgets.panel import Question, button, mark, show, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inkframe.creating.rows import Row
    from inkframe.vocabulary import Vocabulary

__all__ = [
    "TextCard",
    "TunerTexts",
    "curve",
    "differences",
    "measured",
    "place",
    "with_measures",
]

#: What stands for a text, by the status of its row.
WAITING: Final = {
    "": "Writing…",
    "pending": "Writing…",
    "skipped": "Not created.",
    "failed": "Failed",
    "unknown": "May have been created.",
}
#: A creativity level and a repeat.
Place = tuple[float, int]
#: Characters of a text that are shown and compared.
COMPARED: Final = 20_000
#: The texts that each text is compared with.
DIFFERENCES: Final = (
    ("From the first text", "first"),
    ("From the first text of each level", "level"),
    ("Not marked", "none"),
)
#: The measures of a text, and the types of their columns.
MEASURES: Final = {
    "words": "Int64",
    "distinct_words": "Int64",
    "similarity": "float64",
    "reading_ease": "float64",
}
#: The width and height of the drawing of the curve.
WIDTH, HEIGHT = 640, 170
#: Where the drawing begins and ends, with space for the numbers left and the labels below.
LEFT, RIGHT, TOP, BOTTOM = 64, 600, 14, 126


class TunerTexts(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Texts on cards, their differences marked, measured, and drawn as a curve.

    Args:
        vocabulary: The names of the levels.
        update: Called with a row and the fields of its record that are to change.
        look_for: Called with a row that may have been created.
        discard: Called with the rows whose records are to be deleted, unless they are kept by then.
        compare: Called when texts are to be compared in another way.

    Attributes:
        cards: The texts by level and repeat.
        measures: What was measured of them.
        marks: Which differences are marked.
        discard: Asks whether to delete all texts that are not kept.
        question: That question.
        curve: The similarity of the texts of each level.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        update: Callable[..., Any],
        look_for: Callable[[Row], Any],
        discard: Callable[[Sequence[Row]], Any],
        compare: Callable[[], Any],
    ) -> None:
        self._vocabulary, self._update, self._look_for = vocabulary, update, look_for
        self._rows: list[Row] = []
        self.cards: dict[Place, TextCard] = {}
        self._bodies: dict[Place, Html] = {}
        self.measures: dict[Place, Measures] = {}
        self.marks = choice_field("differences", "Differences", DIFFERENCES, "first")
        self.marks.on_change(lambda _: compare())
        self.discard = button("Discard the rest", lambda: self._ask(discard))
        bar = styled(ipywidgets.HBox([self.marks, self.discard]), "ink-row", "ink-between")
        self._place = styled(ipywidgets.GridBox(), "ink-cards")
        self.curve = ipywidgets.HTML()
        self.question = Question()
        super().__init__([bar, self.question, self._place, self.curve])
        styled(self, "ink-texts", "ink-gone")

    @property
    def made(self) -> list[Row]:
        """The rows that have a text."""
        return [row for row in self._rows if row.record is not None]

    @property
    def rest(self) -> list[Row]:
        """The rows whose record is no favorite."""
        return [row for row in self.made if not row.record.favorite]

    def lay_out(self, rows: Sequence[Row]) -> None:
        """Create a card for each row."""
        self._rows = sorted(rows, key=lambda row: (row.repeat, place(row)[0]))
        old = self._place.children
        self.cards = {place(row): self._card(row) for row in self._rows}
        columns = max(1, len({level for level, _ in self.cards}))
        self._place.layout.grid_template_columns = f"repeat({columns}, minmax(176px, 1fr))"
        self._place.children = list(self.cards.values())
        for card in old:
            card.close()
        self._show_all()
        show(self)

    def show(self, row: Row) -> None:
        """Show a row as it is now."""
        if (card := self.cards.get(place(row))) is not None:
            card.show(self._bodies.get(place(row)), self.measures.get(place(row)))
        self.discard.disabled = not 0 < len(self.rest) < len(self.made)

    def judge(self, language: str | None) -> None:
        """Mark what differs, and measure.

        Args:
            language: The language of the texts, where it is known.
        """
        self._bodies = differences(self.made, self.marks.value)
        self.measures = measured(self.made, language)
        self._show_all()

    def _show_all(self) -> None:
        for row in self._rows:
            self.show(row)

    def draw(self, frame: pd.DataFrame) -> None:
        """Draw the similarity of the repeats of each level."""
        from inkframe.analysis.creativity import creativity_response

        # The service may not have written any text yet.
        has_texts = any((row.record.result or "").strip() for row in self.made)
        try:
            drawn = curve(creativity_response(frame)) if has_texts else None
        except ConfigurationError as error:  # many repeats have intervals, which need SciPy
            drawn = tag("p", str(error), class_="ink-hint")
        self.curve.value = str(drawn or "")

    def _card(self, row: Row) -> TextCard:
        heading = self._vocabulary.label("creativity", row.fields["creativity"])
        return TextCard(heading, row, update=self._update, look_for=self._look_for)

    def _ask(self, discard: Callable[[Sequence[Row]], Any]) -> None:
        rest = self.rest
        names = first_of([title({"name": row.record.name}) for row in rest])
        text = f"Delete {counted(len(rest), 'document')} from the library: {names}? This cannot be undone."
        answers = {"Delete permanently": lambda: discard(rest), "Keep": self.question.close_question}
        self.question.ask(text, answers)


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
        lost = row.status in ("unknown", "pending")
        text = (
            body or prose(cut(_text(row), COMPARED))
            if record is not None and row.status != "pending"
            else None
        )
        waiting = WAITING.get(row.status, "") + (f": {row.error}" if row.status == "failed" else "")
        name = (record and record.name) or ""
        below = numbers(measures) if measures else None
        self.content = str(draft(heading, row.fields["creativity"], text, name, waiting, below))
        mark(self, "ink-on", on=kept)
        self.keep.description = "★ Kept" if kept else "Keep"
        self.name.value = name
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
    """Return the line of a text's measures; unknown ones are left out."""
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
    return number_line(
        (form.format(value), words, hint) for value, form, words, hint in shown if value is not None
    )


def place(row: Row) -> Place:
    """Return the level and the repeat of a row."""
    return float(row.fields["creativity"]), row.repeat


def differences(rows: Iterable[Row], how: str) -> dict[Place, Html]:
    """Return each text with its differences marked.

    Args:
        rows: Rows that have a text.
        how: A value of ``DIFFERENCES``.
    """
    texts = {place(row): Words.of(prose(cut(plain(_text(row)), COMPARED))) for row in rows}
    groups: dict[Any, list[Place]] = defaultdict(list)
    for each in sorted(texts):
        groups[{"first": None, "level": each[0], "none": each}[how]].append(each)
    return {
        each: body
        for members in groups.values()
        if len(members) > 1
        for each, body in zip(members, against_first([texts[each] for each in members]), strict=True)
    }


def measured(rows: Iterable[Row], language: str | None) -> dict[Place, Measures]:
    """Measure each text; its similarity is that to the other texts of its level.

    Args:
        rows: Rows that have a text.
        language: The language of the texts, where it is known.
    """
    levels: dict[float, list[Row]] = defaultdict(list)
    for row in rows:
        levels[place(row)[0]].append(row)
    return {
        place(row): measures
        for members in levels.values()
        for row, measures in zip(
            members, measure([_text(row) for row in members], language=language), strict=True
        )
    }


def with_measures(frame: pd.DataFrame, rows: Sequence[Row], found: Mapping[Place, Measures]) -> pd.DataFrame:
    """Add a column for each measure to the frame of a run."""
    measures = [found.get(place(row)) for row in rows]
    columns = {
        name: pd.Series([getattr(each, name, None) for each in measures], frame.index, dtype=dtype)
        for name, dtype in MEASURES.items()
    }
    return frame.assign(**columns)


def _text(row: Row) -> str:
    return str(getattr(row.record, "result", None) or "")


def curve(response: pd.DataFrame) -> Html | None:
    """Draw what ``creativity_response`` gives; None where no level has two texts to compare.

    Args:
        response: One row a level: label, similarity, and its interval where there is one.
    """
    rows: list[dict[Any, Any]] = response.to_dict("records")
    if all(isnan(row["similarity"]) for row in rows):
        return None
    step = (RIGHT - LEFT) / max(1, len(rows) - 1)
    places = [(LEFT + step * at, row) for at, row in enumerate(rows)]
    known = [(x, row) for x, row in places if not isnan(row["similarity"])]
    line = " ".join(f"{x:.1f},{_y(row['similarity']):.1f}" for x, row in known)
    values = ", ".join(f"{row['label']} {row['similarity']:.2f}" for _, row in known)
    drawing = tag(
        "svg",
        *_scale(),
        *(_interval(x, row) for x, row in known if not isnan(row["similarity_low"])),
        tag("polyline", points=line, class_="ink-line-drawn"),
        *(_point(x, row) for x, row in known),
        *(tag("text", row["label"], x=f"{x:.1f}", y=HEIGHT - 22, class_="ink-tick") for x, row in places),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Similarity between the repeats of a level: {values}",
        class_="ink-curve",
    )
    notes = attribute(response, "analysis").get("notes", [])
    words = joined("Similarity between the repeats of a level, 0 to 1", *notes)
    return tag("figure", drawing, tag("figcaption", words, class_="ink-hint"))


def _y(similarity: float) -> float:
    return BOTTOM - similarity * (BOTTOM - TOP)


def _scale() -> list[Html]:
    lines = {f"{value:g}": _y(value) for value in (0, 0.5, 1)}
    return [
        *(tag("line", x1=LEFT - 20, x2=RIGHT + 20, y1=y, y2=y, class_="ink-rule") for y in lines.values()),
        *(
            tag("text", text, x=LEFT - 30, y=y + 4, class_="ink-tick ink-tick-left")
            for text, y in lines.items()
        ),
    ]


def _interval(x: float, row: dict[str, Any]) -> Html:
    ends = {"y1": f"{_y(row['similarity_low']):.1f}", "y2": f"{_y(row['similarity_high']):.1f}"}
    return tag("line", x1=f"{x:.1f}", x2=f"{x:.1f}", **ends, class_="ink-spread")


def _point(x: float, row: dict[str, Any]) -> Html:
    y = _y(row["similarity"])
    dot = tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_="ink-dot")
    number = tag(
        "text", f"{row['similarity']:.2f}", x=f"{x:.1f}", y=f"{y - 9:.1f}", class_="ink-tick ink-number"
    )
    return Html(dot + number)
