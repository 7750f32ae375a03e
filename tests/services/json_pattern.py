"""JSON patterns, so that the shape of a reply is data and not code.

A text that starts with ``$`` is replaced by the value of that name, as a value or as a key. A key that ends
with ``?`` is omitted if its value is None. Everything else is literal::

    {"$collection": "$rows", "meta": {"total": "$total", "next?": "$next_url"}}
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

#: JSON with ``$names`` in it.
Pattern: TypeAlias = Any
#: A function that returns the value of a name.
LookUp: TypeAlias = Callable[[str], Any]


def fill(pattern, look_up):
    """Return the pattern with every ``$name`` replaced by its value."""
    if isinstance(pattern, str):
        return look_up(pattern[1:]) if pattern.startswith("$") else pattern
    if isinstance(pattern, Mapping):
        filled = {}
        for key, part in pattern.items():
            value = fill(part, look_up)
            if value is not None or not key.endswith("?"):
                filled[fill(key.removesuffix("?"), look_up)] = value
        return filled
    if isinstance(pattern, list | tuple):
        return [fill(part, look_up) for part in pattern]
    return pattern
