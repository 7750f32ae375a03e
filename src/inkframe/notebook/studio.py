"""``Studio``: every panel in tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.deciding.creativity_tuner import CreativityTuner
from inkframe.deciding.look_grid import LookGrid
from inkframe.notebook.rating_form import RatingForm
from inkframe.vocabulary.arguments import check_choice
from inkframe.widgets.controls import show, styled
from inkframe.widgets.document_browser import DocumentBrowser
from inkframe.widgets.document_form import DocumentForm
from inkframe.widgets.image_browser import ImageBrowser
from inkframe.widgets.image_form import ImageForm
from inkframe.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from inkframe.client import Client

__all__ = ["Studio"]

#: The tabs, in their order.
TABS: Final[dict[str, Callable[[Any], Panel]]] = {
    "New image": ImageForm,
    "New document": DocumentForm,
    "Images": ImageBrowser,
    "Documents": DocumentBrowser,
    "Creativity": CreativityTuner,
    "Looks": LookGrid,
    "Rate": RatingForm,
}
#: The tab that takes over the settings of a record.
FORMS: Final = {ImageBrowser: "New image", DocumentBrowser: "New document"}
#: The traits that follow the current tab.
FOLLOWED: Final = ("record", "frame", "busy", "error", "code")


class Studio(Panel):
    """All of inkframe's panels in tabs; its traits are those of the tab that is shown.

    Args:
        client: The service's client.

    Attributes:
        panels: The panels by the words on their tabs; each is built when it is first shown.

    Example:
        >>> ink.Studio(client)
    """

    def __init__(self, client: Client) -> None:
        self.panels: dict[str, Panel] = {}
        self.tabs = ipywidgets.Tab([ipywidgets.VBox() for _ in TABS], titles=list(TABS), selected_index=0)
        self.tabs.observe(lambda _: self._turn_to(self.shown), "selected_index")
        super().__init__(client, [self.tabs])
        styled(self, "ink-studio")
        for each in (self.status, self._code_box):
            show(each, shown=False)
        self._turn_to(self.shown)

    @property
    def shown(self) -> str:
        """The words on the tab that is shown."""
        return list(TABS)[self.tabs.selected_index or 0]

    def show(self, tab: str) -> Any:
        """Turn to a tab, and return its panel.

        Args:
            tab: The words on it.
        """
        check_choice("tab", tab, TABS)
        self.tabs.selected_index = list(TABS).index(tab)
        return self.panels[tab]

    def submit(self) -> Future[Any]:
        """Submit the current panel, in a thread."""
        return self.panels[self.shown].submit()

    def cancel(self) -> None:
        """Cancel the current panel."""
        self.panels[self.shown].cancel()

    def _turn_to(self, tab: str) -> None:
        """Create the panel of a tab if there is none yet, and follow it."""
        if tab not in self.panels:
            panel = self.panels[tab] = TABS[tab](self._client)
            # Into the place that is there: new tabs would take the focus away from the one that was pressed.
            self.tabs.children[list(TABS).index(tab)].children = [panel]
            panel.observe(lambda change: self._follow(tab, change["name"]), FOLLOWED)
            panel.on_result = self._static.replace
            if isinstance(panel, (ImageBrowser, DocumentBrowser)):
                panel.on_again = lambda record: self.show(FORMS[type(panel)]).again(record)
        for name in FOLLOWED:
            self._follow(tab, name)

    def _follow(self, tab: str, name: str) -> None:
        value = getattr(self.panels[tab], name)
        # The last record is kept when a tab without one is shown.
        if tab == self.shown and not (value is None and name in ("record", "frame")):
            setattr(self, name, value)
