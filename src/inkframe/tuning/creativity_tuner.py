"""``CreativityTuner``: one prompt at every creativity level, several times, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

import ipywidgets
import pandas as pd

from inkframe.analysis.intervals import VERDICTS_AT
from inkframe.client import Client
from inkframe.creating.plans import ALL, plan_documents
from inkframe.creating.rows import Row
from inkframe.display.gallery import read
from inkframe.display.markup import counted
from inkframe.display.view import View
from inkframe.errors import InvalidArgument, NotFound
from inkframe.resources.records import values_of
from inkframe.schema import DOCUMENTS
from inkframe.tuning.batch_panel import BatchPanel
from inkframe.tuning.tuner_texts import TunerTexts, with_measures
from inkframe.vocabulary import Template
from inkframe.vocabulary.arguments import check_integer
from inkframe.widgets.fields import ChipsField, FormField, choice_field, code_options, text_field
from inkframe.widgets.forms import PromptFields
from inkframe.widgets.panel import button, show

__all__ = ["CreativityTuner"]

NAME: Final = "Draft {creativity} {repeat}"
MOST_REPEATS: Final = 60
LANGUAGES: Final = (("English", "en"), ("Other or unknown", None))


class CreativityTuner(BatchPanel):
    """Compare the texts of a prompt at every creativity level, with repeats and measures, and keep the best.

    Args:
        client: The service's client.
        prompt: The instructions.
        template: A template that makes the prompt: a label, a number, or an ``ink.Template``.
        name: A pattern for the names, with ``{creativity}``, ``{repeat}`` and ``{number}``.
        creativity: The levels, or their labels; all of them if not given.
        repeats: How many texts for each level; few to begin with, since a button adds what a verdict needs.
        language: The language of the texts, such as ``"en"``: reading ease is for English only. The local
            demo engine writes English.
        **fields: The template's own fields by name.

    Raises:
        InvalidArgument: There is no such field or template, or a value is not of the client's vocabulary.

    Example:
        >>> tuner = ink.CreativityTuner(client, prompt="Product text for a kettle", repeats=3)
        >>> tuner.submit().result()  # as a press of its button does; tuner.frame is the same
    """

    _spec = DOCUMENTS
    _working = "Writing"
    _next = "Keep the best ones."
    _make_plan = staticmethod(plan_documents)

    def __init__(
        self,
        client: Client,
        *,
        prompt: str = "",
        template: str | int | Template | None = None,
        name: str = NAME,
        creativity: float | str | Iterable[float | str] | Any = ALL,
        repeats: int = 2,
        language: str | None = None,
        **fields: Any,
    ) -> None:
        self._prompt = PromptFields(client.vocabulary, type(self))
        self._prompt.fill(prompt, template, fields)
        if check_integer("repeats", repeats) > MOST_REPEATS:
            raise InvalidArgument(
                f"repeats must be 1 to {MOST_REPEATS}, got {repeats}.\nUse create_many for more repeats."
            )
        number = ipywidgets.BoundedIntText(repeats, min=1, max=MOST_REPEATS, description="Repeats")
        language = "en" if language is None and client.is_demo else language
        english = "en" if (language or "").lower().startswith("en") else None
        options = code_options(client.vocabulary, "creativity")
        self._levels = ChipsField(
            "creativity",
            options,
            creativity,
            default=[float(code) for _, code in options],
            code=client.vocabulary.creativity,
            read=float,
        )
        self.language = choice_field("language", "Language", LANGUAGES, english)
        self._repeats = FormField("repeats", number, span=3)
        self.texts = TunerTexts(
            client.vocabulary,
            update=self._update,
            look_for=self._look_for,
            discard=self.discard,
            compare=lambda: self._aside(self._judge),
        )
        named = text_field("name", "Name", name, required=True)
        parts = [named, self._repeats, self.language, self._prompt, self._levels]
        #: Whether the fields ask for the run that is shown, or for more of it.
        self._goes_on = False
        #: How many repeats of each level a verdict needs, at the least.
        self._enough = 0
        self.more = button("", self._add_needed)
        super().__init__(client, parts, [self.texts], beside=[self.more])
        self.language.on_change(lambda _: self._aside(self._judge))

    @property
    def arguments(self) -> dict[str, Any]:
        """The values of the fields as arguments of ``plan_documents``."""
        return super().arguments | {"repeats": int(self._repeats.value)}

    def _add_needed(self) -> None:
        """Create as many texts of each level as are missing for a verdict, to be rated blind."""
        self._repeats.value = self._enough
        self._clicked(blind=True)

    def _counted(self, rows: Sequence[Row]) -> None:
        run = {row.identity for row in self.rows}
        self._goes_on = any(row.identity in run for row in rows)
        self.more.disabled = self.busy or not rows
        self._rated()

    def _rated(self) -> None:
        panel = self.blind.panel if self._goes_on else None
        fewest, _ = (VERDICTS_AT[0], 0) if panel is None else panel.needed or (0, 0)
        self._enough = fewest + max((row.repeat for row in self.rows if self._goes_on), default=0)
        missing = self._enough - int(self._repeats.value)
        self.more.description = f"Add {missing} a level for a verdict"
        is_waiting = self.blind.is_on and self.blind.panel is None
        can_decide = len(self._levels.value) > 1 and self._enough <= MOST_REPEATS
        show(self.more, shown=fewest > 0 and missing > 0 and can_decide and not is_waiting)

    def _size(self) -> int:
        return len(self._levels.value) * int(self._repeats.value)

    def _plan(self) -> pd.DataFrame:
        plan = super()._plan()
        if self._prompt.picker.template is not None and not self._prompt.is_edited:
            plan["prompt_template"] = self._prompt.picker.template.label
        return plan

    def _written(self, client: str) -> dict[str, Any]:
        return super()._written(client) | {"prompt": self._prompt.source(client)}

    def _compared(self) -> list[str]:
        return ["creativity"]

    def _begun(self) -> None:
        self.texts.lay_out(self.rows)

    def _draw_row(self, row: Row) -> None:
        self.texts.show(row)

    def _ended_run(self) -> None:
        self._judge()
        if self.texts.made:
            self._keep_copy()

    def _saved_view(self) -> View:
        made = [values_of(row.record) for row in self.texts.made]
        return read(made, service=self._collection.service)

    def _judge(self) -> None:
        """Mark what differs, measure, and draw the curve."""
        if self._batch is None or self.blind.is_on:
            return
        self.texts.judge(self.language.value)
        self._renew_frame()
        self.texts.draw(self.frame)

    def _renew_frame(self) -> None:
        super()._renew_frame()
        self.frame = with_measures(self.frame, self.rows, self.texts.measures)

    def discard(self, rows: Sequence[Row] | None = None) -> Future[pd.DataFrame]:
        """Delete every text of this run that is not kept, in a thread; this cannot be undone.

        Args:
            rows: Delete no others than these.

        Returns:
            A future of the frame of what is left.
        """
        rest = [row for row in self.texts.rest if rows is None or row in rows]

        def delete() -> Any:
            for row in self.steps(rest):
                with suppress(NotFound):  # it is gone, which is what was wanted
                    self._collection.delete(row.record)
                self._tried.pop(row.identity, None)
                if self._batch is not None:
                    self._batch.discard(row)
            self.texts.lay_out(self.rows)
            self._judge()
            self.say(f"{counted(len(self.texts.made), 'document')} kept.")
            return self.frame

        return self._begin(delete, "Deleting", total=len(rest), cancels=True)
