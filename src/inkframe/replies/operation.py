"""Operations: the resources by which a service reports the progress of a create."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urljoin, urlsplit

from inkframe.replies.fields import FILE, SELF_NAMES, linked_id, links_of, objects_in
from inkframe.replies.values import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe.http.address import Address
    from inkframe.http.body import Response
    from inkframe.schema import ResourceSpec

__all__ = [
    "State",
    "has_state",
    "linked_ids",
    "state_of",
    "status_place",
]

State = Literal["pending", "done", "failed"]
#: The headers with the address of an operation, the most specific first.
HEADERS: Final = ("operation-location", "azure-asyncoperation", "location")
#: Words in the keys of links to an operation.
WORDS: Final = frozenset({"status", "monitor", "operation", "job", "task", "poll", "polling", "progress"})
LINK_HEADER: Final = re.compile(r"<([^<>]*)>[^<>,]*;\s*rel=\"?(?:monitor|status)\b", re.IGNORECASE)
#: The keys of the state of an operation, and its values.
STATES: Final = ("status", "state", "phase", "stage")
DONE: Final = frozenset({"succeeded", "success", "successful", "completed", "complete", "done", "finished", "ready", "ok",
                         "created", "available"})  # fmt: skip
FAILED: Final = frozenset({"failed", "failure", "fail", "error", "errored", "canceled", "cancelled", "rejected",
                           "expired", "aborted", "timeout", "timedout"})  # fmt: skip


def linked_ids(response: Response, spec: ResourceSpec) -> list[int | str]:
    """Return the ids of the records that a reply links to, that of its header ``Location`` first."""
    found = [linked_id(response.headers.get("location"), spec)]
    for _, each in objects_in(response.value):
        found += [linked_id(_address(value), spec) for value in each.values()]
    return list(dict.fromkeys(id for id in found if id is not None))


def status_place(response: Response, address: Address, spec: ResourceSpec) -> tuple[str, str] | None:
    """Return the path and the query of the operation that a reply leads to; None if there is none.

    Links to another host are ignored, since the key is sent with the request.
    """
    here = f"{address.origin}{address.root}/{spec.name}"
    for link in _links(response):
        try:
            target = urlsplit(urljoin(here, link))
        except ValueError:
            continue
        url = target._replace(fragment="").geturl()
        if FILE.search(target.path):
            continue  # the picture
        if address.holds(url) and url.rstrip("/") != here and linked_id(url, spec) is None:
            return target.path, target.query
    return None


def _links(response: Response) -> Iterator[str]:
    for name in HEADERS:
        if response.headers.get(name):
            yield response.headers[name]
    yield from LINK_HEADER.findall(response.headers.get("link", ""))
    objects = [each for _, each in objects_in(response.value)]
    for each in objects:
        places = [*(links_of(each.get(name)) for name in ("_links", "links")), each]
        for place in places:
            named = (_address(value) for key, value in place.items() if WORDS & words_of(str(key)))
            yield from (link for link in named if link is not None)
    for each in objects:
        folded = {fold(str(key)): value for key, value in each.items()}
        own = (_address(folded.get(fold(name))) for name in SELF_NAMES)
        yield from (link for link in own if link is not None)


def _address(value: Any) -> str | None:
    """Return a link, or the address in an object of one."""
    link = value.get("href") if isinstance(value, dict) else value
    return link if isinstance(link, str) and link.startswith(("/", "http://", "https://")) else None


def state_of(response: Response) -> State:
    """Return the state of an operation; one without a state is pending if its status is 202."""
    states = (_state(each) for _, each in objects_in(response.value))
    without: State = "pending" if response.status == 202 else "done"
    return next((state for state in states if state is not None), without)


def has_state(value: dict[str, Any]) -> bool:
    """Return whether an object has a state, as an operation does."""
    return _state(value) is not None


def _state(value: dict[str, Any]) -> State | None:
    for key, inner in value.items():
        name = fold(str(key))
        if name == "done" and isinstance(inner, bool):
            return "pending" if not inner else "failed" if value.get("error") else "done"
        if name in STATES and isinstance(inner, str):
            word = fold(inner)
            return "failed" if word in FAILED else "done" if word in DONE else "pending"
    return None
