"""``CreativityTuner``: one prompt at every creativity level, several times, side by side."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import ipywidgets

from inkframe.calls.arguments import check_integer
from inkframe.client import STAND_IN
from inkframe.display import read
from inkframe.display.plain_text import counted
from inkframe.errors import InvalidArgument, NotFound
from inkframe.resources.selection import values
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.batch_panel import BatchPanel
from inkframe.widgets.call_source import Expression, client_name, write_call
from inkframe.widgets.form_fields import Chips, ChoiceField, FormField, text_field
from inkframe.widgets.panel import check_keywords
from inkframe.widgets.prompt_fields import PromptFields
from inkframe.widgets.static_output import folded
from inkframe.widgets.text_metrics import with_measures
from inkframe.widgets.tuner_texts import TunerTexts
from inkframe.workflows.plans import ALL, plan_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.client import Client
    from inkframe.resources.documents import Documents
    from inkframe.resources.records import Document
    from inkframe.vocabulary import Template
    from inkframe.workflows.create_rows import Row

__all__ = ["CreativityTuner"]

KEYWORDS: Final = ("prompt", "template", "name", "creativity", "repeats", "language")
NAME: Final = "Draft {creativity} {repeat}"
MOST_REPEATS: Final = 20
LANGUAGES: Final = (("English", "en"), ("another, or not known", None))


class CreativityTuner(BatchPanel):
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
        own = client.vocabulary.template(template).fields if template is not None else ()
        check_keywords(type(self), fields, (*KEYWORDS, *(field.name for field in own)))
        if check_integer("repeats", repeats) > MOST_REPEATS:
            raise InvalidArgument(f"repeats={repeats} is too many to read.\nGive 1 to {MOST_REPEATS}.")
        self._name = text_field("name", "Name", name)
        number = ipywidgets.BoundedIntText(repeats, min=1, max=MOST_REPEATS, description="Repeats")
        self._repeats = FormField("repeats", number, span=3)
        language = "en" if language is None and client.service == STAND_IN else language
        self._language = ChoiceField(
            "language", "Language", LANGUAGES, "en" if _is_english(language) else None
        )
        self._prompt = PromptFields(client.vocabulary, self._touch)
        self._levels = _levels(client.vocabulary, creativity)
        self._texts = TunerTexts(
            client.vocabulary,
            update=self._update,
            look_for=self._look_for,
            discard=self.discard,
            compare=lambda: self._aside(self._judge),
        )
        controls = [self._name, self._repeats, self._language, self._prompt, self._levels]
        super().__init__(client, controls, [self._texts], "document", "Writing")
        for field in (self._name, self._repeats, self._levels):
            field.on_change(partial(self._touch, field.name))
        self._language.on_change(lambda: self._aside(self._judge))
        self._prompt.fill(prompt, template, fields)
        self._refresh()

    @property
    def _collection(self) -> Documents:
        return self._client.documents

    def _fields(self) -> dict[str, FormField]:
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
            "vocabulary": None if vocabulary == Vocabulary() else Expression(f"{client}.vocabulary"),
        }
        self.code = self._write_code(write_call("ink.plan_documents", given))
        self._count()

    def _begun(self) -> None:
        self._texts.lay_out(self._rows)

    def _row_changed(self, row: Row) -> None:
        self._texts.show(row)

    def _ended_run(self) -> None:
        self._judge()
        made = [values(row.record) for row in self._texts.made if row.record is not None]
        if made:
            words = "These texts, as they are kept when the notebook is saved"
            self._keep_copy(lambda: folded(read(made, service=self._client.service), words))

    def _judge(self) -> None:
        """Mark what differs, measure, and draw the curve."""
        self._texts.judge(self._language.value)
        self._renew_frame()
        if self.frame is not None:
            self._texts.draw(self.frame)

    def _renew_frame(self) -> None:
        super()._renew_frame()
        if self.frame is not None:
            self.frame = with_measures(self.frame, self._rows, self._texts.measures)

    def discard(self, rows: Sequence[Row] | None = None) -> Future[pd.DataFrame]:
        """Delete every text of this run that is not kept, in a thread; this cannot be undone.

        Args:
            rows: Delete these instead.

        Returns:
            A future of the frame of what is left.
        """
        rest = [row for row in self._texts.made if row not in self._texts.kept] if rows is None else rows

        def delete() -> Any:
            for done, row in enumerate(rest, 1):
                if self._cancelled.is_set():
                    break
                with suppress(NotFound):  # it is gone, which is what was wanted
                    self._collection.delete(cast("Document", row.record))
                self._drop(row)
                self._status.done = done
            self._texts.lay_out(self._rows)
            self._judge()
            self._say(f"{counted(len(self._texts.made), 'document')} kept.")
            return self.frame

        return self._begin(delete, "Deleting", total=len(rest), cancels=True)

    def _drop(self, row: Row) -> None:
        """Forget a row whose record is deleted."""
        self._tried.pop(row.identity, None)
        if self._batch is not None:
            self._batch.discard(row)


def _levels(vocabulary: Vocabulary, given: Any) -> FormField:
    """Give the field for the creativity levels."""
    codes = vocabulary.codes("creativity")
    several = [given] if isinstance(given, (str, int, float)) else given
    chosen = codes if given is ALL else [vocabulary.creativity(value) for value in several]
    steps = [[code, vocabulary.label("creativity", code)] for code in codes]
    chips = Chips(label="Creativity", options=steps, value=[code for code in codes if code in chosen])
    return FormField("creativity", chips, span=12)


def _is_english(language: str | None) -> bool:
    return (language or "").lower().startswith("en")
