"""Arguments encoded for queries and forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, quote_plus

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Form", "encode_form", "encode_query", "wire_text"]

#: The longest query in bytes; servers and proxies accept 4 to 8 kB.
LONGEST_QUERY: Final = 4000

Parameter = str | int | float | bool


def wire_text(value: Parameter) -> str:
    """Return a value as text for a request; booleans are ``1`` and ``0``.

    Every known service reads ``1`` and ``0`` as booleans; some reject ``true`` and ``false``.
    """
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def encode_query(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    """Return the query of a URL.

    Raises:
        InvalidArgument: The query is longer than servers accept, or contains half of a surrogate pair.
    """
    text = _encode(parameters)
    if len(text) > LONGEST_QUERY:
        raise InvalidArgument(
            f"The query must have at most {LONGEST_QUERY:,} bytes, got {len(text):,}.\n"
            "Search for a shorter text."
        )
    return text


@dataclass(frozen=True, slots=True)
class Form:
    """The body of a write, the same in every try.

    Args:
        content: The encoded fields.
        key: The ``Idempotency-Key``, by which a service recognizes another try of the same create.
    """

    content: bytes
    key: str | None = None


def encode_form(fields: Mapping[str, Parameter], key: str | None = None) -> Form:
    """Return a form.

    Args:
        fields: The fields.
        key: The ``Idempotency-Key`` of a create.

    Raises:
        InvalidArgument: A text contains half of a surrogate pair, which cannot be encoded.
    """
    return Form(_encode(fields).encode("ascii"), key)


def _encode(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    pairs = parameters.items() if hasattr(parameters, "items") else parameters
    try:
        return "&".join(f"{quote(name, safe='[]$')}={quote_plus(wire_text(value))}" for name, value in pairs)
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"The text contains {error.object[error.start]!a}, which cannot be sent.\n"
            "Remove it; it is half of a surrogate pair."
        ) from None
