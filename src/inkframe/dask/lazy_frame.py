"""A listing as a lazy dask DataFrame, and the key that its workers need."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit
from uuid import uuid4

import pandas as pd

from inkframe.dask.partition import Part, divide
from inkframe.dask.worker_source import Source
from inkframe.errors import ConfigurationError, InvalidArgument, UnexpectedReply, checked, optional_library
from inkframe.frames import ATTRIBUTE, provenance
from inkframe.http.public_address import is_loopback
from inkframe.listing.frames import FrameMaker
from inkframe.listing.session import Session, SessionCalls, open_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


__all__ = ["refuse_open", "share_key", "to_dask"]


def to_dask(calls: SessionCalls, queries: Sequence[dict[str, Any]], partition_size: int | None) -> Any:
    """Return a lazy frame of the records of several queries.

    Args:
        calls: The collection.
        queries: The list parameters of each list.
        partition_size: The approximate number of records in a partition.

    Raises:
        ConfigurationError: The extra ``dask`` is not installed.
    """
    message = 'to_dask() needs the extra "dask".\nInstall it with: pip install "inkframe[dask]"'
    lazy = optional_library("dask.dataframe", message)
    import dask

    partition = divide(calls, queries, partition_size, calls.session.width)
    sample = FrameMaker(calls).collected(partition.sample, queries)
    # Built separately, since a slice would keep the texts of the sample in memory.
    empty = {name: pd.Series([], dtype=dtype) for name, dtype in sample.dtypes.items()}
    meta = pd.DataFrame(empty, index=pd.Index([], dtype=sample.index.dtype, name="id"))
    meta.attrs[ATTRIBUTE] = provenance(
        source=calls.session.source,
        client=calls.session.id,
        collection=calls.spec.name,
        query=queries[0] if len(queries) == 1 else {},
        total=None,
        completeness="best-effort",
        reasons=["The parts are read one by one, and records may change meanwhile."],
    )
    fetch = Fetch(Source.of(calls), meta)
    # Texts keep the type that they have in all().
    with dask.config.set({"dataframe.convert-string": False}):
        return lazy.from_map(
            fetch,
            partition.parts,
            meta=meta,
            divisions=partition.divisions,
            label=f"inkframe-{calls.spec.name}",
        )


class Fetch:
    """Fetches a part on any worker.

    Args:
        source: The source of the records.
        meta: An empty frame with the columns of every part.
    """

    def __init__(self, source: Source, meta: pd.DataFrame) -> None:
        self.source = source
        self.meta = meta
        self._name = uuid4().hex

    def __dask_tokenize__(self) -> str:
        # Unique, since the records of the service may change between frames.
        return self._name

    def __call__(self, part: Part, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the records of a part by id ascending.

        Args:
            part: The part.
            columns: The required columns; by default all.

        Raises:
            ConfigurationError: This process has no key for the service.
            InkframeError: The service could not be read.
        """
        calls = self.source.open()
        queries = [page_range.query for page_range in part.page_ranges]
        frame = FrameMaker(calls).collected(part.read(calls), queries)
        return _conformed(frame, self.meta if columns is None else self.meta[columns])


def _conformed(frame: pd.DataFrame, meta: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the columns and types of another.

    Columns that a part lacks are empty, and columns that the other frame lacks are dropped. New values of a
    category are added after the known ones.

    Raises:
        UnexpectedReply: The values of a column do not fit its type.
    """
    columns = {}
    for name, dtype in meta.dtypes.items():
        if name not in frame.columns:
            columns[name] = pd.Series(None, index=frame.index, dtype=dtype)
        elif isinstance(dtype, pd.CategoricalDtype):
            values = frame[name].cat.remove_unused_categories()
            known = dtype.categories
            columns[name] = values.cat.set_categories(
                known.append(values.cat.categories.difference(known, sort=False))
            )
        else:
            columns[name] = _as(frame[name], dtype)
    index = frame.index if frame.index.dtype == meta.index.dtype else frame.index.astype(meta.index.dtype)
    whole = pd.DataFrame(columns, index=index)
    whole.attrs = dict(meta.attrs)  # the same in each part, so that they are kept when parts are joined
    return whole


def _as(values: pd.Series, dtype: Any) -> Any:
    if values.dtype == dtype:
        return values
    if values.isna().all():
        return pd.Series(None, index=values.index, dtype=dtype)
    try:
        return values.astype(dtype)
    except (TypeError, ValueError):
        raise UnexpectedReply(
            f"The column {values.name!r} must be {dtype} in every part, got {values.dtype}.\n"
            "Fetch the listing at once with all()."
        ) from None


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
        scheduler.register_plugin(SharedKey(session.sender.address.origin, session.sender.key))


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
        if parts.scheme not in {"tls", "wss", "inproc"} and not is_loopback(parts.hostname or ""):
            raise ConfigurationError(
                f"The cluster at {address} must use TLS, got a connection without TLS.\n"
                "Pass a distributed.Security to the cluster, or set the key where its workers start."
            )
