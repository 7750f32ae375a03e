"""Test parallel jobs: their order, errors, interrupts, and the end of their threads."""

import signal
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from inkframe.errors import InkframeError
from inkframe.http.address import Address
from inkframe.http.connections import Cancelled, CancelScope
from inkframe.http.key import Key
from inkframe.http.sender import Sender
from inkframe.http.worker_pool import AHEAD, WorkerPool


@pytest.fixture(autouse=True)
def _no_thread_remains():
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "inkframe-worker"]


class Line:
    """A connection; a job that waits on it ends when it is shut down."""

    def __init__(self):
        self.shut = threading.Event()

    def shut_down(self):
        """End the wait."""
        self.shut.set()


def test_results_come_in_order_whichever_ends_first():
    """The first job ends last, and its result comes first."""
    last_ended = threading.Event()

    def work(job):
        if job == 0:
            assert last_ended.wait(60)
        if job == 5:
            last_ended.set()
        return job * job

    assert list(WorkerPool(work, 3).run(range(6))) == [0, 1, 4, 9, 16, 25]


def test_completed_yields_jobs_as_they_end():
    """A job that waits for all others comes last."""
    others = threading.Semaphore(0)

    def work(job):
        if job == "slow":
            for _ in range(4):
                assert others.acquire(timeout=60)
        else:
            others.release()
        return job.upper()

    found = list(WorkerPool(work, 2).completed(["slow", "a", "b", "c", "d"]))
    assert found == [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D"), ("slow", "SLOW")]


@pytest.mark.parametrize(("most", "jobs"), [(1, 5), (4, 1), (4, 0)])
def test_one_at_a_time_stays_on_the_calling_thread(most, jobs):
    """Width 1 or a single job needs no thread; each job runs when its result is taken."""
    threads = []
    pool = WorkerPool(lambda _: threads.append(threading.current_thread()), most)
    for count, _ in enumerate(pool.run(range(jobs)), 1):
        assert len(threads) == count
    assert threads == [threading.current_thread()] * jobs


def test_completed_keeps_off_the_calling_thread():
    """No job runs on the calling thread, the only one that an interrupt reaches."""
    pool = WorkerPool(lambda _: threading.current_thread(), 1)
    assert threading.current_thread() not in {thread for _, thread in pool.completed(range(3))}


def test_as_many_at_once_as_the_width():
    """Exactly as many jobs run at once as the width allows."""
    together = threading.Barrier(4, timeout=60)
    lock = threading.Lock()
    now = [0, 0]

    def work(_):
        with lock:
            now[0] += 1
            now[1] = max(now)
        together.wait()
        with lock:
            now[0] -= 1

    list(WorkerPool(work, 4).run(range(12)))
    assert now == [0, 4]


def test_jobs_start_only_so_far_ahead():
    """Taking one result of a thousand starts only a few jobs."""
    begun = []
    with closing(WorkerPool(begun.append, 2).run(range(1_000))) as results:
        next(results)
    assert len(begun) <= 2 + AHEAD


def test_leaving_early_cancels_reads():
    """Connections of jobs in flight are shut down, and no other job starts."""
    begun, scope = threading.Barrier(3, timeout=60), CancelScope()
    lines = []

    def work(job):
        if job:
            lines.append(Line())
            CancelScope.current().enter(lines[-1])
            begun.wait()
            assert lines[-1].shut.wait(60)
        return job

    with closing(WorkerPool(work, 2, scope).run(range(50))) as results:
        next(results)
        begun.wait()
    assert scope.cancelled
    assert len(lines) == 2


def test_leaving_early_drains_creations():
    """Jobs in flight are completed, and no other job starts."""
    begun, leave, ended = threading.Barrier(3, timeout=60), threading.Event(), []

    def work(job):
        if job:
            begun.wait()
            assert leave.wait(60)
        ended.append(job)

    pool = WorkerPool(work, 2, scope := CancelScope(), drain=True)
    with closing(pool.completed(range(50))) as results:
        assert next(results)[0] == 0
        begun.wait()
        leave.set()
    assert not scope.cancelled
    assert {0, 1, 2} <= set(ended)
    assert len(ended) <= 2 + 2 + AHEAD


@pytest.mark.parametrize("way", ["run", "completed"])
def test_an_error_is_raised_where_its_result_is_taken(way):
    """Earlier results are yielded, and no job starts after the error."""
    begun = []

    def work(job):
        begun.append(job)
        if job == 3:
            raise InkframeError("no")
        return job

    found = []
    with pytest.raises(InkframeError, match="no"):
        found.extend(getattr(WorkerPool(work, 2), way)(range(100_000)))
    assert len(found) >= 2
    # Until the error is taken others may begin; how many, the system decides.
    assert len(begun) < 100_000


def test_an_error_that_is_returned_is_a_result():
    """Only an error that a job raises is raised."""
    error = InkframeError("kept")
    assert list(WorkerPool(lambda _: error, 2).run(range(3))) == [error] * 3


@pytest.mark.integration
@pytest.mark.parametrize("drain", [True, False])
def test_an_interrupt_ends_a_run_and_loses_no_lock(drain):
    """Ctrl-C at any moment ends the run and its threads, in each of many runs."""
    main = threading.main_thread().ident

    def work(job):
        if job == 20:
            signal.pthread_kill(main, signal.SIGINT)
        return job

    for _ in range(20):
        with pytest.raises(KeyboardInterrupt):
            endless(WorkerPool(work, 4, drain=drain))
        assert not [thread for thread in threading.enumerate() if thread.name == "inkframe-worker"]


def endless(pool):
    """Take results without end."""
    for _ in pool.run(range(10**6)):
        pass


def test_a_scope_that_is_cancelled_elsewhere_ends_the_run():
    """A run whose scope is cancelled ends with the error of its first request."""
    scope = CancelScope()
    scope.cancel()
    with closing(Sender(Address.parse("http://service.example"), Key("k" * 20))) as sender:
        jobs = WorkerPool(lambda _: sender.send("GET", "/images"), 2, scope).run(range(5))
        with pytest.raises(Cancelled, match="cancelled"):
            list(jobs)


@pytest.mark.parametrize("drain", [True, False])
def test_jobs_in_flight_are_dropped_at_a_stop_unless_they_are_awaited(drain, monkeypatch):
    """Once no create is sent any more, the connections of those under way are shut down, unless they are billed."""
    monkeypatch.setattr("inkframe.http.worker_pool.POLL", 0.001)
    stop, line, looked = threading.Event(), Line(), threading.Semaphore(0)
    scope = CancelScope(stop)
    refuses = scope.refuses
    monkeypatch.setattr(scope, "refuses", lambda method: looked.release() or refuses(method))

    def work(_):
        scope.enter(line)
        stop.set()
        while looked.acquire(blocking=False):
            pass
        assert looked.acquire(timeout=60)
        assert looked.acquire(timeout=60)  # so that the look before has ended
        return line.shut.is_set()

    assert list(WorkerPool(work, 2, scope, drain=drain).completed([0])) == [(0, not drain)]


@pytest.mark.integration
@pytest.mark.parametrize("drain", [True, False])
def test_the_end_of_the_program(drain):
    """A run of writes in the background is completed; one of reads that was left open does not delay the end."""
    script = f"""
import atexit, threading, time
from inkframe.http.worker_pool import WorkerPool
done = []
atexit.register(lambda: print(len(done) == 20))
def work(job):
    time.sleep(0.02)
    done.append(job)
results = WorkerPool(work, 2, drain={drain}).completed(range(20))
next(results)
if {drain}:
    threading.Thread(target=list, args=[results], daemon=True).start()
"""
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    assert (ended.stdout, ended.stderr) == (f"{drain}\n", "")
