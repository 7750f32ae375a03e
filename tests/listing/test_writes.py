"""Creates, updates and deletes with the various replies of services."""

from datetime import UTC, datetime
from functools import partial
from urllib.parse import parse_qsl

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases
from tests.services import Faults

import inkframe

HOST = "https://service.test"
DOCUMENT = {"id": 7, "name": "old", "prompt": "p", "creativity": 0.5, "result": "r", "template_id": 1,
            "favorite": False, "created_at": "2026-11-21T06:00:00Z", "updated_at": "2026-11-21T06:00:00Z"}  # fmt: skip


class Library(Answers):
    """A service that stores documents and replies to writes as configured.

    Args:
        answer: Returns the reply for a request and its document; None for a plain one.
        refuse: Returns a reply before anything is stored, or None.
    """

    def __init__(self, answer=None, refuse=None):
        super().__init__(self.reply)
        self.documents = {7: dict(DOCUMENT)}
        self.written = answer or (lambda *_: None)
        self.refuse = refuse or (lambda _: None)

    def reply(self, request):
        """Return the reply to a request."""
        assert str(request.url).startswith(f"{HOST}/"), "the key leaves its origin"
        if (refused := self.refuse(request)) is not None:
            return refused
        last = request.url.path.rstrip("/").rpartition("/")[2]
        fields = dict(parse_qsl(request.content.decode()))
        if request.method == "GET":
            if last == "documents":
                return {"data": list(self.documents.values())}
            found = self.documents.get(int(last)) if last.isdigit() else None
            return found or httpx.Response(404, json={"message": "No."})
        if request.method == "POST":
            number = max(self.documents, default=0) + 1
            now = datetime.now(UTC).isoformat()
            self.documents[number] = {**DOCUMENT, "id": number, "created_at": now, **fields}
        else:
            number = int(last)
            before = dict(self.documents[number])
            self.documents[number].update(fields)
            if request.method == "DELETE":
                del self.documents[number]
            reply = self.written(request, before)
            return self.documents.get(number) if reply is None else reply
        reply = self.written(request, self.documents[number])
        return httpx.Response(201, json=self.documents[number]) if reply is None else reply

    @property
    def writes(self):
        """The methods of the requests, without reads."""
        return [each.method for each in self.requests if each.method != "GET"]


def to(location, status=303):
    return httpx.Response(status, headers={"location": location})


@cases("status", [301, 302, 303])
@cases("origin", ["", HOST, "http://service.test:8000"])
def test_a_create_that_redirects_to_its_record_happens_once(status, origin):
    """After a redirect to the new record, the record is fetched from the origin of the service."""
    library = Library(lambda _, made: to(f"{origin}/api/v1/documents/{made['id']}", status))
    assert library.client().documents.create(name="n", prompt="p").id == 8
    assert library.sent == ["POST /api/v1/documents", "GET /api/v1/documents/8"]


@cases(
    "location",
    ["/api/v1/documents", "/api/v1/documents/", "/api/v1/documents/create", "/", ""],
)
@cases("status", [302, 303])
def test_a_create_that_redirects_elsewhere_may_have_happened(location, status, monkeypatch, tmp_path):
    """Such a create is neither repeated nor reported as failed; reconcile finds the record."""
    # A library of its own, whose ids no journal knows.
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path / f"{status} {abs(hash(location))}"))
    library = Library(lambda *_: to(location, status))
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        library.client().documents.create(name="n", prompt="p")
    assert library.writes == ["POST"]
    assert caught.value.reconcile().id == 8


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (to("/login", 302), inkframe.AuthenticationError),
        (to("/login", 303), inkframe.AuthenticationError),
        (to("https://www.service.test/api/v1/documents", 301), inkframe.UnexpectedReply),
        (to("/api/v2/documents", 308), inkframe.UnexpectedReply),
    ],
)
def test_a_create_that_is_redirected_is_open(reply, kind):
    """After a login page or a redirect to another address, it may have happened, for the reason in the cause."""
    library = Library(refuse=lambda request: reply if request.method == "POST" else None)
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        library.client().documents.create(name="n", prompt="p")
    assert isinstance(unknown.value.__cause__, kind)


@pytest.mark.parametrize("location", ["/api/v1/documents", "/api/v1/documents/7"])
@pytest.mark.parametrize("status", [302, 303])
def test_an_update_or_delete_that_redirects_back_is_done(location, status):
    """Web applications confirm a write with a redirect to the record or to the list."""
    library = Library(lambda *_: to(location, status))
    documents = library.client().documents
    assert documents.update(7, name="new").name == "new"
    documents.delete(7)
    assert library.documents == {}
    assert library.writes == ["PATCH", "DELETE"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("origin", ["", "http://service.test"])
def test_a_trailing_slash_is_learned(origin, status):
    """A service that requires trailing slashes gets one request without, for lists and for records."""

    def refuse(request):
        path = request.url.path
        return None if path.endswith("/") else to(f"{origin}{path}/", status)

    library = Library(refuse=refuse)
    documents = library.client().documents
    if status == 302:
        documents.list()  # a create with 302 might be done, so the slash is learned from a read
    assert [documents.create(name="n", prompt="p").id for _ in "12"] == [8, 9]
    assert documents.update(7, name="new").name == "new"
    documents.delete(8)
    assert sorted(library.documents) == [7, 9]
    assert sum(not each.endswith("/") for each in library.sent) == 2


def test_a_redirect_loop_of_slashes_creates_nothing():
    """A service that redirects both with and without the slash is an error after a few requests."""
    library = Library(
        refuse=lambda request: to(
            request.url.path.rstrip("/") + ("" if request.url.path.endswith("/") else "/"), 308
        )
    )
    with pytest.raises(inkframe.InkframeError, match="redirects in a loop"):
        library.client().documents.create(name="n", prompt="p")
    assert len(library.sent) < 10


@pytest.mark.parametrize(
    "own",
    [
        {"status": "queued", "error": "queue is long"},
        {"status": "error", "message": "unsafe prompt"},
        {"ok": False, "error": {"name": "Slow", "message": "queue is long"}},
        {"errors": ["one", "two"]},
        {"deleted": False, "status": False},
    ],
)
@pytest.mark.parametrize("wrap", [lambda record: record, lambda record: {"data": record}])
def test_an_error_field_of_a_record_is_not_a_failure(own, wrap):
    """A record may report that generating it failed; every operation still returns it."""
    reply = httpx.Response(200, json=wrap({**DOCUMENT, "name": "n", **own}))
    documents = Library(
        lambda *_: reply, lambda request: reply if request.url.path.endswith("/7") else None
    ).client().documents  # fmt: skip
    assert documents.create(name="n", prompt="p").id == 7
    assert documents.get(7).name == "n"
    assert documents.update(7, name="n").id == 7
    documents.delete(7)


def test_records_beside_errors_are_a_list():
    """A list with errors is a list if it contains records, and a failure if it contains none."""
    body = {"data": [DOCUMENT], "errors": ["1 record skipped"]}
    documents = Library(refuse=lambda _: httpx.Response(200, json=body)).client().documents
    assert len(documents.list()) == 1
    body["data"] = []
    with pytest.raises(inkframe.ServiceError, match="1 record skipped"):
        documents.list()


@pytest.mark.parametrize(
    "body",
    [
        {"success": False, "error": "No such document."},
        {"success": False, "error": {"id": "e1", "name": "NotFound", "message": "No such document."}},
        {"error": "No such document.", "data": None},
        {"status": False, "message": "No such document."},
        {"stat": "fail", "code": 1, "message": "No such document."},
    ],
)
def test_an_error_without_a_record_is_raised(body):
    """An error with a name and an id is not a record."""
    documents = Library(refuse=lambda _: httpx.Response(200, json=body)).client().documents
    get, update, delete = documents.get, partial(documents.update, name="n"), documents.delete
    for call in (get, update, delete):
        with pytest.raises(inkframe.ServiceError, match="No such document"):
            call(7)
    with pytest.raises(inkframe.OutcomeUnknown, match="No such document"):
        documents.create(name="n", prompt="p")


@pytest.mark.parametrize("body", [{"deleted": False, "id": 7}, {"acknowledged": True, "deletedCount": 0}])
def test_a_delete_that_deleted_nothing_has_failed(body):
    """A reply of status 200 that says that no record was deleted is a failure of a delete, and of nothing else."""
    documents = Library(refuse=lambda _: httpx.Response(200, json=body)).client().documents
    with pytest.raises(inkframe.ServiceError, match="without a reason"):
        documents.delete(7)
    with pytest.raises(inkframe.UnexpectedReply):
        documents.get(7)


@pytest.mark.parametrize("code", [499, 500, 503])
def test_a_create_that_failed_within_the_service_may_have_happened(code):
    """A status of an error in a reply of status 200 leaves the outcome open."""
    body = {"code": code, "message": "It failed."}
    documents = Library(refuse=lambda _: httpx.Response(200, json=body)).client().documents
    with pytest.raises(inkframe.OutcomeUnknown, match="It failed"):
        documents.create(name="n", prompt="p")
    with pytest.raises(inkframe.ServerError if code >= 500 else inkframe.ServiceError, match="It failed"):
        documents.update(7, name="n")


@pytest.mark.parametrize(
    ("status", "body"),
    [(201, {"error": "queue is long"}), (200, {"id": 8, "status": "queued", "error": "queue is long"})],
)
def test_a_create_with_a_record_and_an_error_is_not_failed(status, body):
    """A reply with status 201 or an id beside an error leads to a search, never to a second create."""
    library = Library(lambda *_: httpx.Response(status, json=body))
    try:
        found = library.client().documents.create(name="n", prompt="p")
    except inkframe.OutcomeUnknown as unknown:
        found = unknown.reconcile()
    assert (found.id, found.name) == (8, "n")


@cases(
    "reply",
    [
        httpx.Response(200, text="OK"),
        httpx.Response(200, html="Updated"),
        httpx.Response(200, json="done"),
        httpx.Response(200, json={"updated": True}),
        httpx.Response(200, json={"id": 7}),
        httpx.Response(200, json={"id": 7, "name": "new"}),
        httpx.Response(200, json=DOCUMENT),
        httpx.Response(200, json={"id": 3}),
        httpx.Response(204),
    ],
)
def test_an_update_returns_the_current_record(reply):
    """After a confirmation, an id, a part of the record or the old record, the record is fetched."""
    document = Library(lambda *_: reply).client().documents.update(7, name="new")
    assert (document.id, document.name, document.prompt, document.result) == (7, "new", "p", "r")


def test_an_update_that_differs_in_line_breaks_only_is_not_taken_for_kept():
    """A reply with the old text, which differs by its line breaks, is not the answer: the record is fetched."""
    library = Library(lambda _, before: httpx.Response(200, json=before))
    library.documents[7]["result"] = "- a - b"
    assert library.client().documents.update(7, result="- a\n- b").result == "- a\n- b"
    assert library.sent == ["PATCH /api/v1/documents/7", "GET /api/v1/documents/7"]


@pytest.mark.integration
def test_a_push_says_what_a_service_made_of_line_breaks():
    """A service that joins lines is reported with what it made of the text, and not as if it had kept it."""

    def join(request, _):
        if request.method in {"PATCH", "PUT"}:
            library.documents[7]["result"] = " ".join(library.documents[7]["result"].split())

    library = Library(join)
    documents = library.client().documents
    frame = documents.list()
    frame.loc[7, "result"] = "- a\n- b"
    report = documents.push(frame)
    assert report["outcome"].tolist() == ["changed"]
    assert "'- a - b'" in report["error"][0]


def test_an_update_with_a_complete_reply_is_one_request():
    """The record is not fetched if the reply shows the change, nor for columns that are never sent."""
    library = Library()
    documents = library.client().documents
    documents.update(7, name=" new ", favorite=True, result="line\nline")
    assert library.sent == ["PATCH /api/v1/documents/7"]
    del library.documents[7]["creativity"]
    documents = library.client().documents
    for name in "abc":
        assert documents.update(7, name=name).name == name
    assert library.sent[1:].count("GET /api/v1/documents/7") == 1


@pytest.mark.parametrize("text", ["<html><title>Sign in</title>", "Error: the record is locked", "{"])
def test_a_page_or_an_error_text_is_not_a_confirmation(text):
    """A body that is not a short confirmation is an error, for updates and deletes too."""
    documents = Library(lambda *_: httpx.Response(200, text=text)).client().documents
    for call in (lambda: documents.update(7, name="n"), lambda: documents.delete(7)):
        with pytest.raises(inkframe.UnexpectedReply):
            call()


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("Created", "/api/v1/documents/8"),
        ('{"message": "made"}', f"{HOST}/api/v1/documents/8/"),
        ('{"id": 8}', ""),
    ],
)
def test_a_create_with_a_short_reply_fetches_the_record(text, location):
    """A confirmation with a Location, or an id alone, leads to the whole record."""
    library = Library(lambda *_: httpx.Response(201, text=text, headers={"location": location}))
    record = library.client().documents.create(name="n", prompt="p")
    assert (record.id, record.name, record.result) == (8, "n", "r")


@pytest.mark.parametrize("location", ["", "/jobs/7", "/api/v1/documents/99"])
def test_a_create_with_an_unclear_reply_may_have_happened(location):
    """A confirmation without a record has an unknown outcome and is not matched to another record."""
    library = Library(lambda *_: httpx.Response(202, text="Accepted", headers={"location": location}))
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        library.client().documents.create(name="n", prompt="p")
    assert caught.value.reconcile().id == 8


def test_every_create_has_a_key_that_its_tries_share(misbehaving):
    """Each create carries an ``Idempotency-Key`` of its own, and the same one in every try; updates none."""
    client, service = misbehaving(faults=Faults(script={1: "limited", 2: "refused"}))
    made = client.documents.create(name="a", prompt="p")
    client.documents.create(name="a", prompt="p")
    client.documents.update(made, favorite=True)
    keys = [request.headers.get("idempotency-key") for request in service.requests]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert None not in keys[:4]
    assert keys[4:] == [None]
