"""One reply of a service."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Response"]


@dataclass(frozen=True, slots=True)
class Response:
    """A complete reply. Its repr has no text of the service, which may be long or contain the key.

    Args:
        status: The HTTP status.
        headers: The headers by lower-case name.
        body: The decompressed bytes.
        value: The JSON in the body, or None if there is none.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    value: Any = field(default=None, repr=False)
