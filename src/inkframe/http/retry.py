"""Rules for retries and the waits before them."""

from __future__ import annotations

import random
import re
import threading
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "RetryBudget",
    "backoff",
    "request_limit",
    "requests_left",
    "rest_after",
    "retry_after",
    "stated_rate",
    "worth_retrying",
]

#: Statuses worth a retry (RFC 9110, RFC 6585, RFC 8470).
PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
#: The longest wait before a retry in seconds, unless the service requests more.
LONGEST_BACKOFF: Final = 20.0
#: Numbers from here on are points in time, not waits.
EPOCH: Final = 1_000_000_000
#: The headers with the number of requests that are allowed and left, and when there are more.
LIMIT: Final = ("x-ratelimit-limit", "ratelimit-limit", "x-rate-limit-limit")
REMAINING: Final = ("x-ratelimit-remaining", "ratelimit-remaining", "x-rate-limit-remaining")
RESET: Final = ("x-ratelimit-reset", "ratelimit-reset", "x-rate-limit-reset")
#: The headers with the number of requests in a window, in the drafts of the RateLimit headers.
POLICY: Final = ("ratelimit-policy", "ratelimit-limit")
#: The longest window in seconds that is kept as stated; longer ones are kept by the waits that are requested.
LONGEST_WINDOW: Final = 10


class RetryBudget:
    """A budget of retries that successes refill, so that retries do not worsen an outage.

    Args:
        most: The number of retries at the start and at most.
        earned: The number that one success adds.
    """

    def __init__(self, most: float = 100, earned: float = 0.5) -> None:
        self._most = most
        self._earned = earned
        self._held = most
        self._lock = threading.Lock()

    def spend(self) -> bool:
        """Use one retry; return False if none is left."""
        with self._lock:
            if self._held < 1:
                return False
            self._held -= 1
            return True

    def earn(self) -> None:
        """Refill the budget after a success."""
        with self._lock:
            self._held = min(self._most, self._held + self._earned)


def worth_retrying(status: int) -> bool:
    """Return whether another try may succeed after this status."""
    return status in PASSING


def backoff(tries: int, asked: float | None) -> float:
    """Return the seconds before the next try.

    Full jitter is used: a random wait up to a bound that doubles, so that many clients do not return at the
    same time. A wait that the service requested is never shortened, only lengthened a little.

    Args:
        tries: The number of tries so far.
        asked: The seconds to wait that the service requested, or None.
    """
    if asked is not None:
        return asked + random.uniform(0, min(1.0, asked / 10))
    return random.uniform(0, min(LONGEST_BACKOFF, 0.5 * 2.0 ** (tries - 1)))


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds to wait that a service requests, or None.

    Reads ``retry-after-ms``, ``Retry-After`` as seconds or as a date (compared with the ``Date`` of the
    reply, so that a wrong clock does not matter), ``X-RateLimit-Reset`` and its variants as seconds or as a point
    in time, and ``RateLimit`` of the drafts. A time in the past is a wait of 0; unreadable values are ignored.

    Args:
        headers: The headers of a reply, in any case.
        now: The seconds since 1970; the current time by default.
    """
    now = _date(headers.get("date")) or (time.time() if now is None else now)
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    asked = headers.get("retry-after")
    if asked is not None:
        seconds = _number(asked)
        if seconds is None and (date := _date(asked)) is not None:
            seconds = date - now
        if seconds is not None:
            return max(0.0, seconds)
    for remaining, name in zip(REMAINING, RESET, strict=True):
        reset = _number(headers.get(name))
        if reset is not None and _number(headers.get(remaining)) == 0:
            return max(0.0, reset - now if reset >= EPOCH else reset)
    draft = re.search(r"\br=0\b.*?\bt=(\d+)", headers.get("ratelimit", ""))
    return float(draft[1]) if draft else None


def request_limit(headers: Mapping[str, str]) -> str | None:
    """Return the number of requests that a service allows, as a note for a progress bar, or None."""
    count = _count(headers, LIMIT)
    return None if count is None else f"limit {count:,}"


def requests_left(headers: Mapping[str, str]) -> int | None:
    """Return the number of requests that a service still allows, if a reply tells it."""
    return _count(headers, REMAINING)


def rest_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait after an accepted reply that tells that no request is left, or None."""
    return (retry_after(headers) or None) if requests_left(headers) == 0 else None


def stated_rate(headers: Mapping[str, str]) -> tuple[int, float] | None:
    """Return the lowest rate that a reply states, as a number of requests and the seconds of its window, or None.

    Reads ``RateLimit-Policy`` such as ``"burst";q=20;w=1`` or ``20;w=1``.
    """
    texts = (headers.get(name, "")[:1000] for name in POLICY)
    found = (
        match for text in texts for match in re.finditer(r"(?:q=|\b)(\d{1,9})\s*;\s*w=(\d{1,9})\b", text)
    )
    rates = [(int(match[1]), float(match[2])) for match in found]
    return min(
        ((number, seconds) for number, seconds in rates if number and 0 < seconds <= LONGEST_WINDOW),
        key=lambda rate: rate[0] / rate[1],
        default=None,
    )


def _count(headers: Mapping[str, str], names: Sequence[str]) -> int | None:
    texts = ((headers.get(name) or "").strip() for name in names)
    return next((int(text) for text in texts if text.isdecimal()), None)


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\s*-?\d{1,18}(\.\d{1,9})?\s*", text):
        return None
    return float(text)


def _date(text: str | None) -> float | None:
    if not text:
        return None
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
