"""Fields of a form: a labeled control with its error below."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anywidget
import ipywidgets
import traitlets

from inkframe.creating.plans import ALL
from inkframe.display.markup import tag
from inkframe.errors import InvalidArgument, nearest
from inkframe.widgets.panel import mark, script, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Template, Vocabulary

__all__ = [
    "NONE",
    "Chips",
    "ChipsField",
    "FormField",
    "TemplateField",
    "choice_field",
    "choice_fields",
    "code_options",
    "creativity_field",
    "integer_field",
    "integer_fields",
    "text_field",
]

#: The code for None in a control.
NONE: Final = ""


class FormField(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """One field of a form.

    Args:
        name: The argument that it fills in, such as ``description``.
        control: Where the value is entered.
        span: How many of the form's twelve columns it takes.
        required: Whether it must not be left empty.
        read: Returns the value for what the control has.
        write: Returns what the control has for a value.
        takes: Returns whether the field can have a value.
        wrong: Returns the error of what the control has; empty if it is valid.
    """

    #: The error of the value, once it was checked.
    problem = traitlets.Unicode()

    def __init__(
        self,
        name: str,
        control: ipywidgets.Widget,
        *,
        span: int,
        required: bool = False,
        read: Callable[[Any], Any] = lambda entered: entered,
        write: Callable[[Any], Any] = lambda value: value,
        takes: Callable[[Any], bool] = lambda value: value is not None,
        wrong: Callable[[Any], str] = lambda _entered: "",
    ) -> None:
        self.name, self.control, self.required = name, control, required
        self._read, self._write, self.takes, self._wrong = read, write, takes, wrong
        self._why = ipywidgets.HTML()
        super().__init__([control, self._why])
        styled(self, "ink-field", f"ink-field-{name}", f"ink-span-{span}")
        self.observe(lambda change: self._show_problem(change["new"]), "problem")

    @property
    def value(self) -> Any:
        """The entered value."""
        return self._read(self.control.value)

    @value.setter
    def value(self, value: Any) -> None:
        self.control.value = self._write(value)

    @property
    def argument(self) -> Any:
        """The value as an argument of the call; None to leave it out."""
        return None if self.value == "" and not self.required else self.value

    @property
    def fields(self) -> dict[str, FormField]:
        """The field by its name."""
        return {self.name: self}

    def mistake(self) -> str:
        """Return the error of what was entered; empty if it is valid."""
        is_missing = self.required and not self.control.value.strip()
        return f"{self.control.description} is required." if is_missing else self._wrong(self.control.value)

    def problems(self) -> dict[str, str]:
        """Return the mistake by the field's name, where there is one."""
        return {self.name: mistake} if (mistake := self.mistake()) else {}

    def on_change(self, act: Callable[[str], Any]) -> None:
        """Call a function with the field's name whenever the value changes."""
        self.control.observe(lambda _: act(self.name), "value")

    def _show_problem(self, text: str) -> None:
        self._why.value = str(tag("div", text, class_="ink-why", role="alert")) if text else ""
        mark(self, "ink-wrong", on=bool(text))


class ChipsField(FormField):
    """A field for any number of a few values.

    Args:
        name: The argument that it fills in.
        options: Pairs of words and code.
        given: The value that it begins with, several, or ``ink.ALL``.
        default: The values that are meant where the argument is left out.
        code: Returns the code for a value.
        read: Returns the value for a code.

    Raises:
        InvalidArgument: A value is not allowed.
    """

    def __init__(
        self,
        name: str,
        options: Sequence[tuple[str, str]],
        given: Any,
        *,
        default: Sequence[Any],
        code: Callable[[Any], str],
        read: Callable[[str], Any],
    ) -> None:
        self._default = default
        pairs = [[key, words] for words, key in options]
        several = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else given
        chips = Chips(label=name.capitalize(), options=pairs)
        super().__init__(
            name,
            chips,
            span=12,
            read=lambda codes: [read(each) for each in codes],
            write=lambda values: [NONE if each is None else code(each) for each in values],
        )
        asked = [key for key, _ in pairs if key] if given is ALL else self._write(several)
        chips.value = [key for key in dict.fromkeys(asked) if key in dict(pairs)]

    @property
    def argument(self) -> Any:
        """One value, or a list of several; None where they are the default."""
        chosen = self.value
        return None if chosen == self._default else next(iter(chosen)) if len(chosen) == 1 else chosen


class TemplateField(FormField):
    """A field for a template, searched by typing.

    Args:
        vocabulary: The templates.
        nothing: What an empty field means, such as ``Any``.
        span: How many of the form's twelve columns it takes.
    """

    #: The selected template; None also for text that names none, such as half a name.
    template = traitlets.Any()

    def __init__(self, vocabulary: Vocabulary, nothing: str, *, span: int = 6) -> None:
        self._vocabulary = vocabulary
        self._labels = [template.label for template in vocabulary.all_templates]
        hint = f"{nothing}. Type to search {len(self._labels)} templates."
        control = ipywidgets.Combobox(options=self._labels, description="Template", placeholder=hint)
        super().__init__(
            "template",
            control,
            span=span,
            read=lambda _: self.template and self.template.label,
            write=lambda value: "" if value is None else vocabulary.template(value).label,
            wrong=self._misnamed,
        )
        control.observe(lambda change: self._typed(change["new"]), "value")

    def _named(self, typed: str) -> Template | None:
        with suppress(InvalidArgument):
            return self._vocabulary.template(typed) if typed.strip() else None
        return None

    def _misnamed(self, typed: str) -> str:
        if not typed.strip() or self._named(typed):
            return ""
        close = nearest(typed.strip().casefold(), self._labels)
        return f"There is no template “{typed.strip()}”." + (f" Did you mean {close}?" if close else "")

    def _typed(self, typed: str) -> None:
        """Show that there is no such template as soon as no label contains the words."""
        is_begun = any(typed.strip().casefold() in label.casefold() for label in self._labels)
        self.problem = "" if is_begun else self.mistake()
        self.template = self._named(typed)

    def on_change(self, act: Callable[[str], Any]) -> None:
        """Call a function with the field's name whenever another template is chosen."""
        self.observe(lambda _: act(self.name), "template")


def choice_field(
    name: str,
    label: str,
    options: Iterable[tuple[str, Any]],
    value: Any,
    *,
    code: Callable[[Any], Any] = lambda value: value,
    span: int = 3,
) -> FormField:
    """Return a field for one of a few values, of which one may be None.

    Args:
        name: The argument that it fills in.
        label: The words above it.
        options: Pairs of words and value.
        value: The value that it begins with.
        code: Returns the value for what the setter is given.
        span: How many of the form's twelve columns it takes.
    """
    # The control would show None as nothing chosen.
    pairs = [(words, NONE if each is None else each) for words, each in options]
    control = ipywidgets.Dropdown(options=pairs, description=label)
    field = FormField(
        name,
        control,
        span=span,
        read=lambda entered: None if entered == NONE else entered,
        write=lambda value: NONE if value is None else code(value),
        takes=lambda value: (NONE if value is None else value) in [each for _, each in control.options],
    )
    field.value = value
    return field


def creativity_field(vocabulary: Vocabulary, value: float | str) -> FormField:
    """Return a field for a level of creativity, which begins with one, or with its label."""
    steps = [[code, words] for words, code in code_options(vocabulary, "creativity")]
    return FormField(
        "creativity",
        Chips(label="Creativity", options=steps, value=[vocabulary.creativity(value)], many=False),
        span=9,
        read=lambda codes: float(codes[0]),
        write=lambda value: [vocabulary.creativity(value)],
        takes=lambda value: value in [float(code) for code, _ in steps],
    )


def text_field(
    name: str,
    label: str,
    value: str = "",
    *,
    hint: str = "",
    lines: int = 1,
    span: int = 6,
    **how: Any,
) -> FormField:
    """Return a field for text, of one line or several; further arguments are those of ``FormField``."""
    kind, more = (ipywidgets.Text, {}) if lines == 1 else (ipywidgets.Textarea, {"rows": lines})
    control = kind(value=value, description=label, placeholder=hint, **more)
    return FormField(name, control, span=span, **how)


def integer_field(name: str, label: str, value: int | None = None, *, required: bool = False) -> FormField:
    """Return a field for an integer, with None for an empty one, and for text that is none."""

    def read(typed: str) -> int | None:
        with suppress(ValueError):
            return int(typed)
        return None

    def wrong(typed: str) -> str:
        is_valid = not typed.strip() or read(typed) is not None
        return "" if is_valid else f"{label} must be an integer, got {typed.strip()}."

    def write(value: int | None) -> str:
        return "" if value is None else str(value)

    return text_field(  # the number controls of ipywidgets cannot be empty
        name,
        label,
        write(value),
        span=3,
        required=required,
        read=read,
        write=write,
        takes=lambda value: value is None or type(value) is int,
        wrong=wrong,
    )


def code_options(vocabulary: Vocabulary, name: str) -> list[tuple[str, str]]:
    """Return the words and code of each value that a vocabulary has for a setting."""
    return [(vocabulary.label(name, code), code) for code in vocabulary.codes(name)]


def choice_fields(
    vocabulary: Vocabulary, given: Mapping[str, str | None], *, nothing: str | None = None, span: int = 3
) -> list[FormField]:
    """Return a field for each setting that the service has.

    Args:
        vocabulary: The values of the settings.
        given: The value of each setting to begin with, by its name.
        nothing: The words for None; where there are none, a value must be chosen.
        span: How many of the form's twelve columns each takes.

    Raises:
        InvalidArgument: A value is not of the vocabulary.
    """
    none = [] if nothing is None else [(nothing, NONE)]
    checked = {name: None if value is None else vocabulary.code(name, value) for name, value in given.items()}
    return [
        choice_field(
            name,
            name.capitalize(),
            [*none, *code_options(vocabulary, name)],
            value,
            code=partial(vocabulary.code, name),
            span=span,
        )
        for name, value in checked.items()
        if vocabulary.codes(name)
    ]


def integer_fields(spec: ResourceSpec) -> list[FormField]:
    """Return a field for each integer that creating a record of a collection takes."""
    return [
        integer_field(name, name.capitalize(), field.default, required=field.create == "required")
        for name, field in spec.creates.items()
        if field.type == "integer"
    ]


class Chips(anywidget.AnyWidget):
    """Values of which one or any number can be chosen, in the given order; others are added in that of the options."""

    _esm = script("chips")

    label = traitlets.Unicode().tag(sync=True)
    #: Pairs of a value and its name, in order.
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    value: traitlets.List[str] = traitlets.List().tag(sync=True)
    #: Whether several can be chosen.
    many = traitlets.Bool(default_value=True).tag(sync=True)
