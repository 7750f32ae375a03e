"""The pace of all requests to a service: the waits that it asks for, retries, and the clock, which tests replace."""

from __future__ import annotations

import random
import re
import threading
import time
from bisect import bisect_right
from collections import deque
from email.utils import parsedate_to_datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from inkframe.errors import RateLimited
from inkframe.system.processes import Forkable, on_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "LONGEST_WAIT",
    "PASSING",
    "Clock",
    "Pace",
    "RealClock",
    "RetryBudget",
    "backoff",
    "read_date",
    "request_limit",
    "requests_left",
    "rest_after",
    "retry_after",
    "stated_rate",
]

#: The longest wait in seconds that a service may request; a longer one is an error at once.
LONGEST_WAIT: Final = 120.0
#: The seconds of a window unless the service states others, and of the wait after a 429 that requests none.
WINDOW: Final = 1.0
#: Seconds without a 429, and without a request that waits for its turn, after which an observed rate ends.
KEPT: Final = 300.0
#: The replies that are remembered, and so the most requests in a window.
REMEMBERED: Final = 1000
#: Real seconds after which a request under way has certainly arrived; the clock of a test jumps meanwhile.
TRAVEL: Final = 5.0
#: The seconds after which a request that waits looks again: at most, and where it waits for others to end.
PAUSE: Final = 0.2
GLANCE: Final = 0.01

#: Statuses after which another try may succeed (RFC 9110, RFC 6585, RFC 8470).
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
#: The characters of a date in a header that are read, and the most digits of a number.
LONGEST_DATE: Final = 40
LONGEST_NUMBER: Final = 18
#: The longest window in seconds that is kept as stated; longer ones are kept by the waits that are requested.
LONGEST_WINDOW: Final = 10


class Reply(NamedTuple):
    """When a request was sent and answered, and whether the service accepted it."""

    sent: float
    ended: float
    accepted: bool


class Pace(Forkable):
    """When requests may be sent: after a push-back all of them wait, then so many follow in any window of time.

    A request counts from when it is sent until a window after its reply, since the service counted it at some
    moment in between. A 429 sets the number to the most that the service had accepted in one window; another one
    halves it, and accepted requests raise it again up to the most accepted. A 503 only lets all wait. No more
    requests are on their way at once than the last reply said are left.

    Args:
        clock: The clock of the requests.
        name: The name of the service in messages.
    """

    def __init__(self, clock: Clock, name: str) -> None:
        self._clock = clock
        self._name = name
        #: By thread, when its request was sent: by a real clock, and by that of the requests.
        self._under_way: dict[int, tuple[float, float]] = {}
        self._replies: deque[Reply] = deque(maxlen=REMEMBERED)
        #: Until when all wait, when the last 429 came, and when the rate last made a request wait.
        self._until = self._pushed = self._held = float("-inf")
        #: The requests in a window, at the moment and at most; 0 while nothing is known.
        self._rate, self._most = 0.0, 0
        self._window, self._is_stated = WINDOW, False
        #: The requests that the last reply still allowed, if it told; and when the replies ended that told it.
        self._left: int | None = None
        self._told: list[tuple[float, int]] = []
        self._lock = threading.RLock()
        on_fork(self)

    def after_fork(self, *, in_child: bool) -> None:
        """Replace the lock in a child; another thread of the parent may have held it."""
        if in_child:
            self._lock = threading.RLock()
            self._under_way = {}

    def enter(self, ends: float, pause: Callable[[float], None]) -> float:
        """Wait until a request may be sent, and return the deadline, later by the time waited.

        Args:
            ends: The deadline.
            pause: Waits for some seconds, and raises an error if the request was cancelled.

        Raises:
            RateLimited: The service requested a wait beyond the deadline; nothing was sent.
        """
        began = self._clock.now()
        while (wait := self._begin(ends - began)) is not None:
            if not wait:
                time.sleep(GLANCE)
            pause(min(wait, PAUSE))
        return ends + (self._clock.now() - began)

    def _begin(self, left: float) -> float | None:
        """Note that the request of this thread is sent, or return the seconds that it waits; 0 for others to end.

        Args:
            left: The longest wait.
        """
        with self._lock:  # so that no request is sent between the count and the note
            now = self._clock.now()
            if (rest := self._until - now) > 0:
                if rest < left:
                    return rest
                raise RateLimited(
                    f"{self._name} asked to wait: the next request is possible in {rest:,.0f} s.\n"
                    "Nothing was sent. Try again later.",
                    status=429,
                    retry_after=rest,
                )
            if not self._is_stated and now - max(self._pushed, self._held) > KEPT:
                self._rate, self._most = 0.0, 0
            if self._most and (wait := self._turn(now)) is not None:
                self._held = now
                return wait
            if self._left and self._arriving() >= self._left:
                return 0.0
            self._under_way[threading.get_ident()] = time.monotonic(), now
            return None

    def jump(self, seconds: float) -> None:
        """Let a clock that advances only by a wait do so, once no request is under way that it would outrun."""
        while True:
            with self._lock:
                if not self._arriving():
                    self._clock.sleep(seconds)
                    return
            time.sleep(GLANCE / 10)

    def _arriving(self) -> int:
        """Return how many requests under way the service may not have counted yet."""
        since = time.monotonic() - TRAVEL - self._window
        return sum(began > since for began, _ in self._under_way.values())

    def _turn(self, now: float) -> float | None:
        """Return the seconds until the rate allows another request; None if it does."""
        recent = [reply.ended for reply in self._recent(now)]
        excess = self._arriving() + len(recent) - int(self._rate) + 1
        if excess <= 0:
            return None
        return 0.0 if excess > len(recent) else max(recent[-excess] + self._window - now, 0.001)

    def _recent(self, now: float) -> list[Reply]:
        """Return the replies in the window that ends now, the newest first."""
        since = now - self._window
        return list(takewhile(lambda reply: reply.ended > since, reversed(self._replies)))

    def leave(
        self,
        status: int,
        asked: float | None = None,
        stated: tuple[int, float] | None = None,
        left: int | None = None,
    ) -> None:
        """Note the outcome of the request of this thread.

        Args:
            status: The status of the reply; 0 if there was none.
            asked: The seconds to wait that the service requested.
            stated: The number of requests, and the seconds in which they are allowed, that the service stated.
            left: The number of requests that the service still allows, if the reply tells it.
        """
        accepted = 0 < status < 500 and status != 429
        with self._lock:  # so that the replies are in order, and no request is missed between the two
            now = self._clock.now()
            began, sent = self._under_way.pop(threading.get_ident())
            self._replies.append(Reply(sent, now, accepted))
            if left:  # a reply that ended while this one was under way may have been counted later
                self._told = [told for told in self._told if told[0] > began] + [(time.monotonic(), left)]
                left = min(told for _, told in self._told)
            self._left = left
            if status == 429 or asked is not None:
                self._push_back(sent, now, status, WINDOW if asked is None else asked, stated)
            elif accepted and self._most:
                self._grow(now)

    def _push_back(
        self, sent: float, now: float, status: int, asked: float, stated: tuple[int, float] | None
    ) -> None:
        if asked > LONGEST_WAIT:
            return
        if stated is not None:
            self._most, self._window = min(stated[0], REMEMBERED), stated[1]
            self._rate, self._is_stated = float(self._most), True
        elif status == 429 and not self._most:
            self._most = max(1, self._most_accepted())
            self._rate = float(self._most)
        elif status == 429 and sent > self._pushed and not self._is_stated:
            # Requests that were under way together were pushed back once.
            self._rate = max(1.0, self._rate / 2)
        if status == 429:
            self._pushed = now
        self._until = max(self._until, now + asked)

    def _grow(self, now: float) -> None:
        if not self._is_stated:
            since = now - self._window
            self._most = max(
                self._most, sum(each.accepted and each.sent > since for each in self._recent(now))
            )
        self._rate = min(self._most, self._rate + 1 / self._rate)

    def _most_accepted(self) -> int:
        """Return the most requests that were sent and accepted within one window."""
        accepted = [reply for reply in self._replies if reply.accepted]
        begun = sorted(reply.sent for reply in accepted)
        counts = (
            number - bisect_right(begun, reply.ended - self._window)
            for number, reply in enumerate(accepted, 1)
        )
        return max(counts, default=0)


class Clock(Protocol):
    """The clock that requests use."""

    def now(self) -> float:
        """Return the seconds of a monotonic clock."""

    def sleep(self, seconds: float) -> None:
        """Wait; an interrupt ends the wait at once."""


class RealClock:
    """The clock of the machine."""

    now = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)


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
    now = read_date(headers.get("date")) or (time.time() if now is None else now)
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    seconds = _number(headers.get("retry-after"))
    if seconds is None and (date := read_date(headers.get("retry-after"))) is not None:
        seconds = date - now
    if seconds is not None:
        return max(0.0, seconds)
    for remaining, name in zip(REMAINING, RESET, strict=True):
        reset = _number(headers.get(name))
        if reset is not None and _number(headers.get(remaining)) == 0:
            return max(0.0, reset - now if reset >= EPOCH else reset)
    draft = re.match(r"(?>.*?\br=0\b).*?\bt=(\d{1,9})", headers.get("ratelimit", ""))
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
    return next((int(text) for text in texts if text.isdecimal() and len(text) <= LONGEST_NUMBER), None)


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\s*-?\d{1,18}(\.\d{1,9})?\s*", text):
        return None
    return float(text)


def read_date(text: str | None) -> float | None:
    """Return the date of a header in seconds since 1970, or None."""
    if not text:
        return None
    try:
        return parsedate_to_datetime(text[:LONGEST_DATE]).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
