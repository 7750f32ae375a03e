"""What the service saw of a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SeenRequest"]


@dataclass(frozen=True)
class SeenRequest:
    """One request as it arrived, kept for assertions.

    Args:
        method: ``GET``, ``POST`` and so on.
        origin: Scheme, host and port that were asked, such as ``https://service.test``.
        target: Path and query, still percent-encoded.
        headers: The headers by lower-case name.
        body: The body as it came.
        time: The clock's reading, in seconds.
        number: 1 for the first request the service ever saw.
        fault: The name of the fault it met, ``""`` where it met none.
    """

    method: str
    origin: str
    target: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(default=b"", repr=False)
    time: float = 0.0
    number: int = 0
    fault: str = ""

    @cached_property
    def path(self) -> str:
        """The path without the query, still percent-encoded."""
        return self.target.partition("?")[0]

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The parts of the path, decoded one by one."""
        return tuple(unquote(part) for part in self.path.strip("/").split("/"))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The query's names and values in the order they came."""
        return tuple(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @cached_property
    def query(self) -> dict[str, str]:
        """The query as a dictionary; of a repeated name the last value counts."""
        return dict(self.pairs)

    @cached_property
    def form(self) -> dict[str, str]:
        """The urlencoded body as a dictionary; empty for any other type of body."""
        if self.content_type != "application/x-www-form-urlencoded":
            return {}
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @cached_property
    def content_type(self) -> str:
        """The type of the body without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def wants_json(self) -> bool:
        """Whether the first type it accepts is JSON, which is what Laravel asks."""
        first = self.headers.get("accept", "").partition(",")[0]
        return "/json" in first or "+json" in first
