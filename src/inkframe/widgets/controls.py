"""Buttons, and widgets that the style sheet knows by their classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import ipywidgets

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["button", "mark", "show", "styled"]

Widget = TypeVar("Widget", bound=Any)


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


def button(label: str, press: Callable[[], Any], *names: str, disabled: bool = False) -> ipywidgets.Button:
    """Return a button.

    Args:
        label: The words on it.
        press: Called when it is pressed.
        *names: Its classes.
        disabled: Whether it cannot be pressed yet.
    """
    made = ipywidgets.Button(description=label, disabled=disabled)
    made.on_click(lambda _: press())
    return styled(made, *names)
