"""What the tuner and the grid of looks share: a plan, its cost, its run, and what comes of it."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as W

from inkframe.client import STAND_IN
from inkframe.display import tag
from inkframe.display.text import counted
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.library.batch import UNCONFIRMED
from inkframe.widgets.panel import Panel
from inkframe.widgets.run import create_rows, frame_of_rows, rows_of_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from inkframe.client import Client
    from inkframe.widgets.fields import Field
    from inkframe.widgets.run import Row

__all__ = ["Trial"]

#: Creations under way at once: a local engine has two places, a service is asked more.
LOCAL: Final = 2
REMOTE: Final = 4


class Trial(Panel):
    """A plan that is run: many creations that differ in their settings.

    What was made stays at hand for as long as the panel does, so that the same row is not made twice.

    Args:
        client: The service's client.
        controls: What the plan is made of.
        shown: Where its outcome is shown.
        noun: What it makes: ``image`` or ``document``.
        working: What the service does meanwhile, such as ``Drawing``.
    """

    def __init__(
        self, client: Client, controls: Sequence[W.Widget], shown: Sequence[W.Widget], noun: str, working: str
    ) -> None:
        self._noun, self._working = noun, working
        #: The rows made so far, by what makes them what they are.
        self._made: dict[tuple[Any, ...], Row] = {}
        self._cost = W.HTML()
        self._button = W.Button()
        self._button.add_class("ink-go")
        self._button.on_click(lambda _: self._clicked())
        self._confirmed: int | None = None
        self._counting = threading.Lock()
        press = W.HBox([self._cost, self._button])
        for each in ("ink-row", "ink-end", "ink-span-12"):
            press.add_class(each)
        box = W.Box([*controls, press])
        box.add_class("ink-fields")
        super().__init__(client, [box, *shown])
        self.observe(lambda _: self._count(), "busy")

    @property
    def _collection(self) -> Any:
        raise NotImplementedError

    def _fields(self) -> dict[str, Field]:
        """Give the fields by name."""
        raise NotImplementedError

    def _problems(self) -> dict[str, str]:
        """Say what is wrong with which field before anything is sent."""
        raise NotImplementedError

    def _plan(self) -> pd.DataFrame:
        """Give every creation that the controls ask for."""
        raise NotImplementedError

    def _key(self, row: Row) -> tuple[Any, ...]:
        """Give what makes a row what it is."""
        return (*sorted((name, value) for name, value in row.fields.items() if name != "name"), row.repeat)

    def _row_changed(self, row: Row) -> None:
        """Show a row that has begun or ended."""
        raise NotImplementedError

    def _ended(self, rows: Sequence[Row]) -> None:
        """Show what can be said only once all are there."""

    def _size(self) -> int:
        """Give the number of creations that the controls ask for."""
        raise NotImplementedError
