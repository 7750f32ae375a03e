"""A service that answers with the records of a test."""

import httpx
import pytest

import inkframe as ink


@pytest.fixture
def answering(request):
    """Return a function that opens a client of a service whose lists return the given records."""

    def make(*records, collection="images"):
        def answer(_asked):
            return httpx.Response(200, json={"data": list(records), "meta": {"total": len(records)}})

        client = ink.Client(
            "https://frames.test", "a-key-of-some-length", transport=httpx.MockTransport(answer)
        )
        request.addfinalizer(client.close)
        return getattr(client, collection)

    return make
