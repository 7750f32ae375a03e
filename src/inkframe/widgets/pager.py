"""The controls that select a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display.markup import joined, tag
from inkframe.schema import PAGE_SIZES
from inkframe.vocabulary.arguments import check_page_size
from inkframe.widgets.controls import button, styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.widgets.page_source import Found

__all__ = ["Pager"]

#: Pages that are not counted by the service are taken to go on.
ENDLESS = 1_000_000


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
