"""The connections to one service, each used by one request at a time, and how they are cut.

A read timeout alone does not end a reply that arrives byte by byte, since each byte restarts it. Closing a
client does not wake blocked readers. Shutting down the socket ends both at once.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.request import getproxies, proxy_bypass

import httpx

from inkframe.errors import ConfigurationError, InkframeError
from inkframe.system.processes import Forkable, on_fork
from inkframe.system.public_address import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from ssl import SSLContext

    from inkframe.http.address import Address

__all__ = [
    "CancelScope",
    "Cancelled",
    "Connection",
    "ConnectionPool",
    "Socket",
    "open_transport",
    "proxy_of",
    "tls_context",
    "watch",
]

#: Paths and queries that httpx sends as they are.
PLAIN: Final = re.compile(r"(?:/[\w~%-]+)+/?(?:\?[\w.~&=+%-]*)?", re.ASCII)

#: The last addresses, since httpx takes as long to parse one as for the rest of a request.
_parsed: Final = lru_cache(maxsize=64)(httpx.URL)
Given = TypeVar("Given")
Found = TypeVar("Found")
#: Seconds after which the thread looks again, and without work ends.
LINGER: Final = 0.05
#: Trace events of httpcore after which a stream is available.
CONNECTED: Final = frozenset(
    f"{stage}.complete"
    for stage in ("connection.connect_tcp", "connection.connect_unix_socket", "connection.start_tls",
                  "proxy.start_tls", "proxy.stream")
)  # fmt: skip


class ConnectionPool(Forkable):
    """The connections to one service; new ones are opened as needed.

    Args:
        address: The address of the service.
        transport: An httpx transport that is shared by all connections instead of the network.
        verify: Whether certificates are checked, or the context that checks them.
        in_process: Whether the service runs in this process.

    Attributes:
        scope: The scope of all connections.
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
            connection = Connection(self.transport)
        else:
            proxy = proxy_of(self._address.scheme, self._address.host)
            origin = self._address.origin if proxy is None else None  # a proxy needs the whole address
            connection = Connection(open_transport(self.verify, proxy), origin)
        self.scope.enter(connection.socket)
        return connection

    def release(self, connection: Connection) -> None:
        """Keep a connection for the next request."""
        with self._lock:
            self._free.append(connection)

    def discard(self, connection: Connection) -> None:
        """Close a connection whose state is unknown."""
        self.scope.leave(connection.socket)
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


class Connection:
    """A transport with a single connection.

    A full ``httpx.Client`` would add cookies, redirects and a log of addresses, which are not needed here
    and take a third of the time of a request.

    Args:
        transport: The transport for requests.
        origin: The origin of all requests, if it is connected to directly.
    """

    def __init__(self, transport: httpx.BaseTransport, origin: str | None = None) -> None:
        self.transport = transport
        self.socket = Socket()
        self._origin = origin

    def locate(self, url: str) -> tuple[httpx.URL, dict[str, bytes]]:
        """Return the URL of a request and its extensions.

        A plain path is left to the extension ``target``.

        Args:
            url: The address, below the origin.
        """
        if self._origin is not None and PLAIN.fullmatch(url, len(self._origin)):
            return _parsed(self._origin), {"target": url[len(self._origin) :].encode()}
        return _parsed(url), {}


def open_transport(verify: bool | ssl.SSLContext, proxy: str | None) -> httpx.BaseTransport:
    """Return a transport with one connection.

    Args:
        verify: The context that checks certificates.
        proxy: The proxy to connect through, if any.

    Raises:
        ConfigurationError: The proxy cannot be used. It is not shown, since it may have a password.
    """
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
    with suppress(ValueError, ImportError, httpx.InvalidURL):
        return httpx.HTTPTransport(verify=verify, proxy=proxy, limits=limits)
    raise ConfigurationError(
        "The proxy of the environment cannot be used.\n"
        "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY: http://host:port, or unset them."
    )


def tls_context(scheme: str, *, verify: bool) -> ssl.SSLContext:
    """Return the context that checks certificates; for plain http they are not loaded, which saves 20 ms.

    Args:
        scheme: The scheme of the address to connect to.
        verify: Whether certificates are checked.

    Raises:
        ConfigurationError: The certificates of ``SSL_CERT_FILE`` cannot be read.
    """
    if scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    named = os.environ.get("SSL_CERT_FILE")
    try:
        if named and verify:
            Path(named).stat()  # httpx before 0.28 takes no notice of a file that is not there
        return httpx.create_ssl_context(verify=verify)
    except OSError as error:
        raise ConfigurationError(
            f"SSL_CERT_FILE must be a file of certificates in PEM format, got {named!r}.\n"
            f"Correct or unset it: {error.strerror or error}."
        ) from None


def proxy_of(scheme: str, host: str) -> str | None:
    """Return the proxy of the environment for a host, or None if it is connected to directly."""
    if is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    found = proxies.get(scheme) or proxies.get("all")
    return found if found is None or "://" in found else f"http://{found}"


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
    """The sockets in use, and the times at which they are shut down."""

    def __init__(self) -> None:
        self._start()
        on_fork(self)

    def _start(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[Socket, float] = {}
        self._thread: threading.Thread | None = None

    def after_fork(self, *, in_child: bool) -> None:
        if in_child:  # where this thread is the only one
            self._start()

    @contextmanager
    def during(self, used: Socket, seconds: float) -> Iterator[None]:
        """Shut a socket down unless the block ends within the given seconds."""
        with self._changed:
            self._due[used] = time.monotonic() + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="inkframe-deadlines", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._changed:
                self._due.pop(used, None)

    def _run(self) -> None:
        with self._changed:
            is_idle = False
            while self._due or not is_idle:
                is_idle, now = not self._due, time.monotonic()
                for used in [each for each, due in self._due.items() if due <= now]:
                    del self._due[used]
                    used.shut_down()
                self._changed.wait(min([LINGER, *(due - now for due in self._due.values())]))
            self._thread = None


watch: Final = _Watch().during


class Cancelled(InkframeError):
    """A call was cancelled before anything was sent, or while it waited to be sent again."""


class CancelScope:
    """The connections of one piece of work, so that another thread can cancel it.

    Args:
        stop: Once set, no create is sent any more; those under way are not cancelled, since they are billed.
    """

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._cancelled = threading.Event()
        self._used: set[Socket] = set()

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
        return self._cancelled.is_set() or (method == "POST" and self._stop.is_set())

    def call(self, work: Callable[[Given], Found], job: Given) -> Found:
        """Call a function whose requests belong to this scope."""
        outer = _current.set(self)
        try:
            return work(job)
        finally:
            _current.reset(outer)

    def enter(self, connection: Socket) -> None:
        """Add a connection that is in use."""
        self._used.add(connection)
        if self._cancelled.is_set():
            connection.shut_down()

    def leave(self, connection: Socket) -> None:
        """Remove a connection that is no longer in use."""
        self._used.discard(connection)

    def cancel(self) -> None:
        """Shut down all connections in use, and each one that is added later."""
        self._cancelled.set()
        for connection in self._used.copy():
            connection.shut_down()


_current: ContextVar[CancelScope | None] = ContextVar("inkframe_cancel_scope", default=None)
