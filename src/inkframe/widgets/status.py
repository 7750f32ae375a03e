"""What goes on in a panel: progress, status, and what went wrong."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import look, script, sheet

__all__ = ["Status"]


class Status(anywidget.AnyWidget):
    """What goes on in a panel, said to the eye and to assistive technology.

    Messages of kind ``cancel`` come from its Cancel button, ``shown`` once it stands on a page, and ``settled`` in
    answer to ``settle``, behind every change that the page held back.
    """

    _esm = script("status")
    _css = look("figure", "prose", "compare") + sheet("panel")

    #: What is going on, such as ``Drawing``; empty when nothing is.
    working = traitlets.Unicode().tag(sync=True)
    #: What there is to say of it beside.
    hint = traitlets.Unicode().tag(sync=True)
    #: What happened last.
    text = traitlets.Unicode().tag(sync=True)
    #: Steps done, and in all; a total of 0 is not known.
    done = traitlets.Int().tag(sync=True)
    total = traitlets.Int().tag(sync=True)
    #: Whether there is anything that Cancel would stop.
    cancels = traitlets.Bool().tag(sync=True)
    #: What went wrong.
    alert = traitlets.Unicode().tag(sync=True)
    #: What is wrong with each field, by name.
    problems = traitlets.Dict().tag(sync=True)
