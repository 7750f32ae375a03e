"""A matplotlib figure that renders inline as the last line of a cell."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.figure import Figure

__all__ = ["Chart"]

#: Pixels of the picture for one pixel on the page, so that text is sharp on dense screens.
DENSITY = 2


class Chart(Figure):
    """A figure outside pyplot: it is shown once, and can be created in any thread.

    Args:
        description: The content of the figure in a sentence, as alternative text.
        figure: Arguments of ``matplotlib.figure.Figure``.
    """

    def __init__(self, *, description: str, **figure: Any) -> None:
        super().__init__(layout="constrained", **figure)
        self.description = description

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        with io.BytesIO() as target:
            self.savefig(target, format="png", dpi=self.dpi * DENSITY, facecolor=self.get_facecolor())
            width, height = (int(side * self.dpi) for side in self.get_size_inches())
            return target.getvalue(), {"width": width, "height": height}

    def __repr__(self) -> str:
        return f"<Chart: {self.description}>"
