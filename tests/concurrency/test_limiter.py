"""Test how many jobs run at once."""

from __future__ import annotations

import pytest

from inkframe.concurrency.cancellation import CancelScope
from inkframe.concurrency.limiter import Feedback, Limiter
from inkframe.http.retry import rate_limit, rest_after, stated_rate

NOTHING = Feedback()


@pytest.mark.parametrize(
    ("waited", "worked", "width"),
    [(0.001, 0.0001, 1), (0.01, 0.01, 2), (0.1, 0.01, 16), (10, 0, 16), (0.004, 0.1, 1)],
)
def test_replies_choose_the_width(waited, worked, width):
    """The width grows with the share of waiting; without waiting it is one."""
    limiter = Limiter(16, 1)
    limiter.measure(waited, worked)
    assert (limiter.width, limiter.ceiling, limiter.measured) == (width, width, 1)


def test_a_push_back_halves_and_success_recovers():
    """Each push-back halves the width once; each success adds one, up to the earlier width."""
    limiter, scope = Limiter(8), CancelScope()
    widths = []
    for pushed_back in (1, 1, 2, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6):
        scope.pushed_back = pushed_back
        limiter.note(scope, NOTHING)
        widths.append(limiter.width)
    assert widths == [4, 5, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8]


def test_the_limit_of_a_service_is_followed():
    """The width is at most the remaining requests; with none left, the limiter waits."""
    limiter, scope = Limiter(8), CancelScope()
    assert limiter.note(scope, Feedback(1_000, 3)) == 0
    assert (limiter.width, limiter.limit) == (3, "limit 1,000")
    assert limiter.note(scope, Feedback(1_000, 0, 2.5)) == 2.5
    assert limiter.width == 1


def test_a_part_keeps_the_measurements():
    """A part keeps earlier push-backs and has its own width."""
    limiter, scope = Limiter(16, 1), CancelScope()
    limiter.measure(1, 0)
    scope.pushed_back = 1
    limiter.note(scope, NOTHING)
    part = limiter.part(3)
    part.note(scope, NOTHING)
    assert (part.width, part.ceiling, part.measured, limiter.width) == (3, 3, 1, 8)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, Feedback()),
        ({"x-ratelimit-limit": "60", "x-ratelimit-remaining": "7"}, Feedback(60, 7)),
        ({"ratelimit-remaining": "0", "retry-after": "3"}, Feedback(None, 0, 3.0)),
        ({"x-ratelimit-limit": "many", "x-rate-limit-limit": " 5 "}, Feedback(5)),
        ({"x-ratelimit-remaining": "1", "retry-after": "3"}, Feedback(None, 1)),
    ],
)
def test_headers_show_the_limit(headers, expected):
    """Each spelling of the headers is read; unreadable values are ignored."""
    assert rate_limit(headers) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "7"}, 7.0),
        ({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "2.5"}, 2.5),
        ({"x-ratelimit-remaining": "3", "x-ratelimit-reset": "7"}, None),
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
