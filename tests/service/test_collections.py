"""Creates with an ``Idempotency-Key``, for each collection."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.service.creates import FORMS, create, total

from inkframe.service import Service
from inkframe.service.collections import timestamp

pytestmark = pytest.mark.parametrize("name", sorted(FORMS))


def test_another_try_with_the_same_key_gets_the_same_record(client, engine, name):
    """A key creates one record, and the engine runs once for it."""
    first, second = create(client, name, "one"), create(client, name, "one")
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert second.headers["Location"] == first.headers["Location"]
    assert (total(client, name), len(engine.requests)) == (1, 1)


def test_other_keys_and_none_create_other_records(client, name):
    """The same fields with another key, or without one, are another create."""
    replies = [create(client, name, key) for key in ("one", "two", "", " ")]
    assert len({reply.json()["data"]["id"] for reply in replies}) == 4


def test_another_try_shows_the_record_as_it_is_now(client, name):
    """A record that was edited since is returned with its present values."""
    id = create(client, name, "one").json()["data"]["id"]
    client.patch(f"/api/v1/{name}/{id}", data={"name": "Edited"})
    assert create(client, name, "one").json()["data"]["name"] == "Edited"


def test_a_key_with_other_fields_is_refused(client, name):
    """A key cannot be used for another record; nothing is stored."""
    create(client, name, "one")
    reply = create(client, name, "one", name="Other")
    assert reply.status_code == 422
    message = "The Idempotency-Key was sent before with other fields."
    assert reply.json() == {"message": message, "errors": {"Idempotency-Key": [message]}}
    assert total(client, name) == 1


def test_a_deleted_record_is_not_created_again(client, engine, name):
    """Another try after the record was deleted is refused, and the engine does not run."""
    id = create(client, name, "one").json()["data"]["id"]
    client.delete(f"/api/v1/{name}/{id}")
    reply = create(client, name, "one")
    assert reply.status_code == 409
    noun = name.removesuffix("s")
    assert reply.json()["message"] == f"The {noun} {id} of this Idempotency-Key was deleted."
    assert (total(client, name), len(engine.requests)) == (0, 1)


def test_a_refused_create_leaves_the_key_free(client, engine, name):
    """A key whose create failed can be sent again."""
    engine.failure = RuntimeError("no paint")
    assert create(client, name, "one").status_code == 500
    engine.failure = None
    assert create(client, name, "one").status_code == 201


def test_a_long_key_is_refused(client, name):
    """A key of more than 255 characters is refused before anything is created."""
    assert create(client, name, "k" * 255).status_code == 201
    assert create(client, name, "k" * 256).status_code == 422
    assert total(client, name) == 1


def test_keys_are_kept_in_the_library(tmp_path, engine, connect, name):
    """A service that is started again on the same library knows the keys of the first one."""
    replies = []
    for _ in range(2):
        with Service(tmp_path / "library", engine=engine) as service, connect(service) as client:
            replies.append(create(client, name, "one").json())
    assert replies[0] == replies[1]


def test_a_key_counts_whatever_time_has_passed(client, service, name):
    """A request with the same key returns the first record also after a month, and says so."""
    first = create(client, name, "a").json()["data"]["id"]
    with service.pool.writing() as connection:
        earlier = timestamp(datetime.now(UTC) - timedelta(days=31))
        connection.execute("UPDATE creations SET created_at = ?", [earlier])
    again = create(client, name, "a")
    assert (again.json()["data"]["id"], again.headers["Idempotent-Replayed"]) == (first, "true")
    assert create(client, name, "b").headers["Idempotent-Replayed"] == "false"


def test_spaces_around_a_key_do_not_count(client, name):
    """A key is the same with and without spaces around it."""
    first, second = (create(client, name, key).json()["data"]["id"] for key in ("a b", " a b "))
    assert first == second


def test_the_digest_of_a_create_never_changes(client, service, name):
    """What is stored for a key is the same in every version, so that another try is recognized after an upgrade."""
    create(client, name, "one")
    with service.pool.connection() as connection:
        rows = connection.execute("SELECT collection, key, record_id, digest FROM creations").fetchall()
    digests = {"images": "47cfaf4c5bdbd61b1a77253d", "documents": "ea2cfa1394ef58b9c8110ee5"}
    assert rows == [(name, "one", 1, digests[name])]
