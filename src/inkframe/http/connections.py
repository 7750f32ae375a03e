"""Deadlines and cancellation, by shutting down the sockets in use.

A read timeout alone does not end a reply that arrives byte by byte, since each byte restarts it. Closing a
client does not wake blocked readers. Shutting down the socket ends both at once.
"""

from __future__ import annotations

import heapq
import itertools
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from inkframe.http.forking import Forkable, on_fork

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Socket", "watch"]

#: Seconds without work after which the thread ends.
LINGER: Final = 0.05
#: Trace events of httpcore after which a stream is available.
CONNECTED: Final = frozenset(
    f"{stage}.complete"
    for stage in ("connection.connect_tcp", "connection.connect_unix_socket", "connection.start_tls",
                  "proxy.start_tls", "proxy.stream")
)  # fmt: skip


class Socket:
    """The socket that a connection uses, found through the trace extension of httpx."""

    __slots__ = ("_socket", "cut")

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self.cut = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Store the socket when a connection is opened."""
        if event in CONNECTED:
            found = info["return_value"].get_extra_info("socket")
            self._socket = found if isinstance(found, socket.socket) else None
            if self.cut:
                self.shut_down()

    def shut_down(self) -> None:
        """End every wait on the socket, from any thread."""
        self.cut = True
        if self._socket is not None:
            with suppress(OSError):  # the peer may have closed it already
                # The plain method, since a TLS socket would send close_notify and wait for the answer.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Watch(Forkable):
    """The sockets in use, ordered by the time at which they are shut down."""

    def __init__(self) -> None:
        self._start()
        on_fork(self)

    def _start(self) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Socket]] = []
        self._open: dict[int, float] = {}
        self._number = itertools.count()
        self._thread: threading.Thread | None = None

    def after_fork(self, *, in_child: bool) -> None:
        if in_child:  # where this thread is the only one
            self._start()

    def add(self, used: Socket, seconds: float) -> int:
        due = time.monotonic() + seconds
        with self._changed:
            number = next(self._number)
            earliest = not self._due or due < self._due[0][0]
            heapq.heappush(self._due, (due, number, used))
            self._open[number] = due
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="inkframe-deadlines", daemon=True)
                self._thread.start()
            elif earliest:
                self._changed.notify()
        return number

    def remove(self, number: int) -> None:
        with self._changed:
            self._open.pop(number, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                while self._due and self._due[0][1] not in self._open:
                    heapq.heappop(self._due)
                if not self._due:
                    self._changed.wait(LINGER)
                    if not self._due:
                        self._thread = None
                        return
                    continue
                due, number, used = self._due[0]
                remaining = due - time.monotonic()
                if remaining > 0:
                    self._changed.wait(min(remaining, LINGER))
                    continue
                self._open.pop(number, None)
                used.shut_down()


_watch = _Watch()


class watch:  # noqa: N801  # used as a statement
    """Shut a socket down unless the block ends within the given seconds."""

    __slots__ = ("_number", "_seconds", "_used")

    def __init__(self, used: Socket, seconds: float) -> None:
        self._used = used
        self._seconds = seconds

    def __enter__(self) -> None:
        self._number = _watch.add(self._used, self._seconds)

    def __exit__(self, *failure: object) -> None:
        _watch.remove(self._number)
