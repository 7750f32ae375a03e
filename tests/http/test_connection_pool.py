"""The connections of a client: which are used again, closed, and left to the parent of a forked process."""

import ssl

import httpx
import pytest

from inkframe.errors import InkframeError
from inkframe.http.address import Address
from inkframe.http.connections import ConnectionPool


class Closing(httpx.BaseTransport):
    """A transport that counts how often it is closed."""

    closed = 0

    def close(self):
        """Count."""
        self.closed += 1


@pytest.fixture
def opened(monkeypatch):
    """Return the transports that are opened, each with how it was."""
    found = []

    def open_transport(verify, proxy):
        found.append((transport := Closing(), verify, proxy))
        return transport

    monkeypatch.setattr("inkframe.http.connections.open_transport", open_transport)
    return found


def pool_of(address="http://service.test", transport=None, *, verify=True, in_process=False):
    return ConnectionPool(Address.parse(address), transport, verify=verify, in_process=in_process)


def test_a_free_connection_is_used_again(opened):
    """A connection is opened only if all others are in use; each use counts."""
    pool = pool_of()
    first, second = pool.acquire(), pool.acquire()
    pool.release(first)
    assert [pool.acquired, pool.acquire() is first, pool.acquired] == [2, True, 3]
    assert [transport for transport, *_ in opened] == [first.transport, second.transport]


def test_certificates_are_loaded_once_and_only_for_https(opened, monkeypatch):
    """All connections share one context, also that of the user; the proxy is that of the environment."""
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.test:3128")
    pool = pool_of("https://service.test")
    pool.acquire(), pool.acquire()
    (_, context, proxy), (_, other, _) = opened
    assert context is other is pool.verify
    assert (context.verify_mode, proxy) == (ssl.CERT_REQUIRED, "http://proxy.test:3128")
    pool_of("https://service.test", verify=False).acquire()
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    pool_of("https://service.test", verify=own).acquire()
    assert opened[2][1].verify_mode == ssl.CERT_NONE
    assert opened[3][1] is own
    plain = pool_of()
    plain.acquire(), plain.acquire()
    assert opened[4][1] is opened[5][1] is plain.verify
    shared = pool_of(transport=Closing())
    assert shared.acquire().transport is shared.transport
    assert (shared.verify, len(opened)) == (True, 6)


def test_connections_are_closed_once(opened):
    """A discarded connection is closed unless it is shared; closing the pool closes those that are free."""
    pool, shared = pool_of(), pool_of(transport=Closing())
    for each in (pool, shared):
        kept, dropped = each.acquire(), each.acquire()
        each.release(kept)
        each.discard(dropped)
        assert dropped.transport.closed == (each is pool)
        each.check_open()
        each.close()
        each.close()
        assert kept.transport.closed == 1
        with pytest.raises(InkframeError) as closed:
            each.check_open()
        assert str(closed.value) == "This client is closed.\nOpen a new one with ink.connect()."


def test_a_child_opens_connections_of_its_own(opened):
    """Those of the parent are closed in the child only, and its calls go on; a closed pool stays closed."""
    pool = pool_of()
    connection, scope = pool.acquire(), pool.scope
    pool.release(connection)
    pool.after_fork(in_child=False)
    assert (pool.scope, pool.acquire(), connection.transport.closed) == (scope, connection, 0)
    pool.release(connection)
    with pool._lock:  # as another thread of the parent may
        pool.after_fork(in_child=True)
        assert pool.acquire() is not connection
    assert (connection.transport.closed, pool.scope is scope) == (1, False)
    pool.check_open()
    pool.close()
    pool.after_fork(in_child=True)
    with pytest.raises(InkframeError, match="closed"):
        pool.check_open()


def test_a_child_cannot_use_a_transport_of_the_user():
    """Its sockets are unknown; only a service in this process has none."""
    for in_process in (False, True):
        pool = pool_of(transport=Closing(), in_process=in_process)
        pool.release(pool.acquire())
        pool.after_fork(in_child=True)
        assert pool.transport.closed == 0
        if in_process:
            pool.check_open()
            continue
        with pytest.raises(InkframeError) as refused:
            pool.check_open()
        assert str(refused.value) == (
            "The transport of this client belongs to the parent of this forked process.\n"
            "Open a new client in this process."
        )
