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
from inkframe.http.failures import Failure, what_came
from inkframe.http.foreign_text import foreign_text, plain_text
from inkframe.http.retry import retry_after, worth_retrying

if TYPE_CHECKING:
    from inkframe.http.address import Address
    from inkframe.http.key import Key
    from inkframe.http.response import Response

__all__ = ["read_refusal", "refusal", "spoken_refusal"]

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
MESSAGES: Final = ("message", "detail", "error_description", "error", "title", "msg", "reason", "description")
#: Those that are never fields of a record, so that a list under them never belongs to a field.
SPOKEN: Final = frozenset({"message", "detail", "error", "errors", "msg"})
#: Names of messages in services without a common error format.
SPEAKING: Final = re.compile("message|msg|error|detail|reason", re.IGNORECASE)
#: Keys that hold messages by field, as a mapping or a list.
DETAILS: Final = ("errors", "fields", "error_fields", "invalid-params", "invalid_params", "violations",
                  "details", "detail", "validation_errors", "fieldErrors", "issues",
                  "extra")  # fmt: skip
NAMES: Final = ("field", "param", "parameter", "property", "propertyPath", "path", "loc", "pointer", "name",
                "target", "source", "key", "keys", "extensions")  # fmt: skip
#: Locations of a value that are not part of the field name.
PLACES: Final = frozenset({"body", "query", "form", "path", "header", "data", "attributes", "#", ""})
MOST_FIELDS: Final = 50


def refusal(reply: Response, method: str, url: str, address: Address, key: Key) -> Failure:
    """Build the error for a reply of 4xx or 5xx."""
    status = reply.status
    kind = KINDS.get(status) or (ServerError if status >= 500 else ServiceError)
    try:
        value = parse_json(reply.body)
    except Exception:  # noqa: BLE001  # the body is optional, the status is enough
        value = None
    message, fields = _told(value, key)
    if kind in {ValidationFailed, ServiceError} and status == 409 and fields:
        kind = ValidationFailed
    message = message or _phrase(status, reply, key)
    asked = retry_after(reply.headers) if status in {429, 503} or status >= 500 else None
    path = url.removeprefix(address.origin).split("?", 1)[0]
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
    )


def spoken_refusal(value: Any, key: Key) -> ServiceError | None:
    """Return the error in a reply of status 200 that reports a failure, or None."""
    if not isinstance(value, dict):
        return None
    failed = (
        value.get("success") is False or value.get("ok") is False or value.get("status") in ("error", "fail")
    )
    if not failed and not value.get("error") and not value.get("errors"):
        return None
    message, fields = _told(value, key)
    if not message and not fields:
        return None
    numbers = (n for n in (value.get("status"), value.get("code"), value.get("error")) if isinstance(n, int))
    said = next((number for number in numbers if number in KINDS), None)
    kind = KINDS[said] if said is not None else _kind_of(message, fields)
    return kind(
        message,
        status=said or 200,
        fields=fields,
        summary=f"{message}\nThe service reported this error with status 200.",
    )


def _told(value: Any, key: Key) -> tuple[str, dict[str, list[str]]]:
    """Return the message and the messages by field of an error body, cleaned for display."""
    message, fields = read_refusal(value)
    return foreign_text(message, key), {
        foreign_text(name, key, 80): [foreign_text(text, key) for text in texts]
        for name, texts in fields.items()
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


def read_refusal(value: Any) -> tuple[str, dict[str, list[str]]]:
    """Parse the message and the messages by field from an error body of any known shape."""
    if isinstance(value, str):
        return value, {}
    if isinstance(value, list):
        fields = _from_list(value)
        return _first(fields) or _message(value), fields
    if not isinstance(value, dict):
        return "", {}
    message = _message(value)
    # Django sends fields beside a message.
    fields = _fields(value) or _from_mapping({k: v for k, v in value.items() if _is_field(k, v)})
    if not fields and not message and all(map(_is_texts, value.values())):
        fields = _from_mapping(value)
    return message or _first(fields), dict(list(fields.items())[:MOST_FIELDS])


def _message(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(text for text in map(_message, value[:MOST_FIELDS]) if text)
    if not isinstance(value, dict):
        return ""
    for name in MESSAGES:
        found = value.get(name)
        if isinstance(found, str) and found.strip():
            # Problem details have the kind in `title` and the message in `detail`, which comes first here.
            return found
        if isinstance(found, dict) and (inner := _message(found)):
            return inner
        if name in SPOKEN and _is_texts(found):
            return _message(found)
    if inner := _message(value.get("errors")):
        return inner
    spoken = (v for k, v in value.items() if isinstance(v, str) and SPEAKING.search(k) and " " in v.strip())
    return next(spoken, "")


def _fields(value: dict[str, Any]) -> dict[str, list[str]]:
    for name in DETAILS:
        found = value.get(name)
        if isinstance(found, dict):
            own = {k: v for k, v in found.items() if k not in SPOKEN}
            fields = _fields(found) or _from_mapping(own)
        else:
            fields = _from_list(found)
        if fields:
            return fields
    for name in ("error", "body", "data", "validation"):
        inner = value.get(name)
        if isinstance(inner, dict):
            told = {
                k: v for k, v in inner.items() if isinstance(v, dict) and isinstance(v.get("message"), str)
            }
            # A name beside a message is the class of the error.
            said = {k: v for k, v in inner.items() if k != "name"}
            if fields := _fields(inner) or _named(said) or _from_mapping(told):
                return fields
    return {}


def _from_mapping(value: dict[str, Any], prefix: str = "") -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, found in value.items():
        dotted = ".".join(part for part in (prefix, _field_name(name)) if part)
        if _is_texts(found):
            fields[dotted or name] = [found] if isinstance(found, str) else found
        elif isinstance(found, dict):
            if message := _message(found):
                fields[dotted or name] = [message]
            elif len(prefix) < 100:
                fields |= _from_mapping(found, dotted)
        elif isinstance(found, list):
            messages = [text for text in map(_message, found) if text]
            if messages:
                fields[dotted or name] = messages
    return fields


def _from_list(value: Any) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for entry in value if isinstance(value, list) else []:
        if isinstance(entry, dict):
            # Each of Google's details contains a list of violations.
            within = [_from_list(inner) for inner in entry.values() if isinstance(inner, list)]
            for found in (_named(entry), *within):
                for name, messages in found.items():
                    fields.setdefault(name, []).extend(messages)
    return fields


def _named(entry: dict[str, Any]) -> dict[str, list[str]]:
    """Parse one entry that contains its field under one of the usual keys."""
    message = next((entry[k] for k in ("message", "defaultMessage", "detail", "msg", "reason", "description", "title",
                    "code") if isinstance(entry.get(k), str)), "")  # fmt: skip
    for key in NAMES:
        place = entry.get(key)
        if isinstance(place, dict):
            place = next(
                (place[k] for k in ("pointer", "parameter", "field") if isinstance(place.get(k), str)), None
            )
        if isinstance(place, list):
            place = "/".join(str(part) for part in place)
        if isinstance(place, str) and (name := _field_name(place)):
            return {name: [message]} if message else {}
    return {}


def _field_name(place: str) -> str:
    parts = [part for part in re.split(r"[/.]", place) if part not in PLACES]
    name = ".".join(parts)
    return name[:1].lower() + name[1:]


def _is_texts(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _is_field(name: str, value: Any) -> bool:
    """Return whether a key beside the message is a field; only a list of texts counts as one."""
    if isinstance(value, dict):
        return bool(value) and all(_is_field("", inner) for inner in value.values())
    return name not in SPOKEN and isinstance(value, list) and _is_texts(value)


def _first(fields: dict[str, list[str]]) -> str:
    return next((texts[0] for texts in fields.values() if texts), "")


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
        told, fact = fact, f"There is no {record[1]} {plain_text(unquote(record[2]), 80)}."
        origin += f": {told}" if told and told != fact else "."
    else:
        origin += "."
    return "\n".join(line for line in (fact, origin, advice) if line)
