"""Test how many jobs run at once."""

import pytest

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
