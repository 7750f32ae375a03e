"""A question in a panel, with a button for each answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display import tag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Question"]


class Question(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A bar that asks before something would be lost; it is not there until it asks."""

    def __init__(self) -> None:
        self._text = ipywidgets.HTML()
        super().__init__()
        self.add_class("ink-row")
        self.add_class("ink-question")
        self.add_class("ink-gone")

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return bool(self.children)

    def ask(self, text: str, answers: Mapping[str, Callable[[], Any]]) -> None:
        """Ask, in place of whatever was asked before.

        Args:
            text: The question.
            answers: What each button says, and what is done when it is pressed.
        """
        self._text.value = str(tag("span", text, role="alert"))
        self.children = [self._text, *(self._button(label, act) for label, act in answers.items())]
        self.remove_class("ink-gone")

    def close_question(self) -> None:
        """Take the question back."""
        self.add_class("ink-gone")
        buttons = list(self.children)[1:]
        self.children = []
        for button in buttons:
            button.close()

    def _button(self, label: str, act: Callable[[], Any]) -> ipywidgets.Button:
        def answered(_: ipywidgets.Button) -> None:
            self.close_question()
            act()

        button = ipywidgets.Button(description=label)
        button.add_class("ink-small")
        button.on_click(answered)
        return button
