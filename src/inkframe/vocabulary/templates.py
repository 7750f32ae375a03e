"""Templates: the 52 forms a document can take, and the scaffold of a prompt for each.

A template is no create parameter of the service. Here it shapes the prompt: a fixed first line, named
fields, and the rules that this form alone has.
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
    """One thing a template asks for.

    Args:
        name: The keyword that fills it, such as ``audience``.
        label: The words before its value in the prompt, such as ``Audience``.
        hint: An example or a question that helps a person fill it.
        required: Whether the prompt makes no sense without it.
        verbatim: Whether the value is a text of its own that is kept to the letter, in a block at the end.
    """

    name: str
    label: str
    hint: str = ""
    required: bool = False
    verbatim: bool = False


#: What a template asks for whose deployment gave only a number and a label.
GENERAL_FIELDS = (
    Field("topic", "Topic", "what it is about", required=True),
    Field("audience", "Audience", "who reads it"),
    Field("tone", "Tone", "how it sounds"),
)


@checked_calls
@dataclass(frozen=True, slots=True)
class Template:
    """A form of document, by the service's number and label.

    Args:
        id: The service's number; the same number can mean another form on another deployment.
        label: What people read, such as ``Blog intro``.
        opening: The fixed first line of its prompts, by which a prompt is recognised again; without it, one
            that names the label.
        fields: What it asks for; without them topic, audience and tone. The first required one takes the
            plain text of ``compose_prompt``.
        rules: What a text of this form must keep to.
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
    """Give the 52 templates of the interface, by number."""
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
