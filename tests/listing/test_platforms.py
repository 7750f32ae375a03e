"""Formats of content platforms, clouds and database gateways: every operation, and creates whose reply is lost."""

import itertools

import pytest
from tests.services import PLATFORMS, Faults, FaultyService

import inkframe

RECORDS = 237
#: A few templates show as much as all 52, with fewer requests.
TEMPLATES = inkframe.Vocabulary().replace(templates=inkframe.Vocabulary().all_templates[:3])
#: The pins that the errors of the service, or its description, ask for.
PINS = {
    "wordpress": {"fields": {"name": "title.rendered"}},
    "loopback": {"page_parameter": "filter[skip]"},
}


@pytest.fixture(params=PLATFORMS)
def service(request, tmp_path, monkeypatch):
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    return FaultyService(request.param, images=RECORDS, documents=12, vocabulary=TEMPLATES)


@pytest.fixture
def client(service):
    with service.client(vocabulary=TEMPLATES) as client:
        if pins := PINS.get(service.dialect.name):
            client.images.dialect = inkframe.Dialect(**pins)
            client.documents.dialect = inkframe.Dialect(**pins)
        yield client


def numbers(service, frame, collection="images"):
    """Return the numbers of the records in a frame, in its order."""
    known = {str(service.public_id(number)): number for number in getattr(service, collection)}
    return [known[str(id)] for id in frame.index]


def assert_whole(service, frame, expected, collection="images"):
    """Assert that a frame has exactly the expected records, with their values."""
    held = [getattr(service, collection)[number] for number in numbers(service, frame, collection)]
    assert sorted(record["id"] for record in held) == sorted(expected)
    for column in ("name", "description", "style", "prompt", "result"):
        if column in frame.columns:
            shown = frame[column].astype(object).where(frame[column].notna(), None)
            assert shown.tolist() == [record[column] for record in held], column
    assert frame["favorite"].tolist() == [record["favorite"] for record in held]
    assert [int(time.timestamp()) for time in frame["created_at"]] == [
        int(record["created_at"]) for record in held
    ]


def test_lists_are_whole(service, client):
    """A page, all pages, a filter and an empty search are exactly the records of the service."""
    newest = sorted(service.images, reverse=True)
    assert numbers(service, client.images.list(per_page=25)) == newest[:25]
    assert_whole(service, client.images.all(), newest)
    assert len(service.requests) <= 16
    assert_whole(service, client.documents.all(), service.documents, "documents")
    anime = [number for number in newest if service.images[number]["style"] == "anime"]
    assert_whole(service, client.images.all(style="anime"), anime)
    assert client.images.all(search="no such name").empty
    pages = [numbers(service, page) for page in client.images.pages()]
    assert sorted(itertools.chain(*pages)) == newest[::-1]


def test_the_third_page_is_the_third(service, client):
    """A page is found by its number before anything was learned, whatever the service calls it."""
    newest = sorted(service.images, reverse=True)
    assert numbers(service, client.images.list(per_page=25, page=3)) == newest[50:75]


def test_records_are_created_fetched_updated_and_deleted(service, client):
    """Each call returns and changes the record that it names, and a create is billed once."""
    image = client.images.create(name="Pier", description="a pier", resolution="512x512", style="anime")
    document = client.documents.create(name="Tea", prompt="About tea", creativity=0.75)
    assert service.created == [("images", RECORDS + 1), ("documents", 13)]
    assert (image.name, image.style, image.favorite) == ("Pier", "anime", False)
    assert (document.prompt, document.creativity) == ("About tea", 0.75)
    assert document.result == service.documents[13]["result"]
    fetched = client.images.get(service.public_id(5))
    assert (str(fetched.id), fetched.name) == (str(service.public_id(5)), service.images[5]["name"])
    with pytest.raises(inkframe.NotFound):
        client.images.get("no-such-id-7")
    changed = client.images.update(fetched, name="Renamed", favorite=True)
    assert (changed.name, changed.favorite, service.images[5]["name"]) == ("Renamed", True, "Renamed")
    client.images.delete(changed)
    assert 5 not in service.images
    assert len(service.images) == RECORDS


def test_ensure_creates_once_and_finds_what_exists(service, client):
    """A record with these fields is returned, one with another prompt is not, and nothing is created twice."""
    old = service.insert("documents", name="Old", prompt="About old", creativity=0.5, template_id=1)
    found = client.documents.ensure(name="Old", prompt="About old", creativity=0.5)
    assert str(found.id) == str(service.public_id(old["id"]))
    assert service.generations == 0
    other = [client.documents.ensure(name="Old", prompt="About new", creativity=0.5).id for _ in range(2)]
    assert other == [other[0]] * 2 != [found.id] * 2
    assert service.generations == 1


@pytest.mark.parametrize("fault", ["lost_reply", "lost_request"])
def test_a_lost_create_is_found_or_left_open(service, client, fault):
    """The record is found beside one with the same name; where it was not created, no other is taken."""
    service.insert("documents", name="Tea", prompt="About another tea", creativity=0.5, template_id=1)
    service.plan(Faults(script={1: fault}, where=lambda request: request.method == "POST"))
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        client.documents.create(name="Tea", prompt="About tea", creativity=0.5)
    found = unknown.value.reconcile()
    ids = [str(service.public_id(number)) for _, number in service.created]
    assert ([] if found is None else [str(found.id)]) == ids


def test_a_batch_that_runs_again_pays_once(service, client):
    """After lost replies, running the same rows again finds each record."""
    rows = inkframe.plan_documents("About kettles", name="Kettle {creativity}")
    faults = {1: "lost_reply", 3: "truncated"}
    service.plan(Faults(script=faults, where=lambda request: request.method == "POST"))
    client.documents.create_many(rows)
    service.plan(None)
    done = client.documents.create_many(rows)
    assert set(done["status"]) <= {"created", "existing"}
    assert done["name"].tolist() == rows["name"].tolist()
    names = [service.documents[number]["name"] for _, number in service.created]
    assert sorted(names) == sorted(rows["name"])
    ids = {str(service.public_id(number)): service.documents[number]["name"] for _, number in service.created}
    assert [ids[str(id)] for id in done["id"]] == rows["name"].tolist()


def test_the_pins_of_the_description_read_the_same(service, client):
    """A client with the lines that the description prints lists and updates the same records."""
    client.images.all()
    client.documents.all()
    client.documents.update(service.public_id(1), favorite=True)
    lines = "\n".join(client.describe().pins.values())
    with service.client(vocabulary=TEMPLATES) as pinned:
        exec(lines, {"client": pinned, "ink": inkframe})  # noqa: S102  # the lines that a user pastes
        assert_whole(service, pinned.images.all(), service.images)
        assert_whole(service, pinned.documents.all(), service.documents, "documents")
        assert pinned.documents.update(service.public_id(2), name="New").name == "New"
