"""Controls for values that have names: one of several steps, or any number of chips."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import script

__all__ = ["Chips", "Steps"]


class OptionControl(anywidget.AnyWidget):
    """A control for values that have names."""

    label = traitlets.Unicode().tag(sync=True)
    #: Pairs of a value and its name, in order.
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class Steps(OptionControl):
    """A slider over named steps, such as the five levels of creativity."""

    _esm = script("steps")

    value = traitlets.Unicode().tag(sync=True)


class Chips(OptionControl):
    """Values of which any number can be chosen, in the given order; others are added in that of the options."""

    _esm = script("chips")

    value: traitlets.List[str] = traitlets.List().tag(sync=True)
