"""One listing page by page, requested as the paginator decides, within a number of requests."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Final

from inkframe.errors import InvalidArgument, ServiceError, ValidationFailed
from inkframe.listing.operations import USUAL, Calls, Limits
from inkframe.listing.page_search import VANISHED, keeps_filters, second_page
from inkframe.listing.paging import PageRequest
from inkframe.schema import DEFAULT_SIZE, PAGE_SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inkframe.http.body import Parameter
    from inkframe.replies.columns import Page

__all__ = ["PAGE_SIZE", "Budget", "Listing", "nth_page", "refuses_template"]

#: The largest page of the interface.
PAGE_SIZE = max(PAGE_SIZES)
#: The requests of a listing besides twice its pages.
EXTRA_REQUESTS: Final = 60


class Budget:
    """The number of requests that a listing may take: twice its pages plus 60.

    The listings of several queries that are one listing share a budget.

    Args:
        extra: The requests besides twice the pages; infinite for a listing without a limit.
        grows: Whether pages allow further requests.

    Attributes:
        pages: The pages so far, each by the part of its records that were new, and the empty lists.
        refusal: The first page that the service refused as missing, with its position.
        is_exceeded: Whether a request was not sent.
    """

    def __init__(self, extra: float = EXTRA_REQUESTS, *, grows: bool = True) -> None:
        self.pages = 0.0
        self._grows = grows
        self._extra = extra
        self.refusal: tuple[int, ServiceError] | None = None
        self.is_exceeded = False
        self._sent = 0
        self._lock = Lock()

    def allow(self) -> bool:
        """Count a request; return False if it must not be sent."""
        with self._lock:
            may = self._sent < 2 * int(self.pages) + self._extra
            self._sent += may
            self.is_exceeded = self.is_exceeded or not may
            return may

    def add_page(self, part: float = 1.0) -> None:
        """Count a page, which allows two further requests.

        Args:
            part: The part of its records that are new; a page past the end may repeat the last one.
        """
        with self._lock:
            self.pages += part if self._grows else 0


class _BudgetSpent(Exception):
    """A request was not sent, since it is beyond the budget."""


class Listing:
    """One listing whose pages are requested one by one, in any order if the service allows it.

    Args:
        calls: The collection.
        query: The list parameters.
        limits: The limits of each request.
        budget: The number of requests; unlimited by default.
    """

    def __init__(
        self,
        calls: Calls,
        query: Mapping[str, Parameter],
        limits: Limits = USUAL,
        budget: Budget | None = None,
    ) -> None:
        self.calls = calls
        self.query = query
        self.limits = limits
        self.budget = Budget(inf) if budget is None else budget

    def first(self) -> Page:
        """Return the first page, requested without page parameters, whether or not the budget allows it."""
        self.budget.allow()
        page = self.calls.page(self.query, limits=self.limits)
        if not page.columns.ids:
            self.budget.add_page()
        return page

    def at(self, index: int, size: int = 0) -> Page | None:
        """Return a page by its position, from 0; None past the end.

        Args:
            index: The position.
            size: The number of records on a page.
        """
        return self._page(PageRequest(self.calls.paginator.at(index, size)), index)

    def second(self, first: Page) -> Page | None:
        """Return the second page, empty if nothing follows; None if the paging style is unknown or requests ran out."""

        def send(request: PageRequest) -> Page:
            if not self.budget.allow():
                raise _BudgetSpent
            return self._send(request)

        with suppress(_BudgetSpent):
            return second_page(self.calls.paginator, first, self.query, send)
        return None

    def again(self, page: Page) -> Page | None:
        """Request a page again by its token."""
        name = self.calls.dialect.page_parameter or ""
        return self._page(PageRequest({name: page.asked[name]}), 1) if name in page.asked else None

    def onward(self, page: Page | None, index: int = 1, size: int = 0) -> Iterator[Page]:
        """Yield a page and those that follow it by positions, tokens or links, until one says that it is the last.

        Args:
            page: The page; None for none.
            index: Its position.
            size: The number of records on a page.
        """
        begin = page
        while begin and page and (not page.is_linked or keeps_filters(begin, page, self.query)):
            yield page
            index += 1
            request = self.calls.paginator.after(page, index, size)
            page = None
            with suppress(InvalidArgument):  # a token that is too long
                page = self._page(request, index) if request else None

    def _page(self, request: PageRequest, index: int) -> Page | None:
        """Return a page; None if it does not exist any more, which is remembered, or is beyond the budget."""
        if not self.budget.allow():
            return None
        try:
            return self._send(request)
        except ServiceError as refused:
            if not index or refused.status not in VANISHED:
                raise
            if self.budget.refusal is None:
                self.budget.refusal = index, refused
            return None

    def _send(self, request: PageRequest) -> Page:
        page = self.calls.page({} if request.alone else self.query, request.parameters, self.limits)
        page.is_linked = request.alone
        return page


def nth_page(calls: Calls, query: Mapping[str, Parameter], number: int) -> Page:
    """Return a page by its number, from 2, for any paging style.

    Raises:
        InvalidArgument: The paging style of the service is unknown.
    """
    listing = Listing(calls, query)
    paginator = calls.paginator
    if paginator.has_places and calls.dialect.page_parameter and not paginator.linked:
        found = listing.at(number - 1, int(query.get("per_page", DEFAULT_SIZE)))
        from_0_or_1 = 1 if calls.dialect.first_page is None else calls.dialect.first_page
        shows_its_number = found is not None and found.reply.current_page == number - 1 + from_0_or_1
        if paginator.is_understood or shows_its_number:
            return found or listing.first().emptied()
    first = listing.first()
    second = listing.second(first)
    if second is None:
        raise InvalidArgument(
            f"page={number} cannot be fetched: the paging style of this service is unknown.\n"
            f'Pin the parameter if you know it: client.{calls.spec.name}.dialect = ink.Dialect(page_parameter="…").'
        )
    if number == 2 or not second.columns.ids:
        return second
    if paginator.has_places and not second.is_linked:
        return listing.at(number - 1, first.size) or first.emptied()
    return next(islice(listing.onward(second), number - 2, None), first.emptied())


def refuses_template(error: ValidationFailed) -> bool:
    """Return whether a service refused a list because it does not know the template."""
    return any("template" in text.lower() for text in (error.message, *error.fields))
