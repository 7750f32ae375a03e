"""The service on a port: ``inkframe serve``, with host and origin checks, a rate limit, and the access log."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import signal
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import orjson

from inkframe.errors import ConfigurationError, optional_library
from inkframe.service.routes import FORM_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inkframe.service.service import Service

    Environment = dict[str, Any]

__all__ = ["Guard", "RateLimit", "serve"]

THREADS = 8
#: Seconds after which a connection without a request in progress is closed, so that idle ones cannot fill the server.
IDLE = 10
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
    rate_limit: int | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; open requests are finished first.

    Each request is logged to ``inkframe.service.access`` as one line of JSON, without query and headers.

    Args:
        service: The service. It is not closed.
        host: The address to listen on. Any address but loopback can be reached by others.
        port: The port to listen on; 0 takes a free one.
        ready: Called with the address, such as ``http://127.0.0.1:8421``, once the service is ready.
        rate_limit: The most requests per minute; None for no limit.

    Raises:
        ConfigurationError: The extra ``serve`` is not installed, or the port is not available.
    """
    waitress = optional_library(
        "waitress", 'Serving requires the extra "serve".\nInstall it with: pip install "inkframe[serve]"'
    )
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    rate = RateLimit(rate_limit) if rate_limit else None
    server = waitress.create_server(
        Guard(service.app, host, number, rate),
        sockets=[listener],
        threads=THREADS,
        ident=None,
        # A little more than the limit for forms, so that the application itself rejects a form that is too
        # large.
        max_request_body_size=2 * FORM_LIMIT,
        clear_untrusted_proxy_headers=True,
        channel_timeout=IDLE,
        cleanup_interval=IDLE,
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
    while not stopping.is_set():
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


class RateLimit:
    """A rate limit: a burst of up to one minute's requests, then an even rate.

    Args:
        per_minute: The number of requests per minute.
        clock: A function that returns seconds.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left = self._most
        self._seen = clock()
        self._lock = threading.Lock()

    def wait(self) -> float:
        """Count one request; return 0 if it is allowed, else the seconds until one is."""
        with self._lock:
            now = self._clock()
            self._left = min(self._most, self._left + (now - self._seen) * self._most / 60)
            self._seen = now
            if self._left < 1:
                return (1 - self._left) * 60 / self._most
            self._left -= 1
            return 0.0


class Guard:
    """WSGI middleware that rejects requests from other sites and logs each request.

    Args:
        app: The wrapped application.
        host: The address it is served on.
        port: The port it is served on.
        rate: A limit on requests, if any.
    """

    def __init__(
        self, app: Callable[..., Iterable[bytes]], host: str, port: int, rate: RateLimit | None = None
    ) -> None:
        self._app = app
        self._rate = rate
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
        body = _refuse(start, *refusal) if refusal else self._app(env, start)
        ACCESS.info("%s", _Line(env, status, time.perf_counter() - began))
        return body

    def _refusal(self, env: Environment) -> tuple[str, str, dict[str, str]] | None:
        host = env.get("HTTP_HOST", "").lower()
        if host not in self._hosts and not (self._any_address and _is_address(host)):
            return "403 Forbidden", "This host is not allowed.", {}
        if env.get("HTTP_SEC_FETCH_SITE", "none") not in ("none", "same-origin"):
            return "403 Forbidden", "Requests from other sites are rejected.", {}
        origin = env.get("HTTP_ORIGIN")
        if origin is not None and origin.lower() != f"{env['wsgi.url_scheme']}://{host}":
            return "403 Forbidden", "Requests from other sites are rejected.", {}
        if self._rate and (seconds := self._rate.wait()):
            again = {"Retry-After": str(int(seconds) + 1)}
            return "429 Too Many Requests", "Too many requests. Wait a moment.", again
        return None


class _Line:
    """A line of the access log, formatted only if it is emitted: without query, headers and body."""

    def __init__(self, env: Environment, status: str, seconds: float) -> None:
        self._facts = {
            "client": env.get("REMOTE_ADDR"),
            "method": env["REQUEST_METHOD"],
            "path": env["PATH_INFO"],
            "status": int(status.partition(" ")[0]),
            "milliseconds": round(seconds * 1000, 2),
        }

    def __str__(self) -> str:
        return orjson.dumps(self._facts).decode()


def _refuse(start: Callable[..., Any], status: str, message: str, headers: dict[str, str]) -> list[bytes]:
    body = orjson.dumps({"message": message, "errors": {}})
    described = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    start(status, list(described.items()))
    return [body]


def _host_names(host: str, port: int) -> frozenset[str]:
    bracketed = f"[{host}]" if ":" in host else host
    names = {bracketed.lower()}
    if _is_wildcard(host) or bracketed in LOOPBACK_NAMES:
        names |= set(LOOPBACK_NAMES)
    if _is_wildcard(host):
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    # Clients omit the default port of the scheme.
    implied = names if port == 80 else set()
    return frozenset({f"{name}:{port}" for name in names} | implied)


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
