"""A question in a panel, with a button for each answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display import tag
from inkframe.widgets.controls import button, show, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Question"]


class Question(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A bar that asks before something would be lost; it is not there until it asks."""

    def __init__(self) -> None:
        self._text = ipywidgets.HTML()
        super().__init__()
        styled(self, "ink-row", "ink-question", "ink-gone")

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
        self.children = [self._text, *(self._answer(label, act) for label, act in answers.items())]
        show(self)

    def close_question(self) -> None:
        """Take the question back."""
        show(self, shown=False)
        answers, self.children = self.children[1:], []
        for answer in answers:
            answer.close()

    def _answer(self, label: str, act: Callable[[], Any]) -> ipywidgets.Button:
        def answered() -> None:
            self.close_question()
            act()

        return button(label, answered, "ink-small")
