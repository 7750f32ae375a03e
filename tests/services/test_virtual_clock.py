from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.services import VirtualClock


def test_waiting_takes_no_time_but_is_recorded():
    """A wait advances the clock and is recorded; a slow reply advances it without a recorded wait."""
    clock = VirtualClock(start=5)
    clock.sleep(30)
    clock.advance(2.5)
    assert clock.now() == 37.5
    assert clock.slept == [30]


def test_no_wait_of_many_threads_is_lost():
    """The waits of parallel threads all advance the clock."""
    clock = VirtualClock()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(clock.sleep, [0.5] * 400))
    assert clock.now() == 200
    assert len(clock.slept) == 400


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_invalid_waits_are_rejected(seconds):
    """A wait that is negative, infinite or not a number raises ValueError."""
    clock = VirtualClock()
    with pytest.raises(ValueError, match="seconds must be a finite number, 0 or greater, got"):
        clock.sleep(seconds)
    assert clock.slept == []
