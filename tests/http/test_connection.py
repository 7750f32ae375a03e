"""Connections: their sockets, and proxies that cannot be used."""

import re
import socket
import threading
from contextlib import suppress
from types import SimpleNamespace

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answering import Answers

import inkframe
from inkframe.errors import ConfigurationError, ConnectionFailed, NotFound, OutcomeUnknown
from inkframe.http.body import encode_query
from inkframe.http.connections import Connection, Socket, open_transport


def test_what_every_request_says():
    """A request has the key, the version of this package, and what its reply may be; cookies are not sent back."""
    service = Answers(httpx.Response(200, json={"data": []}, headers={"Set-Cookie": "session=1"}))
    version = ".".join(inkframe.__version__.split(".")[:2])
    with service.client("a-key") as client:
        for _ in range(2):
            client.images.list(search="x")
    expected = {
        b"Host": b"service.test",
        b"Accept": b"application/json",
        b"Accept-Encoding": b"gzip, deflate",
        b"User-Agent": f"inkframe/{version}".encode(),
        b"Authorization": b"Bearer a-key",
    }
    assert [dict(each.headers.raw) for each in service.requests] == [expected] * 2


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


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_certificate_file_that_cannot_be_read_is_named(monkeypatch, tmp_path, content):
    """``SSL_CERT_FILE`` without a file, or with one of another kind, is a setting to correct."""
    path = tmp_path / "own.pem"
    if content:
        path.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with (
        inkframe.Client("https://service.test", "a-key") as client,
        pytest.raises(ConfigurationError) as caught,
    ):
        client.images.list()
    assert f"SSL_CERT_FILE must be a file of certificates in PEM format, got {str(path)!r}." in str(
        caught.value
    )


@pytest.mark.parametrize("is_there", [True, False])
def test_a_proxy_that_does_not_answer_is_named_without_its_password(monkeypatch, is_there):
    """The error says through which proxy, and how to connect without it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"

        def refuse():
            with server.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")

        thread = threading.Thread(target=refuse)
        if is_there:
            thread.start()
        else:
            server.close()
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:hunter2@{place}")
        with (
            inkframe.Client("https://service.test", "a-key", max_retries=0) as client,
            pytest.raises(ConnectionFailed) as caught,
        ):
            client.images.list()
        if is_there:
            thread.join()
    refusal = "refused it: 407 Proxy Authentication Required" if is_there else "does not answer"
    assert str(caught.value) == (
        f"service.test cannot be reached: the proxy {place} {refusal}.\n"
        "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or set NO_PROXY=service.test to connect directly."
    )


def test_each_request_is_a_line_of_the_log(caplog):
    """At the level INFO the logger ``inkframe`` has method, path, status and time of a request, and no secret."""
    replies = iter([503, 200, 404, httpx.ConnectError("refused")])

    def answer(_request):
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return httpx.Response(reply, json={"data": []})

    key = "sk-1234567890abcdef"
    with Answers(answer).client(key, max_retries=1) as client:
        client.images.list(search="private")
        assert caplog.records == []
        caplog.set_level("INFO", "inkframe")
        with suppress(NotFound):
            client.images.get(key)
        with suppress(OutcomeUnknown, ConnectionFailed):
            client.documents.create(name="a", prompt="b")
    assert [re.sub(r"\d+ ms", "5 ms", each.getMessage()) for each in caplog.records[:1]] == [
        "GET /api/v1/images/[key]: 404 in 5 ms"
    ]
    assert caplog.records[1].getMessage().startswith("POST /api/v1/documents: ConnectionFailed in ")
    assert {(each.name, each.levelname) for each in caplog.records} == {("inkframe", "INFO")}


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


ORIGINS = ("http://127.0.0.1:8000", "https://service.test", "http://[::1]:8000", "http://b\u00fccher.test")
TEXTS = (
    st.text(max_size=12)
    | st.text("/.%?#&=+~[]$' ", max_size=6)
    | st.sampled_from(["..", ".", "%2f", "a/../b"])
)


def sent_to(url, origin):
    """Return the host and the target that a request for an address is sent with."""
    where, extensions = Connection(httpx.BaseTransport(), origin).locate(url)
    parsed = httpx.URL(where)
    return parsed.raw_host, parsed.port, extensions.get("target", parsed.raw_path)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ORIGINS), TEXTS, st.dictionaries(st.sampled_from(["search", "a[b]", "$top"]), TEXTS))
def test_addresses_are_sent_as_httpx_would_send_them(origin, id, query):
    """Every record and every list is requested with the path and query that httpx makes of the address."""
    for path in (id, "/images", f"/images/{id}"):
        for url in (
            f"{origin}/api/v1{path}",
            f"{origin}/api/v1{path}?{encode_query(query)}",
            f"{origin}{path}",
        ):
            with suppress(httpx.InvalidURL):
                parsed = httpx.URL(url)
                if url.startswith(f"{origin}/"):
                    assert sent_to(url, origin) == (parsed.raw_host, parsed.port, parsed.raw_path)


def test_a_usual_address_is_not_parsed():
    """The path of a list or a record is not parsed, unless the connection needs the whole address."""
    connection = Connection(httpx.BaseTransport(), "http://service.test")
    for target in (
        "/api/v1/images",
        "/api/v1/images/7",
        "/a/images/",
        "/documents/%C3%BC?search=a+b&per_page=10",
    ):
        where, extensions = connection.locate(f"http://service.test{target}")
        assert (str(where), extensions) == ("http://service.test", {"target": target.encode()})
    proxied = Connection(httpx.BaseTransport())
    assert proxied.locate("http://service.test/api/v1/images") == ("http://service.test/api/v1/images", {})


@pytest.mark.filterwarnings("ignore:.*plain http")
@pytest.mark.parametrize("variable", ["HTTP_PROXY", None])
def test_a_proxy_is_sent_the_whole_address(monkeypatch, variable):
    """A proxy receives the address with its host, a service itself only the path."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        origin = f"http://127.0.0.1:{server.getsockname()[1]}"
        asked = []

        def answer():
            with server.accept()[0] as connection:
                asked.append(connection.recv(65536).partition(b"\r\n")[0])
                body = b'{"data": []}'
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

        thread = threading.Thread(target=answer)
        thread.start()
        if variable:
            monkeypatch.setenv(variable, origin)
            monkeypatch.setenv("NO_PROXY", "other.test")
        with inkframe.Client("http://service.test" if variable else origin, "a-key") as client:
            client.images.list(search="a b")
        thread.join()
    target = b"/api/v1/images?search=a+b"
    assert asked[0] == b"GET %b HTTP/1.1" % (b"http://service.test" + target if variable else target)
