"""After a 429, every kind of run waits as long as requested, and keeps the rate that was accepted."""

import pytest
from tests.services import Faults, FaultyService

from inkframe.cli import commands, main

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
def test_a_429_holds_all_requests_of_a_run(name, monkeypatch, tmp_path):
    """After a 429 the requests that are not under way wait, and then keep the accepted rate."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    service = FaultyService("list_brief", images=24, documents=0)
    client = service.client(concurrency=8)
    monkeypatch.setattr(commands, "connect", lambda _: client)
    service.plan(Faults(script={5: "limited"}, where=is_not_a_list))
    with client:
        RUNS[name](client)
    times = [seen.time for seen in service.requests]
    (at,) = [number for number, seen in enumerate(service.requests) if seen.fault == "limited"]
    early = [time for time in times if time < times[at] + 2]
    late = times[len(early) :]
    # How many still arrive depends on when the thread with the 429 runs again; the others wait.
    assert late
    assert max(sum(start <= time < start + 1 for time in late) for start in late) <= len(early)


def is_not_a_list(request):
    """Return whether a request is about one record."""
    return request.method != "GET" or request.path != "/api/v1/images"
