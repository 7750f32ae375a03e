"""Lookup of named entries."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from inkframe import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["look_up"]

Entry = TypeVar("Entry")


def look_up(table: Mapping[str, Entry], name: str, noun: str) -> Entry:
    """Return the entry with a name.

    Args:
        table: Entries by name.
        name: The name to look up.
        noun: The noun for an entry.

    Raises:
        InvalidArgument: There is none; the message has the nearest name, else all.
    """
    if name not in table:
        close = get_close_matches(name, table, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(table)}."
        raise InvalidArgument(f"There is no {noun} {name!r}.\n{hint}")
    return table[name]
