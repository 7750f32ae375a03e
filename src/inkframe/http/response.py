"""One reply of a service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Response"]


@dataclass(frozen=True, slots=True)
class Response:
    """A complete reply.

    Args:
        status: The HTTP status.
        headers: The headers by lower-case name.
        body: The decompressed bytes.
        value: The JSON in the body, or None if there is none.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    value: Any = None
