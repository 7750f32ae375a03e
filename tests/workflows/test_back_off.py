"""Rate limits reduce the concurrency of every kind of run."""

from __future__ import annotations

import pytest
from tests.services import Faults, FaultyService

import inkframe
from inkframe.cli import import_, main
from inkframe.concurrency.limiter import Limiter

WANTED = [{"name": f"Kettle {n}", "description": "A kettle", "resolution": "256x256"} for n in range(24)]


def push(client):
    """Push an edited frame."""
    frame = client.images.all()
    frame["favorite"] = ~frame["favorite"].fillna(value=False)
    client.images.push(frame)


def copy(client):
    """Import the service into a library."""
    del client
    main(["import", "--from", "https://service.test"])


RUNS = {
    "create": lambda client: client.images.create_many(WANTED, progress=False),
    "delete": lambda client: client.images.delete_many(range(1, 25), confirm=24),
    "details": lambda client: client.images.all(details=True),
    "download": lambda client: client.images.download(client.images.all(), "pictures"),
    "import": copy,
    "look up": lambda client: client.images.gallery(list(range(1, 25))),
    "push": push,
    "thumbnails": lambda client: client.images.table(client.images.list(per_page=25)),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_429_halves_the_concurrency_and_it_recovers(name, monkeypatch, tmp_path):
    """After a 429 the number of requests in flight is halved, and then grows again to its old value."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    service = FaultyService("list_brief", images=24, documents=0)
    client = inkframe.Client(service.base_url, service.key, transport=service.transport, concurrency=8)
    monkeypatch.setattr(import_, "connect", lambda _: client)
    widths, note = {}, Limiter.note

    def noted(limiter, scope, feedback):
        before = limiter.width
        rest = note(limiter, scope, feedback)
        widths.setdefault(limiter, [before]).append(limiter.width)
        return rest

    monkeypatch.setattr(Limiter, "note", noted)
    service.plan(Faults(script={5: "limited"}, where=is_not_a_list))
    with client:
        RUNS[name](client)
    (slowed,) = [found for found in widths.values() if min(found) < found[0]]
    full = slowed[0]
    assert full > 1
    assert min(slowed) == full // 2
    assert slowed[-1] == full


def is_not_a_list(request):
    """Return whether a request is about one record."""
    return request.method != "GET" or request.path != "/api/v1/images"
