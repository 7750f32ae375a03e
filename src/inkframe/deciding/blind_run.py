"""A run whose outcome is rated before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.deciding.rating_panel import RatingPanel
from inkframe.widgets.controls import show, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas as pd

__all__ = ["BlindRun"]


class BlindRun(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """The place of a rating panel, and what it keeps hidden until Reveal.

    Args:
        outputs: What shows the outcome of a run.
        reveal: Called once the outcome can be shown.

    Attributes:
        outcome: The box of the outputs.
        is_on: Whether the outcome is hidden.
        panel: The rating panel, once there is something to rate.
    """

    def __init__(self, outputs: Sequence[ipywidgets.Widget], reveal: Callable[[], Any]) -> None:
        super().__init__()
        styled(self, "ink-outcome")
        # The outputs themselves may hide in their own ways.
        self.outcome = styled(ipywidgets.VBox(list(outputs)), "ink-outcome")
        self._reveal = reveal
        self._seen: set[Any] = set()
        self.is_on = False
        self.panel: RatingPanel | None = None

    def begin(self, *, blind: bool) -> None:
        """Hide the outcome of the run that begins, or show it."""
        if self.panel is not None:
            self.panel.close()
        self.panel, self.is_on = None, blind
        self.set_trait("children", [])
        show(self.outcome, shown=not blind)

    def note_shown(self, ids: Iterable[Any]) -> None:
        """Note that these records are shown with their settings, so that no rating of them is blind any more."""
        if not self.is_on:
            self._seen |= set(ids)

    def rate(self, frame: pd.DataFrame, by: Sequence[str]) -> None:
        """Have the outcome rated.

        Args:
            frame: The outcome.
            by: The settings that vary.
        """
        self.panel = RatingPanel(frame, by=by)
        self.panel.session.mark_seen(self._seen)
        self.panel.observe(lambda _: self.end(), "revealed")
        self.set_trait("children", [self.panel])

    def end(self) -> None:
        """Show the outcome, below its ratings."""
        self.is_on = False
        show(self.outcome)
        self._reveal()
