"""A service for tests that uses any dialect and fails as planned."""

from __future__ import annotations

import copy
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from email.utils import formatdate
from typing import TYPE_CHECKING, Any, Final

from tests.services.dialects import find_dialect
from tests.services.error_forms import ERROR_FORMS, Refusal
from tests.services.exchange import Reply, SeenRequest
from tests.services.faults import FAULTS, NO_FAULT, Faults
from tests.services.lookup import look_up
from tests.services.reference_service import ReferenceService
from tests.services.transport import FaultyTransport
from tests.services.virtual_clock import VirtualClock
from tests.services.written_record import write_id

from inkframe import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.services.exchange import Fault
    from tests.services.wire_dialect import WireDialect

__all__ = ["FaultyService"]

#: The service's address in process; the domain is reserved for tests.
BASE_URL: Final = "https://service.test"


class FaultyService:
    """A complete content service in memory, for tests of programs that use one.

    Args:
        dialect: A name in ``DIALECTS``, ``PLATFORMS`` or ``ODDITIES``, or a custom ``WireDialect``.
        images: The initial number of images.
        documents: The initial number of documents.
        seed: The seed of the records.
        faults: The plan of faults; None for no faults.
        key: The API key that it accepts.
        errors: A name in ``ERROR_FORMS``, for errors other than those of the dialect.
        vocabulary: The values of the deployment; None for those of the interface.
        background: Seconds until the picture or text of a new record is available.
        picture_lifetime: Seconds for which a picture's address is valid; None for always.
        skew: Seconds by which its dates are ahead.
        rate_limit: The most requests in any second; it answers 429 with Retry-After to more. None for no limit.
        stores: Returns the fields of a create or an update as the service stores them, such as with a shorter name;
            None for unchanged.

    Attributes:
        transport: An httpx transport to the service, without sockets.
        base_url: Its address for that transport.
        key: The API key that it accepts.
        dialect: Its dialect.
        clock: Its clock, which advances only when somebody waits.
        requests: Every request so far, including those lost to a fault.

    Raises:
        InvalidArgument: There is no such dialect or error form.

    Example:
        >>> service = FaultyService("spring", images=250, faults=Faults.passing(0.2))
        >>> client = inkframe.Client(service.base_url, service.key, transport=service.transport)
        >>> assert set(client.images.all().index) == set(service.images)
    """

    def __init__(
        self,
        dialect: str | WireDialect = "laravel_resource",
        *,
        images: int = 100,
        documents: int = 100,
        seed: int = 0,
        faults: Faults | None = None,
        key: str = "test-key",
        errors: str | None = None,
        vocabulary: Vocabulary | None = None,
        background: float = 0.0,
        picture_lifetime: float | None = None,
        skew: float = 0.0,
        rate_limit: int | None = None,
        stores: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        self.dialect = _speaking(dialect, errors)
        self.clock = VirtualClock()
        self.key = key
        self.base_url = BASE_URL
        self.requests: list[SeenRequest] = []
        self.transport = FaultyTransport(self, self.clock)
        self._faults = faults or Faults()
        self._skew = skew
        self._rate_limit = rate_limit
        self._turn = 0
        self._changes: list[Callable[[FaultyService], object]] = []
        self._lock = threading.RLock()
        self._application = ReferenceService(
            self.dialect,
            {"images": images, "documents": documents},
            seed=seed,
            key=key,
            vocabulary=vocabulary or Vocabulary(),
            clock=self.clock,
            background=background,
            picture_lifetime=picture_lifetime,
            stores=stores,
        )

    @property
    def images(self) -> dict[int, dict[str, Any]]:
        """The images by number; tests may change them at any time."""
        return self._application.records["images"]

    @property
    def documents(self) -> dict[int, dict[str, Any]]:
        """The documents by number; tests may change them at any time."""
        return self._application.records["documents"]

    @property
    def created(self) -> list[tuple[str, int]]:
        """The collection and number of every record created by a request, in order."""
        return self._application.created

    @property
    def generations(self) -> int:
        """The number of billed creations: each create that happened, whether or not its reply arrived."""
        return len(self._application.created)

    def insert(self, collection: str, /, **fields: Any) -> dict[str, Any]:
        """Insert a record into ``images`` or ``documents``, as another user would, and fill missing fields.

        Returns:
            The stored record; ``record["id"]`` is its number.
        """
        with self._lock:
            return self._application.insert(collection, **fields)

    def public_id(self, number: int) -> Any:
        """Return the id that clients see for a record's number."""
        return write_id(self.dialect.record.id_form, number)

    def shown(self, collection: str, number: int) -> Any:
        """Return a record as it is currently sent to clients."""
        target = f"/api/v1/{collection}/{self.public_id(number)}"
        with self._lock:
            return self._application.show(collection, number, SeenRequest("GET", self.base_url, target, {}))

    def between_replies(self, change: Callable[[FaultyService], object]) -> Callable[[FaultyService], object]:
        """Call a function after every reply, for example to insert and delete records; also a decorator.

        Args:
            change: Called with the service. It may insert, update and delete records.

        Example:
            >>> service = FaultyService(images=250)
            >>> @service.between_replies
            ... def churn(service):
            ...     service.insert("images", name="new")
            ...     del service.images[min(service.images)]
        """
        self._changes.append(change)
        return change

    def plan(self, faults: Faults | None) -> None:
        """Set another plan of faults, which counts requests from 1. None ends all faults."""
        with self._lock:
            self._faults = faults or Faults()
            self._turn = 0

    def answer(self, request: SeenRequest) -> tuple[Reply, Fault]:
        """Return the reply to a request and its fault; for the transport and the server, not for tests."""
        with self._lock:
            fault = self._next_fault(request)
            request = replace(request, time=self.clock.now(), number=len(self.requests) + 1, fault=fault.name)
            self.requests.append(request)
            reply = self._reply(request, fault)
            for change in self._changes:
                change(self)
        return reply.plus(Date=self._date(), X_Request_Id=f"request-{request.number}"), fault

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve on a local port in real time; yield the base URL.

        A fault that refuses the connection resets it instead, since a port cannot refuse single connections.
        """
        from tests.services.server import serving

        with serving(self) as address:
            yield address

    def _next_fault(self, request: SeenRequest) -> Fault:
        plan, limit, now = self._faults, self._rate_limit, self.clock.now()
        if limit is not None and sum(now - 1 < seen.time for seen in self.requests[-limit:]) == limit:
            return replace(FAULTS["limited"], headers={"Retry-After": "1"})
        if plan.where is not None and not plan.where(request):
            return NO_FAULT
        self._turn += 1
        return plan.draw(self._turn)

    def _reply(self, request: SeenRequest, fault: Fault) -> Reply:
        application = self._application
        if fault.dialect is not None:
            # A shallow copy shares the records: only the format of the reply differs.
            application = copy.copy(application)
            application.dialect = find_dialect(fault.dialect)
        reply = application.reply(request) if fault.handled else Reply(200)
        if fault.status is not None:
            refused = application.refuse(Refusal(fault.status), request)
            reply = replace(refused, status=fault.status)
        if fault.retry_date is not None:
            reply = reply.plus(Retry_After=self._date(fault.retry_date))
        reply = reply.plus(**fault.headers)
        return fault.spoil(reply) if fault.spoil else reply

    def _date(self, ahead: float = 0.0) -> str:
        # Dates use the real time and not the virtual clock, since clients use the real time.
        return formatdate(time.time() + self._skew + ahead, usegmt=True)

    def __repr__(self) -> str:
        counts = f"{len(self.images)} images, {len(self.documents)} documents, {len(self.requests)} requests"
        return f"<FaultyService {self.dialect.name}: {counts}>"


def _speaking(dialect: str | WireDialect, errors: str | None) -> WireDialect:
    """Return the dialect, with another error form if given."""
    spoken = find_dialect(dialect) if isinstance(dialect, str) else dialect
    if errors is None:
        return spoken
    form = look_up(ERROR_FORMS, errors, "error form")
    return replace(spoken, errors=form)
