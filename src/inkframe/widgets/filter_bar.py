"""What a browser lists: a search, filters, an order."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.calls.arguments import check_boolean, check_choice
from inkframe.schema import SORT_FIELDS, SORTS
from inkframe.widgets.controls import styled
from inkframe.widgets.form_fields import ChoiceField, FormField, text_field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["KEYWORDS", "FilterBar"]

#: What every browser can be made with; fields of its own come on top.
KEYWORDS: Final = ("search", "search_by", "favorite", "sort_by", "sort")
#: Seconds without typing before a search is sent.
PAUSE: Final = 0.3
ORDERS: Final = {
    ("id", "desc"): "newest first",
    ("id", "asc"): "oldest first",
    ("name", "asc"): "by name, A to Z",
    ("name", "desc"): "by name, Z to A",
}
FAVORITES: Final = (("all", None), ("favourites", True), ("others", False))


class FilterBar(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets carries no types
    """The controls above a browser; what they say is what ``list`` takes.

    Args:
        fields: The collection's own filters; the value of each is what ``list`` takes, or None.
        search_by: Pairs of words and value where more than the name can be searched.
        given: Values to begin with, of ``search``, ``search_by``, ``favorite``, ``sort_by`` and ``sort``.

    Raises:
        InvalidArgument: A value is not allowed.
    """

    def __init__(
        self, fields: Sequence[FormField], search_by: Sequence[tuple[str, str]], given: dict[str, Any]
    ) -> None:
        favorite = given.get("favorite")
        if favorite is not None:
            favorite = check_boolean("favorite", favorite)
        sort_by = check_choice("sort_by", given.get("sort_by") or "id", SORT_FIELDS)
        sort = check_choice("sort", given.get("sort") or ("desc" if sort_by == "id" else "asc"), SORTS)
        self._search = text_field("search", "Search", given.get("search") or "", hint="words in the name")
        orders = [(words, order) for order, words in ORDERS.items()]
        self._order = ChoiceField("order", "Order", orders, (sort_by, sort))
        self._favorite = ChoiceField("favorite", "Favourites", FAVORITES, favorite)
        self._own = {field.name: field for field in fields}
        shown = [self._search, self._favorite, self._order]
        if search_by:
            where = check_choice("search_by", given.get("search_by") or "name", [v for _, v in search_by])
            self._own["search_by"] = ChoiceField("search_by", "Search in", search_by, where)
        super().__init__([*shown, *self._own.values()])
        styled(self, "ink-fields")

    def query(self) -> dict[str, Any]:
        """Give what ``list`` takes, without the page; what is left open is left out."""
        search = self._search.value.strip()
        sort_by, sort = self._order.value
        found = {"search": search or None} | {name: field.value for name, field in self._own.items()}
        if not search or found.get("search_by") == "name":
            found["search_by"] = None
        found["favorite"] = self._favorite.value
        if (sort_by, sort) != ("id", "desc"):
            found |= {"sort_by": sort_by, "sort": sort}
        return {name: value for name, value in found.items() if value not in (None, "")}

    def mistake(self) -> str:
        """Say what is wrong with a filter, and show it there; empty where nothing is."""
        for field in self._own.values():
            field.problem = field.mistake()
        return " ".join(field.problem for field in self._own.values() if field.problem)

    def order_words(self) -> str:
        """Give the order in words."""
        return ORDERS[self._order.value]

    def on_change(self, act: Callable[[], Any]) -> None:
        """Have something done after each change; typing counts once it pauses."""
        waiting: list[threading.Timer] = []

        def typed() -> None:
            for timer in waiting:
                timer.cancel()
            timer = threading.Timer(PAUSE, act)
            timer.daemon = True
            waiting[:] = [timer]
            timer.start()

        self._search.on_change(lambda _: typed())
        for field in (self._favorite, self._order, *self._own.values()):
            field.on_change(lambda _: act())
