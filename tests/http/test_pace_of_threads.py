"""Requests of many threads keep the rate of a service that pushed one of them back, in any order."""

import heapq
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from tests.services import Faults, FaultyService

import inkframe
from inkframe.http.pace import Pace


def busiest(times):
    """Return the most of these times in any second."""
    return max((sum(start <= time < start + 1 for time in times) for start in set(times)), default=0)


@pytest.fixture(autouse=True)
def _travel(monkeypatch):
    """However long this machine holds back a thread, its request counts."""
    monkeypatch.setattr("inkframe.http.pace.TRAVEL", 1e9)


class Turns:
    """A clock on which threads take turns, each as long as it does not wait, in an order drawn from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self._now = 0.0
        self._waiting, self._parked = [], []
        self._is_over = threading.Semaphore(0)

    def now(self):
        """Return the time."""
        return self._now

    def sleep(self, seconds):
        """Let the others run until this thread is next; for 0 seconds, until one of them calls ``wake``."""
        turn = threading.Semaphore(0)
        if seconds:
            self._queue(turn, seconds)
        else:
            self._parked.append(turn)
        self._is_over.release()
        turn.acquire()

    def wake(self):
        """Let those that wait for others look again."""
        parked, self._parked = self._parked, []
        for turn in parked:
            self._queue(turn, 0)

    def _queue(self, turn, seconds):
        heapq.heappush(self._waiting, (self._now + seconds, self.random.random(), turn))

    def run(self, work, count):
        """Run work on some threads to the end."""

        def begin():
            self.sleep(0)
            work()
            self._is_over.release()

        for _ in range(count):
            threading.Thread(target=begin).start()
            self._is_over.acquire()
        self.wake()
        while self._waiting:
            self._now, _, turn = heapq.heappop(self._waiting)
            turn.release()
            self._is_over.acquire()


@pytest.mark.parametrize(
    ("limit", "seed"),
    [
        *((limit, seed) for limit in (1, 3, 5) for seed in range(4)),
        *(pytest.param(limit, 0, marks=pytest.mark.integration) for limit in (20, 50)),
    ],
)
def test_the_rate_holds_in_every_window_whatever_the_order(limit, seed, monkeypatch):
    """Requests that take a while, some refused at random, never exceed the limit in a second after a push-back."""
    monkeypatch.setattr("inkframe.http.pace.GLANCE", 0)
    monkeypatch.setattr("inkframe.http.pace.PAUSE", 1e9)
    turns = Turns(f"{limit}/{seed}")
    pace = Pace(turns, "service.test")
    arrived, after, draw = [], [], turns.random.random
    slow = 3 ** turns.random.randint(-3, 1)

    def work():
        for _ in range(5):
            pace.enter(1e9, turns.sleep)
            is_after = pace._pushed >= 0
            turns.sleep(slow * draw())
            now = turns.now()
            is_full = sum(now - 1 < time for time in arrived[-limit:]) >= limit
            status = 429 if is_full or draw() < 0.02 else 500 if draw() < 0.1 else 200
            arrived.append(now)
            after.append(is_after)
            turns.sleep(slow * draw())
            pace.leave(status, draw() if status == 429 and draw() < 0.5 else None)
            turns.wake()
            turns.sleep(draw())

    turns.run(work, limit + 7)
    assert len(arrived) == 5 * (limit + 7)
    assert any(after)
    for start in arrived:
        within = [at for at, time in enumerate(arrived) if start <= time < start + 1]
        assert len(within) <= limit or not any(after[at] for at in within)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("limit", "share", "seed"),
    [(20, 0.0, 0), (50, 0.2, 0), (20, 0.2, 1), (5, 0.2, 2), (5, 0.2, 3), (3, 0.2, 4), (3, 0.2, 5)],
)
def test_jobs_together_keep_the_rate_of_a_service_that_pushed_back(limit, share, seed):
    """Three jobs, run again, create every row once, and keep the limit in each second after the first 429."""
    service = FaultyService(images=0, documents=0, rate_limit=limit, faults=Faults.passing(share, seed=seed))
    plans = [
        [{"name": f"{job} {row}", "description": "a", "resolution": "256x256"} for row in range(40)]
        for job in "abc"
    ]
    with service.client() as client:
        for _ in range(6):
            jobs = [client.images.submit_many(plan, confirm=len(plan)) for plan in plans]
            frames = [job.result(timeout=600) for job in jobs]
            if all(frame["status"].isin(["created", "existing"]).all() for frame in frames):
                break
            # A person decides about rows without a reply that are not there.
            plans = [
                [row for row, status in zip(plan, frame["status"], strict=True) if status != "unknown"]
                for plan, frame in zip(plans, frames, strict=True)
            ]
    names = Counter(record["name"] for record in service.images.values())
    assert {row["name"] for plan in plans for row in plan} <= set(names)
    assert set(names.values()) == {1}
    pushed = min(seen.time for seen in service.requests if seen.fault.startswith("limited"))
    assert busiest([seen.time for seen in service.requests if seen.time > pushed]) <= limit


@pytest.mark.integration
@pytest.mark.parametrize("limit", [1, 3, 5])
def test_requests_that_begin_at_once_do_not_arrive_later(limit):
    """Of many threads at once, those that were not held back arrive before the time of the push-back has passed."""
    service = FaultyService(images=1, documents=0, rate_limit=limit)
    began = threading.Barrier(16)

    def work():
        began.wait(60)
        # The clock of the service may jump past the deadline of a thread that the machine holds back.
        with suppress(inkframe.DeadlineExceeded):
            for _ in range(4):
                client.images.get(1)

    with service.client() as client, ThreadPoolExecutor(16) as threads:
        for _ in range(16):
            threads.submit(work)
    pushed = next(seen.time for seen in service.requests if seen.fault == "limited")
    assert busiest([seen.time for seen in service.requests if seen.time > pushed]) <= limit
