"""The texts of a tuning run side by side: a column for each level, a line for each repeat."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.deciding.text_card import TextCard
from inkframe.deciding.text_metrics import DIFFERENCES, differences, measured, place
from inkframe.display.markup import Html, counted, joined, tag
from inkframe.errors import ConfigurationError
from inkframe.widgets.controls import Question, button, show, styled
from inkframe.widgets.fields import ChoiceField

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from inkframe.analysis.text_measures import Measures
    from inkframe.creating.rows import Row
    from inkframe.deciding.text_metrics import Place
    from inkframe.vocabulary import Vocabulary

__all__ = ["TunerTexts", "curve"]

#: The size of the drawing of the curve.
WIDTH: Final = 640
HEIGHT: Final = 170
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
        self.marks = ChoiceField("differences", "Differences", DIFFERENCES, "first")
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
        text = f"Delete {counted(len(rest), 'document')} from the library? This cannot be undone."
        self.question.ask(
            text, {"Delete permanently": lambda: discard(rest), "Keep": self.question.close_question}
        )


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
    said = ", ".join(f"{row['label']} {row['similarity']:.2f}" for _, row in known)
    drawing = tag(
        "svg",
        *_scale(),
        *(_interval(x, row) for x, row in known if not isnan(row["similarity_low"])),
        tag("polyline", points=line, class_="ink-line-drawn"),
        *(_point(x, row) for x, row in known),
        *(tag("text", row["label"], x=f"{x:.1f}", y=HEIGHT - 22, class_="ink-tick") for x, row in places),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Similarity between the repeats of a level: {said}",
        class_="ink-curve",
    )
    notes = response.attrs.get("analysis", {}).get("notes", [])
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
