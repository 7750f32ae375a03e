"""Cancellation: shut down the connections of one piece of work together, from any thread."""

from __future__ import annotations

import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, TypeVar

from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CancelScope", "Cancelled"]

Job = TypeVar("Job")
Result = TypeVar("Result")


class Cancelled(InkframeError):
    """A call was cancelled before anything was sent, or while it waited to be sent again."""


class _Connection(Protocol):
    def shut_down(self) -> None: ...


class CancelScope:
    """The connections of one piece of work, so that another thread can cancel it.

    Args:
        stop: Once set, no create is sent any more; those under way are not cancelled, since they are billed.
    """

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._cancelled = threading.Event()
        self._used: set[_Connection] = set()

    @staticmethod
    def current() -> CancelScope | None:
        """Return the scope of the job that runs in this thread, if there is one."""
        return _current.get()

    @property
    def cancelled(self) -> bool:
        """Whether the work was cancelled."""
        return self._cancelled.is_set()

    def refuses(self, method: str) -> bool:
        """Return whether a request with this method must not be sent any more."""
        return self.cancelled or (method == "POST" and self._stop.is_set())

    def call(self, work: Callable[[Job], Result], job: Job) -> Result:
        """Call a function whose requests belong to this scope."""
        outer = _current.set(self)
        try:
            return work(job)
        finally:
            _current.reset(outer)

    def enter(self, connection: _Connection) -> None:
        """Add a connection that is in use."""
        self._used.add(connection)
        if self._cancelled.is_set():
            connection.shut_down()

    def leave(self, connection: _Connection) -> None:
        """Remove a connection that is no longer in use."""
        self._used.discard(connection)

    def cancel(self) -> None:
        """Shut down all connections in use, and each one that is added later."""
        self._cancelled.set()
        for connection in self._used.copy():
            connection.shut_down()

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or until the scope is cancelled."""
        self._cancelled.wait(seconds)


_current: ContextVar[CancelScope | None] = ContextVar("inkframe_cancel_scope", default=None)
