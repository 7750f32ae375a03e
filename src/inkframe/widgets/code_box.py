"""The code that does what a panel would do."""

from __future__ import annotations

import anywidget
import traitlets

from inkframe.widgets.front import script

__all__ = ["CodeBox"]


class CodeBox(anywidget.AnyWidget):
    """Python to be read and copied."""

    _esm = script("code_box")

    code = traitlets.Unicode().tag(sync=True)
