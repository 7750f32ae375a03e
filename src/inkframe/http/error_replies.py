"""Error replies of every known shape, parsed into one hierarchy of errors with the same fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from inkframe.errors import (
    AuthenticationError,
    NotFound,
    PermissionDenied,
    RateLimited,
    ServerError,
    ServiceError,
    ValidationFailed,
)
from inkframe.http.body import parse_json
from inkframe.http.error_bodies import MESSAGES, fields_named_in, read_error_text, read_refusal
from inkframe.http.failures import Failure, what_came
from inkframe.http.foreign_text import foreign_text, plain_text, redact
from inkframe.http.retry import retry_after, stated_rate, worth_retrying

if TYPE_CHECKING:
    from inkframe.http.address import Address
    from inkframe.http.key import Key
    from inkframe.http.response import Response

__all__ = ["refusal", "spoken_refusal"]

KINDS: Final[dict[int, type[ServiceError]]] = {
    400: ValidationFailed,
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFound,
    406: ValidationFailed,
    407: AuthenticationError,
    410: NotFound,
    419: AuthenticationError,
    422: ValidationFailed,
    429: RateLimited,
}
#: The remedy for each kind of error, at most one line.
ADVICE: Final[dict[type[ServiceError], str]] = {
    AuthenticationError: "Check the key: INKFRAME_API_KEY, or ink.connect(…, api_key=…).",
    PermissionDenied: "Ask the service to grant this key the permission.",
    ValidationFailed: "Correct the values and try again.",
    ServerError: "The service failed; try again later.",
}
#: The largest body in bytes that is searched for a message; a longer one is a page, a trace or a list.
LARGEST_ERROR: Final = 2**18
#: What a failure looks like in a reply with a status of success: names in lower case and without ``_``.
SUCCESSES: Final = ("success", "ok", "succeeded", "issuccess")
FAILURES: Final = frozenset({"error", "fail", "failure"})
NUMBERS: Final = ("status", "code", "statuscode", "error")
ERRORS: Final = ("error", "errors", "fault")
#: The most fields of an error, and messages of each.
MOST_FIELDS: Final = 50
MOST_TEXTS: Final = 10


def refusal(reply: Response, method: str, url: str, address: Address, key: Key) -> Failure:
    """Build the error for a reply of 4xx or 5xx."""
    status = reply.status
    kind = KINDS.get(status) or (ServerError if status >= 500 else ServiceError)
    value: Any = None
    if len(reply.body) <= LARGEST_ERROR:
        try:
            value = parse_json(reply.body)
        except Exception:  # noqa: BLE001  # the body is optional, the status is enough
            value = read_error_text(reply.body)
    message, fields = _told(value, key, in_words=kind is ValidationFailed)
    if kind in {ValidationFailed, ServiceError} and status == 409 and fields:
        kind = ValidationFailed
    message = message or _phrase(status, reply, key)
    asked = retry_after(reply.headers) if status in {429, 503} or status >= 500 else None
    # An id may be anything, such as the key by mistake.
    path = redact(url.removeprefix(address.origin).split("?", 1)[0], key)
    error = kind(
        message,
        status=status,
        fields=fields,
        request_id=_request_id(reply, key),
        retry_after=asked,
        summary=_summary(kind, message, fields, f"{method} {path}", status, address, asked),
    )
    return Failure(
        error,
        passing=worth_retrying(status),
        refused=status < 500 and status != 408,
        status=status,
        asked=asked,
        stated=stated_rate(reply.headers) if status == 429 else None,
    )


def spoken_refusal(reply: Response, key: Key) -> ServiceError | None:
    """Return the error in a reply of status 200 that reports a failure, or None."""
    value = reply.value
    if not isinstance(value, dict):
        return None
    named = {str(name).lower().replace("_", ""): found for name, found in value.items()}
    numbers = [n for n in map(named.get, NUMBERS) if type(n) is int and 400 <= n < 600]
    failed = any(named.get(name) is False for name in SUCCESSES) or (
        str(named.get("status")).lower() in FAILURES
    )
    if not (failed or numbers or any(map(named.get, ERRORS))):
        return None
    is_large = len(reply.body) > LARGEST_ERROR
    message, fields = _told(_texts_of(value) if is_large else value, key)
    if is_large:
        message = message or "The service reported a failure in a reply that is too long to read its reason."
    if failed and not message and not fields:
        message = "The service reported a failure without a reason."
    if not message and not fields:
        return None
    said = next((number for number in numbers if number in KINDS or number >= 500), None)
    kind = _kind_of(message, fields) if said is None else KINDS.get(said, ServerError)
    return kind(
        message,
        status=said or 200,
        fields=fields,
        summary=f"{message}\nThe service reported this error with status 200.",
    )


def _texts_of(value: dict[str, Any]) -> dict[str, str]:
    """Return the messages of an error body that are texts themselves, which takes no search."""
    return {name: value[name] for name in MESSAGES if isinstance(value.get(name), str)}


def _told(value: Any, key: Key, *, in_words: bool = False) -> tuple[str, dict[str, list[str]]]:
    """Return the message and the messages by field of an error body, cleaned for display.

    Args:
        value: The body.
        key: The key, which is removed.
        in_words: Whether fields may be named in the message only.
    """
    message, fields = read_refusal(value)
    if in_words and not fields:
        fields = fields_named_in(message)
    return foreign_text(message, key), {
        foreign_text(name, key, 80): [foreign_text(text, key) for text in texts[:MOST_TEXTS]]
        for name, texts in list(fields.items())[:MOST_FIELDS]
    }


def _kind_of(message: str, fields: dict[str, list[str]]) -> type[ServiceError]:
    """Return the kind of an error without a status, from its message."""
    if fields:
        return ValidationFailed
    for words, kind in (
        ("not found|no such|does not exist", NotFound),
        ("unauthori[sz]ed|unauthenticated|invalid.{0,20}(key|token)", AuthenticationError),
        ("forbidden|not allowed|permission", PermissionDenied),
        ("too many|rate limit", RateLimited),
    ):
        if re.search(words, message, re.IGNORECASE):
            return kind
    return ServiceError


def _phrase(status: int, reply: Response, key: Key) -> str:
    from http import HTTPStatus

    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = f"Status {status}"
    return f"{phrase} ({what_came(reply, key)})" if reply.body.lstrip().startswith(b"<") else phrase


def _request_id(reply: Response, key: Key) -> str | None:
    for name in ("x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"):
        if found := reply.headers.get(name):
            return foreign_text(found, key, 80)
    return None


def _summary(
    kind: type[ServiceError],
    message: str,
    fields: dict[str, list[str]],
    request: str,
    status: int,
    address: Address,
    asked: float | None,
) -> str:
    messages = [f"{name}: {' '.join(texts)}" for name, texts in fields.items()]
    if not any(text in message for texts in fields.values() for text in texts):
        messages.insert(0, message)
    fact = plain_text("; ".join(messages), 300)
    origin = f"{status} from {request} at {address.name}"
    advice = ADVICE.get(kind)
    if "plain HTTP request was sent to HTTPS" in message or "HTTP request to an HTTPS server" in message:
        advice = f"Connect to 'https://{address.netloc}'."
    elif asked is not None:
        advice = f"Wait {asked:,.0f} s before the next request."
    elif kind is NotFound:
        advice = (
            "It may have been deleted; call .list() to see the records. If all are missing, check base_url."
        )
    record = re.fullmatch(rf"\w+ {re.escape(address.root)}/(image|document)s/([^/]+)/?", request)
    if kind is NotFound and record:
        said, fact = fact, f"There is no {record[1]} {plain_text(unquote(record[2]), 80)}."
        origin += f": {said}" if said and said != fact else "."
    else:
        origin += "."
    return "\n".join(line for line in (fact, origin, advice) if line)
