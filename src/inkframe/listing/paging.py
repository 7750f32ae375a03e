"""Pages of a list: how a service pages, the last page, the parameters of the next one, and the reliability of totals.

Nothing is sent here. The address of the next page is not followed, since services omit filters from it, write http
behind a proxy, or name another host. Its additional parameters show how the service pages; requests are always built
from the address and parameters of the client.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from inkframe.replies.dialect import Dialect, Paging
from inkframe.replies.list_reply import CURRENT_PAGES, OFFSETS, ListReply, is_address
from inkframe.replies.values import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.replies.columns import Page

__all__ = [
    "NOT_FILTERS",
    "PROBES",
    "PageRequest",
    "Paginator",
    "PagingStyle",
    "Probes",
    "candidates",
    "learn_paging",
    "link_parameters",
    "next_parameters",
    "page_parameters",
    "paging_by",
]

#: The most requests of a client with guessed parameters.
PROBES: Final = 6
#: List parameters of the interface that do not filter.
NOT_FILTERS: Final = frozenset({"sort", "sort_by", "per_page"})

#: How pages are requested, and by which parameter.
PagingStyle = tuple[Paging, str]
# Folded names.
OFFSET_NAMES: Final = frozenset({*OFFSETS, "from"})
SIZE_NAMES: Final = frozenset({"perpage", "limit", "size", "pagesize", "top", "take", "count", "rows", "maxresults",
                               "page[size]", "page[limit]", "pagination[pagesize]", "pagination[limit]"})  # fmt: skip
TOKEN: Final = re.compile(r"cursor|after|token|marker|continu|since|before|bookmark", re.IGNORECASE)
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
TOKEN_NAMES: Final = ("cursor", "page_token", "pageToken", "next_token", "after", "page[cursor]", "starting_after",
                      "page", "token", "offset")  # fmt: skip
#: Tokens that are known to be sent without the word "next": ``nextPageToken`` as ``pageToken``.
SENT_WITHOUT_NEXT: Final = frozenset({"nextpagetoken", "nextcursor", "nextpage"})
#: The most digits of the number of a page.
LONGEST_NUMBER: Final = 18
WORD: Final = re.compile(r"\w+")
NEXT_PREFIX: Final = re.compile(r"^next[_-]?(.)", re.IGNORECASE)


class PageRequest(NamedTuple):
    """The request for a further page of a list.

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
        style: The style that was understood, with its parameter.
        first_page: The number of the first page, if known.
        failed: The styles that led nowhere, each with the number of records on the page before.
    """

    left: int = PROBES
    style: PagingStyle | None = None
    first_page: int | None = None
    failed: dict[PagingStyle, int] = field(default_factory=dict)


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
        #: The number of records of the whole collection, as the last reply that shows it has it.
        self.everything: int | None = None
        #: Whether lists by id are in opposite orders if requested so; None until it was tried.
        self.honors_order: bool | None = None

    @property
    def has_places(self) -> bool:
        """Whether pages can be requested by position, if known."""
        return self.dialect.paging in {"number", "offset"}

    @property
    def is_chained(self) -> bool:
        """Whether each page leads to the next."""
        return self.dialect.paging in {"cursor", "after"}

    def observe(self, page: Page) -> None:
        """Update the knowledge of totals and page sizes from a page."""
        reply, count = page.reply, len(page.columns.ids)
        page.claimed = page.claimed if reply.total is None else reply.total
        if reply.everything is None and (self._counts_everything or not self.is_filtered(page)):
            reply.everything = page.claimed
        self.everything = self.everything if reply.everything is None else reply.everything
        if self._totals_hold is False or (self._counts_everything and self.is_filtered(page)):
            reply.total = None
        elif reply.total is not None and reply.total > count:
            self._totals_hold = True
        says_nothing_of_end = reply.next is reply.more is None
        # Some services repeat the requested size, so that only a longer page shows that this one is short.
        full_size = reply.size if self._totals_hold else min(page.asked_size, self._fullest)
        may_be_full = count >= (full_size or self._fullest)
        # A service that numbers from 0 calls the second of two pages 1; the first may have any size then.
        number = self.dialect.first_page if reply.current_page is None else reply.current_page
        may_number_from_0 = reply.last_page == 1 != number
        may_go_on = may_be_full and (may_number_from_0 or reply.last_page is None)
        may_count_only_this_page = reply.total == count and may_go_on
        is_unproven = may_number_from_0 if reply.total is None else may_count_only_this_page
        page.is_doubtful = says_nothing_of_end and count > 0 and is_unproven
        self._fullest = max(self._fullest, count)

    def is_filtered(self, page: Page) -> bool:
        """Return whether a first page was requested with filters."""
        return bool(page.asked.keys() - NOT_FILTERS - {self.dialect.size_parameter})

    def disregard(self, *pages: Page) -> None:
        """Disregard totals, since they count pages or the records of a page."""
        self._totals_hold = False
        for page in pages:
            page.reply.total, page.is_doubtful = None, False

    def disregard_filtered(self, total: int) -> None:
        """Disregard totals of filtered lists, since they count the whole collection."""
        self._counts_everything, self.everything = True, total

    def note_orders(self, ids: Sequence[int | str], others: Sequence[int | str]) -> None:
        """Note whether two first pages in opposite orders differ as they should: what both have is reversed."""
        shared = {*ids}.intersection(others)
        mirrored = [id for id in reversed(others) if id in shared]
        self.honors_order = [id for id in ids if id in shared] == mirrored

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
        has_several_pages = reply.last_page is not None and reply.last_page > 1
        if has_several_pages:
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

    def after(self, page: Page) -> PageRequest | None:
        """Return the parameters of the page after another by its token or link; None at the end."""
        if page.is_linked:
            linked = link_parameters(page.reply, self.origin)
            links_to_itself = linked == page.asked
            return PageRequest(linked, alone=True) if linked and not links_to_itself else None
        parameters = next_parameters(page.reply, page.asked, self.dialect)
        return PageRequest(parameters) if parameters else None


def learn_paging(reply: ListReply, asked: Mapping[str, str], dialect: Dialect) -> None:
    """Learn the paging of the service from a first page, requested without a page parameter.

    Args:
        reply: The page.
        asked: The parameters that were sent.
        dialect: The response format to update.
    """
    if isinstance(reply.last, str) and reply.last_page is None:
        name, text = _page_parameter(_added_parameters(reply.last, asked))
        if _paging_of(name, text, reply) == "number":
            reply.last_page = int(text)
    if dialect.paging is None or dialect.page_parameter is None:
        if isinstance(reply.next, str) and not reply.token:
            _learn_from_address(reply.next, reply, asked, dialect)
        elif isinstance(reply.last, str) and reply.last_page != 1:
            _learn_from_address(reply.last, reply, asked, dialect, is_last=True)
    shows_other_base = reply.current_page in {0, 1} and reply.current_page != dialect.first_page
    if shows_other_base and dialect.paging in {None, "number"}:
        dialect.learn(first_page=reply.current_page)


def _learn_from_address(
    address: str, reply: ListReply, asked: Mapping[str, str], dialect: Dialect, *, is_last: bool = False
) -> None:
    added = _added_parameters(address, asked)
    for name in added:
        if fold(name) in SIZE_NAMES and name != "per_page":
            dialect.learn(size_parameter=name)
    name, text = _page_parameter(added)
    if not name:
        return
    paging = _paging_of(name, text, reply)
    dialect.learn(paging=paging, page_parameter=name)
    if paging == "number" and not is_last:
        dialect.learn(first_page=min(int(text) - 1, 1))


def _page_parameter(added: Mapping[str, str]) -> tuple[str, str]:
    """Return the parameter of the page; empty if there is none.

    Links repeat defaults that were not sent, such as ``sort=desc``, so that names decide, then numbers.
    """
    others = [(name, text) for name, text in added.items() if fold(name) not in SIZE_NAMES]

    def rank(pair: tuple[str, str]) -> tuple[bool, bool]:
        name, text = pair
        return not (TOKEN.search(name) or _is_offset(name) or _is_page(name)), not text.isdecimal()

    return min(others, key=rank, default=("", ""))


def _added_parameters(address: str, asked: Mapping[str, str]) -> dict[str, str]:
    try:
        query = urlsplit(re.sub(r"\{[^{}]*\}", "", address)).query
        pairs = dict(parse_qsl(query, max_num_fields=100))
    except ValueError:
        return {}
    return {name: text for name, text in pairs.items() if asked.get(name) != text}


def _paging_of(name: str, text: str, reply: ListReply) -> Paging:
    if TOKEN.search(name) or not text.isdecimal() or len(text) > LONGEST_NUMBER:
        return "cursor"
    if _is_offset(name):
        return "offset"
    if _is_page(name) or int(text) <= 2:
        return "number"
    return "offset" if int(text) == len(reply.records) else "cursor"


def _is_page(name: str) -> bool:
    return "page" in name.lower() or name in {"p", "pg"}


def _is_offset(name: str) -> bool:
    """Return whether a parameter is named as an offset, such as ``$skip`` and ``page[offset]``."""
    return any(fold(word) in OFFSET_NAMES for word in WORD.findall(name)[-1:])


def candidates(reply: ListReply, dialect: Dialect) -> list[PagingStyle]:
    """Return the parameters to try for a second page, the most likely first.

    The parameter that the envelope is known for comes first, then the names that the reply itself uses, then the
    usual ones.
    """
    has_token = _has_token(reply)
    pages_otherwise = has_token or reply.current_page is not None
    paired: list[PagingStyle] = [
        (paging, name)
        for keys, paging, name in KNOWN_ENVELOPES
        if keys <= reply.keys.keys() and not (paging == "offset" and pages_otherwise)
    ]
    tokens: list[PagingStyle] = [("cursor", name) for name in TOKEN_NAMES] if has_token else []
    usual = sorted(USUAL_STYLES, key=lambda style: _is_unlikely(style[0], reply))
    known = dialect.paging not in {None, "none"}
    fitting = [
        (paging, name)
        for paging, name in [*paired[:1], *_own_names(reply), *tokens, *usual]
        if (paging != "cursor" or has_token) and (not known or paging == dialect.paging)
    ]
    return list(dict.fromkeys(fitting))


def _has_token(reply: ListReply) -> bool:
    return reply.next is not None and reply.token is not None


def paging_by(name: str, reply: ListReply) -> Paging:
    """Return how a parameter is used, as far as its name and a first page show it."""
    if _has_token(reply):
        return "cursor"
    named: Paging = "cursor" if TOKEN.search(name) else "offset" if _is_offset(name) else "number"
    return next((paging for paging, usual in USUAL_STYLES if usual == name), named)


def _is_unlikely(paging: Paging, reply: ListReply) -> bool:
    """Return whether another kind of parameter is likelier than this one."""
    if reply.current_page is not None:
        return paging != "number"
    if reply.offset is not None:
        return paging != "offset"
    says_only_that_more_follows = bool(reply.more) and reply.total is None and reply.next is None
    return says_only_that_more_follows and paging != "after"


def _own_names(reply: ListReply) -> list[PagingStyle]:
    """Return the parameters that the reply itself names, in its spelling."""
    own: list[PagingStyle] = []
    if reply.token in reply.keys:
        name = reply.keys[reply.token]
        short = NEXT_PREFIX.sub(lambda found: found[1].lower() if name[0].islower() else found[1], name)
        own += (
            [("cursor", short), ("cursor", name)]
            if reply.token in SENT_WITHOUT_NEXT
            else [("cursor", name), ("cursor", short)]
        )
    if reply.current_page is not None:
        own += [("number", reply.keys[name]) for name in CURRENT_PAGES if name in reply.keys]
    if reply.offset is not None:
        own += [("offset", reply.keys[name]) for name in (*OFFSETS, "cursor") if name in reply.keys]
    return own


def page_parameters(dialect: Dialect, index: int, size: int) -> dict[str, str]:
    """Return the parameters of a page by position, for services that page by number or offset.

    Args:
        dialect: The response format.
        index: The position of the page, from 0.
        size: The number of records on a page.
    """
    name = dialect.page_parameter or "page"
    if dialect.paging == "offset":
        parameters = {name: str((dialect.first_page or 0) + index * size)}
    else:
        first = 1 if dialect.first_page is None else dialect.first_page
        parameters = {name: str(first + index)}
    if dialect.size_parameter:
        parameters[dialect.size_parameter] = str(size)
    return parameters


def next_parameters(reply: ListReply, asked: Mapping[str, str], dialect: Dialect) -> dict[str, str] | None:
    """Return the parameters of the next page, for services that page by a token; None at the end."""
    name = dialect.page_parameter or "cursor"
    if dialect.paging == "after":
        if not reply.records or reply.more is False:
            return None
        token = str(reply.records[-1].get(dialect.id_key, ""))
    elif isinstance(reply.next, str | int):
        text = str(reply.next)
        leads = is_address(text) and not reply.token
        token = _added_parameters(text, {}).get(name, "") if leads else text
    else:
        token = ""
    if not token or asked.get(name) == token:
        return None
    return {name: token}


def link_parameters(reply: ListReply, origin: str) -> dict[str, str]:
    """Return the parameters of the link to the next page, unchanged; none if it leads elsewhere.

    Args:
        reply: The page.
        origin: The origin of the service; a link to another one is not used.
    """
    if not isinstance(reply.next, str) or reply.token:
        return {}
    try:
        parts = urlsplit(re.sub(r"\{[^{}]*\}", "", reply.next))
        own = urlsplit(origin)
        is_own = not parts.netloc or (parts.scheme or own.scheme, parts.netloc) == own[:2]
        return dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=100)) if is_own else {}
    except ValueError:
        return {}
