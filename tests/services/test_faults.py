import email.utils
import gzip
import json
import time
import zlib

import httpx
import pytest
from tests.services import FAULTS, PASSING, Fault, Faults

FORM = {"name": "Quay", "description": "two boats", "resolution": "512x512"}
#: Faults that raise an exception: its class, and whether a create has happened.
BROKEN = {
    "refused": (httpx.ConnectError, False),
    "connect_timeout": (httpx.ConnectTimeout, False),
    "lost_request": (httpx.ReadError, False),
    "lost_reply": (httpx.ReadError, True),
    "hung_up": (httpx.RemoteProtocolError, True),
    "silent": (httpx.ReadTimeout, True),
    "reset_in_body": (httpx.ReadError, True),
    "truncated": (httpx.RemoteProtocolError, True),
    "false_gzip": (httpx.DecodingError, True),
    "long_header": (httpx.RemoteProtocolError, True),
}
#: Faults with a status, and those that redirect.
STATUSES = [name for name, fault in FAULTS.items() if fault.status and fault.retry_date is None]
REDIRECTS = {"login": (302, False), "see_other": (303, True)}


@pytest.fixture
def meet(connect):
    """Return a function that lists images with a fault and returns the reply as sent."""

    def ask(fault, **options):
        client, service = connect(faults=Faults(script={1: fault}))
        with client.stream("GET", "/api/v1/images", **options) as reply:
            raw = b"".join(reply.iter_raw())
        return reply, raw, service

    return ask


@pytest.mark.parametrize("name", BROKEN)
def test_broken_connections_are_those_of_the_http_library(connect, name):
    """A broken connection raises the httpx error, before or after the create; the next request succeeds."""
    client, service = connect(faults=Faults(script={1: name}))
    error, happened = BROKEN[name]
    with pytest.raises(error):
        client.post("/api/v1/images", data=FORM)
    assert service.generations == happened
    assert service.requests[0].fault == name
    assert client.get("/api/v1/images").is_success
    assert service.requests[1].fault == ""


@pytest.mark.parametrize("name", [*STATUSES, *REDIRECTS])
def test_statuses(connect, name):
    """An error has its status and headers, with or without handling the request."""
    client, service = connect(faults=Faults(script={1: name}))
    fault = FAULTS[name]
    reply = client.post("/api/v1/images", data=FORM)
    status, happened = REDIRECTS.get(name, (fault.status, fault.handled))
    assert (reply.status_code, service.generations) == (status, happened)
    assert fault.headers.items() <= {key: reply.headers.get(key) for key in fault.headers}.items()
    assert ("Retry-After" in reply.headers) == ("Retry-After" in fault.headers)
    html = name in {"bad_gateway", "gateway_timeout", "login", "see_other"}
    assert reply.headers["Content-Type"].startswith("text/html" if html else "application/json")


def test_other_forms_of_retry_after(meet):
    """Dates are relative to the reply's date."""
    for name, seconds in (("limited_date", 3), ("limited_past", -3600)):
        before = time.time()
        headers = meet(name)[0].headers
        moments = [email.utils.parsedate_to_datetime(headers[name]) for name in ("Date", "Retry-After")]
        assert abs((moments[1] - moments[0]).total_seconds() - seconds) <= 1
        assert before - 1 <= moments[0].timestamp() <= time.time() + 1


def test_delays_only_advance_the_clock(meet, monkeypatch):
    """Delays and slow bytes advance the clock; pauses longer than the timeout end the request."""
    waited = []
    monkeypatch.setattr(time, "sleep", waited.append)
    assert meet("slow", timeout=5)[2].clock.now() == 3
    _, raw, service = meet("slow_body", timeout=5)
    assert service.clock.now() == len(raw) > 1000
    assert 50 < meet("slow_headers", timeout=5)[2].clock.now() < 1000
    with pytest.raises(httpx.ReadTimeout):
        meet("slow", timeout=2)
    with pytest.raises(httpx.ReadTimeout):
        meet("slow_body", timeout=0.5)
    with pytest.raises(RuntimeError, match="never replies"):
        meet("silent", timeout=None)
    assert waited == []


def test_truncated_bodies(meet):
    """A truncated body has a matching length, so that only parsing it fails."""
    reply, raw, _ = meet("half_json")
    assert int(reply.headers["Content-Length"]) == len(raw)
    with pytest.raises(json.JSONDecodeError):
        json.loads(raw)
    reply, raw, _ = meet("cut_gzip")
    assert int(reply.headers["Content-Length"]) == len(raw)
    with pytest.raises(EOFError):
        gzip.decompress(raw)
    assert meet("empty_body")[1] == b""


def test_unexpected_replies(meet):
    """HTML pages, other JSON and other dialects have status 200."""
    for name in ("html", "wrong_json", "word", "other_dialect"):
        assert meet(name)[0].status_code == 200
    assert b"<title>Welcome</title>" in meet("html")[1]
    assert meet("wrong_json")[1] == b'{"ok":true}'
    assert meet("word")[1] == b"OK"
    assert set(json.loads(meet("other_dialect")[1])) >= {"content", "totalElements"}


def test_valid_replies_with_odd_formats(meet):
    """A wrong content type, a byte order mark and duplicate keys do not change the records."""
    rows = json.loads(meet(Fault(name="none"))[1])["data"]
    reply, raw, _ = meet("mistyped")
    assert reply.headers.get_list("Content-Type") == ["text/html; charset=utf-8"]
    assert json.loads(raw)["data"] == rows
    assert json.loads(meet("byte_order_mark")[1].decode("utf-8-sig"))["data"] == rows
    assert meet("byte_order_mark")[1].startswith(b"\xef\xbb\xbf")
    doubled = meet("duplicate_keys")[1]
    assert json.loads(doubled)["data"] == rows
    assert b'"name":"the first of two","name":' in doubled


def test_json_that_is_hard_to_parse(meet):
    """Lone surrogates, NaN, long integers and deep nesting are in the body."""
    assert json.loads(meet("lone_surrogate")[1])["data"][0]["name"].startswith("\ud800")
    assert json.loads(meet("not_a_number")[1])["data"][0]["score"] != 0
    with pytest.raises(ValueError, match="4300 digits"):
        json.loads(meet("long_integer")[1])
    deep = meet("deep_json")[1]
    assert (len(deep), deep[:3], deep[-3:]) == (200_000, b"[[[", b"]]]")


def test_a_gzip_bomb_is_a_valid_reply_after_spaces(meet):
    """A small body decompresses to 256 MiB of spaces and the reply."""
    reply, raw, _ = meet("gzip_bomb")
    assert reply.headers["Content-Encoding"] == "gzip"
    assert len(raw) < 300_000
    unpacker = zlib.decompressobj(31)
    assert unpacker.decompress(raw, 1_000_000) == b" " * 1_000_000


def test_an_endless_body_does_not_end(connect):
    """Bytes arrive as long as they are read, and the clock advances."""
    client, service = connect(faults=Faults(script={1: "endless"}))
    with client.stream("GET", "/api/v1/images") as reply:
        pieces = reply.iter_raw()
        taken = sum(len(next(pieces)) for _ in range(200))
    assert taken > 3_000_000
    assert service.clock.now() > 0


def test_a_plan_is_the_same_for_the_same_seed():
    """Rates apply over many requests, and a plan depends only on its seed."""
    plan = Faults({"html": 0.1, "lost_reply": 0.2}, seed=3)
    names = [plan.draw(turn).name for turn in range(1, 2001)]
    assert names == [plan.draw(turn).name for turn in range(1, 2001)]
    assert names != [Faults(plan.rates, seed=4).draw(turn).name for turn in range(1, 2001)]
    assert 150 < names.count("html") < 250
    assert 330 < names.count("lost_reply") < 470


def test_transient_faults_are_all_faults_that_a_retry_overcomes():
    """A rate of transient faults is distributed over every fault that a retry overcomes."""
    names = [Faults.passing(0.5, seed=1).draw(turn).name for turn in range(1, 3001)]
    assert set(names) == {"", *PASSING}
    assert 1350 < names.count("") < 1650


def test_a_script_takes_precedence_and_counts_the_selected_requests(connect):
    """A script names requests by their number among those of the plan."""
    plan = Faults({"html": 1}, {2: "limited"}, where=lambda request: request.method == "POST")
    client, service = connect(faults=plan)
    for _ in range(3):
        client.get("/api/v1/images")
        client.post("/api/v1/images", data=FORM)
    assert [request.fault for request in service.requests] == ["", "html", "", "limited", "", "html"]
    assert service.generations == 2
    service.plan(None)
    assert client.post("/api/v1/images", data=FORM).status_code == 201


def test_a_custom_fault(connect):
    """A status, headers and a delay define a new fault."""
    busy = Fault(name="busy", handled=False, status=423, headers={"X-Should-Retry": "true"}, delay=1)
    client, service = connect("jsonapi", faults=Faults({busy: 1}))
    reply = client.get("/api/v1/images")
    assert (reply.status_code, reply.headers["X-Should-Retry"]) == (423, "true")
    assert reply.json()["errors"][0]["status"] == "423"
    assert service.clock.now() == 1
