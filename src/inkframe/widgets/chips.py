"""A few of many values, as chips."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import script

__all__ = ["Chips"]


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
