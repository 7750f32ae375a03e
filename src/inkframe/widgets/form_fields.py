"""Fields of a form: a labelled control, and below it what is wrong with its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import traitlets

from inkframe.display import tag
from inkframe.errors import InvalidArgument
from inkframe.vocabulary.choices import nearest
from inkframe.widgets.controls import mark, styled
from inkframe.widgets.front import script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inkframe.vocabulary import Template, Vocabulary

__all__ = ["Chips", "ChoiceField", "FormField", "Steps", "TemplateField", "creativity_field", "text_field"]


class Steps(anywidget.AnyWidget):
    """A slider over named steps, such as the five levels of creativity.

    Args:
        label: What it sets.
        options: Pairs of a value and its name, in order.
        value: The value it begins with.
    """

    _esm = script("steps")

    label = traitlets.Unicode().tag(sync=True)
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    value = traitlets.Unicode().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class Chips(anywidget.AnyWidget):
    """Values of which any number can be chosen.

    Args:
        label: What they are.
        options: Pairs of a value and its name, in order.
        value: The values that are chosen, in the options' order.
    """

    _esm = script("chips")

    label = traitlets.Unicode().tag(sync=True)
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    value: traitlets.List[str] = traitlets.List().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class FormField(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """One field of a form.

    Args:
        name: The argument it stands for, such as ``description``.
        control: What the value is given with.
        span: How many of the form's twelve columns it takes.
    """

    def __init__(self, name: str, control: ipywidgets.Widget, *, span: int = 6) -> None:
        self.name = name
        self.control = control
        self._problem = ""
        self._why = ipywidgets.HTML()
        super().__init__([control, self._why])
        styled(self, "ink-field", f"ink-field-{name}", f"ink-span-{span}")

    @property
    def value(self) -> Any:
        """What the control holds."""
        return self.control.value

    @value.setter
    def value(self, value: Any) -> None:
        self.control.value = value

    @property
    def problem(self) -> str:
        """What is wrong with the value; empty where nothing is known to be."""
        return self._problem

    @problem.setter
    def problem(self, text: str) -> None:
        if text == self._problem:
            return
        self._problem = text
        self._why.value = str(tag("div", text, class_="ink-why", role="alert")) if text else ""
        mark(self, "ink-wrong", on=bool(text))

    def on_change(self, act: Callable[[], Any]) -> None:
        """Have something done whenever the value changes."""
        self.control.observe(lambda _: act(), "value")


class ChoiceField(FormField):
    """A field for one of a few values, of which one may be None.

    Args:
        name: The argument it stands for.
        label: What people read.
        options: Pairs of words and value.
        value: The value it begins with.
        span: How many of the form's twelve columns it takes.
    """

    #: What stands for None in the control, which would show None as nothing chosen.
    _NONE = ""

    def __init__(
        self, name: str, label: str, options: Iterable[tuple[str, Any]], value: Any = None, *, span: int = 3
    ) -> None:
        pairs = [(words, self._NONE if each is None else each) for words, each in options]
        control = ipywidgets.Dropdown(
            options=pairs, value=self._NONE if value is None else value, description=label
        )
        super().__init__(name, control, span=span)

    @property
    def value(self) -> Any:
        """What is chosen."""
        return None if self.control.value == self._NONE else self.control.value

    @value.setter
    def value(self, value: Any) -> None:
        self.control.value = self._NONE if value is None else value


class TemplateField(FormField):
    """A field for a template, searched by typing.

    Args:
        vocabulary: The templates.
        nothing: What an empty field means, such as ``any``.
        span: How many of the form's twelve columns it takes.
    """

    def __init__(self, vocabulary: Vocabulary, nothing: str, *, span: int = 6) -> None:
        self._vocabulary = vocabulary
        self._labels = [template.label for template in vocabulary.all_templates]
        hint = f"{nothing}; type to search {len(self._labels)} templates"
        control = ipywidgets.Combobox(options=self._labels, description="Template", placeholder=hint)
        super().__init__("template", control, span=span)
        control.observe(lambda _: self._watch(), "value")

    @property
    def template(self) -> Template | None:
        """The template that is chosen; None also for words that name none."""
        try:
            return self._vocabulary.template(self.control.value) if self.control.value.strip() else None
        except InvalidArgument:
            return None

    @property
    def value(self) -> str | None:
        """The label of the template that is chosen."""
        return self.template.label if self.template else None

    @value.setter
    def value(self, value: str | int | Template | None) -> None:
        self.control.value = "" if value is None else self._vocabulary.template(value).label

    def mistake(self) -> str:
        """Say what is wrong with the words in the field; empty where they name a template, or there are none."""
        typed = self.control.value.strip()
        if not typed or self.template:
            return ""
        close = nearest(typed, self._labels)
        return f"There is no template “{typed}”." + (f" Did you mean {close}?" if close else "")

    def _watch(self) -> None:
        """Say that there is no such template as soon as no label holds what was typed."""
        typed = self.control.value.strip().casefold()
        self.problem = "" if any(typed in label.casefold() for label in self._labels) else self.mistake()

    def on_change(self, act: Callable[[], Any]) -> None:
        """Have something done whenever another template is chosen; half a name is none yet."""
        seen = [self.value]

        def changed() -> None:
            if self.value != seen[0]:
                seen[0] = self.value
                act()

        self.control.observe(lambda _: changed(), "value")


def text_field(
    name: str, label: str, value: str = "", *, hint: str = "", lines: int = 1, span: int = 6
) -> FormField:
    """Give a field for text, of one line or several."""
    kind, more = (ipywidgets.Text, {}) if lines == 1 else (ipywidgets.Textarea, {"rows": lines})
    return FormField(name, kind(value=value, description=label, placeholder=hint, **more), span=span)


def creativity_field(vocabulary: Vocabulary, value: float | str, *, span: int = 9) -> FormField:
    """Give the slider over the creativity levels of a vocabulary."""
    steps = [[code, vocabulary.label("creativity", code)] for code in vocabulary.codes("creativity")]
    control = Steps(label="Creativity", options=steps, value=vocabulary.creativity(value))
    return FormField("creativity", control, span=span)
