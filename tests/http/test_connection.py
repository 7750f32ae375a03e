"""Connections: their sockets, and proxies that cannot be used."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import httpx
import pytest

import inkframe
from inkframe.errors import ConfigurationError
from inkframe.http.connection import open_transport
from inkframe.http.deadline import Socket


def test_what_every_request_says():
    """A request has the key, the version of this package, and what its reply may be; cookies are not sent back."""
    asked = []

    def answer(request):
        asked.append(request.headers.raw)
        return httpx.Response(200, json={"data": []}, headers={"Set-Cookie": "session=1"})

    version = inkframe.__version__.rpartition(".")[0]
    with inkframe.Client("https://service.test", "a-key", transport=httpx.MockTransport(answer)) as client:
        for _ in range(2):
            client.images.list(search="x")
    expected = {
        b"Host": b"service.test",
        b"Accept": b"application/json",
        b"Accept-Encoding": b"gzip, deflate",
        b"User-Agent": f"inkframe/{version}".encode(),
        b"Authorization": b"Bearer a-key",
    }
    assert [dict(each) for each in asked] == [expected] * len(asked)


def test_a_proxy_that_cannot_be_used_is_not_shown():
    """The error names the variables, since the address of the proxy may have a password."""
    for proxy in ("ftp://secret@proxy.test", "socks9://secret"):
        with pytest.raises(ConfigurationError) as caught:
            open_transport(verify=False, proxy=proxy)
        assert str(caught.value) == (
            "The proxy of the environment cannot be used.\n"
            "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY: http://host:port, or unset them."
        )
    open_transport(verify=False, proxy=None).close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_socket_is_shut_down_once_it_is_known(when):
    """Each way of connecting shows the socket; a deadline before that shuts it down as soon as it is there."""
    for event in ("connection.connect_tcp", "connection.connect_unix_socket", "connection.start_tls", "proxy.start_tls",
                  "proxy.stream"):  # fmt: skip
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.setblocking(False)
            stream = SimpleNamespace(get_extra_info={"socket": ours}.get)
            used = Socket()
            used.trace(f"{event}.started", {})
            if when == "before":
                used.shut_down()
            used.trace(f"{event}.complete", {"return_value": stream})
            if when == "after":
                assert not used.cut
                used.shut_down()
            assert used.cut
            assert theirs.recv(1) == b""
            used.shut_down()


def test_a_stream_without_a_socket_cannot_be_shut_down():
    """A custom transport may have none."""
    used = Socket()
    used.trace("proxy.stream.complete", {"return_value": SimpleNamespace(get_extra_info=lambda _: object())})
    used.trace("http11.send_request_headers.complete", {"return_value": None})
    used.shut_down()
    assert used.cut
