"""The query and the pages of a browser: search, filters and order, and the page that is shown."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.display.markup import joined, tag
from inkframe.schema import PAGE_SIZES, RESOURCES, SORT_FIELDS, SORTS
from inkframe.vocabulary.arguments import check_boolean, check_choice, check_page_size
from inkframe.widgets.fields import FormField, choice_field, text_field
from inkframe.widgets.panel import Expression, button, later, styled, write_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

__all__ = ["FilterBar", "Found", "PageSource", "Pager", "cut_page"]

#: Pages that are not counted by the service are taken to go on.
ENDLESS: Final = 1_000_000
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


class Pager(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Buttons and numbers that turn pages.

    Args:
        per_page: Records on a page; None for all of them on one.
        turned: Called after a person asked for another page or another size.

    Attributes:
        previous: Turns to the page before.
        next: Turns to the page after.
        number: The page's number.
        size: Records on a page.
        count: How many records are shown, of how many.
    """

    def __init__(self, per_page: int | None, turned: Callable[[], Any]) -> None:
        self._turned = turned
        self.previous = button("← Previous", lambda: self._step(-1), "ink-small")
        self.next = button("Next →", lambda: self._step(1), "ink-small")
        self.number = ipywidgets.BoundedIntText(min=1, max=1, description="Page")
        self._of = ipywidgets.HTML()
        sizes = [(f"{size} per page", size) for size in PAGE_SIZES]
        self.size = ipywidgets.Dropdown(
            options=[*sizes, ("All on one page", None)],
            value=None if per_page is None else check_page_size(per_page),
            description="Show",
        )
        self.count = ipywidgets.HTML()
        self.number.observe(lambda _: self._ask(), "value")
        self.size.observe(lambda _: self._resize(), "value")
        super().__init__([self.previous, self.number, self._of, self.next, self.size])
        styled(self.size, "ink-push")
        styled(self, "ink-row", "ink-pager")

    @property
    def page(self) -> int:
        """The number of the page, from 1."""
        return int(self.number.value)

    @page.setter
    def page(self, number: int) -> None:
        self._tell(number, max(self.number.max, number))

    @property
    def per_page(self) -> int | None:
        """Records on a page; None for all of them."""
        size: int | None = self.size.value
        return size

    def show(self, found: Found, order: str) -> None:
        """Show which records are shown, of how many, and enable the buttons.

        Args:
            found: The page.
            order: The order in words, such as ``Newest first``.
        """
        self._tell(found.page, found.pages or ENDLESS)
        self._of.value = f"of {found.pages:,}" if found.pages else ""
        self.previous.disabled = found.page <= 1
        self.next.disabled = found.is_last
        shown = len(found.frame)
        first = 1 + (found.page - 1) * (self.per_page or shown)
        place = f"{first:,}\u2013{first + shown - 1:,}" if shown else "0"
        count = place if found.total is None else f"{place} of {found.total:,}"
        self.count.value = str(tag("span", joined(count, order), class_="ink-hint", role="status"))

    def _tell(self, number: int, most: int) -> None:
        """Set the number without asking for the page."""
        self._is_told = True
        self.number.max = most
        self.number.value = number
        self._is_told = False

    def _ask(self) -> None:
        if not self._is_told:
            self._turned()

    def _resize(self) -> None:
        self.page = 1
        self._turned()

    def _step(self, by: int) -> None:
        self.number.value += by


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
        self._order = choice_field("order", "Sort", orders, (sort_by, sort))
        places = [(SEARCHED[name], name) for name in search_by]
        self._others = [
            choice_field("favorite", "Favorites", FAVORITES, favorite),
            self._order,
            *fields,
            *([choice_field("search_by", "Search in", places, where)] if len(places) > 1 else []),
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
            self._pause = later(PAUSE, act)

        self._search.on_change(typed)
        for field in self._others:
            field.on_change(lambda _: act())


@dataclass(frozen=True, slots=True)
class Found:
    """One page of a listing.

    Args:
        frame: Its records.
        total: How many there are in all, where that is known.
        page: Its number, from 1.
        pages: How many pages there are, where that is known.
    """

    frame: pd.DataFrame
    total: int | None
    page: int
    pages: int | None

    @property
    def is_last(self) -> bool:
        """Whether no page follows, if known."""
        return self.page >= self.pages if self.pages is not None else self.frame.empty


def cut_page(count: int, per_page: int | None, page: int) -> tuple[slice, int, int]:
    """Return which rows a page has, its number, and the number of pages; for a number past the end, the last page.

    Args:
        count: The number of rows.
        per_page: Rows on a page; None for all of them.
        page: The page's number, from 1.
    """
    size = per_page or max(1, count)
    pages = max(1, -(-count // size))
    page = min(page, pages)
    return slice(size * (page - 1), size * page), page, pages


class PageSource:
    """A collection page by page.

    Most listings are asked for a page at a time. Documents of every template are not, since a service gives
    those of one template a time: they are fetched whole, once, and paged here.

    Args:
        collection: ``client.images`` or ``client.documents``.
    """

    def __init__(self, collection: Any) -> None:
        self._collection = collection
        #: The filters without which a service lists only one part of the collection.
        self._parts = {
            field.name
            for field in RESOURCES[collection.resource].fields
            if field.filter_default is not None or field.label_of
        }
        #: The listing that was fetched whole, by its query.
        self._whole: dict[str, pd.DataFrame] = {}

    def find(self, query: Mapping[str, Any], per_page: int | None, page: int) -> Found:
        """Return a page; for a number past the end, the last one.

        Args:
            query: What ``list`` takes, without the page.
            per_page: Records on a page; None for all of them.
            page: The page's number, from 1.
        """
        if per_page is None or self._is_walked(query):
            key = repr(sorted(query.items()))
            if key not in self._whole:
                self._whole = {key: self._collection.all(**query, progress=False)}
            frame = self._whole[key]
            part, page, pages = cut_page(len(frame), per_page, page)
            return Found(frame.iloc[part].copy(), len(frame), page, pages)
        frame = self._collection.list(**query, per_page=per_page, page=page)
        total = frame.attrs["inkframe"]["total"]
        if total is None:
            return Found(frame, None, page, None)
        _, last, pages = cut_page(total, per_page, page)
        return Found(frame, total, page, pages) if page == last else self.find(query, per_page, last)

    def code(self, name: str, query: Mapping[str, Any], per_page: int | None, page: int) -> Expression:
        """Return the call that returns the same page.

        Args:
            name: What the collection is called, such as ``client.images``.
            query: What ``list`` takes, without the page.
            per_page: Records on a page; None for all of them.
            page: The page's number, from 1.
        """
        call = write_call(f"{name}.all", query)
        if per_page is None:
            return call
        if self._is_walked(query):
            return Expression(f"{call}.iloc[{per_page * (page - 1)}:{per_page * page}]")
        return write_call(f"{name}.list", {**query, "per_page": per_page, "page": page if page > 1 else None})

    def forget(self) -> None:
        """Forget the listing, since records were changed."""
        self._whole = {}

    def _is_walked(self, query: Mapping[str, Any]) -> bool:
        is_part = bool(self._parts) and self._parts.isdisjoint(query)
        return is_part and self._collection.dialect.default_template is not False
