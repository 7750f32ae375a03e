"""Text from a service, cleaned for errors: one short line without the key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inkframe.http.key import Key

__all__ = ["foreign_text", "plain_text"]

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
#: The maximum number of characters of a text that are read.
READ: Final = 4096


def foreign_text(text: str, key: Key, length: int = 500) -> str:
    """Return text from a service as one line that is safe to print, without any part of the key."""
    return plain_text(key.redact(text[:READ]), length)


def plain_text(text: str, length: int = 500) -> str:
    """Return a text as one short line that is safe to print, without control or direction characters."""
    line = " ".join(CONTROL.sub(" ", text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
