"""What a worker reads from: the arguments of a session, and the key, which is shared or found by the worker."""

from __future__ import annotations

import os
import pickle
import ssl
import stat
import threading
from copy import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inkframe.display.console import notice
from inkframe.errors import ConfigurationError
from inkframe.http.address import Address
from inkframe.http.key import Key
from inkframe.http.pictures import PictureFetcher
from inkframe.http.sender import Sender, Timeouts
from inkframe.listing.session import Session, SessionCalls, open_sessions
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from inkframe.replies.dialect import Dialect

__all__ = ["SHARED", "Source", "find_key"]

KEY_VARIABLE: Final = "INKFRAME_API_KEY"
FILE_VARIABLE: Final = "INKFRAME_API_KEY_FILE"
#: Keys shared with this process, by the origin they may be sent to.
SHARED: Final[dict[str, Key]] = {}
#: Sessions opened by workers of this process, by their arguments.
_sessions: Final[dict[tuple[bytes, Key | None], Session]] = {}
_lock = threading.Lock()


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
        return _read(Path(file).expanduser())
    raise ConfigurationError(
        f"This worker has no key for {address.netloc}.\n"
        f"Set {KEY_VARIABLE}, or {FILE_VARIABLE} to a file that only you can read, where workers start,\n"
        "or share your key with inkframe.dask.share_key(cluster)."
    )


def _read(path: Path) -> Key:
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigurationError(
                f"The key file {path} must be readable by you only.\nRun chmod 600 {path}"
            )
        return Key(path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise ConfigurationError(
            f"The key file {path} cannot be read: {reason}.\nCheck {FILE_VARIABLE}."
        ) from None
