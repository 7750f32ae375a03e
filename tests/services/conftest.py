import httpx
import pytest
from tests.services import FaultyService


@pytest.fixture
def connect():
    """Return a function that creates a service and a plain HTTP client."""
    clients = []

    def make(dialect="laravel_resource", *, images=12, documents=12, **options):
        service = FaultyService(dialect, images=images, documents=documents, **options)
        headers = {"Authorization": f"Bearer {service.key}", "Accept": "application/json"}
        client = httpx.Client(transport=service.transport, base_url=service.base_url, headers=headers)
        clients.append(client)
        return client, service

    yield make
    for client in clients:
        client.close()
