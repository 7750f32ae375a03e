"""One answer of a service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Response"]


@dataclass(frozen=True, slots=True)
class Response:
    """A reply that was read whole.

    Args:
        status: The HTTP status.
        headers: The headers by their names in lower case.
        body: The unpacked bytes.
        value: The JSON in the body, or None where there is none.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    value: Any = None
