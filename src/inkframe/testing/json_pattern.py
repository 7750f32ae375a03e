"""JSON written down as a pattern, so that the shape of a reply is data and not code.

A text that begins with ``$`` stands for the value of that name, as a value or as a key. A key that ends
with ``?`` is left out where its value is None. All else stands for itself::

    {"$collection": "$rows", "meta": {"total": "$total", "next?": "$next_url"}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

__all__ = ["LookUp", "Pattern", "fill"]

#: JSON with ``$names`` in it.
Pattern: TypeAlias = Any
#: Gives the value of a name.
LookUp: TypeAlias = Callable[[str], Any]


def fill(pattern: Pattern, look_up: LookUp) -> Any:
    """Give the pattern with every ``$name`` replaced by its value."""
    if isinstance(pattern, str):
        return look_up(pattern[1:]) if pattern.startswith("$") else pattern
    if isinstance(pattern, Mapping):
        filled: dict[str, Any] = {}
        for key, part in pattern.items():
            value = fill(part, look_up)
            if value is not None or not key.endswith("?"):
                filled[fill(key.removesuffix("?"), look_up)] = value
        return filled
    if isinstance(pattern, list | tuple):
        return [fill(part, look_up) for part in pattern]
    return pattern
