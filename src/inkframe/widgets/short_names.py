"""Shorten names so that different ones stay different."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from inkframe.display.markup import cut

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["short_names"]

#: The fewest characters in which names differ visibly.
LEAST: Final = 9


def short_names(names: Iterable[str], limit: int) -> dict[str, str]:
    """Return a short form of at most ``limit`` characters by name.

    Names that would look the same lose what they have in common in the middle instead of what makes them different:
    ``A quiet harbor at dawn, 1`` and ``…, 2`` become ``A quiet…1`` and ``A quiet…2``.

    Args:
        names: The names; repeated ones count once.
        limit: The maximum number of characters.
    """
    short = {name: cut(name, limit) for name in names}
    same: dict[str, list[str]] = defaultdict(list)
    for name, form in short.items():
        same[form].append(name)
    for group in same.values():
        head = group[0][: limit // 3].rstrip() + "…"
        if len(group) > 1 and limit - len(head) >= LEAST // 2:
            shared = _common_start(min(group), max(group))
            start = shared.rfind(" ") + 1 or len(shared)
            rests = short_names([name[start:] for name in group], limit - len(head))
            short |= {name: head + rests[name[start:]] for name in group}
    return short


def _common_start(one: str, other: str) -> str:
    pairs = enumerate(zip(one, other, strict=False))
    return one[: next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))]
