"""Deadlines and interrupts over real sockets: slow replies, silence, Ctrl-C and close all end quickly."""

import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from types import SimpleNamespace

import httpx
import pytest
from tests.answering import Answers
from tests.services import Fault, Faults, FaultyService
from tests.waiting import until

import inkframe
from inkframe.http.connections import CancelScope, Socket, watch


@pytest.mark.parametrize("pause", ["delay", "header_drip", "drip"])
def test_the_deadline_ends_slow_replies(pause):
    """A reply that arrives at a byte an hour, or begins in an hour, ends at the deadline of the call."""
    slow = Fault(name="slow", **{pause: 3600.0})
    service = FaultyService(images=3, faults=Faults(rates={slow: 1.0}))
    with service.serve() as address, inkframe.Client(address, service.key, timeout=0.3) as client:
        with pytest.raises(inkframe.DeadlineExceeded):
            client.images.list()


def test_a_socket_is_shut_down_if_its_block_lasts_too_long():
    """A block that ends in time leaves it open, and so does another one that may last longer."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(60)
        used, other = Socket(), Socket()
        stream = SimpleNamespace(get_extra_info={"socket": ours}.get)
        used.trace("connection.connect_tcp.complete", {"return_value": stream})
        with watch(used, 60):
            pass
        with watch(other, 60):
            assert not used.cut
            with watch(used, 0.01):
                assert theirs.recv(1) == b""
        assert (used.cut, other.cut) == (True, False)


def test_nothing_is_sent_after_the_deadline():
    """Where the time passes while the connection is prepared, the call ends with the error of the deadline."""
    service = Answers({"id": 1})
    transport = httpx.MockTransport(service)
    # Each reading of this clock is 0.3 s later than the one before.
    transport.clock = SimpleNamespace(now=partial(next, count(0, 0.3)))
    client = inkframe.Client(
        "https://service.test", "secret-key-1234567890", transport=transport, timeout=0.5
    )
    with client, pytest.raises(inkframe.DeadlineExceeded):
        client.images.get(1)
    assert service.requests == []


def test_ctrl_c_ends_a_call_at_once():
    """An interrupt reaches the caller before the service replies."""
    service = FaultyService(images=3, faults=Faults(rates={"silent": 1.0}))
    main = threading.main_thread().ident
    service.between_replies(lambda _: signal.pthread_kill(main, signal.SIGINT))
    with service.serve() as address, inkframe.Client(address, service.key, timeout=600) as client:
        with pytest.raises(KeyboardInterrupt):
            client.images.list()


def test_close_ends_calls_in_other_threads():
    """Closing a client ends the calls that wait in other threads."""
    service = FaultyService(images=3, faults=Faults(rates={"silent": 1.0}))
    with service.serve() as address, ThreadPoolExecutor(1) as thread:
        client = inkframe.Client(address, service.key, timeout=600)
        reading = thread.submit(client.images.list)
        until(lambda: client._session.sender.pool.scope._used)
        client.close()
        assert isinstance(reading.exception(60), inkframe.InkframeError)


def test_the_reply_of_a_cancelled_call_is_not_returned():
    """A call that is cancelled while its reply arrives fails, and the client goes on."""
    service, scope = FaultyService(images=3), CancelScope()
    service.between_replies(lambda _: scope.cancel())
    with service.client() as client:
        with pytest.raises(inkframe.InkframeError, match=r"^The call was cancelled\.$"):
            scope.call(client.images.get, 1)
        assert client.images.get(1).id == 1


def test_a_stale_connection_is_replaced():
    """A connection that the service closed while idle is replaced silently."""
    service = FaultyService(images=3)
    with service.serve() as address, inkframe.Client(address, service.key) as client:
        assert len(client.images.list()) == 3
        service.plan(Faults(script={1: "hung_up"}))
        assert len(client.images.list()) == 3


def test_many_threads_share_one_client():
    """Sixteen threads on one client each receive their own reply."""
    service = FaultyService(images=200)
    with (
        service.serve() as address,
        inkframe.Client(address, service.key) as client,
        ThreadPoolExecutor(16) as threads,
    ):
        assert [record.id for record in threads.map(client.images.get, range(1, 17))] == [*range(1, 17)]
