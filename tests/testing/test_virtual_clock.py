from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from inkframe.testing import VirtualClock


def test_waiting_takes_no_time_but_is_noted():
    """A wait moves the clock on and is kept; a slow reply moves it on without being a wait."""
    clock = VirtualClock(start=5)
    clock.sleep(30)
    clock.advance(2.5)
    assert clock.now() == 37.5
    assert clock.slept == [30]


def test_no_wait_of_many_threads_is_lost():
    """Threads that wait at once all move the clock on."""
    clock = VirtualClock()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(clock.sleep, [0.5] * 400))
    assert clock.now() == 200
    assert len(clock.slept) == 400


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_time_never_goes_back_nor_for_ever_on(seconds):
    """A wait that is negative, endless or no number is a mistake of the caller."""
    clock = VirtualClock()
    with pytest.raises(ValueError, match="time passes"):
        clock.sleep(seconds)
    assert clock.slept == []
