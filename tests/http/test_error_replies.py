"""Error replies of every shape become the same classes with the same fields, short and clean."""

import json

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases
from tests.services import ERROR_FORMS, FaultyService

import inkframe
from inkframe.creating.create import Create
from inkframe.creating.rows import Row

HAVE_FIELDS = [name for name in ERROR_FORMS if name not in {"json_server", "json_server_0", "success_false",
                                                            "error_number", "page", "login"}]  # fmt: skip


def client_answering(response):
    """Return a client whose service sends the same reply to every request."""
    return Answers(lambda _: response() if callable(response) else response).client("secret-key-1234567890")


def read(client):
    return client.images.get(7)


def create(client):
    return client.documents.create(name="n", prompt="p")


def refusal(response, call=read, kind=inkframe.ValidationFailed):
    """Return the error of a call that is answered by a reply."""
    with client_answering(response) as client, pytest.raises(kind) as caught:
        call(client)
    return caught.value


@cases("form", HAVE_FIELDS)
def test_a_refused_field_has_the_same_name_in_every_form(form):
    """A missing name is in ``.fields["name"]`` for every error format."""
    service = FaultyService(errors=form)
    with service.client() as client:
        with pytest.raises(inkframe.ValidationFailed) as caught:
            Create(client.documents._calls, Row(0, {"prompt": "p", "creativity": "0.5"})).pay()
    assert list(caught.value.fields) == ["name"]
    assert all(isinstance(text, str) and text for text in caught.value.fields["name"])


@pytest.mark.integration
@cases("form", ERROR_FORMS)
def test_a_wrong_key_is_an_authentication_error_in_every_form(form):
    """A 401, a login page and a failure with status 200 all mention the key."""
    service = FaultyService(errors=form)
    with inkframe.Client(service.base_url, "wrong-key", transport=service.transport) as client:
        with pytest.raises(inkframe.AuthenticationError, match="INKFRAME_API_KEY|status 200"):
            client.images.list()


def test_a_message_is_shortened_and_cleaned_and_never_contains_the_key():
    """A long message with control characters and the key becomes short, printable, and free of the key."""
    said = "Token secret-key-1234567890 is bad\x1b[31m\u202e " + "word " * 500
    error = refusal(httpx.Response(403, json={"message": said}), kind=inkframe.PermissionDenied)
    text = str(error)
    assert len(text) <= 500
    assert "secret" not in text + error.message
    assert "1234567890" not in text + error.message
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_key_is_never_sent_to_another_origin():
    """Redirects of reads are followed within the same origin only."""

    def answer(request):
        if request.url.path.endswith("/moved"):
            return {"data": [{"id": 1, "name": "a"}]}
        host = "service" if len(service.requests) == 1 else "evil"
        return httpx.Response(302, headers={"location": f"https://{host}.test/moved"})

    service = Answers(answer)
    with service.client() as client:
        assert len(client.images.list()) == 1
        with pytest.raises(inkframe.UnexpectedReply, match="another host"):
            client.images.list()
    assert {request.url.host for request in service.requests} == {"service.test"}


@pytest.mark.parametrize(
    "body",
    [
        {"ok": True},
        {"data": "text"},
        {"images": 3},
        [1, 2],
        "text",
        7,
        {"data": [[1]]},
        {"data": {"a": {"b": 1}}},
    ],
)
def test_a_reply_that_is_not_a_list_is_described(body):
    """The error has the keys and types of the reply, without values; there is never an empty frame."""
    with client_answering(httpx.Response(200, content=json.dumps(body))) as client:
        with pytest.raises(inkframe.UnexpectedReply, match=r"must contain a list of images, got"):
            client.images.list()


LONG = "Longer than maximum length 255."


@cases(
    "body",
    [
        {
            "type": "about:blank",
            "title": "Bad",
            "status": 400,
            "detail": LONG,
            "instance": "/api/v1/images/7",
        },
        {
            "timestamp": "2026-11-21T22:00:00Z",
            "status": 400,
            "error": "Bad Request",
            "message": LONG,
            "path": "/api",
        },
        {"code": "22001", "details": None, "hint": None, "message": LONG},
        {"message": LONG, "request_id": "abc123", "documentation_url": "https://docs.test"},
        {"code": 400, "message": LONG, "status": "Bad Request"},
        {"statusCode": 400, "message": [LONG], "error": "Bad Request"},
        {"error": {"status": 400, "name": "ValidationError", "message": LONG, "details": {}}},
        {"errors": [LONG]},
        {"errors": {"detail": LONG}},
        {"error_msg": LONG},
    ],
)
def test_keys_beside_a_message_are_not_fields(body):
    """A message is displayed unchanged; times, codes, paths and ids beside it are not fields."""
    error = refusal(httpx.Response(400, json=body))
    assert str(error).split("\n")[0] == LONG
    assert (error.message, error.fields) == (LONG, {})


@cases(
    ("body", "said"),
    [
        ({"errors": {"form": {"name": [LONG]}}, "status": "Unprocessable"}, f"name: {LONG}"),
        ({"detail": {"form": {"name": [LONG]}}, "message": "No."}, f"name: {LONG}; No."),
        ({"message": "No.", "data": {"name": {"code": "max", "message": LONG}}}, f"name: {LONG}; No."),
        ({"detail": "No.", "extra": [{"message": LONG, "key": "name", "source": "body"}]}, f"name: {LONG}; No."),
        ({"error": "No.", "errors": [{"defaultMessage": LONG, "field": "name", "code": "Size"}]}, f"name: {LONG}; No."),
        ({"success": False, "error": {"issues": [{"path": ["name"], "message": LONG}]}}, f"name: {LONG}"),
        ({"error": {"message": LONG, "details": {"errors": [{"path": ["name"], "message": LONG, "name": "TooLong"}]}}},
         f"name: {LONG}"),
        ({"message": f"{LONG} (and 1 more error)", "errors": {"name": [LONG]}}, f"name: {LONG}"),
        ({"detail": "No.", "name": [LONG]}, f"name: {LONG}; No."),
        ({"name": [LONG]}, f"name: {LONG}"),
        ({"message": LONG, "validation": {"source": "body", "keys": ["name"]}}, f"name: {LONG}"),
    ],
)  # fmt: skip
def test_a_message_and_its_fields_are_both_shown(body, said):
    """The field is found under every usual key, and comes before the message unless that says the same."""
    error = refusal(httpx.Response(422, json=body))
    assert str(error).split("\n")[0] == said
    assert error.fields == {"name": [LONG]}


def test_a_status_that_is_an_object_is_ignored():
    """A record may have a status of any type."""
    record = {"id": 7, "name": "n", "status": {"state": "done"}}
    with client_answering(httpx.Response(200, json=record)) as client:
        assert client.images.get(7).name == "n"


@cases(
    "body",
    [
        {"_status": "ERR", "_issues": {"name": "is required"}, "_error": {"code": 422, "message": "Insertion failure"}},
        {"message": "validation failed", "data": [{"instancePath": "/name", "message": "is required"}]},
        {"message": "bad", "data": [{"instancePath": "", "params": {"missingProperty": "name"}, "message": "is required"}]},
        {"errors": [{"path": ".body.name", "message": "is required"}]},
        {"errors": [{"path": "$.name", "message": "is required"}]},
        {"errors": [{"path": ["name"], "message": "is required"}]},
        {"errors": {"request.name": ["is required"]}},
        {"message": [{"property": "name", "constraints": {"isNotEmpty": "is required"}}]},
        {"_errors": [], "name": {"_errors": ["is required"]}},
        "name: is required",
    ],
)  # fmt: skip
def test_a_refused_field_of_further_forms(body):
    """A field is found under the keys that validators and frameworks use for it, and in plain text."""
    content = body if isinstance(body, str) else json.dumps(body)
    error = refusal(httpx.Response(422, text=content), create)
    assert error.fields == {"name": ["is required"]}


@pytest.mark.parametrize(
    ("errors", "fields"),
    [
        ({"name": ["is long", "is rude"]}, {"name": ["is long", "is rude"]}),
        ({"name": [{"message": "is long"}, {"message": "is rude"}]}, {"name": ["is long", "is rude"]}),
        ({"name": [{"message": "is long"}, {"code": 7}]}, {"name": ["is long"]}),
        ({"name": [], "prompt": ["is short"]}, {"prompt": ["is short"]}),
        ({"name": [{"code": 7}], "prompt": ["is short"]}, {"prompt": ["is short"]}),
        ({"name": {"message": "is long"}, "prompt": {}}, {"name": ["is long"]}),
    ],
)
def test_every_message_of_a_field_is_kept(errors, fields):
    """A field has all its messages, in order; one without any message is left out."""
    error = refusal(httpx.Response(422, json={"message": "invalid", "errors": errors}), create)
    assert error.fields == fields


@pytest.mark.parametrize(
    ("status", "text", "fields"),
    [
        (422, "Failed to deserialize form body: missing field `prompt`", ["prompt"]),
        (400, '{"message": "body/name must be string"}', ["name"]),
        (400, "The limit of 'widgets' is reached", []),
        (404, "no record in 'name'", []),
    ],
)
def test_fields_in_the_words_of_a_message(status, text, fields):
    """The message of a refused form names a field of the interface in quotes or by its place, and no other word."""
    error = refusal(httpx.Response(status, text=text), create, kind=inkframe.ServiceError)
    assert list(error.fields) == fields


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"The quota of this month is used up.", "The quota of this month is used up."),
        (b"Quota\nis used up", "Quota is used up"),
        (b"Error: no such engine\n" + b"    at run (/srv/app.js:1)\n" * 30, "Error: no such engine"),
        (b"<p>x</p>", "Payment Required (a web page)"),
        (b"\x00\x01\x02", "Payment Required"),
        (b"\xff\xfe\xfd\xfc", "Payment Required"),
        (b'{"cut', "Payment Required"),
    ],
)
def test_a_plain_text_is_the_message(content, message):
    """A body of plain text is the message, of a long one the first line; other bodies are not."""
    error = refusal(httpx.Response(402, content=content), create, kind=inkframe.ServiceError)
    assert error.message == message


WIDE = {f"field{number}": ["is required " * 20] for number in range(2400)}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"success": False, "errors": WIDE}, "is required"),
        ({"success": False, "message": LONG, "errors": WIDE}, LONG),
        ({"error": LONG, "details": WIDE}, LONG),
    ],
)
def test_a_large_failure_with_status_200_is_searched_within_bounds(body, message):
    """It is an error with its message and the first fields, however many it has."""
    error = refusal(httpx.Response(200, json=body), kind=inkframe.ServiceError)
    assert error.message.startswith(message)
    assert len(error.fields) == 50


def test_a_large_list_beside_errors_is_a_list():
    """Records count, however long the reply is."""
    row = {"id": 7, "name": "n", "description": "d" * 300_000}
    with client_answering(httpx.Response(200, json={"data": [row], "errors": [{"message": LONG}]})) as client:
        assert list(client.images.list().index) == [7]
