"""A service in this process, its client, and the requests between them."""

from __future__ import annotations

import pytest


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
def pair(inkframe_misbehaving):
    """Return a function that creates a pair."""

    def make(dialect="laravel_resource", records=30, **options):
        return ServicePair(*inkframe_misbehaving(dialect, records=records, **options))

    return make
