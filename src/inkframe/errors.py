"""Every error that inkframe raises.

::

    InkframeError
    ├── ConfigurationError         settings are missing or contradict each other
    ├── InvalidArgument            (ValueError) refused before anything was sent
    ├── ConnectionFailed           (ConnectionError) the service could not be reached
    ├── DeadlineExceeded           (TimeoutError) no answer in the time allowed
    ├── OutcomeUnknown             a create may or may not have happened
    ├── UnexpectedReply            an answer that is not of the interface
    └── ServiceError               the service said no
        ├── AuthenticationError    401, or a redirect to a login page
        ├── PermissionDenied       403
        ├── NotFound               404 (LookupError)
        ├── ValidationFailed       400 and 422 (ValueError)
        ├── RateLimited            429
        └── ServerError            5xx

Messages have at most three lines: what was wrong, with which value, what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "AuthenticationError",
    "ConfigurationError",
    "ConnectionFailed",
    "DeadlineExceeded",
    "InkframeError",
    "InvalidArgument",
    "NotFound",
    "OutcomeUnknown",
    "PermissionDenied",
    "RateLimited",
    "ServerError",
    "ServiceError",
    "UnexpectedReply",
    "ValidationFailed",
    "WrongKeyword",
]


class InkframeError(Exception):
    """The base of all errors of this package."""


class ConfigurationError(InkframeError):
    """A setting is missing, unusable, or contradicts another."""


class InvalidArgument(InkframeError, ValueError):
    """An argument was refused before anything was sent."""


class WrongKeyword(InvalidArgument, TypeError):
    """A keyword of a call was misspelt or missing."""


class ConnectionFailed(InkframeError, ConnectionError):
    """The service could not be reached, or the connection broke."""


class DeadlineExceeded(InkframeError, TimeoutError):
    """No complete answer came within the time allowed."""


class OutcomeUnknown(InkframeError):
    """A create was sent, but no answer says whether it happened.

    Args:
        message: What was sent, and what became of it.
        look: Looks for the record on the service and gives it, or None. It never creates.
    """

    def __init__(self, message: str, look: Callable[[], object | None] | None = None) -> None:
        super().__init__(message)
        self.look = look

    def reconcile(self) -> object | None:
        """Look whether the record was made after all; never makes one.

        Returns:
            The record, or None where the service does not have it.

        Raises:
            InkframeError: The service could not be asked.
        """
        return self.look() if self.look else None

    def __reduce__(self) -> tuple[type[OutcomeUnknown], tuple[str]]:
        # The look holds a client and its key; a copy in another process keeps the message only.
        return type(self), (str(self),)


class UnexpectedReply(InkframeError):
    """The service answered with something that is not of the interface."""


class ServiceError(InkframeError):
    """The service refused a request.

    Attributes:
        status: The HTTP status.
        message: What the service said, cleaned, without markup.
        fields: Messages by field, such as ``{"name": ["The name is required."]}``.
        request_id: The service's own number for the request, where it gave one.
        retry_after: Seconds after which the service wants to be asked again, where it said so.
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
    """The key may not do this (403)."""


class NotFound(ServiceError, LookupError):
    """There is no such record or address (404)."""


class ValidationFailed(ServiceError, ValueError):
    """The service did not accept the values sent (400, 422)."""


class RateLimited(ServiceError):
    """Too many requests (429)."""


class ServerError(ServiceError):
    """The service failed (5xx)."""
