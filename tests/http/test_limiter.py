"""Test how many jobs run at once."""

import pytest

from inkframe.http.pace import request_limit, requests_left, rest_after, stated_rate
from inkframe.http.worker_pool import Limiter


@pytest.mark.parametrize(
    ("waited", "worked", "width"),
    [(0.001, 0.0001, 1), (0.01, 0.01, 2), (0.1, 0.01, 16), (10, 0, 16), (0.004, 0.1, 1)],
)
def test_replies_choose_the_width(waited, worked, width):
    """The width grows with the share of waiting; without waiting it is one."""
    limiter = Limiter(16, 1)
    limiter.measure(waited, worked)
    assert (limiter.width, limiter.measured) == (width, 1)


def test_a_part_keeps_the_measurements():
    """A part is not measured again and has its own width."""
    limiter = Limiter(16, 1)
    limiter.measure(1, 0)
    part = limiter.part(3)
    assert (part.width, part.measured, limiter.width) == (3, 1, 16)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, (None, None)),
        ({"x-ratelimit-limit": "60", "x-ratelimit-remaining": "7"}, ("limit 60", 7)),
        ({"ratelimit-limit": "1000", "ratelimit-remaining": "0"}, ("limit 1,000", 0)),
        ({"x-ratelimit-limit": "many", "x-rate-limit-limit": " 5 "}, ("limit 5", None)),
        ({"x-ratelimit-remaining": " 1 ", "x-ratelimit-limit": "-3"}, (None, 1)),
        ({"ratelimit-remaining": "9" * 5000, "ratelimit-limit": "9" * 5000}, (None, None)),
    ],
)
def test_headers_show_the_limit(headers, expected):
    """Each spelling of the headers is read; unreadable values are ignored."""
    assert (request_limit(headers), requests_left(headers)) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "7"}, 7.0),
        ({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "2.5"}, 2.5),
        ({"x-ratelimit-remaining": "3", "x-ratelimit-reset": "7"}, None),
        ({"ratelimit-remaining": "0", "retry-after": "3"}, 3.0),
        ({"x-ratelimit-remaining": "1", "retry-after": "3"}, None),
        ({"retry-after": "9"}, None),
    ],
)
def test_headers_of_an_accepted_reply_show_when_to_rest(headers, expected):
    """Without requests left, the seconds until there are more; Retry-After alone has another meaning there."""
    assert rest_after(headers) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"ratelimit-policy": '"burst";q=20;w=1, "daily";q=1000;w=86400'}, (20, 1.0)),
        ({"ratelimit-policy": "100;w=10, 5;w=1"}, (5, 1.0)),
        ({"ratelimit-limit": "20, 20;w=2"}, (20, 2.0)),
        ({"ratelimit-limit": "20"}, None),
        ({"ratelimit-policy": "0;w=1, 5;w=0, 60;w=60"}, None),
    ],
)
def test_headers_state_a_rate(headers, expected):
    """The lowest rate per window of at most ten seconds is read, in the forms of the drafts."""
    assert stated_rate(headers) == expected


def test_the_first_replies_are_measured(monkeypatch):
    """The width follows from the waiting and the work of the first two, with the clock of this thread."""
    now, used = [100.0], [7.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.thread_time", lambda: used[0])

    def reply(waited, worked):
        now[0] += waited + worked
        used[0] += worked
        return "reply"

    limiter = Limiter(16, width=1)
    assert limiter.timed(lambda: reply(0.5, 0.5)) == "reply"
    assert (limiter.width, limiter.measured) == (2, 1)
    assert limiter.timed(lambda: reply(0.1, 0.02)) == "reply"
    assert (limiter.width, limiter.measured) == (10, 2)
    assert limiter.timed(lambda: reply(9, 0.001)) == "reply"
    assert (limiter.width, limiter.measured) == (10, 2)
