"""Where pictures may be fetched from: the endpoint itself, and public addresses."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from inkframe.engines.protocol import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_place", "is_loopback", "refuse_private"]


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def check_place(url: str) -> None:
    """Refuse an address of a picture that is not encrypted, or is no address.

    Raises:
        Unavailable: It is not fetched.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise Unavailable("The picture is at no https address, and is not fetched.", status=502)


def refuse_private(event: str, info: Mapping[str, Any]) -> None:
    """Break a connection off before anything is sent, where it leads into a private network.

    It is asked of the connection itself, since a name may change its number. A proxy makes its own
    connections, and is trusted with them.

    Raises:
        Unavailable: It leads there.
    """
    if event != "connection.connect_tcp.complete" or getproxies():
        return
    peer = info["return_value"].get_extra_info("server_addr")[0]
    address = ipaddress.ip_address(peer.split("%", maxsplit=1)[0])
    if not (getattr(address, "ipv4_mapped", None) or address).is_global:
        raise Unavailable("The picture is inside a private network, and is not fetched.", status=502)
