"""Templates: the 52 kinds of document, with the parts of the prompt for each.

A template is not a create parameter of the service. It builds the prompt: a fixed first line, named fields,
and the rules of this kind of document.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from inkframe.signatures import checked_calls

__all__ = ["Field", "Template", "read_templates"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a template.

    Args:
        name: The keyword that fills it, such as ``audience``.
        label: The text before its value in the prompt, such as ``Audience``.
        hint: An example or a question that helps to fill it in.
        required: Whether the prompt requires it.
        verbatim: Whether the value is a text that is kept unchanged, in a block at the end.
    """

    name: str
    label: str
    hint: str = ""
    required: bool = False
    verbatim: bool = False


#: The fields of a template that a deployment defines by number and label only.
GENERAL_FIELDS = (
    Field("topic", "Topic", "what it is about", required=True),
    Field("audience", "Audience", "who reads it"),
    Field("tone", "Tone", "how it sounds"),
)


@checked_calls
@dataclass(frozen=True, slots=True)
class Template:
    """A kind of document, by the service's number and label.

    Args:
        id: The service's number; on another deployment it may be another template.
        label: The text that people read, such as ``Blog intro``.
        opening: The fixed first line of its prompts, by which a prompt is recognized; by default one that
            contains the label.
        fields: The fields; by default topic, audience and tone. The first required one takes the plain text
            of ``compose_prompt``.
        rules: The rules for a text of this kind.
    """

    id: int
    label: str
    opening: str = ""
    fields: tuple[Field, ...] = GENERAL_FIELDS
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.opening:
            object.__setattr__(self, "opening", f"Write in this form: {self.label}.")
        if not self.fields:
            object.__setattr__(self, "fields", GENERAL_FIELDS)

    @property
    def subject(self) -> Field:
        """The field that takes the plain text of ``compose_prompt``."""
        return next((field for field in self.fields if field.required), self.fields[0])


@cache
def read_templates() -> tuple[Template, ...]:
    """Read the 52 templates of the interface, by number."""
    text = files(__package__).joinpath("templates.toml").read_text(encoding="utf-8")
    return tuple(
        Template(
            id=entry["id"],
            label=entry["label"],
            opening=entry["opening"],
            fields=tuple(Field(**field) for field in entry["fields"]),
            rules=tuple(entry["rules"]),
        )
        for entry in tomllib.loads(text)["template"]
    )
