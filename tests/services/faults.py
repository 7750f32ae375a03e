"""Faults of requests, and seeded plans of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.services import damage
from tests.services.exchange import Fault
from tests.services.lookup import look_up

from inkframe import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.services.exchange import SeenRequest

__all__ = ["FAULTS", "NO_FAULT", "PASSING", "Faults"]

#: No fault.
NO_FAULT: Final = Fault(name="")


def _limited(name: str, about: str, retry_date: float | None = None, **headers: str) -> Fault:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Fault(name=name, about=about, handled=False, status=429, headers=named, retry_date=retry_date)


def _status(name: str, status: int, about: str, *, handled: bool = False, **headers: str) -> Fault:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Fault(name=name, about=about, handled=handled, status=status, headers=named)


_TABLE: Final = (
    Fault(name="slow", about="the reply starts after 3 seconds", delay=3.0),
    Fault(name="silent", about="the request is handled, but there is no reply", delay=float("inf")),
    Fault(name="slow_headers", about="headers at one byte a second", header_drip=1.0),
    Fault(name="slow_body", about="the body at one byte a second", drip=1.0),
    _limited("limited", "429, Retry-After in seconds", Retry_After="2"),
    _limited("limited_bare", "429 without Retry-After"),
    _limited("limited_fraction", "429, Retry-After as a decimal number", Retry_After="0.5"),
    _limited("limited_milliseconds", "429, retry-after-ms", retry_after_ms="1500"),
    _limited("limited_date", "429, Retry-After as a date", retry_date=3),
    _limited("limited_past", "429, Retry-After as a date in the past", retry_date=-3600),
    _limited("limited_long", "429, Retry-After of a day", Retry_After="86400"),
    _limited("limited_huge", "429, Retry-After of 30,000 years", Retry_After="1000000000000"),
    _limited("limited_infinite", "429, Retry-After: inf", Retry_After="inf"),
    _limited("limited_negative", "429, Retry-After: -5", Retry_After="-5"),
    _limited("limited_garbage", "429, Retry-After in words", Retry_After="soon"),
    _limited("limited_draft", "429, the RateLimit header of the IETF draft", RateLimit='"api";r=0;t=4'),
    _status("server_error", 500, "500 before the request is handled"),
    _status("late_error", 500, "500 after the request is handled", handled=True),
    Fault(
        name="bad_gateway",
        about="502 with an HTML page of a proxy",
        handled=False,
        status=502,
        spoil=damage.page,
    ),
    Fault(name="gateway_timeout", about="504 after the request is handled", status=504, spoil=damage.page),
    _status("unavailable", 503, "503 without Retry-After"),
    _status("maintenance", 503, "503 with Retry-After", Retry_After="5"),
    _status("expired", 419, "419, Laravel's reply to a form without a token"),
    _status("too_large", 413, "413"),
    _status("forbidden", 403, "403"),
    _status("unauthenticated", 401, "401 although the key is correct"),
    Fault(name="refused", about="no connection", handled=False, breaks="refused"),
    Fault(name="connect_timeout", about="connection timeout", handled=False, breaks="connect timeout"),
    Fault(name="lost_request", about="reset before the request is handled", handled=False, breaks="reset"),
    Fault(name="lost_reply", about="reset after the request is handled, before the headers", breaks="reset"),
    Fault(name="hung_up", about="closed after the request is handled, before the headers", breaks="closed"),
    Fault(name="reset_in_body", about="reset halfway through the body", breaks="reset in body"),
    Fault(name="truncated", about="closed halfway through the body", breaks="closed in body"),
    Fault(name="cut_gzip", about="half of a compressed body, with a matching length", spoil=damage.cut_gzip),
    Fault(name="false_gzip", about="a plain body labeled as compressed", spoil=damage.false_gzip),
    Fault(name="half_json", about="200 with half of the JSON", spoil=damage.half_json),
    Fault(name="empty_body", about="no body", spoil=damage.empty_body),
    Fault(name="html", about="200 with an HTML page", spoil=damage.page),
    Fault(name="wrong_json", about='200 with {"ok":true}', spoil=damage.wrong_json),
    Fault(name="word", about="200 with the word OK", spoil=damage.word),
    Fault(name="other_dialect", about="a reply in another dialect", dialect="spring"),
    Fault(
        name="see_other",
        about="303 to the front page after the request is handled",
        spoil=damage.to_front_page,
    ),
    Fault(name="login", about="302 to a login page", handled=False, spoil=damage.to_login),
    Fault(name="mistyped", about="valid JSON labeled as HTML", spoil=damage.mistyped),
    Fault(name="byte_order_mark", about="valid JSON after a byte order mark", spoil=damage.byte_order_mark),
    Fault(name="duplicate_keys", about="a record with two names", spoil=damage.duplicate_keys),
    Fault(name="lone_surrogate", about="a lone surrogate in a name", spoil=damage.lone_surrogate),
    Fault(name="not_a_number", about="NaN in a record", spoil=damage.not_a_number),
    Fault(name="long_integer", about="a number of 5,000 digits", spoil=damage.long_integer),
    Fault(name="deep_json", about="JSON nested 100,000 times", spoil=damage.deep_json),
    Fault(name="long_header", about="a header of 200 kB", spoil=damage.long_header),
    Fault(name="gzip_bomb", about="260 kB that unpack to 256 MiB", spoil=damage.gzip_bomb),
    Fault(name="endless", about="a body that never ends", endless=True),
)
#: Every fault by its name.
FAULTS: Final[Mapping[str, Fault]] = {fault.name: fault for fault in _TABLE}
#: Transient faults: a retried read succeeds.
PASSING: Final = (
    "slow",
    "limited",
    "limited_bare",
    "server_error",
    "bad_gateway",
    "unavailable",
    "maintenance",
    "refused",
    "lost_request",
    "lost_reply",
    "hung_up",
    "reset_in_body",
    "truncated",
    "cut_gzip",
    "false_gzip",
    "half_json",
    "html",
)


@dataclass(frozen=True)
class Faults:
    """A plan of faults, deterministic for a seed.

    A fault is a name in ``FAULTS`` or a custom ``Fault``.

    Args:
        rates: The share of requests with each fault; the sum is at most 1.
        script: Faults by the number of the request, starting at 1; they take precedence over the rates.
        seed: The seed, which determines the fault of a request with its number.
        where: A function that selects the requests of the plan; only these are counted. None for all.

    Raises:
        InvalidArgument: There is no such fault, or the rates are invalid.

    Example:
        >>> Faults({"html": 0.1, "lost_reply": 0.1}, seed=7)
        >>> Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
    """

    rates: Mapping[str | Fault, float] = field(default_factory=dict)
    script: Mapping[int, str | Fault] = field(default_factory=dict)
    seed: int = 0
    where: Callable[[SeenRequest], bool] | None = None

    def __post_init__(self) -> None:
        for fault in (*self.rates, *self.script.values()):
            _fault(fault)
        rates = self.rates.values()
        if any(rate < 0 for rate in rates) or sum(rates) > 1 + 1e-9:
            raise InvalidArgument(
                f"rates must be shares of 1 with a sum of at most 1, got {dict(self.rates)}."
            )

    @classmethod
    def passing(
        cls, rate: float, *, seed: int = 0, where: Callable[[SeenRequest], bool] | None = None
    ) -> Faults:
        """Return a plan in which every fault in ``PASSING`` is equally frequent.

        Args:
            rate: The share of requests with a fault, from 0 to 1.
            seed: The seed of the plan.
            where: A function that selects the requests of the plan.
        """
        return cls(dict.fromkeys(PASSING, rate / len(PASSING)), seed=seed, where=where)

    def draw(self, turn: int) -> Fault:
        """Return the fault of the request with this number, counted from 1 among those of the plan."""
        if turn in self.script:
            return _fault(self.script[turn])
        # Drawn from the number and not from a sequence, so that threads cannot change the plan.
        mark = random.Random(f"{self.seed}/{turn}").random()
        for fault, rate in self.rates.items():
            mark -= rate
            if mark < 0:
                return _fault(fault)
        return NO_FAULT


def _fault(fault: str | Fault) -> Fault:
    return fault if isinstance(fault, Fault) else look_up(FAULTS, fault, "fault")
