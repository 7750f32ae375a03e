"""The verdict on one listing: its completeness, judged by the totals of the service and the pages that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import ServiceError
from inkframe.listing.completeness import Completeness
from inkframe.listing.pages import PAGE_SIZE, Listing

if TYPE_CHECKING:
    from inkframe.listing.completeness import Evidence
    from inkframe.listing.operations import Calls, Limits
    from inkframe.listing.pages import Budget
    from inkframe.replies.columns import Page

__all__ = ["CHANGED", "NO_TOTAL", "Verdict"]

CHANGED: Final = "records were added or deleted while pages were read"
NO_TOTAL: Final = "the service reports no total"
ONE_PAGE: Final = "one page only: the paging style of the service is unknown"
OTHER_PAGE: Final = "page {} has records of another page"
EVERYTHING: Final = "the total of the service counts the whole collection, not the filtered list"
UNREACHED: Final = "the pages by id ascending do not reach the newest records"


class Verdict:
    """The completeness of one listing.

    Args:
        calls: The collection.
        query: The list parameters that filter.
        limits: The limits of each request.
        budget: The requests of the listing.

    Attributes:
        completeness: The completeness.
    """

    def __init__(self, calls: Calls, query: dict[str, Any], limits: Limits, budget: Budget) -> None:
        self.completeness = Completeness()
        self._calls = calls
        self._query = query
        self._limits = limits
        self._budget = budget

    def check_total(self, page: Page) -> None:
        """Check a total that contradicts the end of a first page, before another page is looked for."""
        ends = page.reply.more is False and page.reply.next is None
        if ends and self._counts_everything(page.reply.total, len(page.columns.ids)):
            page.reply.total = None

    def single(self, page: Page) -> None:
        """Judge a listing of one page by its total."""
        count, total = len(page.columns.ids), page.claimed
        if total is None or total == count:
            return
        if page.reply.total is None or self._counts_everything(total, count):
            self.completeness.total = None
            self.completeness.lower("verified" if page.reply.more is False else "best-effort", EVERYTHING)
        else:
            self._unreached(total, count)

    def one_page(self, page: Page, count: int) -> None:
        """Judge a listing whose second page was not found."""
        if self._counts_everything(page.reply.total, count):
            self.completeness.total = page.reply.total = None
        if page.says_more and (page.reply.total is None or page.reply.total > count):
            self.completeness.miss(ONE_PAGE)
        else:
            self.completeness.lower("best-effort", ONE_PAGE)

    def chain(self, last: Page, count: int, *, by_id: bool) -> None:
        """Judge a listing whose pages lead to each other.

        Args:
            last: The last page.
            count: The number of its records.
            by_id: Whether pages were requested by the last id before them, so that no record can be skipped.
        """
        total = self.completeness.total if last.claimed is None else last.claimed
        is_end = last.reply.more is False or self.completeness.total == total == count
        if last.is_linked or not by_id:
            words = "links" if last.is_linked else "tokens"
            self.completeness.lower("best-effort", f"pages are requested by {words} of the service")
        elif is_end:
            self.completeness.lower("verified", "each page was requested by the last id before it")
        else:
            self.completeness.lower("best-effort", "the service does not say which page is the last")
        if self.completeness.total is None or total is None or total <= count:
            return
        if self._counts_everything(total, count):
            self.completeness.total = None
            self.completeness.lower("best-effort", EVERYTHING)
        else:
            self._unreached(total, count)

    def proven(self, proof: Evidence, count: int, reason: str) -> None:
        """Judge a listing after the pass from the last page to the first.

        Args:
            proof: What the pages of the pass prove.
            count: The number of records.
            reason: Why it is not exact.
        """
        total = proof.last_total if self.completeness.total is not None else None
        if self._counts_everything(total, count):
            total = self.completeness.total = None
            reason = EVERYTHING
        if proof.hole is not None:
            self.completeness.miss(f"page {proof.hole + 1} has no records although later pages have some")
        if proof.stray is not None:
            self.completeness.lower("best-effort", OTHER_PAGE.format(proof.stray + 1))
        if proof.is_short:
            self.completeness.lower("best-effort", "a page in the middle is shorter than the others")
        if total is None:
            self.completeness.lower("verified" if proof.ends else "best-effort", reason)
        elif total > count:
            self._unreached(total, count)
        elif proof.early is not None:
            self.completeness.lower("best-effort", OTHER_PAGE.format(proof.early + 1))
        elif proof.is_counted:
            self.completeness.lower("verified", reason)
        else:
            self.completeness.total = None
            reason = f"the totals of the service do not count the records: {proof.totals} for {count:,}"
            self.completeness.lower("best-effort", reason)

    def unreached(self) -> None:
        """Judge a listing whose pages do not reach the newest records."""
        self.completeness.miss(UNREACHED)

    def requests(self) -> None:
        """Add the reasons for pages that were refused, and for requests that were not sent."""
        if self._budget.refusal is not None and self.completeness.level == "best-effort":
            index, refused = self._budget.refusal
            reason = f"page {index + 1} was refused with status {refused.status}: {refused.message}"
            self.completeness.lower("best-effort", reason)
        if self._budget.is_exceeded:
            self.completeness.lower(
                "best-effort", "stopped after twice as many requests as pages and 60 more"
            )

    def _unreached(self, total: int, count: int) -> None:
        """Add the reason for a total that is not the number of records."""
        reason = f"the service reports {total:,} records and returned {count:,}"
        if total > count:
            self.completeness.miss(reason)
        else:
            self.completeness.lower("best-effort", reason)

    def _counts_everything(self, total: int | None, count: int) -> bool:
        """Return whether a total that is not reached is that of the list without filters."""
        if not self._query or total is None or total <= count:
            return False
        # A list without a filter that has a default is filtered too, so that another value is asked for.
        defaults = self._calls.spec.filter_defaults.items()
        other = {
            name: default + 1 + (self._query[name] == default + 1)
            for name, default in defaults
            if name in self._query
        }
        every = Listing(self._calls, {**other, "per_page": PAGE_SIZE}, self._limits, self._budget)
        try:
            found = any(page.claimed == total for page in every.first_again(1))
        except ServiceError:
            return False
        if found:
            self._calls.paginator.disregard_filtered()
        return found
