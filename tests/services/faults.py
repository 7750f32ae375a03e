"""Faults of requests, and seeded plans of them."""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.services import damage
from tests.services.exchange import Fault

#: No fault.
NO_FAULT = Fault("")


def _status(name, status, about, *, handled=False, retry_date=None, **headers):
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Fault(name, about, handled, status, named, retry_date)


_TABLE = (
    Fault("slow", "the reply starts after 3 seconds", delay=3.0),
    Fault("silent", "the request is handled, but there is no reply", delay=float("inf")),
    Fault("slow_headers", "headers at one byte a second", header_drip=1.0),
    Fault("slow_body", "the body at one byte a second", drip=1.0),
    _status("limited", 429, "429, Retry-After in seconds", Retry_After="2"),
    _status("limited_bare", 429, "429 without Retry-After"),
    _status("limited_fraction", 429, "429, Retry-After as a decimal number", Retry_After="0.5"),
    _status("limited_milliseconds", 429, "429, retry-after-ms", retry_after_ms="1500"),
    _status("limited_date", 429, "429, Retry-After as a date", retry_date=3),
    _status("limited_past", 429, "429, Retry-After as a date in the past", retry_date=-3600),
    _status("limited_long", 429, "429, Retry-After of a day", Retry_After="86400"),
    _status("limited_huge", 429, "429, Retry-After of 30,000 years", Retry_After="1000000000000"),
    _status("limited_infinite", 429, "429, Retry-After: inf", Retry_After="inf"),
    _status("limited_negative", 429, "429, Retry-After: -5", Retry_After="-5"),
    _status("limited_garbage", 429, "429, Retry-After in words", Retry_After="soon"),
    _status("limited_draft", 429, "429, the RateLimit header of the IETF draft", RateLimit='"api";r=0;t=4'),
    _status("server_error", 500, "500 before the request is handled"),
    _status("late_error", 500, "500 after the request is handled", handled=True),
    Fault("bad_gateway", "502 with an HTML page of a proxy", handled=False, status=502, spoil=damage.page),
    Fault("gateway_timeout", "504 after the request is handled", status=504, spoil=damage.page),
    _status("unavailable", 503, "503 without Retry-After"),
    _status("maintenance", 503, "503 with Retry-After", Retry_After="5"),
    _status("expired", 419, "419, Laravel's reply to a form without a token"),
    _status("too_large", 413, "413"),
    _status("forbidden", 403, "403"),
    _status("unauthenticated", 401, "401 although the key is correct"),
    Fault("refused", "no connection", handled=False, breaks="refused"),
    Fault("connect_timeout", "connection timeout", handled=False, breaks="connect timeout"),
    Fault("lost_request", "reset before the request is handled", handled=False, breaks="reset"),
    Fault("lost_reply", "reset after the request is handled, before the headers", breaks="reset"),
    Fault("hung_up", "closed after the request is handled, before the headers", breaks="closed"),
    Fault("reset_in_body", "reset halfway through the body", breaks="reset in body"),
    Fault("truncated", "closed halfway through the body", breaks="closed in body"),
    Fault("cut_gzip", "half of a compressed body, with a matching length", spoil=damage.cut_gzip),
    Fault("false_gzip", "a plain body labeled as compressed", spoil=damage.false_gzip),
    Fault("half_json", "200 with half of the JSON", spoil=damage.half_json),
    Fault("empty_body", "no body", spoil=damage.empty_body),
    Fault("html", "200 with an HTML page", spoil=damage.page),
    Fault("wrong_json", '200 with {"ok":true}', spoil=damage.wrong_json),
    Fault("word", "200 with the word OK", spoil=damage.word),
    Fault("other_dialect", "a reply in another dialect", dialect="spring"),
    Fault("see_other", "303 to the front page after the request is handled", spoil=damage.to_front_page),
    Fault("login", "302 to a login page", handled=False, spoil=damage.to_login),
    Fault("mistyped", "valid JSON labeled as HTML", spoil=damage.mistyped),
    Fault("byte_order_mark", "valid JSON after a byte order mark", spoil=damage.byte_order_mark),
    Fault("duplicate_keys", "a record with two names", spoil=damage.duplicate_keys),
    Fault("lone_surrogate", "a lone surrogate in a name", spoil=damage.lone_surrogate),
    Fault("not_a_number", "NaN in a record", spoil=damage.not_a_number),
    Fault("long_integer", "a number of 5,000 digits", spoil=damage.long_integer),
    Fault("deep_json", "JSON nested 100,000 times", spoil=damage.deep_json),
    Fault("long_header", "a header of 200 kB", spoil=damage.long_header),
    Fault("gzip_bomb", "260 kB that unpack to 256 MiB", spoil=damage.gzip_bomb),
    Fault("endless", "a body that never ends", endless=True),
)
#: Every fault by its name.
FAULTS = {fault.name: fault for fault in _TABLE}
#: Transient faults: a retried read succeeds.
_PASSING = """
    slow limited limited_bare server_error bad_gateway unavailable maintenance refused lost_request lost_reply
    hung_up reset_in_body truncated cut_gzip false_gzip half_json html"""
PASSING = tuple(_PASSING.split())


@dataclass(frozen=True)
class Faults:
    """A plan of faults, deterministic for a seed.

    A fault is a name in ``FAULTS`` or a custom ``Fault``.

    Args:
        rates: The share of requests with each fault; the sum is at most 1.
        script: Faults by the number of the request, starting at 1; they take precedence over the rates.
        seed: The seed, which determines the fault of a request with its number.
        where: A function that selects the requests of the plan; only these are counted. None for all.

    Example:
        >>> Faults({"html": 0.1, "lost_reply": 0.1}, seed=7)
        >>> Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
    """

    rates: dict = field(default_factory=dict)
    script: dict = field(default_factory=dict)
    seed: int = 0
    where: Any = None

    @classmethod
    def passing(cls, rate, *, seed=0, where=None):
        """Return a plan in which every fault in ``PASSING`` is equally frequent, together at the rate."""
        return cls(dict.fromkeys(PASSING, rate / len(PASSING)), seed=seed, where=where)

    def draw(self, turn):
        """Return the fault of the request with this number, counted from 1 among those of the plan."""
        if turn in self.script:
            return FAULTS.get(self.script[turn], self.script[turn])
        # Drawn from the number and not from a sequence, so that threads cannot change the plan.
        mark = random.Random(f"{self.seed}/{turn}").random()
        for fault, rate in self.rates.items():
            mark -= rate
            if mark < 0:
                return FAULTS.get(fault, fault)
        return NO_FAULT
