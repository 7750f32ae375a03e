"""``CreativityTuner``: one prompt at every creativity level, several times, side by side."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.client import STAND_IN
from inkframe.display import read
from inkframe.display.text import counted
from inkframe.errors import InvalidArgument, NotFound
from inkframe.library.arguments import check_integer
from inkframe.library.plans import ALL, plan_documents
from inkframe.library.selection import values
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.calls import Source, client_name, write_call
from inkframe.widgets.card import Card
from inkframe.widgets.chips import Chips
from inkframe.widgets.curve import curve
from inkframe.widgets.fields import ChoiceField, Field, text_field
from inkframe.widgets.judgement import DIFFERENCES, Place, differences, measured, place, with_measures
from inkframe.widgets.panel import check_keywords
from inkframe.widgets.prompt_fields import PromptFields
from inkframe.widgets.question import Question
from inkframe.widgets.static import folded
from inkframe.widgets.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.analysis.measures import Measures
    from inkframe.client import Client
    from inkframe.display import Html
    from inkframe.library import Documents
    from inkframe.vocabulary import Template
    from inkframe.widgets.run import Row

__all__ = ["CreativityTuner"]

KEYWORDS: Final = ("prompt", "template", "name", "creativity", "repeats", "language")
NAME: Final = "Draft {creativity} {repeat}"
MOST_REPEATS: Final = 20
LANGUAGES: Final = (("English", "en"), ("another, or not known", None))


class CreativityTuner(Trial):
    """What creativity does to a prompt: every level several times, side by side, measured, the best kept.

    Args:
        client: The service's client.
        prompt: The instructions.
        template: A template that makes the prompt: a label, a number, or an ``ink.Template``.
        name: A pattern for the names, with ``{creativity}``, ``{repeat}`` and ``{number}``.
        creativity: The levels, or their labels; all of them if not given.
        repeats: How many texts for each level.
        language: The language of the texts, such as ``"en"``: reading ease is for English only. The local
            stand-in writes English.
        **fields: The template's own fields by name.

    Raises:
        InvalidArgument: There is no such field or template, or a value is not of the client's vocabulary.

    Example:
        >>> tuner = ink.CreativityTuner(client, prompt="Product text for a kettle", repeats=3)
        >>> tuner.submit().result()  # as a press of its button does; tuner.frame is the same
    """

    _required = ("name",)

    def __init__(
        self,
        client: Client,
        *,
        prompt: str = "",
        template: str | int | Template | None = None,
        name: str = NAME,
        creativity: float | str | Iterable[float | str] | Any = ALL,
        repeats: int = 3,
        language: str | None = None,
        **fields: Any,
    ) -> None:
        vocabulary = client.vocabulary
        own = vocabulary.template(template).fields if template is not None else ()
        check_keywords(type(self), fields, (*KEYWORDS, *(field.name for field in own)))
        if check_integer("repeats", repeats) > MOST_REPEATS:
            raise InvalidArgument(f"repeats={repeats} is too many to read.\nGive 1 to {MOST_REPEATS}.")
        self._name = text_field("name", "Name", name)
        self._repeats = Field(
            "repeats",
            ipywidgets.BoundedIntText(repeats, min=1, max=MOST_REPEATS, description="Repeats"),
            span=3,
        )
        english = (language or "").lower().startswith("en") or (
            language is None and client.service == STAND_IN
        )
        self._language = ChoiceField("language", "Language", LANGUAGES, "en" if english else None)
        self._prompt = PromptFields(vocabulary, self._touch)
        codes = vocabulary.codes("creativity")
        steps = [[code, vocabulary.label("creativity", code)] for code in codes]
        chosen = [vocabulary.creativity(value) for value in _several(creativity, codes)]
        levels = Chips(label="Creativity", options=steps, value=[code for code in codes if code in chosen])
        self._levels = Field("creativity", levels, span=12)
        self._cards: dict[Place, Card] = {}
        self._bodies: dict[Place, Html] = {}
        self._measures: dict[Place, Measures] = {}
        self._place = ipywidgets.GridBox()
        self._place.add_class("ink-cards")
        self._curve = ipywidgets.HTML()
        self._question = Question()
        controls = [self._name, self._repeats, self._language, self._prompt, self._levels]
        super().__init__(
            client,
            controls,
            [self._make_bar(), self._place, self._question, self._curve],
            "document",
            "Writing",
        )
        for field in (self._name, self._repeats, self._levels):
            field.on_change(lambda name=field.name: self._touch(name))
        self._language.on_change(lambda: self._aside(self._judge))
        self._prompt.fill(prompt, template, fields)
        self._refresh()

    @property
    def _collection(self) -> Documents:
        return self._client.documents

    def _make_bar(self) -> ipywidgets.HBox:
        """Give the row between plan and texts; it appears with them."""
        self._marks = ChoiceField("differences", "Differences", DIFFERENCES, "first")
        self._marks.on_change(lambda: self._aside(self._judge))
        self._discard = ipywidgets.Button(description="Discard the rest", disabled=True)
        self._discard.on_click(lambda _: self._ask_to_discard())
        self._bar = ipywidgets.HBox([self._marks, self._discard])
        for each in ("ink-row", "ink-gone", "ink-between"):
            self._bar.add_class(each)
        return self._bar

    def _fields(self) -> dict[str, Field]:
        own = {"name": self._name, "repeats": self._repeats, "creativity": self._levels}
        return {**own, **self._prompt.fields}

    def _lacks(self) -> dict[str, str]:
        return super()._lacks() | self._prompt.problems()

    def _size(self) -> int:
        return len(self._levels.value) * int(self._repeats.value)

    def _plan(self) -> pd.DataFrame:
        plan = plan_documents(
            self._prompt.prompt.value,
            name=self._name.value,
            creativity=self._levels.value,
            repeats=int(self._repeats.value),
            vocabulary=self._client.vocabulary,
        )
        if self._prompt.template is not None and not self._prompt.is_edited:
            plan["prompt_template"] = self._prompt.template.label
        return plan

    def _refresh(self) -> None:
        vocabulary = self._client.vocabulary
        every = list(self._levels.value) == list(vocabulary.codes("creativity"))
        client = client_name(self._client)
        given = {
            "prompt": self._prompt.source(),
            "name": self._name.value,
            "creativity": None if every else [float(code) for code in self._levels.value],
            "repeats": int(self._repeats.value),
            "vocabulary": None if vocabulary == Vocabulary() else Source(f"{client}.vocabulary"),
        }
        confirm = {"confirm": self._size() if self._asks_twice(self._size()) else None}
        run = write_call(f"{client}.documents.create_many", {"rows": Source("plan"), **confirm})
        plan = write_call("ink.plan_documents", given)
        self.code = f"import inkframe as ink\n\nplan = {plan}\nruns = {run}"
        self._count()

    def _begun(self) -> None:
        """Lay out a card for each text: a column for each level, a line for each repeat."""
        rows = self._sorted()
        self._bodies, self._measures = {}, {}
        self._lay_out([(row, self._card(row)) for row in rows])
        self._curve.value = ""
        for row in rows:
            self._row_changed(row)

    def _lay_out(self, cards: Sequence[tuple[Row, Card]]) -> None:
        shown = [card for _, card in cards]
        for card in self._cards.values():
            if card not in shown:
                card.close()
        self._cards = {place(row): card for row, card in cards}
        columns = max(1, len({level for level, _ in self._cards}))
        self._place.layout.grid_template_columns = f"repeat({columns}, minmax(176px, 1fr))"
        self._place.children = shown

    def _card(self, row: Row) -> Card:
        level = row.fields["creativity"]

        def keep() -> None:
            self._update(row, favorite=not (row.record and row.record.favorite))

        label = self._client.vocabulary.label("creativity", level)
        return Card(
            label, level, keep, lambda name: self._update(row, name=name), lambda: self._look_for(row)
        )

    def _row_changed(self, row: Row) -> None:
        if (card := self._cards.get(place(row))) is not None:
            card.show(row, self._bodies.get(place(row)), self._measures.get(place(row)))
        made = self._texts()
        self._discard.disabled = len({bool(row.record and row.record.favorite) for row in made}) < 2

    def _texts(self) -> list[Row]:
        return [row for row in self._rows if row.record is not None]

    def _ended_run(self) -> None:
        self._bar.remove_class("ink-gone")
        self._judge()
        made = [values(row.record) for row in self._texts() if row.record is not None]
        if made and self._static.is_placed:
            view = read(made, service=self._client.service)
            self._static.replace(folded(view, "These texts, as they are kept when the notebook is saved"))

    def _judge(self) -> None:
        """Mark what differs, measure, and draw the curve."""
        from inkframe.analysis.creativity import creativity_response

        texts = self._texts()
        self._bodies = differences(texts, self._marks.value)
        self._measures = measured(texts, self._language.value)
        for row in texts:
            self._row_changed(row)
        self._renew_frame()
        if texts:
            drawn = curve(creativity_response(self.frame))
            self._curve.value = str(drawn or "")

    def _renew_frame(self) -> None:
        super()._renew_frame()
        if self.frame is not None:
            self.frame = with_measures(self.frame, self._rows, self._measures)

    def _ask_to_discard(self) -> None:
        rest = [row for row in self._texts() if row.record is not None and not row.record.favorite]
        text = f"{counted(len(rest), 'document')} to be deleted from the library; this cannot be undone."
        answers = {f"Delete {len(rest)}": lambda: self.discard(), "Keep them": lambda: None}
        self._question.ask(text, answers)

    def discard(self) -> Future[pd.DataFrame]:
        """Delete every text of this run that is not kept, in a thread; this cannot be undone.

        Returns:
            A future of the frame of what is kept.
        """
        rest = [row for row in self._texts() if row.record is not None and not row.record.favorite]

        def delete() -> pd.DataFrame:
            for done, row in enumerate(rest, 1):
                if self._cancelled.is_set():
                    break
                with suppress(NotFound):  # it is gone, which is what was wanted
                    self._collection.delete(row.record)
                self._drop(row)
                self._foot.done = done
            self._lay_out([(row, self._cards[place(row)]) for row in self._sorted()])
            self._judge()
            self._say(f"{counted(len(self._texts()), 'document')} kept.")
            return self.frame

        return self._begin(delete, "Deleting", total=len(rest), cancels=True)

    def _sorted(self) -> list[Row]:
        return sorted(self._rows, key=lambda row: (row.repeat, place(row)[0]))

    def _drop(self, row: Row) -> None:
        """Forget a row whose record is deleted."""
        self._made.pop(self._key(row), None)
        self._rows = [each for each in self._rows if each is not row]
        if self._plan_shown is not None:
            self._plan_shown = self._plan_shown.drop(index=row.label)


def _several(given: Any, every: Iterable[Any]) -> list[Any]:
    """Give the values that an argument stands for."""
    if given is ALL:
        return list(every)
    return [given] if isinstance(given, (str, int, float)) else list(given)
