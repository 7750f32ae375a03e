"""The embedded service behind a transport that keeps what was sent, and a library whose records are known."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from types import SimpleNamespace

import httpx
import pytest

import inkframe as ink
from inkframe.service import Service

BASE_URL = "https://content.test"
KEY = "key-7Qd2Zr9sLw4x"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63686868000003040181c4e1c0db0000000049454e44ae426082"
)
#: More than the largest page, and without a common divisor with the number of any list of looks.
RECORDS = 109


class Pen:
    """An engine that costs nothing: one pixel, or the prompt backwards."""

    name = "pen"
    is_stand_in = True

    def draw(self, request):
        """Return one pixel."""
        del request
        return PNG

    def write(self, request):
        """Return a text whose words are in neither the prompt nor the name."""
        return request.prompt[::-1]


@dataclass
class Sent:
    """One request as it left."""

    method: str
    path: str
    query: str
    headers: httpx.Headers
    body: bytes

    @property
    def fields(self):
        """The form, by name."""
        return dict(httpx.QueryParams(self.body.decode()))


class Recorder(httpx.BaseTransport):
    """Leads to an application and keeps every request."""

    def __init__(self, app):
        self._way = httpx.WSGITransport(app=app)
        self.sent = []

    def handle_request(self, request):
        """Keep a request, and pass it on."""
        path, _, query = request.url.raw_path.decode().partition("?")
        self.sent.append(Sent(request.method, path, query, request.headers, request.read()))
        return self._way.handle_request(request)


def serving():
    """Return an empty service and the recorder before it."""
    service = Service(engine=Pen(), key=KEY)
    return SimpleNamespace(service=service, transport=Recorder(service.app))


@pytest.fixture(scope="session")
def library():
    """Return a service that no test changes, with all of its records, oldest first."""
    made = serving()
    with made.service, ink.Client(BASE_URL, KEY, transport=made.transport) as client:
        vocabulary = client.vocabulary
        images = [
            client.images.create(
                name=f"Plate {(number * 37) % RECORDS:03}",
                description="a harbour",
                **{
                    field: vocabulary.codes(field)[number % len(vocabulary.codes(field))]
                    for field in ("resolution", "style", "medium", "filter")
                },
            )
            for number in range(RECORDS)
        ]
        prompts = [
            ink.compose_prompt(
                template, **{field.name: "stressed" for field in template.fields if field.required}
            )
            for template in vocabulary.all_templates
        ]
        prompts += ["stressed"] * (RECORDS - 1)
        documents = [
            client.documents.create(name=f"Note {(number * 37) % len(prompts):03}", prompt=prompt)
            for number, prompt in enumerate(prompts)
        ]
        made.images = _with_favorites(client.images, images)
        made.documents = _with_favorites(client.documents, documents)
        yield made


def _with_favorites(collection, records):
    chosen = {record.id for record in islice(records, 0, None, 4)}
    return [collection.update(record, favorite=True) if record.id in chosen else record for record in records]


@pytest.fixture(scope="session")
def desk():
    """Return a service that tests write to."""
    made = serving()
    with made.service:
        yield made


@pytest.fixture
def connect(request):
    """Return a function that opens a client of a service and forgets earlier requests."""

    def make(where, key=KEY, base_url=BASE_URL, **options):
        client = ink.Client(base_url, key, transport=where.transport, **options)
        request.addfinalizer(client.close)
        where.transport.sent.clear()
        return client

    return make


@pytest.fixture
def reader(library, connect):
    """Return a client of the library that no test changes."""
    return connect(library)


@pytest.fixture
def client(desk, connect):
    """Return a client of the service that tests write to."""
    return connect(desk)


@pytest.fixture
def key():
    return KEY


@pytest.fixture
def asked(library):
    """Return the requests to the library that no test changes."""
    return library.transport.sent


@pytest.fixture
def sent(desk):
    """Return the requests to the service that tests write to."""
    return desk.transport.sent
