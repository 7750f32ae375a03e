"""The facets of a frame as a column of checkboxes and histograms, and the order of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import numpy as np
import pandas as pd
import traitlets

from inkframe.display.figure import words
from inkframe.display.markup import line
from inkframe.exploring.facets import NEAR, SEARCH, Facet, Facets, histogram_label, read_near
from inkframe.widgets.panel import front, script, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


__all__ = ["FacetList", "SortBar"]

#: Values sent of a facet that is not in an order of its own, as groups are; the rest is found by searching.
MOST_LISTED = 60


class FacetList(anywidget.AnyWidget):
    """Facets with their counts under all other filters.

    Args:
        changed: Called with the filters after a person changed them.
        find: Called with a text to find by meaning, or an empty one when that is no longer wanted.

    Attributes:
        names: The columns that are shown.
    """

    _esm = script("facet_list", package=__package__)
    _css = front("facet_list.css", __package__)

    #: The shown part of each facet.
    facets: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    #: The columns that can be added.
    available: traitlets.List[str] = traitlets.List().tag(sync=True)
    search = traitlets.Unicode().tag(sync=True)
    #: Which filter the search is, and whether both are offered.
    by = traitlets.Unicode(SEARCH).tag(sync=True)
    has_meaning = traitlets.Bool().tag(sync=True)
    #: Whether anything is filtered.
    filtered = traitlets.Bool().tag(sync=True)

    def __init__(
        self, changed: Callable[[dict[str, Any]], Any], find: Callable[[str], Any] = lambda _text: None
    ) -> None:
        super().__init__()
        self._changed, self._find = changed, find
        self._source: Facets | None = None
        self._filters: dict[str, Any] = {}
        self.names: list[str] = []
        self.on_msg(self._on_message)

    def show(self, source: Facets, names: list[str], filters: Mapping[str, Any]) -> None:
        """Show the facets of some columns with their counts.

        Args:
            source: The facets of the frame.
            names: The columns that are shown if they have values, beside those that are filtered by.
            filters: The filters, checked.
        """
        self._source, self._filters = source, dict(filters)
        known = source.names
        wanted = [name for name in dict.fromkeys([*names, *filters]) if name in known]
        self.names = [name for name in wanted if source[name].kind != "text"]
        self.facets = [self._shown(source, name) for name in self.names]
        self.available = [name for name in known if name not in self.names and source[name].kind != "text"]
        self.has_meaning = source.closeness is not None
        if both := [name for name in (NEAR, SEARCH) if name in filters]:
            self.by = both[0]
        self.search = read_near(filters.get(NEAR) or filters.get(SEARCH, ""))[0]
        self.filtered = bool(filters)

    def _shown(self, source: Facets, name: str) -> dict[str, Any]:
        facet = source[name]
        counts = source.counts(name, self._filters).tolist()
        shown: dict[str, Any] = {"name": name, "filtered": name in self._filters}
        wanted = self._filters.get(name)
        if facet.choices or facet.kind == "category":
            chosen = wanted if isinstance(wanted, list) else []
            # Values that nothing has under the other filters are last.
            choices = sorted(enumerate(facet.choices), key=lambda choice: not counts[choice[0]])
            values = [
                _value(at, words({name: value}, name) or str(value), counts[at], value in chosen)
                for at, value in choices[: None if facet.is_ordered else MOST_LISTED]
            ]
            if (facet.codes < 0).any():
                values.append(_value(-1, "(missing)", counts[-1], None in chosen))
            return shown | {"values": values}
        low, high = facet.edges[0], facet.edges[-1]
        shown |= {"bars": counts[:-1], "missing": counts[-1]}
        if isinstance(wanted, tuple):
            shown["chosen"] = _bars(facet, wanted)
            low, high = (
                edge if bound is None else _number(bound)
                for edge, bound in zip((low, high), wanted, strict=True)
            )
        return shown | {"low": histogram_label(facet, low), "high": histogram_label(facet, high)}

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        source, kind, name = self._source, message.get("kind"), str(message.get("name", ""))
        if source is None:
            return
        filters = dict(self._filters)
        if kind == "search":
            self._search(str(message.get("text", "")), by_meaning=message.get("by") == NEAR)
            return
        if kind == "clear":
            filters = {key: value for key, value in filters.items() if name and key != name}
        elif kind == "add" and name in source.names:
            self.names.append(name)
        elif kind == "remove" and name in self.names:
            self.names.remove(name)
            filters.pop(name, None)
        elif kind == "choose" and name in self.names:
            value = None if message["at"] < 0 else source[name].choices[message["at"]]
            before = filters.pop(name, [])
            kept = [each for each in before if each != value] if isinstance(before, list) else []
            if chosen := [*kept, *([value] if message.get("on") else [])]:
                filters[name] = chosen
        elif kind == "range" and name in self.names:
            filters[name] = _bounds(source[name], int(message["from"]), int(message["to"]))
        self._changed(filters)

    def _search(self, text: str, *, by_meaning: bool) -> None:
        """Search for words, or ask for what is close in meaning; what is shown stays until that is answered."""
        self._find(text if by_meaning else "")
        try:
            if not (by_meaning and text.strip()):
                kept = {name: wanted for name, wanted in self._filters.items() if name != NEAR}
                self._changed(kept | {SEARCH: text})
        finally:  # the page asks for one search at a time
            self.send({"kind": "answered"})


def _value(at: int, label: str, count: int, chosen: bool) -> dict[str, Any]:
    return {"at": at, "label": line(label, 80), "count": count, "chosen": chosen}


def _bars(facet: Facet, wanted: tuple[Any, Any]) -> list[int]:
    """Return the first bar within the bounds, and the one after the last."""
    low, high = wanted
    last = len(facet.edges) - 1
    first = 0 if low is None else int(np.searchsorted(facet.edges, _number(low), side="right")) - 1
    end = last if high is None else int(np.searchsorted(facet.edges, _number(high), side="left"))
    first = min(max(first, 0), last - 1)
    return [first, min(max(end, first + 1), last)]


def _bounds(facet: Facet, first: int, end: int) -> tuple[Any, Any]:
    """Return the bounds of some bars; the outermost have none."""
    edges: Any = facet.edges.tolist()
    if facet.kind == "time":
        edges = [pd.Timestamp(int(edge), unit="us") for edge in edges]
    return (None if first <= 0 else edges[first], None if end >= len(edges) - 1 else edges[end])


def _number(bound: Any) -> float:
    """Return a bound as the edges of a facet are: times in microseconds."""
    return float(bound.as_unit("us").asm8.astype("int64") if isinstance(bound, pd.Timestamp) else bound)


class SortBar(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """A list of columns, and a box for descending order.

    Args:
        changed: Called after a person changed the order.

    Attributes:
        order: The list; a value is a column and whether its texts are sorted by length.
        descending: The box.
    """

    def __init__(self, changed: Callable[[], Any]) -> None:
        self._changed = changed
        self.order = ipywidgets.Dropdown(description="Sort")
        self.descending = ipywidgets.Checkbox(value=False, description="Descending", indent=False)
        for each in (self.order, self.descending):
            each.observe(lambda _: None if self._is_told else self._changed(), "value")
        super().__init__([self.order, self.descending])
        styled(self, "ink-row")

    @property
    def sorting(self) -> dict[str, Any]:
        """The order, as arguments of ``Facets.positions``."""
        name, by_length = self.order.value
        return {"sort_by": name or None, "by_length": by_length, "ascending": not self.descending.value}

    def show(self, facets: Facets) -> None:
        """Offer the columns of a frame; an order by a column that is gone ends."""
        names = [(name, (name, False)) for name in facets.names]
        lengths = [(f"length of {name}", (name, True)) for name in facets.texts]
        options = [("Given order", ("", False)), *names, *lengths]
        before, self._is_told = self.order.value, True
        self.order.options = options
        self.order.value = before if before in dict(options).values() else ("", False)
        self._is_told = False

    def sort(self, name: str, *, descending: bool) -> None:
        """Sort by a column, without calling ``changed``."""
        self._is_told = True
        self.order.value, self.descending.value = (name, False), descending
        self._is_told = False
