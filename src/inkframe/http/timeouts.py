"""The timeouts of the calls to a service."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Timeouts"]


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The timeouts in seconds.

    Args:
        connect: For opening a connection.
        read: For a list, fetch, update or delete, including retries.
        create: For a create, since generating takes longer.
    """

    connect: float = 5
    read: float = 30
    create: float = 180
