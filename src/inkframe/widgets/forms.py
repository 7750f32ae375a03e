"""``DocumentForm`` and ``ImageForm``: create a record from fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import ipywidgets

from inkframe.client import Client
from inkframe.creating.job import Job
from inkframe.errors import (
    DeadlineExceeded,
    InvalidArgument,
    OutcomeUnknown,
    ValidationFailed,
    check_keywords,
)
from inkframe.resources.records import Document, Image, is_awaited, is_finished
from inkframe.schema import DOCUMENTS, IMAGES, ResourceSpec
from inkframe.vocabulary import Template
from inkframe.vocabulary.arguments import check_create
from inkframe.widgets.fields import CreativityField, FormField, choice_fields, integer_fields, text_field
from inkframe.widgets.panel import (
    Expression,
    Panel,
    Question,
    button,
    client_name,
    styled,
    write_call,
    write_value,
)
from inkframe.widgets.prompt_fields import PromptFields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.creating.create_many import Batch
    from inkframe.creating.rows import Row

__all__ = ["DocumentForm", "FieldPanel", "ImageForm", "RecordForm"]

RecordType = TypeVar("RecordType", Image, Document)

#: The status while a creation is under way: there is nothing that Cancel could stop.
SENT: Final = "Sent. Waiting for the reply."
#: Seconds to wait for what the service makes in the background, and seconds after which Cancel is noticed.
AWAITED: Final = 180
NOTICED: Final = 2


class FieldPanel(Panel):
    """A panel with fields and a button, which creates records of one collection.

    The error of a field is shown below it.

    Args:
        client: The service's client.
        parts: The fields, and groups of fields, in order.
        beside: What is shown beside the button.
        span: How many of twelve columns the button takes.
        below: What is shown below the status.

    Attributes:
        button: The button.
    """

    #: The collection.
    _spec: ResourceSpec
    #: The work of the service, such as ``Drawing``.
    _working = ""

    def __init__(
        self,
        client: Client,
        parts: Iterable[Any],
        *,
        beside: Sequence[ipywidgets.Widget] = (),
        span: int = 3,
        below: Iterable[ipywidgets.Widget] = (),
    ) -> None:
        self._collection: Any = getattr(client, self._spec.name)
        #: What creates records, while it does.
        self._job: Job | None = None
        self._parts = tuple(parts)
        self.button = button("", self._clicked, "ink-go")
        row = styled(ipywidgets.HBox([*beside, self.button]), "ink-row", "ink-end", f"ink-span-{span}")
        super().__init__(client, [styled(ipywidgets.Box([*self._parts, row]), "ink-fields")], below)
        for part in self._parts:
            part.on_change(self._touch)
        self._refresh()

    @property
    def fields(self) -> dict[str, FormField]:
        """The fields by the names of what they fill in."""
        return {name: field for part in self._parts for name, field in part.fields.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        """The values of the fields as arguments of the call, without optional ones that are empty."""
        fields = self.fields
        found = {name: fields[name].argument for name in self._spec.creates if name in fields}
        return {name: value for name, value in found.items() if value is not None}

    def _refresh(self) -> None:
        """Write the code for the current values of the fields."""
        raise NotImplementedError

    def _problems(self) -> dict[str, str]:
        """Return the errors before anything is sent, by the field's name."""
        return {name: text for part in self._parts for name, text in part.problems().items()}

    def _make(self, batch: Batch, rows: Sequence[Row] | None = None, **how: Any) -> Job:
        """Run a job that creates rows, and return it once it has ended; arguments as for ``Job``."""
        job = Job(batch, rows, **how)
        self._job = job
        self._client.jobs.start(job)
        job.wait()
        self._job = None
        job.seen()
        return job

    def cancel(self) -> None:
        """Cancel what has not been sent. A creation in flight is awaited and shown, since it is billed."""
        super().cancel()
        if (job := self._job) is not None:
            job.cancel()

    def _await(self, record: Any) -> Any:
        """Return a record once the service has made it in the background; Cancel returns it as it is."""
        for _ in range(AWAITED // NOTICED):
            if is_finished(record) or self.is_cancelled:
                break
            with suppress(DeadlineExceeded):
                record = self._collection.wait(record, timeout=NOTICED)
        return record

    def _refusal(self) -> Future[Any] | None:
        """Return the future of what goes on, or a failed one where fields lack something; None where work can begin."""
        if self._under_way is not None or not (problems := self._problems()):
            return self._under_way
        return self._refuse(InvalidArgument("\n".join([*problems.values()][:3])), problems)

    def _refuse(self, error: InvalidArgument, problems: Mapping[str, str]) -> Future[Any]:
        self._clear_problems()
        self._point(problems)
        self.status.alert = " ".join(text for name, text in problems.items() if name not in self.fields)
        self.error = error
        refused: Future[Any] = Future()
        refused.set_exception(error)
        return refused

    def _fail(self, error: Exception) -> None:
        named = error.fields if isinstance(error, ValidationFailed) else {}
        here = {name: " ".join(messages) for name, messages in named.items() if name in self.fields}
        self._point(here)
        if here and len(here) == len(named):
            self.error = error
        else:
            super()._fail(error)

    def _point(self, problems: Mapping[str, str]) -> None:
        """Show each problem at its field, and put the cursor into the first."""
        fields = self.fields
        for name, field in fields.items():
            field.problem = problems.get(name, "")
        self.status.problems = dict(problems)  # the page links what the fields show by now
        wrong = [field for name, field in fields.items() if name in problems]
        if wrong:
            wrong[0].control.send({"do": "focus"})  # what focus() of ipywidgets 8 sends

    def _clear_problems(self) -> None:
        super()._clear_problems()
        self._point({})

    def _touch(self, name: str) -> None:
        """Note that a field was changed: its problem may be gone."""
        self.fields[name].problem = ""
        self.status.problems = {n: text for n, text in self.status.problems.items() if n != name}
        self._refresh()


class RecordForm(FieldPanel, Generic[RecordType]):
    """A form that creates records of one collection.

    Args:
        client: The service's client.
        parts: The fields, and groups of fields, in order; those that are integers follow.

    Attributes:
        question: What the form asks before something would be lost or made twice.
    """

    def __init__(self, client: Client, parts: Iterable[Any]) -> None:
        self._made: list[Any] = []
        self.question = Question()
        super().__init__(client, [*parts, *integer_fields(self._spec)], below=[self.question])
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
        batch: Batch = self._collection.batch([arguments], None, once_more=True, cancelled=self._cancelled)
        job, [row] = self._make(batch), batch.rows
        if row.record is None:
            if not job.cancelled():
                job.result()  # raises what nobody expected
            raise batch.failure_of(row)
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
            if record is None:
                self.say(
                    f"It is unclear whether the {self._spec.noun} was created: {error.doubt}. Create makes another one."
                )
            else:
                self._keep(record)
            return record

        self._begin(look, "Searching")


class DocumentForm(RecordForm[Document]):
    """A form that creates documents.

    Args:
        client: The service's client.
        name: The document's name.
        prompt: The instructions. One that a template made shows as that template with its fields.
        template: A template that makes the prompt: a label, a number, or an ``ink.Template``.
        creativity: A level or its label.
        **fields: The template's own fields by name.

    Raises:
        InvalidArgument: There is no such field or template, or a value is not of the client's vocabulary.

    Example:
        >>> ink.DocumentForm(client, template="Blog title", topic="learning the cello at forty")
    """

    _spec = DOCUMENTS
    _working = "Writing"

    def __init__(
        self,
        client: Client,
        *,
        name: str = "",
        prompt: str = "",
        template: str | int | Template | None = None,
        creativity: float | str = 0.5,
        **fields: Any,
    ) -> None:
        self._prompt = PromptFields(client.vocabulary, type(self))
        self._prompt.fill(prompt, template, fields)
        named = text_field("name", "Name", name, span=12, required=True)
        super().__init__(client, [named, self._prompt, CreativityField(client.vocabulary, creativity)])

    def fill(
        self,
        *,
        name: str | None = None,
        prompt: str | None = None,
        template: str | int | Template | None = None,
        creativity: float | str | None = None,
        **fields: Any,
    ) -> None:
        """Put values into fields; the others stay as they are.

        Args:
            name: The document's name.
            prompt: The instructions.
            template: A template that makes the prompt.
            creativity: A level or its label.
            **fields: The template's own fields by name.

        Raises:
            InvalidArgument: There is no such field or template, or a value is not of the vocabulary.
        """
        if prompt is not None or template is not None or fields:
            self._prompt.fill(prompt or "", template, fields)
        given = {"name": name, "creativity": creativity}
        super().fill(**{field: value for field, value in given.items() if value is not None})

    def _refresh(self) -> None:
        client = client_name(self._client)
        prompt = self._prompt.source(client)
        call = write_call(f"{client}.documents.create", {**self.arguments, "prompt": prompt})
        self.code = f"import inkframe as ink\n\n{call}" if isinstance(prompt, Expression) else call


class ImageForm(RecordForm[Image]):
    """A form that creates images.

    Args:
        client: The service's client.
        name: The image's name.
        description: What the picture shows.
        resolution: Width and height in pixels.
        style: A style, or None.
        medium: A medium, or None.
        filter: A filter, or None.

    Raises:
        InvalidArgument: There is no such field, or a value is not of the client's vocabulary.

    Example:
        >>> form = ink.ImageForm(client, name="Harbor", description="a harbor at dawn")
        >>> form.submit().result()  # as a press of its button does
    """

    _spec = IMAGES
    _working = "Drawing"

    def __init__(
        self,
        client: Client,
        *,
        name: str = "",
        description: str = "",
        resolution: str | None = None,
        style: str | None = None,
        medium: str | None = None,
        filter: str | None = None,
    ) -> None:
        vocabulary = client.vocabulary
        size = resolution or vocabulary.usual("resolution")
        looks = {"style": style, "medium": medium, "filter": filter}
        fields = [
            text_field("name", "Name", name, required=True),
            *choice_fields(vocabulary, {"resolution": size}, span=6),
            text_field("description", "Description", description, lines=2, span=12, required=True),
            *choice_fields(vocabulary, looks, nothing="None"),
        ]
        super().__init__(client, fields)
