"""Which page is shown, of how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.calls.arguments import check_page_size
from inkframe.display import tag
from inkframe.display.plain_text import joined
from inkframe.schema import PAGE_SIZES
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
    """

    def __init__(self, per_page: int | None, turned: Callable[[], Any]) -> None:
        self._turned = turned
        self._is_told = False
        self._back = button("← Previous", lambda: self._step(-1), "ink-small")
        self._on = button("Next →", lambda: self._step(1), "ink-small")
        self._number = ipywidgets.BoundedIntText(1, min=1, max=1, description="Page", continuous_update=False)
        self._of = ipywidgets.HTML()
        sizes = [(f"{size} a page", size) for size in PAGE_SIZES]
        self._size = ipywidgets.Dropdown(
            options=[*sizes, ("all on one", None)],
            value=None if per_page is None else check_page_size(per_page),
            description="Show",
        )
        self.count = ipywidgets.HTML()
        self._number.observe(lambda _: self._ask(), "value")
        self._size.observe(lambda _: self._resize(), "value")
        super().__init__([self._back, self._number, self._of, self._on, self._size])
        styled(self._size, "ink-push")
        styled(self, "ink-row", "ink-pager")

    @property
    def page(self) -> int:
        """The number of the page, from 1."""
        return int(self._number.value)

    @page.setter
    def page(self, number: int) -> None:
        self._tell(number, max(self._number.max, number))

    @property
    def per_page(self) -> int | None:
        """Records on a page; None for all of them."""
        size: int | None = self._size.value
        return size

    def show(self, found: Found, order: str) -> None:
        """Say what is shown, of how many, and which way it can go.

        Args:
            found: The page.
            order: The order in words, such as ``newest first``.
        """
        self._tell(found.page, found.pages or ENDLESS)
        self._of.value = f"of {found.pages:,}" if found.pages else ""
        self._back.disabled = found.page <= 1
        self._on.disabled = found.is_last
        shown = len(found.frame)
        count = f"{shown:,}" if found.total is None else f"{shown:,} of {found.total:,}"
        self.count.value = str(tag("span", joined(count, order), class_="ink-hint", role="status"))

    def _tell(self, number: int, most: int) -> None:
        """Set the number without asking for the page."""
        self._is_told = True
        self._number.max = max(most, 1)
        self._number.value = number
        self._is_told = False

    def _ask(self) -> None:
        if not self._is_told:
            self._turned()

    def _resize(self) -> None:
        self.page = 1
        self._turned()

    def _step(self, by: int) -> None:
        self._number.value += by
