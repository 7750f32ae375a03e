"""A service for tests that uses any dialect and fails as planned."""

import copy
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from email.utils import formatdate

from tests.services.dialects import find_dialect
from tests.services.error_forms import ERROR_FORMS, Refusal
from tests.services.exchange import Reply, SeenRequest
from tests.services.faults import FAULTS, NO_FAULT, Faults
from tests.services.reference_service import ReferenceService
from tests.services.transport import FaultyTransport
from tests.services.virtual_clock import VirtualClock
from tests.services.written_record import write_id

import inkframe
from inkframe import Vocabulary

#: The service's address in process; the domain is reserved for tests.
BASE_URL = "https://service.test"


class FaultyService:
    """A complete content service in memory, for tests of programs that use one.

    Args:
        dialect: A name in ``DIALECTS``, ``PLATFORMS`` or ``ODDITIES``, or a custom ``WireDialect``.
        images: The initial number of images.
        documents: The initial number of documents.
        faults: The plan of faults; None for no faults.
        key: The API key that it accepts.
        errors: A name in ``ERROR_FORMS``, for errors other than those of the dialect.
        vocabulary: The values of the deployment; None for those of the interface.
        skew: Seconds by which its dates are ahead.
        rate_limit: The most requests in any second; it answers 429 with Retry-After to more. None for no limit.
        **options: The other arguments of ``ReferenceService``.

    Attributes:
        transport: An httpx transport to the service, without sockets.
        base_url: Its address for that transport.
        key: The API key that it accepts.
        dialect: Its dialect.
        clock: Its clock, which advances only when somebody waits.
        requests: Every request so far, including those lost to a fault.
    """

    def __init__(
        self,
        dialect="laravel_resource",
        *,
        images=100,
        documents=100,
        faults=None,
        key="test-key",
        errors=None,
        skew=0.0,
        rate_limit=None,
        vocabulary=None,
        **options,
    ):
        self.dialect = find_dialect(dialect) if isinstance(dialect, str) else dialect
        if errors is not None:
            self.dialect = replace(self.dialect, errors=ERROR_FORMS[errors])
        self.clock = VirtualClock()
        self.key = key
        self.base_url = BASE_URL
        self.requests = []
        self.transport = FaultyTransport(self, self.clock)
        self._faults = faults or Faults()
        self._skew = skew
        self._rate_limit = rate_limit
        self._turn = 0
        self._changes = []
        self._lock = threading.RLock()
        self._application = ReferenceService(
            self.dialect,
            {"images": images, "documents": documents},
            key=key,
            vocabulary=vocabulary or Vocabulary(),
            clock=self.clock,
            **options,
        )

    @property
    def images(self):
        """The images by number; tests may change them at any time."""
        return self._application.records["images"]

    @property
    def documents(self):
        """The documents by number; tests may change them at any time."""
        return self._application.records["documents"]

    @property
    def created(self):
        """The collection and number of every record created by a request, in order."""
        return self._application.created

    @property
    def generations(self):
        """The number of billed creations: each create that happened, whether or not its reply arrived."""
        return len(self._application.created)

    def client(self, **options):
        """Return a client of the service, in this process."""
        return inkframe.Client(self.base_url, self.key, **{"transport": self.transport} | options)

    def run(self, rows, *faults, collection="documents", **options):
        """Create rows with a new client, as in a new kernel, while creates fail by these faults; return the frame."""
        if faults:
            self.lose(*faults)
        with self.client() as client:
            made = getattr(client, collection).create_many(rows, progress=False, **options)
        if faults:
            self.plan(None)
        return made

    def insert(self, collection, /, **fields):
        """Insert a record into ``images`` or ``documents``, as another user would, and return it with all fields."""
        with self._lock:
            return self._application.insert(collection, **fields)

    def public_id(self, number):
        """Return the id that clients see for a record's number."""
        return write_id(self.dialect.record.id_form, number)

    def shown(self, collection, number):
        """Return a record as it is currently sent to clients."""
        target = f"/api/v1/{collection}/{self.public_id(number)}"
        with self._lock:
            return self._application.show(collection, number, SeenRequest("GET", self.base_url, target, {}))

    def between_replies(self, change):
        """Call a function after every reply, for example to insert and delete records; also a decorator."""
        self._changes.append(change)
        return change

    def intercept(self, answer):
        """Let a function of a request, and of what answers it now, answer every request; a decorator."""
        before = self.transport.handle_request
        self.transport.handle_request = lambda request: answer(request, before)
        return answer

    def plan(self, faults):
        """Set another plan of faults, which counts requests from 1. None ends all faults."""
        with self._lock:
            self._faults = faults or Faults()
            self._turn = 0

    def lose(self, *faults):
        """Let the next creates fail by these faults."""
        self.plan(Faults(script=dict(enumerate(faults, 1)), where=lambda request: request.method == "POST"))

    def answer(self, request):
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
    def serve(self):
        """Serve on a local port in real time; yield the base URL.

        A fault that refuses the connection resets it instead, since a port cannot refuse single connections.
        """
        from tests.services.server import serving

        with serving(self) as address:
            yield address

    def _next_fault(self, request):
        plan, limit, now = self._faults, self._rate_limit, self.clock.now()
        if limit is not None and sum(now - 1 < seen.time for seen in self.requests[-limit:]) == limit:
            return replace(FAULTS["limited"], headers={"Retry-After": "1"})
        if plan.where is not None and not plan.where(request):
            return NO_FAULT
        self._turn += 1
        return plan.draw(self._turn)

    def _reply(self, request, fault):
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

    def _date(self, ahead=0.0):
        # Dates use the real time and not the virtual clock, since clients use the real time.
        return formatdate(time.time() + self._skew + ahead, usegmt=True)


def one_list(documents=0, *, record=None, **options):
    """Return a service without images whose documents are in one list, and whose records differ by these marks."""
    dialect = find_dialect("template_unlimited")
    dialect = replace(dialect, record=replace(dialect.record, **(record or {})))
    return FaultyService(dialect, images=0, documents=documents, **options)
