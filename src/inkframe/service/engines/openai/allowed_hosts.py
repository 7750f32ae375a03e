"""The hosts that pictures may be fetched from: the endpoint itself, and public addresses."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from inkframe.http.public_address import is_public
from inkframe.service.engines import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_place", "is_loopback", "refuse_private"]


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def check_place(url: str) -> None:
    """Check that the address of a picture is a valid https URL.

    Raises:
        Unavailable: It is not.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise Unavailable("The picture was not fetched, since its address is not an https URL.", status=502)


def refuse_private(event: str, info: Mapping[str, Any]) -> None:
    """Close a connection to a private network before anything is sent.

    The check uses the open connection, since a name may resolve to another address each time. A proxy opens
    its own connections and is trusted.

    Raises:
        Unavailable: The address is private.
    """
    if event != "connection.connect_tcp.complete" or getproxies():
        return
    stream = info["return_value"]
    if not is_public(stream.get_extra_info("server_addr")[0]):
        stream.close()  # the caller does not have it yet
        raise Unavailable(
            "The picture was not fetched, since its address is in a private network.", status=502
        )
