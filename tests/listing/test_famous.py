"""Formats of famous services that were written after the rule that reads them: list, show, create and refuse."""

import pytest
from tests.services import FAMOUS, FaultyService

import inkframe

RECORDS = 137
#: The services whose refusals name the field.
NAMED = {"ghost", "sanity", "firestore", "deviantart", "webflow", "contentful"}
#: A few templates show as much as all 52, with fewer requests.
TEMPLATES = inkframe.Vocabulary().replace(templates=inkframe.Vocabulary().all_templates[:3])


@pytest.fixture(params=FAMOUS)
def service(request, tmp_path, monkeypatch):
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    return FaultyService(request.param, images=RECORDS, documents=12, vocabulary=TEMPLATES)


@pytest.fixture
def client(service):
    styles = TEMPLATES.replace(
        styles={"bogus": "Bogus", **dict(TEMPLATES.styles[["code", "label"]].to_numpy())}
    )
    with service.client(vocabulary=styles) as client:
        yield client


def test_lists_are_whole(service, client):
    """Every record of both collections is listed once, with its values and its times."""
    for collection, source in (("images", "description"), ("documents", "result")):
        frame = getattr(client, collection).all()
        stored = {
            str(service.public_id(number)): record for number, record in getattr(service, collection).items()
        }
        assert sorted(map(str, frame.index)) == sorted(stored)
        held = [stored[str(id)] for id in frame.index]
        for name in ("name", source):
            assert frame[name].tolist() == [record[name] for record in held], name
        assert frame["favorite"].tolist() == [record["favorite"] for record in held]
        if service.dialect.name == "deviantart":
            assert frame["created_at"].isna().all()  # it shows only when a record was published
            continue
        times = [int(time.timestamp()) for time in frame["created_at"]]
        assert times == [int(record["created_at"]) for record in held]
    page = client.images.list(per_page=25)
    assert [str(id) for id in page.index] == [
        str(service.public_id(number)) for number in range(RECORDS, RECORDS - 25, -1)
    ]


def test_a_record_is_shown_with_its_picture(service, client):
    """The record of an id of a list is read with its fields and the whole picture."""
    id = client.images.list().index[0]
    image = client.images.get(id)
    stored = service.images[RECORDS]
    assert (image.id, image.name, image.description, image.style) == (
        id,
        stored["name"],
        stored["description"],
        stored["style"],
    )
    assert image.picture_url.endswith(f"/pictures/{RECORDS}.png")
    document = client.documents.get(service.public_id(5))
    stored = service.documents[5]
    assert (document.prompt, document.result) == (stored["prompt"], stored["result"])
    assert document.creativity == stored["creativity"]


def test_a_create_is_billed_once_and_found(service, client):
    """The new record is returned with its id, and ensure finds it."""
    document = client.documents.create(name="Tea", prompt="About tea", creativity=0.75)
    assert service.created == [("documents", 13)]
    assert str(document.id) == str(service.public_id(13))
    assert document.result == service.documents[13]["result"]
    assert client.documents.ensure(name="Tea", prompt="About tea", creativity=0.75).id == document.id
    assert service.generations == 1


def test_a_refusal_says_why(service, client):
    """A value that only this client knows is refused with its field or its reason, and a missing record is not found."""
    with pytest.raises(inkframe.ServiceError) as caught:
        client.images.create(name="Tea", description="tea", resolution="512x512", style="bogus")
    error = caught.value
    reason = service.dialect.forms.choice.format(field="style")
    assert reason in str(error)
    assert [*error.fields] == (["style"] if service.dialect.name in NAMED else [])
    assert all(reason in texts for texts in error.fields.values())
    assert service.generations == 0
    with pytest.raises(inkframe.NotFound):
        client.documents.get("no-such-id-7")
