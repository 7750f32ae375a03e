"""The search for the second page of a list, and whether a service honors filters.

Each parameter is tried until the reply changes as it should. Nothing is sent here: a search is a generator that
yields the parameters of a page; it receives the page, or the error of the service.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from copy import copy
from typing import Any, Final, Literal, TypeVar

from inkframe.errors import ServiceError
from inkframe.listing.paging import (
    NOT_FILTERS,
    PageRequest,
    Paginator,
    PagingStyle,
    candidates,
    link_parameters,
    next_parameters,
    page_parameters,
    paging_by,
)
from inkframe.replies.columns import Page
from inkframe.replies.dialect import Dialect
from inkframe.schema import DEFAULT_SIZE

__all__ = ["VANISHED", "Steps", "ignores_order", "keeps_filters", "second_page"]

Result = TypeVar("Result")
#: A generator that yields the parameters of a page and receives the page.
Steps = Generator[PageRequest, Page, Result]
#: Statuses of a page that does not exist.
PAST_END: Final = frozenset({404, 410, 416})
#: Statuses of a page that does not exist any more, or that the service refuses.
VANISHED: Final = PAST_END | {400, 422}
#: List parameters that are no fields of a record.
NOT_FIELDS: Final = NOT_FILTERS | {"search_by"}


def second_page(
    paginator: Paginator, first: Page, query: Mapping[str, Any]
) -> Steps[tuple[Page | None, bool]]:
    """Find the second page of a list and learn the paging of the service.

    Args:
        paginator: The state of paging, updated with what is found.
        first: The first page.
        query: The list parameters.

    Returns:
        The page, empty if nothing follows; None if no attempt returned a different page than the first. Then
        whether the first page was found to be the whole list in both orders.
    """
    search = _PageSearch(paginator, first, query)
    page = yield from search.second()
    return page, search.was_compared


class _PageSearch:
    def __init__(self, paginator: Paginator, first: Page, query: Mapping[str, Any]) -> None:
        self._paginator = paginator
        self._query = query
        self._dialect = paginator.dialect
        self._first = first
        #: Whether an attempt returned no records although the first page reports more.
        self._was_empty = False
        self.was_compared = False
        #: What the last request returned; a refusal is that of a parameter, not of a page past the end.
        self._outcome: Literal["another", "again", "empty", "refused"]
        #: Whether guesses count; one that another collection of the client has proven does not.
        self._costs = True

    def second(self) -> Steps[Page | None]:
        first, dialect, paginator = self._first, self._dialect, self._paginator
        if paginator.is_last(first):
            return first.emptied()
        filtered = paginator.is_filtered(first)
        if filtered in paginator.linked and (page := (yield from self._by_link())) is not None:
            return page
        if dialect.paging != "none":
            if (page := (yield from self._by_known())) is not None:
                return page
            if not paginator.is_understood and (page := (yield from self._by_guess())) is not None:
                return page
        if self._was_empty and paginator.is_last(again := (yield PageRequest({}))):
            # The list has shrunk to one page.
            return again.emptied()
        has_another = first.says_more or len(first.columns.ids) >= first.asked_size
        if dialect.page_parameter is None and not paginator.probes.left and has_another:
            dialect.learn(paging="none")
        return None

    def _by_known(self) -> Steps[Page | None]:
        """Request the second page by the known parameter, else by the unchanged link of the service."""
        if (name := self._dialect.page_parameter) is None:
            return None
        known = copy(self._dialect)
        known.paging = paging = known.paging or paging_by(name, self._first.reply)
        page = yield from self._try(known, name, is_guess=False)
        if page is not None and page.columns.ids:
            self._understand((paging, name), known.first_page, page)
            return page
        linked = yield from self._by_link()
        if linked is not None and linked.columns.ids:
            return linked
        return page

    def _by_link(self) -> Steps[Page | None]:
        parameters = link_parameters(self._first.reply, self._paginator.origin)
        if not parameters:
            return None
        page = yield from self._another(PageRequest(parameters, alone=True), is_guess=False)
        if page is not None and page.columns.ids:
            if not keeps_filters(self._first, page, self._query):
                return None
            page.is_linked = True
            self._paginator.linked.add(self._paginator.is_filtered(self._first))
        return page

    def _by_guess(self) -> Steps[Page | None]:
        probes, count = self._paginator.probes, len(self._first.columns.ids)
        for style in self._styles():
            is_proven_elsewhere = style == probes.style
            led_nowhere = probes.failed.get(style, -1) >= count
            if not is_proven_elsewhere and (not probes.left or led_nowhere):
                continue
            paging, name = style
            trial = Dialect(
                paging=paging,
                page_parameter=name,
                first_page=self._first_page(style),
                size_parameter=self._dialect.size_parameter,
            )
            trial.learn(id_name=self._dialect.id_key)
            self._costs = not is_proven_elsewhere
            page = yield from self._try(trial, name, is_guess=True)
            if page is not None:
                self._understand(style, trial.first_page, page)
                return page
            probes.failed[style] = count
        return None

    def _styles(self) -> list[PagingStyle]:
        """Return the parameters to try: only the likeliest if a second page is unlikely."""
        first, probes = self._first, self._paginator.probes
        blank = Dialect(paging=self._dialect.paging if "paging" in self._dialect.pinned else None)
        proven = [probes.style] if probes.style else []
        styles = list(dict.fromkeys([*proven, *candidates(first.reply, blank)]))
        has_likely_another = first.says_more or len(first.columns.ids) >= DEFAULT_SIZE
        return styles if has_likely_another else styles[:1]

    def _first_page(self, style: PagingStyle) -> int | None:
        probes, dialect, reply = self._paginator.probes, self._dialect, self._first.reply
        if "first_page" in dialect.pinned:
            return dialect.first_page
        if style == probes.style:
            return probes.first_page
        if style[0] == "offset":
            return 1 if reply.offset == 1 else 0
        return None

    def _understand(self, style: PagingStyle, first_page: int | None, page: Page) -> None:
        """Remember the parameter that led to another page."""
        paginator = self._paginator
        paginator.is_understood = True
        self._dialect.learn(paging=style[0], page_parameter=style[1], first_page=first_page)
        paginator.probes.style, paginator.probes.first_page = style, first_page
        totals_count_only_a_page = self._first.is_doubtful and page.columns.ids
        if totals_count_only_a_page:
            paginator.disregard(self._first, page)

    def _try(self, trial: Dialect, name: str, *, is_guess: bool) -> Steps[Page | None]:
        """Request a second page in one style; return None if the reply does not change as it should."""
        if trial.paging in {"cursor", "after"}:
            extra = next_parameters(self._first.reply, self._first.asked, trial)
            page = (yield from self._another(PageRequest(extra), is_guess=is_guess)) if extra else None
            if page is None or not is_guess:
                return page
            may_filter_by_date = not page.columns.ids  # as "after" does in some services
            # The first page may have changed meanwhile, and have been returned again.
            return None if may_filter_by_date or not _leads_on((yield PageRequest({})), page) else page
        if trial.paging == "offset":
            return (yield from self._by_offset(trial, name, is_guess=is_guess))
        return (yield from self._by_number(trial, name, is_guess=is_guess))

    def _by_offset(self, trial: Dialect, name: str, *, is_guess: bool) -> Steps[Page | None]:
        first = self._first
        parameters = page_parameters(trial, 1, first.size)
        page = yield from self._another(PageRequest(parameters), is_guess=is_guess)
        if page is None or not is_guess:
            return page
        shows_its_offset = str(page.reply.offset) in parameters.values()
        if page.columns.ids and (_adjoins(first, page) or shows_its_offset):
            return page
        # Where positions are offsets of records, the last record is at its own position.
        ids = first.columns.ids
        last = {name: str((trial.first_page or 0) + len(ids) - 1)}
        shifted = yield from self._request(PageRequest(last), is_guess=True)
        if shifted is None or not (shifted.columns.ids[:1] == ids[-1:] != ids):
            return None  # the number of a page, or a filter
        # More than the last record shows that the list goes on, although the page at the next position is empty.
        self.was_compared = not page.columns.ids and len(shifted.columns.ids) == 1
        return page if page.columns.ids or self.was_compared else shifted

    def _by_number(self, trial: Dialect, name: str, *, is_guess: bool) -> Steps[Page | None]:
        """Request the second page by number, and find out whether the first is 0 or 1."""
        first = self._first
        if trial.first_page is not None and not is_guess:
            return (
                yield from self._another(PageRequest(page_parameters(trial, 1, first.size)), is_guess=False)
            )
        shown = first.reply.current_page
        if isinstance(first.reply.next, int):
            shown = first.reply.next - 1
        likely = trial.first_page if trial.first_page is not None else (0 if shown == 0 else 1)
        for base in (likely, 1 - likely):
            trial.first_page = base
            page = yield from self._another(
                PageRequest(page_parameters(trial, 1, first.size)), is_guess=is_guess
            )
            if page is not None:
                # The number that the service shows decides; without one, ids that leave no gap do.
                steps = _steps(first, page)
                if page.columns.ids and (steps == 1 or (steps is None and _adjoins(first, page))):
                    return page
                if not page.columns.ids and (yield from self._is_whole(name, base)):
                    return page
                # The first page under its number shows that the parameter is understood, and its base.
                other = yield from self._another(PageRequest({name: str(base)}), is_guess=is_guess)
                if self._outcome == "again" and page.columns.ids:
                    return page
                if other is None or not other.columns.ids or base == 0:
                    return None
                trial.first_page = 0
                return other
            # The first page again has the number 0; an empty one may be past the end of a list numbered from 0.
            may_have_other_base = self._outcome == ("again" if base == 0 else "empty")
            if not may_have_other_base:
                return None
        return None

    def _is_whole(self, name: str, base: int) -> Steps[bool]:
        """Return whether the first page in the other order has the same records, so that nothing can follow."""
        first = self._first
        order = "desc" if first.asked.get("sort") == "asc" else "asc"
        # Of two pages that are numbered from 0, the second one in the other order has the same records, too.
        for parameters in ({name: str(base)}, {}):
            other = yield from self._request(PageRequest(parameters | {"sort": order}), is_guess=True)
            if other is None or set(other.columns.ids) != set(first.columns.ids):
                return False
            if ignores_order(first, other):
                return False
        self.was_compared = True
        return True

    def _request(self, request: PageRequest, *, is_guess: bool) -> Steps[Page | None]:
        """Request a page; return None if it is refused, an empty page if there is none."""
        probes = self._paginator.probes
        if is_guess and self._costs:
            probes.left = max(probes.left - 1, 0)
        try:
            return (yield request)
        except ServiceError as refused:
            return self._first.emptied() if refused.status in PAST_END else None

    def _another(self, request: PageRequest, *, is_guess: bool) -> Steps[Page | None]:
        """Request a page; return None if it is the first again, refused, or empty without a known reason."""
        first = self._first
        page = yield from self._request(request, is_guess=is_guess)
        if page is None:
            self._outcome = "refused"
        elif page.columns.ids:
            self._outcome = "another" if _leads_on(first, page) else "again"
        else:
            # Records may have been deleted, but a parameter that is not known to work may be the reason.
            parameter_may_filter = first.says_more and not self._paginator.is_understood
            self._outcome = "empty" if parameter_may_filter else "another"
            self._was_empty = self._was_empty or parameter_may_filter
        return page if self._outcome == "another" else None


def ignores_order(first: Page, other: Page) -> bool:
    """Return whether two first pages in opposite orders are the same, so that they prove nothing."""
    return len(first.columns.ids) > 1 and first.columns.ids == other.columns.ids


def _steps(first: Page, page: Page) -> int | None:
    """Return the number of pages between two pages by their own account, if they give one."""
    before, after = first.reply.current_page, page.reply.current_page
    return None if before is None or after is None or before == after else after - before


def _adjoins(first: Page, page: Page) -> bool:
    """Return whether no record can be between two pages, since the ids are consecutive numbers."""
    last, following = first.columns.ids[-1], page.columns.ids[0]
    step = 1 if first.asked.get("sort") == "asc" else -1
    return isinstance(last, int) and isinstance(following, int) and following - last == step


def _leads_on(first: Page, page: Page) -> bool:
    """Return whether a page differs from the first, which may have changed and been returned again."""
    before, ids = first.columns.ids, page.columns.ids
    by_id = (first.asked.get("sort_by"), first.asked.get("sort")) == ("id", "asc")
    numbers = [id for id in (*before, *ids) if isinstance(id, int)]
    are_numbers = len(numbers) == len(before) + len(ids)
    count = len(before)
    honors_order = by_id and count > 1 and are_numbers and numbers[:count] == sorted({*numbers[:count]})
    if honors_order:
        return min(numbers[count:]) > numbers[count - 1]
    shared = set(before).intersection(ids)
    return len(shared) < len(set(ids)) and 2 * len(shared) <= count


def keeps_filters(first: Page, page: Page, query: Mapping[str, Any]) -> bool:
    """Return whether a page that was requested by a link still has the filters of the first page.

    Args:
        first: The first page.
        page: A further page.
        query: The list parameters.
    """
    has_same_total = first.claimed == page.claimed is not None
    if has_same_total and (page.claimed or 0) > len(first.columns.ids):
        return True
    asked = {name: value for name, value in query.items() if name not in NOT_FIELDS}
    others = page.asked.keys() - NOT_FIELDS - asked.keys()
    token_may_stand_for_filters = any(not page.asked[name].isdecimal() for name in others)
    for name, value in asked.items():
        if _matches(page, name, value, query):
            continue
        # A service may ignore a filter on every page, or not show the field.
        is_shown = name != "search" and any(shown is not None for shown in first.columns.known[name])
        is_sent = token_may_stand_for_filters or any(name in sent for sent in page.asked)
        if _matches(first, name, value, query) or not (is_shown or is_sent):
            return False
    return True


def _matches(page: Page, name: str, value: Any, query: Mapping[str, Any]) -> bool:
    """Return whether every record shows the value of a filter."""
    if name == "search":
        texts = page.columns.known[query.get("search_by", "name")]
        return all(str(value).casefold() in str(text or "").casefold() for text in texts)
    return set(page.columns.known[name]) == {value}
