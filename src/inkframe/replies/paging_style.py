"""Paging styles: learned from a first page, then used to build parameters.

The address of the next page is not followed, since services omit filters from it, write http behind a proxy,
or name another host. Its additional parameters show how the service pages; requests are always built from the
address and parameters of the client.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from inkframe.replies.field_names import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.replies.dialect import Dialect, Paging
    from inkframe.replies.list_reply import ListReply

__all__ = ["candidates", "learn_paging", "next_parameters", "page_parameters"]

# Folded names.
OFFSET_NAMES: Final = frozenset({"offset", "skip", "start", "from", "startindex", "page[offset]"})
SIZE_NAMES: Final = frozenset({"perpage", "limit", "size", "pagesize", "top", "take", "count", "rows", "maxresults",
                               "page[size]", "page[limit]", "pagination[pagesize]", "pagination[limit]"})  # fmt: skip
TOKEN: Final = re.compile(r"cursor|after|token|marker|continu|since|before|bookmark", re.IGNORECASE)
#: Paging styles to try if a service does not show its own, the most likely first.
WAYS: Final[tuple[tuple[Paging, str], ...]] = (
    ("number", "page"),
    ("offset", "offset"),
    ("offset", "skip"),
    ("number", "_page"),
    ("after", "starting_after"),
    ("after", "after"),
    ("number", "page[number]"),
    ("number", "pagination[page]"),
    ("number", "pageNumber"),
)
#: Parameters for tokens.
TOKEN_NAMES: Final = ("cursor", "page_token", "pageToken", "next_token", "after", "page[cursor]", "starting_after",
                      "page", "token", "offset")  # fmt: skip


def learn_paging(reply: ListReply, asked: Mapping[str, str], dialect: Dialect) -> None:
    """Learn the paging of the service from a first page, requested without a page parameter.

    Args:
        reply: The page.
        asked: The parameters that were sent.
        dialect: The response format to update.
    """
    if dialect.paging is not None and dialect.page_parameter is not None:
        pass  # known from another page
    elif isinstance(reply.next, str) and not reply.token and _is_address(reply.next):
        _learn_from_address(reply.next, reply, asked, dialect)
    elif isinstance(reply.last, str) and reply.last_page != 1:
        _learn_from_address(reply.last, reply, asked, dialect, is_last=True)
    if dialect.paging in {None, "number"} and reply.current_page in {0, 1}:
        dialect.learn(first_page=reply.current_page)


def _is_address(text: str) -> bool:
    return "?" in text or text.startswith(("/", "http://", "https://"))


def _learn_from_address(
    address: str, reply: ListReply, asked: Mapping[str, str], dialect: Dialect, *, is_last: bool = False
) -> None:
    added = _added_parameters(address, asked)
    for name in added:
        if fold(name) in SIZE_NAMES and name != "per_page":
            dialect.learn(size_parameter=name)
    for name, text in added.items():
        if fold(name) in SIZE_NAMES:
            continue
        paging = _paging_of(name, text, reply)
        dialect.learn(paging=paging, page_parameter=name)
        if paging == "number" and not is_last and reply.current_page is None:
            dialect.learn(first_page=min(int(text) - 1, 1))
        return


def _added_parameters(address: str, asked: Mapping[str, str]) -> dict[str, str]:
    try:
        query = urlsplit(re.sub(r"\{[^}]*\}", "", address)).query
        pairs = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=100))
    except ValueError:
        return {}
    return {name: text for name, text in pairs.items() if asked.get(name) != text}


def _paging_of(name: str, text: str, reply: ListReply) -> Paging:
    if TOKEN.search(name):
        return "cursor"
    if not text.isdecimal():
        return "cursor"
    if fold(name) in OFFSET_NAMES:
        return "offset"
    if "page" in name.lower() or name in {"p", "pg"} or int(text) <= 2:
        return "number"
    return "offset" if int(text) == len(reply.records) else "cursor"


def candidates(reply: ListReply, dialect: Dialect) -> list[tuple[Paging, str]]:
    """Return the paging styles to try for a second page, the most likely first."""
    if dialect.page_parameter is not None:
        return [(dialect.paging or "number", dialect.page_parameter)]
    # A token named next_cursor or nextPageToken is sent as cursor or pageToken.
    own = (reply.token or "").removeprefix("next")
    names = sorted(TOKEN_NAMES, key=lambda name: fold(name) != own)
    tokens: list[tuple[Paging, str]] = [("cursor", name) for name in names]
    if dialect.paging is not None and dialect.paging != "none":
        return [way for way in (*WAYS, *tokens) if way[0] == dialect.paging]
    if reply.token or (
        isinstance(reply.next, str) and not _is_address(reply.next) and not reply.next.isdecimal()
    ):
        return [*tokens, *WAYS]
    likeliest: Paging = "number"
    if reply.offset is not None and reply.current_page is None:
        likeliest = "offset"
    elif reply.more and reply.current_page is None and reply.total is None and reply.next is None:
        likeliest = "after"
    elif reply.current_page is None:
        return [*WAYS]
    return sorted(WAYS, key=lambda way: way[0] != likeliest)


def page_parameters(dialect: Dialect, index: int, size: int) -> dict[str, str]:
    """Return the parameters of a page by position, for services that page by number or offset.

    Args:
        dialect: The response format.
        index: The position of the page, from 0.
        size: The number of records on a page.
    """
    name = dialect.page_parameter or "page"
    if dialect.paging == "offset":
        parameters = {name: str(index * size)}
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
        token = str(reply.records[-1].get(dialect.id_name or "id", ""))
    elif isinstance(reply.next, str | int):
        text = str(reply.next)
        leads = _is_address(text) and not reply.token
        token = _added_parameters(text, {**asked, name: ""}).get(name, "") if leads else text
    else:
        token = ""
    if not token or asked.get(name) == token:
        return None
    parameters = {name: token}
    if dialect.size_parameter and "per_page" in asked:
        parameters[dialect.size_parameter] = asked["per_page"]
    return parameters
