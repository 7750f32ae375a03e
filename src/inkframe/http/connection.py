"""One connection to a service, with access to its socket."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import httpx

from inkframe.http.deadline import Socket

if TYPE_CHECKING:
    from inkframe.http.address import Address

__all__ = ["Connection", "open_transport", "tls_context"]


class Connection:
    """A transport with a single connection.

    A full ``httpx.Client`` would add cookies, redirects and a log of addresses, which are not needed here
    and take a third of the time of a request.

    Args:
        transport: The transport for requests.
    """

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self.transport = transport
        self.socket = Socket()


def open_transport(address: Address, verify: bool | ssl.SSLContext) -> httpx.BaseTransport:
    """Return a transport with one connection, through the proxy of the environment if there is one.

    Args:
        address: The address to connect to.
        verify: The context that checks certificates.
    """
    return httpx.HTTPTransport(
        verify=verify,
        proxy=_proxy(address),
        limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
    )


def tls_context(address: Address, *, verify: bool) -> ssl.SSLContext:
    """Return the context that checks certificates; for plain http they are not loaded, which saves 20 ms.

    Args:
        address: The address to connect to.
        verify: Whether certificates are checked.
    """
    if address.scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.create_ssl_context(verify=verify)


def _proxy(address: Address) -> str | None:
    if address.is_loopback or proxy_bypass(address.host):
        return None
    proxies = getproxies()
    found = proxies.get(address.scheme) or proxies.get("all")
    return found if found is None or "://" in found else f"http://{found}"
