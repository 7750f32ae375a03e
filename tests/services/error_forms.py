"""The error replies of services: a table of their bodies, and the reply built from it."""

from dataclasses import dataclass, field
from typing import Literal

from tests.services.exchange import html_reply, json_reply, phrase
from tests.services.json_pattern import Pattern, fill

UNAUTHENTICATED = 401
INVALID = 422


class Refusal(Exception):
    """The service rejects a request.

    Args:
        status: The HTTP status; 422 for invalid values, which the error form may change.
        message: The message in place of the default one.
        fields: Messages by field.
    """

    def __init__(self, status, message="", fields=None):
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.fields = {name: list(texts) for name, texts in (fields or {}).items()}


@dataclass(frozen=True)
class ErrorForm:
    """The shape of one family of error replies.

    The patterns may use ``$message``, ``$status``, ``$title``, ``$code``, ``$path``; for invalid
    values also ``$fields`` (messages by field), ``$each`` (a list of ``each``), ``$first_field`` and
    ``$names``; within ``each`` ``$field``, ``$capital``, ``$pointer`` and ``$text``.

    Args:
        name: Its name in ``ERROR_FORMS``.
        body: The pattern of an error.
        invalid: The pattern for invalid values; None for the common one.
        each: The pattern of one message about one field.
        invalid_status: The status for invalid values.
        always: A status for every error, such as 200.
        content_type: The type of the body.
        page: Reply with an HTML page instead of JSON.
        login: The reply to a wrong key: an error, or a redirect to a login page.
        needs_accept: Reply as to a browser unless the request accepts JSON first.
        messages: The messages by status, other than the default ones.
    """

    name: str
    body: Pattern = None
    invalid: Pattern = None
    each: Pattern = "$text"
    invalid_status: int = INVALID
    always: int | None = None
    content_type: str = "application/json"
    page: bool = False
    login: Literal["error", "redirect"] = "error"
    needs_accept: bool = False
    messages: dict = field(default_factory=dict)


_LARAVEL_WORDS = {
    401: "Unauthenticated.",
    404: "The record could not be found.",
    419: "CSRF token mismatch.",
    429: "Too Many Attempts.",
    500: "Server Error",
}
_DRF_WORDS = {
    401: "Authentication credentials were not provided.",
    404: "Not found.",
    429: "Request was throttled.",
}
_LARAVEL = ErrorForm(
    "laravel",
    {"message": "$message"},
    invalid={"message": "$summary", "errors": "$fields"},
    needs_accept=True,
    messages=_LARAVEL_WORDS,
)
_FORMS = (
    _LARAVEL,
    ErrorForm(
        "laravel_debug",
        {
            "message": "$message",
            "exception": "App\\Exceptions\\Refused",
            "file": "/var/www/app/Refused.php",
            "line": 17,
            "trace": [{"file": "/var/www/public/index.php", "line": 55, "function": "handle"}] * 40,
        },
        invalid=_LARAVEL.invalid,
        messages=_LARAVEL_WORDS,
    ),
    ErrorForm("drf", {"detail": "$message"}, invalid="$fields", invalid_status=400, messages=_DRF_WORDS),
    ErrorForm(
        "fastapi",
        {"detail": "$message"},
        invalid={"detail": "$each"},
        each={"type": "value_error", "loc": ["body", "$field"], "msg": "$text", "input": None},
        messages={401: "Not authenticated", 404: "Not Found"},
    ),
    ErrorForm(
        "problem",
        {
            "type": "about:blank",
            "title": "$title",
            "status": "$status",
            "detail": "$message",
            "instance": "$path",
        },
        invalid={"type": "about:blank", "title": "$title", "status": "$status", "errors": "$each"},
        each={"detail": "$text", "pointer": "$pointer"},
        content_type="application/problem+json",
    ),
    ErrorForm(
        "problem_map",
        {"type": "about:blank", "title": "$title", "status": "$status", "traceId": "00-1f-01"},
        invalid={
            "type": "about:blank",
            "title": "One or more validation errors occurred.",
            "status": "$status",
            "errors": "$capitals",
        },
        invalid_status=400,
        content_type="application/problem+json",
    ),
    ErrorForm(
        "jsonapi",
        {"errors": [{"status": "$status_text", "title": "$title", "detail": "$message"}]},
        invalid={"errors": "$each"},
        each={
            "status": "$status_text",
            "title": "Invalid Attribute",
            "detail": "$text",
            "source": {"pointer": "$attribute"},
        },
        content_type="application/vnd.api+json",
    ),
    ErrorForm(
        "odata",
        {"error": {"code": "$code", "message": "$message"}},
        invalid={
            "error": {"code": "BadRequest", "message": "$summary", "target": "form", "details": "$each"}
        },
        each={"code": "Invalid", "target": "$field", "message": "$text"},
        invalid_status=400,
    ),
    ErrorForm(
        "google",
        {"error": {"code": "$status", "message": "$message", "status": "$code"}},
        invalid={
            "error": {
                "code": "$status",
                "message": "$summary",
                "status": "INVALID_ARGUMENT",
                "details": [
                    {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": "$each"}
                ],
            }
        },
        each={"field": "$field", "description": "$text"},
        invalid_status=400,
    ),
    ErrorForm(
        "stripe",
        {"error": {"type": "invalid_request_error", "code": "$code", "message": "$message"}},
        invalid={
            "error": {
                "type": "invalid_request_error",
                "code": "parameter_invalid",
                "message": "$first_text",
                "param": "$first_field",
            }
        },
        invalid_status=400,
    ),
    ErrorForm("json_server", {"error": "$message"}, invalid_status=400),
    ErrorForm("json_server_0", {}, invalid={"error": "$summary"}, invalid_status=400),
    ErrorForm(
        "success_false",
        {"success": False, "error": "$message"},
        invalid={"success": False, "error": "$summary", "errors": "$fields"},
        always=200,
    ),
    ErrorForm("error_number", {"error": 1, "message": "$message"}, always=200),
    ErrorForm(
        "error_fields",
        {"message": "$code"},
        invalid={"message": "VALIDATION_ERROR", "body": {"error_fields": "$fields"}},
        invalid_status=406,
    ),
    ErrorForm("page", page=True),
    ErrorForm("login", _LARAVEL.body, invalid=_LARAVEL.invalid, login="redirect"),
)
#: Every error form by its name.
ERROR_FORMS = {form.name: form for form in _FORMS}


def error_reply(form, refusal, *, path="", wants_json=True):
    """Return the error reply in the given form."""
    to_browser = form.needs_accept and not wants_json
    if refusal.status == UNAUTHENTICATED and (form.login == "redirect" or to_browser):
        return html_reply(302, "Redirecting to login", {"Location": "/login"})
    if refusal.fields and to_browser:
        return html_reply(302, "Redirecting back", {"Location": "/"})
    status = form.invalid_status if refusal.fields else refusal.status
    if form.page or to_browser:
        return html_reply(status, f"{status} {phrase(status)}")
    pattern = form.invalid if refusal.fields and form.invalid is not None else form.body
    body = fill(pattern, lambda name: _word(form, refusal, status, path, name))
    headers = {"WWW-Authenticate": 'Bearer realm="api"'} if status == UNAUTHENTICATED else {}
    return json_reply(form.always or status, body, headers, content_type=form.content_type)


def _word(form, refusal, status, path, name):
    texts = [(field, text) for field, messages in refusal.fields.items() for text in messages]
    first_field, first_text = texts[0] if texts else ("", "")
    more = len(texts) - 1
    summary = first_text + (f" (and {more} more error{'s' * (more > 1)})" if more > 0 else "")
    usual = refusal.message or form.messages.get(status) or phrase(status)
    words = {
        "status": status,
        "status_text": str(status),
        "title": phrase(status),
        "code": phrase(status).upper().replace(" ", "_"),
        "message": summary or usual,
        "summary": summary,
        "path": path,
        "fields": refusal.fields,
        "flat": {field: messages[0] for field, messages in refusal.fields.items()},
        "capitals": {field.capitalize(): messages for field, messages in refusal.fields.items()},
        "first_field": first_field,
        "first_text": first_text,
    }
    if name != "each":
        return words[name]
    return [fill(form.each, _about(words, field, text).__getitem__) for field, text in texts]


def _about(words, field, text):
    own = {"field": field, "text": text, "pointer": f"#/{field}", "attribute": f"/data/attributes/{field}"}
    return {**words, **own}
