"""How complete a listing is, and the proof that it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["Completeness", "Level"]

Level = Literal["page", "exact", "verified", "best-effort"]

ORDER: Final = ("page", "exact", "verified", "best-effort")


@dataclass(slots=True)
class Completeness:
    """How complete a listing is.

    Args:
        level: ``exact``, ``verified`` or ``best-effort``; ``page`` for a single page.
        reasons: Why it is no better than that.
        total: How many records there are, where the service says so.
    """

    level: Level = "exact"
    reasons: list[str] = field(default_factory=list)
    total: int | None = None

    def lower(self, level: Level, reason: str) -> None:
        """Add a reason why the listing is less certain."""
        self.level = max(self.level, level, key=ORDER.index)
        if reason not in self.reasons:
            self.reasons.append(reason)

    def add(self, other: Completeness) -> None:
        """Take the reasons of another listing, whose records belong to the same frame."""
        if other.total is None:
            self.total = None
        for reason in other.reasons:
            self.lower(other.level, reason)
