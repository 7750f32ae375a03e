"""Explicit sharing of a key with the workers of a cluster."""

from __future__ import annotations

import ipaddress
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.listing.session import open_sessions
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inkframe.listing.session import Session

__all__ = ["refuse_open", "share_key"]


class HasSession(Protocol):
    """The part of a client that is needed to share its key."""

    _session: Session


@checked
def share_key(cluster: Any, client: HasSession | None = None) -> None:
    """Share the key of a client with all present and future workers of a cluster, for its service only.

    The key is sent to the scheduler and the workers and stays in their memory. It is not part of any graph.
    Without this call, workers read ``INKFRAME_API_KEY`` or the file in ``INKFRAME_API_KEY_FILE``.

    Args:
        cluster: A dask cluster, or a ``dask.distributed.Client`` of one. Its connections must be local or
            encrypted; on a machine with other users, encrypt them too.
        client: The inkframe client; by default the only open one.

    Raises:
        ConfigurationError: The cluster is reached over a network without TLS; nothing was sent.
        InvalidArgument: There is not exactly one open client of a remote service.

    Example:
        >>> with LocalCluster() as cluster, cluster.get_client():
        ...     inkframe.dask.share_key(cluster)
        ...     client.documents.to_dask()["result"].str.len().mean().compute()
    """
    import distributed

    from inkframe.dask.key_plugin import SharedKey

    session = client._session if client else _only_session()  # noqa: SLF001  # clients do not expose keys
    known: Any = distributed  # the library has incomplete types
    connected = isinstance(cluster, known.Client)
    opened = nullcontext(cluster) if connected else known.Client(cluster, set_as_default=False)
    with opened as scheduler:
        refuse_open([scheduler.scheduler.address, *scheduler.nthreads()])
        scheduler.register_plugin(SharedKey(session.conversation.address.origin, session.conversation.key))


def _only_session() -> Session:
    found = [each for each in open_sessions().values() if not each.is_local]
    if len(found) == 1:
        return found[0]
    some = "Several clients" if found else "No client"
    raise InvalidArgument(
        f"{some} of a remote service are open.\nPass the client: share_key(cluster, client)."
    )


def refuse_open(addresses: Iterable[str]) -> None:
    """Raise an error where the key would be sent over a network without encryption."""
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme not in {"tls", "wss", "inproc"} and not _is_loopback(parts.hostname or ""):
            raise ConfigurationError(
                f"The cluster at {address} must use TLS, got a connection without TLS.\n"
                "Pass a distributed.Security to the cluster, or set the key where its workers start."
            )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
