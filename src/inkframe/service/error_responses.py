"""Error responses: a status, a message, and messages by field, always in the same shape."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any

import falcon
import orjson

from inkframe.errors import ConfigurationError, RateLimited, ServerError, ValidationFailed
from inkframe.service.store import LOCKED, Closed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["EngineFailed", "Invalid", "add_error_handlers", "as_service_errors", "failure"]

LOG = logging.getLogger("inkframe.service")
# Without a handler of the application, nothing is printed: the caller gets the error itself.
LOG.addHandler(logging.NullHandler())

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
        message = f"There is no route {request.path[:200]}. See /openapi.json for all routes."
    elif isinstance(error, falcon.HTTPMethodNotAllowed):
        allowed = dict(error.headers or {}).get("Allow", "")
        message = f"{request.method} is not allowed here. Allowed: {allowed}."
    body = {"message": message or error.title, "errors": getattr(error, "errors", {})}
    response.data = orjson.dumps(body)
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
