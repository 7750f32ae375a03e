"""The query of a browser: a search, filters, an order."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.schema import SORT_FIELDS, SORTS
from inkframe.vocabulary.arguments import check_boolean, check_choice
from inkframe.widgets.controls import styled
from inkframe.widgets.fields import ChoiceField, FormField, text_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["FilterBar"]

#: Seconds without typing before a search is sent.
PAUSE: Final = 0.3
ORDERS: Final = {
    ("id", "desc"): "Newest first",
    ("id", "asc"): "Oldest first",
    ("name", "asc"): "Name, A to Z",
    ("name", "desc"): "Name, Z to A",
}
FAVORITES: Final = (("All", None), ("Favorites", True), ("Others", False))
#: The words for the fields that can be searched.
SEARCHED: Final = {"name": "Names", "result": "Texts"}


class FilterBar(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets carries no types
    """The controls above a browser.

    Args:
        fields: The collection's own filters; the value of each is what ``list`` takes, or None.
        search_by: The fields that can be searched.
        given: What ``search``, ``search_by``, ``favorite``, ``sort_by`` and ``sort`` begin with.

    Attributes:
        fields: Every control by its name.

    Raises:
        InvalidArgument: A value is not allowed.
    """

    def __init__(
        self, fields: Sequence[FormField], search_by: Sequence[str], given: Mapping[str, Any]
    ) -> None:
        favorite = given.get("favorite")
        if favorite is not None:
            favorite = check_boolean("favorite", favorite)
        sort_by = check_choice("sort_by", given.get("sort_by") or "id", SORT_FIELDS)
        sort = check_choice("sort", given.get("sort") or ("desc" if sort_by == "id" else "asc"), SORTS)
        where = check_choice("search_by", given.get("search_by") or "name", search_by)
        self._search = text_field("search", "Search", given.get("search") or "", hint="Words to search for")
        orders = [(words, order) for order, words in ORDERS.items()]
        self._order = ChoiceField("order", "Sort", orders, (sort_by, sort))
        places = [(SEARCHED[name], name) for name in search_by]
        self._others = [
            ChoiceField("favorite", "Favorites", FAVORITES, favorite),
            self._order,
            *fields,
            *([ChoiceField("search_by", "Search in", places, where)] if len(places) > 1 else []),
        ]
        self._pause = threading.Timer(PAUSE, self.query)
        self.fields = {field.name: field for field in (self._search, *self._others)}
        super().__init__(list(self.fields.values()))
        styled(self, "ink-fields")

    def query(self) -> dict[str, Any]:
        """Return the arguments of ``list`` without the page and without unset filters."""
        found = {name: field.value for name, field in self.fields.items()}
        found["search"] = found["search"].strip()
        order = found.pop("order")
        if not found["search"] or found.get("search_by") == "name":
            found.pop("search_by", None)
        if order != ("id", "desc"):
            found["sort_by"], found["sort"] = order
        return {name: value for name, value in found.items() if value not in (None, "")}

    def mistake(self) -> str:
        """Return the error of a filter, and show it there; empty if there is none."""
        for field in self._others:
            field.problem = field.mistake()
        return " ".join(field.problem for field in self._others if field.problem)

    def order_words(self) -> str:
        """Return the order in words."""
        return ORDERS[self._order.value]

    def on_change(self, act: Callable[[], Any]) -> None:
        """Call a function after each change; typing counts once it pauses."""

        def typed(_name: str) -> None:
            self._pause.cancel()
            self._pause = threading.Timer(PAUSE, act)
            self._pause.daemon = True
            self._pause.start()

        self._search.on_change(typed)
        for field in self._others:
            field.on_change(lambda _: act())
