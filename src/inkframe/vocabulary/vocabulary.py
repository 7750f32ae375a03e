"""The values that a service allows, as data that can be shown, replaced and extended.

A template is not a create parameter of the service. It builds the prompt: a fixed first line, named fields,
and the rules of this kind of document.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument, checked_calls, nearest
from inkframe.schema import INT64, RESOURCES
from inkframe.versions import Later, is_boolean, text_type

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = Later("pandas")

__all__ = [
    "Choice",
    "Choices",
    "Field",
    "Template",
    "Templates",
    "Vocabulary",
    "finite",
    "read_choices",
    "read_templates",
    "refuse",
    "short",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of the service and its label.

    Args:
        code: The value that is sent, such as ``pop_art``.
        label: The text that people read, such as ``Pop art``.
    """

    code: str
    label: str


#: Codes, or codes with labels: ``["oil", "gouache"]`` or ``{"oil": "Oil paint"}``.
Choices = Mapping[str, str] | Iterable[str | Choice]


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


#: Labels or whole templates by number, or templates.
Templates = Mapping[int, str | Template] | Iterable[Template]
#: The fields whose values come from a list.
FIELDS: Final = {
    field.name: field for spec in RESOURCES.values() for field in spec.fields if field.vocabulary
}
#: The fields whose values are codes, which are easily confused with each other.
CHOICES: Final = [name for spec in RESOURCES.values() for name in spec.choices]

#: A number, also within the label of a template without one, or as a missing value in its column makes it.
NUMBER: Final = re.compile(r"(?:Template )?(-?[0-9]{1,19})(?:\.0)?")
#: More allowed values than this are counted in an error instead of listed.
LISTED = 16


@checked_calls
class Vocabulary:
    """The codes, creativity levels and templates that a service allows.

    By default these are the values of the interface. Each argument replaces one list. An empty list means
    that the service does not have this setting.

    Args:
        resolutions: Codes, or labels by code.
        styles: Codes, or labels by code.
        mediums: Codes, or labels by code.
        filters: Codes, or labels by code.
        creativities: Levels as text (``"0.25"``), or labels by level.
        templates: Labels or whole ``Template`` objects by number, or an iterable of ``Template``.

    Raises:
        InvalidArgument: A code or a template number appears twice.

    Example:
        >>> client.vocabulary = client.vocabulary.extend(styles={"oil": "Oil paint"})
    """

    __slots__ = ("_lists", "_templates")

    def __init__(
        self,
        *,
        resolutions: Choices | None = None,
        styles: Choices | None = None,
        mediums: Choices | None = None,
        filters: Choices | None = None,
        creativities: Choices | None = None,
        templates: Templates | None = None,
    ) -> None:
        self._templates = _by_number(read_templates() if templates is None else templates)
        self._lists: dict[str, dict[str, Choice]] = {
            "resolutions": _chosen("resolutions", resolutions),
            "styles": _chosen("styles", styles),
            "mediums": _chosen("mediums", mediums),
            "filters": _chosen("filters", filters),
            "creativities": _chosen("creativities", creativities),
            "templates": {str(n): Choice(str(n), template.label) for n, template in self._templates.items()},
        }

    def replace(
        self,
        *,
        resolutions: Choices | None = None,
        styles: Choices | None = None,
        mediums: Choices | None = None,
        filters: Choices | None = None,
        creativities: Choices | None = None,
        templates: Templates | None = None,
    ) -> Vocabulary:
        """Return a vocabulary in which the given lists replace the present ones."""
        return Vocabulary(
            resolutions=self._lists["resolutions"].values() if resolutions is None else resolutions,
            styles=self._lists["styles"].values() if styles is None else styles,
            mediums=self._lists["mediums"].values() if mediums is None else mediums,
            filters=self._lists["filters"].values() if filters is None else filters,
            creativities=self._lists["creativities"].values() if creativities is None else creativities,
            templates=self._templates.values() if templates is None else templates,
        )

    def extend(
        self,
        *,
        resolutions: Choices = (),
        styles: Choices = (),
        mediums: Choices = (),
        filters: Choices = (),
        creativities: Choices = (),
        templates: Templates = (),
    ) -> Vocabulary:
        """Return a vocabulary with more values; an existing code takes the new label."""
        return Vocabulary(
            resolutions=(self._lists["resolutions"] | _by_code("resolutions", resolutions)).values(),
            styles=(self._lists["styles"] | _by_code("styles", styles)).values(),
            mediums=(self._lists["mediums"] | _by_code("mediums", mediums)).values(),
            filters=(self._lists["filters"] | _by_code("filters", filters)).values(),
            creativities=(self._lists["creativities"] | _by_code("creativities", creativities)).values(),
            templates=(self._templates | _by_number(templates)).values(),
        )

    def codes(self, field: str) -> tuple[str, ...]:
        """Return the allowed codes of a field, such as ``style``, in their order."""
        return tuple(self._of(field))

    def usual(self, field: str) -> str | None:
        """Return the code that forms and commands start with: the schema's, else the first."""
        codes, usual = self.codes(field), FIELDS[field].usual
        return usual if usual in codes else next(iter(codes), None)

    def labels(self, field: str) -> tuple[str, ...]:
        """Return the labels of a field's codes, in their order."""
        return tuple(choice.label for choice in self._of(field).values())

    def label(self, field: str, code: object) -> str:
        """Return the label of a code; an unknown code is its own label."""
        choice = self._of(field).get(str(code))
        return choice.label if choice else str(code)

    def code(self, field: str, value: object) -> str:
        """Return the code for a value, which may be a code or a label.

        Args:
            field: A field with codes, such as ``style``.
            value: A code, or a label in any case.

        Raises:
            InvalidArgument: The value is not in this vocabulary. The message has the nearest and all allowed
                values.
        """
        choices = self._of(field)
        if isinstance(value, str) and value in choices:
            return value
        if (code := _meant(value, choices)) is not None:
            return code
        raise refuse(field, value, choices, hint=self._hint(field, value))

    def _hint(self, field: str, value: object) -> str | None:
        """Return a hint with the nearest value of the field, else of another field."""
        choices = self._of(field)
        words = {choice.label: choice for choice in choices.values()}
        close = nearest(value, choices) or ((label := nearest(value, words)) and words[label].code)
        if close:
            return f"Did you mean {close!r} ({choices[close].label})?"
        for other in CHOICES:
            if other != field and (close := nearest(value, self._of(other))):
                return f"Did you mean {other}={close!r}?"
        return None

    def creativity(self, value: float | str) -> str:
        """Return the level as it is sent, such as ``"0.25"``, for a number, its text, or its label.

        Raises:
            InvalidArgument: The value is not a step.
        """
        levels = self._of("creativity")
        number = finite(_meant(value, levels) or value)
        for code in levels:
            if number == float(code):
                return code
        steps = [f"{c.code} ({c.label})" for c in levels.values()]
        hint = f"Did you mean {close}?" if (close := nearest(value, steps)) else None
        if number is not None and levels:
            closest = min(levels, key=lambda code: abs(float(code) - number))
            hint = f"The nearest step is {closest} ({levels[closest].label})."
        raise refuse("creativity", value, steps, hint=hint)

    def template(self, value: int | str | Template) -> Template:
        """Return the template for a number, a label in any case, or a ``Template``.

        Raises:
            InvalidArgument: There is no such template. The message has the nearest label.
        """
        if isinstance(value, Template):
            return value
        number = finite((isinstance(value, str) and _meant(value, self._lists["templates"])) or value)
        if number is not None and number in self._templates:
            return self._templates[int(number)]
        raise refuse("template", value, [template.label for template in self._templates.values()])

    def template_number(self, value: int | str | Template) -> int:
        """Return the number of a template for a list, which may have one without a label, such as 60.

        Raises:
            InvalidArgument: There is no such template, and it is not a number of up to 64 bits.
        """
        try:
            return self.template(value).id
        except InvalidArgument:
            found = NUMBER.fullmatch(str(value))
            if found is None or int(found[1]) not in INT64:
                raise
            return int(found[1])

    def template_label(self, number: int) -> str | None:
        """Return the label of a template's number, or None if the number is unknown."""
        template = self._templates.get(number)
        return template.label if template else None

    def template_of(self, prompt: str) -> Template | None:
        """Return the template whose fixed first line opens a prompt, or None."""
        first = prompt.lstrip().split("\n", 1)[0].strip()
        return next((t for t in self._templates.values() if t.opening and t.opening == first), None)

    @property
    def all_templates(self) -> tuple[Template, ...]:
        """Every template, by number."""
        return tuple(self._templates.values())

    @property
    def resolutions(self) -> pd.DataFrame:
        """The allowed resolutions: code, label."""
        return self._frame("resolution")

    @property
    def styles(self) -> pd.DataFrame:
        """The allowed styles: code, label."""
        return self._frame("style")

    @property
    def mediums(self) -> pd.DataFrame:
        """The allowed mediums: code, label."""
        return self._frame("medium")

    @property
    def filters(self) -> pd.DataFrame:
        """The allowed filters: code, label."""
        return self._frame("filter")

    @property
    def creativities(self) -> pd.DataFrame:
        """The creativity steps: code as a number, label."""
        return self._frame("creativity").astype({"code": "float64"})

    @property
    def templates(self) -> pd.DataFrame:
        """The templates: code (the service's number), label, fields and rules of their prompts."""
        rows = [
            (t.id, t.label, ", ".join(f.name + "*" * f.required for f in t.fields), " ".join(t.rules))
            for t in self._templates.values()
        ]
        frame = pd.DataFrame(rows, columns=["code", "label", "fields", "rules"])
        return frame.astype({"code": "int64", **dict.fromkeys(["label", "fields", "rules"], text_type())})

    def _of(self, field: str) -> dict[str, Choice]:
        return self._lists[str(FIELDS[field].vocabulary)]

    def _frame(self, field: str) -> pd.DataFrame:
        choices = self._of(field).values()
        columns = {"code": [c.code for c in choices], "label": [c.label for c in choices]}
        return pd.DataFrame(columns, dtype=text_type())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._lists == other._lists and self._templates == other._templates

    __hash__ = None  # type: ignore[assignment]  # vocabularies compare by value, so they are not keys

    def __repr__(self) -> str:
        counts = [f"{len(choices)} {name}" for name, choices in self._lists.items()]
        return f"<Vocabulary: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        tables = [
            f"<section><h4>{title.capitalize()}</h4>{getattr(self, title).to_html(index=False)}</section>"
            for title in self._lists
        ]
        flow = "display:flex;flex-wrap:wrap;gap:0 32px;align-items:flex-start"
        return f'<div style="{flow}">{"".join(tables)}</div>'


def _chosen(name: str, given: Choices | None) -> dict[str, Choice]:
    return _by_code(name, read_choices(name) if given is None else given)


def _by_code(name: str, values: Choices) -> dict[str, Choice]:
    if isinstance(values, Mapping):
        choices = [Choice(str(code), str(label)) for code, label in values.items()]
    else:
        choices = [v if isinstance(v, Choice) else Choice(str(v), _words(str(v))) for v in values]
    return _distinct(
        [(choice.code, choice) for choice in choices],
        f"{{!r}} appears twice in {name}.\nPass each code once.",
    )


def _by_number(values: Templates) -> dict[int, Template]:
    if isinstance(values, Mapping):
        templates = [v if isinstance(v, Template) else Template(n, v) for n, v in values.items()]
    else:
        templates = list(values)
    return _distinct(
        [(template.id, template) for template in templates],
        "The template {} appears twice.\nPass each number once.",
    )


def _distinct(pairs: Sequence[tuple[Any, Any]], refusal: str) -> dict[Any, Any]:
    """Return values by their keys after checking that each key is given once."""
    keys = [key for key, _ in pairs]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise InvalidArgument(refusal.format(twice[0]))
    return dict(pairs)


def _meant(value: object, choices: dict[str, Choice]) -> str | None:
    """Return the code that a text is, or the code of the label that it is, both in any case."""
    labels = {choice.label.casefold(): code for code, choice in reversed(choices.items())}
    meant = labels | {code.casefold(): code for code in choices}
    return meant.get(value.strip().casefold()) if isinstance(value, str) else None


def _words(code: str) -> str:
    return (code[:1].upper() + code[1:]).replace("_", " ")


def finite(value: object) -> float | None:
    """Return a number, or that of a text, as a float; None for anything else, and for what is not finite."""
    if is_boolean(value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


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


@cache
def read_choices(name: str) -> tuple[Choice, ...]:
    """Read the choices of a data file in this package.

    Args:
        name: The plural noun that names the file, such as ``styles``.
    """
    text = files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return tuple(Choice(**entry) for entry in json.loads(text))


def refuse(field: str, value: object, allowed: Iterable[str], *, hint: str | None = None) -> InvalidArgument:
    """Build the error for a value outside its list: the value, the nearest match and the allowed values.

    Args:
        field: The argument's name.
        value: The value that was passed.
        allowed: Every allowed value.
        hint: A line to show instead of the nearest match.
    """
    values = list(allowed)
    close = hint or ((found := nearest(value, values)) and f"Did you mean {found!r}?")
    lines = [f"{field}={short(value)} is invalid."]
    lines += [close] if close else []
    if not values:
        lines.append(f"This service has no {field}: leave it out.")
    elif len(values) <= LISTED:
        lines.append(f"Allowed: {', '.join(values)}.")
    else:
        lines.append(f"client.vocabulary.{field}s lists the {len(values)} allowed values.")
    return InvalidArgument("\n".join(lines))


def short(value: object) -> str:
    """Return the repr of a value, shortened for messages; the type of a value of several lines."""
    text = repr(value)
    if "\n" in text:
        return f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:57]}…"
