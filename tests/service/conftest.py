"""A service on a library in memory, with a fast engine that records its requests."""

import pytest

from inkframe.service import Service

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63686868000003040181c4e1c0db0000000049454e44ae426082"
)


class TinyEngine:
    """Draws one pixel, and writes the prompt."""

    name = "tiny"
    is_stand_in = True

    def __init__(self):
        self.requests = []
        self.failure = None

    def draw(self, request):
        """Return a picture of one pixel."""
        self.requests.append(request)
        if self.failure:
            raise self.failure
        return PNG

    def write(self, request):
        """Return the prompt with its take."""
        self.requests.append(request)
        if self.failure:
            raise self.failure
        return f"{request.prompt} ({request.take})"


@pytest.fixture
def png():
    return PNG


@pytest.fixture
def engine():
    return TinyEngine()


@pytest.fixture
def service(engine):
    with Service(engine=engine, key="the-key") as made:
        yield made


@pytest.fixture
def client(service, connect):
    with connect(service) as made:
        yield made


@pytest.fixture
def new_image(client):
    """Create an image with the required fields only, and return its record."""

    def make(**fields):
        form = {"name": "Harbor", "description": "a harbor at dawn", "resolution": "256x256"} | fields
        reply = client.post("/api/v1/images", data=form)
        assert reply.status_code == 201, reply.text
        return reply.json()["data"]

    return make


@pytest.fixture
def new_document(client):
    """Create a document with the required fields only, and return its record."""

    def make(**fields):
        reply = client.post("/api/v1/documents", data={"name": "Kettle", "prompt": "about a kettle"} | fields)
        assert reply.status_code == 201, reply.text
        return reply.json()["data"]

    return make
