"""The middleware of a served application."""

import json
import logging

import pytest
from tests.cases import cases

from inkframe.service.serve import Guard


def inner(_env, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"fine"]


def ask(guard, **headers):
    env = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/api/v1/images",
        "QUERY_STRING": "search=secret-word",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "HTTP_AUTHORIZATION": "Bearer the-key",
    }
    env |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    seen = {}

    def start_response(status, sent):
        seen["status"] = int(status[:3])
        seen["headers"] = dict(sent)

    body = b"".join(guard(env, start_response))
    return seen["status"], seen["headers"], body


LOOPBACK = ("127.0.0.1:8421", "localhost:8421", "LOCALHOST:8421", "[::1]:8421")
FOREIGN = ("", "localhost", "127.0.0.1", "localhost:80", "127.0.0.1:8422", "evil.example:8421", "127.0.0.1.nip.io:8421",
           "localhost:8421.evil.example", "192.168.0.7:8421")  # fmt: skip


@cases(
    ("served", "port", "host", "status"),
    [
        *(("127.0.0.1", 8421, host, 200) for host in LOOPBACK),
        *(("127.0.0.1", 8421, host, 403) for host in FOREIGN),
        ("127.0.0.1", 80, "localhost", 200),
        ("::1", 8421, "[::1]:8421", 200),
        ("::1", 8421, "localhost:8421", 200),
        ("2001:DB8::1", 8421, "[2001:db8::1]:8421", 200),
        ("2001:db8::1", 8421, "localhost:8421", 403),
        ("192.168.0.7", 80, "192.168.0.7", 200),
        ("192.168.0.7", 80, "192.168.0.7:80", 200),
        ("192.168.0.7", 8421, "192.168.0.7:8421", 200),
        ("192.168.0.7", 8421, "192.168.0.7", 403),
        ("192.168.0.7", 8421, "localhost:8421", 403),
        ("", 8421, "10.0.0.5:8421", 200),
        ("0.0.0.0", 8421, "[2001:db8::1]", 200),  # noqa: S104  # compared, not bound
        ("0.0.0.0", 8421, "10.0.0.5:8421:1", 403),  # noqa: S104  # as above
        ("::", 8421, "10.0.0.5:8421", 200),
        ("::", 8421, "[2001:db8::1]:8421", 200),
        ("::", 8421, "10.0.0.5", 200),
        ("::", 8421, "localhost:8421", 200),
        ("::", 8421, "evil.example:8421", 403),
        ("::", 8421, "10.0.0.5.evil.example:8421", 403),
        ("::", 8421, "", 403),
    ],
)
def test_the_names_of_hosts(served, port, host, status):
    """Each way to name an address is accepted where it is served, on all addresses any number, and no other name."""
    assert ask(Guard(inner, served, port), host=host)[0] == status


def test_a_service_on_all_addresses_accepts_the_names_of_its_machine(monkeypatch):
    """Both names of the machine are accepted, in small letters too."""
    monkeypatch.setattr("socket.gethostname", lambda: "Box")
    monkeypatch.setattr("socket.getfqdn", lambda: "Box.Example.org")
    for host, status in (("box:8421", 200), ("box.example.org:8421", 200), ("example.org:8421", 403)):
        assert ask(Guard(inner, "0.0.0.0", 8421), host=host)[0] == status  # noqa: S104


@cases(
    ("headers", "status"),
    [
        ({"sec_fetch_site": "same-origin"}, 200),
        ({"sec_fetch_site": "none"}, 200),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"origin": "http://localhost:8421"}, 200),
        ({"origin": "null"}, 403),
        ({"origin": "https://localhost:8421"}, 403),
        ({"origin": "http://localhost:8888"}, 403),
        ({"origin": "http://evil.example"}, 403),
    ],
)
def test_requests_of_other_sites_are_rejected(headers, status):
    """A page of another site cannot send requests through its reader's browser."""
    reply = ask(Guard(inner, "127.0.0.1", 8421), host="localhost:8421", **headers)
    assert reply[0] == status
    assert not [name for name in reply[1] if name.lower().startswith("access-control")]


def test_the_access_log_is_one_line_of_json_without_secrets(caplog):
    """Method, path, status and time are logged; query, headers and body are not."""
    with caplog.at_level(logging.INFO, "inkframe.service.access"):
        ask(Guard(inner, "127.0.0.1", 8421), host="localhost:8421")
        ask(Guard(inner, "127.0.0.1", 8421), host="evil.example")
        late = Guard(lambda _env, _start: [], "127.0.0.1", 8421)
        env = {"HTTP_HOST": "127.0.0.1:8421", "REQUEST_METHOD": "PUT", "PATH_INFO": "/"}
        assert late(env, lambda *_: None) == []
    lines = [json.loads(record.getMessage()) for record in caplog.records]
    assert [line["status"] for line in lines] == [200, 403, 0]
    assert [line["client"] for line in lines] == ["127.0.0.1", "127.0.0.1", None]
    assert [line["method"] for line in lines] == ["GET", "GET", "PUT"]
    assert all(0 <= line["milliseconds"] < 10_000 for line in lines)
    assert set(lines[0]) == {"client", "method", "path", "status", "milliseconds"}
    assert lines[0]["path"] == "/api/v1/images"
    assert "the-key" not in caplog.text
    assert "secret-word" not in caplog.text


@pytest.mark.parametrize(
    ("changes", "status", "message"),
    [
        ({"HTTP_HOST": "evil.example"}, 403, "This host is not allowed."),
        ({"HTTP_SEC_FETCH_SITE": "cross-site"}, 403, "Requests from other sites are rejected."),
        ({"HTTP_ORIGIN": "http://evil.example"}, 403, "Requests from other sites are rejected."),
        ({"HTTP_ORIGIN": "http://localhost:8421", "HTTP_SEC_FETCH_SITE": "same-origin"}, 200, None),
    ],
)
def test_whole_refusals(changes, status, message):
    """A refusal is JSON in the shape of all errors, with the length and the headers of every reply."""
    seen = []
    guard = Guard(
        lambda _env, start: [start("200 OK", [("Cache-Control", "max-age=1")]) or b"x"], "localhost", 8421
    )
    env = {
        "HTTP_HOST": "localhost:8421",
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/",
        "wsgi.url_scheme": "http",
    }
    body = b"".join(guard(env | changes, lambda line, headers: seen.append((line, dict(headers)))))
    [(line, headers)] = seen
    assert line == {200: "200 OK", 403: "403 Forbidden"}[status]
    if message is None:
        assert headers == {"Cache-Control": "max-age=1", "X-Content-Type-Options": "nosniff"}
        return
    assert json.loads(body) == {"message": message, "errors": {}}
    assert headers == {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }


def test_a_whole_line_of_the_access_log(caplog, monkeypatch):
    """A line has the milliseconds with two digits, in a fixed order."""
    times = iter([1.0, 1.0123456])
    monkeypatch.setattr("inkframe.service.serve.time.perf_counter", lambda: next(times))
    with caplog.at_level(logging.INFO, "inkframe.service.access"):
        ask(Guard(inner, "127.0.0.1", 8421), host="localhost:8421")
    assert [record.getMessage() for record in caplog.records] == [
        '{"client":"127.0.0.1","method":"GET","path":"/api/v1/images","status":200,"milliseconds":12.35}'
    ]
