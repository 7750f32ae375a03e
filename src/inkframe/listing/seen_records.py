"""The records that a listing has yielded, so that each is yielded once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe.listing.pages import Budget
    from inkframe.replies.columns import Columns, Page

__all__ = ["SeenRecords"]


class SeenRecords:
    """The records that a listing has yielded.

    Args:
        budget: The requests of the listing, which grow with pages that have new records.

    Attributes:
        ids: Their ids.
        in_order: Whether the ids of every page by id ascending are increasing numbers.
    """

    def __init__(self, budget: Budget) -> None:
        self.in_order = True
        self._budget = budget
        self.ids: set[int | str] = set()

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, page: Page) -> Iterator[Columns]:
        """Yield the records of a page that were not yielded before."""
        ids = page.columns.ids
        if page.asked.get("sort") == "asc":
            self._note_order(ids)
        fresh = [row for row, id in enumerate(ids) if id not in self.ids]
        if fresh:
            self._budget.add_page(len(fresh) / len(ids))
        self.ids.update(ids)
        if len(fresh) == len(ids) == len(set(ids)):
            if ids:
                yield page.columns
        elif fresh:
            first = {ids[row]: row for row in reversed(fresh)}
            yield page.columns.take(sorted(first.values()))

    def new_in(self, page: Page) -> set[int | str]:
        """Return the ids of a page that were not yielded before."""
        return set(page.columns.ids) - self.ids

    def is_further(self, page: Page) -> bool:
        """Return whether a page has new records; a service may repeat its last page or its first."""
        return any(id not in self.ids for id in page.columns.ids)

    def is_joined(self, page: Page) -> bool:
        """Return whether a page has records that were yielded before."""
        return not self.ids.isdisjoint(page.columns.ids)

    def reaches(self, page: Page) -> bool:
        """Return whether a page, newest first, ends with a record that was yielded before."""
        return not self.ids.isdisjoint(page.columns.ids[-1:])

    def _note_order(self, ids: list[int | str]) -> None:
        are_numbers = {int}.issuperset(map(type, ids))
        self.in_order = self.in_order and are_numbers and ids == sorted({*ids})
