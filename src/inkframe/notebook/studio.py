"""``Studio``: every panel in tabs, with the form that chooses what is rated."""

from __future__ import annotations

import re
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.deciding.rating_panel import RatingPanel
from inkframe.display.console import variables
from inkframe.display.markup import counted
from inkframe.frames.spreadsheets import table_from
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, ResourceSpec
from inkframe.tuning.creativity_tuner import CreativityTuner
from inkframe.tuning.look_grid import LookGrid
from inkframe.vocabulary.arguments import check_choice, check_text
from inkframe.widgets.browsers import DocumentBrowser, ImageBrowser
from inkframe.widgets.fields import choice_field, text_field
from inkframe.widgets.forms import DocumentForm, ImageForm
from inkframe.widgets.panel import Expression, Panel, button, client_name, show, styled, write_call
from inkframe.widgets.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["Studio"]

QUESTION: Final = "How good is it?"
MODES: Final = (("On a scale", "scale"), ("In pairs", "pairs"))
#: What records are compared by at first.
FIRST: Final = {DOCUMENTS.name: "creativity", IMAGES.name: "style"}


class RatingForm(Panel):
    """The records of a library to rate blind: which, compared by what, and how.

    Args:
        client: The service's client.

    Attributes:
        panel: The rating panel, once it was asked for.
    """

    def __init__(self, client: Client) -> None:
        self.panel: RatingPanel | None = None
        names = [(name.capitalize(), name) for name in RESOURCES]
        fields = [
            choice_field("records", "What to rate", names, DOCUMENTS.name),
            choice_field("by", "Compare by", _settings(DOCUMENTS), FIRST[DOCUMENTS.name]),
            choice_field("mode", "Rate", MODES, "scale"),
            text_field("search", "Name contains", span=3, hint="Optional"),
            text_field("question", "Question", QUESTION),
        ]
        self.fields = {field.name: field for field in fields}
        self.button = button("Start rating", self._clicked, "ink-go")
        self._place = ipywidgets.VBox()
        row = styled(ipywidgets.HBox([self.button]), "ink-row", "ink-end", "ink-span-6")
        super().__init__(client, [styled(ipywidgets.Box([*fields, row]), "ink-fields")], [self._place])
        self.fields["records"].on_change(lambda _: self._offer())
        for field in fields:
            field.on_change(lambda _: self._refresh())
        self._refresh()

    @property
    def _spec(self) -> ResourceSpec:
        """The collection that is chosen."""
        return RESOURCES[self.fields["records"].value]

    def submit(self) -> Future[RatingPanel]:
        """Fetch the records in a thread, and show a panel that rates them.

        Returns:
            A future of the panel. It holds an ``InvalidArgument`` where there is nothing to rate.
        """
        return self._begin(self._start_rating, "Loading")

    def _start_rating(self) -> RatingPanel:
        check_text("question", self.fields["question"].value)
        frame = getattr(self._client, self._spec.name).all(**self._query(), progress=False)
        self.panel = panel = RatingPanel(frame, **self._options())
        panel.observe(lambda change: self.set_trait("frame", change["new"]), "frame")
        self.frame = panel.frame
        self._place.children = [panel]
        return panel

    def _query(self) -> dict[str, Any]:
        """Return what ``all`` takes; lists of documents may lack the texts."""
        words = self.fields["search"].value.strip()
        query = {"search": words} if words else {}
        return query if self._spec.has_picture else query | {"details": True}

    def _options(self) -> dict[str, Any]:
        usual = {"by": None, "mode": "scale", "question": QUESTION}
        given = {name: self.fields[name].value for name in usual}
        return {name: value for name, value in given.items() if value != usual[name]}

    def _offer(self) -> None:
        """Offer the settings of the other collection to compare by."""
        by = self.fields["by"]
        by.control.options = [(words, name or "") for words, name in _settings(self._spec)]
        by.value = FIRST.get(self._spec.name)

    def _refresh(self) -> None:
        client, records = client_name(self._client), self._spec.name
        call = write_call(f"{client}.{records}.all", self._query())
        panel = write_call("ink.RatingPanel", {"frame": Expression(records), **self._options()})
        self.code = f"import inkframe as ink\n\n{records} = {call}\npanel = {panel}\npanel"


class TableForm(Panel):
    """A table to fill: a frame of the notebook, or a CSV or Excel file.

    Args:
        client: The service's client.

    Attributes:
        sheet: The sheet, once a table was chosen.
    """

    def __init__(self, client: Client) -> None:
        self.sheet: Sheet | None = None
        self.tables = ipywidgets.Dropdown(description="Table")
        self.upload = ipywidgets.FileUpload(
            description="Open a file", accept=".csv,.tsv,.txt,.xlsx", multiple=False
        )
        self.upload.observe(lambda change: change["new"] and self._open_file(change["new"]), "value")
        self.button = button("Use this table", self._clicked, "ink-go")
        self._place = ipywidgets.VBox()
        table = styled(ipywidgets.VBox([self.tables]), "ink-field", "ink-span-6")
        row = styled(ipywidgets.HBox([self.upload, self.button]), "ink-row", "ink-end", "ink-span-6")
        super().__init__(client, [styled(ipywidgets.Box([table, row]), "ink-fields")], [self._place])
        self.offer()

    def offer(self) -> None:
        """Offer the frames that the notebook has now."""
        names = variables(pd.DataFrame)
        self.tables.options = [
            (f"{name} ({counted(len(frame), 'row')})", name) for name, frame in names.items()
        ]
        self.tables.index = 0 if names else None
        self.button.disabled = not names
        for each in (self.tables, self.button):
            show(each, shown=bool(names))
        self.say(
            ""
            if names
            else "Open a CSV or Excel file with a row for each product and the names of the columns in its first row."
        )

    def submit(self) -> Future[Sheet]:
        """Show the sheet of the chosen table.

        Returns:
            A future of the sheet.
        """
        return self._begin(
            lambda: self._show_sheet(variables(pd.DataFrame)[self.tables.value], ""), "Opening"
        )

    def _open_file(self, files: Any) -> Future[Sheet]:
        """Show the sheet of a file; ipywidgets 7 gives files by name."""
        [(name, file)] = (
            files.items() if isinstance(files, dict) else [(each["name"], each) for each in files]
        )

        def read_file() -> Sheet:
            frame = table_from(name, bytes(file["content"]))
            self.say(f"{name}: {counted(len(frame), 'row')}, {counted(frame.shape[1], 'column')}")
            return self._show_sheet(frame, f"import inkframe as ink\n\nframe = ink.read_table({name!r})\n")

        return self._begin(read_file, "Reading")

    def _show_sheet(self, frame: pd.DataFrame, before: str) -> Sheet:
        self.sheet = sheet = Sheet(self._client, frame)
        for name in ("frame", "record"):
            ipywidgets.dlink((sheet, name), (self, name))
        ipywidgets.dlink((sheet, "code"), (self, "code"), lambda code: before + code)
        sheet.says_place = False
        show(sheet.code_box, shown=False)  # the code of this panel has its lines
        self._place.children = [sheet]
        return sheet


def _settings(spec: ResourceSpec) -> list[tuple[str, str | None]]:
    """Return the settings that records can be compared by, and none."""
    labels = (names[0] for names in spec.arguments.values())
    names = dict.fromkeys([*spec.settings, *labels])
    return [*((name.capitalize(), name) for name in names), ("Nothing", None)]


#: The tabs, in their order.
TABS: Final[dict[str, Callable[[Any], Panel]]] = {
    "New image": ImageForm,
    "New document": DocumentForm,
    "From a table": TableForm,
    "Images": ImageBrowser,
    "Documents": DocumentBrowser,
    "Creativity": CreativityTuner,
    "Looks": LookGrid,
    "Rate": RatingForm,
}
#: The tab that takes over the settings of a record.
FORMS: Final = {ImageBrowser: "New image", DocumentBrowser: "New document"}
#: What hides the code of every panel, and what a message says of it.
HIDE_CODE: Final = "<style>.ink-studio .ink-code { display: none }</style>"
IN_CELL: Final = re.compile(r" To [^.:]{0,120} in a cell:.*")
#: The traits that follow the current tab.
FOLLOWED: Final = ("record", "frame", "busy", "error", "code")


class Studio(Panel):
    """All of inkframe's panels in tabs; its traits are those of the tab that is shown.

    Args:
        client: The service's client.
        show_code: Whether each tab shows the Python that does the same; on a web page it need not.

    Attributes:
        panels: The panels by the words on their tabs; each is built when it is first shown.

    Example:
        >>> ink.Studio(client)
    """

    def __init__(self, client: Client, *, show_code: bool = True) -> None:
        self.panels: dict[str, Panel] = {}
        self._shows_code = show_code
        self.tabs = ipywidgets.Tab([ipywidgets.VBox() for _ in TABS], selected_index=0)
        for at, title in enumerate(TABS):
            self.tabs.set_title(at, title)
        self.tabs.observe(lambda _: self._turn_to(self.shown), "selected_index")
        super().__init__(client, [self.tabs, ipywidgets.HTML("" if show_code else HIDE_CODE)])
        styled(self, "ink-studio")
        for each in (self.status, self.code_box):
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
        if isinstance(panel := self.panels.get(tab), TableForm):
            panel.offer()
        if tab not in self.panels:
            panel = self.panels[tab] = TABS[tab](self._client)
            # Into the place that is there: new tabs would take the focus away from the one that was pressed.
            self.tabs.children[list(TABS).index(tab)].children = [panel]
            panel.observe(lambda change: self._follow(tab, change["name"]), FOLLOWED)
            panel.on_result = self._static.replace
            if not self._shows_code:
                panel.status.observe(_leave_out_code, "text")
            if isinstance(panel, (ImageBrowser, DocumentBrowser)):
                panel.on_again = lambda record: self.show(FORMS[type(panel)]).again(record)
        for name in FOLLOWED:
            self._follow(tab, name)

    def _follow(self, tab: str, name: str) -> None:
        value = getattr(self.panels[tab], name)
        # The last record is kept when a tab without one is shown.
        if tab == self.shown and not (value is None and name in ("record", "frame")):
            setattr(self, name, value)


def _leave_out_code(change: Any) -> None:
    """Leave out of a message how to go on in a notebook."""
    change["owner"].text = IN_CELL.sub("", change["new"])
