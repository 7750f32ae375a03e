"""Rules that read and validate the parameters of a request, and error responses of one shape."""

from __future__ import annotations

import logging
import re
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import falcon
import orjson

from inkframe.errors import ConfigurationError, RateLimited, ServerError, ValidationFailed, nearest
from inkframe.service.store import LOCKED, Closed
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from inkframe.schema import FieldSpec, FieldType
    from inkframe.vocabulary import Vocabulary

__all__ = [
    "EngineFailed",
    "FormRule",
    "Invalid",
    "add_error_handlers",
    "as_service_errors",
    "choice",
    "failure",
    "field_rule",
    "flag",
    "read_fields",
    "text",
    "whole",
]

#: The largest integer that every JSON parser keeps exactly.
LARGEST = 2**53 - 1
DIGITS = re.compile("-?[0-9]{1,16}")

LOG = logging.getLogger("inkframe.service")
BUSY = (503, "Another program is writing to the library. Nothing was stored; try again.")
DAMAGED = (500, "The library file is damaged. Run: inkframe doctor --library FILE")
#: SQLite's error names for a failing file, with the status and message of the response.
STORAGE_FAILURES = {
    "SQLITE_FULL": (507, "The disk is full. Nothing was stored; free some space and try again."),
    "SQLITE_BUSY": BUSY,
    "SQLITE_LOCKED": BUSY,
    "SQLITE_READONLY": (500, "The library cannot be written: the file or its folder is read-only."),
    "SQLITE_CANTOPEN": (500, "The library file can no longer be opened."),
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_IOERR": (500, "The library file could not be read or written."),
}
#: The exception that a client raises for a status; any other status is a ``ServerError``.
KINDS = {422: ValidationFailed, 429: RateLimited}


@dataclass(frozen=True, slots=True)
class FormRule:
    """One parameter of a request.

    Args:
        name: Its name in the interface.
        read: Parses the sent text into a value, or raises a ``ValueError`` with the message.
        required: Whether a request without it is rejected.
        default: The value if nothing is sent; None adds nothing.
    """

    name: str
    read: Callable[[str], Any]
    required: bool = False
    default: Any = None


def read_fields(rules: Iterable[FormRule], sent: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """Read the sent fields; the last value of a repeated field counts, and unknown fields are ignored.

    Raises:
        Invalid: One or more values are invalid; the error has all messages.
    """
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for rule in rules:
        value = sent.get(rule.name)
        if value is None:
            if rule.required:
                errors[rule.name] = [f"The {rule.name} is required."]
            elif rule.default is not None:
                values[rule.name] = rule.default
            continue
        try:
            values[rule.name] = rule.read(value if isinstance(value, str) else value[-1])
        except ValueError as error:
            errors[rule.name] = [str(error)]
    if errors:
        raise Invalid(errors)
    return values


def field_rule(field: FieldSpec, vocabulary: Vocabulary) -> FormRule:
    """Return the rule for the values of a field, not required and without a default."""
    if field.vocabulary:
        kind = {"integer": int, "number": float}.get(field.type, str)
        return choice(field.name, vocabulary.codes(field.name), kind)
    return RULES[field.type](field)


def text(name: str, *, longest: int | None = None, blank: bool = False) -> FormRule:
    """Return the rule for a text, stored as it was sent.

    Args:
        name: The parameter.
        longest: The most characters it may have; such a text is stripped.
        blank: Whether it may be empty.
    """

    def read(value: str) -> str:
        kept = value.strip() if longest else value
        if not blank and not kept.strip():
            raise ValueError(f"The {name} must not be empty.")
        if longest and len(kept) > longest:
            raise ValueError(f"The {name} must have at most {longest} characters, got {len(kept)}.")
        return kept

    return FormRule(name, read)


def choice(
    name: str, codes: Sequence[str], kind: Callable[[str], Any] = str, default: Any = None
) -> FormRule:
    """Return the rule for a value from a list.

    Args:
        name: The parameter.
        codes: The allowed values as sent; a ``float`` may be written in other ways.
        kind: Their type, or what reads them.
        default: The value if nothing is sent.
    """
    spelled: Callable[[str], Any] = float if kind is float else str
    known = {spelled(code): kind(code) for code in codes}

    def read(value: str) -> Any:
        try:
            return known[spelled(value)]
        except (KeyError, ValueError):
            raise _unknown(name, value, codes) from None

    return FormRule(name, read, default=default)


def whole(name: str, *, minimum: int = 0, default: int | None = None) -> FormRule:
    """Return the rule for an integer with a minimum."""
    least = f", {minimum} or greater" if minimum > -LARGEST else ""

    def read(value: str) -> int:
        if DIGITS.fullmatch(value) and minimum <= (number := int(value)) <= LARGEST:
            return number
        raise ValueError(f"The {name} must be an integer{least}, got {short(value)}.")

    return FormRule(name, read, default=default)


def flag(name: str) -> FormRule:
    """Return the rule for a boolean."""
    return choice(name, ("1", "0", "true", "false"), lambda sent: sent in {"1", "true"})


#: The rule for fields of each type without a list of values.
RULES: Mapping[FieldType, Callable[[FieldSpec], FormRule]] = {
    "text": lambda field: text(field.name, longest=field.longest, blank=field.blank),
    "boolean": lambda field: flag(field.name),
    "integer": lambda field: whole(field.name, minimum=-LARGEST),
}


def _unknown(name: str, value: str, allowed: Iterable[str]) -> ValueError:
    close = nearest(value, allowed)
    advice = f" Did you mean {close}?" if close else ""
    known = ", ".join(allowed)
    return ValueError(
        f"The {name} must be {f'one of {known}' if known else 'omitted'}, got {short(value)}.{advice}"
    )


# Without a handler of the application, nothing is printed: the caller gets the error itself.
LOG.addHandler(logging.NullHandler())


class Invalid(falcon.HTTPUnprocessableEntity):
    """The request is well-formed, but its values are not allowed.

    Args:
        errors: Messages by field.
    """

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        messages = [message for field in errors.values() for message in field]
        more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
        super().__init__(description=messages[0] + more)
        self.errors = dict(errors)


class EngineFailed(Exception):
    """An engine returned nothing: it crashed, declined, or could not work.

    Args:
        message: The reason.
        status: The status of the response.
        field: The field that the engine rejected.
        retry_after: Seconds after which it may work.
    """

    def __init__(
        self, message: str, status: int = 500, *, field: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.errors = {field: [message]} if field else {}
        self.retry_after = retry_after


class _Failure(falcon.HTTPError):
    """An error response to a valid request."""

    errors: Mapping[str, list[str]]


def add_error_handlers(app: falcon.App[Any, Any]) -> None:
    """Register the handlers that turn every error of an application into ``{"message", "errors"}``."""
    app.set_error_serializer(_serialize)
    # Falcon takes the most specific handler: its own for HTTPError stays in place.
    app.add_error_handler(Exception, _answer)


def failure(error: Exception) -> tuple[int, str]:
    """Return the status and message for an exception that is not the client's fault."""
    if isinstance(error, EngineFailed):
        return error.status, str(error)
    if isinstance(error, Closed | ConfigurationError):
        return 500, str(error)
    if isinstance(error, sqlite3.Error):
        name = "SQLITE_BUSY" if str(error) == LOCKED else getattr(error, "sqlite_errorname", "")
        for known, answer in STORAGE_FAILURES.items():
            if name.startswith(known):
                return answer
    return 500, f"The service failed ({type(error).__name__}). Its log, inkframe.service, has the details."


@contextmanager
def as_service_errors() -> Iterator[None]:
    """Raise failures as the errors that a client raises, for calls that bypass the application."""
    try:
        yield
    except (EngineFailed, Closed, sqlite3.Error) as error:
        status, message = failure(error)
        kind = KINDS.get(status, ServerError)
        raise kind(message, status=status, fields=getattr(error, "errors", {})) from error


def _serialize(request: falcon.Request, response: falcon.Response, error: falcon.HTTPError) -> None:
    message = error.description
    if isinstance(error, falcon.HTTPRouteNotFound):
        message = f"There is no route {request.path[:200]}."
    elif isinstance(error, falcon.HTTPMethodNotAllowed):
        allowed = dict(error.headers or {}).get("Allow", "")
        message = f"{request.method} is not allowed here. Allowed: {allowed}."
    response.data = orjson.dumps({"message": message or error.title, "errors": getattr(error, "errors", {})})
    response.content_type = falcon.MEDIA_JSON


def _answer(
    request: falcon.Request, _response: falcon.Response, error: Exception, _params: dict[str, Any]
) -> None:
    status, message = failure(error)
    if status >= 500:
        # The log line has the path, never the headers: one of them is the key.
        LOG.error("%s %s failed", request.method, request.path, exc_info=error)
    wait = 1 if (status, message) == BUSY else getattr(error, "retry_after", None)
    headers = None if wait is None else {"Retry-After": str(ceil(wait))}
    answer = _Failure(status, description=message, headers=headers)
    answer.errors = getattr(error, "errors", {})
    raise answer
