"""The name that was probably meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["nearest"]


def nearest(value: object, candidates: Iterable[str]) -> str | None:
    """Return the candidate that looks most like the value, where one does."""
    known = {candidate.casefold(): candidate for candidate in candidates}
    close = get_close_matches(str(value).casefold().replace(" ", "_"), known, n=1, cutoff=0.6)
    close = close or get_close_matches(str(value).casefold(), known, n=1, cutoff=0.6)
    return known[close[0]] if close else None
