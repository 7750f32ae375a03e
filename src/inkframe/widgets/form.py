"""What the two forms share: what is filled in, and what the service made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import OutcomeUnknown
from inkframe.widgets.call_source import client_name, write_value
from inkframe.widgets.field_panel import FieldPanel
from inkframe.widgets.question import Question
from inkframe.workflows.create_rows import is_awaited
from inkframe.workflows.framing import frame_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Future

    import ipywidgets

    from inkframe.client import Client
    from inkframe.resources.documents import Documents
    from inkframe.resources.images import Images
    from inkframe.resources.records import Document, Image

__all__ = ["Form"]

#: What is said while a creation is under way: there is nothing that Cancel could stop.
SENT: Final = "It is sent, and its answer is awaited."


class Form(FieldPanel):
    """A form that creates records of one collection.

    Args:
        client: The service's client.
        fields: The fields, in order.
        noun: What it makes: ``image`` or ``document``.
        working: What the service does meanwhile, such as ``Drawing``.
    """

    #: The code when the form was last filled, or last made something: what differs from it was typed since.
    _settled = ""

    def __init__(self, client: Client, fields: Sequence[ipywidgets.Widget], noun: str, working: str) -> None:
        self._noun, self._working = noun, working
        self._made: list[Any] = []
        self._question = Question()
        super().__init__(client, fields, below=[self._question])
        self._button.description = f"Create {noun}"
        self.observe(lambda change: self._button.set_trait("disabled", change["new"]), "busy")

    @property
    def _collection(self) -> Images | Documents:
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

    def submit(self) -> Future[Any]:
        """Create what the fields say, in a thread.

        Returns:
            A future of the record. Where fields lack something it holds an ``InvalidArgument``, nothing is
            sent, and the fields say what they lack. While one creation is under way its future is given again.
        """
        if (under_way := self._under_way) is not None:
            return under_way
        if (refusal := self._refusal()) is not None:
            return refusal
        arguments = self._arguments()
        return self._begin(lambda: self._create(arguments), self._working, hint=SENT)

    def _create(self, arguments: Mapping[str, Any]) -> Image | Document:
        record: Image | Document = self._collection.create(**arguments)
        if is_awaited(record):
            self._status.set_state({"hint": "The service does so in the background.", "cancels": True})
            record = self._await(self._collection, record)
        self._keep(record)
        return record

    def _keep(self, record: Image | Document) -> None:
        """Show a record that was made, and say which line keeps it."""
        self._made.append(record)
        self._settled = self.code
        self.frame = frame_of(self._collection, self._made)
        self.record = record
        self._show(record._repr_mimebundle_())  # what IPython itself calls
        calls = f"{client_name(self._client)}.{self._collection.resource}"
        what, id = f"{self._noun.capitalize()} {record.id}", write_value(record.id)
        self._say(
            f"{what} is still being made. In a cell, this line waits for it: {calls}.wait({id})"
            if is_awaited(record)
            else f"{what} is made. In a cell, this line keeps it: {calls}.get({id})"
        )

    def _fail(self, error: Exception) -> None:
        super()._fail(error)
        if isinstance(error, OutcomeUnknown):
            text = f"The {self._noun} may have been made. Look for it before you create it again."
            self._question.ask(text, {"Look for it": lambda: self._look_for(error)})

    def _look_for(self, error: OutcomeUnknown) -> None:
        """Look whether a record was made after all; never makes one."""

        def look() -> Any:
            record: Any = error.reconcile()
            if record is None:
                self._say(f"The service has no such {self._noun}. It was not made.")
            else:
                self._keep(record)
            return record

        self._begin(look, "Looking")
