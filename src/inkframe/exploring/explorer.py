"""``Explorer``: explore a frame with facets, search, labels and a map, and act on what is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Final

import ipywidgets
import numpy as np
import pandas as pd
import traitlets
from numpy.typing import NDArray

from inkframe.deciding.rating_panel import RatingPanel
from inkframe.display.console import variable_name
from inkframe.display.markup import counted, join
from inkframe.display.tables import table
from inkframe.display.view import View
from inkframe.errors import ConfigurationError, InkframeError, InvalidArgument
from inkframe.exploring.facet_list import FacetList, SortBar
from inkframe.exploring.facets import NEAR, SEARCH
from inkframe.exploring.finds import FINDS, FoundColumns, more_like, spare
from inkframe.exploring.frame_source import LABEL, FrameSource, restore_labels, save_label
from inkframe.exploring.map import RecordMap
from inkframe.frames import neutralize_formulas
from inkframe.vocabulary.arguments import check_text
from inkframe.widgets.pager import Found, Pager, cut_page
from inkframe.widgets.panel import button, show, styled
from inkframe.widgets.record_panel import Action, RecordActions, RecordPanel
from inkframe.widgets.record_reader import RecordReader
from inkframe.widgets.rows import RecordGallery

__all__ = ["Explorer"]

#: The usual labels, in the order of their keys.
LABELS: Final = ("keep", "rework", "drop")
LIST, GALLERY, MAP = "List", "Gallery", "Map"


class Explorer(RecordPanel):
    """Search, filter, sort, read, label and map the rows of a frame.

    Facets combine: each counts under all others. Keys in the list: arrows move and read, Space chooses, ``n`` and
    ``p`` go to the next and previous hit of the search, 1 to 9 label, 0 removes the label. Labels are saved as
    they are given and shown again for the same records.

    With a function of vectors, texts are found by meaning, too: by the switch beside the search box, ``near`` in the
    filters, and ``nearest``. It is called once vectors are needed, with each text once, and at most 256 at a time.

    Args:
        frame: Images, documents, or any frame; it is not changed.
        facets: The columns to filter by; by default up to five that divide the frame.
        x: The column of own positions on the map.
        y: The column of their second coordinate.
        vectors: A function from a list of texts to an array with a row for each, or such an array or frame: for the
            map, groups, duplicates, outliers and "more like this", too. Only a function finds what is typed.
        column: The generated column that is shown, where there are several; by default that of texts.

    Attributes:
        filters: What is shown: a mapping from columns to a list of values or a tuple of bounds, ``search``, and
            ``near``: words, or a pair of them and how many rows closest in meaning are kept, 50 by default.
        facets: The facets on the page.
        order: The order of the rows.
        pager: Which page of the list is shown.
        map: The map.
        positions: The positions of the rows that are shown, in order.

    Raises:
        InvalidArgument: An argument is not a frame, or a column does not exist.

    Example:
        >>> explorer = ink.Explorer(client.documents.all())
        >>> explorer.filters = {"template": ["FAQ"], "search": "kettle"}
        >>> embed = ink.embedder("nomic-embed-text", "http://localhost:11434/v1")  # of an endpoint
        >>> embed = lambda texts: list(TextEmbedding().embed(texts))  # or of fastembed
        >>> embed = SentenceTransformer("all-MiniLM-L6-v2").encode  # or of sentence-transformers
        >>> explorer = ink.Explorer(documents, vectors=embed)
        >>> explorer.filters = {"template": ["FAQ"], "near": ("how to keep water hot", 10)}
    """

    filters = traitlets.Dict()
    actions: ExplorerActions

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        facets: Sequence[str] | None = None,
        x: str | None = None,
        y: str | None = None,
        vectors: Callable[[list[str]], Any] | pd.DataFrame | NDArray[Any] | None = None,
        column: str | None = None,
    ) -> None:
        self.source, self.vectors = FrameSource(frame, x=x, y=y, vectors=vectors, column=column), vectors
        self.collection = self.source.collection
        for name in facets or ():
            self.source.facets[name]  # refuses a missing column
        names = self.source.facets.suggested() if facets is None else list(facets)
        self.positions = np.arange(len(frame))
        self._shown = frozenset(self.source.keys)
        self.labels = [*LABELS, *(each for each in restore_labels(self.source) if each not in LABELS)]
        self.records = self.source
        fetch = self.source.fetch
        self._wanted, self.source.progress = "", self._progress
        self.facets = FacetList(self._filter, self.find_meaning)
        self.gallery = RecordGallery(self._acted, fetch, label="Records")
        self.pager = Pager(50, self._show_page)
        self.map = RecordMap(self.choose, self.source)
        self.service = self.collection.service if self.collection is not None else self.source.service
        self.reader = RecordReader(self.service, fetch=fetch, save=self.save_text)
        self.actions = ExplorerActions(self)
        views = [LIST, *([GALLERY] if fetch else []), MAP]
        self.view = ipywidgets.ToggleButtons(options=views, value=GALLERY if fetch else LIST)
        self.order = SortBar(self._list_again)
        bar = styled(ipywidgets.HBox([self.view, self.order, self.pager.count]), "ink-row", "ink-sort")
        self._list = ipywidgets.VBox([self.gallery, self.pager])
        # Classes of the map itself stay as they are.
        self._map_box = styled(ipywidgets.Box([self.map]), "ink-gone")
        middle = ipywidgets.VBox([bar, self._list, self._map_box])
        body = styled(ipywidgets.Box([self.facets, middle, self.reader]), "ink-explorer")
        super().__init__(None, self.actions.above, [body, *self.actions.below])
        styled(self, "ink-wide-panel")
        self.facets.show(self.source.facets, names, {})
        self._renew()
        self.gallery.observe(lambda _: self._selected(), "chosen")
        self.view.observe(lambda change: self._turn_view(change["new"]), "value")
        self._turn_view(self.view.value)
        self._list_again()

    @property
    def shown(self) -> pd.DataFrame:
        """The rows that pass the filters, in the order they are shown."""
        return self.source.frame.take(self.positions)

    @property
    def selection(self) -> pd.DataFrame:
        """The rows that are chosen and pass the filters, in the order of the frame."""
        return self.source.frame.take(self._chosen)

    @property
    def shown_keys(self) -> frozenset[str]:
        """The keys of the rows that pass the filters, on all pages."""
        return self._shown

    @property
    def _chosen(self) -> list[int]:
        return self.source.positions(self.chosen_keys)

    @traitlets.validate("filters")
    def _check_filters(self, proposal: Mapping[str, Any]) -> dict[str, Any]:
        return self.source.facets.check(proposal["value"])

    @traitlets.observe("filters")
    def _filters_changed(self, _change: object) -> None:
        self._list_again()

    def _filter(self, filters: Mapping[str, Any]) -> None:
        """Filter, and list again even if the filters are the same."""
        before, self.filters = self.filters, dict(filters)
        if self.filters == before:
            self._list_again()

    def find_meaning(self, text: str) -> Future[Any] | None:
        """Show the rows closest to the last text in meaning, in a thread; an empty one drops the one before."""
        self._wanted = text

        def find() -> None:
            self._clear_problems()
            self.source.facets.check({NEAR: text})
            if text == self._wanted:
                kept = {name: value for name, value in self.filters.items() if name != SEARCH}
                self.filters = kept | {NEAR: text}
                self.say(f"{counted(len(self.positions), 'record')} closest in meaning, the nearest first.")

        return self.queue(find, "Finding by meaning", steps=self.source.unasked) if text else None

    def nearest(self, text: str, n: int = 10) -> pd.DataFrame:
        """Return the rows closest to a text in meaning, of all rows, the nearest first, with the column ``score``."""
        return self.source.nearest(text, n)

    def _list_again(self) -> None:
        before = self.chosen_keys
        try:
            self.positions = self.source.facets.positions(self.filters, **self.order.sorting)
        except InkframeError as error:  # a column that cannot be sorted, or a function that fails
            self._fail(error)
            return
        self._shown = frozenset(self.source.keys[at] for at in self.positions)
        self.facets.show(self.source.facets, self.facets.names, self.filters)
        self.pager.page = 1
        self._show_page()
        if self.chosen_keys == before:
            self._mark()
        else:
            self._selected()

    def _show_page(self) -> None:
        part, page, pages = cut_page(len(self.positions), self.pager.per_page, self.pager.page)
        at = self.positions[part]
        rows = self.source.rows(at.tolist())
        self.gallery.show(list(rows.values()))
        self.actions.relisted()
        self.pager.show(Found(self.source.frame.iloc[at], len(self.positions), page, pages), "")
        self._write_code()
        self._turn = object()
        self._copy_soon()

    # --- what is chosen ---

    def choose(self, positions: NDArray[np.int64] | Sequence[int]) -> None:
        """Choose rows by their positions in the frame."""
        keys = [self.source.keys[at] for at in sorted({int(at) for at in positions})]
        if keys == self.gallery.chosen:
            self._selected()
        self.gallery.chosen = keys

    def choose_shown(self) -> None:
        """Choose all rows that pass the filters."""
        self.choose(self.positions)

    def _selected(self) -> None:
        if len(keys := self.chosen_keys) == 1:
            record = self.source[keys[0]]
            self.record = record["id"]
            self.reader.show(record, self.filters.get(SEARCH, ""))
        self.actions.renew()
        self._mark()
        self._write_code()

    def _mark(self) -> None:
        if self.map.is_placed:
            states = np.zeros((2, len(self.source.frame)), np.bool_)
            states[0, self.positions] = states[1, self._chosen] = True  # of the chosen, those that are shown
            self.map.mark(*states)

    def _write_code(self) -> None:
        own = variable_name(self, "explorer")
        name = self.source.variable or f"{own}.frame"
        facets, chosen = self.source.facets, self._chosen
        order = {} if chosen else self.order.sorting
        options = self.source.similar_options(own) if NEAR in self.filters else ""
        line = facets.code(self.filters, **order, variable=name, options=options)
        is_part = 0 < len(chosen) < len(self.positions)
        self.code = facets.rows_code(chosen, name) if is_part else line

    def _act(self, kind: str, own: list[str], message: Mapping[str, Any]) -> None:
        if kind.startswith("label "):
            number = int(kind.split()[1])
            if self.chosen_keys and number <= len(self.labels):
                self.label(self.labels[number - 1] if number else None)
        elif kind in ("next hit", "previous hit"):
            hit = self.reader.turn(1 if kind == "next hit" else -1)
            self.status.send({"kind": "reveal", "where": f".ink-hit-{hit}"})
        elif kind == "open":  # which is done by selecting it
            self.bring_into_view(self.reader, "ink-pane")
        else:
            super()._act(kind, own, message)

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
            save_label(self.source, chosen := self._chosen, value)
        except ConfigurationError as error:
            self._fail(error)
            return
        self.changed(LABEL, chosen, value)
        said = counted(len(chosen), "record")
        self.say(f"{said} labeled {value}." if value else f"{said} without a label.")

    def replace(self, record: Any, fields: Iterable[str]) -> None:
        """Show a record as it is now, given the fields that were changed."""
        for name in fields:
            self.changed(name, self.source.positions([str(record.id)]), getattr(record, name))
        self.say(f"“{record.name or record.id}” updated.")

    def removed(self, keys: Sequence[str]) -> None:
        """Take rows away that no longer exist."""
        super().removed(keys)
        self.source.drop(keys)
        kept: dict[str, Any] = {}
        for name, value in self.filters.items():
            with suppress(InvalidArgument):  # no record with this value is left
                kept |= self.source.facets.check({name: value})
        self.filters = kept
        self._renew()
        self._list_again()

    def changed(self, column: str, positions: Sequence[int], value: Any) -> None:
        """Show a value that some rows have now."""
        self.source.set(column, positions, value)
        self._renew(column)
        self._show_page()

    def _renew(self, *added: str) -> None:
        """Show the facets and orders that the frame has now."""
        self.frame = self.source.frame
        facets = self.source.facets
        new = [name for name in added if name not in self.facets.names and name in facets.names]
        listed = [name for name in new if facets[name].kind != "text"]
        self.facets.show(facets, [*listed, *self.facets.names], self.filters)
        self.map.offer_colors()
        self.order.show(facets)

    def show_found(self, found: FoundColumns) -> None:
        """Show what was found as facets, filtered and sorted by the first of its columns."""
        self.say(found.said)
        if not found.columns:
            return
        names = self.source.add(found.columns)
        if "duplicates" in found.columns:
            show(self.actions.keep_one)
        self._renew(names[0])
        if found.descending is not None:
            self.order.sort(names[0], descending=found.descending)
        kept = {name: wanted for name, wanted in self.filters.items() if name not in names}
        self._filter(kept if found.keep is None else kept | {names[0]: found.keep})
        if self.map.is_placed:
            self.map.color_by(names[0])

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
        for places, note in self.map.places(self._progress):
            self.map.place(places.to_numpy(np.float64, na_value=np.nan))
            self.map.note = note
            self._mark()
            self.map.color_by(self.map.color or next(iter(self.facets.names), ""))
            self._copy_soon()
        return places

    def _progress(self, share: float) -> None:
        if self.busy and self.is_cancelled:
            raise InterruptedError
        self.status.done = round(self.status.total * share)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, InterruptedError):
            self.say("Cancelled.")
        else:
            super()._fail(error)

    def _saved_view(self) -> View:
        first = self.positions[:20]
        shown = self.source.frame.iloc[first]
        small = self.gallery.small(list(self.source.rows(first.tolist()).values()))
        rows = table(shown, dict(zip(shown.index, small, strict=False)), service=self.service)
        return View(join(self.map.picture(), rows.html), rows.text)

    def __repr__(self) -> str:
        return f"<Explorer of {counted(len(self.source.frame), 'record')}>"


class ExplorerActions(RecordActions):
    """Buttons for the selection: labels, finding, comparing, rating, files, and changes through the client.

    Args:
        panel: The explorer.
    """

    def __init__(self, panel: Explorer) -> None:
        self._explorer = panel
        self._labels = styled(ipywidgets.HBox(), "ink-row")
        more = [
            Action("More like this", "m", self.find_more, most=1),
            Action("Edit text", "e", panel.reader.edit, most=1),
            Action("Reuse settings", "u", self._again, most=1),
            Action("Rate blind", "b", self._rate),
            Action("Save as CSV", "v", self._save),
            Action("Copy ids", "i", self._copy_ids),
        ]
        without = "eu" if panel.collection is None else "e" if panel.source.spec.has_picture else ""
        own = [each for each in more if each.key not in without]
        super().__init__(panel, more=own)
        digits = {str(number): f"label {number}" for number in range(10)}
        # A new dictionary: changes within one do not reach the page.
        panel.gallery.acts = {**panel.gallery.acts, "n": "next hit", "p": "previous hit", **digits}
        self.key_words |= {
            "1–9": "Label",
            "0": "Remove the label",
            "n, p": "Next and previous hit of the search",
        }
        self.own_label = ipywidgets.Text(placeholder="Own label", continuous_update=False)
        self.own_label.observe(lambda change: self._add_label(change["new"]), "value")
        self._placed = styled(ipywidgets.Box(), "ink-placed", "ink-gone")
        picks = [
            button("Select all shown", panel.choose_shown, "ink-small"),
            button("Select none", lambda: panel.choose([]), "ink-small"),
        ]
        finds = [button(name, partial(self.find, name), "ink-small") for name in FINDS]
        #: Shown once near duplicates were found.
        self.keep_one = button("Keep one of each", self.select_spare, "ink-small", "ink-gone")
        top = styled(ipywidgets.HBox([*picks, _title("Find"), *finds, self.keep_one]), "ink-row")
        #: The controls above the list, and below it.
        self.above = [top, self.bar, self._labels, self.question]
        self.below = [self.compared, self._placed, self.form_place]
        self.show_labels()

    def allow(self, count: int, hidden: int = 0) -> None:
        """Enable the buttons that make sense for so many rows."""
        super().allow(count, hidden)
        for each in self._labels.children[1:]:
            each.disabled = not count

    def show_labels(self) -> None:
        """Show a button for each label, with its key."""
        made = [
            button(f"{number}  {label}", partial(self._explorer.label, label), "ink-small")
            for number, label in enumerate(self._explorer.labels, 1)
        ]
        gone = button("0  no label", lambda: self._explorer.label(None), "ink-small")
        self._labels.children = [_title("Label"), *made, gone, self.own_label]
        self.renew()

    def find(self, what: str) -> Future[Any]:
        """Find groups, near duplicates or outliers in what is shown, in a thread; they become columns.

        Args:
            what: ``Topics``, ``Clusters``, ``Near duplicates`` or ``Outliers``.
        """
        panel, among = self._explorer, np.sort(self._explorer.positions)
        steps, words = panel.source.unasked, f"Finding {what.lower()}"
        return panel.queue(lambda: panel.show_found(FINDS[what](panel.source, among)), words, steps=steps)

    def select_spare(self) -> None:
        """Select the near duplicates that are shown, but one of each group."""
        panel = self._explorer
        panel.choose(np.intersect1d(spare(panel.source), panel.positions))
        panel.say(f"{counted(len(panel.chosen_keys), 'record')} selected; one of each group is not.")

    def find_more(self) -> Future[Any]:
        """Sort the records that are closest to the selected one first, in a thread."""
        panel = self._explorer
        [at] = panel.source.positions(panel.chosen_keys[:1])
        loader = None if panel.vectors is not None else panel.gallery.thumbnails
        rows = list(panel.source.rows(range(len(panel.source.frame))).values()) if loader else []

        def compare() -> None:
            small = list(panel.steps(loader.pictures(rows))) if loader else []
            if not panel.is_cancelled:
                panel.show_found(more_like(panel.source, at, small))

        return panel.queue(compare, "Comparing", steps=rows or panel.source.unasked)

    def _add_label(self, label: str) -> None:
        if label.strip():
            self.own_label.value = ""
            self._explorer.label(label.strip())

    def _again(self) -> Future[Any]:
        """Fill a form with the settings of the selected record, as the service has them now."""
        panel = self._explorer
        [id] = [panel.records[key]["id"] for key in panel.chosen_keys]
        return panel.queue(lambda: self.reuse(panel.collection.get(id)), "Fetching")

    def _rate(self) -> None:
        panel = self._explorer
        self._placed.children = [RatingPanel(panel.selection, column=panel.source.column or None)]
        panel.bring_into_view(self._placed, "ink-placed")

    def _save(self) -> None:
        rows = self._explorer.selection
        content = neutralize_formulas(rows).to_csv(lineterminator="\r\n").encode("utf-8-sig", "replace")
        self._explorer.gallery.save("inkframe-selection.csv", "text/csv", content)
        self._explorer.say(f"{counted(len(rows), 'record')} downloaded by the browser.")

    def _copy_ids(self) -> None:
        keys = self._explorer.chosen_keys
        self._explorer.gallery.send({"kind": "copy", "text": ", ".join(keys)})
        self._explorer.say(f"{counted(len(keys), 'id')} copied.")


def _title(words: str) -> ipywidgets.HTML:
    return ipywidgets.HTML(f'<span class="ink-hint">{words}</span>')
