"""The verdict on a listing: what its passes saw, as a log of facts, and one pure function that judges it.

``exact`` needs every total of the replies to be the number of distinct records. ``verified`` needs a pass that cannot
miss a record, and a total that it reaches. Everything else is ``best-effort``, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import dropwhile, pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal

from inkframe.replies.list_reply import ListReply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe.errors import ServiceError
    from inkframe.replies.columns import Columns, Page

__all__ = ["REASONS", "Budget", "Completeness", "Log", "UnionLog", "verdict"]

Level = Literal["page", "exact", "verified", "best-effort"]
#: The requests of a listing besides twice its pages.
EXTRA_REQUESTS: Final = 60
#: From the highest to the lowest. A reason with the level of a page changes no other.
LEVELS: Final = ("page", "exact", "verified", "best-effort")
#: How a listing was read: what led from page to page, and the pass that its verdict rests on.
Way = Literal["one page", "no second page", "links", "tokens", "last ids", "onward", "checked", "backward"]
#: Filters whose members change when a record is updated.
CHANGING_FILTERS: Final = {
    "favorite": "favorites can change while pages are read",
    "search": "a search can change while pages are read",
}

#: The reasons by their names.
REASONS: Final = {
    "changed": "records were added or deleted while pages were read",
    "no_total": "the service reports no total",
    "one_page": "one page only: the paging style of the service is unknown",
    "other_page": "page {} has records of another page",
    "everything": "the total of the service counts the whole collection, not the filtered list",
    "unmatched": "the service reports {:,} records and returned {:,}",
    "unreached": "the pages by id ascending do not reach the newest records",
    "uncounted": "the totals of the service do not count the records: {} for {:,}",
    "unordered": "the order is not known: ids are texts, and not every record shows its time",
    "no_order": "the service ignores the order",
    "not_increasing": "the ids are not increasing numbers",
    "hole": "page {} has no records although later pages have some",
    "short_page": "a page in the middle is shorter than the others",
    "refused": "page {} was refused with status {}: {}",
    "exceeded": "stopped after twice as many requests as pages and 60 more",
    "ignored_template": "the service ignores template_id, so templates are known only if records contain them",
    "other_templates": "a record under a template that no reply shows would not be listed",
    "no_content": "the records show none of {}",
    "chained": "pages are requested by {} of the service",
    "by_id": "each page was requested by the last id before it",
    "no_end": "the service does not say which page is the last",
    "not_followed": "the last page that was read says that another follows",
    "unlisted": "known records are not listed: {}",
    "unasked": "{:,} records that were known before are not listed any more",
    "repeated": "{:,} records are listed under several templates",
    "by_template_only": "{:,} records are listed by template only",
    "unknown_template": "the service does not know template {}",
    "limit": "stopped at limit={}",
    "interrupted": "the listing was interrupted",
}


@dataclass(slots=True)
class Budget:
    """The number of requests that a listing may take: twice its pages plus 60.

    The listings of several queries that are one listing share a budget.

    Args:
        extra: The requests besides twice the pages; infinite for a listing without a limit.
        grows: Whether pages allow further requests; else the first page of each query does not count.

    Attributes:
        pages: The pages so far, each by the part of its records that were new, and the empty lists.
        refusal: The first page that the service refused as missing, with its position.
        is_exceeded: Whether a request was not sent.
    """

    extra: float = EXTRA_REQUESTS
    grows: bool = field(default=True, kw_only=True)
    pages: float = field(default=0.0, init=False)
    refusal: tuple[int, ServiceError] | None = field(default=None, init=False)
    is_exceeded: bool = field(default=False, init=False)
    _sent: int = field(default=0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def allow(self) -> bool:
        """Count a request; return False if it must not be sent."""
        with self._lock:
            may = self._sent < 2 * int(self.pages) + self.extra
            self._sent += may
            self.is_exceeded = self.is_exceeded or not may
            return may

    def add_page(self, part: float = 1.0) -> None:
        """Count a page, which allows two further requests.

        Args:
            part: The part of its records that are new; a page past the end may repeat the last one.
        """
        with self._lock:
            self.pages += part if self.grows else 0


@dataclass(slots=True)
class Completeness:
    """The completeness of a listing.

    Args:
        level: ``exact``, ``verified`` or ``best-effort``; ``page`` for a single page.
        reasons: The reasons for the level.
        total: The number of records, if the service reports it.
        gap: The reason that records are known to be missing, if they are.
        is_whole: Whether every record was read that matched throughout, even if others came to match meanwhile.
    """

    level: Level = "exact"
    reasons: list[str] = field(default_factory=list)
    total: int | None = None
    gap: str | None = None
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page as a pass saw it.

    Args:
        index: Its position, from 0.
        count: The number of its records.
        first: The id of the first one, if any.
        claimed: The total that it reports.
        added: The number of its records that no page before had.
        more: Whether it says that another follows; None if it says nothing.
        is_beyond: Whether it says that its place is further from that of the first page than was asked for.
    """

    index: int
    count: int = 0
    first: int | str | None = None
    claimed: int | None = None
    added: int = 0
    more: bool | None = None
    is_beyond: bool = False


@dataclass(slots=True)
class Log:
    """What the passes of one listing saw; each record is yielded once.

    Args:
        query: The list parameters that filter.
        budget: The requests of the listing, which grow with pages that have new records.

    Attributes:
        way: How it was read.
        ids: The distinct ids.
        pages: The pages of the pass that its verdict rests on, from the last to the first and then to the end.
        size: The number of records on a page, judged by the first one of that pass.
        total: The number of records, if the service reports it and it counts the list.
        claimed: The total in the last reply that decides.
        everything: The total of the list without its filters, where it was asked for.
        says_more: Whether the page without a second one, or the last one of tokens or links, says that another follows.
        ends: Whether the last page says that none follows.
        why: Why the pass is not exact, or the pages were read onward.
        has_lost: Whether the newest records were not reached.
        ignores_order: Whether two orders were seen to be the same, or a page to be in none.
        in_order: Whether the ids of every page by id ascending are increasing numbers.
        orders: The orders of the pages that records were yielded from.
        has_repeats: Whether a page had both new records and others.
    """

    query: dict[str, Any]
    budget: Budget
    way: Way = "one page"
    ids: set[int | str] = field(default_factory=set)
    pages: list[SeenPage] = field(default_factory=list)
    size: int = 0
    total: int | None = None
    claimed: int | None = None
    everything: int | None = None
    says_more: bool = False
    ends: bool = False
    why: str = ""
    has_lost: bool = False
    ignores_order: bool = False
    in_order: bool = True
    orders: set[str | None] = field(default_factory=set)
    has_repeats: bool = False
    _first: ListReply = field(default_factory=lambda: ListReply([]))

    def begin(self, page: Page) -> None:
        """Note the first page."""
        self._first, self.total, self.claimed = page.reply, page.reply.total, page.claimed
        self.ends = page.reply.more is False

    @property
    def counts_collection(self) -> bool:
        """Whether the total is not reached, since it is that of the list without filters."""
        is_dropped = self.way == "one page" and self.total is None
        return (self.claimed or 0) > len(self.ids) and (is_dropped or self.claimed == self.everything)

    @property
    def end_totals(self) -> tuple[int | None, int | None]:
        """The totals of the first page of the pass and of its last one."""
        onward = self._onward
        return (onward[0].claimed, onward[-1].claimed) if onward else (None, None)

    @property
    def counts_otherwise(self) -> bool:
        """Whether pages of the pass reach beyond the totals, which count something else than the records."""
        if self.way != "backward" or self.total is None:
            return False
        first, last = self.end_totals
        added = sum(page.added for page in self._onward)
        reach = max((page.index * self.size + page.count for page in self._onward), default=0)
        return first is None or last is None or reach > min(first + added, last)

    @property
    def _onward(self) -> list[SeenPage]:
        """The pages from the first one to the end."""
        filled = [page for page in self.pages if page.count]
        begin = max((at for at, page in enumerate(filled) if page.index == 0), default=len(filled))
        return filled[begin:]

    def see(self, index: int, page: Page | None, added: int = 0) -> None:
        """Note a page of the pass, which may be missing, with the number of its records that are new."""
        if page is None or not page.columns.ids:
            self.pages.append(SeenPage(index))
            return
        self.claimed = page.claimed
        reply, first, ids = page.reply, self._first, page.columns.ids
        more = True if page.reply.next is not None else page.reply.more
        # A service may return its last page past the end, but none that comes later than the requested one.
        places = (
            (reply.current_page, first.current_page, index),
            (reply.offset, first.offset, index * self.size),
        )
        is_beyond = any(None not in (here, begin) and here - begin > far for here, begin, far in places)  # type: ignore[operator]
        self.pages.append(SeenPage(index, len(ids), ids[0], page.claimed, added, more, is_beyond))

    def fresh(self, page: Page) -> Iterator[Columns]:
        """Yield the records of a page that were not yielded before."""
        ids, sort = page.columns.ids, page.asked.get("sort")
        if sort == "asc":
            are_numbers = {int}.issuperset(map(type, ids))
            self.in_order = self.in_order and are_numbers and ids == sorted({*ids})
        fresh = [row for row, id in enumerate(ids) if id not in self.ids]
        if fresh:
            # Past the end a service may repeat its last page, to which records are added.
            self.has_repeats = self.has_repeats or len(fresh) < len(ids)
            self.budget.add_page(len(fresh) / max(len(ids), self.size * self.has_repeats))
            self.ids.update(ids)
            self.orders.add(sort)
            first = {ids[row]: row for row in reversed(fresh)}
            yield page.columns.select(sorted(first.values()))

    def new_in(self, page: Page) -> set[int | str]:
        """Return the ids of a page that were not yielded before; a service may repeat its last page or its first."""
        return set(page.columns.ids) - self.ids


@dataclass(slots=True)
class UnionLog:
    """What several listings saw that are one frame.

    Args:
        parts: The verdicts on those that were read to their end.
        totals: The totals of the first pages, also of those that were not.
        is_whole: Whether they are the whole collection, template by template.
        everything: The number of records of the whole collection, if a reply reports it.
        by_default: The number of records of the default template, where only the total of a list without one reports it.
        ids: The distinct ids, where they are compared.
        repeated: The number of records under several templates.
        unknown: The templates that the service does not know.
        ignores_template: Whether the service ignores the template.
        unlisted: The number of records that were listed by template only, where it ignores it.
        lost: The ids of records that this client knows, and that are not listed.
        unasked: The number of records that were known, are not listed, and were not looked for one by one.
        ignored: The reasons for filters and searches that records show to be ignored, by the names of the arguments.
        lacking: The required fields, if no record shows any of them; None before the first record.
        is_unordered: Whether nothing tells the order of the records.
        limit: The number of records at which the listing was stopped, if it was.
        is_interrupted: Whether an interrupt ended it.
    """

    parts: list[Completeness] = field(default_factory=list)
    totals: list[int | None] = field(default_factory=list)
    is_whole: bool = False
    everything: int | None = None
    by_default: int | None = None
    ids: set[int | str] = field(default_factory=set)
    repeated: int = 0
    unknown: list[int] = field(default_factory=list)
    ignores_template: bool = False
    unlisted: int = 0
    lost: list[int | str] = field(default_factory=list)
    unasked: int = 0
    ignored: dict[str, str] = field(default_factory=dict)
    lacking: tuple[str, ...] | None = None
    is_unordered: bool = False
    limit: int | None = None
    is_interrupted: bool = False

    @property
    def expected(self) -> int | None:
        """The number of records by the first pages, if all of them tell it."""
        return None if None in self.totals else sum(filter(None, self.totals))

    @property
    def lacks(self) -> bool:
        """Whether the whole collection has more records than were listed."""
        return self.is_whole and not self.ignores_template and (self.everything or 0) > len(self.ids)


#: Whether a reason holds, the level that it lowers a listing to, the reason, and whether records are known to be missing.
Finding = tuple[object, Level, str, object]


def verdict(log: Log | UnionLog) -> Completeness:
    """Return the completeness of a listing, judged by what its passes saw and by nothing else."""
    found = Completeness()
    found.total, findings = _of_union(log) if isinstance(log, UnionLog) else _of_listing(log)
    for holds, level, reason, is_gap in findings:
        if holds:
            found.is_whole = found.is_whole and (
                level != "best-effort" or reason in CHANGING_FILTERS.values()
            )
            found.level = max(found.level, level, key=LEVELS.index)
            found.gap = found.gap or (reason if is_gap else None)
            found.reasons += [reason] if reason not in found.reasons else []
    refusal = log.budget.refusal if isinstance(log, Log) and log.way != "one page" else None
    if refusal is not None and found.level == "best-effort":
        found.reasons.append(REASONS["refused"].format(refusal[0] + 1, refusal[1].status, refusal[1].message))
    return found


def _of_listing(log: Log) -> tuple[int | None, list[Finding]]:
    """Return the total of one listing, and the reasons against it."""
    count, claimed, way = len(log.ids), log.claimed or 0, log.way
    is_single, is_counted = way == "one page", not log.counts_collection
    is_chained = way in {"links", "tokens", "last ids"}
    is_end = log.ends or log.total == log.claimed == count
    is_off = (
        log.claimed not in {None, count}
        if is_single
        else is_chained and log.total is not None and claimed > count
    )
    is_open = log.says_more and not (is_counted and log.size < claimed <= count)
    return None if log.counts_collection or log.counts_otherwise else log.total, [
        (log.has_lost, "best-effort", REASONS["unreached"], True),
        (way == "no second page", "best-effort", REASONS["one_page"], is_open),
        (way in {"links", "tokens"}, "best-effort", REASONS["chained"].format(way), False),
        (is_chained and is_open, "best-effort", REASONS["not_followed"], True),
        (way == "last ids" and is_end, "verified", REASONS["by_id"], False),
        (way == "last ids" and not is_end, "best-effort", REASONS["no_end"], False),
        (way == "onward", "best-effort", log.why, False),
        *(_of_pass(log) if way == "backward" else ()),
        (is_off and is_counted, "best-effort", REASONS["unmatched"].format(claimed, count), claimed > count),
        (is_off and not is_counted, "verified" if is_single and log.ends else "best-effort", REASONS["everything"], False),
        (log.ignores_order, "best-effort", REASONS["no_order"], False),
        (not is_single and not log.in_order, "best-effort", REASONS["not_increasing"], False),
        (not is_single and log.budget.is_exceeded, "best-effort", REASONS["exceeded"], False),
        *((name in log.query and not is_single, "best-effort", words, False) for name, words in CHANGING_FILTERS.items()),
    ]  # fmt: skip


def _of_pass(log: Log) -> list[Finding]:
    """Return the reasons against a pass from the last page to the first and then to the end."""
    filled = [page for page in log.pages if page.count]
    begun = dropwhile(lambda page: not page.count, log.pages)
    holes = [page.index for page in begun if not page.count]
    # Records only move forward, so that no page begins with a later record than the one after it, read before.
    strays = [page.index for page in filled if page.is_beyond]
    pairs = [(page.index, page.first, after.index, after.first) for after, page in pairwise(filled)]
    strays += [
        index
        for index, first, later, other in pairs
        if index < later and isinstance(first, int) and isinstance(other, int) and first >= other
    ]
    partial = [page for page in filled if page.count < log.size]
    cut = [page.index for page in partial if (page.claimed or 0) > page.index * log.size + page.count]
    is_told = not log.counts_collection and log.total is not None and log.claimed is not None
    count, claimed = len(log.ids), log.claimed if is_told and log.claimed is not None else 0
    ends = bool(filled) and filled[-1].more is False
    totals = " and ".join(dict.fromkeys(f"{total:,}" for total in log.end_totals if total is not None))
    is_reached = is_told and claimed <= count
    return [
        *((True, "best-effort", REASONS["hole"].format(hole + 1), True) for hole in holes[-1:]),
        *((True, "best-effort", REASONS["other_page"].format(stray + 1), False) for stray in strays[-1:]),
        (any(page.more for page in partial), "best-effort", REASONS["short_page"], False),
        (not is_told, "verified" if ends else "best-effort", REASONS["everything"] if log.counts_collection else log.why, False),
        (claimed > count, "best-effort", REASONS["unmatched"].format(claimed, count), True),
        *((is_reached, "best-effort", REASONS["other_page"].format(index + 1), False) for index in cut[-1:]),
        (is_reached and not cut and log.counts_otherwise, "best-effort", REASONS["uncounted"].format(totals, count), False),
        (is_reached and not cut and not log.counts_otherwise, "verified", log.why, False),
    ]  # fmt: skip


def _of_union(log: UnionLog) -> tuple[int | None, list[Finding]]:
    """Return the total of several listings together, and the reasons against them."""
    is_told = None not in [part.total for part in log.parts] and not log.ignored
    total = log.everything if log.lacks else log.expected if is_told else None
    is_whole = log.is_whole and not log.ignores_template
    everything, count = log.everything or 0, len(log.ids)
    is_counted = log.everything == count != log.by_default
    return total, [
        *((True, part.level, reason, reason == part.gap) for part in log.parts for reason in part.reasons),
        (log.repeated, "best-effort", REASONS["repeated"].format(log.repeated), False),
        (log.unlisted, "best-effort", REASONS["by_template_only"].format(log.unlisted), False),
        (
            log.unknown,
            "page",
            REASONS["unknown_template"].format(", ".join(map(str, log.unknown))),
            False,
        ),
        (log.ignores_template, "page", REASONS["ignored_template"], False),
        (log.lacks, "best-effort", REASONS["unmatched"].format(everything, count), True),
        (
            is_whole and not (is_counted or log.lacks or log.repeated),
            "verified",
            REASONS["other_templates"],
            False,
        ),
        (log.lost, "best-effort", REASONS["unlisted"].format(", ".join(map(str, log.lost))), True),
        (log.unasked, "verified", REASONS["unasked"].format(log.unasked), False),
        *((True, "verified", reason, False) for reason in log.ignored.values()),
        (log.lacking, "best-effort", REASONS["no_content"].format(" and ".join(log.lacking or ())), True),
        (log.is_unordered, "page", REASONS["unordered"], False),
        (log.limit is not None, "best-effort", REASONS["limit"].format(log.limit), False),
        (log.is_interrupted, "best-effort", REASONS["interrupted"], False),
    ]
