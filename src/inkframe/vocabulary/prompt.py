"""Compose prompts from templates, and read them back.

A composed prompt has these parts, from top to bottom: the template's fixed first line, ``Label: value`` for
each filled field (further lines of a value are indented), the rules of the template, and each verbatim text
below its label, between two lines of backticks.
"""

from __future__ import annotations

import re
from functools import cache
from math import isnan
from typing import TYPE_CHECKING

from inkframe.errors import InvalidArgument, WrongKeyword, checked, keywords_of, nearest
from inkframe.vocabulary.names import TemplateLabel
from inkframe.vocabulary.vocabulary import Field, Template, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["compose_prompt", "read_prompt"]

#: Before each further line of a value, so that it cannot be taken for the next field.
INDENT = "  "
RULES = "Rules:"


@checked
def compose_prompt(
    template: TemplateLabel | int | str | Template,
    text: str = "",
    *,
    vocabulary: Vocabulary | None = None,
    **fields: object,
) -> str:
    """Fill in a template and return the prompt.

    Args:
        template: A number, a label in any case, or a ``Template``.
        text: The value of the template's first required field.
        vocabulary: The vocabulary with the templates; by default that of the interface.
        **fields: The template's own fields by name. Lists are joined with commas. None, NaN and blank text
            count as missing.

    Raises:
        InvalidArgument: A required field is missing, or the text was passed twice. The message lists the fields.
        WrongKeyword: The template has no such field.

    Example:
        >>> print(compose_prompt("Blog title", "learning the cello at forty", keyword="cello"))
        Write the title of a blog post.
        <BLANKLINE>
        Topic of the post: learning the cello at forty
        Keyword: cello
        <BLANKLINE>
        Rules:
        - One line of at most 70 characters.
        - No quotation marks, and no full stop at the end.
    """
    form = (vocabulary or _standard()).template(template)
    values = _values(form, text, fields)
    lines = [
        f"{f.label}: {_indent(values[f.name])}" for f in form.fields if f.name in values and not f.verbatim
    ]
    rules = [f"- {_indent(rule)}" for rule in form.rules]
    blocks = [_fence(f.label, values[f.name]) for f in form.fields if f.name in values and f.verbatim]
    parts = [form.opening, "\n".join(lines), "\n".join([RULES, *rules]) if rules else "", *blocks]
    return "\n\n".join(part for part in parts if part)


def read_prompt(prompt: str, vocabulary: Vocabulary | None = None) -> tuple[Template | None, dict[str, str]]:
    """Return the template of a composed prompt and the values of its fields.

    Args:
        prompt: Any prompt.
        vocabulary: The vocabulary with the templates to recognize; by default that of the interface.

    Returns:
        The template and the filled fields by name, or None and no fields if no template has this first line.
    """
    form = (vocabulary or _standard()).template_of(prompt)
    if form is None:
        return None, {}
    _, _, body = prompt.lstrip().partition("\n")
    values: dict[str, str] = {}
    for field in form.fields:
        if field.verbatim and (block := _block(field.label, body)):
            values[field.name], body = block
    return form, {f.name: v for f, v in _lines(form, body)} | values


def _values(form: Template, text: object, fields: Mapping[str, object]) -> dict[str, str]:
    """Return the filled values by field name, after checking them."""
    names = {field.name: field for field in form.fields}
    if unknown := [name for name in fields if name not in names]:
        close = nearest(unknown[0], [*names, *keywords_of(compose_prompt)])
        advice = f"Did you mean {close!r}?\n" if close else ""
        raise WrongKeyword(
            f"The template {form.label!r} has no field {', '.join(map(repr, unknown))}.\n{advice}{_known(form)}"
        )
    values = {name: _text(value, names[name]) for name, value in fields.items()}
    values = {name: value for name, value in values.items() if value.strip()}
    subject = form.subject
    if plain := _text(text, subject):
        if subject.name in values:
            raise InvalidArgument(
                f"The template {form.label!r} got {subject.name!r} twice: as text and by name.\n"
                f"Omit one of them."
            )
        values |= {subject.name: plain} if plain.strip() else {}
    if missing := [field.name for field in form.fields if field.required and field.name not in values]:
        raise InvalidArgument(
            f"The template {form.label!r} requires {', '.join(map(repr, missing))}.\n"
            f"Pass {subject.name!r} as text, every other field by name.\n{_known(form)}"
        )
    return values


def _text(value: object, field: Field) -> str:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    joined = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return joined if field.verbatim else joined.strip()


def _known(form: Template) -> str:
    return "Its fields: " + ", ".join(f.name + " (required)" * f.required for f in form.fields) + "."


def _indent(value: str) -> str:
    return value.replace("\n", f"\n{INDENT}")


def _fence(label: str, text: str) -> str:
    """Return a text between two lines of backticks, longer than any run of backticks within it."""
    marks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{label}:\n{marks}\n{text}\n{marks}"


def _block(label: str, body: str) -> tuple[str, str] | None:
    """Return the text of a label's block, and the body without the block."""
    head = re.search(rf"^{re.escape(label)}:\n(`{{3,}})\n", body, re.MULTILINE)
    # The marks are longer than any run of backticks in the text, so the first such line ends it.
    end = body.find(f"\n{head[1]}", head.end()) if head else -1
    if not head or end < 0:
        return None
    return body[head.end() : end], body[: head.start()] + body[end + 1 + len(head[1]) :]


def _lines(form: Template, body: str) -> list[tuple[Field, str]]:
    """Return the ``Label: value`` lines above the rules; an empty line ends a value."""
    found: list[tuple[Field, str]] = []
    plain = [field for field in form.fields if not field.verbatim]
    ended = True
    for line in body.split("\n"):
        if line.rstrip() == RULES:
            break
        if field := next((field for field in plain if line.startswith(f"{field.label}:")), None):
            found.append((field, line.removeprefix(f"{field.label}:")))
            ended = False
        elif line and not ended:
            field, value = found[-1]
            found[-1] = field, f"{value}\n{line.removeprefix(INDENT)}"
        else:
            ended = True
    return [(field, stripped) for field, value in found if (stripped := value.strip())]


@cache
def _standard() -> Vocabulary:
    return Vocabulary()
