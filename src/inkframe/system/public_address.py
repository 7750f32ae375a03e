"""Public IP addresses, in any form they are written or embedded in, and those of this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

__all__ = ["is_loopback", "is_public", "number_of"]

#: IPv6 addresses of the internet; all others are local, or another address in disguise.
GLOBAL: Final = IPv6Network("2000::/3")
#: IPv6 networks that lead to an IPv4 address, and how many bits are to its right: mapped, NAT64, 6to4.
EMBEDDING: Final = (
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),
    (IPv6Network("2002::/16"), 80),
)
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
    reached = [int(address) >> shift for network, shift in EMBEDDING if address in network]
    # Python calls some of these networks private.
    is_global = bool(reached) or (address in GLOBAL and address.is_global and not address.is_multicast)
    if int(address) >> 32 & 0xFFFFFFFF in ISATAP:
        reached.append(int(address))
    return is_global and all(_is_public_4(IPv4Address(bits & 0xFFFFFFFF)) for bits in reached)


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
