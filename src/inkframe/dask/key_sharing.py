"""A key shared with the workers of a cluster, because somebody said so."""

from __future__ import annotations

import ipaddress
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.signatures import checked
from inkframe.workflows.session import open_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inkframe.workflows.session import Session

__all__ = ["share_key"]


class HasSession(Protocol):
    """A client, as far as its key is shared."""

    _session: Session


@checked
def share_key(cluster: Any, client: HasSession | None = None) -> None:
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

    session = client._session if client else _only_session()  # noqa: SLF001  # a client shows no key
    known: Any = distributed  # as far as the library carries types
    connected = isinstance(cluster, known.Client)
    opened = nullcontext(cluster) if connected else known.Client(cluster, set_as_default=False)
    with opened as scheduler:
        _refuse_open([scheduler.scheduler.address, *scheduler.nthreads()])
        scheduler.register_plugin(SharedKey(session.conversation.address.origin, session.conversation.key))


def _only_session() -> Session:
    found = [each for each in open_sessions().values() if not each.is_local]
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
