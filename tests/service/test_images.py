"""The images of the interface, row by row."""

import pytest

from inkframe.service.engines import DrawRequest
from inkframe.vocabulary import Vocabulary

WORDS = Vocabulary()
IMAGES = "/api/v1/images"
LOOKS = [(field, code) for field in ("style", "medium", "filter") for code in WORDS.codes(field)]


def test_store_returns_the_whole_record(client, engine):
    """Store returns 201, the record with all of its fields, and its path."""
    form = {
        "name": "Harbor",
        "description": "a harbor at dawn",
        "resolution": "512x512",
        "style": "pop_art",
        "medium": "ink",
        "filter": "sepia",
    }
    reply = client.post(IMAGES, data=form)
    record = reply.json()["data"]
    assert reply.status_code == 201
    assert reply.headers["Location"] == f"{IMAGES}/{record['id']}"
    assert {name: record[name] for name in form} == form
    assert record["favorite"] is False
    assert record["url"] == f"{IMAGES}/{record['id']}/picture"
    assert record["created_at"] == record["updated_at"]
    assert list(record) == [
        *("id", "name", "description", "resolution", "style", "medium", "filter"),
        *("favorite", "url", "created_at", "updated_at"),
    ]
    assert engine.requests == [DrawRequest("a harbor at dawn", "512x512", "pop_art", "ink", "sepia")]


@pytest.mark.parametrize(("sent", "kept"), [("1", True), ("true", True), ("0", False), ("false", False)])
def test_favorite_is_set_and_filters(client, new_image, sent, kept):
    """Update sets favorite in each notation, and the list is filtered by it."""
    number, other = new_image()["id"], new_image()["id"]
    client.patch(f"{IMAGES}/{other}", data={"favorite": "0" if kept else "1"})
    record = client.patch(f"{IMAGES}/{number}", data={"favorite": sent}).json()["data"]
    assert record["favorite"] is kept
    found = client.get(IMAGES, params={"favorite": sent}).json()
    assert [record["id"] for record in found["data"]] == [number]
    assert found["meta"]["total"] == 1


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_update_changes_only_what_is_sent(client, new_image, method):
    """PUT and PATCH change the sent fields and updated_at, and keep the others."""
    before = new_image(style="retro")
    reply = client.request(method, f"{IMAGES}/{before['id']}", data={"name": "Quay"})
    after = reply.json()["data"]
    assert reply.status_code == 200
    assert after["updated_at"] > before["updated_at"]
    assert after == before | {"name": "Quay", "updated_at": after["updated_at"]}
    assert client.get(f"{IMAGES}/{before['id']}").json()["data"] == after


def test_delete_removes_the_picture(client, new_image):
    """Delete returns 204 without a body, removes record and picture, and the id is not reused."""
    record = new_image()
    reply = client.delete(f"{IMAGES}/{record['id']}")
    assert (reply.status_code, reply.content) == (204, b"")
    assert client.get(f"{IMAGES}/{record['id']}").status_code == 404
    assert client.get(record["url"]).status_code == 404
    assert client.delete(f"{IMAGES}/{record['id']}").status_code == 404
    assert new_image()["id"] > record["id"]


def test_a_name_is_stripped(new_image):
    """The name is stripped, and the description is stored as sent."""
    record = new_image(name="  Harbor ", description=" two\nboats ")
    assert (record["name"], record["description"]) == ("Harbor", " two\nboats ")
