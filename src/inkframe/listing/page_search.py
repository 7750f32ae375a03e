"""The search for the second page of a list, and whether a service honors filters.

One loop tests what may lead to the second page, the service's own words first, until a reply changes as it should.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import ServiceError
from inkframe.listing.paging import (
    NOT_FILTERS,
    PageRequest,
    Paginator,
    PagingStyle,
    link_parameters,
    next_parameters,
    page_parameters,
    paging_of,
)
from inkframe.replies.dialect import Dialect, Paging
from inkframe.replies.list_reply import CURRENT_PAGES, OFFSETS, ListReply
from inkframe.schema import DEFAULT_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inkframe.replies.columns import Page

__all__ = ["VANISHED", "PageSearch", "candidates", "ignores_order", "keeps_filters"]

#: Statuses of a page that does not exist.
PAST_END: Final = frozenset({404, 410, 416})
#: Statuses of a page that does not exist any more, or that the service refuses.
VANISHED: Final = PAST_END | {400, 422}
#: List parameters that are no fields of a record.
NOT_FIELDS: Final = NOT_FILTERS | {"search_by"}
#: The parameters that known envelopes take, by the folded keys that distinguish them.
KNOWN_ENVELOPES: Final[tuple[tuple[frozenset[str], Paging, str], ...]] = (
    (frozenset({"currentpage", "from", "to"}), "number", "page"),  # Laravel: from is a row number
    (frozenset({"totalelements", "number"}), "number", "page"),  # Spring Data
    (frozenset({"jsonapi", "meta"}), "number", "page[number]"),
    (frozenset({"pagination", "pagecount", "pagesize"}), "number", "pagination[page]"),  # Strapi
    (frozenset({"object", "hasmore", "lastid"}), "after", "after"),  # OpenAI
    (frozenset({"object", "hasmore", "data"}), "after", "starting_after"),  # Stripe
    (frozenset({"object", "hasmore", "nextcursor"}), "cursor", "start_cursor"),  # Notion
    (frozenset({"hasnextpage", "endcursor"}), "cursor", "after"),  # Relay
    (frozenset({"@odatacontext", "value"}), "offset", "$skip"),
    (frozenset({"recordstotal", "recordsfiltered"}), "offset", "start"),  # DataTables
    (frozenset({"total", "limit", "skip", "data"}), "offset", "$skip"),  # Feathers
    (frozenset({"took", "hits"}), "offset", "from"),  # Elasticsearch
    (frozenset({"lastevaluatedkey"}), "cursor", "ExclusiveStartKey"),  # DynamoDB
    (frozenset({"totalrows", "offset", "rows"}), "offset", "skip"),  # CouchDB
    (frozenset({"totalcount", "items"}), "offset", "SkipCount"),  # ABP
)
#: The usual parameters, the most likely first.
USUAL_STYLES: Final[tuple[PagingStyle, ...]] = (
    ("number", "page"),
    ("offset", "offset"),
    ("offset", "skip"),
    ("number", "_page"),
    ("after", "after"),
    ("after", "starting_after"),
    ("number", "page[number]"),
    ("number", "pageNumber"),
)
#: The usual parameters for tokens.
TOKEN_STYLES: Final[tuple[PagingStyle, ...]] = (
    ("cursor", "cursor"),
    ("cursor", "page_token"),
    ("cursor", "pageToken"),
    ("cursor", "next_token"),
    ("cursor", "after"),
    ("cursor", "page[cursor]"),
    ("cursor", "starting_after"),
    ("cursor", "page"),
    ("cursor", "token"),
    ("cursor", "offset"),
)
#: Tokens that are known to be sent without the word "next": ``nextPageToken`` as ``pageToken``.
SENT_WITHOUT_NEXT: Final = frozenset({"nextpagetoken", "nextcursor", "nextpage"})
NEXT_PREFIX: Final = re.compile(r"^next[_-]?(.)", re.IGNORECASE)


class PageSearch:
    """The search for the second page of a list, which learns the paging of the service.

    Args:
        paginator: The state of paging, updated with what is found.
        first: The first page.
        query: The list parameters.
        send: Requests a page.
    """

    def __init__(
        self,
        paginator: Paginator,
        first: Page,
        query: Mapping[str, Any],
        send: Callable[[PageRequest], Page],
    ) -> None:
        self._paginator, self._send = paginator, send
        self._query, self._first = query, first
        self._ids = first.columns.ids
        #: Whether the parameter is a guess, and whether its requests are counted.
        self._is_guess = self._costs = False
        #: What the last request returned: another page, the first again, no records, or a refusal.
        self._outcome = ""
        #: Whether an attempt returned no records although the first page reports more.
        self._was_empty = False

    def second(self) -> Page | None:
        """Return the second page, empty if nothing follows; None if no attempt returned another than the first."""
        first, paginator = self._first, self._paginator
        if paginator.is_last(first):
            return first.emptied()
        ended: Page | None = None
        for trial in self._trials():
            page = self._linked() if trial is None else self._tried(trial)
            if page is not None and (page.columns.ids or self._is_guess):
                if trial is not None:
                    self._understand(trial, page)
                return page
            ended = ended or page
            if ended is not None and trial is None:
                return ended  # by the known parameter, and no link leads on
        if self._was_empty and paginator.is_last(again := self._send(PageRequest({}))):
            # The list has shrunk to one page.
            return again.emptied()
        has_another = first.says_more or len(self._ids) >= first.asked_size
        if paginator.dialect.page_parameter is None and not paginator.probes.left and has_another:
            paginator.dialect.learn(paging="none")
        return None

    def _trials(self) -> Iterator[Dialect | None]:
        """Yield what may lead to the second page, the likeliest first; None is the link of the service as it is."""
        dialect, paginator, probes = self._paginator.dialect, self._paginator, self._paginator.probes
        if paginator.is_filtered(self._first) in paginator.linked:
            yield None
        if dialect.paging == "none":
            return
        if (name := dialect.page_parameter) is not None:
            paging = dialect.paging or paging_by(name, self._first.reply)
            yield from self._numbered(paging, name, dialect.first_page)
            yield None
        self._is_guess = True
        for style in () if paginator.is_understood else self._styles():
            # A style that another collection of the client has proven is no guess.
            self._costs = style != probes.style
            led_nowhere = probes.failed.get(style, -1) >= len(self._ids)
            if not self._costs or (probes.left and not led_nowhere):
                known = dialect.first_page if "first_page" in dialect.pinned else None
                yield from self._numbered(*style, known if self._costs else probes.first_page)
                probes.failed[style] = len(self._ids)

    def _styles(self) -> list[PagingStyle]:
        """Return the parameters to try: only the likeliest if a second page is unlikely."""
        first, probes, dialect = self._first, self._paginator.probes, self._paginator.dialect
        pinned = dialect.paging if "paging" in dialect.pinned else None
        proven = [probes.style] if probes.style else []
        styles = list(dict.fromkeys([*proven, *candidates(first.reply, pinned)]))
        has_likely_another = first.says_more or len(self._ids) >= DEFAULT_SIZE
        return styles if has_likely_another else styles[:1]

    def _numbered(self, paging: Paging, name: str, first_page: int | None) -> Iterator[Dialect]:
        """Yield a style with the number of its first page, and with the other one if the reply does not refute it."""
        dialect, reply = self._paginator.dialect, self._first.reply
        shown = reply.next - 1 if isinstance(reply.next, int) else reply.current_page
        if first_page is None and paging == "offset" and self._is_guess:
            first_page = int(reply.offset == 1)
        likely = int(shown != 0) if first_page is None else first_page
        for base in (likely, 1 - likely) if paging == "number" else (first_page,):
            trial = Dialect(
                paging=paging, page_parameter=name, first_page=base, size_parameter=dialect.size_parameter
            )
            trial.learn(id_name=dialect.id_key)
            yield trial
            # The first page again has the number 0; an empty one may be past the end of a list numbered from 0.
            may_have_other_base = self._outcome == ("again" if base == 0 else "empty")
            if not may_have_other_base or (first_page is not None and not self._is_guess):
                return

    def _understand(self, trial: Dialect, page: Page) -> None:
        """Remember the parameter that led to another page."""
        paginator, probes = self._paginator, self._paginator.probes
        style: PagingStyle = trial.paging or "number", trial.page_parameter or ""
        paginator.is_understood = True
        paginator.dialect.learn(paging=style[0], page_parameter=style[1], first_page=trial.first_page)
        probes.style, probes.first_page = style, trial.first_page
        totals_count_only_a_page = self._first.is_doubtful and page.columns.ids
        if totals_count_only_a_page:
            paginator.disregard(self._first, page)

    def _linked(self) -> Page | None:
        """Request the second page by the link of the service as it is."""
        link = link_parameters(self._first.reply, self._paginator.origin)
        page = self._ask(PageRequest(link, alone=True)) if link else None
        if page is None or not page.columns.ids or not keeps_filters(self._first, page, self._query):
            return None
        self._paginator.linked.add(self._paginator.is_filtered(self._first))
        return page

    def _tried(self, trial: Dialect) -> Page | None:
        """Request a second page in one style; return None if the reply does not change as it should."""
        first, is_number, name = self._first, trial.paging == "number", trial.page_parameter or ""
        is_token = trial.paging in {"cursor", "after"}
        parameters = (
            next_parameters(first.reply, first.asked, trial)
            if is_token
            else page_parameters(trial, 1, first.size)
        )
        page = self._ask(PageRequest(parameters)) if parameters else None
        if page is None or not (self._is_guess or (is_number and self._paginator.dialect.first_page is None)):
            return page
        # The place that the service shows decides; without one, ids that leave no gap do.
        before, after = first.reply.current_page, page.reply.current_page
        shows_its_number = is_number and None not in {before, after} and before != after
        shows_its_offset = trial.paging == "offset" and str(page.reply.offset) in (parameters or {}).values()
        step = 1 if first.asked.get("sort") == "asc" else -1
        adjoins = page.columns.ids[:1] == [id + step for id in self._ids[-1:] if isinstance(id, int)]
        is_next = after == (before or 0) + 1 if shows_its_number else adjoins and not is_token
        if page.columns.ids and (is_next or shows_its_offset):
            return page
        # Else a request whose reply is known: the first page by its number, the last record by its position, or none.
        base = trial.first_page or 0
        known = {} if is_token else {name: str(base if is_number else base + len(self._ids) - 1)}
        other = self._request(PageRequest(known))
        return None if other is None else self._proven(trial, page, other)

    def _proven(self, trial: Dialect, page: Page, other: Page) -> Page | None:
        """Return the second page, if the reply to another request is what a style makes it."""
        ids = other.columns.ids
        if trial.paging == "offset":
            # The position may be the number of a page, or a filter. More than the last record shows that the list goes on.
            is_last_record = ids[:1] == self._ids[-1:] != self._ids
            return (page if page.columns.ids or len(ids) == 1 else other) if is_last_record else None
        if trial.paging == "number":
            if bool(ids) == bool(self._ids) and not _leads_on(self._first, other):
                return page
            # Where the first page has the number 0, this one has 1.
            trial.first_page, is_from_1 = 0, trial.first_page == 1
            return other if ids and is_from_1 else None
        # A token may filter by date, as "after" does in some services, or the first page may have changed meanwhile.
        # An empty page may lead to one with records.
        is_further = page.reply.next not in {None, self._first.reply.next}
        return page if (_leads_on(other, page) if page.columns.ids else is_further) else None

    def _request(self, request: PageRequest) -> Page | None:
        """Request a page; return None if it is refused, an empty page if there is none."""
        paginator, probes = self._paginator, self._paginator.probes
        probes.left = max(probes.left - self._costs, 0)
        page: Page | None = None
        try:
            page = self._send(request)
            same = "the first page again" if page.columns.ids == self._ids else "other records"
            outcome = same if page.columns.ids else "no records"
        except ServiceError as refused:
            if refused.status not in VANISHED:
                raise
            outcome = f"status {refused.status}"
            page = self._first.emptied() if refused.status in PAST_END else None
        names = request.parameters.keys() - {paginator.dialect.size_parameter}
        if names and not paginator.is_understood:
            paginator.dialect.learn_attempt(" and ".join(sorted(names)), outcome)
        return page

    def _ask(self, request: PageRequest) -> Page | None:
        """Request a page; return None if it is the first again, refused, or empty without a known reason."""
        page = self._request(request)
        if page is None:
            self._outcome = "refused"
        elif page.columns.ids:
            self._outcome = "another" if _leads_on(self._first, page) else "again"
        else:
            # Records may have been deleted, but a parameter that is not known to work may be the reason.
            parameter_may_filter = (
                self._first.says_more and not self._paginator.is_understood and page.reply.next is None
            )
            self._outcome = "empty" if parameter_may_filter else "another"
            self._was_empty = self._was_empty or parameter_may_filter
        return page if self._outcome == "another" else None


def ignores_order(first: Page, other: Page) -> bool:
    """Return whether two first pages in opposite orders are the same, so that they prove nothing."""
    return len(first.columns.ids) > 1 and first.columns.ids == other.columns.ids


def _leads_on(first: Page, page: Page) -> bool:
    """Return whether a page differs from the first, which may have changed and been returned again."""
    before, ids = first.columns.ids, page.columns.ids
    by_id = (first.asked.get("sort_by"), first.asked.get("sort")) == ("id", "asc")
    are_numbers = {int}.issuperset(map(type, (*before, *ids)))
    if by_id and are_numbers and len(before) > 1 and before == sorted({*before}):
        return min(ids) > before[-1]  # type: ignore[operator]
    shared = set(before).intersection(ids)
    return len(shared) < len(set(ids)) and 2 * len(shared) <= len(before)


def keeps_filters(first: Page, page: Page, query: Mapping[str, Any]) -> bool:
    """Return whether a page that was requested by a link still has the filters of the first page.

    Args:
        first: The first page.
        page: A further page.
        query: The list parameters.
    """
    if first.claimed == page.claimed and (page.claimed or 0) > len(first.columns.ids):
        return True  # an equal total of a longer list
    asked = {name: value for name, value in query.items() if name not in NOT_FIELDS}
    others = page.asked.keys() - NOT_FIELDS - asked.keys()
    token_may_stand_for_filters = any(not page.asked[name].isdecimal() for name in others)

    def is_kept(name: str, value: Any) -> bool:
        # A service may ignore a filter on every page, or not show the field.
        is_shown = name != "search" and any(shown is not None for shown in first.columns.known[name])
        is_sent = token_may_stand_for_filters or any(name in sent for sent in page.asked)
        is_ignored = (is_shown or is_sent) and not _matches(first, name, value, query)
        return is_ignored or _matches(page, name, value, query)

    return all(is_kept(name, value) for name, value in asked.items())


def _matches(page: Page, name: str, value: Any, query: Mapping[str, Any]) -> bool:
    """Return whether every record shows the value of a filter."""
    if name == "search":
        texts = page.columns.known[query.get("search_by", "name")]
        return all(str(value).casefold() in str(text or "").casefold() for text in texts)
    return set(page.columns.known[name]) == {value}


def candidates(reply: ListReply, known: Paging | None = None) -> list[PagingStyle]:
    """Return the parameters to try for a second page, the most likely first, of one kind of paging if it is known.

    The parameter that the envelope is known for comes first, then the names that the reply itself uses, then the
    usual ones.
    """
    has_token = None not in (reply.next, reply.token)
    pages_otherwise = has_token or reply.current_page is not None
    paired: list[PagingStyle] = [
        (paging, name)
        for keys, paging, name in KNOWN_ENVELOPES
        if keys <= reply.keys.keys() and not (paging == "offset" and pages_otherwise)
    ]
    says_only_that_more_follows = bool(reply.more) and reply.total is None and reply.next is None
    shown = {
        "number": reply.current_page is not None,
        "offset": reply.offset is not None,
        "after": says_only_that_more_follows,
    }
    likely = next((kind for kind, is_shown in shown.items() if is_shown), None)
    usual = sorted(USUAL_STYLES, key=lambda style: likely not in {None, style[0]})
    fitting = [
        (paging, name)
        for paging, name in [*paired[:1], *_own_names(reply), *TOKEN_STYLES, *usual]
        if (paging != "cursor" or has_token) and known in {None, paging}
    ]
    return list(dict.fromkeys(fitting))


def paging_by(name: str, reply: ListReply) -> Paging:
    """Return how a parameter is used, as far as its name and a first page show it."""
    usual = {each: paging for paging, each in USUAL_STYLES}
    return "cursor" if None not in (reply.next, reply.token) else usual.get(name, paging_of(name, "1", reply))


def _own_names(reply: ListReply) -> list[PagingStyle]:
    """Return the parameters that the reply itself names, in its spelling."""
    own: list[PagingStyle] = []
    if reply.token in reply.keys:
        name = reply.keys[reply.token]
        short = NEXT_PREFIX.sub(lambda found: found[1].lower() if name[0].islower() else found[1], name)
        own += (
            [("cursor", short), ("cursor", name)]
            if reply.token in SENT_WITHOUT_NEXT
            else [("cursor", name), ("cursor", short), ("cursor", short.lower())]
        )
    if reply.current_page is not None:
        own += [("number", reply.keys[name]) for name in CURRENT_PAGES if name in reply.keys]
    if reply.offset is not None:
        own += [("offset", reply.keys[name]) for name in (*OFFSETS, "cursor") if name in reply.keys]
    return own
