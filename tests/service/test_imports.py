"""Imports of records from another service."""

from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import pytest

import inkframe as ink
from inkframe.schema import FieldSpec
from inkframe.service import Service
from inkframe.service.imports import STORED, Arrival, Imports, arrival, digest
from inkframe.service.store import check_library
from inkframe.service.store.library import MIGRATIONS
from inkframe.service.store.pool import connect as open_connection
from inkframe.vocabulary import Vocabulary, compose_prompt

MOMENT = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
SOURCE = "https://content.example.com"
IMAGE = {
    "name": "Harbor",
    "description": "a harbor",
    "resolution": "512x512",
    "style": "oil",
    "medium": None,
    "filter": "sepia",
    "favorite": True,
    "created_at": MOMENT,
    "updated_at": MOMENT + timedelta(days=1),
}
DOCUMENT = {
    "name": "Kettle",
    "template_id": 16,
    "prompt": "p",
    "creativity": 0.25,
    "result": "It boils.",
    "favorite": False,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}


@pytest.fixture
def library(tmp_path):
    return tmp_path / "library"


@pytest.fixture
def imports(library):
    with closing(Imports(library, SOURCE)) as made:
        yield made


@pytest.fixture
def filled(imports, png):
    """Return imports with an image and a document."""
    imports.add("images", [arrival("images", "a-7", IMAGE, Vocabulary(), png)])
    imports.add("documents", [arrival("documents", "007", DOCUMENT, Vocabulary())])
    return imports


@pytest.mark.integration
def test_a_copy_has_the_values_and_the_times_of_its_record(filled, library, connect, engine, png):
    """Only the id is new, and values outside of this vocabulary are kept."""
    with Service(library, engine=engine) as service, connect(service) as client:
        image = client.get("/api/v1/images/1").json()["data"]
        document = client.get("/api/v1/documents/1").json()["data"]
        assert client.get(image["url"]).content == png
        assert client.get("/api/v1/documents", params={"template_id": 16}).json()["data"] == [document]
        found = client.get("/api/v1/images", params={"search": "HARBOR"}).json()
        assert found["data"] == [image]
    times = {"created_at": "2024-02-29T12:30:00.000000Z", "updated_at": "2024-03-01T12:30:00.000000Z"}
    assert image == {"id": 1, **IMAGE, "url": "/api/v1/images/1/picture", **times}
    assert document == {"id": 1, **DOCUMENT, **dict.fromkeys(times, times["created_at"])}
    assert check_library(library) == len(MIGRATIONS)
    with closing(open_connection(str(library))) as connection:
        for table in ("images", "documents"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)  # noqa: S608


@pytest.mark.integration
def test_imported_records_are_known_by_their_source(filled, library):
    """Source ids are stored as text with the digest of the record, separately for each source."""
    assert list(filled.digests("images")) == ["a-7"]
    assert filled.digests("documents") == {"007": digest("documents", DOCUMENT | {"favorite": 0})}
    with closing(Imports(library, "https://other.example.com")) as other:
        assert other.digests("images") == {}


def test_a_record_is_copied_once(filled, png):
    """Storing the same record again is an error, and nothing of the batch is stored."""
    with pytest.raises(ink.ServerError):
        filled.add(
            "images",
            [
                arrival("images", "b", IMAGE, Vocabulary(), png),
                arrival("images", "a-7", IMAGE, Vocabulary(), png),
            ],
        )
    assert list(filled.digests("images")) == ["a-7"]
    assert filled.altered("images", ["a-7", "b"]) == ["b"]


@pytest.mark.parametrize(
    ("statement", "collection", "source_id"),
    [
        ("UPDATE images SET name = 'Bay'", "images", "a-7"),
        ("UPDATE pictures SET png = x'89504e47'", "images", "a-7"),
        ("UPDATE documents SET result = ''", "documents", "007"),
    ],
)
def test_rereading_finds_changed_records(filled, library, statement, collection, source_id):
    """A changed value or picture is reported, a changed time is not."""
    assert filled.altered(collection, [source_id]) == []
    with closing(open_connection(str(library))) as connection:
        connection.execute(f"UPDATE {collection} SET updated_at = ''")  # noqa: S608  # a constant of the test
        assert filled.altered(collection, [source_id]) == []
        connection.execute(statement)
    assert filled.altered(collection, [source_id]) == [source_id]


@pytest.mark.integration
def test_deleted_records_can_be_copied_again(filled, library, connect, engine, png):
    """Deleting a copy removes only its import."""
    with Service(library, engine=engine) as service, connect(service) as client:
        assert client.delete("/api/v1/images/1").status_code == 204
    assert filled.digests("images") == {}
    assert list(filled.digests("documents")) == ["007"]
    filled.add("images", [arrival("images", "a-7", IMAGE, Vocabulary(), png)])
    assert list(filled.digests("images")) == ["a-7"]


def test_fields_missing_at_the_source_get_a_value(png):
    """Missing names, sizes, templates and times get the same default values each time."""
    image = arrival("images", "9", {}, Vocabulary(), png)
    assert image == Arrival("9", image.values, png)
    assert image.values | {"created_at": "", "updated_at": ""} == {
        "name": "Image 9",
        "description": "",
        "resolution": "1x1",
        "style": None,
        "medium": None,
        "filter": None,
        "favorite": 0,
        "created_at": "",
        "updated_at": "",
    }
    prompt = compose_prompt("FAQ", "the Quiet Kettle")
    document = arrival("documents", "9", {"prompt": prompt}, Vocabulary()).values
    assert document["name"] == "Document 9"
    assert (document["template_id"], document["creativity"], document["result"]) == (16, 0.5, "")
    assert document["created_at"] == document["updated_at"] != ""


@pytest.mark.parametrize("given", [None, ""])
def test_an_optional_text_that_is_missing_stays_missing(monkeypatch, given):
    """A text that create may leave out has no value in the copy where it has none at the source."""
    notes = FieldSpec("notes", "text", "Notes about the image.", create="optional")
    monkeypatch.setitem(STORED, "images", STORED["images"] | {"notes": notes})
    assert arrival("images", "9", {"notes": given}, Vocabulary()).values["notes"] is None
    assert arrival("images", "9", {"notes": "dark"}, Vocabulary()).values["notes"] == "dark"


def test_times_are_kept_in_utc():
    """Times in other zones are converted."""
    zone = timezone(timedelta(hours=5, minutes=30))
    values = arrival("documents", "1", {"created_at": MOMENT.astimezone(zone)}, Vocabulary()).values
    assert values["created_at"] == "2024-02-29T12:30:00.000000Z"


def test_the_digest_is_of_the_content_of_a_record():
    """Another text, picture or favorite changes it; another time does not."""
    vocabulary = Vocabulary()
    one = arrival("documents", "1", DOCUMENT, vocabulary).values
    assert digest("documents", one) == digest("documents", one | {"updated_at": "", "created_at": ""})
    for change in ({"result": "x"}, {"name": "x"}, {"favorite": 1}, {"creativity": 0.5}, {"template_id": 1}):
        assert digest("documents", one) != digest("documents", one | change)
    image = arrival("images", "1", IMAGE, vocabulary).values
    assert digest("images", image, b"a") != digest("images", image, b"b")
    assert digest("images", image, b"a").startswith(f"{digest('images', image)}-")


def test_digests_match_those_stored_in_libraries():
    """The digest of a record never changes, since libraries compare it with later copies."""
    vocabulary = Vocabulary()
    image = arrival("images", "1", IMAGE, vocabulary).values
    document = arrival("documents", "1", DOCUMENT, vocabulary).values
    assert digest("images", image, b"a") == "58e34956e65658968ae5f006-1ba3c523e770f3313cc91ab1"
    assert digest("documents", document) == "42175a1cd26e9f27517e3bd8"
