"""What the service answers, before anything happens to it on the way."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Reply", "html_reply", "json_reply", "phrase"]

NO_CONTENT: Final = 204
PAGE_EXPIRED: Final = 419


@dataclass(frozen=True)
class Reply:
    """A reply.

    Args:
        status: The HTTP status.
        headers: Names and values; a name may stand twice.
        body: The body as it travels, packed or not.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def reason(self) -> str:
        """The words that belong to the status."""
        return phrase(self.status)

    def length(self, *, endless: bool = False) -> tuple[tuple[str, str], ...]:
        """Give the header that says how the end of the body is found; a 204 has no body."""
        if endless:
            return (("Transfer-Encoding", "chunked"),)
        return () if self.status == NO_CONTENT else (("Content-Length", str(len(self.body))),)

    def plus(self, **headers: str) -> Reply:
        """Give the reply with more headers; ``_`` in a name stands for ``-``."""
        more = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        return replace(self, headers=self.headers + more)

    def carrying(self, body: bytes, content_type: str | None = None) -> Reply:
        """Give the reply with another body, and another type where one is given."""
        if content_type is None:
            return replace(self, body=body)
        kept = tuple(pair for pair in self.headers if pair[0].lower() != "content-type")
        return replace(self, body=body, headers=(*kept, ("Content-Type", content_type)))


def phrase(status: int) -> str:
    """Give the words for a status, known or not."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Page Expired" if status == PAGE_EXPIRED else "Unknown"


def json_reply(
    status: int,
    value: Any,
    headers: Mapping[str, str] | None = None,
    *,
    content_type: str = "application/json",
    ascii_only: bool = False,
) -> Reply:
    """Give a reply that carries a value as JSON."""
    body = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")).encode()
    return Reply(status, (("Content-Type", content_type), *(headers or {}).items()), body)


def html_reply(status: int, title: str, headers: Mapping[str, str] | None = None) -> Reply:
    """Give a reply that is a page for people, as proxies and web frameworks send them."""
    page = (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n"
        f"<body><center><h1>{title}</h1></center><hr><center>gateway</center></body></html>\n"
    )
    return Reply(
        status, (("Content-Type", "text/html; charset=utf-8"), *(headers or {}).items()), page.encode()
    )
