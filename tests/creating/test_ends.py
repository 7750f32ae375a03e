"""How a create ends by what came back: made, refused or open; and that an open one is never paid for again."""

import httpx
import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.http.failures import REFUSED

ROWS = [{"name": f"Kettle {number}", "prompt": "Product text for a kettle"} for number in range(3)]


class Spoiled(httpx.BaseTransport):
    """A service that carries out every create, and answers the first one of this client with something else."""

    def __init__(self, service, status, body=None, headers=None):
        self.service = service
        self.clock = service.transport.clock
        self.answer = status, body, headers or {}
        self.posts = 0

    def handle_request(self, request):
        """Carry a request out, and answer the first create by the script."""
        came = self.service.transport.handle_request(request)
        if request.method != "POST":
            return came
        came.read()
        self.posts += 1
        if self.posts > 1:
            return came
        status, body, headers = self.answer
        made = {"id": max(self.service.documents)}
        headers = {name: value.format(**made) for name, value in headers.items()}
        return httpx.Response(status, json=body(made) if callable(body) else body, headers=headers)


def opened(transport):
    service = transport.service
    return ink.Client(service.base_url, service.key, transport=transport, max_retries=4)


OPEN = sorted(
    {300, 302, 303, 307, 399, 407, *range(408, 412), 418, 423, 425, 429, 451, 499, *range(500, 600, 7)}
    - REFUSED
)


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "1"}, {"Location": "/login"}], ids=str)
@pytest.mark.parametrize("status", OPEN)
def test_a_create_that_was_made_is_paid_for_once(status, headers):
    """After any status but a refusal, one request was sent, and the next runs find the record and send nothing."""
    service = FaultyService(images=0, documents=0)
    transport = Spoiled(service, status, {"message": "no"}, headers)
    with opened(transport) as client:
        first = client.documents.create_many(ROWS[:1])
        again = client.documents.create_many(ROWS[:1])
        assert first["status"].tolist() in (["created"], ["unknown"])
        assert again["status"].tolist() == ["existing"]
    assert (transport.posts, service.generations) == (1, 1)


@pytest.mark.parametrize("status", sorted(REFUSED - {429}))
def test_a_refused_row_is_sent_on_the_next_run(status):
    """A refusal that names no record is a failed row with the service's words, which the next run sends."""
    service = FaultyService(images=0, documents=0)
    transport = Spoiled(service, status, {"message": "no such thing"})
    with opened(transport) as client:
        first = client.documents.create_many(ROWS[:1])
        assert first["status"].tolist() == ["failed"]
        assert "no such thing" in first["error"].iloc[0]
        client.documents.create_many(ROWS[:1])
    assert transport.posts == 2


@pytest.mark.parametrize("own", [{"request_id": "req-40"}, {"id": ["is not allowed"]}], ids=str)
def test_the_id_of_a_refusal_is_not_that_of_a_record(own):
    """A refusal with the id of the request, or with messages about the field ``id``, names no record."""
    transport = Spoiled(FaultyService(images=0, documents=0), 422, own | {"message": "no such thing"})
    with opened(transport) as client:
        assert client.documents.create_many(ROWS[:1])["status"].tolist() == ["failed"]


@pytest.mark.parametrize("status", [409, 422, 500, 503])
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"message": "exists"}, {"Location": "/api/v1/documents/{id}"}),
        (lambda made: {"message": "exists", "document_id": made["id"]}, {}),
        (lambda made: {"message": "exists", "data": {"id": made["id"], "name": ROWS[0]["name"]}}, {}),
    ],
    ids=["location", "id", "record"],
)
def test_an_error_that_names_the_record_leads_to_it(status, body, headers):
    """The record that an error names is fetched and taken, in a single create too."""
    service = FaultyService(images=0, documents=0)
    transport = Spoiled(service, status, body, headers)
    with opened(transport) as client:
        assert client.documents.create(**ROWS[0]).name == ROWS[0]["name"]
        assert client.documents.create_many(ROWS[1:2])["status"].tolist() == ["created"]
    assert (transport.posts, service.generations) == (2, 2)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"success": False, "message": "no credit"}, 200),
        ({"error": "overloaded"}, 200),
        ({"code": 500, "message": "x"}, 201),
    ],
)
def test_a_success_that_says_it_failed_is_open(body, status):
    """It may have happened, so that the single call raises OutcomeUnknown with the service's words."""
    service = FaultyService(images=0, documents=0)
    transport = Spoiled(service, status, body)
    with opened(transport) as client, pytest.raises(ink.OutcomeUnknown) as unknown:
        client.documents.create(**ROWS[0])
    assert isinstance(unknown.value.__cause__, ink.ServiceError)
    assert transport.posts == 1


@pytest.mark.parametrize("status", [409, 422])
def test_the_first_thing_that_went_wrong_is_said(status):
    """An error whose record is not found is open, told by its own words, and not by those of the search."""
    service, named = FaultyService(images=0, documents=0), {"Location": "/api/v1/documents/9"}
    transport = Spoiled(service, status, {"message": "in use"}, named)
    with opened(transport) as client, pytest.raises(ink.OutcomeUnknown, match="in use"):
        client.documents.create(**ROWS[0])


def test_a_reply_that_leads_to_a_mistake_of_ours_is_open(monkeypatch):
    """Whatever goes wrong while a reply is read, the create may have been billed."""
    service = FaultyService(images=0, documents=0)
    monkeypatch.setattr("inkframe.replies.reader.ReplyReader.records_in", lambda *_: 1 / 0)
    with opened(Spoiled(service, 201)) as client, pytest.raises(ink.OutcomeUnknown) as unknown:
        client.documents.create(**ROWS[0])
    assert "its reply could not be read (ZeroDivisionError)" in str(unknown.value)
    assert service.generations == 1


def test_a_wait_is_said(capsys):
    """A create that waits for more than ten seconds says so once, and is sent at most a minute later."""
    service = FaultyService(images=0, documents=0)
    answers = iter([httpx.Response(429, headers={"Retry-After": "20"}), None])

    class Busy(Spoiled):
        def handle_request(self, request):
            """Ask for a wait first."""
            return next(answers) or self.service.transport.handle_request(request)

    with opened(Busy(service, 200)) as client:
        assert client.documents.create(**ROWS[0]).id == 1
    assert capsys.readouterr().out.count("asked to wait") == 1
