"""``DocumentForm`` and ``ImageForm``: create a record from fields, a prompt also from a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import ipywidgets

from inkframe.client import Client
from inkframe.display.markup import tag
from inkframe.errors import InkframeError, InvalidArgument, OutcomeUnknown, check_keywords, keywords_of
from inkframe.resources.records import Document, Image, is_awaited
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.vocabulary import Template, Vocabulary, compose_prompt
from inkframe.vocabulary.arguments import check_create
from inkframe.vocabulary.prompt import read_prompt
from inkframe.widgets.field_panel import FieldPanel
from inkframe.widgets.fields import (
    FormField,
    TemplateField,
    choice_fields,
    creativity_field,
    integer_fields,
    text_field,
)
from inkframe.widgets.panel import (
    Expression,
    Question,
    client_name,
    own_vocabulary,
    show,
    styled,
    write_call,
    write_value,
)

if TYPE_CHECKING:
    from inkframe.creating.create_many import Batch
    from inkframe.vocabulary.vocabulary import Field as TemplatePart

__all__ = ["DocumentForm", "ImageForm", "PromptFields", "RecordForm"]

RecordType = TypeVar("RecordType", Image, Document)

#: The status while a creation is under way: there is nothing that Cancel could stop.
SENT: Final = "Sent. Waiting for the reply."
NOTE = "Builds the prompt; the service chooses the template it is listed under."


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
        batch: Batch = self._collection.batch([arguments], None, once_more=True, stopped=self._cancelled)

        def told() -> RecordType:
            [row] = batch.rows
            if row.record is None:
                raise row.cause or InkframeError(f"No {batch.noun} was created: {row.error}.")
            if row.cause is not None:  # the service gave up in the background
                raise row.cause
            record: RecordType = row.record
            self._keep(record)
            if row.error:
                self.say(f"{self.status.text} {row.error}")
            return record

        return self._run(batch, batch.rows, told=told)

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
        super().__init__(client, [named, self._prompt, creativity_field(client.vocabulary, creativity)])

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


class PromptFields(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A picker of templates, the chosen one's fields, and the prompt.

    The prompt follows the template and its fields until it is edited; an edited one is replaced only when
    the question about it is answered so.

    Args:
        vocabulary: The templates.
        owner: The panel whose keywords the template's fields are.

    Attributes:
        picker: The template.
        prompt: The prompt.
        question: Whether to replace a prompt that was edited.
    """

    def __init__(self, vocabulary: Vocabulary, owner: type) -> None:
        self._vocabulary, self._owner = vocabulary, owner
        self._act: Callable[[str], Any] = lambda _name: None
        self._typed: dict[str, str] = {}
        self._composed = ""
        self._own: dict[str, FormField] = {}
        self.picker = TemplateField(vocabulary, "None", span=12)
        self.prompt = text_field(
            "prompt", "Prompt", hint="Describe the text to write", lines=4, span=12, required=True
        )
        note = ipywidgets.HTML(str(tag("div", NOTE, class_="ink-hint")))
        self._place = styled(ipywidgets.Box(), "ink-fields", "ink-gone")
        self.question = Question()
        super().__init__([self.picker, note, self._place, self.prompt, self.question])
        styled(self, "ink-fields")
        for child in (self, note, self._place, self.question):
            styled(child, "ink-span-12")
        self.picker.on_change(lambda _: self._picked())
        self.prompt.on_change(lambda _: self._act("prompt"))

    @property
    def fields(self) -> dict[str, FormField]:
        """Every field by its name; the template's own ones go by ``template.`` and theirs."""
        return {field.name: field for field in (self.picker, *self._own.values(), self.prompt)}

    def problems(self) -> dict[str, str]:
        """Return the errors, by the field's name."""
        if found := self.picker.problems():
            return found
        asked = [self.prompt] if self.picker.template is None or self.is_edited else self._own.values()
        return {name: text for field in asked for name, text in field.problems().items()}

    def on_change(self, act: Callable[[str], Any]) -> None:
        """Call a function with a field's name whenever its value changes."""
        self._act = act

    @property
    def is_edited(self) -> bool:
        """Whether the prompt is not the one that the template makes."""
        return self.prompt.value not in ("", self._composed)

    def fill(self, prompt: str, template: str | int | Template | None, values: Mapping[str, object]) -> None:
        """Show a template with values for its fields, and a prompt.

        Args:
            prompt: The prompt; empty to take the one that template and values make.
            template: A template; None for that of the prompt, where it opens with a template's first line.
            values: The template's fields by name.

        Raises:
            InvalidArgument: There is no such template, or the template has no such field.
        """
        own = self._vocabulary.template(template).fields if template is not None else ()
        known = (*keywords_of(self._owner), *(field.name for field in own))
        check_keywords(self._owner.__name__, values, known)
        if template is None and prompt:
            read, found = read_prompt(prompt, self._vocabulary)
            # Only a prompt that its template would make again counts as made by it.
            if read is not None and _compose(read, found, self._vocabulary) == prompt:
                template, values, prompt = read, found, ""
        self.question.close_question()
        self._typed |= {name: str(value) for name, value in values.items()}
        self.prompt.value = self._composed = ""
        self.picker.value = template
        for name, field in self._own.items():
            field.value = str(values.get(name, field.value))
        if prompt:
            self.prompt.value = prompt

    def source(self, client: str = "client") -> str:
        """Return the prompt, or the call that makes it where it is as the template made it.

        Args:
            client: The name of the client, whose vocabulary has the template.
        """
        template = self.picker.template
        if template is None or self.is_edited or not self._composed:
            return str(self.prompt.value)
        values = {name: field.value for name, field in self._own.items() if field.value.strip()}
        own = {"template": template.label, **values, "vocabulary": own_vocabulary(self._vocabulary, client)}
        return write_call("ink.compose_prompt", own)

    def _picked(self) -> None:
        """Show the fields of the template; what was typed under the same name stays."""
        template = self.picker.template
        for field in self._own.values():
            field.close()
        self._own = {each.name: self._field(each) for each in (template.fields if template else ())}
        self._place.children = list(self._own.values())
        show(self._place, shown=bool(self._own))
        self._keeps_edits = False
        self._compose()
        self._act("template")

    def _field(self, each: TemplatePart) -> FormField:
        label = each.label if each.required else f"{each.label} (optional)"
        field = text_field(
            f"template.{each.name}",
            label,
            self._typed.get(each.name, ""),
            hint=each.hint,
            lines=5 if each.verbatim else 1,
            span=12 if each.verbatim else 6,
            required=each.required,
        )
        field.on_change(lambda _: self._wrote(each.name))
        return field

    def _wrote(self, name: str) -> None:
        self._typed[name] = self._own[name].value
        self._compose()
        self._act(f"template.{name}")

    def _compose(self) -> None:
        """Compose the prompt again, or ask first where it was edited."""
        values = {name: field.value for name, field in self._own.items()}
        new = _compose(self.picker.template, values, self._vocabulary)
        if not self.is_edited:
            self._composed = new
            self.prompt.value = new
        elif new and not self._keeps_edits and not self.question.is_open:
            self._ask()

    def _ask(self) -> None:
        def replace() -> None:
            self.prompt.value = self._composed = ""
            self._compose()

        def keep() -> None:
            self._keeps_edits = True

        text = f"The prompt was edited. Replace it with the prompt of “{self.picker.value}”?"
        self.question.ask(text, {"Replace": replace, "Keep mine": keep})


def _compose(template: Template | None, values: Mapping[str, str], vocabulary: Vocabulary) -> str:
    """Return the prompt; empty as long as a required field is empty."""
    with suppress(InvalidArgument):
        return "" if template is None else compose_prompt(template, vocabulary=vocabulary, **values)
    return ""
