"""Creates, updates and deletes against services that answer them in their own ways."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qsl

import httpx
import pytest

import inkframe

HOST = "https://service.test"
DOCUMENT = {"id": 7, "name": "old", "prompt": "p", "creativity": 0.5, "result": "r", "template_id": 1,
            "favorite": False, "created_at": "2026-11-21T06:00:00Z", "updated_at": "2026-11-21T06:00:00Z"}  # fmt: skip


class Shelf:
    """A service with documents that stores what it is sent, and answers writes as it is told.

    Args:
        answer: Gives the reply to a request and the document it is about; None for a plain one.
        refuse: Gives a reply before anything is done, or None.
    """

    def __init__(self, answer=None, refuse=None):
        self.documents = {7: dict(DOCUMENT)}
        self.answer = answer or (lambda *_: None)
        self.refuse = refuse or (lambda _: None)
        self.sent = []

    def __call__(self, request):
        """Answer one request."""
        self.sent.append(f"{request.method} {request.url.path}")
        assert (request.url.scheme, request.url.netloc) == ("https", b"service.test"), "the key travels"
        if (refused := self.refuse(request)) is not None:
            return refused
        last = request.url.path.rstrip("/").rpartition("/")[2]
        fields = dict(parse_qsl(request.content.decode()))
        if request.method == "GET":
            if last == "documents":
                return httpx.Response(200, json={"data": list(self.documents.values())})
            found = self.documents.get(int(last)) if last.isdigit() else None
            return httpx.Response(200, json=found) if found else httpx.Response(404, json={"message": "No."})
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
            reply = self.answer(request, before)
            return httpx.Response(200, json=self.documents.get(number)) if reply is None else reply
        reply = self.answer(request, self.documents[number])
        return httpx.Response(201, json=self.documents[number]) if reply is None else reply

    def client(self, **options):
        """Give a client of this service."""
        return inkframe.Client(HOST, "key", transport=httpx.MockTransport(self), max_retries=0, **options)

    @property
    def writes(self):
        """The methods of what was sent, without the reads."""
        return [each.partition(" ")[0] for each in self.sent if not each.startswith("GET")]


def to(location, status=303):
    return httpx.Response(status, headers={"location": location})


@pytest.mark.parametrize("status", [301, 302, 303])
@pytest.mark.parametrize("origin", ["", HOST, "http://service.test:8000"])
def test_a_create_that_leads_to_its_record_is_made_once(status, origin):
    """A create that is answered with the way to its record is done, and the record is looked at at home."""
    shelf = Shelf(lambda _, made: to(f"{origin}/api/v1/documents/{made['id']}", status))
    assert shelf.client().documents.create(name="n", prompt="p").id == 8
    assert shelf.sent == ["POST /api/v1/documents", "GET /api/v1/documents/8"]


@pytest.mark.parametrize(
    "location",
    [
        "/api/v1/documents",
        "/api/v1/documents/",
        "/api/v1/documents/create",
        "/",
        "https://elsewhere.test/api/v1/documents/8",
        "",
    ],
)
@pytest.mark.parametrize("status", [302, 303])
def test_a_create_that_leads_anywhere_else_may_have_happened(location, status):
    """Such a create is neither repeated nor called failed; reconcile finds what it made."""
    shelf = Shelf(lambda *_: to(location, status))
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        shelf.client().documents.create(name="n", prompt="p")
    assert shelf.writes == ["POST"]
    assert caught.value.reconcile().id == 8


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (to("/login", 302), inkframe.AuthenticationError),
        (to("https://www.service.test/api/v1/documents", 301), inkframe.UnexpectedReply),
        (to("/api/v2/documents", 308), inkframe.UnexpectedReply),
    ],
)
def test_a_create_that_was_not_taken_is_refused(reply, kind):
    """A login page, or a redirect that names the same request elsewhere, says that nothing was made."""
    shelf = Shelf(refuse=lambda request: reply if request.method == "POST" else None)
    with pytest.raises(kind):
        shelf.client().documents.create(name="n", prompt="p")


def test_a_redirect_to_https_is_no_create():
    """A create that is sent on to https was not received."""
    transport = httpx.MockTransport(lambda request: to(str(request.url.copy_with(scheme="https")), 302))
    client = inkframe.Client("http://service.test", "key", transport=transport)
    with pytest.raises(inkframe.ConfigurationError, match="https://service.test"):
        client.documents.create(name="n", prompt="p")


@pytest.mark.parametrize("location", ["/api/v1/documents", "/api/v1/documents/7"])
@pytest.mark.parametrize("status", [302, 303])
def test_an_update_or_delete_that_leads_back_is_done(location, status):
    """Web applications confirm a change by leading to the record or to the list."""
    shelf = Shelf(lambda *_: to(location, status))
    documents = shelf.client().documents
    assert documents.update(7, name="new").name == "new"
    documents.delete(7)
    assert shelf.documents == {}
    assert shelf.writes == ["PATCH", "DELETE"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("origin", ["", "http://service.test"])
def test_a_slash_at_the_end_is_learned(origin, status):
    """A service that wants its paths with a slash is asked without one once, for lists and for records."""

    def refuse(request):
        path = request.url.path
        return None if path.endswith("/") else to(f"{origin}{path}/", status)

    shelf = Shelf(refuse=refuse)
    documents = shelf.client().documents
    if status == 302:
        documents.list()  # a create answered with 302 might be done: the slash is learned from a read
    assert [documents.create(name="n", prompt="p").id for _ in "12"] == [8, 9]
    assert documents.update(7, name="new").name == "new"
    documents.delete(8)
    assert sorted(shelf.documents) == [7, 9]
    assert sum(not each.endswith("/") for each in shelf.sent) == 2


def test_a_slash_that_goes_round_in_circles_makes_nothing():
    """A service that wants the slash and does not want it is an error after a few requests."""
    shelf = Shelf(
        refuse=lambda request: to(
            request.url.path.rstrip("/") + ("" if request.url.path.endswith("/") else "/"), 308
        )
    )
    with pytest.raises(inkframe.InkframeError, match="redirects in a loop"):
        shelf.client().documents.create(name="n", prompt="p")
    assert len(shelf.sent) < 10


@pytest.mark.parametrize(
    "own",
    [
        {"status": "queued", "error": "queue is long"},
        {"status": "error", "message": "unsafe prompt"},
        {"ok": False, "error": {"name": "Slow", "message": "queue is long"}},
        {"errors": ["one", "two"]},
    ],
)
@pytest.mark.parametrize("wrap", [lambda record: record, lambda record: {"data": record}])
def test_an_error_that_a_record_has_of_its_own_is_no_refusal(own, wrap):
    """A record may say that its making failed; it is a record all the same, from every operation."""
    reply = httpx.Response(200, json=wrap({**DOCUMENT, "name": "n", **own}))
    documents = Shelf(
        lambda *_: reply, lambda request: reply if request.url.path.endswith("/7") else None
    ).client().documents  # fmt: skip
    assert documents.get(7).name == "n"
    assert documents.create(name="n", prompt="p").id == 7
    assert documents.update(7, name="n").id == 7
    documents.delete(7)


def test_records_beside_errors_are_a_list():
    """A list that tells of errors is a list where it holds records, and a refusal where it holds none."""
    body = {"data": [DOCUMENT], "errors": ["1 record skipped"]}
    documents = Shelf(refuse=lambda _: httpx.Response(200, json=body)).client().documents
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
    ],
)
def test_a_refusal_without_a_record_stays_one(body):
    """An error with a name and an id of its own is taken for no record."""
    documents = Shelf(refuse=lambda _: httpx.Response(200, json=body)).client().documents
    for call in (
        lambda: documents.get(7),
        lambda: documents.create(name="n", prompt="p"),
        lambda: documents.update(7, name="n"),
        lambda: documents.delete(7),
    ):
        with pytest.raises(inkframe.ServiceError, match="No such document"):
            call()


@pytest.mark.parametrize(
    ("status", "body"),
    [(201, {"error": "queue is long"}), (200, {"id": 8, "status": "queued", "error": "queue is long"})],
)
def test_a_create_that_failed_by_half_is_not_called_failed(status, body):
    """A reply that says created, or names an id, beside an error leads to a look, never to a second payment."""
    shelf = Shelf(lambda *_: httpx.Response(status, json=body))
    try:
        found = shelf.client().documents.create(name="n", prompt="p")
    except inkframe.OutcomeUnknown as unknown:
        found = unknown.reconcile()
    assert (found.id, found.name) == (8, "n")


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, text="OK"),
        httpx.Response(200, html="Updated"),
        httpx.Response(200, json="done"),
        httpx.Response(200, json={"updated": True}),
        httpx.Response(200, json={"id": 7}),
        httpx.Response(200, json={"id": 7, "name": "new"}),
        httpx.Response(200, json=DOCUMENT),
        httpx.Response(200, json={**DOCUMENT, "id": 3}),
        httpx.Response(204),
    ],
)
def test_an_update_gives_the_record_as_it_is_now(reply):
    """A word, an id, a part, the record as it was or another one: the record itself is asked for."""
    document = Shelf(lambda *_: reply).client().documents.update(7, name="new")
    assert (document.id, document.name, document.prompt, document.result) == (7, "new", "p", "r")


def test_an_update_that_is_answered_whole_is_one_request():
    """Nothing is asked again where the reply shows the change, nor for columns that the service never shows."""
    shelf = Shelf()
    documents = shelf.client().documents
    documents.update(7, name=" new ", favorite=True, result="line\nline")
    assert shelf.sent == ["PATCH /api/v1/documents/7"]
    del shelf.documents[7]["creativity"]
    documents = shelf.client().documents
    for name in "abc":
        assert documents.update(7, name=name).name == name
    assert shelf.sent[1:].count("GET /api/v1/documents/7") == 1


@pytest.mark.parametrize("text", ["<html><title>Sign in</title>", "Error: the record is locked", "{"])
def test_a_page_or_a_complaint_is_no_confirmation(text):
    """What is no short word of success is an error, for updates and deletes too."""
    documents = Shelf(lambda *_: httpx.Response(200, text=text)).client().documents
    for call in (lambda: documents.update(7, name="n"), lambda: documents.delete(7)):
        with pytest.raises(inkframe.UnexpectedReply):
            call()


@pytest.mark.parametrize(
    "refused",
    [
        httpx.Response(405, json={"detail": 'Method "PATCH" not allowed.'}, headers={"allow": "GET"}),
        httpx.Response(501, text="Unsupported method"),
        httpx.Response(404, html="<title>Error</title><pre>Cannot PATCH /api/v1/documents/7</pre>"),
    ],
)
def test_a_service_without_patch_is_asked_with_put(refused):
    """A refused method proves that nothing was done: PUT is tried once, remembered and shown."""
    shelf = Shelf(refuse=lambda request: refused if request.method == "PATCH" else None)
    client = shelf.client()
    for name in ("a", "b"):
        assert client.documents.update(7, name=name).name == name
    assert shelf.writes == ["PATCH", "PUT", "PUT"]
    assert "update_method: PUT" in repr(client.describe())


def test_a_method_that_was_given_stays():
    """``update_method="PATCH"`` is never turned into PUT, and a record that is missing is not put in place."""
    shelf = Shelf(refuse=lambda _: httpx.Response(405))
    with pytest.raises(inkframe.ServiceError):
        shelf.client(update_method="PATCH").documents.update(7, name="a")
    shelf.refuse = lambda _: httpx.Response(404, json={"message": "No document 9."})
    with pytest.raises(inkframe.NotFound):
        shelf.client().documents.update(9, name="a")
    assert shelf.writes == ["PATCH", "PATCH"]


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("Created", "/api/v1/documents/8"),
        ('{"message": "made"}', f"{HOST}/api/v1/documents/8/"),
        ('{"id": 8}', ""),
    ],
)
def test_a_create_whose_reply_shows_little_is_looked_at(text, location):
    """A word with a Location, or an id alone, leads to the whole record."""
    shelf = Shelf(lambda *_: httpx.Response(201, text=text, headers={"location": location}))
    record = shelf.client().documents.create(name="n", prompt="p")
    assert (record.id, record.name, record.result) == (8, "n", "r")


@pytest.mark.parametrize("location", ["", "/jobs/7", "/api/v1/documents/99"])
def test_a_create_that_cannot_be_understood_may_have_happened(location):
    """A word without a record behind it is unknown, and is no other record that happens to have the number."""
    shelf = Shelf(lambda *_: httpx.Response(202, text="Accepted", headers={"location": location}))
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        shelf.client().documents.create(name="n", prompt="p")
    assert caught.value.reconcile().id == 8
