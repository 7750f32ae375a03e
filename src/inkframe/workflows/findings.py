"""The findings of a service check: a verdict with evidence for each row of the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from inkframe.errors import ServiceError
from inkframe.http.foreign_text import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inkframe.errors import InkframeError

__all__ = ["STATUSES", "Finding", "Status", "Verdict", "named", "of_error"]

Status = Literal["holds", "fails", "unknown"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
#: A status and its evidence.
Verdict = tuple[Status, str]
#: Statuses of 4xx that do not refuse the parameters of a request.
NOT_ABOUT_PARAMETERS: Final = frozenset({401, 402, 403, 407, 408, 419, 425, 429})
#: The number of ids or values in evidence.
FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one row of the interface.

    Args:
        collection: ``images``, ``documents`` or ``service``.
        row: The row, such as ``parameter style``.
        status: Whether the service does what the row states.
        evidence: The request and what the reply shows.
    """

    collection: str
    row: str
    status: Status
    evidence: str


def named(values: Iterable[Any]) -> str:
    """Return the first of some values as text, and whether there are more."""
    shown = [plain_text(repr(value), 60) for value in values]
    return ", ".join(shown[:FEW]) + (", …" if len(shown) > FEW else "")


def of_error(error: InkframeError) -> Verdict:
    """Return the verdict of a request that failed: refused parameters fail, other failures show nothing."""
    first = str(error).partition("\n")[0]
    if isinstance(error, ServiceError):
        is_refused = 400 <= error.status < 500 and error.status not in NOT_ABOUT_PARAMETERS
        return "fails" if is_refused else "unknown", f"status {error.status}: {first}"
    return "unknown", first
