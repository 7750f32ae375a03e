"""The service on a port, in its own process."""

import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from weakref import WeakKeyDictionary

import httpx
import pytest

from inkframe.errors import ConfigurationError
from inkframe.service import Service
from inkframe.service import serve as serving
from inkframe.service.serve import serve

#: An engine that waits for a signal to draw, and reports when it starts.
SERVER = """
import sys
from inkframe.service import Service
from inkframe.service.serve import serve
class Engine:
    name, is_stand_in = "tiny", True
    def draw(self, request):
        print("drawing", flush=True)
        sys.stdin.readline()
        return b"\\x89PNG\\r\\n\\x1a\\n" + bytes(3_000_000)
    def write(self, request): return "text"
with Service(sys.argv[1], engine=Engine(), key="the-key") as service:
    serve(service, ready=lambda address: print(address, flush=True))
print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
def test_a_served_library_answers_and_stops_with_its_writes_finished(tmp_path):
    """It responds as in process; on a signal to stop, it finishes the open request and accepts no more."""
    command = [sys.executable, "-c", SERVER, str(tmp_path / "library")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        key = {"Authorization": "Bearer the-key"}
        replies = []
        with httpx.Client(base_url=address, headers=key, timeout=60) as client:
            assert address.startswith("http://127.0.0.1:")
            assert client.get("/health").json()["status"] == "ok"
            assert client.get("/api/v1/images", headers={"Authorization": ""}).status_code == 401
            assert client.get("/health", headers={"Host": "evil.example"}).status_code == 403
            reply = client.post("/api/v1/documents", data={"name": "café", "prompt": "p"})
            assert (reply.status_code, reply.json()["data"]["name"]) == (201, "café")
            assert "Server" not in reply.headers
            found = client.get("/api/v1/documents", params={"search": "CAFÉ"}).json()
            assert found["meta"]["total"] == 1

            form = {"name": "n", "description": "d", "resolution": "256x256"}
            post = threading.Thread(target=lambda: replies.append(client.post("/api/v1/images", data=form)))
            post.start()
            assert process.stdout.readline() == "drawing\n"
            process.send_signal(signal.SIGTERM)
            process.stdin.write("\n")
            process.stdin.flush()
            post.join(60)
        assert [reply.status_code for reply in replies] == [201]
        assert process.wait(60) == 0
        assert process.stdout.read() == "stopped\n"
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{address}/health")


def test_without_the_extra_the_error_has_the_install_line(service, monkeypatch):
    """The error without waitress says how to install it."""
    monkeypatch.setitem(sys.modules, "waitress", None)
    with pytest.raises(ConfigurationError) as caught:
        serve(service, ready=print)
    assert str(caught.value) == (
        'Serving requires the extra "serve".\nInstall it with: pip install "inkframe[serve]"'
    )


LIMITED_SERVER = """
import sys
from inkframe.service import Service, serve
name, value = sys.argv[1:]
setattr(serve, name, int(value))
with Service(":memory:", key="the-key-of-this-test") as service:
    serve.serve(service, ready=lambda address: print(address, flush=True))
"""
HEADERS = b"GET / HTTP/1.1\r\nHo"
BODY = b"POST /api/v1/images HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nname="


@contextmanager
def served(name, value):
    """Serve in a process of its own with another limit, and yield the port."""
    command = [sys.executable, "-c", LIMITED_SERVER, name, str(value)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("limit", "sent"), [("IDLE", b""), ("HEADERS_SECONDS", HEADERS), ("BODY_SECONDS", BODY)]
)
def test_a_connection_that_sends_no_request_in_time_is_closed(limit, sent):
    """The headers of a request, and its body, have a deadline each, so that slow ones cannot keep others out."""
    with served(limit, 1) as port, socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(sent)
        assert is_closed(slow)


def is_closed(connection):
    """Return whether the server has closed a connection, with or without having read all of it."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_slow_connections_of_one_address_do_not_shut_others_out():
    """The oldest ones are closed for new ones, of which each gets its answer."""
    with served("MOST_OF_PEER", 3) as port, ExitStack() as opened:
        slow = [opened.enter_context(socket.create_connection(("127.0.0.1", port), 60)) for _ in range(9)]
        for each in slow:
            each.sendall(HEADERS)
        for _ in range(5):
            assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=60).status_code == 200
        assert all(map(is_closed, slow[:6]))


def channel(number, *, peer="10.0.0.1", request=None, requests=(), unsent=0):
    """Return what the server knows of a connection."""
    return SimpleNamespace(
        addr=(peer, 4711),
        request=request,
        requests=requests,
        total_outbufs_len=unsent,
        creation_time=number,
        will_close=False,
    )


class Request:
    """A request that has not arrived yet."""

    def __init__(self, *, headers_finished):
        self.headers_finished = headers_finished


def test_deadlines_begin_with_the_request(monkeypatch):
    """A request is late by its own time, not by that of its connection or of the last byte."""
    now, began = [0.0], WeakKeyDictionary()
    monkeypatch.setattr(serving, "time", SimpleNamespace(monotonic=lambda: now[0]))
    head, body = (channel(0, request=Request(headers_finished=each)) for each in (False, True))
    for now[0], closed in ((0, []), (10, []), (10.1, [head]), (60, [head]), (60.1, [head, body])):
        serving._close_slow([head, body], began)
        assert [each for each in (head, body) if each.will_close] == closed
    head.will_close, head.request = False, Request(headers_finished=False)
    serving._close_slow([head], began)
    assert not head.will_close


def test_connections_in_use_are_closed_last(monkeypatch):
    """Each address loses its slow ones first, then idle ones, then those that read; never one with a request."""
    monkeypatch.setattr(serving, "MOST_OF_PEER", 2)
    late = Request(headers_finished=False)
    busy = [channel(0, requests=[1]) for _ in range(5)]
    reading, idle = channel(1, unsent=9), [channel(number) for number in (2, 3)]
    slow = [channel(number, request=late) for number in (4, 5)]
    other = [channel(0, peer="10.0.0.2"), channel(0, peer="10.0.0.2", request=late)]
    every = [*busy, reading, *idle, *slow, *other]
    serving._close_slow(every, WeakKeyDictionary())
    assert [each for each in every if each.will_close] == [idle[0], *slow]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_restores_its_handler(number):
    """The server of this process answers until the signal, closes its port, and keeps no handler."""
    before, seen = signal.getsignal(number), []

    def ask(address):
        try:
            seen.append((address, httpx.get(f"{address}/health", timeout=60).status_code))
        finally:
            signal.raise_signal(number)

    def ready(address):
        threading.Thread(target=ask, args=[address], daemon=True).start()

    with Service(":memory:") as service:
        serve(service, ready=ready)
    assert [status for _, status in seen] == [200]
    assert signal.getsignal(number) is before
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{seen[0][0]}/health")


def test_errors_of_addresses_have_their_remedy(service):
    """A port in use, a port that does not exist and a foreign address have each their own remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for options, remedy in [
            ({"port": port}, "Choose another port, or --port 0 for a free one."),
            ({"port": 70_000}, "Choose another port, or --port 0 for a free one."),
            ({"host": "203.0.113.7"}, "Choose an address of this machine."),
            ({"host": "no.such.host.invalid"}, "Choose an address of this machine."),
        ]:
            with pytest.raises(ConfigurationError) as caught:
                serve(service, ready=print, **options)
            first, second = str(caught.value).split("\n")
            assert first.startswith(
                f"Cannot listen on {options.get('host', '127.0.0.1')} port {options.get('port', 0)}: "
            )
            assert "None" not in first
            assert second == remedy


def test_settings_of_the_server(service, monkeypatch):
    """Forms of any allowed size pass the server, idle connections end, and no proxy is trusted."""
    given = {}

    def create(app, sockets, **options):
        given.update(options)
        raise KeyboardInterrupt

    monkeypatch.setattr("waitress.create_server", create)
    with pytest.raises(KeyboardInterrupt):
        serve(service, ready=print)
    assert given == {
        "threads": 8,
        "ident": None,
        "max_request_body_size": 16 * 1024 * 1024,
        "clear_untrusted_proxy_headers": True,
        "channel_timeout": 10,
        "cleanup_interval": 10,
        "connection_limit": 400,
    }
