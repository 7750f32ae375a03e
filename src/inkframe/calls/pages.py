"""Pages of a list by number or position, requested as the paginator decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inkframe.calls.port import USUAL
from inkframe.errors import InvalidArgument, NotFound, ValidationFailed
from inkframe.replies.paginator import DEFAULT_SIZE
from inkframe.schema import PAGE_SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inkframe.calls.port import Calls, Limits
    from inkframe.http.encoding import Parameter
    from inkframe.replies.paginator import Page, Steps

__all__ = ["PAGE_SIZE", "Listing", "drive", "nth_page"]

#: The largest page of the interface.
PAGE_SIZE = max(PAGE_SIZES)

Result = TypeVar("Result")


def drive(
    calls: Calls, query: Mapping[str, Parameter], steps: Steps[Result], limits: Limits = USUAL
) -> Result:
    """Send the requests of a search of the paginator and return its result.

    Args:
        calls: The collection.
        query: The list parameters.
        steps: The search.
        limits: The limits of each request.
    """
    try:
        extra = next(steps)
        while True:
            try:
                page = calls.page(query, extra, limits)
            except (NotFound, ValidationFailed) as refused:
                extra = steps.throw(refused)
            else:
                extra = steps.send(page)
    except StopIteration as done:
        found: Result = done.value
        return found


class Listing:
    """One listing whose pages are requested one by one, in any order if the service allows it.

    Args:
        calls: The collection.
        query: The list parameters.
        limits: The limits of each request.
    """

    def __init__(self, calls: Calls, query: Mapping[str, Parameter], limits: Limits = USUAL) -> None:
        self.calls = calls
        self.query = query
        self.limits = limits

    def first(self) -> Page:
        """Return the first page, requested without page parameters."""
        return self.calls.page(self.query, limits=self.limits)

    def at(self, index: int, size: int) -> Page | None:
        """Return a page by its position, from 0; None past the end.

        Args:
            index: The position.
            size: The number of records on a page.
        """
        try:
            return self.calls.page(self.query, self.calls.paginator.at(index, size), self.limits)
        except NotFound:
            return None

    def second(self, first: Page) -> Page | None:
        """Return the second page, empty if nothing follows; None if the paging style is unknown."""
        return drive(self.calls, self.query, self.calls.paginator.second(first), self.limits)

    def ends(self, first: Page) -> bool:
        """Return whether nothing follows the first page."""
        return drive(self.calls, self.query, self.calls.paginator.ends(first), self.limits)

    def chain(self, page: Page | None) -> Iterator[Page]:
        """Yield a page and the pages that follow it by tokens."""
        while page is not None:
            yield page
            extra = self.calls.paginator.after(page)
            page = self.calls.page(self.query, extra, self.limits) if extra else None


def nth_page(calls: Calls, query: Mapping[str, Parameter], number: int) -> Page:
    """Return a page by its number, from 1, for any paging style.

    Raises:
        InvalidArgument: The paging style of the service is unknown.
    """
    listing = Listing(calls, query)
    if number == 1:
        return listing.first()
    if calls.paginator.has_places and calls.dialect.page_parameter:
        found = listing.at(number - 1, int(query.get("per_page", DEFAULT_SIZE)))
        return found or listing.first().emptied()
    first = listing.first()
    second = listing.second(first)
    if second is None:
        raise InvalidArgument(
            f"page={number} cannot be fetched: the paging style of this service is unknown.\n"
            f"Pin the parameter if you know it: client.{calls.spec.name}.dialect."
        )
    if number == 2 or not second.columns.ids:
        return second
    if calls.paginator.has_places:
        return listing.at(number - 1, first.size) or first.emptied()
    for position, page in enumerate(listing.chain(second), 2):
        if position == number:
            return page
    return first.emptied()
