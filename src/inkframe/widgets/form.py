"""What the two forms share: fields, a button, and what the service made of them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import ipywidgets as W

from inkframe.errors import InvalidArgument, OutcomeUnknown, ValidationFailed
from inkframe.widgets.calls import client_name, write_value
from inkframe.widgets.panel import Panel
from inkframe.widgets.question import Question
from inkframe.widgets.records import frame_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.client import Client
    from inkframe.library import Document, Documents, Image, Images
    from inkframe.widgets.fields import Field

__all__ = ["Form"]


class Form(Panel):
    """A form that creates records of one collection.

    Args:
        client: The service's client.
        fields: The fields, in order.
        noun: What it makes: ``image`` or ``document``.
        working: What the service does meanwhile, such as ``Drawing``.
    """

    #: The fields that must hold something.
    _required: tuple[str, ...] = ()
    #: The code when the form was last filled, or last made something: what differs from it was typed since.
    _settled = ""

    def __init__(self, client: Client, fields: Sequence[W.Widget], noun: str, working: str) -> None:
        self._noun, self._working = noun, working
        self._made: list[Any] = []
        self._question = Question()
        self._button = W.Button(description=f"Create {noun}")
        self._button.add_class("ink-go")
        self._button.on_click(lambda _: self._clicked())
        press = W.HBox([self._button])
        for each in ("ink-row", "ink-end", "ink-span-3"):
            press.add_class(each)
        box = W.Box([*fields, press])
        box.add_class("ink-fields")
        super().__init__(client, [box, self._question])
        self.observe(lambda change: self._button.set_trait("disabled", change["new"]), "busy")

    @property
    def _collection(self) -> Images | Documents:
        raise NotImplementedError

    def _fields(self) -> dict[str, Field]:
        """Give the fields by the names of what they stand for."""
        raise NotImplementedError

    def _arguments(self) -> dict[str, Any]:
        """Give what ``create`` is called with."""
        raise NotImplementedError

    def _settings_of(self, record: Any) -> dict[str, Any]:
        """Give what a record was made from, by field."""
        raise NotImplementedError

    def fill(self, **fields: Any) -> None:
        """Put values into fields; what is not named stays."""
        raise NotImplementedError

    def again(self, record: Image | Document) -> None:
        """Take over the settings of a record; asks first where something typed would be lost.

        Args:
            record: An image or document.
        """
        settings = self._settings_of(record)
        if self.code == self._settled:
            self.fill(**settings)
            return
        text = f"Replace what the form holds by the settings of “{record.name or record.id}”?"
        answers = {"Replace": lambda: self.fill(**settings), "Keep what I typed": lambda: None}
        self._question.ask(text, answers)

    def _problems(self) -> dict[str, str]:
        """Say what is wrong with which field before anything is sent."""
        return {
            name: f"{field.control.description or name.capitalize()} is required."
            for name, field in self._fields().items()
            if name in self._required and not field.value.strip()
        }

    def submit(self) -> Future[Any]:
        """Create what the fields say, in a thread.

        Returns:
            A future of the record. Where fields lack something it holds an ``InvalidArgument``, nothing is
            sent, and the fields say what they lack. While one creation is under way its future is given again.
        """
        if (under_way := self._under_way) is not None:
            return under_way
        if problems := self._problems():
            self._clear_problems()
            refusal = InvalidArgument("\n".join(list(problems.values())[:3]))
            self._point(problems)
            self.error = refusal
            refused: Future[Any] = Future()
            refused.set_exception(refusal)
            return refused
        arguments = self._arguments()
        return self._begin(lambda: self._create(arguments), self._working)

    def _create(self, arguments: Mapping[str, Any]) -> Image | Document:
        record = self._collection.create(**arguments)
        self._keep(record)
        return record

    def _keep(self, record: Image | Document) -> None:
        """Show a record that was made, and say which line keeps it."""
        self._made.append(record)
        self._settled = self.code
        self.frame = frame_of(self._collection, self._made)
        self.record = record
        self._show(record._repr_mimebundle_())  # noqa: SLF001  # what IPython itself calls
        line = f"{client_name(self._client)}.{self._collection.resource}.get({write_value(record.id)})"
        self._say(f"{self._noun.capitalize()} {record.id} is made. In a cell, this line keeps it: {line}")

    def _fail(self, error: Exception) -> None:
        fields = self._fields()
        if isinstance(error, ValidationFailed) and (named := [*error.fields]):
            here = {name: " ".join(error.fields[name]) for name in named if name in fields}
            self._point(here)
            if len(here) == len(named):
                self.error = error
                return
        super()._fail(error)
        if isinstance(error, OutcomeUnknown):
            text = f"The {self._noun} may have been made. Look for it before you create it again."
            self._question.ask(text, {"Look for it": lambda: self._look_for(error)})

    def _look_for(self, error: OutcomeUnknown) -> None:
        """Look whether a record was made after all; never makes one."""

        def look() -> Image | Document | None:
            record: Any = error.reconcile()
            if record is None:
                self._say(f"The service has no such {self._noun}. It was not made.")
            else:
                self._keep(record)
            return record

        self._begin(look, "Looking")

    def _point(self, problems: Mapping[str, str]) -> None:
        """Put each problem at its field, and the cursor into the first."""
        fields = self._fields()
        for name, field in fields.items():
            field.problem = problems.get(name, "")
        self._foot.problems = dict(problems)
        first = next((name for name in fields if name in problems), None)
        if first is not None:
            fields[first].control.focus()

    def _clear_problems(self) -> None:
        super()._clear_problems()
        self._point({})

    def _touch(self, name: str) -> None:
        """Note that a field was changed: what was wrong with it may be right now."""
        self._fields()[name].problem = ""
        self._foot.problems = {n: text for n, text in self._foot.problems.items() if n != name}
        self._refresh()

    def _refresh(self) -> None:
        """Write the code for what the fields say now."""
        raise NotImplementedError
