"""The identity of records: replies to get and update are of the record that was asked for."""

import pytest
from tests.answering import Answers

import inkframe

HOST = "https://service.test"
DOCUMENT = {"id": 2, "name": "Kettle", "prompt": "About a kettle", "creativity": 0.5, "result": "It boils."}
UUID = "9f1c2a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6"


class Fixed(Answers):
    """A service that gives the same reply to every request for a record."""

    def __init__(self, body):
        super().__init__(body)

    @property
    def documents(self):
        """The documents of a client of this service."""
        return self.client().documents


def without_id(**more):
    return {name: value for name, value in DOCUMENT.items() if name != "id"} | more


WRAPS = [
    pytest.param(lambda record: record, id="bare"),
    pytest.param(lambda record: {"data": record}, id="wrapped"),
    pytest.param(lambda record: {"data": {"id": record["id"], "attributes": without_id()}}, id="jsonapi"),
    pytest.param(lambda record: [record], id="list of one"),
    pytest.param(
        lambda record: without_id(_links={"self": {"href": f"/documents/{record['id']}"}}), id="hal"
    ),
    pytest.param(lambda record: without_id(_id={"$oid": str(record["id"])}), id="mongodb"),
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_another_record_is_not_taken_for_the_requested_one(wrap):
    """A get that is answered with another id is an error in each format, and names both ids."""
    with pytest.raises(inkframe.UnexpectedReply) as caught:
        Fixed(wrap(DOCUMENT)).documents.get(1)
    first = str(caught.value).splitlines()[0]
    assert "document 1" in first
    assert "2" in first
    assert Fixed(wrap(DOCUMENT)).documents.get(2).id in {2, "2"}


def test_another_record_is_never_deleted():
    """Deleting the record that a get returned never deletes another one."""
    service = Fixed(DOCUMENT)
    documents = service.documents
    with pytest.raises(inkframe.UnexpectedReply):
        documents.delete(documents.get(1))
    assert service.sent == ["GET /api/v1/documents/1"]


def test_an_update_that_is_answered_with_another_record_is_an_error():
    """The error says that the update was sent; the record of the reply is not returned."""
    service = Fixed(DOCUMENT | {"name": "new"})
    with pytest.raises(inkframe.UnexpectedReply, match="The update was sent"):
        service.documents.update(1, name="new")
    assert service.sent == ["PATCH /api/v1/documents/1"]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (7, "7"),
        ("7", 7),
        (7, f"{HOST}/api/v1/documents/7"),
        ("a b", "/documents/a%20b"),
        (UUID, UUID.upper()),
        (UUID.upper(), UUID),
        (UUID, UUID.replace("-", "")),
        (UUID, f"{{{UUID}}}"),
    ],
)
def test_ids_are_compared_as_text(asked, shown):
    """A number, its text, a link to the record and a UUID in another spelling are the same id."""
    service = Fixed(DOCUMENT | {"id": shown})
    assert service.documents.get(asked).name == "Kettle"
    assert service.documents.update(asked, name="Kettle").name == "Kettle"


@pytest.mark.parametrize(("asked", "shown"), [("Ab", "aB"), ("007", 7), (7, 77), ("7", "7a")])
def test_other_texts_are_other_ids(asked, shown):
    """Case counts in ids that are not UUIDs, and so do zeros in front."""
    with pytest.raises(inkframe.UnexpectedReply):
        Fixed(DOCUMENT | {"id": shown}).documents.get(asked)


@pytest.mark.parametrize(
    ("asked", "more"),
    [
        ("quiet-kettle", {"slug": "quiet-kettle"}),
        (UUID, {"uuid": UUID.upper()}),
        ("k7", {"documentSlug": "k7"}),
    ],
)
def test_a_record_can_be_asked_for_by_its_slug_or_uuid(asked, more):
    """A value that the record shows as its slug or UUID is an id of it; the id stays the service's."""
    service = Fixed(DOCUMENT | more)
    assert service.documents.get(asked).id == 2
    assert service.documents.update(asked, name="Kettle").id == 2


@pytest.mark.parametrize("more", [{"parent_id": 1}, {"user": {"id": 1}}, {"name": "1"}, {"creativity": 1}])
def test_other_values_are_not_ids(more):
    """The id of another record or a field with the requested value does not identify a record."""
    with pytest.raises(inkframe.UnexpectedReply):
        Fixed(DOCUMENT | more).documents.get(1)


@pytest.mark.parametrize("body", [without_id(), {"data": without_id()}, {"document": without_id(id=None)}])
def test_a_reply_without_an_id_takes_the_requested_one(body):
    """The record of a reply that leaves out the id has the id that was asked for."""
    documents = Fixed(body).documents
    assert documents.get(7).id == 7
    assert documents.get("a").name == "Kettle"
    assert documents.update(7, name="Kettle").id == 7


@pytest.mark.parametrize("shown", [[2], ["2"], [{"id": 2}], True, {"a": 1, "b": 2}])
def test_an_id_that_cannot_be_read_is_not_the_requested_one(shown):
    """A record with an id of another type may be any record, so that it is refused."""
    documents = Fixed(DOCUMENT | {"id": shown}).documents
    with pytest.raises(inkframe.UnexpectedReply):
        documents.get(1)
    with pytest.raises(inkframe.UnexpectedReply):
        documents.update(1, name="Kettle")


def test_the_error_does_not_show_the_key():
    """An id that contains the key is shown without it."""
    service = Fixed(DOCUMENT | {"id": "secret-key-1234"})
    with pytest.raises(inkframe.UnexpectedReply) as caught:
        service.client("secret-key-1234").documents.get(1)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("late", [True, False])
def test_an_update_that_shows_the_old_values_is_fetched_once_more(late, capsys):
    """A reply that is older than the update is fetched again; a value that still differs is printed."""
    old, new = DOCUMENT | {"id": 1}, DOCUMENT | {"id": 1, "name": "new"}
    service = Answers(lambda request: new if late and request.method == "GET" else old)
    updated = service.client().documents.update(1, name="new")
    assert [request.method for request in service.requests] == ["PATCH", "GET"]
    assert updated.name == ("new" if late else "Kettle")
    said = capsys.readouterr().out
    assert said == ("" if late else "Document 1: The service stored name='Kettle' instead.\n")


def test_a_value_that_an_update_normalized_is_returned_and_printed(capsys):
    """An update of two fields reports those that the service stored in another form."""
    service = Fixed(DOCUMENT | {"result": "it boils"})
    assert service.documents.update(2, name="Kettle ", result="It boils!").result == "it boils"
    assert capsys.readouterr().out == "Document 2: The service stored result='it boils' instead.\n"


def test_a_push_that_is_answered_with_another_record_is_unknown():
    """The update was sent, so that the cell is neither changed nor failed."""

    def handle(request):
        record = DOCUMENT | {"id": 3 if request.method == "PATCH" else 2}
        return [record] if request.url.path.endswith("documents") else record

    documents = Answers(handle).client().documents
    frame = documents.list()
    frame.loc[2, "name"] = "New"
    report = documents.push(frame)
    assert report["outcome"].tolist() == ["unknown"]
    assert "contains document 3" in report["error"][0]
