"""A key shared with the workers of a cluster, because somebody said so."""

from __future__ import annotations

import ipaddress
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inkframe.client import Client, open_clients
from inkframe.errors import ConfigurationError, InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["share_key"]


def share_key(cluster: Any, client: Client | None = None) -> None:
    """Give the workers of a cluster the key of a client, for its service only; also those that join later.

    The key travels to the scheduler and the workers and stays in their memory. It is part of no graph. Without
    this call, workers read ``INKFRAME_API_KEY`` or the file that ``INKFRAME_API_KEY_FILE`` names.

    Args:
        cluster: A dask cluster, or a ``dask.distributed.Client`` of one. Its connections stay on this machine or
            are encrypted; on a machine with other users, encrypt them as well.
        client: The inkframe client; the only one open if not given.

    Raises:
        ConfigurationError: The cluster is reached over a network without TLS; nothing was sent.
        InvalidArgument: None or several clients of a service at an address are open.

    Example:
        >>> with LocalCluster() as cluster, cluster.get_client():
        ...     inkframe.dask.share_key(cluster)
        ...     client.documents.to_dask()["result"].str.len().mean().compute()
    """
    import distributed

    from inkframe.dask.key_plugin import SharedKey

    conversation = (client or _only_client())._session.conversation  # noqa: SLF001  # holds the key
    known: Any = distributed  # as far as the library carries types
    connected = isinstance(cluster, known.Client)
    opened = nullcontext(cluster) if connected else known.Client(cluster, set_as_default=False)
    with opened as scheduler:
        _refuse_open([scheduler.scheduler.address, *scheduler.nthreads()])
        scheduler.register_plugin(SharedKey(conversation.address.origin, conversation.key))


def _only_client() -> Client:
    found = [each for each in open_clients().values() if not each._session.is_local]  # noqa: SLF001  # as above
    if len(found) == 1:
        return found[0]
    some = "Several clients" if found else "No client"
    raise InvalidArgument(
        f"{some} of a service at an address are open.\nSay whose key: share_key(cluster, client)."
    )


def _refuse_open(addresses: Iterable[str]) -> None:
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme not in {"tls", "wss", "inproc"} and not _is_loopback(parts.hostname or ""):
            raise ConfigurationError(
                f"The cluster is reached at {address} without TLS: the key could be read on the way.\n"
                "Give the cluster a distributed.Security, or give its workers the key where they start."
            )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
