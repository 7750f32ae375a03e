"""What an engine is paid for: asked once for each key, kept until it is stored, and counted."""

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from types import SimpleNamespace

import pytest
from tests.service.creates import FORMS, create, total

import inkframe
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.service import Service, collections
from inkframe.service.engines import Refused, Unavailable
from inkframe.system.files import FileCache

#: A process that creates one record with the key "one", and what happens to it by its last argument.
CHILD = """
import os, signal, sys
import httpx
from inkframe.service import Service
from inkframe.service.store import RecordTable
library, name, end = sys.argv[1:]
class Engine:
    name, is_stand_in = "paid", False
    def draw(self, request):
        print("asked", flush=True)
        if end == "asked":
            os.kill(os.getpid(), signal.SIGKILL)
        if end == "waits":
            sys.stdin.readline()
        return bytes.fromhex(PNG)
    def write(self, request):
        self.draw(request)
        return "text"
def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if end == "made":
    RecordTable.insert = killed
with Service(library, engine=Engine(), key="the-key") as service:
    transport = httpx.WSGITransport(app=service.app)
    headers = {"Authorization": "Bearer the-key", "Idempotency-Key": "one"}
    with httpx.Client(transport=transport, base_url="http://local", headers=headers) as client:
        print(client.post(f"/api/v1/{name}", data=FORMS[name]).json()["data"]["id"], flush=True)
"""


@pytest.fixture(params=sorted(FORMS))
def name(request):
    return request.param


@pytest.fixture
def engine(engine, monkeypatch):
    """Return an engine that is paid for; a library is waited for only shortly."""
    monkeypatch.setattr("inkframe.service.store.pool.PATIENCE", 0.05)
    engine.is_stand_in = False
    return engine


@pytest.fixture
def library(tmp_path):
    return tmp_path / "library.db"


@pytest.fixture
def opened(library, engine, connect):
    """Return a function that opens a service on the library and a client of it."""

    @contextmanager
    def make():
        with Service(library, engine=engine, key="the-key") as service, connect(service) as client:
            yield client

    return make


@pytest.fixture
def in_process(library, png, name):
    """Return a function that starts a process that creates a record in the library."""

    def start(end):
        given = f"PNG, FORMS = {png.hex()!r}, {FORMS!r}\n{CHILD}"
        command = [sys.executable, "-c", given, str(library), name, end]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    return start


def during(engine, act):
    """Let something happen while the engine makes a picture or a text."""
    for make in ("draw", "write"):
        inner = getattr(engine, make)
        setattr(engine, make, lambda request, inner=inner: (act(), inner(request))[1])


@pytest.fixture
def other(library):
    """Return a connection of another program, which can lock the library."""
    with closing(sqlite3.connect(library, isolation_level=None, check_same_thread=False)) as connection:
        yield connection


def lock(connection):
    if not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE")


def kept(library):
    """Return the names of the results in files beside the library."""
    return sorted(path.name for path in library.parent.glob("library.db-kept/*/*"))


@pytest.fixture
def held(engine):
    """Let the engine wait; return the event of its start, and the one that lets it end."""
    asked, ends = threading.Event(), threading.Event()
    during(engine, lambda: (asked.set(), ends.wait(60)))
    return asked, ends


@pytest.fixture
def on_wait(monkeypatch):
    """Return a function that lets something happen whenever a request waits for another one."""

    def let(act):
        clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: (act(), time.sleep(0.005)))
        monkeypatch.setattr(collections, "time", clock)

    return let


@pytest.mark.parametrize("in_memory", [True, False])
def test_overlapping_requests_with_one_key_ask_once(library, engine, connect, name, held, in_memory, on_wait):
    """The engine is asked for the first one, and all get its record."""
    asked, ends = held
    waiting = set()

    def send():
        with connect(service) as client:
            return create(client, name)

    def count():
        waiting.add(threading.get_ident())
        if len(waiting) == 5:
            ends.set()

    with Service(":memory:" if in_memory else library, engine=engine) as service:
        on_wait(count)
        with ThreadPoolExecutor(6) as threads:
            sent = [threads.submit(send)]
            asked.wait(60)
            sent += [threads.submit(send) for _ in range(5)]
            replies = [each.result() for each in sent]
        with connect(service) as client:
            assert total(client, name) == 1
    assert [reply.status_code for reply in replies] == [201] * 6
    assert len({reply.text for reply in replies}) == len(engine.requests) == 1


def test_a_request_waits_for_another_one_only_so_long(opened, engine, held, monkeypatch, name):
    """A request that waited in vain gets 409 and when to send it again; another key is not affected."""
    asked, ends = held
    with opened() as client, opened() as second, ThreadPoolExecutor(1) as thread:
        first = thread.submit(create, client, name)
        asked.wait(60)
        with monkeypatch.context() as patch:
            patch.setattr(collections, "WAIT", 0.01)
            reply = create(second, name)
        ends.set()
        first.result(60)
        assert (reply.status_code, reply.headers["Retry-After"]) == (409, "5")
        assert reply.json()["message"] == (
            "Another request with this Idempotency-Key is still under way. Send it again later."
        )
        assert create(second, name).status_code == create(second, name, "two").status_code == 201
    assert len(engine.requests) == 2


def test_processes_that_share_a_library_ask_once(opened, engine, in_process, name, on_wait):
    """A request waits for one with its key in another process, and gets its record."""
    with in_process("waits") as child:
        assert child.stdout.readline() == "asked\n"
        on_wait(lambda: print(file=child.stdin, flush=True))
        with opened() as client:
            assert create(client, name).json()["data"]["id"] == 1
            assert total(client, name) == 1
    assert engine.requests == []


def test_a_locked_library_asks_no_engine(opened, engine, other, name):
    """The key is noted before the engine is asked, so that nothing is made that cannot be stored."""
    with opened() as client:
        lock(other)
        assert create(client, name).status_code == 503
        other.execute("ROLLBACK")
        assert engine.requests == []
        assert create(client, name).status_code == 201
    assert len(engine.requests) == 1


def test_what_was_made_for_a_locked_library_is_kept(opened, engine, other, library, name):
    """While the library stays locked nothing more is asked; then the same key gets the record."""
    during(engine, lambda: lock(other))
    with opened() as client:
        reply = create(client, name)
        assert (reply.status_code, reply.headers["Retry-After"]) == (409, "1")
        assert reply.json()["message"] == (
            f"Another program is writing to the library. The {name.removesuffix('s')} was made and is kept until it"
            " can be stored. To get it, send the same Idempotency-Key again."
        )
        assert (len(kept(library)), total(client, name)) == (1, 0)
        assert create(client, name).json() == reply.json()
        assert create(client, name, "two").status_code == 503
        other.execute("ROLLBACK")
        during(engine, lambda: None)
        assert create(client, name).json()["data"]["id"] == 1
        assert (total(client, name), kept(library), len(engine.requests)) == (1, [], 1)


def test_what_was_kept_is_stored_when_the_library_is_opened(opened, engine, other, library, png, name):
    """A service that is started again stores it with all its values, also what was sent without a key."""
    during(engine, lambda: lock(other))
    with opened() as client:
        assert create(client, name, "").status_code == 409
    other.execute("ROLLBACK")
    (library.parent / "library.db-kept" / name / "dead").write_bytes(b"{")
    with opened() as client:
        (record,) = client.get(f"/api/v1/{name}").json()["data"]
        assert FORMS[name].items() <= record.items()
        if name == "images":
            assert client.get(record["url"]).content == png
    assert (kept(library), len(engine.requests)) == (["dead"], 1)


def test_what_does_not_fit_on_a_full_disk_is_kept_in_memory(library, engine, connect, name, monkeypatch):
    """Where no file can be written either, the same key gets the record once there is space."""
    monkeypatch.setattr(FileCache, "put", lambda *_: None)
    with Service(library, engine=engine) as service, connect(service) as client:
        with service.pool.connection() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        full = {"prompt": "x" * 400_000, "description": "x" * 400_000}
        for _ in range(2):
            reply = create(client, name, **full)
            assert (reply.status_code, total(client, name)) == (409, 0)
            assert reply.json()["message"].startswith("The disk is full. The ")
        assert create(client, name, "two").status_code == 201
        with service.pool.connection() as connection:
            connection.execute(f"PRAGMA max_page_count = {pages * 20}")
        assert create(client, name, **full).json()["data"]["id"] == 2
    assert len(engine.requests) == 2


def test_a_request_leaves_what_another_one_has_just_made(opened, library, engine, name, monkeypatch):
    """A result that its own request is about to store is not taken for one that was left."""
    put, replies = FileCache.put, []

    def put_and_create(self, *given):
        put(self, *given)
        if not replies:
            replies.append(None)
            replies[0] = create(client, name, "two")

    monkeypatch.setattr(FileCache, "put", put_and_create)
    with opened() as client:
        assert create(client, name).json()["data"]["id"] == 2
    assert (replies[0].json()["data"]["id"], kept(library)) == (1, [])


def test_what_a_killed_process_had_made_is_stored(opened, engine, in_process, library, name):
    """A process that is killed before it stores loses nothing; the key is not asked again."""
    with in_process("made") as child:
        assert child.wait(60) == -signal.SIGKILL
    assert len(kept(library)) == 1
    with opened() as client:
        assert total(client, name) == 1
        assert create(client, name).json()["data"]["id"] == 1
    assert (engine.requests, kept(library)) == ([], [])


@pytest.mark.parametrize("is_free", [True, False])
def test_a_key_whose_process_was_killed_is_asked_for_again_where_it_is_free(
    opened, engine, in_process, name, is_free
):
    """Nobody knows what became of it: where it may be charged, only another key asks the engine again."""
    engine.is_stand_in = is_free
    with in_process("asked") as child:
        assert child.wait(60) == -signal.SIGKILL
    with opened() as client:
        for _ in range(0 if is_free else 2):
            reply = create(client, name)
            assert (reply.status_code, engine.requests) == (409, [])
            assert "it may have been charged" in reply.json()["message"]
        assert create(client, name, *([] if is_free else ["another"])).status_code == 201
        assert (total(client, name), len(engine.requests)) == (1, 1)


@pytest.mark.parametrize(
    ("failure", "is_declined"),
    [
        (Refused("No such words."), True),
        (Unavailable("Wait.", status=429), True),
        (Unavailable("Not there.", status=503), True),
        (Unavailable("Garbled.", status=502), False),
        (Unavailable("Too late.", status=504), False),
        (RuntimeError("out of ink"), False),
    ],
)
def test_a_failure_that_may_be_charged_is_not_asked_for_again(opened, engine, name, failure, is_declined):
    """A key is free after an engine declined; else no further request with it asks the engine."""
    engine.failure = failure
    with opened() as client:
        statuses = [create(client, name).status_code for _ in range(3)]
    assert (409 in statuses) is not is_declined
    assert len(engine.requests) == (3 if is_declined else 1)


def test_what_the_engine_was_asked_counts(engine, monkeypatch, name):
    """A create that failed after the engine was asked counts toward the limit; one that it declined does not."""
    monkeypatch.setattr("inkframe.service.service.find_engine", lambda _name=None: engine)
    with inkframe.connect(library=":memory:", create_limit=2) as client:
        collection = getattr(client, name)
        for engine.failure in (Refused("No."), RuntimeError(), Refused("No."), RuntimeError()):
            with pytest.raises(InkframeError, match=r"No\.|RuntimeError"):
                collection.create(**FORMS[name])
        assert client.created == 2
        with pytest.raises(InvalidArgument, match="create_limit=2 is reached"):
            collection.create(**FORMS[name])
    assert len(engine.requests) == 4


def test_a_batch_gets_what_was_kept(engine, other, library, name, monkeypatch):
    """A row whose record could not be stored is unknown, and the next run gets its record without asking again."""
    monkeypatch.setattr("inkframe.service.service.find_engine", lambda _name=None: engine)
    with inkframe.connect(library=library, max_retries=0) as client:
        held = client._embedded._collections[name]._held
        collection, rows = getattr(client, name), [FORMS[name]]
        during(engine, lambda: lock(other))
        assert list(collection.create_many(rows)["status"]) == ["unknown"]
        assert len(held) == 1
        other.execute("ROLLBACK")
        assert list(collection.create_many(rows)["id"]) == [1]
        assert len(collection.all()) == len(engine.requests) == 1
        assert held == {}


def test_what_was_made_while_the_service_was_closed_is_kept(library, engine, connect, opened, name):
    """A service that is closed while its engine works keeps the result for the next one."""
    with Service(library, engine=engine) as service, connect(service) as client:
        during(engine, service.close)
        assert create(client, name).json()["message"].startswith("The service was closed. The ")
    with opened() as client:
        assert (total(client, name), len(engine.requests)) == (1, 1)


def test_a_library_that_cannot_be_written_before_the_engine_is_asked_leaves_the_key_free(
    opened, engine, monkeypatch
):
    """Where the failure comes between the note and the engine, the key is not taken for one that was asked."""
    failures = [sqlite3.OperationalError("no")]
    take = collections._next_take
    monkeypatch.setattr(
        collections, "_next_take", lambda pool: raised(failures.pop()) if failures else take(pool)
    )
    with opened() as client:
        assert [create(client, "documents").status_code for _ in range(2)] == [500, 201]
    assert len(engine.requests) == 1


def raised(error):
    raise error


def test_the_same_key_in_both_collections_at_once(opened, engine, held):
    """A request for a document does not wait for one for an image with the same key."""
    asked, ends = held
    with opened() as client, opened() as second, ThreadPoolExecutor(1) as thread:
        first = thread.submit(create, client, "images")
        asked.wait(60)
        engine.write = lambda _request: "text"
        assert create(second, "documents").status_code == 201
        ends.set()
        first.result(60)


def test_a_text_with_half_a_character_is_stored(opened, engine):
    """A text that no file can hold is stored with a mark in the place of what is broken."""
    engine.write = lambda _request: "broken \ud83d text"
    with opened() as client:
        assert create(client, "documents").json()["data"]["result"] == "broken ? text"


def test_a_record_that_was_deleted_before_its_reply_is_not_kept(opened, engine, other, library, name):
    """A result that another process has stored, and whose record was deleted, is dropped."""
    during(engine, lambda: lock(other))
    with opened() as client:
        create(client, name)
        other.execute("ROLLBACK")
        (path,) = library.parent.glob("library.db-kept/*/*")
        content = path.read_bytes()
        client.delete(f"/api/v1/{name}/{create(client, name).json()['data']['id']}")
        path.write_bytes(content)
    with opened() as client:
        assert (total(client, name), kept(library)) == (0, [])


@pytest.mark.parametrize(("status", "expected", "asked"), [(503, "failed", 2), (502, "unknown", 1)])
def test_a_batch_asks_a_paid_engine_again_only_where_it_declined(
    engine, library, monkeypatch, status, expected, asked
):
    """A row whose engine may have been paid is unknown, and no further run asks the engine for it."""
    monkeypatch.setattr("inkframe.service.service.find_engine", lambda _name=None: engine)
    engine.failure = Unavailable("No.", status=status)
    with inkframe.connect(library=library, max_retries=0) as client:
        for _ in range(2):
            runs = client.documents.create_many([FORMS["documents"]], progress=False)
    assert (runs["status"].tolist(), len(engine.requests)) == ([expected], asked)
