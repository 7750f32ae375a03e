"""Requests as received, replies, and the faults of a reply."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl, unquote


@dataclass(frozen=True)
class SeenRequest:
    """A request as received, recorded for assertions.

    Args:
        method: ``GET``, ``POST`` and so on.
        origin: The requested scheme, host and port, such as ``https://service.test``.
        target: Path and query, still percent-encoded.
        headers: The headers by lower-case name.
        body: The body as received.
        time: The clock's time, in seconds.
        number: 1 for the first request to the service.
        fault: The name of its fault, or ``""``.
    """

    method: str
    origin: str
    target: str
    headers: dict = field(repr=False)
    body: bytes = field(default=b"", repr=False)
    time: float = 0.0
    number: int = 0
    fault: str = ""

    @cached_property
    def path(self):
        """The path without the query, still percent-encoded."""
        return self.target.partition("?")[0]

    @cached_property
    def segments(self):
        """The parts of the path, decoded one by one."""
        return tuple(unquote(part) for part in self.path.strip("/").split("/"))

    @cached_property
    def pairs(self):
        """The query's names and values in order."""
        return tuple(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @cached_property
    def query(self):
        """The query as a dictionary; the last value of a repeated name counts."""
        return dict(self.pairs)

    @cached_property
    def form(self):
        """The urlencoded body as a dictionary; empty for any other type of body."""
        if self.content_type != "application/x-www-form-urlencoded":
            return {}
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @cached_property
    def content_type(self):
        """The type of the body without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def wants_json(self):
        """Whether the first accepted type is JSON, which Laravel checks."""
        first = self.headers.get("accept", "").partition(",")[0]
        return "/json" in first or "+json" in first


NO_CONTENT = 204
PAGE_EXPIRED = 419


@dataclass(frozen=True)
class Reply:
    """A reply.

    Args:
        status: The HTTP status.
        headers: Names and values; a name may appear twice.
        body: The body as sent, compressed or not.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def reason(self):
        """The reason phrase of the status."""
        return phrase(self.status)

    def length(self, *, endless=False):
        """Return the header for the length of the body; a 204 has no body."""
        if endless:
            return (("Transfer-Encoding", "chunked"),)
        return () if self.status == NO_CONTENT else (("Content-Length", str(len(self.body))),)

    def plus(self, **headers):
        """Return the reply with more headers; ``_`` in a name becomes ``-``."""
        more = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        return replace(self, headers=self.headers + more)

    def carrying(self, body, content_type=None):
        """Return the reply with another body, and another type if given."""
        if content_type is None:
            return replace(self, body=body)
        kept = tuple(pair for pair in self.headers if pair[0].lower() != "content-type")
        return replace(self, body=body, headers=(*kept, ("Content-Type", content_type)))


Break: TypeAlias = Literal[
    "", "refused", "connect timeout", "reset", "closed", "reset in body", "closed in body"
]


@dataclass(frozen=True, eq=False)
class Fault:
    """A fault of one request.

    Args:
        name: Its name in ``FAULTS``, and in ``SeenRequest.fault``.
        about: The description.
        handled: Whether the service handles the request before the fault: a create has happened then.
        status: A status to reply with, in the error form of the dialect.
        headers: Headers to add, such as ``{"Retry-After": "2"}``.
        retry_date: Seconds from now for Retry-After as a date; negative for the past.
        delay: Seconds before the reply starts.
        header_drip: Seconds for each byte of the headers.
        drip: Seconds for each byte of the body.
        breaks: How the connection ends: ``refused`` or ``connect timeout`` before the request is received;
            ``reset`` or ``closed`` before the reply starts; ``reset in body`` or ``closed in body`` halfway
            through.
        spoil: A function that changes the reply.
        endless: Whether the body never ends.
        dialect: The name of another dialect for the reply.
    """

    name: str
    about: str = ""
    handled: bool = True
    status: int | None = None
    headers: dict = field(default_factory=dict)
    retry_date: float | None = None
    delay: float = 0.0
    header_drip: float = 0.0
    drip: float = 0.0
    breaks: Break = ""
    spoil: Any = None
    endless: bool = False
    dialect: str | None = None


def phrase(status):
    """Return the reason phrase of a status, known or not."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Page Expired" if status == PAGE_EXPIRED else "Unknown"


def json_reply(
    status,
    value,
    headers=None,
    *,
    content_type="application/json",
    ascii_only=False,
):
    """Return a reply with a value as JSON."""
    body = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")).encode()
    return Reply(status, (("Content-Type", content_type), *(headers or {}).items()), body)


def html_reply(status, title, headers=None):
    """Return a reply with an HTML page, as from proxies and web frameworks."""
    page = (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n"
        f"<body><center><h1>{title}</h1></center><hr><center>gateway</center></body></html>\n"
    )
    return Reply(
        status, (("Content-Type", "text/html; charset=utf-8"), *(headers or {}).items()), page.encode()
    )
