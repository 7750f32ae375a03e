"""A slider over a few named steps."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import script

__all__ = ["Steps"]


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
