"""The state that the collections of one client share, and the open sessions."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from inkframe.frames import Categories
from inkframe.listing.operations import Calls
from inkframe.listing.paging import Probes
from inkframe.schema import RESOURCES, ResourceSpec
from inkframe.system.files import FileCache, home_folder, journal_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inkframe.http.pictures import PictureFetcher
    from inkframe.http.sender import Sender
    from inkframe.vocabulary import Vocabulary

__all__ = ["Session", "SessionCalls", "open_sessions"]

#: The open sessions by id, used to find the session of a frame.
_open: Final[dict[str, Session]] = {}


def open_sessions() -> dict[str, Session]:
    """Return the open sessions by id."""
    return dict(_open)


class SessionCalls(Calls):
    """The operations on a collection, with the session that they belong to.

    Args:
        session: The session.
        spec: The collection.
        update_method: ``PATCH`` or ``PUT``; None to detect it.
        probes: What other collections of the client have found about pages.
    """

    def __init__(
        self, session: Session, spec: ResourceSpec, update_method: str | None, probes: Probes
    ) -> None:
        super().__init__(session.sender, spec, lambda: session.vocabulary, update_method, probes)
        self.session = session
        #: Converts a record for the person who asked for it; its collection sets it.
        self.as_record: Callable[[Any], Any] = lambda record: record


class Session:
    """The state of one client of a service: the sender, the vocabulary, the calls and the count of creates.

    Args:
        sender: The sender of requests.
        pictures: The fetcher of pictures.
        vocabulary: The allowed values.
        service: The name in frames and files: its base address, or ``local demo service``.
        label: The name in captions instead, if given; it is no identity.
        library: The identity of the local library; None for other services.
        places: The identity of the service in journals, then those of older releases; none for a service that
            ends with the client.
        concurrency: The most requests in flight.
        create_limit: The maximum number of creates, or None.
        creations_are_billed: Whether creates are billed.
        creates_at_once: How many creates a batch sends at once; None for the usual number.
        update_method: ``PATCH`` or ``PUT``; None to detect it.
        say: Shows a line to the user.
        jobs: The background jobs, which a room above keeps, if there can be any.

    Attributes:
        journals: The open journals by path, which a room above keeps.
        journal_path: The path of the journal of this service; None for a service that ends with the client.
        asked: Returns how often the engine of an embedded service was asked, which counts as creates.
    """

    def __init__(
        self,
        sender: Sender,
        pictures: PictureFetcher,
        vocabulary: Vocabulary,
        *,
        service: str,
        label: str = "",
        library: str | None,
        places: Sequence[str],
        concurrency: int,
        create_limit: int | None,
        creations_are_billed: bool,
        creates_at_once: int | None = None,
        update_method: str | None,
        say: Callable[[str], object],
        jobs: Any = None,
    ) -> None:
        self.sender = sender
        self.pictures = pictures
        self.service = service
        self.label = label
        #: What frames name as their source.
        self.source = {"service": service} | ({"library": library} if library else {})
        self.concurrency = concurrency
        #: Whether this is the embedded service.
        self.is_local = sender.in_process
        #: The most requests in flight; 1 for the embedded service, which threads only slow down.
        self.width = 1 if self.is_local else concurrency
        #: The name of the host in messages, or ``local demo service``.
        self.host = sender.address.name
        self.create_limit = create_limit
        self.creations_are_billed, self.creates_at_once = creations_are_billed, creates_at_once
        self.id = uuid4().hex
        self.created = 0
        self.asked: Callable[[], int] = int
        self.places = tuple(places) or (f"client {self.id}",)
        self.use(vocabulary)
        probes = Probes()
        self.calls = {
            name: SessionCalls(self, spec, update_method, probes) for name, spec in RESOURCES.items()
        }
        #: The public collections by name, used by frames.
        self.collections: dict[str, Any] = {}
        self.jobs = jobs
        self.say, sender.say = say, self.say_once
        #: The creates in flight at once, shared by all jobs.
        self.slots = threading.BoundedSemaphore(concurrency)
        self._said: set[str] = set()
        self.journals: dict[Path | None, Any] = {}
        self.journal_path = path = journal_path(places[0]) if places else None
        #: The cache of thumbnails of this service; None for a service that ends with the client.
        self.thumbnails = FileCache(home_folder() / "thumbnails" / path.stem) if path else None
        self.lock = threading.Lock()
        _open[self.id] = self

    def close(self) -> None:
        """End all calls in progress and close every connection."""
        _open.pop(self.id, None)
        if self.jobs is not None:
            self.jobs.close()
        self.sender.close()

    def use(self, vocabulary: Vocabulary) -> None:
        """Replace the vocabulary."""
        self.vocabulary = vocabulary
        values = {"choice": vocabulary.codes, "label": vocabulary.labels}
        self.categories = {
            field.name: Categories(values[field.type](field.name))
            for spec in RESOURCES.values()
            for field in spec.fields
            if field.type in values
        }

    def say_once(self, about: str, text: str) -> None:
        """Print a line once for each subject."""
        if about not in self._said:
            self._said.add(about)
            self.say(text)

    def template_label(self, number: int | None) -> str | None:
        """Return the label of a template by number, also for an unknown one."""
        return None if number is None else self.vocabulary.template_label(number) or f"Template {number}"
