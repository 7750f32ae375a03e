"""The proof that a listing is complete: what its pages show, and the verdict on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from inkframe.errors import ServiceError
from inkframe.listing.pages import PAGE_SIZE, Budget, Listing
from inkframe.replies.list_reply import ListReply

if TYPE_CHECKING:
    from inkframe.listing.operations import Calls, Limits
    from inkframe.replies.columns import Page

__all__ = ["CHANGED", "NO_TOTAL", "UNMATCHED", "UNREACHED", "Completeness", "Evidence", "Verdict"]

CHANGED: Final = "records were added or deleted while pages were read"
NO_TOTAL: Final = "the service reports no total"
ONE_PAGE: Final = "one page only: the paging style of the service is unknown"
OTHER_PAGE: Final = "page {} has records of another page"
EVERYTHING: Final = "the total of the service counts the whole collection, not the filtered list"
UNMATCHED: Final = "the service reports {:,} records and returned {:,}"
UNREACHED: Final = "the pages by id ascending do not reach the newest records"

Level = Literal["page", "exact", "verified", "best-effort"]
#: From the highest to the lowest.
LEVELS: Final = ("page", "exact", "verified", "best-effort")


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
        says_it_is_last = page.reply.more is False and page.reply.next is None
        if says_it_is_last and self._counts_everything(page.reply.total, len(page.columns.ids)):
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
        may_skip_records = last.is_linked or not by_id
        if may_skip_records:
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
        elif proof.cut_short is not None:
            self.completeness.lower("best-effort", OTHER_PAGE.format(proof.cut_short + 1))
        elif proof.is_counted:
            self.completeness.lower("verified", reason)
        else:
            self.completeness.total = None
            reason = f"the totals of the service do not count the records: {proof.totals} for {count:,}"
            self.completeness.lower("best-effort", reason)

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
        reason = UNMATCHED.format(total, count)
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
            self._calls.paginator.disregard_filtered(total)
        return found


@dataclass(slots=True)
class Completeness:
    """The completeness of a listing.

    Args:
        level: ``exact``, ``verified`` or ``best-effort``; ``page`` for a single page.
        reasons: The reasons for the level.
        total: The number of records, if the service reports it.
        gap: The reason that records are known to be missing, if they are.
    """

    level: Level = "exact"
    reasons: list[str] = field(default_factory=list)
    total: int | None = None
    gap: str | None = None

    def lower(self, level: Level, reason: str) -> None:
        """Lower the level for a reason."""
        self.level = max(self.level, level, key=LEVELS.index)
        if reason not in self.reasons:
            self.reasons.append(reason)

    def miss(self, reason: str) -> None:
        """Lower the level, since records are known to be missing."""
        self.lower("best-effort", reason)
        self.gap = self.gap or reason

    def add(self, other: Completeness) -> None:
        """Add the reasons of another listing whose records belong to the same frame."""
        if other.total is None:
            self.total = None
        for reason in other.reasons:
            self.lower(other.level, reason)
        self.gap = self.gap or other.gap


@dataclass(slots=True)
class Evidence:
    """The evidence from the pages of one pass, from the last to the first and then to the end.

    Args:
        size: The number of records on a page.
        first: The first page of the listing, as the service describes it.
    """

    size: int
    first: ListReply = field(default_factory=lambda: ListReply([]))
    #: The position of a page without records before another with records.
    hole: int | None = None
    #: The total in the reply of the first page, and in the last reply with records.
    first_total: int | None = None
    last_total: int | None = None
    #: The number of records up to the end of the last page, by its position.
    reach: int = 0
    #: The records that were added after the first page was read.
    added: int = 0
    #: Whether a page is shorter than others and says that another follows.
    is_short: bool = False
    #: The position of a page that begins with a later record than the page after it.
    stray: int | None = None
    #: The position of a page that is not full, although its total reaches beyond it.
    cut_short: int | None = None
    #: Whether the last page says that none follows.
    ends: bool = False
    _has_begun: bool = False
    #: The position and the first record of the page before in the pass.
    _before: tuple[int, int | str] | None = None

    def add(self, index: int, page: Page | None, added: int = 0) -> None:
        """Add a page of the pass.

        Args:
            index: Its position; the first page begins the forward part.
            page: The page; None if there is none.
            added: The number of its records that are new, in the forward part.
        """
        if page is None or not page.columns.ids:
            self.hole = index if self._has_begun else self.hole
            return
        self._has_begun = True
        self._check_place(index, page)
        reply, count = page.reply, len(page.columns.ids)
        says_more = bool(reply.more) or reply.next is not None
        is_full = count >= self.size
        self.is_short = self.is_short or (says_more and not is_full)
        self.last_total = page.claimed
        self.ends = reply.more is False and reply.next is None
        if index == 0:
            self.first_total, self.reach, self.added = page.claimed, 0, 0
        reach = index * self.size + count
        if not is_full and (page.claimed or 0) > reach:
            self.cut_short = index
        self.reach = max(self.reach, reach)
        self.added += added

    def _check_place(self, index: int, page: Page) -> None:
        """Compare a page with its number, and with the one after it, read before; records only move forward."""
        reply, first = page.reply, page.columns.ids[0]
        # A service may return its last page past the end, but none that comes later than the requested one.
        says_later_page = _is_beyond(reply.current_page, self.first.current_page, index)
        says_later_offset = _is_beyond(reply.offset, self.first.offset, index * self.size)
        begins_later = False
        if self._before is not None:
            after, later = self._before
            is_later = isinstance(first, int) and isinstance(later, int) and first >= later
            begins_later = index < after and is_later
        self.stray = index if says_later_page or says_later_offset or begins_later else self.stray
        self._before = index, first

    @property
    def is_counted(self) -> bool:
        """Whether the totals count this list: no page reaches beyond them."""
        if self.first_total is None or self.last_total is None:
            return False
        return self.reach <= min(self.first_total + self.added, self.last_total)

    @property
    def totals(self) -> str:
        """The totals as text."""
        found = dict.fromkeys(
            f"{total:,}" for total in (self.first_total, self.last_total) if total is not None
        )
        return " and ".join(found)


def _is_beyond(place: int | None, first: int | None, distance: int) -> bool:
    """Return whether the place of a page is further from that of the first one than requested, if both are known."""
    return place is not None and first is not None and place - first > distance
