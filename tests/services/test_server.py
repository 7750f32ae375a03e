import threading

import httpx
import pytest
from tests.services import Fault, Faults, FaultyService
from tests.waiting import until

FORM = {"name": "Quay", "description": "two boats", "resolution": "512x512"}
BRIEF = httpx.Timeout(60, read=0.05)
#: The error of a fault on a real socket, and whether a create has happened.
BROKEN = {
    "refused": (httpx.ReadError, False),
    "lost_request": (httpx.ReadError, False),
    "lost_reply": (httpx.ReadError, True),
    "hung_up": (httpx.RemoteProtocolError, True),
    "truncated": (httpx.RemoteProtocolError, True),
    "reset_in_body": (httpx.ReadError, True),
    "silent": (httpx.ReadTimeout, True),
    "false_gzip": (httpx.DecodingError, True),
    "long_header": (httpx.RemoteProtocolError, True),
}


@pytest.fixture
def served():
    """Return a function that serves on a real port and returns a client."""
    stack = []

    def make(faults=None, **options):
        service = FaultyService(images=12, documents=0, faults=faults, **options)
        context = service.serve()
        address = context.__enter__()
        headers = {"Authorization": f"Bearer {service.key}", "Accept": "application/json"}
        client = httpx.Client(base_url=address, headers=headers, timeout=60, trust_env=False)
        stack.append((context, client))
        return client, service

    yield make
    for context, client in stack:
        client.close()
        context.__exit__(None, None, None)


def test_operations_over_sockets(served):
    """The service on a port keeps the connection open and has that port in its addresses."""
    client, service = served()
    made = client.post("/api/v1/images", data=FORM)
    assert (made.status_code, service.generations) == (201, 1)
    place = made.json()["data"]["url"]
    assert place == str(client.base_url.join("/pictures/13.png"))
    assert client.get(place).content.startswith(b"\x89PNG")
    assert client.delete("/api/v1/images/13").status_code == 204
    listed = client.get("/api/v1/images", params={"per_page": 10}).json()
    assert [row["id"] for row in listed["data"]] == list(range(12, 2, -1))
    assert [request.method for request in service.requests] == ["POST", "GET", "DELETE", "GET"]


def test_faults_over_sockets(served):
    """Resets, closed connections, truncated bodies and silence raise the same errors as in process."""
    names = list(BROKEN)
    client, service = served(Faults(script=dict(enumerate(names, start=1))))
    for name, (error, happened) in BROKEN.items():
        before = service.generations
        with pytest.raises(error):
            client.post("/api/v1/images", data=FORM, timeout=BRIEF if name == "silent" else 60)
        until(lambda before=before, happened=happened: service.generations - before == happened)
        assert service.requests[-1].fault == name
    assert client.get("/api/v1/images").is_success


def test_slow_bytes_come_one_by_one(served, monkeypatch):
    """There is a pause before each byte, in headers and in the body."""
    waits = []
    monkeypatch.setattr("tests.services.server._Handler._wait", lambda _, seconds: waits.append(seconds))
    client, _ = served(Faults(script={1: Fault(name="drip", header_drip=0.1, drip=0.2)}))
    reply = client.get("/api/v1/images/1")
    assert reply.json()["data"]["id"] == 1
    assert waits.count(0.1) > len(reply.headers.raw)
    assert waits.count(0.2) == len(reply.content)


def test_an_endless_body_over_sockets(served):
    """Bytes arrive until the caller disconnects."""
    client, _ = served(Faults(script={1: "endless"}))
    with client.stream("GET", "/api/v1/images") as reply:
        pieces = reply.iter_raw()
        assert sum(len(next(pieces)) for _ in range(50)) > 100_000
    assert client.get("/api/v1/images").is_success


def test_nothing_is_left_running():
    """The block ends with its threads, also during a reply that never comes."""
    service = FaultyService(images=1, documents=0, faults=Faults({"silent": 1}))
    before = threading.active_count()
    with service.serve() as address, pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{address}/api/v1/images", timeout=BRIEF, trust_env=False)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and "process_request" in thread.name:
            thread.join(60)
    assert threading.active_count() <= before
