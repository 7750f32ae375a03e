from contextlib import closing
from dataclasses import replace

import httpx
import pytest
from tests.services import DIALECTS, Faults, FaultyService

import inkframe as ink
from inkframe.cli import commands, main
from inkframe.service import Service
from inkframe.service.store import check_library
from inkframe.service.store.pool import connect as open_connection

FIELDS = {
    "images": ["name", "description", "resolution", "style", "medium", "filter", "favorite"],
    "documents": ["name", "template_id", "prompt", "creativity", "result", "favorite"],
}


@pytest.fixture
def source(monkeypatch):
    """Return a function that creates a service, which the command reaches without sockets."""

    def make(dialect="laravel_resource", **options):
        service = FaultyService(dialect, **({"images": 5, "documents": 6} | options))

        def connect(address, **options):
            if address is None:  # an export of the library
                return ink.connect(**options)
            assert address == "https://service.test"
            return ink.Client(service.base_url, service.key, transport=service.transport, max_retries=1)

        monkeypatch.setattr(commands, "connect", connect)
        return service

    return make


#: Numbers of templates that have no name here.
UNNAMED = (53, 60, -5, 2**62)


@pytest.fixture
def run(tmp_path, capsys):
    """Return a function that imports into the library, and returns status and lines."""

    def make():
        library = tmp_path / "library.db"
        status = main(["import", "--from", "https://service.test", "--library", str(library)])
        printed = capsys.readouterr().out
        return status, printed[printed.index("From ") :].splitlines()[1:]

    return make


def contents(library):
    """Return all records of a library and its pictures."""
    with ink.connect(library=library) as client:
        images, documents = client.images.all(sort="asc"), client.documents.all(sort="asc")
        return images, documents, [client.images.get(id).picture_bytes for id in images.index]


def same(here, there, columns):
    """Return whether two frames have equal rows, in any order, in the columns that the source shows."""
    shown = [column for column in columns if there[column].notna().any()]
    one, two = (frame.sort_values("name")[shown].to_dict("list") for frame in (here, there))
    return str(one) == str(two)


@pytest.mark.parametrize("dialect", ["list_brief", "stripe"])
def test_a_copy_is_the_whole_library(source, run, tmp_path, dialect):
    """Records, times and pictures of any dialect are copied, also if lists omit columns."""
    service = source(dialect)
    status, lines = run()
    assert status == 0
    assert lines == [
        "images: 5 there; 5 copied now",
        "  verified: 5 of 5 copies are unchanged",
        "documents: 6 there; 6 copied now",
        "  verified: 6 of 6 copies are unchanged",
    ]
    images, documents, pictures = contents(tmp_path / "library.db")
    assert images["created_at"].is_monotonic_increasing
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        for name, here in (("images", images), ("documents", documents)):
            there = getattr(client, name).all(details=True)
            assert same(here, there, [*FIELDS[name], "created_at", "updated_at"])
        expected = [client.images.get(id).picture_bytes for id in client.images.all().index]
        assert sorted(pictures) == sorted(expected)
    assert check_library(tmp_path / "library.db") == 8


def test_an_interrupted_run_can_be_continued(source, run, tmp_path, capsys):
    """The same command copies the remaining records, and a third run copies nothing."""
    service = source(images=20)
    seen = []

    def later(request):
        seen.append("/pictures/" in request.target)
        return sum(seen) > 10

    service.plan(Faults(script=dict.fromkeys(range(1, 200), "server_error"), where=later))
    status = main(["import", "--from", "https://service.test", "--library", str(tmp_path / "library.db")])
    printed = capsys.readouterr()
    assert status == 1
    service.plan(None)
    status, lines = run()
    assert status == 0, printed
    before = int(lines[0].split("; ")[-1].split()[0])
    assert 0 < before < 20
    assert lines[0] == f"images: 20 there; {20 - before} copied now; {before} copied before"
    assert run() == (
        0,
        [
            "images: 20 there; 20 copied before",
            "  verified: 20 of 20 copies are unchanged",
            "documents: 6 there; 6 copied before",
            "  verified: 6 of 6 copies are unchanged",
        ],
    )
    assert [len(part) for part in contents(tmp_path / "library.db")] == [20, 6, 20]


def test_new_records_are_added_and_changed_ones_reported(source, run, tmp_path):
    """New records are copied; records changed there or here are reported and not updated."""
    service = source()
    run()
    service.insert("documents", name="New", template_id=1)
    service.images[1]["name"] = "Renamed there"
    with ink.connect(library=tmp_path / "library.db") as client:
        client.documents.update(2, name="Renamed here")
    status, lines = run()
    assert status == 0
    assert lines[0] == (
        "images: 5 there; 4 copied before; 1 changed there since they were copied; the copy was not updated"
    )
    assert lines[2] == "documents: 7 there; 1 copied now; 6 copied before"
    assert lines[3:] == ["  verified: 6 of 7 copies are unchanged", "  changed here since (ids there): 1"]
    assert "Renamed there" not in set(contents(tmp_path / "library.db")[0]["name"])


def test_templates_without_a_name_are_listed_and_exported(source, run, tmp_path, capsys):
    """What was imported is found by all(), by its number and by export, from the library and through a service."""
    service = source("template_unlimited", images=0, documents=2)
    for number in UNNAMED:
        service.insert("documents", name=f"of {number}", template_id=number)
    assert run()[1][2:] == ["documents: 6 there; 6 copied now", "  verified: 6 of 6 copies are unchanged"]
    library = tmp_path / "library.db"
    with Service(library, key="the-key") as served, ink.connect(library=library) as local:
        transport = httpx.WSGITransport(app=served.app)
        with ink.Client("http://localhost", "the-key", transport=transport) as remote:
            for client in (local, remote):
                frame = client.documents.all()
                assert (len(frame), frame.attrs["inkframe"]["completeness"]) == (6, "exact")
                assert frame.attrs["inkframe"]["total"] == sum(map(len, client.documents.pages())) == 6
                for number in UNNAMED:
                    assert client.documents.all(template=number)["name"].tolist() == [f"of {number}"]
                    assert client.documents.list(template_id=number)["name"].tolist() == [f"of {number}"]
                assert len(client.documents.all(template=["Template 60", 53])) == 2
                with pytest.raises(ink.ValidationFailed, match="template_id"):
                    client.documents.all(template=54)
    assert main(["export", "--to", str(tmp_path / "out"), "--library", str(library)]) == 0
    assert "6 documents, exact" in capsys.readouterr().out
    assert len(list((tmp_path / "out" / "documents").iterdir())) == 6


def test_failed_records_are_listed_and_retried(source, run):
    """A record with a broken picture or an unfinished text is left for the next run."""
    service = source(background=1000)
    made = ink.Client(service.base_url, service.key, transport=service.transport)
    made.documents.create(name="Later", prompt="p")
    made.close()
    service.plan(Faults(script={1: "html"}, where=lambda request: "/pictures/3" in request.target))
    status, lines = run()
    assert status == 1
    assert lines[0] == "images: 5 there; 4 copied now; 1 could not be copied"
    assert lines[2].startswith("  3: The picture must be PNG, JPEG, WEBP or GIF, got")
    assert lines[3] == "documents: 7 there; 6 copied now; 1 not finished there yet"
    assert "Run the same command again" in lines[-1]
    service.plan(None)
    service.clock.sleep(1000)
    status, lines = run()
    assert status == 0
    assert lines[0] == "images: 5 there; 1 copied now; 4 copied before"
    assert lines[2] == "documents: 7 there; 1 copied now; 6 copied before"


def test_a_number_and_its_text_as_ids_stop_nothing(run, monkeypatch):
    """Of records with the ids 1 and "1" one is copied, the other is reported, and later runs do the same."""
    records = [{"id": id, "name": "N", "prompt": "P", "creativity": 0.5, "result": "R", "template_id": 1,
                "created_at": "2026-03-01T12:00:00Z"} for id in (1, "1", 2)]  # fmt: skip

    def answer(request):
        if not request.url.path.endswith("documents") or request.url.params.get("template_id", "1") != "1":
            return httpx.Response(200, json={"data": [], "total": 0})
        return httpx.Response(200, json={"data": records, "total": 3})

    transport = httpx.MockTransport(answer)
    monkeypatch.setattr(
        commands, "connect", lambda address: ink.Client(address, "secret-1234567", transport=transport)
    )
    for outcome in ("copied now", "copied before"):
        status, lines = run()
        assert status == 1
        assert f"documents: 2 there; 2 {outcome}; 1 could not be copied" in lines
        assert "  1: another record there has the same id" in lines


def test_ids_are_printed_without_control_characters(source, run, tmp_path):
    """Ids that could move the cursor or reverse a line are cleaned; a record that is shown by another id is copied once."""
    marked = {"number": "$id", "id": "\x1b[2J\u202e\r$id"}
    form = replace(DIALECTS["laravel_resource"].record, id_name="key", list_omits=("prompt",), extra=marked)
    source(replace(DIALECTS["laravel_resource"], record=form), images=1, documents=1)
    status, lines = run()
    assert status == 0
    with ink.connect(library=tmp_path / "library.db") as client:
        client.images.update(1, name="Renamed here")
    lines += run()[1]
    assert "documents: 1 there; 1 copied before" in lines
    shown = [each for each in lines if "[2J" in each]
    assert [each.partition("[2J")[0].strip() for each in shown] == ["changed here since (ids there):"]
    assert all(each.isprintable() for each in lines)


def test_other_formats_become_png(source, run, tmp_path, monkeypatch):
    """Pictures in other formats are stored as PNG of the same size."""
    from io import BytesIO

    from PIL import Image

    with BytesIO() as file:
        Image.new("RGB", (30, 20), "red").save(file, "WEBP")
        webp = file.getvalue()
    source(documents=0, images=1)
    with monkeypatch.context() as patched:
        patched.setattr("inkframe.resources.images.Images.picture_of", lambda _self, _image: webp)
        assert run()[0] == 0
    (picture,) = contents(tmp_path / "library.db")[2]
    assert Image.open(BytesIO(picture)).format == "PNG"
    assert Image.open(BytesIO(picture)).size == (30, 20)


def test_a_real_service_with_the_key_of_the_environment(capsys, monkeypatch, home):
    """The key is looked up as in connect(); without one, the error names the variable."""
    service = FaultyService(images=1, documents=1)
    library = home / "library.db"
    with service.serve() as address:
        assert main(["import", "--from", address]) == 1
        assert "INKFRAME_API_KEY" in capsys.readouterr().err
        assert not library.exists()
        monkeypatch.setenv("INKFRAME_API_KEY", service.key)
        assert main(["import", "--from", f"{address}/api/v1/"]) == 0
    assert capsys.readouterr().out.startswith(f"From {address} to {library}:\n")
    with closing(open_connection(str(library))) as connection:
        assert connection.execute("SELECT DISTINCT source FROM imports").fetchall() == [(address,)]


def counts(library):
    """Return the numbers of images and documents in a library file."""
    with closing(open_connection(str(library))) as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM images), (SELECT count(*) FROM documents)"
        ).fetchone()


def test_a_library_is_not_copied_into_itself(pen, tmp_path, capsys, monkeypatch):
    """A service on the same library is detected and nothing is stored; other libraries accept its records."""
    path = tmp_path / "library.db"
    with ink.connect(library=path) as client:
        client.documents.create(name="Kettle", prompt="p")
    with Service(path, key="the-key") as service:
        transport = httpx.WSGITransport(app=service.app)
        monkeypatch.setattr(commands, "connect", lambda url: ink.Client(url, "the-key", transport=transport))
        assert main(["import", "--from", "http://localhost", "--library", str(path)]) == 1
        assert f"serves the library {path} itself" in capsys.readouterr().err
        assert counts(path) == (0, 1)
        other = tmp_path / "other.db"
        assert main(["import", "--from", "http://localhost", "--library", str(other)]) == 0
    assert counts(other) == (0, 1)


def test_an_unreachable_service_is_reported_at_once(tmp_path, capsys, monkeypatch):
    """The first request is not retried, since nothing has been copied yet."""
    asked = []

    def refuse(request):
        asked.append(request.url.path)
        raise httpx.ConnectError("refused", request=request)

    client = ink.Client("https://service.test", "the-key", transport=httpx.MockTransport(refuse))
    monkeypatch.setattr(commands, "connect", lambda _: client)
    assert main(["import", "--from", "https://service.test", "--library", str(tmp_path / "l.db")]) == 1
    assert asked == ["/health"]
    assert "service.test does not answer" in capsys.readouterr().err


@pytest.mark.parametrize("count", [5, 9])
def test_a_copy_is_compared_with_the_count_of_the_collection(run, monkeypatch, tmp_path, count):
    """Documents of templates that no vocabulary has, and of none, are copied; what is missing is counted."""
    documents = [
        {"id": id, "name": f"n{id}", "prompt": "p", "creativity": 0.5, "template_id": template, "result": "r"}
        for id, template in enumerate([1, 4, 53, 60, None], 1)
    ]

    def answer(request):
        place = request.url.path.rpartition("/")[2]
        if place.isdecimal():
            return httpx.Response(200, json=documents[int(place) - 1])
        template = request.url.params.get("template_id")
        found = [each for each in documents if str(each["template_id"]) == template]
        if template is None:
            found = [each for each in documents if each["template_id"] in {1, None}]
        found = found if place == "documents" else []
        body = {
            "data": found[::-1],
            "total": len(found),
            "collection_total": count if place == "documents" else 0,
        }
        links = [f"https://service.test/api/v1/documents?template_id={number}" for number in (53, 60)]
        return httpx.Response(200, json=body | {"last_page": 1, "page": 1, "templates": links})

    monkeypatch.setattr(
        "inkframe.cli.commands.connect",
        lambda *_, **__: ink.Client("https://service.test", "key", transport=httpx.MockTransport(answer)),
    )
    status, lines = run()
    assert "documents: 5 there; 5 copied now" in lines
    assert (
        status,
        any("4 are missing there, best-effort: the service reports 9" in each for each in lines),
    ) == ((0, False) if count == 5 else (1, True))
    assert sorted(contents(tmp_path / "library.db")[1]["name"]) == ["n1", "n2", "n3", "n4", "n5"]
