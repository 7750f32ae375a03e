"""One connection to a service, so that the socket in use is known."""

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

    A whole ``httpx.Client`` would add cookies, redirects and a log of addresses, none of which is wanted
    here, at a third of the cost of a request.

    Args:
        transport: What carries requests.
    """

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self.transport = transport
        self.socket = Socket()


def open_transport(address: Address, verify: bool | ssl.SSLContext) -> httpx.BaseTransport:
    """Give a transport with one connection, through the proxy that the environment names.

    Args:
        address: Where it leads.
        verify: The context that checks certificates.
    """
    return httpx.HTTPTransport(
        verify=verify,
        proxy=_proxy(address),
        limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
    )


def tls_context(address: Address, *, verify: bool) -> ssl.SSLContext:
    """Give the context that checks certificates; reading them takes 20 ms, which plain http is spared.

    Args:
        address: Where it will lead.
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
