"""A plain HTTP client of the embedded service, in process."""

from __future__ import annotations

import httpx
import pytest


@pytest.fixture
def connect():
    """Give a client of a service, with its key unless another header is given."""

    def make(service, **headers):
        bearer = {"Authorization": f"Bearer {service.key}"} | headers
        transport = httpx.WSGITransport(app=service.app)
        return httpx.Client(transport=transport, base_url="http://local", headers=bearer)

    return make
