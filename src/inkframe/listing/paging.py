"""Pages of a list: how a service pages, the last page, the parameters of the next one, and the reliability of totals.

Nothing is sent here. The address of the next page is not followed, since services omit filters from it, write http
behind a proxy, or name another host. Its additional parameters show how the service pages; requests are always built
from the address and parameters of the client.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from inkframe.http.body import Path, walk
from inkframe.replies.dialect import Dialect, Paging
from inkframe.replies.list_reply import OFFSETS, PAGE, ListReply, is_address
from inkframe.replies.values import fold
from inkframe.schema import DEFAULT_SIZE, RESOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.errors import ServiceError
    from inkframe.replies.columns import Page

__all__ = [
    "NOT_FILTERS",
    "PROBES",
    "PageRequest",
    "Paginator",
    "PagingStyle",
    "Probes",
    "find_next",
    "learn_paging",
    "link_parameters",
    "linked_values",
    "next_parameters",
    "page_parameters",
    "paging_of",
    "smaller_size",
]

#: The most requests of a client with guessed parameters.
PROBES: Final = 6
#: List parameters of the interface that do not filter.
NOT_FILTERS: Final = frozenset({"sort", "sort_by", "per_page"})
#: Every list parameter of the interface, none of which leads to another page.
PARAMETERS: Final = NOT_FILTERS.union(
    *(spec.filters for spec in RESOURCES.values()), {"favorite", "search", "search_by"}
)
#: How pages are requested, and by which parameter.
PagingStyle = tuple[Paging, str]
# Folded names.
OFFSET_NAMES: Final = frozenset({*OFFSETS, "from"})
SIZE_NAMES: Final = frozenset({"perpage", "limit", "size", "pagesize", "top", "take", "count", "rows", "maxresults",
                               "page[size]", "page[limit]", "pagination[pagesize]", "pagination[limit]"})  # fmt: skip
#: The usual sizes of pages that services have of their own.
OWN_SIZES: Final = frozenset({10, 20, 25, 30, 50, 100})
TOKEN: Final = re.compile(
    r"cursor|after|(?<!access_)(?<!auth_)token|marker|continu|since|before|bookmark", re.IGNORECASE
)
PAGE_NAME: Final = re.compile(r"page|^pg?$", re.IGNORECASE)
#: The values of tokens.
OPAQUE: Final = re.compile(r"[^\s?]{1,4000}")
#: The most items of a list beside the records that are read.
MOST_ITEMS: Final = 20
#: A page size, in words and in numbers.
SIZE_WORDS: Final = re.compile(r"per[\W_]?page|page[\W_]?size|limit", re.IGNORECASE)
SIZE: Final = re.compile(r"(?<!\d)\d{1,6}(?!\d)")
#: The number of a page, or an offset.
NUMBER: Final = re.compile(r"[0-9]{1,18}")


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
        size: The page size that the service allows where it has refused another, 0 for its own.
    """

    left: int = PROBES
    style: PagingStyle | None = None
    first_page: int | None = None
    failed: dict[PagingStyle, int] = field(default_factory=dict)
    size: int | None = None


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
        #: The size that was asked for there.
        self._fullest_asked = 0
        #: Whether totals count the whole list, not the page; None until a reply shows it.
        self._totals_hold: bool | None = None
        #: Whether the words for the end tell it, since some page said that another follows; None until one does.
        self._ends_hold: bool | None = None
        #: Whether totals of filtered lists count the whole collection.
        self.counts_everything = False
        #: The number of records of the whole collection, as the last reply that shows it has it.
        self.everything: int | None = None
        #: Whether that is the total of a list without filters, which may have a default.
        self.may_have_default = False
        #: The keys that lead to the address or token of the next page, where it has a name of its own.
        self.next_at: Path | None = None
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
        reply, count, asked = page.reply, len(page.columns.ids), page.asked_size
        page.claimed = page.claimed if reply.total is None else reply.total
        filtered = self.is_filtered(page)
        # A page that says that another follows has more weight than its total.
        counts_page = page.says_more and (page.claimed or 0) <= count
        if reply.everything is not None:
            self.everything, self.may_have_default = reply.everything, False
        elif page.claimed is not None and not counts_page and (self.counts_everything or not filtered):
            self.everything, self.may_have_default = page.claimed, not self.counts_everything
        if self._totals_hold is False or counts_page or (self.counts_everything and filtered):
            reply.total = None
        elif reply.total is not None and reply.total > count:
            self._totals_hold = True
        if self._ends_hold is None and (reply.more or reply.next is not None or (reply.last_page or 0) > 1):
            self._ends_hold = True
        if self._ends_hold is False:
            reply.more = reply.last_page = None
        # Some services repeat the requested size, so that only a longer page shows that this one is short.
        full_size = reply.size if self._totals_hold else min(asked, self._fullest)
        may_be_full = count >= (full_size or self._fullest)
        # A service may have a smaller size of its own, which it says, or which came for another size that was asked for.
        is_again = count == self._fullest >= DEFAULT_SIZE and asked != self._fullest_asked
        is_own_size = count == reply.size or count in OWN_SIZES or is_again
        is_full = count >= asked or (count >= self._fullest and is_own_size)
        # A service that numbers from 0 calls the second of two pages 1; the first may have any size then.
        number = self.dialect.first_page if reply.current_page is None else reply.current_page
        may_number_from_0 = reply.last_page == 1 != number
        may_count_only_this_page = (
            reply.total == count and may_be_full and (may_number_from_0 or reply.last_page is None)
        )
        is_unproven = may_number_from_0 if reply.total is None else may_count_only_this_page
        # What a full page says of its end is believed once a page has said that another follows.
        says_end = reply.more is False or reply.last_page is not None or reply.total == count
        is_doubted = is_full and says_end and self._ends_hold is None
        page.is_doubtful = count > 0 and ((reply.next is reply.more is None and is_unproven) or is_doubted)
        if count > self._fullest:
            self._fullest, self._fullest_asked = count, asked

    def is_filtered(self, page: Page) -> bool:
        """Return whether a first page was requested with filters."""
        return bool(page.asked.keys() - NOT_FILTERS - {self.dialect.size_parameter})

    def disregard(self, *pages: Page, ends: bool = False) -> None:
        """Disregard totals, since they count pages or the records of a page, and words for the end if another page followed."""
        self._totals_hold, self._ends_hold = False, False if ends else self._ends_hold
        for page in pages:
            page.reply.total, page.is_doubtful = None, False
            if ends:
                page.reply.more = page.reply.last_page = None

    def is_last(self, page: Page) -> bool:
        """Return whether a first page certainly reports, or shows by its length, that no page follows."""
        reply, count = page.reply, len(page.reply.records)
        if count == 0 or page.says_more or page.is_doubtful:
            return count == 0 and reply.next is None and not reply.more
        # A short page may have the maximum size of the service, unless another was longer.
        is_short = count < min(page.asked_size, self._fullest)
        return is_short or reply.more is False or reply.total is not None or reply.last_page is not None

    def after(self, page: Page, index: int = 1, size: int = 0) -> PageRequest | None:
        """Return the request for the page after another by its position, token or link; None at the end.

        Args:
            page: The page.
            index: The position of the page after it.
            size: The number of records on a page.
        """
        if page.is_linked:
            linked = link_parameters(page.reply, self.origin)
            links_to_itself = linked == page.asked
            return PageRequest(linked, alone=True) if linked and not links_to_itself else None
        if self.has_places:
            says_it_is_last = page.reply.more is False and page.reply.next is None
            return None if says_it_is_last else PageRequest(page_parameters(self.dialect, index, size))
        parameters = next_parameters(page.reply, page.asked, self.dialect)
        return PageRequest(parameters) if parameters else None


def find_next(page: Page, name: str, body: Any, paginator: Paginator) -> None:
    """Find what leads to the next page under any name: an address of this list with another parameter, or a token.

    Args:
        page: The page.
        name: The last word of the path of the list.
        body: The whole reply.
        paginator: The state of paging, which remembers the place of what was found.
    """
    reply, asked = page.reply, page.asked
    is_known = reply.next is not None or reply.more is False or paginator.has_places
    if is_known or not reply.records or not (texts := _texts_beside(paginator.dialect.records_at, body)):
        return
    pages = {
        place: pair
        for place, text in texts.items()
        if _is_of(text, name) and (pair := _page_parameter(_added_parameters(text, asked)))[0]
    }
    # The first page, the next and the last have one parameter, whose numbers tell together what they count.
    kinds = {paging_of(key, text, reply): key for key, text in pages.values()}
    tokens = {place: text for place, (_, text) in pages.items()}
    if paging := next((kind for kind in ("offset", "number") if kind in kinds), None):
        tokens, key = {}, kinds[paging]
        paginator.dialect.learn(paging=paging, page_parameter=key)
        if paging == "number" and reply.last_page is None:
            numbers = (text for each, text in pages.values() if each == key and NUMBER.fullmatch(text))
            reply.last_page = max(map(int, numbers))
    # A word for the next page without an address is the end, whatever token stands beside it.
    if not pages and "next" not in PAGE.of(reply.keys.values()):
        tokens = {
            place: text for place, text in texts.items() if TOKEN.search(place[-1]) and OPAQUE.fullmatch(text)
        }
    at = paginator.next_at if paginator.next_at in tokens else next(iter(tokens), None)
    if at is not None and (at == paginator.next_at or len(set(tokens.values())) == 1):
        paginator.next_at = at
        reply.next, reply.described = texts[at], True
        if not pages:
            reply.token = fold(at[-1])
            reply.keys.setdefault(reply.token, at[-1])


def _texts_beside(records_at: Path | None, body: Any) -> dict[Path, str]:
    """Return the texts beside the records of a reply, by the keys that lead to them."""
    at, nodes = records_at or (), walk(body, None)
    lists = [(place, each) for place, each in nodes if type(each) is list and place != at]
    nodes += [((*place, *path), each) for place, items in lists for path, each in walk(items, MOST_ITEMS)]
    return {
        place: each for place, each in nodes if isinstance(each, str) and (not at or place[: len(at)] != at)
    }


def linked_values(name: str, records_at: Path | None, body: Any) -> set[int]:
    """Return the numbers that addresses beside the records have for a filter, such as a template."""
    value = re.compile(rf"[?&]{name}=([0-9]{{1,9}})(?!\d)")
    return {int(found) for text in _texts_beside(records_at, body).values() for found in value.findall(text)}


def _is_of(text: str, name: str) -> bool:
    """Return whether a text is the address of a page of the list."""
    path, _, query = text.partition("?")
    return bool(query) and is_address(text) and (not path or path.rstrip("/").endswith(f"/{name}"))


def learn_paging(reply: ListReply, asked: Mapping[str, str], dialect: Dialect) -> None:
    """Learn the paging of the service from a first page, requested without a page parameter.

    Args:
        reply: The page.
        asked: The parameters that were sent.
        dialect: The response format to update.
    """
    if reply.last is not None and reply.last_page is None:
        name, text = _page_parameter(_added_parameters(reply.last, asked))
        reply.last_page = int(text) if paging_of(name, text, reply) == "number" else None
    next_page = reply.next if isinstance(reply.next, str) and not reply.token else None
    address = next_page or (None if reply.last_page == 1 else reply.last)
    if address is not None and None in {dialect.paging, dialect.page_parameter}:
        added = _added_parameters(address, asked)
        name, text = _page_parameter(added)
        sizes = (each for each in added if fold(each) in SIZE_NAMES and each != "per_page")
        paging = paging_of(name, text, reply) if name else None
        dialect.learn(
            paging=paging,
            page_parameter=name or None,
            first_page=min(int(text) - 1, 1) if paging == "number" and next_page else None,
            size_parameter=next(sizes, None),
        )
    # The link tells what the parameter takes, and the number of a page what it is called.
    if dialect.first_page is None and reply.current_page in {0, 1} and dialect.paging in {None, "number"}:
        dialect.learn(first_page=reply.current_page)


def _page_parameter(added: Mapping[str, str]) -> tuple[str, str]:
    """Return the parameter of the page; empty if there is none.

    Links repeat defaults that were not sent, such as ``sort=desc``, so that names decide, then numbers.
    """
    others = [
        (name, text)
        for name, text in added.items()
        if name not in PARAMETERS and fold(name) not in SIZE_NAMES
    ]

    def rank(pair: tuple[str, str]) -> tuple[bool, bool]:
        name, text = pair
        return not (TOKEN.search(name) or _is_offset(name) or PAGE_NAME.search(name)), not text.isdecimal()

    return min(others, key=rank, default=("", ""))


def _added_parameters(address: str, asked: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in _parameters_of(address).items() if text and asked.get(name) != text}


def _parameters_of(address: str, origin: str = "") -> dict[str, str]:
    """Return the parameters of an address; none if it cannot be parsed, or leads to another origin than a given one."""
    try:
        parts = urlsplit(re.sub(r"\{[^{}]*\}", "", address))
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=100))
    except ValueError:
        return {}
    own = urlsplit(origin)
    leads_elsewhere = origin and parts.netloc and (parts.scheme or own.scheme, parts.netloc) != own[:2]
    return {} if leads_elsewhere else parameters


def paging_of(name: str, text: str, reply: ListReply) -> Paging:
    """Return how a parameter is used, as its name and a value for the second page show it."""
    if TOKEN.search(name) or not NUMBER.fullmatch(text):
        return "cursor"
    if _is_offset(name):
        return "offset"
    if PAGE_NAME.search(name) or int(text) <= 2:
        return "number"
    return "offset" if int(text) == len(reply.records) else "cursor"


def _is_offset(name: str) -> bool:
    """Return whether a parameter is named as an offset, such as ``$skip`` and ``page[offset]``."""
    return any(
        word in OFFSET_NAMES or word.endswith("offset") for word in map(fold, re.findall(r"\w+", name)[-1:])
    )


def page_parameters(dialect: Dialect, index: int, size: int) -> dict[str, str]:
    """Return the parameters of a page by position, for services that page by number or offset; the first has none.

    Args:
        dialect: The response format.
        index: The position of the page, from 0.
        size: The number of records on a page.
    """
    counts_rows = dialect.paging == "offset"
    first = int(not counts_rows) if dialect.first_page is None else dialect.first_page
    parameters = {dialect.page_parameter or "page": str(first + index * (size if counts_rows else 1))}
    sizes = {dialect.size_parameter: str(size)} if dialect.size_parameter else {}
    return parameters | sizes if index else {}


def smaller_size(refused: ServiceError, size: Any) -> int | None:
    """Return the largest page size below a refused one that an error names, 0 for none; None for another error."""
    words = f"{refused.message} {refused.fields}"
    smaller = [number for number in map(int, SIZE.findall(words)) if 0 < number < int(size or 0)]
    return max(smaller, default=0) if size and SIZE_WORDS.search(words) else None


def next_parameters(reply: ListReply, asked: Mapping[str, str], dialect: Dialect) -> dict[str, str] | None:
    """Return the parameters of the next page, for services that page by a token; None at the end."""
    name, token = dialect.page_parameter or "cursor", ""
    if dialect.paging == "after":
        is_end = not reply.records or reply.more is False
        token = "" if is_end else str(reply.records[-1].get(dialect.id_key, ""))
    elif reply.next is not None:
        leads = is_address(str(reply.next)) and not reply.token
        token = _parameters_of(str(reply.next)).get(name, "") if leads else str(reply.next)
    return {name: token} if token and asked.get(name) != token else None


def link_parameters(reply: ListReply, origin: str) -> dict[str, str]:
    """Return the parameters of the link to the next page, unchanged; none if it leads elsewhere.

    Args:
        reply: The page.
        origin: The origin of the service; a link to another one is not used.
    """
    return _parameters_of(reply.next, origin) if isinstance(reply.next, str) and not reply.token else {}
