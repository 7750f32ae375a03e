"""Pages of a list: detection of the last one, parameters of the next one, and reliability of totals.

Nothing is sent here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from inkframe.listing.paging import link_parameters, next_parameters, page_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.listing.paging import Way
    from inkframe.replies.columns import Page
    from inkframe.replies.dialect import Dialect

__all__ = ["PROBES", "Ask", "Paginator", "Probes"]

#: The most requests of a client with guessed parameters.
PROBES: Final = 6
#: Parameters of the interface that do not filter.
UNFILTERED: Final = frozenset({"sort", "sort_by", "per_page"})


class Ask(NamedTuple):
    """The parameters of a page.

    Args:
        parameters: The parameters.
        alone: Whether they are sent without the list parameters, as in the link of the service.
    """

    parameters: Mapping[str, str]
    alone: bool = False


@dataclass(slots=True)
class Probes:
    """The search for the page parameter of a service, shared by the collections of a client.

    Args:
        left: The number of guesses that may still be sent.
        way: The way that was understood, with its parameter.
        first_page: The number of the first page, if known.
        failed: The ways that led nowhere, each with the number of records on the page before.
    """

    left: int = PROBES
    way: Way | None = None
    first_page: int | None = None
    failed: dict[Way, int] = field(default_factory=dict)


class Paginator:
    """The state of paging in one collection.

    Args:
        dialect: The response format, updated with what pages show.
        probes: What other collections of the client have found.
        origin: The origin of the service.
    """

    def __init__(self, dialect: Dialect, probes: Probes, origin: str) -> None:
        self.dialect = dialect
        self.probes = probes
        self.origin = origin
        #: Whether the page parameter is pinned, or has led to another page.
        self.is_understood = "page_parameter" in dialect.pinned
        #: Whether lists with and without filters are read by the unchanged links of the service.
        self.linked: set[bool] = set()
        #: The most records on any page so far, a lower bound of the page size.
        self._fullest = 0
        #: Whether totals count the whole list, not the page; None until a reply shows it.
        self._totals_hold: bool | None = None
        #: Whether totals of filtered lists count the whole collection.
        self._counts_everything = False

    @property
    def has_places(self) -> bool:
        """Whether pages can be requested by position, if known."""
        return self.dialect.paging in {"number", "offset"}

    @property
    def is_chained(self) -> bool:
        """Whether each page leads to the next."""
        return self.dialect.paging in {"cursor", "after"}

    def take(self, page: Page) -> None:
        """Update the knowledge of totals and page sizes from a page."""
        reply, count = page.reply, len(page.columns.ids)
        page.claimed = page.claimed if reply.total is None else reply.total
        if self._totals_hold is False or (self._counts_everything and self.is_filtered(page)):
            reply.total = None
        elif reply.total is not None and reply.total > count:
            self._totals_hold = True
        says_no_end = reply.next is reply.more is None
        # Some services repeat the requested size, so that only a longer page shows that this one is short.
        full = reply.size if self._totals_hold else min(page.asked_size, self._fullest)
        may_be_full = count >= (full or self._fullest)
        # The last of two pages has the number 1 if the first has 0, and such a page may have any size.
        number = self.dialect.first_page if reply.current_page is None else reply.current_page
        says_1 = reply.last_page == 1 != number
        may_go_on = may_be_full and (says_1 or reply.last_page is None)
        is_alone = reply.total == count and may_go_on if reply.total is not None else says_1
        page.is_doubtful = says_no_end and count > 0 and is_alone
        self._fullest = max(self._fullest, count)

    def is_filtered(self, page: Page) -> bool:
        """Return whether a first page was requested with filters."""
        return bool(page.asked.keys() - UNFILTERED - {self.dialect.size_parameter})

    def disregard(self, *pages: Page) -> None:
        """Disregard totals, since they count pages or the records of a page."""
        self._totals_hold = False
        for page in pages:
            page.reply.total, page.is_doubtful = None, False

    def disregard_filtered(self) -> None:
        """Disregard totals of filtered lists, since they count the whole collection."""
        self._counts_everything = True

    def is_last(self, page: Page) -> bool:
        """Return whether a first page reports, or shows by its length, that no page follows.

        ``Listing.ends`` sends a request if the page is not conclusive.
        """
        reply = page.reply
        count = len(reply.records)
        if reply.next is not None or reply.more:
            return False
        if count == 0:
            return True
        if reply.last_page is not None and reply.last_page > 1:
            return False  # despite the total, since some services count only the page
        if reply.total is not None:
            return reply.total <= count and not page.is_doubtful
        if reply.more is False or reply.last_page is not None:
            return not page.is_doubtful
        # A short page may have the maximum size of the service, unless another was longer.
        return count < min(page.asked_size, self._fullest)

    def at(self, index: int, size: int) -> Mapping[str, str]:
        """Return the parameters of a page by position, from 0; the first page has none.

        Args:
            index: The position.
            size: The number of records on a page.
        """
        return page_parameters(self.dialect, index, size) if index else {}

    def after(self, page: Page) -> Ask | None:
        """Return the parameters of the page after another by its token or link; None at the end."""
        if page.is_linked:
            linked = link_parameters(page.reply, self.origin)
            return Ask(linked, alone=True) if linked and linked != page.asked else None
        parameters = next_parameters(page.reply, page.asked, self.dialect)
        return Ask(parameters) if parameters else None
