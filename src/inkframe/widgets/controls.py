"""Buttons, questions, and widgets that the style sheet knows by their classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import ipywidgets

from inkframe.display.markup import tag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Widget = TypeVar("Widget", bound=Any)

__all__ = ["Question", "button", "mark", "show", "styled"]


def styled(widget: Widget, *names: str) -> Widget:
    """Add classes of the style sheet to a widget, and return it."""
    for name in names:
        widget.add_class(name)
    return widget


def mark(widget: Any, name: str, *, on: bool) -> None:
    """Add a class to a widget, or remove it."""
    (widget.add_class if on else widget.remove_class)(name)


def show(widget: Any, *, shown: bool = True) -> None:
    """Show a widget, or hide it without closing it."""
    mark(widget, "ink-gone", on=not shown)


def button(label: str, press: Callable[[], Any], *names: str) -> ipywidgets.Button:
    """Return a button.

    Args:
        label: The words on it.
        press: Called when it is pressed.
        *names: Its classes.
    """
    made = ipywidgets.Button(description=label)
    made.on_click(lambda _: press())
    return styled(made, *names)


class Question(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A bar that asks before something would be lost; hidden until then."""

    def __init__(self) -> None:
        self._text = ipywidgets.HTML()
        super().__init__()
        styled(self, "ink-row", "ink-question", "ink-gone")

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return bool(self.children)

    def ask(self, text: str, answers: Mapping[str, Callable[[], Any]]) -> None:
        """Ask a question, which replaces an earlier one.

        Args:
            text: The question.
            answers: What each button says, and what is done when it is pressed.
        """
        self._text.value = str(tag("span", text, role="alert"))
        self.children = [self._text, *(self._answer(label, act) for label, act in answers.items())]
        show(self)

    def close_question(self) -> None:
        """Hide the question."""
        show(self, shown=False)
        answers, self.children = self.children[1:], []
        for answer in answers:
            answer.close()

    def _answer(self, label: str, act: Callable[[], Any]) -> ipywidgets.Button:
        def answered() -> None:
            self.close_question()
            act()

        return button(label, answered, "ink-small")
