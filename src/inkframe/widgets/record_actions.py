"""A row of buttons for what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

__all__ = ["Actions"]


class Actions(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Buttons that can be pressed while something is chosen.

    Args:
        acts: What each button says, and what is done when it is pressed.
        single: The words on those that mean one record, not several.
    """

    def __init__(self, acts: Mapping[str, Callable[[], Any]], single: Collection[str] = ()) -> None:
        self._single = single
        super().__init__([self._button(label, act) for label, act in acts.items()])
        self.add_class("ink-row")

    def allow(self, count: int) -> None:
        """Let those buttons be pressed that make sense for so many."""
        for button in self.children:
            button.disabled = not count or (count > 1 and button.description in self._single)

    def _button(self, label: str, act: Callable[[], Any]) -> ipywidgets.Button:
        button = ipywidgets.Button(description=label, disabled=True)
        button.add_class("ink-small")
        button.on_click(lambda _: act())
        return button
