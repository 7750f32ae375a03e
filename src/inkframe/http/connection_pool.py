"""The connections to one service, each used by one request at a time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from inkframe.errors import InkframeError
from inkframe.http.cancellation import CancelScope
from inkframe.http.connection import Connection, open_transport, proxy_of, tls_context
from inkframe.http.forking import Forkable, on_fork

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx

    from inkframe.http.address import Address

__all__ = ["ConnectionPool"]


class ConnectionPool(Forkable):
    """The connections to one service; new ones are opened as needed.

    Args:
        address: The address of the service.
        transport: An httpx transport that is shared by all connections instead of the network.
        verify: Whether certificates are checked, or the context that checks them.
        in_process: Whether the service runs in this process.

    Attributes:
        scope: The scope of all requests.
        acquired: How often a connection was acquired.
    """

    def __init__(
        self,
        address: Address,
        transport: httpx.BaseTransport | None,
        *,
        verify: bool | SSLContext,
        in_process: bool,
    ) -> None:
        self.transport = transport
        self.verify = verify
        self.scope = CancelScope()
        self.acquired = 0
        self._address = address
        self._in_process = in_process
        self._lock = threading.Lock()
        self._free: list[Connection] = []
        #: Whether the connections belong to the parent of this process.
        self._inherited = False
        on_fork(self)

    def check_open(self) -> None:
        """Check that requests can be sent.

        Raises:
            InkframeError: The pool is closed, or belongs to the parent of this process.
        """
        if self.scope.cancelled:
            raise InkframeError("This client is closed.\nOpen a new one with ink.connect().")
        if self._inherited:
            raise InkframeError(
                "The transport of this client belongs to the parent of this forked process.\n"
                "Open a new client in this process."
            )

    def acquire(self) -> Connection:
        """Return a connection that no other request uses."""
        with self._lock:
            self.acquired += 1
            if self._free:
                return self._free.pop()
            if isinstance(self.verify, bool) and self.transport is None:
                self.verify = tls_context(self._address.scheme, verify=self.verify)
        if self.transport is not None:
            return Connection(self.transport)
        proxy = proxy_of(self._address.scheme, self._address.host)
        # A proxy needs the whole address.
        return Connection(open_transport(self.verify, proxy), self._address.origin if proxy is None else None)

    def release(self, connection: Connection) -> None:
        """Keep a connection for the next request."""
        with self._lock:
            self._free.append(connection)

    def discard(self, connection: Connection) -> None:
        """Close a connection whose state is unknown."""
        if self.transport is None:
            connection.transport.close()

    def after_fork(self, *, in_child: bool) -> None:
        """Open new connections in a child; replies on shared ones could reach the wrong process."""
        if not in_child:
            return
        # Another thread of the parent may have held the locks.
        self._lock = threading.Lock()
        if not self.scope.cancelled:
            self.scope = CancelScope()
        free, self._free = self._free, []
        for connection in free:
            self.discard(connection)
        # A service in process has no sockets; it opens its library anew.
        self._inherited = self.transport is not None and not self._in_process

    def close(self) -> None:
        """End all calls in progress and close every connection."""
        self.scope.cancel()
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.transport.close()
