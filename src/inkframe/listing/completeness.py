"""The completeness of a listing, and the proof of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from inkframe.replies.list_reply import ListReply

if TYPE_CHECKING:
    from inkframe.replies.columns import Page

__all__ = ["Completeness", "Evidence", "Level"]

Level = Literal["page", "exact", "verified", "best-effort"]

ORDER: Final = ("page", "exact", "verified", "best-effort")


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
        self.level = max(self.level, level, key=ORDER.index)
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
    early: int | None = None
    #: Whether the last page says that none follows.
    ends: bool = False
    _has_begun: bool = False
    #: The position and the first record of the page before in the pass.
    _before: tuple[int, int | str] | None = None

    def take(self, index: int, page: Page | None, added: int = 0) -> None:
        """Take a page of the pass.

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
        goes_on = bool(reply.more) or reply.next is not None
        self.is_short = self.is_short or (goes_on and count < self.size)
        self.last_total = page.claimed
        self.ends = reply.more is False and reply.next is None
        if index == 0:
            self.first_total, self.reach, self.added = page.claimed, 0, 0
        reach = index * self.size + count
        if count < self.size and (page.claimed or 0) > reach:
            self.early = index
        self.reach = max(self.reach, reach)
        self.added += added

    def _check_place(self, index: int, page: Page) -> None:
        """Compare a page with its number, and with the one after it, read before; records only move forward."""
        reply, first = page.reply, page.columns.ids[0]
        # A service may return its last page past the end, but none that comes later than the requested one.
        is_ahead = _is_beyond(reply.current_page, self.first.current_page, index) or _is_beyond(
            reply.offset, self.first.offset, index * self.size
        )
        if self._before is not None:
            after, later = self._before
            is_later = isinstance(first, int) and isinstance(later, int) and first >= later
            is_ahead = is_ahead or (index < after and is_later)
        self.stray = index if is_ahead else self.stray
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
