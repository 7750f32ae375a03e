"""The order of rows: by a column, or by the length of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.widgets.controls import styled

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.exploring.facets import Facets

__all__ = ["SortBar"]


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
