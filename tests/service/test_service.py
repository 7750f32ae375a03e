"""The service as one object."""

import os
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace

import pytest

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.service import Service
from inkframe.service.collections import EngineRunner
from inkframe.service.engines import Refused, Unavailable, WriteRequest
from inkframe.service.store import open_library
from inkframe.vocabulary import Vocabulary

IMAGES = "/api/v1/images"
DOCUMENTS = "/api/v1/documents"


def test_each_service_has_a_random_key_unless_given(engine):
    """Keys are long, random, and never shown."""
    with (
        Service(engine=engine) as one,
        Service(engine=engine) as two,
        Service(engine=engine, key="k") as three,
    ):
        assert one.key != two.key
        assert len(one.key) >= 32
        assert three.key == "k"
        assert one.key not in repr(one)


@pytest.mark.parametrize("key", ["", "  ", "schlüssel", "two\nlines"])
def test_a_key_that_cannot_be_a_header_is_rejected(engine, key):
    """The key must be valid in a header."""
    with pytest.raises(ConfigurationError) as caught:
        Service(engine=engine, key=key)
    assert str(caught.value) == "key must be printable ASCII text and not empty."


def test_the_parts_are_named(tmp_path, engine):
    """The repr has the library and the engine."""
    path = tmp_path / "library"
    with Service(path, engine=engine) as service:
        assert (service.library, service.engine) == (path, engine)
        assert repr(service) == f"<Service: library {path}, demo engine>"
    with Service(engine=engine) as service:
        assert service.library == ":memory:"


def test_a_library_has_a_unique_identity(tmp_path, engine):
    """It stays the same for a file, and differs for a recreated file and for each library in memory."""
    path = tmp_path / "library"
    identities = []
    for _ in range(2):
        with Service(path, engine=engine) as service:
            identities.append(service.identity)
    for file in tmp_path.iterdir():
        file.unlink()
    for library in (path, ":memory:", ":memory:"):
        with Service(library, engine=engine) as service:
            identities.append(service.identity)
    assert identities[0] == identities[1]
    assert len(set(identities)) == 4
    assert all(re.fullmatch("[0-9a-f]{32}", identity) for identity in identities)


def test_the_engine_may_be_named(monkeypatch):
    """A name is looked up; the default is INKFRAME_ENGINE, then offline."""
    with Service(engine="offline") as service:
        assert service.engine.name == "offline"
        assert service.engine.is_stand_in
    monkeypatch.setenv("INKFRAME_ENGINE", "offlin")
    with pytest.raises(ConfigurationError, match=r"Did you mean offline\?"):
        Service()


def test_a_library_is_empty_until_a_record_is_created(service, new_image, new_document):
    """Images and documents both count."""
    assert service.is_empty()
    number = new_image()["id"]
    assert not service.is_empty()
    with service.pool.writing() as connection:
        connection.execute("DELETE FROM images WHERE id = ?", (number,))
    assert service.is_empty()
    new_document()
    assert not service.is_empty()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux only")
@pytest.mark.parametrize(("background", "lower"), [(True, 10), (False, 0)])
def test_an_engine_in_the_background_yields_to_lists(engine, connect, background, lower):
    """It runs at a lower priority, the thread that called it does not, and its errors come through."""

    def priority():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    class Measured:
        name, is_stand_in, draw = "measured", True, engine.draw

        def write(self, request):
            if request.prompt == "refuse":
                raise Refused("The prompt is refused.")
            return str(priority())

    before = priority()
    with Service(engine=Measured(), background=background) as service, connect(service) as client:
        made = client.post(DOCUMENTS, data={"name": "n", "prompt": "p"})
        refused = client.post(DOCUMENTS, data={"name": "n", "prompt": "refuse"})
    assert made.json()["data"]["result"] == str(min(before + lower, 19))
    assert (refused.status_code, priority()) == (422, before)


def test_two_services_share_a_file(tmp_path, engine, connect):
    """Several services can use one library at once."""
    path = tmp_path / "library"
    with (
        Service(path, engine=engine) as one,
        Service(path, engine=engine) as two,
        connect(one) as writer,
        connect(two) as reader,
    ):
        for name in ("first", "second"):
            writer.post(DOCUMENTS, data={"name": name, "prompt": "p"})
            assert reader.get(DOCUMENTS).json()["data"][0]["name"] == name
            assert reader.get(DOCUMENTS, params={"search": name}).json()["meta"]["total"] == 1


def test_another_vocabulary_is_applied(engine, connect):
    """The allowed values are those of the vocabulary, templates included."""
    words = Vocabulary(styles={"oil": "Oil paint"}, templates={1: "Freestyle", 60: "Haiku"})
    with Service(engine=engine, vocabulary=words) as service, connect(service) as client:
        form = {"name": "n", "description": "d", "resolution": "256x256", "style": "oil"}
        assert client.post(IMAGES, data=form).status_code == 201
        assert client.post(IMAGES, data=form | {"style": "anime"}).status_code == 422
        prompt = f"{words.template(60).opening}\nTopic: rain"
        assert (
            client.post(DOCUMENTS, data={"name": "n", "prompt": prompt}).json()["data"]["template_id"] == 60
        )
        assert client.get(DOCUMENTS, params={"template_id": 60}).json()["meta"]["total"] == 1
        assert client.get(DOCUMENTS, params={"template_id": 2}).status_code == 422


@pytest.mark.parametrize("where", ["memory", "file"])
def test_threads_use_one_service_together(tmp_path, engine, connect, where):
    """Eight threads use all operations at once: every reply is correct, and nothing is lost."""
    library = ":memory:" if where == "memory" else tmp_path / "library"

    def work(own):
        kept = []
        for number in range(6):
            record = client.post(DOCUMENTS, data={"name": f"{own} {number}", "prompt": "p"}).json()["data"]
            changed = client.patch(f"{DOCUMENTS}/{record['id']}", data={"result": f"text of {own}"})
            found = client.get(DOCUMENTS, params={"search": f"text of {own}", "search_by": "result"})
            if number % 3 == 0:
                kept.append(client.delete(f"{DOCUMENTS}/{record['id']}").status_code == 204)
            kept += [
                changed.json()["data"]["result"] == f"text of {own}",
                record["id"] in [hit["id"] for hit in found.json()["data"]],
                client.get(DOCUMENTS).status_code == 200,
            ]
        return kept

    with Service(library, engine=engine) as service, connect(service) as client:
        with ThreadPoolExecutor(8) as threads:
            assert all(map(all, threads.map(work, [f"thread{n}" for n in range(8)])))
        assert client.get(DOCUMENTS).json()["meta"]["total"] == 8 * 4
        assert sorted(request.take for request in engine.requests) == list(range(1, 49))


def test_two_pictures_are_drawn_at_a_time_and_lists_continue(service, connect, engine, png):
    """A third picture waits while lists still respond, also from a library in memory."""
    began, go = threading.Semaphore(0), threading.Event()

    def draw(_request):
        began.release()
        go.wait(60)
        return png

    engine.draw = draw
    form = {"name": "n", "description": "d", "resolution": "256x256"}
    client = connect(service)
    with ThreadPoolExecutor(3) as threads:
        for _ in range(3):
            threads.submit(client.post, IMAGES, data=form)
        assert began.acquire(timeout=60)
        assert began.acquire(timeout=60)
        assert not began.acquire(blocking=False)
        assert client.get(IMAGES).json()["meta"]["total"] == 0
        go.set()
    assert client.get(IMAGES).json()["meta"]["total"] == 3


WRITER = """
import sys, httpx
from inkframe.service import Service
class Engine:
    name, is_stand_in = "tiny", True
    def draw(self, request): return b"\\x89PNG\\r\\n\\x1a\\n" + bytes(60_000)
    def write(self, request): return "text"
service = Service(sys.argv[1], engine=Engine())
client = httpx.Client(transport=httpx.WSGITransport(app=service.app), base_url="http://local",
                      headers={"Authorization": "Bearer " + service.key})
while True:
    form = {"name": "n", "description": "d", "resolution": "256x256"}
    print(client.post("/api/v1/images", data=form).json()["data"]["id"], flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_leaves_no_half_record(tmp_path):
    """After a kill every acknowledged record is there with its picture, and the file is intact."""
    path = tmp_path / "library"
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        acknowledged = [int(process.stdout.readline()) for _ in range(25)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [int(number) for number in re.findall(r"(\\d+)\\n", process.stdout.read())]
    with closing(open_library(path)) as pool, pool.connection() as connection:
        stored = {number for (number,) in connection.execute("SELECT id FROM images")}
        pictures = {number for (number,) in connection.execute("SELECT image_id FROM pictures")}
        assert set(acknowledged) <= stored
        assert stored == pictures
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize(("images", "documents"), [(-1, 0), (0, -1), (-2, -3)])
def test_negative_counts_are_named(service, images, documents):
    """Each negative number is refused, and the error has both."""
    with pytest.raises(InvalidArgument) as caught:
        service.sample(images=images, documents=documents)
    assert str(caught.value) == f"images and documents must be 0 or greater, got {images} and {documents}."


def test_whole_replies_of_engines(client, engine, recorded):
    """What an engine refuses is an error of its field, and an engine that cannot work says when it may."""
    found = {}
    for name, failure in {
        "refused": Refused("These words are not drawn."),
        "field": Refused("This size is not drawn.", field="resolution"),
        "later": Unavailable("The endpoint is busy.", status=503, retry_after=2.1),
        "never": Unavailable("The endpoint is gone.", status=502),
    }.items():
        engine.failure = failure
        for path, form in {
            "/api/v1/images": {"name": "n", "description": "d", "resolution": "256x256"},
            "/api/v1/documents": {"name": "n", "prompt": "p"},
        }.items():
            reply = client.post(path, data=form)
            found[f"{name} {path}"] = [reply.status_code, reply.json(), reply.headers.get("Retry-After")]
    recorded("engines", found)


def test_an_engine_of_the_caller_stays_open(engine):
    """Only an engine that the service made is closed with it; the repr names library and engine."""
    closed = []
    engine.close = lambda: closed.append(1)
    with Service(engine=engine) as service:
        assert repr(service) == "<Service: library in memory, demo engine>"
    assert closed == []


def test_engines_run_on_the_callers_thread_off_linux(engine, monkeypatch):
    """Where threads have no priority of their own, an engine in the background is called as any other."""
    threads = []
    monkeypatch.setattr(engine, "write", lambda _request: threads.append(threading.get_ident()) or "text")
    for platform in ("darwin", "linux"):
        monkeypatch.setattr("inkframe.service.collections.sys", SimpleNamespace(platform=platform))
        runner = EngineRunner(engine, background=True)
        assert runner.write(WriteRequest("p", 0.5, 1, 1)) == "text"
    assert [thread == threading.get_ident() for thread in threads] == [True, False]


@pytest.mark.parametrize(
    ("path", "form", "message", "product"),
    [
        *(
            (
                "images",
                {"description": "d", "resolution": "256x256"},
                "create a picture: it returned no PNG.",
                each,
            )
            for each in (b"JPEG", "text", None, 7)
        ),
        ("documents", {"prompt": "p"}, "create a text: it returned no text.", 7),
    ],
)
def test_products_of_the_wrong_kind_are_named(client, engine, path, form, message, product):
    """The error says what the engine should have returned, and nothing is stored."""
    engine.draw = engine.write = lambda _request: product
    reply = client.post(f"/api/v1/{path}", data=form | {"name": "n"})
    assert reply.status_code == 500
    assert reply.json()["message"] == f"The engine 'tiny' failed to {message} Nothing was stored."
    assert client.get(f"/api/v1/{path}").json()["meta"]["total"] == 0
