"""Services in this process, their clients, and the requests between them."""

from contextlib import ExitStack

import pytest
from tests.services import FaultyService

import inkframe


class ServicePair:
    """A service, its client, and the requests since the last call."""

    def __init__(self, client, service):
        self.client, self.service = client, service
        self._seen = 0

    def sent(self, *methods):
        """Return the requests since the last call, optionally of some methods only."""
        requests, self._seen = self.service.requests[self._seen :], len(self.service.requests)
        return [request for request in requests if not methods or request.method in methods]

    def written(self):
        """Return the write requests since the last call."""
        return self.sent("PATCH", "PUT", "POST", "DELETE")


@pytest.fixture
def sample_client():
    """Return a client of the embedded service in memory, with example records."""
    with inkframe.connect(library=":memory:", sample=True) as client:
        yield client


@pytest.fixture
def misbehaving():
    """Return a function that creates a service with a response format and faults, and a client."""
    with ExitStack() as open_clients:

        def make(dialect="laravel_resource", *, records=100, **options):
            service = FaultyService(dialect, **{"images": records, "documents": records, **options})
            client = inkframe.Client(service.base_url, service.key, transport=service.transport)
            return open_clients.enter_context(client), service

        yield make


@pytest.fixture
def pair(misbehaving):
    """Return a function that creates a pair."""

    def make(dialect="laravel_resource", records=30, **options):
        return ServicePair(*misbehaving(dialect, records=records, **options))

    return make
