"""``Explorer``: what is in a frame, with facets, search, labels and a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets
import numpy as np
import traitlets

from inkframe.analysis import project
from inkframe.analysis.facets import SEARCH
from inkframe.calls.arguments import check_text
from inkframe.display import table
from inkframe.display.plain_text import counted
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.widgets.call_source import variable_name
from inkframe.widgets.controls import show, styled
from inkframe.widgets.explorer_actions import ExplorerActions
from inkframe.widgets.facet_list import FacetList
from inkframe.widgets.frame_source import FrameSource
from inkframe.widgets.label_file import LABEL, restore_labels, save_label
from inkframe.widgets.page_source import Found
from inkframe.widgets.pager import Pager
from inkframe.widgets.panel import Panel
from inkframe.widgets.record_gallery import RecordGallery
from inkframe.widgets.record_map import RecordMap
from inkframe.widgets.row_reader import RowReader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["Explorer"]

#: The usual labels, in the order of their keys.
LABELS: Final = ("keep", "rework", "drop")
LIST, GALLERY, MAP = "List", "Gallery", "Map"


class Explorer(Panel):
    """Search, filter, sort, read, label and map the rows of a frame.

    Facets combine: each counts under all others. Keys in the list: arrows move and read, Space chooses, ``n`` and
    ``p`` go to the next and previous hit of the search, 1 to 9 label, 0 removes the label. Labels are saved as
    they are given and shown again for the same records.

    Args:
        frame: Images, documents, or any frame; it is not changed.
        facets: The columns to filter by; by default up to five that divide the frame.
        x: The column of own positions on the map.
        y: The column of their second coordinate.

    Attributes:
        filters: What is shown: a mapping from columns to a list of values or a tuple of bounds, and ``search``.
        facets: The facets on the page.
        gallery: The list or gallery.
        pager: Which page of it is shown.
        map: The map.
        reader: The record that is read.
        actions: What can be done to the selection.

    Raises:
        InvalidArgument: An argument is not a frame, or a column does not exist.

    Example:
        >>> explorer = ink.Explorer(client.documents.all())
        >>> explorer.filters = {"template": ["FAQ"], "search": "kettle"}
        >>> explorer.shown
    """

    filters = traitlets.Dict()

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        facets: Sequence[str] | None = None,
        x: str | None = None,
        y: str | None = None,
    ) -> None:
        self.source = FrameSource(frame)
        if (x is None) != (y is None):
            raise InvalidArgument("x and y must be passed together.\nPass both columns, or none.")
        for name in (*(facets or ()), *(each for each in (x, y) if each is not None)):
            self.source.facets[name]  # refuses a missing column
        self._own = None if x is None else self.source.frame[[x, y]]
        names = self.source.facets.suggested() if facets is None else list(facets)
        self._chosen: list[int] = []
        self._shown = np.arange(len(frame))
        self.labels = [*LABELS, *(each for each in restore_labels(self.source) if each not in LABELS)]
        self._is_telling = False
        self.rows: dict[str, dict[str, Any]] = {}
        fetch = self.source.fetch
        self.facets = FacetList(self._set_filters)
        self.gallery = RecordGallery(self._acted, fetch, service=self.source.service, label="Records")
        self.gallery.acts = {"n": "next hit", "p": "previous hit"} | {
            str(number): f"label {number}" for number in range(10)
        }
        self.pager = Pager(50, self._show_page)
        self.map = RecordMap(self.choose, self.source)
        self.reader = RowReader(self.source, fetch)
        self.actions = ExplorerActions(self)
        views = [LIST, *([GALLERY] if fetch else []), MAP]
        self._view = ipywidgets.ToggleButtons(options=views, value=GALLERY if fetch else LIST)
        orders = [("Given order", ""), *((name, name) for name in self.source.facets.names)]
        self._order = ipywidgets.Dropdown(options=orders, description="Sort")
        self._down = ipywidgets.Checkbox(value=False, description="Descending", indent=False)
        bar = styled(
            ipywidgets.HBox([self._view, self._order, self._down, self.pager.count]), "ink-row", "ink-sort"
        )
        self._list = ipywidgets.VBox([self.gallery, self.pager])
        self._map_box = styled(ipywidgets.VBox([self.map]), "ink-gone")
        middle = ipywidgets.VBox([bar, self._list, self._map_box])
        body = styled(ipywidgets.Box([self.facets, middle, self.reader]), "ink-explorer")
        super().__init__(None, [body], [self.actions])
        styled(self, "ink-wide-panel")
        self.facets.show(self.source.facets, names, {})
        self.map.colors = ["", *(n for n in self.source.facets.names if self.source.facets[n].choices)]
        self.gallery.observe(lambda change: self._clicked_rows(change["new"]), "chosen")
        self._view.observe(lambda change: self._turn_view(change["new"]), "value")
        for each in (self._order, self._down):
            each.observe(lambda _: self._list_again(), "value")
        self._turn_view(self._view.value)
        self.frame = self.source.frame
        self._list_again()

    # --- what is shown ---

    @property
    def sort_by(self) -> str | None:
        """The column that rows are sorted by; None for the order of the frame."""
        return self._order.value or None

    @property
    def shown(self) -> pd.DataFrame:
        """The rows that pass the filters, in the order they are shown."""
        return self.source.frame.iloc[self._shown]

    @property
    def selection(self) -> pd.DataFrame:
        """The rows that are chosen, in the order of the frame."""
        return self.source.frame.iloc[self._chosen]

    @property
    def chosen_keys(self) -> list[str]:
        """The keys of the rows that are chosen."""
        return [self.source.keys[at] for at in self._chosen]

    @traitlets.validate("filters")
    def _check_filters(self, proposal: Mapping[str, Any]) -> dict[str, Any]:
        return self.source.facets.check(proposal["value"])

    @traitlets.observe("filters")
    def _filters_changed(self, _change: object) -> None:
        self._list_again()

    def _set_filters(self, filters: Mapping[str, Any]) -> None:
        """Filter as a person asked for on the page."""
        before = self.filters
        self.filters = dict(filters)
        if self.filters == before:  # a facet was added or removed; nothing is listed again
            self.facets.show(self.source.facets, self.facets.names, self.filters)

    def _list_again(self) -> None:
        facets, down = self.source.facets, self._down.value
        try:
            self._shown = facets.positions(self.filters, self.sort_by, ascending=not down)
        except InvalidArgument as error:  # a column that cannot be sorted
            self._fail(error)
            return
        self.facets.show(self.source.facets, self.facets.names, self.filters)
        self.pager.page = 1
        self._show_page()
        self._mark()

    def _show_page(self) -> None:
        size = self.pager.per_page or len(self._shown) or 1
        pages = max(1, -(-len(self._shown) // size))
        page = min(self.pager.page, pages)
        at = self._shown[(page - 1) * size : page * size]
        self.rows = self.source.rows(at.tolist())
        self._is_telling = True
        self.gallery.show([row | {"id": key} for key, row in self.rows.items()], self.actions.leaving)
        self._tell_gallery()
        part = self.source.frame.iloc[at]
        self.pager.show(Found(part, len(self._shown), page, pages), "")
        self._write_code()

    # --- what is chosen ---

    def choose(self, positions: NDArray[np.int64] | Sequence[int]) -> None:
        """Choose rows by their positions in the frame."""
        self._chosen = sorted({int(at) for at in positions})
        self._tell_gallery()
        self._selected()

    def choose_shown(self) -> None:
        """Choose all rows that pass the filters."""
        self.choose(self._shown)

    def _tell_gallery(self) -> None:
        """Show which rows of the page are chosen, without taking that for a click."""
        self._is_telling = True
        self.gallery.chosen = [key for key in self.chosen_keys if key in self.rows]
        self._is_telling = False

    def _clicked_rows(self, keys: Sequence[str]) -> None:
        if self._is_telling:
            return
        others = [key for key in self.chosen_keys if key not in self.rows] if len(keys) > 1 else []
        self._chosen = self.source.positions([*others, *keys])
        self._selected()

    def _selected(self) -> None:
        if len(self._chosen) == 1:
            [key] = self.chosen_keys
            row = self.source.rows(self._chosen)[key]
            self.record = row["id"]
            self.reader.show(key, row, self.filters.get(SEARCH, ""))
        self.actions.allow(len(self._chosen))
        self._mark()
        self._write_code()

    def _mark(self) -> None:
        if self.map.is_placed:
            states = np.zeros((2, len(self.source.frame)), np.bool_)
            states[0, self._shown] = states[1, self._chosen] = True
            self.map.mark(*states)

    def _write_code(self) -> None:
        name = self.source.variable or f"{variable_name(self, 'explorer')}.frame"
        facets, is_all = self.source.facets, self._chosen == sorted(self._shown.tolist())
        if self._chosen and not is_all:
            self.code = facets.rows_code(self._chosen, name)
        elif self._chosen:
            self.code = facets.code(self.filters, variable=name)
        else:
            self.code = facets.code(self.filters, self.sort_by, ascending=not self._down.value, variable=name)

    def _acted(self, kind: str, keys: list[str], message: Mapping[str, Any]) -> None:
        if kind.startswith("label "):
            self._clicked_rows(keys)
            number = int(kind.split()[1])
            if number <= len(self.labels):
                self.label(self.labels[number - 1] if number else None)
        elif kind in ("next hit", "previous hit"):
            hit = self.reader.turn(1 if kind == "next hit" else -1)
            self.status.send({"kind": "reveal", "where": f".ink-hit-{hit}"})
        else:
            self.actions.act(kind, keys, message)

    # --- what is done ---

    def label(self, value: str | None) -> None:
        """Label the selection, or remove its label with None; it is saved at once.

        Raises:
            InvalidArgument: The label is empty.
        """
        if value is not None:
            check_text("value", value)
            if value not in self.labels:
                self.labels.append(value)
                self.actions.show_labels()
        try:
            save_label(self.source, self._chosen, value)
        except ConfigurationError as error:
            self._fail(error)
            return
        self.changed(LABEL, self._chosen, value)
        done = f"labeled {value}" if value is not None else "without a label"
        self.say(f"{counted(len(self._chosen), 'record')} {done}.")

    def work(self, act: Callable[[], Any], working: str, total: int = 1) -> Future[Any]:
        """Do work in a thread and show how it goes."""
        return self._begin(act, working, total=total if total > 1 else 0, cancels=total > 1)

    def removed(self, keys: Sequence[str]) -> None:
        """Take rows away that no longer exist."""
        self.source.drop(keys)
        self.frame = self.source.frame
        self._chosen = []
        self.filters = {
            name: value for name, value in self.filters.items() if name in (SEARCH, *self.facets.names)
        }
        self._list_again()
        self._selected()

    def changed(self, column: str, positions: Sequence[int], value: Any) -> None:
        """Show a value that some rows have now."""
        self.source.set(column, positions, value)
        self.frame = self.source.frame
        names = self.facets.names
        if column not in names and column in self.source.facets.names:
            names.append(column)
        self.facets.show(self.source.facets, names, self.filters)
        self._show_page()

    # --- the map ---

    def _turn_view(self, view: str) -> None:
        show(self._map_box, shown=view == MAP)
        show(self._list, shown=view != MAP)
        if view == MAP and not self.map.is_placed:
            self.submit()
        elif view != MAP:
            self.gallery.shape = view.lower()

    def submit(self) -> Future[Any]:
        """Compute the map in a thread; the future is of the positions."""
        return self._begin(self._place, "Computing the map", total=10, cancels=True)

    def _place(self) -> pd.DataFrame:
        if self._own is not None:
            places = self._own.astype("float64")
            middle = (places.max() + places.min()) / 2
            places = (places - middle) / max(float((places - middle).abs().max().max()), 1e-12)
            self._put(places)
            return places
        places = project(self.source.frame, method="linear")
        self._put(places)
        self.map.note = "A linear map; a better one is being computed."
        try:
            places = project(self.source.frame, progress=self._progress)
        except InterruptedError:
            self.map.note = "A linear map; the better one was cancelled."
            return places
        self._put(places)
        self.map.note = " ".join(places.attrs.get("analysis", {}).get("notes", []))
        return places

    def _progress(self, share: float) -> None:
        if self.is_cancelled:
            raise InterruptedError
        self.status.done = round(10 * share)

    def _put(self, places: pd.DataFrame) -> None:
        self.map.place(places.to_numpy(np.float64, na_value=np.nan))
        self._mark()
        self.map.color_by(self.map.color or next(iter(self.facets.names), ""))

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._keep_copy(lambda: table(self.shown.head(20), rows=20, service=self.source.service))

    def __repr__(self) -> str:
        return f"<Explorer of {counted(len(self.source.frame), 'record')}>"
