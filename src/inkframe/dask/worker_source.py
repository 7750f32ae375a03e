"""Where workers find a service: everything that opening a client takes, except the key."""

from __future__ import annotations

import pickle
import ssl
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.client import Client, open_clients
from inkframe.dask.worker_keys import SHARED, find_key
from inkframe.errors import ConfigurationError
from inkframe.http.address import Address
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.http.key import Key
    from inkframe.workflows.list_frames import Listed

__all__ = ["Source"]

#: Clients that workers of this process opened, by what they were opened with.
_opened: dict[tuple[bytes, Key | None], Client] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """A collection of a service as any process can open it; holds no key.

    Args:
        client: The random id of the client that planned, which the same process uses itself.
        base_url: The service's base address; None for the embedded service, which no other process reaches.
        resource: ``images`` or ``documents``.
        dialect: What was learned of how it answers.
        vocabulary: Its allowed values, where they are not those of the interface.
        options: Further arguments of ``ink.Client``.
    """

    client: str
    base_url: str | None
    resource: str
    dialect: Mapping[str, Any]
    vocabulary: Vocabulary | None
    options: Mapping[str, Any]

    @classmethod
    def of(cls, collection: Listed) -> Source:
        """Give where a collection is."""
        session = collection._session  # noqa: SLF001  # what it is opened with
        conversation = session.conversation
        verify = conversation._verify  # noqa: SLF001  # as above
        timeouts = conversation.timeouts
        return cls(
            client=session.id,
            base_url=None if session.is_local else conversation.address.base_url,
            resource=collection.resource,
            dialect=collection.dialect.facts(),
            vocabulary=None if session.vocabulary == Vocabulary() else session.vocabulary,
            options={
                "timeout": {
                    "connect": timeouts.connect,
                    "read": timeouts.read,
                    "create": timeouts.create,
                },
                # A context holds paths of the machine it was made on.
                "verify": getattr(verify, "verify_mode", verify) not in {False, ssl.CERT_NONE},
            },
        )

    def collection(self) -> Listed:
        """Give the collection, of the client that planned or of one that this process opens for its workers.

        Raises:
            ConfigurationError: This process has no key for the service, or cannot reach it.
        """
        client = open_clients().get(self.client) or self._opened()
        collection: Listed = getattr(client, self.resource)
        collection.dialect.learn(**self.dialect)
        return collection

    def _opened(self) -> Client:
        if self.base_url is None:
            raise ConfigurationError(
                "This frame is of a local service that lives in another process, or whose client was closed.\n"
                "Put it behind an address with inkframe serve, and connect to that."
            )
        address = Address.parse(self.base_url)
        # A key that is shared later is used from then on.
        name = pickle.dumps((self.base_url, self.options, self.vocabulary)), SHARED.get(address.origin)
        with _lock:
            if name not in _opened:
                _opened[name] = Client(
                    self.base_url, find_key(address), vocabulary=self.vocabulary, **self.options
                )
            return _opened[name]
