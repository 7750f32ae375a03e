"""Public IP addresses, in any form they are written or embedded in, and those of this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

__all__ = ["is_loopback", "is_public", "number_of"]

#: IPv6 addresses of the internet; all others are local, or another address in disguise.
GLOBAL: Final = IPv6Network("2000::/3")
#: NAT64: the last 32 bits are the IPv4 address that is reached.
TRANSLATED: Final = IPv6Network("64:ff9b::/96")
#: 6to4: the 32 bits after the prefix are the IPv4 address that is reached.
TUNNELED: Final = IPv6Network("2002::/16")
#: The interface identifiers of ISATAP, whose last 32 bits are the IPv4 address that is reached.
ISATAP: Final = (0x00005EFE, 0x02005EFE)
#: Public numbers with a service of the cloud provider of this machine.
PROVIDER: Final = frozenset({IPv4Address("168.63.129.16")})
#: Networks that are reserved, though not private.
RESERVED: Final = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"), IPv4Network("240.0.0.0/4"))


def is_public(number: str) -> bool:
    """Return whether an IP address belongs to the internet, and the IPv4 address in it too.

    Args:
        number: The address in its usual form; a zone is ignored. Any other text is not public.
    """
    try:
        address = ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address.ipv4_mapped is not None:
        return _is_public_4(address.ipv4_mapped)
    bits = int(address)
    if address in TRANSLATED:
        return _is_public_4(IPv4Address(bits & 0xFFFFFFFF))
    if address in TUNNELED and not _is_public_4(IPv4Address(bits >> 80 & 0xFFFFFFFF)):
        return False
    if bits >> 32 & 0xFFFFFFFF in ISATAP and not _is_public_4(IPv4Address(bits & 0xFFFFFFFF)):
        return False
    if address in TUNNELED:
        return True  # private for Python
    return address in GLOBAL and address.is_global and not address.is_multicast


def is_loopback(host: str) -> bool:
    """Return whether the name or number of a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def number_of(host: str) -> str | None:
    """Return the IP address that a host name is, also octal, hexadecimal or short; None for a name."""
    with suppress(ValueError):
        return str(IPv6Address(host.strip("[]").partition("%")[0]))
    try:
        # The rules of the C library, which also opens the connection.
        return socket.inet_ntoa(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError):
        return None


def _is_public_4(address: IPv4Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and address not in PROVIDER
        and not any(address in network for network in RESERVED)
    )
