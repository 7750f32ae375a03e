"""The completeness of a listing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["Completeness", "Level"]

Level = Literal["page", "exact", "verified", "best-effort"]

ORDER: Final = ("page", "exact", "verified", "best-effort")


@dataclass(slots=True)
class Completeness:
    """The completeness of a listing.

    Args:
        level: ``exact``, ``verified`` or ``best-effort``; ``page`` for a single page.
        reasons: The reasons for the level.
        total: The number of records, if the service reports it.
    """

    level: Level = "exact"
    reasons: list[str] = field(default_factory=list)
    total: int | None = None

    def lower(self, level: Level, reason: str) -> None:
        """Lower the level for a reason."""
        self.level = max(self.level, level, key=ORDER.index)
        if reason not in self.reasons:
            self.reasons.append(reason)

    def add(self, other: Completeness) -> None:
        """Add the reasons of another listing whose records belong to the same frame."""
        if other.total is None:
            self.total = None
        for reason in other.reasons:
            self.lower(other.level, reason)
