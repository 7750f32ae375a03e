"""The documents of the interface, row by row."""

import httpx
import pytest

import inkframe
from inkframe.service.engines import WriteRequest
from inkframe.vocabulary import Vocabulary

WORDS = Vocabulary()
DOCUMENTS = "/api/v1/documents"


INSERT = (
    "INSERT INTO documents (name, template_id, prompt, creativity, result, favorite, created_at, updated_at)"
    " VALUES (?, ?, '', 0.5, '', 0, '2025-01-06T07:30:00Z', '2025-01-06T07:30:00Z')"
)


def ids(reply):
    assert reply.status_code == 200, reply.text
    return [record["id"] for record in reply.json()["data"]]


def test_store_returns_the_whole_record(client, engine):
    """Store returns 201, the record with all of its fields, and its path."""
    form = {"name": "Kettle", "prompt": "about a kettle", "creativity": "0.75"}
    reply = client.post(DOCUMENTS, data=form)
    record = reply.json()["data"]
    assert reply.status_code == 201
    assert reply.headers["Location"] == f"{DOCUMENTS}/{record['id']}"
    assert list(record) == [
        *("id", "name", "template_id", "prompt", "creativity"),
        *("result", "favorite", "created_at", "updated_at"),
    ]
    assert (record["name"], record["prompt"], record["creativity"]) == ("Kettle", "about a kettle", 0.75)
    assert (record["template_id"], record["result"]) == (1, "about a kettle (1)")
    assert record["favorite"] is False
    assert engine.requests == [WriteRequest("about a kettle", 0.75, 1, 1)]


def test_creativity_is_half_if_absent(new_document):
    """Creativity defaults to 0.5."""
    assert new_document()["creativity"] == 0.5


def test_a_list_takes_any_template_that_a_record_has(service, client, new_document):
    """A number without a name is a template as long as a document has it, and only a default list counts all."""
    new_document()
    held = [53, 60, -5, 2**62]
    with service.pool.writing() as connection:
        connection.executemany(INSERT, [("n", number) for number in held])
    for number in held:
        assert client.get(DOCUMENTS, params={"template_id": number}).json()["meta"]["total"] == 1
    for number in (54, 0, -6, 2**62 + 1, 2**63, "1.5", "060"):
        assert client.get(DOCUMENTS, params={"template_id": number}).status_code == 422
    counts = [{"value": number, "count": 1} for number in (-5, 1, 53, 60, 2**62)]
    assert client.get(DOCUMENTS).json()["meta"]["facets"] == {"template_id": counts}
    assert client.get(DOCUMENTS, params={"search": "k"}).json()["meta"]["facets"] == {"template_id": counts}
    for query in ({"template_id": 1}, {"page": 2}):
        assert "facets" not in client.get(DOCUMENTS, params=query).json()["meta"]
    number = client.get(DOCUMENTS, params={"template_id": 60}).json()["data"][0]["id"]
    client.delete(f"{DOCUMENTS}/{number}")
    assert client.get(DOCUMENTS, params={"template_id": 60}).status_code == 422


def test_an_empty_search_finds_everything(client, new_document):
    """``search=`` does not filter."""
    number = new_document()["id"]
    assert ids(client.get(DOCUMENTS, params={"search": ""})) == [number]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_update_changes_only_what_is_sent(client, new_document, method):
    """PUT and PATCH change name, result and favorite independently."""
    record = new_document()
    for change in ({"name": "Pot"}, {"result": "Another text"}, {"favorite": "1"}, {"result": ""}):
        reply = client.request(method, f"{DOCUMENTS}/{record['id']}", data=change)
        assert reply.status_code == 200
        expected = {"favorite": True} if "favorite" in change else change
        after = reply.json()["data"]
        assert after == record | expected | {"updated_at": after["updated_at"]}
        record = after
    assert client.get(f"{DOCUMENTS}/{record['id']}").json()["data"] == record


def test_prompt_and_creativity_cannot_be_updated(client, new_document):
    """Fields that Update does not have are ignored."""
    record = new_document()
    change = {"prompt": "another", "creativity": "7", "id": "9"}
    assert client.patch(f"{DOCUMENTS}/{record['id']}", data=change).json()["data"] == record


def test_an_edited_result_is_found_and_the_old_one_is_not(client, new_document):
    """The search reflects an update of the result."""
    number = new_document(prompt="copper kettle")["id"]
    client.patch(f"{DOCUMENTS}/{number}", data={"result": "a silver spoon"})
    assert ids(client.get(DOCUMENTS, params={"search": "silver", "search_by": "result"})) == [number]
    assert ids(client.get(DOCUMENTS, params={"search": "copper", "search_by": "result"})) == []


def test_delete_returns_no_body(client, new_document):
    """Delete returns 204, and the document is no longer in Show, list and search."""
    record = new_document()
    reply = client.delete(f"{DOCUMENTS}/{record['id']}")
    assert (reply.status_code, reply.content) == (204, b"")
    assert client.get(f"{DOCUMENTS}/{record['id']}").status_code == 404
    assert ids(client.get(DOCUMENTS)) == []
    assert ids(client.get(DOCUMENTS, params={"search": "kettle"})) == []


def test_takes_never_repeat(client, engine, new_document):
    """Each text has a unique take, also after a failure."""
    new_document()
    engine.failure = RuntimeError("out of ink")
    assert client.post(DOCUMENTS, data={"name": "a", "prompt": "b"}).status_code == 500
    engine.failure = None
    new_document()
    assert [request.take for request in engine.requests] == [1, 2, 3]


@pytest.fixture
def many(service):
    """Store 2,600 documents, of which 1,300 have a kettle in their name."""
    with service.pool.writing() as connection:
        connection.executemany(INSERT, [(f"{('Kettle', 'Pot')[n % 2]} {n}", 1) for n in range(2600)])


@pytest.mark.integration
def test_a_search_with_many_matches_has_its_total_on_each_page(client, many):
    """Every page says how many matches there are, also one past the last."""
    params = {"search": "kettle", "per_page": 100}
    for page, following in ((1, "page=2"), (13, None), (15, None)):
        found = client.get(DOCUMENTS, params={**params, "page": page}).json()
        assert len(found["data"]) == (100 if page <= 13 else 0)
        assert (found["meta"]["total"], found["meta"]["last_page"]) == (1300, 13)
        assert found["links"]["last"].endswith("page=13")
        assert (found["links"]["next"] or "")[-6:] == (following or "")


@pytest.mark.integration
def test_a_search_with_many_matches_is_listed_to_its_end(service, many):
    """A client reads every page of a search, each record once, and knows that these are all."""
    transport = httpx.WSGITransport(app=service.app)
    with inkframe.Client("http://local", service.key, transport=transport) as client:
        page = client.documents.list(search="kettle", per_page=100)
        assert (len(page), page.attrs["inkframe"]["total"]) == (100, 1300)
        frame = client.documents.all(search="kettle", progress=False)
        assert frame.index.is_unique
        assert sorted(frame["name"]) == sorted(f"Kettle {n}" for n in range(0, 2600, 2))
        assert frame.attrs["inkframe"]["total"] == len(frame)
        assert sum(map(len, client.documents.pages(search="kettle"))) == 1300
        assert len(client.documents.list(search="kettle", per_page=100, page=7)) == 100
