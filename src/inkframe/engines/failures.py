"""What an engine raises where it makes nothing, so that the service can say why; anything else is a crash."""

from __future__ import annotations

__all__ = ["Refused", "Unavailable"]


class Refused(Exception):
    """The engine will not make what was asked for; asking again in the same words is of no use.

    Args:
        message: Why, in words that the person who asked may read.
        field: The field that it is about; the description or the prompt if not given.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Unavailable(Exception):
    """The engine cannot work now: what it needs does not answer, is busy, or is not set up.

    Args:
        message: What is wrong and what to do.
        status: What the service answers with: 429 (asked too often), 502 (a wrong answer), 503 (no answer;
            nothing was charged) or 504 (no answer in time).
        retry_after: Seconds after which it may work, where that is known.
        parameter: The parameter of the engine's own request that was not accepted, where it is one.
    """

    def __init__(
        self, message: str, *, status: int = 503, retry_after: float | None = None, parameter: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter
