"""What the collections of one client share."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from inkframe.errors import InvalidArgument
from inkframe.frames import Categories
from inkframe.paths import home_folder, journal_path
from inkframe.schema import RESOURCES
from inkframe.workflows.journal import Journal

if TYPE_CHECKING:
    from os import PathLike

    from inkframe.display import ThumbnailCache
    from inkframe.http.pictures import Pictures
    from inkframe.http.sender import Conversation
    from inkframe.vocabulary import Vocabulary

__all__ = ["Session"]


class Session:
    """One service as one client knows it: the conversation, the vocabulary, the count of creations.

    Args:
        conversation: What sends requests.
        pictures: What fetches pictures.
        vocabulary: The allowed values.
        service: What captions call it: its base address, or ``local stand-in``.
        place: What makes it the same service as itself, for journals; None for one that is gone with the client.
        concurrency: The most requests in flight.
        create_limit: How many creations are allowed, or None.
    """

    def __init__(
        self,
        conversation: Conversation,
        pictures: Pictures,
        vocabulary: Vocabulary,
        *,
        service: str,
        place: str | None = None,
        concurrency: int = 16,
        create_limit: int | None = None,
    ) -> None:
        self.conversation = conversation
        self.pictures = pictures
        self.service = service
        self.concurrency = concurrency
        self.create_limit = create_limit
        self.id = uuid4().hex
        self.created = 0
        #: The ids of what this client made, so that a lost create is not taken for one of them.
        self.made: set[int | str] = set()
        self.place = place or f"client {self.id}"
        self._journals: dict[Path | None, Journal] = {}
        self._default_journal = journal_path(place) if place else None
        self._lock = threading.Lock()
        self.use(vocabulary)

    def use(self, vocabulary: Vocabulary) -> None:
        """Check and label by another vocabulary from now on."""
        self.vocabulary = vocabulary
        values = {"choice": vocabulary.codes, "label": vocabulary.labels}
        self.categories = {
            field.name: Categories(values[field.type](field.name))
            for spec in RESOURCES.values()
            for field in spec.fields
            if field.type in values
        }

    def journal(self, path: str | PathLike[str] | None = None) -> Journal:
        """Give the journal of creations at a path, or this service's own."""
        where = Path(path).expanduser() if path is not None else self._default_journal
        with self._lock:
            if where not in self._journals:
                self._journals[where] = Journal(where)
            return self._journals[where]

    def thumbnails(self) -> ThumbnailCache | None:
        """Give the folder of small pictures of this service; none for one that is gone with the client."""
        if self._default_journal is None:
            return None
        from inkframe.display import ThumbnailCache

        return ThumbnailCache(home_folder() / "thumbnails" / self._default_journal.stem)

    @property
    def is_local(self) -> bool:
        """Whether this is the embedded service."""
        return self.conversation.in_process

    @property
    def host(self) -> str:
        """The host's name for messages, or ``local stand-in``."""
        return self.conversation.address.name

    def claim_creation(self, count: int = 1) -> None:
        """Count creations before they are sent.

        Raises:
            InvalidArgument: They would pass the limit.
        """
        with self._lock:
            if self.create_limit is not None and self.created + count > self.create_limit:
                raise InvalidArgument(
                    f"create_limit={self.create_limit}: {self.created} creations were made, {count} more are refused.\n"
                    "Raise the limit with ink.connect(…, create_limit=…)."
                )
            self.created += count

    def return_creation(self, count: int = 1) -> None:
        """Take back creations that certainly did not happen."""
        with self._lock:
            self.created -= count
