"""One connection to a service, with access to its socket."""

from __future__ import annotations

import re
import ssl
from contextlib import suppress
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpx

from inkframe.errors import ConfigurationError
from inkframe.http.address import is_loopback
from inkframe.http.connections import Socket

__all__ = ["Connection", "open_transport", "proxy_of", "tls_context"]

#: Paths and queries that httpx sends as they are.
PLAIN: Final = re.compile(r"(?:/[\w~%-]+)+/?(?:\?[\w.~&=+%-]*)?", re.ASCII)


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
        self._parsed: httpx.URL | None = None

    def locate(self, url: str) -> tuple[httpx.URL | str, dict[str, bytes]]:
        """Return the URL of a request and its extensions.

        A plain path is left to the extension ``target``, since httpx takes as long to parse an address as for the
        rest of a request.

        Args:
            url: The address, below the origin.
        """
        if self._origin is None or not PLAIN.fullmatch(url, len(self._origin)):
            return url, {}
        self._parsed = self._parsed or httpx.URL(self._origin)
        return self._parsed, {"target": url[len(self._origin) :].encode()}


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
    """
    if scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.create_ssl_context(verify=verify)


def proxy_of(scheme: str, host: str) -> str | None:
    """Return the proxy of the environment for a host, or None if it is connected to directly."""
    if is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    found = proxies.get(scheme) or proxies.get("all")
    return found if found is None or "://" in found else f"http://{found}"
