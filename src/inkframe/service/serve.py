"""The service on a port: ``inkframe serve``, with host and origin checks, limits of connections, and the access log."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import signal
import socket
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import orjson

from inkframe.errors import ConfigurationError, optional_library
from inkframe.service.routes import FORM_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inkframe.service.service import Service

    Environment = dict[str, Any]

__all__ = ["Guard", "serve"]

THREADS = 8
#: Seconds after which a connection without a request in progress is closed, so that idle ones cannot fill the server.
IDLE = 10
#: Seconds in which the headers of a request, and then all of it, must have arrived, however it trickles in.
HEADERS_SECONDS = 10.0
BODY_SECONDS = 60.0
#: The connections without a request in progress that one address may have; for one more, the oldest is closed.
MOST_OF_PEER = 50
#: The most connections of all addresses.
CONNECTIONS = 8 * MOST_OF_PEER
#: Seconds that open requests have to finish after a signal to stop.
GRACE = 30.0

ACCESS = logging.getLogger("inkframe.service.access")
#: Default headers of replies: browsers must not guess the type, and must not cache.
HEADERS = (("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"))
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def serve(
    service: Service,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    ready: Callable[[str], None],
) -> None:
    """Serve until SIGTERM or SIGINT; open requests are finished first.

    Each request is logged to ``inkframe.service.access`` as one line of JSON, without query and headers.

    Args:
        service: The service. It is not closed.
        host: The address to listen on. Any address but loopback can be reached by others.
        port: The port to listen on; 0 takes a free one.
        ready: Called with the address, such as ``http://127.0.0.1:8421``, once the service is ready.

    Raises:
        ConfigurationError: The extra ``serve`` is not installed, or the port is not available.
    """
    waitress = optional_library(
        "waitress", 'Serving requires the extra "serve".\nInstall it with: pip install "inkframe[serve]"'
    )
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    server = waitress.create_server(
        Guard(service.app, host, number),
        sockets=[listener],
        threads=THREADS,
        ident=None,
        # A little more than the limit for forms, so that the application itself rejects a form that is too
        # large.
        max_request_body_size=2 * FORM_LIMIT,
        clear_untrusted_proxy_headers=True,
        channel_timeout=IDLE,
        cleanup_interval=IDLE,
        connection_limit=CONNECTIONS,
    )
    try:
        with _stop_signals(server.pull_trigger) as stopping:
            ready(f"http://{f'[{host}]' if ':' in host else host}:{number}")
            _run(server, stopping)
    finally:
        server.task_dispatcher.shutdown(timeout=1)
        listener.close()
        server.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        number = (
            error.errno if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else None
        )
        reason = os.strerror(number) if number else getattr(error, "strerror", None) or str(error)
        of_port = number in (errno.EADDRINUSE, errno.EACCES) or isinstance(error, OverflowError)
        advice = (
            "Choose another port, or --port 0 for a free one."
            if of_port
            else "Choose an address of this machine."
        )
        raise ConfigurationError(f"Cannot listen on {host} port {port}: {reason}.\n{advice}") from error


@contextmanager
def _stop_signals(wake: Callable[[], None]) -> Iterator[threading.Event]:
    """Yield an event that SIGTERM and SIGINT set; outside the main thread nothing sets it."""
    stopping = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return

    def stop(_number: int, _frame: object) -> None:
        stopping.set()
        wake()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(server: Any, stopping: threading.Event) -> None:
    """Run the server's loop until the stop event, then until open requests are finished."""
    began: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
    while not stopping.is_set():
        _close_slow(server.active_channels.values(), began)
        server.asyncore.loop(timeout=1, map=server._map, count=1)  # noqa: SLF001  # no public step
    server.accepting = False
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        busy = [c for c in server.active_channels.values() if c.requests or c.total_outbufs_len]
        for channel in server.active_channels.values():
            channel.will_close = channel.will_close or channel not in busy
        if not busy:
            return
        server.asyncore.loop(timeout=0.05, map=server._map, count=1)  # noqa: SLF001  # as above


def _close_slow(channels: Iterable[Any], began: WeakKeyDictionary[Any, float]) -> None:
    """Close connections whose request is late, and the oldest of an address that has too many.

    Args:
        channels: The connections of the server.
        began: The time at which each incomplete request was first seen.
    """
    now = time.monotonic()
    waiting = defaultdict(list)
    for channel in channels:
        if not channel.requests:
            waiting[channel.addr[0]].append(channel)
            if (request := channel.request) is not None:
                seconds = BODY_SECONDS if request.headers_finished else HEADERS_SECONDS
                channel.will_close |= now > began.setdefault(request, now) + seconds
    for ours in waiting.values():
        # Those that send a request slowly go before those that are idle, and these before those that read a reply.
        ours.sort(key=lambda each: (each.request is None, each.total_outbufs_len > 0, each.creation_time))
        for channel in ours[:-MOST_OF_PEER]:
            channel.will_close = True


class Guard:
    """WSGI middleware that rejects requests from other sites and logs each request.

    Args:
        app: The wrapped application.
        host: The address it is served on.
        port: The port it is served on.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], host: str, port: int) -> None:
        self._app = app
        self._hosts = _host_names(host, port)
        # When served on all addresses, the Host header may hold any IP address, but no unknown name: a name
        # can be made to point anywhere.
        self._any_address = _is_wildcard(host)

    def __call__(self, env: Environment, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        began = time.perf_counter()
        status = "0"

        def start(line: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            nonlocal status
            status = line
            present = {name.lower() for name, _ in headers}
            added = [(name, value) for name, value in HEADERS if name.lower() not in present]
            return start_response(line, headers + added, *rest)

        refusal = self._refusal(env)
        body = _refuse(start, refusal) if refusal else self._app(env, start)
        if ACCESS.isEnabledFor(logging.INFO):  # without query, headers and body
            facts = {
                "client": env.get("REMOTE_ADDR"),
                "method": env["REQUEST_METHOD"],
                "path": env["PATH_INFO"],
                "status": int(status.partition(" ")[0]),
                "milliseconds": round((time.perf_counter() - began) * 1000, 2),
            }
            ACCESS.info("%s", orjson.dumps(facts).decode())
        return body

    def _refusal(self, env: Environment) -> str:
        """Return why a request is refused; empty for one that is not."""
        host = env.get("HTTP_HOST", "").lower()
        if host not in self._hosts and not (self._any_address and _is_address(host)):
            return "This host is not allowed."
        origin = env.get("HTTP_ORIGIN")
        is_foreign = origin is not None and origin.lower() != f"{env['wsgi.url_scheme']}://{host}"
        if is_foreign or env.get("HTTP_SEC_FETCH_SITE", "none") not in ("none", "same-origin"):
            return "Requests from other sites are rejected."
        return ""


def _refuse(start: Callable[..., Any], message: str) -> list[bytes]:
    body = orjson.dumps({"message": message, "errors": {}})
    start("403 Forbidden", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


def _host_names(host: str, port: int) -> frozenset[str]:
    bracketed = f"[{host}]" if ":" in host else host
    names = {bracketed.lower()}
    if _is_wildcard(host) or bracketed in LOOPBACK_NAMES:
        names |= set(LOOPBACK_NAMES)
    if _is_wildcard(host):
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    # Clients omit the default port of the scheme.
    return frozenset({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


def _is_wildcard(host: str) -> bool:
    return host in ("", "0.0.0.0", "::")  # noqa: S104  # compared with, not bound to


def _is_address(host: str) -> bool:
    """Return whether a Host header holds an IP address, with or without a port."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
