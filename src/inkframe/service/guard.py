"""Middleware for the application on a port: host and origin checks, a rate limit, and the access log."""

from __future__ import annotations

import ipaddress
import logging
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Environment = dict[str, Any]
    StartResponse = Callable[..., Any]
    Application = Callable[[Environment, StartResponse], Iterable[bytes]]

__all__ = ["Guard", "Rate"]

ACCESS = logging.getLogger("inkframe.service.access")

#: Default headers of replies: browsers must not guess the type, and must not cache.
HEADERS = (("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"))
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Rate:
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

    def __init__(self, app: Application, host: str, port: int, rate: Rate | None = None) -> None:
        self._app = app
        self._rate = rate
        self._hosts = _host_names(host, port)
        # When served on all addresses, the Host header may hold any IP address, but no unknown name: a name
        # can be made to point anywhere.
        self._any_address = _is_wildcard(host)

    def __call__(self, env: Environment, start_response: StartResponse) -> Iterable[bytes]:
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


def _refuse(start: StartResponse, status: str, message: str, headers: dict[str, str]) -> list[bytes]:
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
