"""Every error that inkframe raises.

::

    InkframeError
    ├── ConfigurationError         settings are missing, invalid or contradictory
    ├── InvalidArgument            (ValueError) refused before anything was sent
    ├── ConnectionFailed           (ConnectionError) the service could not be reached
    ├── DeadlineExceeded           (TimeoutError) no complete reply in time
    ├── OutcomeUnknown             a create may or may not have happened
    ├── UnexpectedReply            a reply that does not match the interface
    └── ServiceError               the service refused the request
        ├── AuthenticationError    401, or a redirect to a login page
        ├── PermissionDenied       403
        ├── NotFound               404 (LookupError)
        ├── ValidationFailed       400 and 422 (ValueError)
        ├── RateLimited            429
        └── ServerError            5xx

    Interrupted                    (KeyboardInterrupt) Ctrl-C in work of which a part is there
    ├── BatchInterrupted           a bulk creation
    └── ListingInterrupted         a whole listing

Messages have at most three lines: the problem with its value first, and the remedy last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.short_traceback import short_traceback

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

__all__ = [
    "AuthenticationError",
    "BatchInterrupted",
    "ConfigurationError",
    "ConnectionFailed",
    "DeadlineExceeded",
    "InkframeError",
    "InvalidArgument",
    "ListingInterrupted",
    "NotFound",
    "OutcomeUnknown",
    "PermissionDenied",
    "RateLimited",
    "ServerError",
    "ServiceError",
    "UnexpectedReply",
    "ValidationFailed",
    "WrongAttribute",
    "WrongKeyword",
]


class InkframeError(Exception):
    """The base class of all errors of this package."""

    def _render_traceback_(self) -> list[str]:
        return short_traceback(self)


class ConfigurationError(InkframeError):
    """A setting is missing, invalid, or contradicts another."""


class InvalidArgument(InkframeError, ValueError):
    """An argument was refused before anything was sent."""


class WrongKeyword(InvalidArgument, TypeError):
    """A keyword argument was misspelled or missing."""


class WrongAttribute(InvalidArgument, AttributeError):
    """An attribute or method was misspelled."""


class ConnectionFailed(InkframeError, ConnectionError):
    """The service could not be reached, or the connection broke."""


class DeadlineExceeded(InkframeError, TimeoutError):
    """No complete reply was received in time."""


class OutcomeUnknown(InkframeError):
    """A create was sent, but no reply shows whether it happened.

    Args:
        message: The message.
        look: Searches for the record on the service and returns it, or None. It never creates.

    Attributes:
        doubt: Why it is unclear after a search whether the record exists; None if it certainly does not.
        is_confirmed: Whether the service confirmed the create with an empty reply.
    """

    def __init__(self, message: str, look: Callable[[], object | None] | None = None) -> None:
        super().__init__(message)
        self.look = look
        self.doubt: str | None = None
        self.is_confirmed = False

    def reconcile(self) -> object | None:
        """Search for the record; never creates one.

        Returns:
            The record, or None if it was not found. If it may exist nevertheless, a line is printed, and ``doubt``
            is the reason.

        Raises:
            InkframeError: The search failed.
        """
        return self.look() if self.look else None

    def __reduce__(self) -> tuple[type[OutcomeUnknown], tuple[str]]:
        # The search has a client with its key, so that a copy keeps the message only.
        return type(self), (str(self),)


class UnexpectedReply(InkframeError):
    """The reply does not match the interface."""


class ServiceError(InkframeError):
    """The service refused a request.

    Attributes:
        status: The HTTP status.
        message: The message of the service, cleaned.
        fields: Messages by field, such as ``{"name": ["The name is required."]}``.
        request_id: The id of the request on the service, if sent.
        retry_after: The seconds to wait that the service requested, if any.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        fields: Mapping[str, Sequence[str]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        summary: str | None = None,
    ) -> None:
        super().__init__(summary or message)
        self.status = status
        self.message = message
        self.fields = {name: list(messages) for name, messages in (fields or {}).items()}
        self.request_id = request_id
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Callable[..., ServiceError], tuple[object, ...]]:
        return _restore, (type(self), str(self), dict(self.__dict__))


def _restore(kind: type[ServiceError], summary: str, state: dict[str, object]) -> ServiceError:
    error = kind(summary)
    error.__dict__.update(state)
    return error


class AuthenticationError(ServiceError):
    """The key was not accepted (401, or a redirect to a login page)."""


class PermissionDenied(ServiceError):
    """The key lacks the permission (403)."""


class NotFound(ServiceError, LookupError):
    """The record or address does not exist (404)."""


class ValidationFailed(ServiceError, ValueError):
    """The service rejected the values (400, 422)."""


class RateLimited(ServiceError):
    """The rate limit was exceeded (429)."""


class ServerError(ServiceError):
    """The service failed (5xx)."""


class Interrupted(KeyboardInterrupt):
    """An interrupt ended work of which a part is there.

    Args:
        message: The message.
        frame: The rows so far.
    """

    def __init__(self, message: str, frame: pd.DataFrame) -> None:
        super().__init__(message)
        self.frame = frame

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows: the message alone."""
        return [f"{type(self).__name__}: {self}"]


class BatchInterrupted(Interrupted):
    """An interrupt ended a bulk creation; ``frame`` has all rows, and running it again creates the rest."""


class ListingInterrupted(Interrupted):
    """An interrupt ended a listing; ``frame`` has the rows so far."""
