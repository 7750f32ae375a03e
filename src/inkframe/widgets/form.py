"""The base class of forms: fields, a button, and the created record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.creating.journal import Journal
from inkframe.errors import InkframeError, OutcomeUnknown
from inkframe.resources.records import Document, Image, is_awaited
from inkframe.signatures import check_keywords
from inkframe.vocabulary.arguments import check_create
from inkframe.widgets.call_source import client_name, write_call, write_value
from inkframe.widgets.controls import Question
from inkframe.widgets.forms import FieldPanel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future

    from inkframe.client import Client
    from inkframe.creating.create_many import Batch

__all__ = ["Form"]

RecordType = TypeVar("RecordType", Image, Document)

#: The status while a creation is under way: there is nothing that Cancel could stop.
SENT: Final = "Sent. Waiting for the reply."


class Form(FieldPanel, Generic[RecordType]):
    """A form that creates records of one collection.

    Args:
        client: The service's client.
        parts: The fields, and groups of fields, in order.

    Attributes:
        question: What the form asks before something would be lost or made twice.
    """

    def __init__(self, client: Client, parts: Iterable[Any]) -> None:
        self._made: list[Any] = []
        self.question = Question()
        super().__init__(client, parts, below=[self.question])
        self.button.description = f"Create {self._spec.noun}"
        self.observe(lambda change: self.button.set_trait("disabled", change["new"]), "busy")
        #: The code when the form was last filled, or last made something: what differs from it was typed since.
        self._settled = self.code

    def _refresh(self) -> None:
        self.code = write_call(f"{client_name(self._client)}.{self._spec.name}.create", self.arguments)

    def fill(self, **fields: Any) -> None:
        """Put values into fields; the others stay as they are.

        Raises:
            InvalidArgument: There is no such field, or a value is not of the client's vocabulary.
        """
        check_keywords("fill", fields, self.fields)
        for name, value in fields.items():
            self.fields[name].value = value
        self._settled = self.code

    def again(self, record: RecordType) -> None:
        """Take over the settings of a record; ask first where something typed would be lost.

        Args:
            record: An image or document.
        """
        fields = self.fields
        found = {name: getattr(record, name) for name in self._spec.creates if name in fields}
        settings = {name: value for name, value in found.items() if fields[name].takes(value)}
        if self.code == self._settled:
            self.fill(**settings)
            return
        text = f"Replace your entries with the settings of “{record.name or record.id}”?"
        answers = {"Replace": lambda: self.fill(**settings), "Keep mine": self.question.close_question}
        self.question.ask(text, answers)

    def submit(self) -> Future[RecordType]:
        """Create the record that the fields describe, in a thread.

        Returns:
            A future of the record. Where fields lack something it holds an ``InvalidArgument``, nothing is
            sent, and the fields show what they lack. While one creation is under way, its future.
        """
        if (refusal := self._refusal()) is not None:
            return refusal
        arguments = self.arguments
        return self._begin(lambda: self._create(arguments), self._working, hint=SENT)

    def _create(self, arguments: Mapping[str, Any]) -> RecordType:
        check_create(self._spec, self._client.vocabulary, arguments)  # without the number of the row
        batch: Batch = self._collection.batch([arguments], Journal(), cancelled=self._cancelled)
        job, [row] = self._make(batch, searches=False), batch.rows
        if row.record is None:
            if not job.cancelled():
                job.result()  # raises what nobody expected
            raise row.cause or InkframeError(f"No {self._spec.noun} was created: {row.error}.")
        record: RecordType = row.record
        if is_awaited(record):
            self.status.set_state({"hint": "The service works in the background.", "cancels": True})
            record = self._await(record)
        self._keep(record)
        if row.error:
            self.say(f"{self.status.text} {row.error}")
        return record

    def _keep(self, record: RecordType) -> None:
        """Show a created record, and the line that fetches it."""
        self._made.append(record)
        self._settled = self.code
        self.frame = self._collection.frame_of(self._made)
        self.record = record
        self._show(record._repr_mimebundle_())  # what IPython itself calls
        calls = f"{client_name(self._client)}.{self._spec.name}"
        what, id = f"{self._spec.noun.capitalize()} {record.id}", write_value(record.id)
        self.say(
            f"{what} is not finished yet. To wait for it in a cell: {calls}.wait({id})"
            if is_awaited(record)
            else f"{what} created. To use it in a cell: {calls}.get({id})"
        )

    def _fail(self, error: Exception) -> None:
        super()._fail(error)
        if isinstance(error, OutcomeUnknown):
            text = f"The {self._spec.noun} may have been created. Search for it before you create it again."
            self.question.ask(text, {"Search for it": lambda: self._look_for(error)})

    def _look_for(self, error: OutcomeUnknown) -> None:
        """Check whether a record was created after all; never create one."""

        def look() -> Any:
            record: Any = error.reconcile()
            if record is None and error.doubt is not None:
                self.say(f"It is unclear whether the {self._spec.noun} was created: {error.doubt}.")
            elif record is None:
                self.say(f"The service has no such {self._spec.noun}. It was not created.")
            else:
                self._keep(record)
            return record

        self._begin(look, "Searching")
