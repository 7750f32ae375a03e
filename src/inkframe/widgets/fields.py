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
    "ChoiceField",
    "CreativityField",
    "FormField",
    "IntegerField",
    "TemplateField",
    "choice_fields",
    "code_options",
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
    """

    #: The error of the value, once it was checked.
    problem = traitlets.Unicode()

    def __init__(self, name: str, control: ipywidgets.Widget, *, span: int, required: bool = False) -> None:
        self.name, self.control, self.required = name, control, required
        self._why = ipywidgets.HTML()
        super().__init__([control, self._why])
        styled(self, "ink-field", f"ink-field-{name}", f"ink-span-{span}")
        self.observe(lambda change: self._show_problem(change["new"]), "problem")

    @property
    def value(self) -> Any:
        """The entered value."""
        return self.control.value

    @value.setter
    def value(self, value: Any) -> None:
        self.control.value = value

    @property
    def argument(self) -> Any:
        """The value as an argument of the call; None to leave it out."""
        return None if self.value == "" and not self.required else self.value

    @property
    def fields(self) -> dict[str, FormField]:
        """The field by its name."""
        return {self.name: self}

    def takes(self, value: object) -> bool:
        """Return whether the field can have a value."""
        return value is not None

    def mistake(self) -> str:
        """Return the error of the value; empty if it is valid."""
        is_missing = self.required and not self.control.value.strip()
        return f"{self.control.description} is required." if is_missing else ""

    def problems(self) -> dict[str, str]:
        """Return the mistake by the field's name, where there is one."""
        return {self.name: mistake} if (mistake := self.mistake()) else {}

    def on_change(self, act: Callable[[str], Any]) -> None:
        """Call a function with the field's name whenever the value changes."""
        self.control.observe(lambda _: act(self.name), "value")

    def _show_problem(self, text: str) -> None:
        self._why.value = str(tag("div", text, class_="ink-why", role="alert")) if text else ""
        mark(self, "ink-wrong", on=bool(text))


class ChoiceField(FormField):
    """A field for one of a few values, of which one may be None.

    Args:
        name: The argument that it fills in.
        label: The words above it.
        options: Pairs of words and value.
        value: The value that it begins with.
        code: Returns the value for what the setter is given.
        span: How many of the form's twelve columns it takes.
    """

    def __init__(
        self,
        name: str,
        label: str,
        options: Iterable[tuple[str, Any]],
        value: Any,
        *,
        code: Callable[[Any], Any] = lambda value: value,
        span: int = 3,
    ) -> None:
        # The control would show None as nothing chosen.
        pairs = [(words, NONE if each is None else each) for words, each in options]
        self._code = code
        super().__init__(name, ipywidgets.Dropdown(options=pairs, description=label), span=span)
        self.value = value

    @property
    def value(self) -> Any:
        """The selected value."""
        return None if self.control.value == NONE else self.control.value

    @value.setter
    def value(self, value: Any) -> None:
        self.control.value = NONE if value is None else self._code(value)

    def takes(self, value: object) -> bool:
        """Return whether a value is among the options."""
        return (NONE if value is None else value) in [each for _, each in self.control.options]


class IntegerField(FormField):
    """A field for an integer; an empty one is None.

    Args:
        name: The argument that it fills in.
        label: The words above it.
        value: The value that it begins with.
        span: How many of the form's twelve columns it takes.
        required: Whether it must not be left empty.
    """

    def __init__(
        self, name: str, label: str, value: int | None = None, *, span: int = 3, required: bool = False
    ) -> None:
        # The number controls of ipywidgets cannot be empty.
        super().__init__(name, ipywidgets.Text(description=label), span=span, required=required)
        self.value = value

    @property
    def value(self) -> int | None:
        """The entered integer; None also for text that is none."""
        with suppress(ValueError):
            return int(self.control.value)
        return None

    @value.setter
    def value(self, value: int | None) -> None:
        self.control.value = "" if value is None else str(value)

    def takes(self, value: object) -> bool:
        """Return whether a value is an integer or None."""
        return value is None or type(value) is int

    def mistake(self) -> str:
        """Return the error of the text in the field; empty if it is an integer, or may be left empty."""
        typed = self.control.value.strip()
        if typed and self.value is None:
            return f"{self.control.description} must be an integer, got {typed}."
        return super().mistake()


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
        self._default, self._read = default, read
        pairs = [[key, words] for words, key in options]
        if given is ALL:
            asked = [key for key, _ in pairs if key]
        else:
            several = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else given
            asked = [NONE if each is None else code(each) for each in several]
        value = [key for key in dict.fromkeys(asked) if key in dict(pairs)]
        super().__init__(name, Chips(label=name.capitalize(), options=pairs, value=value), span=12)

    @property
    def chosen(self) -> list[Any]:
        """The selected values."""
        return [self._read(code) for code in self.value]

    @property
    def argument(self) -> Any:
        """One value, or a list of several; None where they are the default."""
        chosen = self.chosen
        return None if chosen == self._default else next(iter(chosen)) if len(chosen) == 1 else chosen


class CreativityField(FormField):
    """A field for a level of creativity.

    Args:
        vocabulary: The levels.
        value: The level that it begins with, or its label.
    """

    def __init__(self, vocabulary: Vocabulary, value: float | str) -> None:
        self._vocabulary = vocabulary
        steps = [[code, words] for words, code in code_options(vocabulary, "creativity")]
        control = Chips(label="Creativity", options=steps, value=[vocabulary.creativity(value)], many=False)
        super().__init__("creativity", control, span=9)

    @property
    def value(self) -> float:
        """The selected level."""
        return float(self.control.value[0])

    @value.setter
    def value(self, value: float | str) -> None:
        self.control.value = [self._vocabulary.creativity(value)]

    def takes(self, value: object) -> bool:
        """Return whether a value is one of the levels."""
        return value in [float(code) for code in self._vocabulary.codes("creativity")]


class TemplateField(FormField):
    """A field for a template, searched by typing.

    Args:
        vocabulary: The templates.
        nothing: What an empty field means, such as ``Any``.
        span: How many of the form's twelve columns it takes.
    """

    def __init__(self, vocabulary: Vocabulary, nothing: str, *, span: int = 6) -> None:
        self._vocabulary = vocabulary
        self._labels = [template.label for template in vocabulary.all_templates]
        hint = f"{nothing}. Type to search {len(self._labels)} templates."
        control = ipywidgets.Combobox(options=self._labels, description="Template", placeholder=hint)
        super().__init__("template", control, span=span)
        control.observe(lambda _: self._watch(), "value")

    @property
    def template(self) -> Template | None:
        """The selected template; None also for text that names none."""
        try:
            return self._vocabulary.template(self.control.value) if self.control.value.strip() else None
        except InvalidArgument:
            return None

    @property
    def value(self) -> str | None:
        """The label of the selected template."""
        return self.template.label if self.template else None

    @value.setter
    def value(self, value: str | int | Template | None) -> None:
        self.control.value = "" if value is None else self._vocabulary.template(value).label

    def mistake(self) -> str:
        """Return the error of the text in the field; empty if it names a template, or there is none."""
        typed = self.control.value.strip()
        if not typed or self.template:
            return ""
        close = nearest(typed.casefold(), self._labels)
        return f"There is no template “{typed}”." + (f" Did you mean {close}?" if close else "")

    def _watch(self) -> None:
        """Show that there is no such template as soon as no label contains the words."""
        typed = self.control.value.strip().casefold()
        self.problem = "" if any(typed in label.casefold() for label in self._labels) else self.mistake()

    def on_change(self, act: Callable[[str], Any]) -> None:
        """Call a function whenever another template is chosen; half a name is none yet."""
        before = self.value

        def changed() -> None:
            nonlocal before
            if self.value != before:
                before = self.value
                act(self.name)

        self.control.observe(lambda _: changed(), "value")


def text_field(
    name: str,
    label: str,
    value: str = "",
    *,
    hint: str = "",
    lines: int = 1,
    span: int = 6,
    required: bool = False,
) -> FormField:
    """Return a field for text, of one line or several."""
    kind, more = (ipywidgets.Text, {}) if lines == 1 else (ipywidgets.Textarea, {"rows": lines})
    control = kind(value=value, description=label, placeholder=hint, **more)
    return FormField(name, control, span=span, required=required)


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
        ChoiceField(
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


def integer_fields(spec: ResourceSpec) -> list[IntegerField]:
    """Return a field for each integer that creating a record of a collection takes."""
    return [
        IntegerField(name, name.capitalize(), field.default, required=field.create == "required")
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
    disabled = traitlets.Bool().tag(sync=True)
