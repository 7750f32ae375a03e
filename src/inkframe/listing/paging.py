"""Paging styles: learned from a first page, then used to build parameters.

The address of the next page is not followed, since services omit filters from it, write http behind a proxy,
or name another host. Its additional parameters show how the service pages; requests are always built from the
address and parameters of the client.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from inkframe.replies.dialect import Paging
from inkframe.replies.field_names import fold
from inkframe.replies.page_description import CURRENT_PAGES, OFFSETS, is_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.replies.dialect import Dialect
    from inkframe.replies.list_reply import ListReply

__all__ = [
    "Way",
    "candidates",
    "learn_paging",
    "link_parameters",
    "next_parameters",
    "page_parameters",
    "paging_by",
]

#: How pages are requested, and by which parameter.
Way = tuple[Paging, str]

# Folded names.
OFFSET_NAMES: Final = frozenset({*OFFSETS, "from"})
SIZE_NAMES: Final = frozenset({"perpage", "limit", "size", "pagesize", "top", "take", "count", "rows", "maxresults",
                               "page[size]", "page[limit]", "pagination[pagesize]", "pagination[limit]"})  # fmt: skip
TOKEN: Final = re.compile(r"cursor|after|token|marker|continu|since|before|bookmark", re.IGNORECASE)
#: The parameters that known envelopes take, by the folded keys that distinguish them.
PAIRINGS: Final[tuple[tuple[frozenset[str], Paging, str], ...]] = (
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
USUAL: Final[tuple[Way, ...]] = (
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
SHORTENED: Final = frozenset({"nextpagetoken", "nextcursor", "nextpage"})
WORD: Final = re.compile(r"\w+")
NEXT: Final = re.compile(r"^next[_-]?(.)", re.IGNORECASE)


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
    if dialect.paging is not None and dialect.page_parameter is not None:
        pass  # known from another page
    elif isinstance(reply.next, str) and not reply.token:
        _learn_from_address(reply.next, reply, asked, dialect)
    elif isinstance(reply.last, str) and reply.last_page != 1:
        _learn_from_address(reply.last, reply, asked, dialect, is_last=True)
    if dialect.paging in {None, "number"} and reply.current_page in {0, 1}:
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
        query = urlsplit(re.sub(r"\{[^}]*\}", "", address)).query
        pairs = dict(parse_qsl(query, max_num_fields=100))
    except ValueError:
        return {}
    return {name: text for name, text in pairs.items() if asked.get(name) != text}


def _paging_of(name: str, text: str, reply: ListReply) -> Paging:
    if TOKEN.search(name) or not text.isdecimal():
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


def candidates(reply: ListReply, dialect: Dialect) -> list[Way]:
    """Return the parameters to try for a second page, the most likely first.

    The parameter that the envelope is known for comes first, then the names that the reply itself uses, then the
    usual ones.
    """
    has_token = _has_token(reply)
    has_place = has_token or reply.current_page is not None
    paired: list[Way] = [
        (paging, name)
        for keys, paging, name in PAIRINGS
        if keys <= reply.keys.keys() and not (paging == "offset" and has_place)
    ]
    tokens: list[Way] = [("cursor", name) for name in TOKEN_NAMES] if has_token else []
    ways = [*paired[:1], *_own_names(reply), *tokens, *sorted(USUAL, key=lambda way: _rank(way, reply))]
    known = dialect.paging not in {None, "none"}
    fitting = [
        (paging, name)
        for paging, name in ways
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
    return next((paging for paging, usual in USUAL if usual == name), named)


def _rank(way: Way, reply: ListReply) -> bool:
    """Return whether another kind of parameter is likelier than this one."""
    paging = way[0]
    if reply.current_page is not None:
        return paging != "number"
    if reply.offset is not None:
        return paging != "offset"
    leads_on = bool(reply.more) and reply.total is None and reply.next is None
    return leads_on and paging != "after"


def _own_names(reply: ListReply) -> list[Way]:
    """Return the parameters that the reply itself names, in its spelling."""
    own: list[Way] = []
    if reply.token in reply.keys:
        name = reply.keys[reply.token]
        short = NEXT.sub(lambda found: found[1].lower() if name[0].islower() else found[1], name)
        own += (
            [("cursor", short), ("cursor", name)]
            if reply.token in SHORTENED
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
        parts = urlsplit(re.sub(r"\{[^}]*\}", "", reply.next))
        own = urlsplit(origin)
        is_own = not parts.netloc or (parts.scheme or own.scheme, parts.netloc) == own[:2]
        return dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=100)) if is_own else {}
    except ValueError:
        return {}
