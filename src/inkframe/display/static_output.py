"""The static output of a panel, which the saved notebook shows in place of the live one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from IPython.display import display

from inkframe.display.markdown import fold
from inkframe.display.theme import root

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.display.view import View

__all__ = ["StaticOutput", "folded"]

EMPTY = {"text/html": "", "text/plain": ""}


class StaticOutput:
    """An output that is replaced long after its cell has ended, from any thread.

    The notebook stores it like any other output, so it is there again without a kernel and without scripts,
    where a widget is not.
    """

    def __init__(self) -> None:
        self._places: list[str] = []
        self._bundle: Mapping[str, Any] = EMPTY

    @property
    def is_placed(self) -> bool:
        """Whether a cell shows it."""
        return bool(self._places)

    def place(self) -> None:
        """Show it in the cell that runs now."""
        self._places.append(f"inkframe-{uuid4().hex}")
        display(self._bundle, raw=True, display_id=self._places[-1])

    def replace(self, bundle: Mapping[str, Any]) -> None:
        """Show something else wherever it is shown."""
        self._bundle = bundle
        for place in self._places:
            display(bundle, raw=True, display_id=place, update=True)


def folded(view: View) -> dict[str, Any]:
    """Return a view in a closed fold, for below the live view that shows the same."""
    return {"text/html": str(root(fold("Saved preview", view.html))), "text/plain": view.text}
