"""When the error of one request ends a run of many, since the next ones would fail too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inkframe.errors import (
    AuthenticationError,
    ConnectionFailed,
    DeadlineExceeded,
    NotFound,
    OutcomeUnknown,
    PermissionDenied,
    ServiceError,
)

if TYPE_CHECKING:
    from inkframe.errors import InkframeError

__all__ = ["StopRule", "first_line"]

#: The number of equal errors in a row that end a run; one alone may concern its own record.
IN_A_ROW: Final = 3
PAYMENT_REQUIRED: Final = 402


class StopRule:
    """Decides when a run ends: at once for the key, a quota or the address; later for permission and network.

    Args:
        creates: Whether the requests are creates, whose 404 concerns the collection and not a record.

    Attributes:
        reason: The error that ended the run.
    """

    def __init__(self, *, creates: bool = False) -> None:
        self.reason: InkframeError | None = None
        self._creates = creates
        self._last = ""
        self._count = 0

    def note(self, error: InkframeError | None) -> None:
        """Take over the outcome of a request: its error, or None."""
        cause = error.__cause__ if isinstance(error, OutcomeUnknown) else error
        if isinstance(cause, AuthenticationError | NotFound) or _status(cause) == PAYMENT_REQUIRED:
            if self._creates or not isinstance(cause, NotFound):
                self.reason = self.reason or error
            return
        kind = _kind(cause)
        self._count = self._count + 1 if kind == self._last else 1
        self._last = kind
        if kind and self._count >= IN_A_ROW:
            self.reason = self.reason or error

    @property
    def words(self) -> str:
        """Why a request was not sent."""
        return f"not sent, after: {first_line(self.reason)}"


def _status(error: BaseException | None) -> int:
    return error.status if isinstance(error, ServiceError) else 0


def _kind(error: BaseException | None) -> str:
    """Return what is equal for errors of one cause; empty for other outcomes."""
    if isinstance(error, PermissionDenied):
        return f"403 {error.message}"
    return "connection" if isinstance(error, ConnectionFailed | DeadlineExceeded) else ""


def first_line(error: BaseException | None) -> str:
    """Return the first two lines of an error as one."""
    return " ".join(str(error).split("\n")[:2])
