"""The error of every kind of reply, recorded as text: its class, message, fields, and what a person reads."""

import json
from http import HTTPStatus

from inkframe.http.address import Address
from inkframe.http.body import Response
from inkframe.http.failures import refusal, spoken_refusal
from inkframe.http.key import Key

ADDRESS = Address.parse("https://content.example.com/base")
KEY = Key("secret-key-1234567")
BODIES = {
    "nothing": b"",
    "text": b"The quota is used up.",
    "page": b"<html><head><title>Bad gateway</title></head><body>nginx</body></html>",
    "message": {"message": "Name is too long."},
    "laravel": {"message": "The given data was invalid.", "errors": {"name": ["Too long.", "Too loud."], "style": ["No."]}},
    "problem": {"type": "about:blank", "title": "Bad", "status": 400, "detail": "Description is required."},
    "fastapi": {"detail": [{"loc": ["body", "name"], "msg": "field required", "type": "missing"}]},
    "jsonapi": {"errors": [{"detail": "is required", "source": {"pointer": "/data/attributes/name"}}]},
    "openai": {"error": {"message": "Bad prompt", "param": "prompt", "code": "invalid"}},
    "words": {"message": "style must be one of anime, sketch"},
    "key": {"message": "The key secret-key-1234567 is unknown."},
    "list": [{"message": "first"}, {"message": "second"}],
    "plain http": b"The plain HTTP request was sent to HTTPS port",
}  # fmt: skip
STATUSES = (*range(400, 405), *range(406, 411), 413, 418, 419, 422, 425, 429, 499, 500, 502, 503, 504, 599)
HEADERS = (
    {},
    {"retry-after": "7"},
    {"x-request-id": "r-1"},
    {"request-id": "r-2"},
    {"x-correlation-id": "r-3"},
    {"x-amzn-requestid": "r-4"},
    {"cf-ray": "r-5"},
)
SPOKEN = (
    None,
    [],
    {},
    {"data": []},
    {"success": True, "message": "Done."},
    {"success": False},
    {"success": False, "message": "It went wrong."},
    {"Success": False, "Message": "Quota"},
    {"is_success": False, "Msg": "no credit"},
    {"succeeded": False},
    {"Status": "ERROR", "detail": "x"},
    {"status": "Failure", "reason": "busy"},
    {"status": "fail", "data": {"name": {"min": 3}}},
    {"status": 403, "title": "Forbidden", "detail": "no"},
    {"statusCode": 404, "message": "gone"},
    {"status_code": 503, "message": "later"},
    {"code": 399, "message": "x"},
    {"code": 400, "message": "x"},
    {"code": 599, "message": "x"},
    {"code": 600, "message": "x"},
    {"code": True, "message": "x"},
    {"code": "404", "message": "x"},
    {"code": 404},
    {"fault": {"faultstring": "Invalid key"}},
    {"success": False, "error": {"type": "quota", "info": "limit reached"}},
    {"ok": False, "error": "invalid_auth token"},
    {"ok": True, "error": "rate limit reached"},
    {"status": "error", "message": "Image not found"},
    {"status": "fail", "data": {"name": "is required"}},
    {"status": "success", "message": "Fine."},
    {"error": "There is no such image"},
    {"error": "unauthorised"},
    {"error": "You do not have permission."},
    {"error": "This is forbidden"},
    {"error": "too many requests"},
    {"error": "invalid api key"},
    {"error": {"code": 404, "message": "gone"}},
    {"error": 403, "message": "no"},
    {"error": "x", "code": 429},
    {"error": "x", "status": 422},
    {"error": "x", "status": 299, "code": 500},
    {"errors": ["first", "second"]},
    {"errors": {"name": ["Too long."]}},
    {"errors": []},
    {"success": False, "code": 401, "message": "no"},
)

#: What Python calls these before version 3.13.
PHRASES = {413: "Request Entity Too Large", 422: "Unprocessable Entity"}


def reply(status, body, headers=()):
    """Return a reply with a body of JSON or text."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(status, dict(headers), content, None if isinstance(body, bytes) else body)


def lines_of(words, error, more=""):
    """Return what is recorded of an error."""
    facts = (
        type(error).__name__,
        error.status,
        error.message,
        error.fields,
        error.request_id,
        error.retry_after,
    )
    return [f"## {words}{more}", repr(facts), *(f"  {line}" for line in str(error).split("\n"))]


def test_every_refusal_is_as_recorded(recorded):
    """Each body with one status, each status with one body, each header, and each address."""
    lines = []

    def add(words, status, body, headers=(), method="POST", path="/images"):
        url = f"{ADDRESS.origin}{ADDRESS.root}{path}"
        failure = refusal(reply(status, body, headers), method, url, ADDRESS, KEY)
        facts = f": passing {failure.passing}, refused {failure.refused}, asked {failure.asked}"
        lines.extend(lines_of(words, failure.error, facts))

    for name, body in BODIES.items():
        for status in (400, 409, 500):
            add(f"{name}, {status}", status, body)
    for status in STATUSES:
        add(str(status), status, BODIES["nothing"])
        add(f"{status}, asked to wait", status, BODIES["message"], {"retry-after": "7"})
    for headers in HEADERS:
        add(repr(headers), 500, BODIES["message"], headers)
    for path in ("/images/7", "/documents/a%20b", "/images/7?x=1", "/images", "/documents/7/"):
        add(f"GET {path}", 404, BODIES["message"], method="GET", path=path)
        add(f"GET {path}, no words", 410, BODIES["nothing"], method="GET", path=path)
    text = "\n".join(lines)
    for status, phrase in PHRASES.items():
        text = text.replace(HTTPStatus(status).phrase, phrase)
    recorded("refusals", text.split("\n"))


def test_every_failure_with_status_200_is_as_recorded(recorded):
    """A reply that reports success or has no reason is no failure."""
    lines = []
    for body in SPOKEN:
        error = spoken_refusal(reply(200, body), KEY)
        lines += [f"## {body!r}", "no failure"] if error is None else lines_of(repr(body), error)
    recorded("spoken refusals", lines)
