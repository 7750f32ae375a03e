"""Controls for values that have names: one of several steps, one found by typing, or any number of chips."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import script

__all__ = ["Chips", "Combobox", "Steps"]


class OptionControl(anywidget.AnyWidget):
    """A control for values that have names."""

    label = traitlets.Unicode().tag(sync=True)
    #: Pairs of a value and its name, in order.
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class Combobox(anywidget.AnyWidget):
    """A text field that offers the names that match what is typed."""

    _esm = script("combobox")

    label = traitlets.Unicode().tag(sync=True)
    options: traitlets.List[str] = traitlets.List().tag(sync=True)
    #: The typed text, or the selected name.
    value = traitlets.Unicode().tag(sync=True)
    placeholder = traitlets.Unicode().tag(sync=True)
    #: The name that is suggested if none matches.
    nearest = traitlets.Unicode().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class Steps(OptionControl):
    """A slider over named steps, such as the five levels of creativity."""

    _esm = script("steps")

    value = traitlets.Unicode().tag(sync=True)


class Chips(OptionControl):
    """Values of which any number can be chosen, in the given order; others are added in that of the options."""

    _esm = script("chips")

    value: traitlets.List[str] = traitlets.List().tag(sync=True)
