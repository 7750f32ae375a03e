"""``DocumentForm``: a form with a template or a prompt, and the creativity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.resources.records import Document
from inkframe.schema import DOCUMENTS
from inkframe.widgets.call_source import Expression, client_name, write_call
from inkframe.widgets.fields import CreativityField, text_field
from inkframe.widgets.form import Form
from inkframe.widgets.prompt_fields import PromptFields

if TYPE_CHECKING:
    from inkframe.client import Client
    from inkframe.vocabulary import Template

__all__ = ["DocumentForm"]


class DocumentForm(Form[Document]):
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
