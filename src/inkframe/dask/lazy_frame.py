"""A listing as a lazy dask DataFrame, whose parts are fetched by any worker, and the key that workers need."""

from __future__ import annotations

import os
import pickle
import ssl
import threading
from contextlib import nullcontext
from copy import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

import pandas as pd

from inkframe.dask.partition import Part, divide
from inkframe.display.console import notice
from inkframe.errors import ConfigurationError, InvalidArgument, UnexpectedReply, checked, optional_library
from inkframe.frames import ATTRIBUTE, provenance
from inkframe.http.address import KEY_VARIABLE, Address
from inkframe.http.key import Key
from inkframe.http.pictures import PictureFetcher
from inkframe.http.sender import Sender, Timeouts
from inkframe.listing.frames import FrameMaker
from inkframe.listing.session import Session, SessionCalls, open_sessions
from inkframe.system.files import read_key_file
from inkframe.system.public_address import is_loopback
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inkframe.replies.dialect import Dialect

__all__ = ["SHARED", "SharedKey", "find_key", "refuse_open", "share_key", "to_dask"]

MISSING: Final = 'Lazy frames need the extra "dask".\nInstall it with: pip install "inkframe[dask]"'
FILE_VARIABLE: Final = "INKFRAME_API_KEY_FILE"
#: Keys shared with this process, by the origin they may be sent to.
SHARED: Final[dict[str, Key]] = {}
#: Sessions opened by workers of this process, by their arguments.
_sessions: Final[dict[tuple[bytes, Key | None], Session]] = {}
_lock = threading.Lock()


def to_dask(calls: SessionCalls, queries: Sequence[dict[str, Any]], partition_size: int | None) -> Any:
    """Return a lazy frame of the records of several queries.

    Args:
        calls: The collection.
        queries: The list parameters of each list.
        partition_size: The approximate number of records in a partition.

    Raises:
        ConfigurationError: The extra ``dask`` is not installed.
    """
    lazy = optional_library("dask.dataframe", MISSING)
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
    frame = frame.reindex(columns=meta.columns)
    columns = {name: _as(frame[name], dtype) for name, dtype in meta.dtypes.items()}
    index = frame.index if frame.index.dtype == meta.index.dtype else frame.index.astype(meta.index.dtype)
    whole = pd.DataFrame(columns, index=index)
    whole.attrs = dict(meta.attrs)  # the same in each part, so that they are kept when parts are joined
    return whole


def _as(values: pd.Series, dtype: Any) -> Any:
    if values.isna().all():
        return pd.Series(None, index=values.index, dtype=dtype)
    if isinstance(dtype, pd.CategoricalDtype):
        used = values.cat.remove_unused_categories().cat
        new = used.categories.difference(dtype.categories, sort=False)
        return used.set_categories(dtype.categories.append(new))
    try:
        return values.astype(dtype)
    except (TypeError, ValueError):
        raise UnexpectedReply(
            f"The column {values.name!r} must be {dtype} in every part, got {values.dtype}.\n"
            "Fetch the listing at once with all()."
        ) from None


@dataclass(frozen=True, slots=True)
class Source:
    """A collection that any process can open, without the key.

    Args:
        session: The random id of the original session, which is reused in the same process.
        base_url: The base address; None for the embedded service, which other processes cannot reach.
        resource: The name of the collection.
        dialect: The response format.
        vocabulary: The allowed values, if they differ from the interface.
        timeouts: The timeouts in seconds.
        verify: Whether certificates are checked.
    """

    session: str
    base_url: str | None
    resource: str
    dialect: Dialect
    vocabulary: Vocabulary | None
    timeouts: Timeouts
    verify: bool

    @classmethod
    def of(cls, calls: SessionCalls) -> Source:
        """Return the source of a collection."""
        session = calls.session
        sender = session.sender
        verify = sender.pool.verify
        return cls(
            session=session.id,
            base_url=None if session.is_local else sender.address.base_url,
            resource=calls.spec.name,
            dialect=copy(calls.dialect),
            vocabulary=None if session.vocabulary == Vocabulary() else session.vocabulary,
            timeouts=sender.timeouts,
            # A context contains paths of this machine.
            verify=getattr(verify, "verify_mode", verify) not in {False, ssl.CERT_NONE},
        )

    def open(self) -> SessionCalls:
        """Return the collection in the original session, or in one that this process opens for its workers.

        Raises:
            ConfigurationError: This process has no key for the service, or cannot reach it.
        """
        session = open_sessions().get(self.session) or self._worker_session()
        calls = session.calls[self.resource]
        calls.dialect.adopt(self.dialect)
        return calls

    def _worker_session(self) -> Session:
        if self.base_url is None:
            raise ConfigurationError(
                "The local service of this frame is in another process, or its client was closed.\n"
                "Start it with inkframe serve, and connect to its address."
            )
        address = Address.parse(self.base_url)
        # A key that is shared later is used from then on.
        opening = (self.base_url, asdict(self.timeouts), self.verify, self.vocabulary)
        name = pickle.dumps(opening), SHARED.get(address.origin)
        with _lock:
            if name not in _sessions:
                sender = Sender(address, find_key(address), timeouts=self.timeouts, verify=self.verify)
                _sessions[name] = Session(
                    sender,
                    PictureFetcher(sender, ()),
                    self.vocabulary or Vocabulary(),
                    service=address.base_url,
                    library=None,
                    places=(),
                    concurrency=1,
                    create_limit=0,
                    creations_are_billed=True,
                    update_method=None,
                    say=notice,
                )
            return _sessions[name]


def find_key(address: Address) -> Key:
    """Return the key for a service, without a prompt.

    Args:
        address: The address that the key is sent to.

    Raises:
        ConfigurationError: There is none, or its file can be read by others.
    """
    if shared := SHARED.get(address.origin):
        return shared
    if given := os.environ.get(KEY_VARIABLE):
        return Key(given.strip())
    if file := os.environ.get(FILE_VARIABLE):
        return Key(read_key_file(Path(file).expanduser()))
    raise ConfigurationError(
        f"This worker has no key for {address.netloc}.\n"
        f"Set {KEY_VARIABLE}, or {FILE_VARIABLE} to a file that only you can read, where workers start,\n"
        "or share your key with inkframe.dask.share_key(cluster)."
    )


@checked
def share_key(cluster: Any, client: Any = None) -> None:
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
    distributed = optional_library("distributed", MISSING)
    session: Session = client._session if client else _only_session()  # noqa: SLF001  # clients do not expose keys
    connected = isinstance(cluster, distributed.Client)
    opened = nullcontext(cluster) if connected else distributed.Client(cluster, set_as_default=False)
    with opened as scheduler:
        refuse_open([scheduler.scheduler.address, *scheduler.nthreads()])
        scheduler.register_worker_callbacks(SharedKey(session.sender.address.origin, session.sender.key))


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


class SharedKey:
    """Installs the key for one origin on a worker.

    Args:
        origin: The scheme, host and port that the key may be sent to.
        key: The key.
    """

    def __init__(self, origin: str, key: Key) -> None:
        self._origin = origin
        self._key = key

    def __call__(self) -> None:
        """Install the key for all workers of this process."""
        SHARED[self._origin] = self._key

    def __reduce__(self) -> tuple[Callable[[str, str], SharedKey], tuple[str, str]]:
        # The only place where a key is serialized, for the workers it is shared with.
        return _restored, (self._origin, self._key.bearer().removeprefix("Bearer "))


def _restored(origin: str, text: str) -> SharedKey:
    return SharedKey(origin, Key(text))
