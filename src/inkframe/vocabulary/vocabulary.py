"""The values a service allows, as data that can be shown, replaced and extended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Final

from inkframe.errors import InvalidArgument
from inkframe.vocabulary.choices import Choice, nearest, read_choices, refuse
from inkframe.vocabulary.templates import Template, read_templates

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Choices", "Templates", "Vocabulary"]

#: Codes, or codes with labels: ``["oil", "gouache"]`` or ``{"oil": "Oil paint"}``.
Choices = Mapping[str, str] | Iterable[str | Choice]
#: Labels or whole templates by number, or templates.
Templates = Mapping[int, str | Template] | Iterable[Template]

#: The interface's word for one value, and for the list of them.
PLURALS: Final = {
    "resolution": "resolutions",
    "style": "styles",
    "medium": "mediums",
    "filter": "filters",
    "creativity": "creativities",
}


class Vocabulary:
    """The resolutions, styles, mediums, filters, creativity levels and templates of a service.

    Without arguments these are the values of the interface. Each list that is given replaces the
    standard one; an empty list says that the service does not have this setting at all.

    Args:
        resolutions: Codes, or labels by code.
        styles: Codes, or labels by code.
        mediums: Codes, or labels by code.
        filters: Codes, or labels by code.
        creativities: Levels as text (``"0.25"``), or labels by level.
        templates: Labels or whole ``Template`` objects by number, or an iterable of ``Template``.

    Raises:
        InvalidArgument: A code or a template number stands twice.

    Example:
        >>> client.vocabulary = client.vocabulary.extend(styles={"oil": "Oil paint"})
    """

    __slots__ = ("_choices", "_templates")

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
        given = {
            "resolution": resolutions,
            "style": styles,
            "medium": mediums,
            "filter": filters,
            "creativity": creativities,
        }
        self._choices: dict[str, dict[str, Choice]] = {
            field: _by_code(field, read_choices(PLURALS[field]) if values is None else values)
            for field, values in given.items()
        }
        self._templates = _by_number(read_templates() if templates is None else templates)

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
        """Give a vocabulary in which the given lists stand instead of the present ones."""
        own = self._choices
        return Vocabulary(
            resolutions=own["resolution"].values() if resolutions is None else resolutions,
            styles=own["style"].values() if styles is None else styles,
            mediums=own["medium"].values() if mediums is None else mediums,
            filters=own["filter"].values() if filters is None else filters,
            creativities=own["creativity"].values() if creativities is None else creativities,
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
        """Give a vocabulary with more values; a code that is present takes the new label."""
        given = {
            "resolution": resolutions,
            "style": styles,
            "medium": mediums,
            "filter": filters,
            "creativity": creativities,
        }
        merged = {
            PLURALS[field]: (self._choices[field] | _by_code(field, values)).values()
            for field, values in given.items()
        }
        return Vocabulary(**merged, templates=(self._templates | _by_number(templates)).values())

    def codes(self, field: str) -> tuple[str, ...]:
        """Give the allowed codes of a field, such as ``style``, in their order."""
        return tuple(self._choices[field])

    def label(self, field: str, code: object) -> str:
        """Give the words for a code; a code that is not known stands for itself."""
        choice = self._choices[field].get(str(code))
        return choice.label if choice else str(code)

    def code(self, field: str, value: object) -> str:
        """Give the code for a value, which may be a code or a label.

        Args:
            field: ``resolution``, ``style``, ``medium``, ``filter`` or ``creativity``.
            value: A code, or a label in any case.

        Raises:
            InvalidArgument: The value is not of this vocabulary; names what is, and the nearest.
        """
        choices = self._choices[field]
        if isinstance(value, str):
            if value in choices:
                return value
            folded = value.strip().casefold()
            for choice in choices.values():
                if folded in (choice.code.casefold(), choice.label.casefold()):
                    return choice.code
        raise refuse(field, value, choices, hint=self._hint(field, value))

    def _hint(self, field: str, value: object) -> str | None:
        """Name the nearest value of the field, else of another field: ``watercolour`` is a medium."""
        choices = self._choices[field]
        words = {choice.label: choice for choice in choices.values()}
        close = nearest(value, choices) or ((label := nearest(value, words)) and words[label].code)
        if close:
            return f"Did you mean {close!r} ({choices[close].label})?"
        for other, others in self._choices.items():
            if other not in {field, "creativity"} and (close := nearest(value, others)):
                return f"Did you mean {other}={close!r}?"
        return None

    def creativity(self, value: float | str) -> str:
        """Give the level for the wire, such as ``"0.25"``, for a number, its text, or its label.

        Raises:
            InvalidArgument: The value is not one of the steps.
        """
        levels = self._choices["creativity"]
        number = _number(value)
        if number is None and isinstance(value, str):
            folded = value.strip().casefold()
            number = next((float(c.code) for c in levels.values() if c.label.casefold() == folded), None)
        for code in levels:
            if number == float(code):
                return code
        hint = None
        if number is not None and levels:
            closest = min(levels, key=lambda code: abs(float(code) - number))
            hint = f"The nearest step is {closest} ({levels[closest].label})."
        raise refuse("creativity", value, [f"{c.code} ({c.label})" for c in levels.values()], hint=hint)

    def template(self, value: int | str | Template) -> Template:
        """Give the template for a number, a label in any case, or a ``Template``.

        Raises:
            InvalidArgument: There is no such template; names the nearest label.
        """
        if isinstance(value, Template):
            return value
        number = None if isinstance(value, bool) else _number(value)
        if number is not None and number in self._templates:
            return self._templates[int(number)]
        if isinstance(value, str):
            folded = value.strip().casefold()
            for template in self._templates.values():
                if template.label.casefold() == folded:
                    return template
        raise refuse("template", value, [template.label for template in self._templates.values()])

    def template_label(self, number: int) -> str | None:
        """Give the label of a template's number, or None where the number is not known."""
        template = self._templates.get(number)
        return template.label if template else None

    def template_of(self, prompt: str) -> Template | None:
        """Give the template whose fixed first line opens a prompt, where one does."""
        first = prompt.lstrip().split("\n", 1)[0].strip()
        return next((t for t in self._templates.values() if t.opening and t.opening == first), None)

    @property
    def all_templates(self) -> tuple[Template, ...]:
        """Every template, by number."""
        return tuple(self._templates.values())

    @property
    def resolutions(self) -> DataFrame:
        """The allowed resolutions: code, label."""
        return self._frame("resolution")

    @property
    def styles(self) -> DataFrame:
        """The allowed styles: code, label."""
        return self._frame("style")

    @property
    def mediums(self) -> DataFrame:
        """The allowed mediums: code, label."""
        return self._frame("medium")

    @property
    def filters(self) -> DataFrame:
        """The allowed filters: code, label."""
        return self._frame("filter")

    @property
    def creativities(self) -> DataFrame:
        """The creativity steps: code as a number, label."""
        return self._frame("creativity").astype({"code": "float64"})

    @property
    def templates(self) -> DataFrame:
        """The templates: code (the service's number), label, fields and rules of their prompts."""
        from pandas import DataFrame

        rows = [
            (t.id, t.label, ", ".join(f.name + "*" * f.required for f in t.fields), " ".join(t.rules))
            for t in self._templates.values()
        ]
        frame = DataFrame(rows, columns=["code", "label", "fields", "rules"])
        return frame.astype({"code": "int64", "label": "str", "fields": "str", "rules": "str"})

    def _frame(self, field: str) -> DataFrame:
        from pandas import DataFrame

        choices = self._choices[field].values()
        columns = {"code": [c.code for c in choices], "label": [c.label for c in choices]}
        return DataFrame(columns, dtype="str")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._choices == other._choices and self._templates == other._templates

    __hash__ = None  # type: ignore[assignment]  # two equal vocabularies are no keys: their lists are compared

    def __repr__(self) -> str:
        counts = [f"{len(self._choices[field])} {plural}" for field, plural in PLURALS.items()]
        return f"<Vocabulary: {', '.join(counts)}, {len(self._templates)} templates>"

    def _repr_html_(self) -> str:
        titles = [*PLURALS.values(), "templates"]
        tables = [
            f"<section><h4>{title.capitalize()}</h4>{getattr(self, title).to_html(index=False)}</section>"
            for title in titles
        ]
        flow = "display:flex;flex-wrap:wrap;gap:0 32px;align-items:flex-start"
        return f'<div style="{flow}">{"".join(tables)}</div>'


def _by_code(field: str, values: Choices) -> dict[str, Choice]:
    if isinstance(values, Mapping):
        choices = [Choice(str(code), str(label)) for code, label in values.items()]
    else:
        choices = [v if isinstance(v, Choice) else Choice(str(v), _words(str(v))) for v in values]
    found: dict[str, Choice] = {}
    for choice in choices:
        if choice.code in found:
            raise InvalidArgument(f"The {field} {choice.code!r} stands twice.\nGive each code once.")
        found[choice.code] = choice
    return found


def _by_number(values: Templates) -> dict[int, Template]:
    if isinstance(values, Mapping):
        templates = [v if isinstance(v, Template) else Template(n, v) for n, v in values.items()]
    else:
        templates = list(values)
    found: dict[int, Template] = {}
    for template in templates:
        if template.id in found:
            raise InvalidArgument(f"The template {template.id} stands twice.\nGive each number once.")
        found[template.id] = template
    return found


def _words(code: str) -> str:
    words = code.replace("_", " ")
    return words[:1].upper() + words[1:]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
