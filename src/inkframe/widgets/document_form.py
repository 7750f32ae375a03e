"""``DocumentForm``: choose a template or write the prompt, choose the creativity, press Create."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from inkframe.widgets.call_source import Expression, client_name, write_call
from inkframe.widgets.form import Form
from inkframe.widgets.form_fields import FormField, creativity_field, text_field
from inkframe.widgets.panel import check_keywords
from inkframe.widgets.prompt_fields import PromptFields

if TYPE_CHECKING:
    from concurrent.futures import Future

    from inkframe.client import Client
    from inkframe.resources.documents import Documents
    from inkframe.resources.records import Document
    from inkframe.vocabulary import Template

__all__ = ["DocumentForm"]

KEYWORDS = ("name", "prompt", "template", "creativity")


class DocumentForm(Form):
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

    _required = ("name",)

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
        own = client.vocabulary.template(template).fields if template is not None else ()
        check_keywords(type(self), fields, (*KEYWORDS, *(field.name for field in own)))
        self._name = text_field("name", "Name", name, span=12)
        self._prompt = PromptFields(client.vocabulary, self._touch)
        self._creativity = creativity_field(client.vocabulary, creativity)
        super().__init__(client, [self._name, self._prompt, self._creativity], "document", "Writing")
        for field in (self._name, self._creativity):
            field.on_change(partial(self._touch, field.name))
        self._prompt.fill(prompt, template, fields)
        self._refresh()
        self._settled = self.code

    @property
    def _collection(self) -> Documents:
        return self._client.documents

    def fill(
        self,
        *,
        name: str | None = None,
        prompt: str | None = None,
        template: str | int | Template | None = None,
        creativity: float | str | None = None,
        **fields: Any,
    ) -> None:
        """Put values into fields; what is not named stays.

        Args:
            name: The document's name.
            prompt: The instructions.
            template: A template that makes the prompt.
            creativity: A level or its label.
            **fields: The template's own fields by name.

        Raises:
            InvalidArgument: There is no such field or template, or a value is not of the vocabulary.
        """
        own = self._client.vocabulary.template(template).fields if template is not None else ()
        check_keywords(type(self), fields, (*KEYWORDS, *(field.name for field in own)))
        if name is not None:
            self._name.value = name
        if creativity is not None:
            self._creativity.value = self._client.vocabulary.creativity(creativity)
        if prompt is not None or template is not None:
            self._prompt.fill(prompt or "", template, fields)
        self._settled = self.code

    def submit(self) -> Future[Document]:
        """Create the document, in a thread; see ``Form.submit``."""
        return super().submit()

    def _settings_of(self, record: Document) -> dict[str, Any]:
        found = {name: getattr(record, name) for name in ("name", "prompt", "creativity")}
        return {name: value for name, value in found.items() if value is not None}

    def _fields(self) -> dict[str, FormField]:
        return {"name": self._name, **self._prompt.fields, "creativity": self._creativity}

    def _problems(self) -> dict[str, str]:
        return super()._problems() | self._prompt.problems()

    def _arguments(self) -> dict[str, Any]:
        level = float(self._creativity.value)
        return {"name": self._name.value, "prompt": self._prompt.prompt.value, "creativity": level}

    def _refresh(self) -> None:
        prompt = self._prompt.source()
        call = write_call(
            f"{client_name(self._client)}.documents.create", {**self._arguments(), "prompt": prompt}
        )
        self.code = f"import inkframe as ink\n\n{call}" if isinstance(prompt, Expression) else call
