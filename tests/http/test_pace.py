"""After a push-back, all requests of a client wait for the requested time and then keep a rate."""

import contextlib
import threading
import time
from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from tests.services import Faults, FaultyService, VirtualClock

import inkframe
from inkframe.errors import RateLimited
from inkframe.http.pace import Pace


def pushed_back(fault, **options):
    """Return a service and a client of it whose first request was pushed back."""
    service = FaultyService(images=3, documents=0, faults=Faults(script={1: fault}))
    client = service.client(max_retries=0, **options)
    with pytest.raises(inkframe.ServiceError):
        client.images.get(1)
    return service, client


@pytest.mark.parametrize(
    ("fault", "seconds"), [("limited", 2), ("limited_draft", 4), ("limited_bare", 1), ("maintenance", 5)]
)
def test_other_requests_wait_as_long_as_the_service_asked(fault, seconds):
    """After a 429, or a 503 with Retry-After, the next call of the client is sent when that time is over."""
    service, client = pushed_back(fault)
    with client:
        client.images.get(2)
    assert service.requests[1].time == pytest.approx(seconds, abs=0.01)


@pytest.mark.parametrize("fault", ["unavailable", "limited_long", "server_error", "forbidden"])
def test_other_requests_do_not_wait_unless_asked_within_the_cap(fault):
    """Nothing waits after a 503 without Retry-After, or after a request to wait beyond the cap."""
    service, client = pushed_back(fault)
    with client:
        client.images.get(2)
    assert service.requests[1].time == 0


def test_the_last_allowed_request_lets_others_wait_for_the_reset():
    """A reply that says that no request is left makes the next one wait, without any 429."""
    service = FaultyService(images=3, documents=0)
    answer = service.transport.handle_request

    def handle_request(request):
        reply = answer(request)
        reply.headers["X-RateLimit-Remaining"], reply.headers["X-RateLimit-Reset"] = "0", "7"
        return reply

    service.transport.handle_request = handle_request
    with service.client() as client:
        client.images.get(1)
        client.images.get(2)
    assert service.requests[1].time == pytest.approx(7)


@pytest.mark.integration
def test_no_more_requests_are_on_their_way_than_are_left():
    """Pages that are read in parallel never exceed the number that the replies state, without any 429."""
    service = FaultyService(images=5_000, documents=0)
    answer, lock = service.transport.handle_request, threading.Lock()
    counts = {0.0: 0}

    def handle_request(request):
        time.sleep(0.01)
        with lock:
            window = service.clock.now() // 10
            counts[window] = count = counts.get(window, 0) + 1
        reply = answer(request)
        reply.headers["X-RateLimit-Remaining"] = str(max(20 - count, 0))
        reply.headers["X-RateLimit-Reset"] = "10"
        return reply

    service.transport.handle_request = handle_request
    with service.client() as client:
        assert len(client.images.all(progress=False)) == 5_000
    assert len(counts) > 2
    assert max(counts.values()) <= 20


def test_replies_that_end_out_of_order_allow_the_lower_number():
    """A reply that was counted before another one but ends after it does not raise the number that is left."""
    pace = Pace(VirtualClock(), "the service")

    class Waited(Exception):
        pass

    def wait(seconds):
        raise Waited

    with contextlib.ExitStack() as stack:
        first, second, third, last = (stack.enter_context(ThreadPoolExecutor(1)) for _ in range(4))
        for thread in (first, second):
            thread.submit(pace.enter, 10, wait).result()
        second.submit(pace.leave, 200, left=1).result()
        first.submit(pace.leave, 200, left=2).result()
        third.submit(pace.enter, 10, wait).result()
        with pytest.raises(Waited):
            last.submit(pace.enter, 10, wait).result()
        third.submit(pace.leave, 200, left=3).result()
        last.submit(pace.enter, 10, wait).result()


def test_a_wait_beyond_the_deadline_is_an_error_and_nothing_is_sent():
    """A call with a shorter timeout than the requested wait raises RateLimited, and nothing is sent."""
    service, client = pushed_back("maintenance", timeout=3)
    with client, pytest.raises(inkframe.RateLimited, match="Nothing was sent") as caught:
        client.images.get(2)
    assert caught.value.retry_after == pytest.approx(5)
    assert len(service.requests) == 1


def test_closing_the_client_ends_the_wait():
    """A request that waits when its client is closed is an error, and nothing is sent."""

    class ClosingClock(VirtualClock):
        def sleep(self, seconds):
            super().sleep(seconds)
            client.close()

    service, client = pushed_back("maintenance")
    sender = client._session.sender
    sender.clock = sender._pace._clock = clock = ClosingClock()
    with pytest.raises(inkframe.InkframeError, match="closed"):
        client.images.get(2)
    assert clock.now() < 1
    assert len(service.requests) == 1


@pytest.fixture(autouse=True)
def _travel(monkeypatch):
    """However long this machine holds back a thread, its request counts."""
    monkeypatch.setattr("inkframe.http.pace.TRAVEL", 1e9)


@pytest.fixture
def clock():
    return VirtualClock(100.0)


@pytest.fixture
def pace(clock):
    return Pace(clock, "service.test")


def send(pace, clock, count, status=200, ends=1e9, **said):
    """Send requests one after the other; return the times at which they were sent."""
    times = []
    for _ in range(count):
        pace.enter(ends, clock.sleep)
        times.append(clock.now())
        pace.leave(status, **said)
    return times


def busiest(times):
    """Return the most of these times in any second."""
    return max(bisect_left(times, start + 1) - bisect_left(times, start) for start in times)


def test_nothing_waits_before_a_push_back(pace, clock):
    """Any number of requests is sent at once, whatever else fails."""
    assert set(send(pace, clock, 50) + send(pace, clock, 50, 500) + send(pace, clock, 50, 503)) == {100.0}
    assert clock.slept == []


def test_the_rate_is_what_was_accepted_in_a_window(pace, clock):
    """After 20 accepted requests and a 429, 20 are sent in any second, and the rate is fully used."""
    send(pace, clock, 20)
    send(pace, clock, 1, 429, asked=1.0)
    times = send(pace, clock, 100)
    assert times[0] == 101
    assert busiest(times) == 20
    assert times[-1] == pytest.approx(105, abs=0.1)


def test_only_requests_within_one_window_count_as_accepted_together(pace, clock):
    """Ten requests, a pause and three more before the 429 allow ten in a window; slow replies prove nothing."""
    send(pace, clock, 10)
    clock.advance(5)
    send(pace, clock, 3)
    for _ in range(12):
        pace.enter(1e9, clock.sleep)
        clock.advance(2)
        pace.leave(200)
    send(pace, clock, 1, 429)
    assert busiest(send(pace, clock, 40)) == 10


def test_what_is_under_way_counts(pace, clock):
    """A request that was sent and not answered takes a place; once answered, for one more window."""
    send(pace, clock, 2)
    send(pace, clock, 1, 429)
    clock.advance(1)
    began, ended, times = threading.Event(), threading.Event(), []

    def hold():
        pace.enter(1e9, clock.sleep)
        began.set()
        ended.wait(60)
        pace.leave(200)

    other = threading.Thread(target=hold)
    other.start()
    began.wait(60)
    times = send(pace, clock, 3)
    ended.set()
    other.join()
    assert [round(time - times[0]) for time in times] == [0, 1, 2]


@pytest.mark.integration
def test_another_push_back_halves_the_rate_and_accepted_requests_restore_it(pace, clock):
    """The rate is halved once for requests that were under way together, and never exceeds what was accepted."""
    send(pace, clock, 16)
    send(pace, clock, 1, 429)
    clock.advance(2)
    sent = threading.Barrier(3, timeout=60)

    def push_back():
        pace.enter(1e9, clock.sleep)
        sent.wait()
        pace.leave(429)

    with ThreadPoolExecutor(3) as threads:
        for _ in range(3):
            threads.submit(push_back)
    assert busiest(send(pace, clock, 9)) == 8
    assert busiest(send(pace, clock, 400)) == 16


def test_requests_wait_while_as_many_are_on_their_way_as_are_left(pace, clock):
    """With one left, the second waits until the first has its reply; without a number, none waits."""
    send(pace, clock, 1, left=1)
    began, ended, waited = threading.Event(), threading.Event(), []

    def hold():
        pace.enter(1e9, clock.sleep)
        began.set()
        ended.wait(60)
        pace.leave(200)

    def pause(seconds):
        waited.append(seconds)
        ended.set()

    other = threading.Thread(target=hold)
    other.start()
    began.wait(60)
    pace.enter(1e9, pause)
    other.join()
    assert set(waited) == {0.0}
    pace.leave(200)
    assert send(pace, clock, 5) == [100.0] * 5


def test_a_503_sets_no_rate(pace, clock):
    """After a 503 with Retry-After all wait, and are then sent at once."""
    send(pace, clock, 1)
    send(pace, clock, 1, 503, asked=5.0)
    assert send(pace, clock, 50) == [pytest.approx(105)] * 50


def test_a_429_without_an_accepted_request_lets_one_through_in_a_window(pace, clock):
    """A service that has accepted nothing so far has shown no more than that it accepts one."""
    send(pace, clock, 1, 429, asked=3.0)
    assert send(pace, clock, 5) == pytest.approx([103, 104, 105, 106, 107])


def test_a_stated_rate_is_kept_as_stated(pace, clock):
    """The number and window in the headers of a 429 take precedence, and do not lapse."""
    send(pace, clock, 40)
    send(pace, clock, 1, 429, asked=0.0, stated=(6, 2.0))
    clock.advance(1000)
    times = send(pace, clock, 30)
    assert busiest(times) == 6
    assert times[-1] - times[0] == pytest.approx(8, abs=0.1)


def test_an_observed_rate_ends_after_five_minutes_without_need(pace, clock):
    """It is kept as long as it makes requests wait, however long that is; then requests are sent at once again."""
    send(pace, clock, 5)
    send(pace, clock, 1, 429)
    assert busiest(send(pace, clock, 1600)) == 5
    assert clock.now() > 400
    clock.advance(299)
    assert busiest(send(pace, clock, 10)) == 5
    clock.advance(301)
    assert len(set(send(pace, clock, 50))) == 1


def test_the_deadline_moves_by_the_time_waited_for_a_turn(pace, clock):
    """Waiting for a turn takes nothing from the time that the request has."""
    send(pace, clock, 1)
    send(pace, clock, 1, 429)
    assert pace.enter(clock.now() + 30, clock.sleep) == pytest.approx(131)
    pace.leave(429, 60.0)
    with pytest.raises(RateLimited, match="next request is possible in 60 s"):
        pace.enter(clock.now() + 30, clock.sleep)


def test_redirected_requests_count_one_by_one():
    """A read that is redirected takes two places, since the service counts both requests."""
    service = FaultyService(images=3, documents=0, faults=Faults(script={4: "limited"}))
    answer = service.transport.handle_request

    def handle_request(request):
        reply = answer(request)
        if "as" not in request.url.params:
            reply.status_code, reply.headers["Location"] = 302, f"{request.url.path}?as=is"
        return reply

    with service.client() as client:
        client.images.get(3)
        service.clock.advance(10)
        client.images.get(3)
        client.images.get(3)
        client.images.get(3)  # the 429, and again
        service.transport.handle_request = handle_request
        for _ in range(4):
            client.images.get(3)
    assert len(service.requests) == 13
    assert busiest([seen.time for seen in service.requests[4:]]) == 2


def test_a_clock_that_jumps_does_not_outrun_requests(pace, clock, monkeypatch):
    """A virtual clock advances only once the requests under way have their replies."""
    waits = threading.Event()
    real = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: waits.set())
    monkeypatch.setattr("inkframe.http.pace.time", real)
    pace.enter(1e9, clock.sleep)
    jumping = threading.Thread(target=pace.jump, args=(5.0,))
    jumping.start()
    assert waits.wait(60)
    assert clock.now() == 100
    pace.leave(200)
    jumping.join(60)
    assert clock.now() == 105
