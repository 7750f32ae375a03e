"""A template, its fields, and the prompt that they make."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display.markup import tag
from inkframe.errors import InvalidArgument, check_keywords, keywords_of
from inkframe.vocabulary import Template, Vocabulary, compose_prompt
from inkframe.vocabulary.prompt import read_prompt
from inkframe.widgets.fields import FormField, TemplateField, text_field
from inkframe.widgets.panel import Question, own_vocabulary, show, styled, write_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.vocabulary.vocabulary import Field as TemplatePart

__all__ = ["PromptFields"]

NOTE = "Builds the prompt; the service chooses the template it is listed under."


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
        self._watchers: list[Callable[[str], Any]] = []
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
        self.prompt.on_change(self._changed)

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
        self._watchers.append(act)

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
        self._changed("template")

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
        self._changed(f"template.{name}")

    def _changed(self, name: str) -> None:
        for act in self._watchers:
            act(name)

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

        label = self.picker.template.label if self.picker.template else ""
        text = f"The prompt was edited. Replace it with the prompt of “{label}”?"
        self.question.ask(text, {"Replace": replace, "Keep mine": keep})


def _compose(template: Template | None, values: Mapping[str, str], vocabulary: Vocabulary) -> str:
    """Return the prompt; empty as long as a required field is empty."""
    with suppress(InvalidArgument):
        return "" if template is None else compose_prompt(template, vocabulary=vocabulary, **values)
    return ""
