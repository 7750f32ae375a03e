"""The name that was probably meant."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["nearest"]

#: The least similarity of a misspelled name, 0 to 1.
CLOSE: Final = 0.6


def nearest(value: object, candidates: Iterable[str]) -> str | None:
    """Return the candidate that looks most like the value, where one does; of equal ones the first."""
    known = {candidate.casefold(): candidate for candidate in candidates}
    word = str(value).casefold()
    for spelling in (word.replace(" ", "_"), word):
        closeness = {each: SequenceMatcher(None, each, spelling).ratio() for each in known}
        close = max(closeness, key=closeness.__getitem__, default="")
        if closeness.get(close, 0) >= CLOSE:
            return known[close]
    return None
