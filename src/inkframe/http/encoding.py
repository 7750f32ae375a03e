"""Arguments as text on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote, quote_plus

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["encode_form", "encode_query", "wire_text"]

#: The longest query in bytes; servers and proxies cut off at 4 to 8 kB.
LONGEST_QUERY: Final = 4000

Parameter = str | int | float | bool


def wire_text(value: Parameter) -> str:
    """Give a value as the interface writes it; booleans are ``1`` and ``0``.

    Every server dialect known reads ``1`` and ``0`` as booleans; some refuse ``true`` and ``false``.
    """
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def encode_query(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    """Give the query of a URL.

    Raises:
        InvalidArgument: The query is longer than servers take, or holds half a surrogate pair.
    """
    text = _encode(parameters)
    if len(text) > LONGEST_QUERY:
        raise InvalidArgument(
            f"The search makes an address of {len(text):,} bytes; servers take {LONGEST_QUERY:,}.\n"
            "Search for a shorter text."
        )
    return text


def encode_form(fields: Mapping[str, Parameter]) -> bytes:
    """Give the body of a form.

    Raises:
        InvalidArgument: A text holds half a surrogate pair, which no encoding can carry.
    """
    return _encode(fields).encode("ascii")


def _encode(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    pairs = parameters.items() if hasattr(parameters, "items") else parameters
    try:
        return "&".join(f"{quote(name, safe='[]$')}={quote_plus(wire_text(value))}" for name, value in pairs)
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"The text holds a character that cannot be sent: {error.object[error.start]!a}.\n"
            "It is half of a surrogate pair; remove it."
        ) from None
