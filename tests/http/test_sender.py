"""Requests as they are sent, and what follows each kind of reply. Time is virtual."""

import json
import threading

import httpx
import pytest
from tests.services import VirtualClock

from inkframe import errors
from inkframe.http.address import Address
from inkframe.http.body import Form
from inkframe.http.connections import Cancelled, CancelScope
from inkframe.http.key import Key
from inkframe.http.pace import RealClock
from inkframe.http.sender import Sender, Timeouts

OK = (200, {}, b'{"id": 1}')
BUSY = (503, {}, b"")
START = 1000
WORD = (200, {}, b"fine")


class Scripted(httpx.BaseTransport):
    """A transport with a clock that answers by a script, whose last answer repeats.

    Args:
        script: For each request the status, headers and body, an error, or a function that returns the reply.
    """

    def __init__(self, *script):
        self.script = list(script)
        self.clock = VirtualClock(START)
        self.requests = []

    def handle_request(self, request):
        """Return the next reply."""
        self.requests.append(request)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            return answer()
        status, headers, body = answer
        return httpx.Response(status, headers=headers, content=body)

    @property
    def seen(self):
        """The method and target of each request."""
        return [f"{each.method} {each.url.raw_path.decode()}" for each in self.requests]


@pytest.fixture(autouse=True)
def longest_waits(monkeypatch):
    """Draw the longest of all possible waits."""
    monkeypatch.setattr("inkframe.http.pace.random.uniform", lambda _, most: most)


def sender_of(*script, base_url="http://a.test/x", **options):
    transport = Scripted(*script)
    return Sender(Address.parse(base_url), Key("secret"), transport=transport, **options), transport


def outcome(sender, method, path="/images/1", **options):
    """Return the value of a reply, or the class of the error."""
    try:
        return sender.send(method, path, **options).value
    except errors.InkframeError as error:
        return type(error).__name__


def test_reading_a_reply_counts_as_part_of_the_deadline(monkeypatch):
    """A read whose reply takes too long to parse ends as late; what a write did is returned however long it takes."""
    sender, transport = sender_of((200, {}, b'{"id": 1}'), timeouts=Timeouts(read=5, create=5))

    def slow(body):
        transport.clock.sleep(6)
        return json.loads(body)

    monkeypatch.setattr("inkframe.http.sender.parse_json", slow)
    assert outcome(sender, "GET") == "DeadlineExceeded"
    for method in ("POST", "PATCH", "DELETE"):
        assert outcome(sender, method) == {"id": 1}


COMMON = {
    "host": "a.test",
    "accept": "application/json",
    "accept-encoding": "gzip, deflate",
    "user-agent": "inkframe/0.4",
    "authorization": "Bearer secret",
}


@pytest.mark.parametrize(
    ("call", "url", "more"),
    [
        ({"method": "GET", "path": "/images"}, "http://a.test/x/api/v1/images", {}),
        ({"method": "GET", "path": "/images", "query": "page=2&q=%20"}, "http://a.test/x/api/v1/images?page=2&q=%20", {}),
        ({"method": "GET", "path": "/p/3.png", "query": "s=1", "picture": True}, "http://a.test/p/3.png?s=1", {}),
        ({"method": "DELETE", "path": "/images/7"}, "http://a.test/x/api/v1/images/7", {}),
        ({"method": "PATCH", "path": "/images/7", "form": Form(b"name=n")}, "http://a.test/x/api/v1/images/7",
         {"content-length": "6", "content-type": "application/x-www-form-urlencoded"}),
        ({"method": "POST", "path": "/images", "form": Form(b"name=n&b=1", "once")}, "http://a.test/x/api/v1/images",
         {"content-length": "10", "content-type": "application/x-www-form-urlencoded", "idempotency-key": "once"}),
    ],
)  # fmt: skip
def test_whole_requests(call, url, more):
    """The address, the headers, the content and the timeouts of a request."""
    sender, transport = sender_of(OK)
    reply = sender.send(**call)
    assert (reply.status, reply.value) == (200, None if "picture" in call else {"id": 1})
    [request] = transport.requests
    assert (request.method, str(request.url), dict(request.headers)) == (call["method"], url, COMMON | more)
    assert request.content == (call["form"].content if "form" in call else b"")
    left = 180 if call["method"] == "POST" else 30
    assert request.extensions == {"timeout": {"connect": 5, "read": left, "write": left, "pool": left}}


def test_timeouts_of_the_user():
    """A deadline of the call is used instead of those of the client, and connecting takes no longer than it."""
    sender, transport = sender_of(OK, timeouts=Timeouts(2, 7, 9))
    for method, seconds in (("GET", None), ("POST", None), ("GET", 1.5)):
        sender.send(method, "/images", seconds=seconds)
    found = [each.extensions["timeout"] for each in transport.requests]
    assert [(each["connect"], each["read"]) for each in found] == [(2, 7), (2, 9), (1.5, 1.5)]


def test_the_host_of_an_international_name():
    """It is sent in ASCII."""
    sender, transport = sender_of(OK, base_url="http://bücher.test:81")
    sender.send("GET", "/images")
    assert transport.requests[0].headers["host"] == "xn--bcher-kva.test:81"


#: Refusals that another try would meet again.
PERMANENT = {400: "ValidationFailed", 401: "AuthenticationError", 403: "PermissionDenied", 404: "NotFound", 409: "ServiceError",
             410: "NotFound", 413: "ServiceError", 422: "ValidationFailed", 501: "ServerError"}  # fmt: skip
LATER = {"retry-after": "1", "x-ratelimit-reset": "1"}
UNREADABLE, NOT_SENT, LOST = "UnexpectedReply", httpx.ConnectError("refused"), httpx.ReadError("reset")


@pytest.mark.parametrize(
    ("script", "method", "options", "expected"),
    [
        ([BUSY, OK], "GET", {}, ({"id": 1}, 2, 0.5)),
        ([BUSY], "GET", {}, ("ServerError", 5, 7.5)),
        ([BUSY], "DELETE", {"tries": 2}, ("ServerError", 2, 0.5)),
        ([BUSY], "PATCH", {"tries": 6}, ("ServerError", 6, 15.5)),
        ([BUSY], "GET", {"seconds": 0.5}, ("ServerError", 1, 0)),
        ([BUSY], "GET", {"seconds": 0.6}, ("ServerError", 2, 0.5)),
        ([BUSY], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([(503, {"retry-after": "7"}, b""), OK], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([(429, {}, b""), OK], "POST", {}, ({"id": 1}, 2, 1)),
        ([(429, {"retry-after": "54"}, b""), OK], "POST", {}, ({"id": 1}, 2, 55)),
        ([(429, {"retry-after": "30"}, b"")], "POST", {}, ("RateLimited", 2, 31)),
        ([(429, {"retry-after": "61"}, b""), OK], "POST", {}, ("RateLimited", 1, 0)),
        ([(429, {"retry-after": "61"}, b""), OK], "GET", {"seconds": 200}, ({"id": 1}, 2, 62)),
        ([(429, {"retry-after": "7"}, b""), OK], "POST", {}, ({"id": 1}, 2, 7.7)),
        ([(500, {"retry-after": "7"}, b""), OK], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([(503, {"retry-after": "7"}, b""), OK], "GET", {}, ({"id": 1}, 2, 7.7)),
        ([(503, {"retry-after": "120"}, b""), OK], "GET", {"seconds": 200}, ({"id": 1}, 2, 121)),
        ([(503, {"retry-after": "121"}, b""), OK], "GET", {"seconds": 200}, ("ServerError", 1, 0)),
        *(([(status, {}, b"")], "GET", {}, (name, 1, 0)) for status, name in PERMANENT.items()),
        *(
            ([(status, LATER, b""), OK], "POST", {}, ("OutcomeUnknown", 1, 0))
            for status in (409, 425, 499, 500, 503)
        ),
        *(
            ([(429, {"retry-after": "7"}, b""), OK], method, {}, ({"id": 1}, 2, 7.7))
            for method in ("GET", "PATCH", "DELETE")
        ),
        *(
            ([(503, {"retry-after": "7"}, b"")], method, {"seconds": 200}, ("ServerError", 5, 30.8))
            for method in ("PATCH", "DELETE")
        ),
        ([(429, {"retry-after": "120"}, b"")], "GET", {"seconds": 6000}, ("RateLimited", 5, 484)),
        ([(429, {"retry-after": "121"}, b"")], "GET", {"seconds": 6000}, ("RateLimited", 1, 0)),
        ([(429, {"retry-after": "10"}, b"")], "GET", {"seconds": 25}, ("RateLimited", 3, 22)),
        ([(400, {}, b"")], "POST", {}, ("ValidationFailed", 1, 0)),
        ([(409, {}, b"")], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([(409, {"retry-after": "7"}, b""), OK], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([(409, {"retry-after": "7"}, b""), OK], "PATCH", {}, ("ServiceError", 1, 0)),
        ([BUSY, (404, {}, b"")], "DELETE", {}, (None, 2, 0.5)),
        ([(404, {}, b"")], "DELETE", {}, ("NotFound", 1, 0)),
        ([BUSY, (404, {}, b"")], "PATCH", {}, ("NotFound", 2, 0.5)),
        ([BUSY, (403, {}, b"")], "DELETE", {}, ("PermissionDenied", 2, 0.5)),
        ([NOT_SENT, OK], "POST", {}, ({"id": 1}, 2, 0.5)),
        ([NOT_SENT], "POST", {}, ("ConnectionFailed", 5, 7.5)),
        ([LOST, OK], "POST", {}, ("OutcomeUnknown", 1, 0)),
        ([LOST, OK], "GET", {}, ({"id": 1}, 2, 0.5)),
        ([WORD], "GET", {}, (UNREADABLE, 3, 1.5)),
        ([WORD], "GET", {"tries": 2}, (UNREADABLE, 2, 0.5)),
        ([WORD], "GET", {"tries": 5}, (UNREADABLE, 3, 1.5)),
        ([WORD], "GET", {"tries": 6}, (UNREADABLE, 6, 15.5)),
        ([WORD], "DELETE", {}, (None, 1, 0)),
        ([(200, {}, b" \n")], "GET", {}, (None, 1, 0)),
        ([(200, {}, b"<html>")], "DELETE", {}, (UNREADABLE, 3, 1.5)),
        ([(299, {}, b"[1]")], "GET", {}, ([1], 1, 0)),
        ([(300, {}, b"[1]")], "GET", {}, (UNREADABLE, 1, 0)),
        ([(304, {}, b"[1]")], "GET", {}, ("ServiceError", 1, 0)),
        ([(200, {}, b"[" * 300 + b"]" * 300)], "GET", {}, (UNREADABLE, 1, 0)),
    ],
)
def test_what_follows_a_reply(script, method, options, expected):
    """The outcome, the number of requests and the seconds waited, for each kind of reply and request."""
    sender, transport = sender_of(*script)
    result = outcome(sender, method, **options)
    assert (result, len(transport.requests), round(transport.clock.now() - START, 6)) == expected
    assert sender.sent == len(transport.requests)


def test_without_retries():
    """A client that does not retry sends a request once, also one whose reply is unreadable."""
    for answer in (BUSY, WORD, NOT_SENT):
        sender, transport = sender_of(answer, max_retries=0)
        assert outcome(sender, "GET") in {"ServerError", UNREADABLE, "ConnectionFailed"}
        assert len(transport.requests) == 1


def test_a_budget_of_retries():
    """Retries end after a hundred without a success in between; two successes allow another one."""
    sender, transport = sender_of(BUSY)
    for _ in range(30):
        outcome(sender, "GET")
    assert len(transport.requests) == 130
    transport.script[:] = [OK, OK, BUSY]
    for _ in range(3):
        outcome(sender, "GET")
    assert len(transport.requests) == 134


def test_the_outcome_of_a_create():
    """After a failure that may have stored something it is unknown, unless the service runs in this process."""
    sender, _ = sender_of((500, {}, b'{"message": "Out of ink."}'))
    with pytest.raises(errors.OutcomeUnknown) as caught:
        sender.send("POST", "/documents")
    assert str(caught.value) == (
        "The outcome of the create is unknown: POST /x/api/v1/documents.\nOut of ink.\n"
        "Call .reconcile() on this error: it searches for the record and never creates one."
    )
    assert isinstance(caught.value.__cause__, errors.ServerError)
    for status, name in ((500, "ServerError"), (408, "OutcomeUnknown")):
        sender, _ = sender_of((status, {}, b""), in_process=True)
        assert outcome(sender, "POST", "/documents") == name


def test_an_interrupt_is_raised_as_it_is():
    """Ctrl-C ends a call, also a create, without another try."""
    for method in ("GET", "POST"):
        sender, transport = sender_of(KeyboardInterrupt("now"))
        with pytest.raises(KeyboardInterrupt, match="now"):
            sender.send(method, "/images")
        assert len(transport.requests) == 1


def test_errors_while_a_reply_is_read(monkeypatch):
    """Any error becomes one of this package; a configuration that prevents sending is not an unknown outcome."""
    sender, _ = sender_of(OK)
    for raised, method, expected in (
        (MemoryError(), "GET", errors.UnexpectedReply),
        (MemoryError(), "POST", errors.OutcomeUnknown),
        (errors.ConfigurationError("The proxy."), "POST", errors.ConfigurationError),
        (KeyboardInterrupt(), "POST", KeyboardInterrupt),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sender, "_exchange", lambda *_, raised=raised: (_ for _ in ()).throw(raised))
            with pytest.raises(expected) as caught:
                sender.send(method, "/images")
        if isinstance(raised, MemoryError) and method == "GET":
            assert str(caught.value) == (
                "The reply of a.test could not be read (MemoryError).\nReport it to the service."
            )


def moved(target, status=307):
    return (status, {"location": target}, b"")


def test_a_trailing_slash_is_learned():
    """A route that requires a slash gets it from then on, for all of its records; and loses it again."""
    sender, transport = sender_of(moved("/x/api/v1/images/1/"), OK)
    assert outcome(sender, "GET", "/images/1", query="a=1") == {"id": 1}
    for path in ("/images/2", "/images", "/documents/2"):
        sender.send("GET", path)
    assert transport.seen == [
        "GET /x/api/v1/images/1?a=1", "GET /x/api/v1/images/1/?a=1", "GET /x/api/v1/images/2/", "GET /x/api/v1/images",
        "GET /x/api/v1/documents/2",
    ]  # fmt: skip
    del transport.requests[:]
    transport.script[:] = [moved("/x/api/v1/images/"), OK, OK, moved("/x/api/v1/images/3"), OK]
    for path in ("/images", "/images", "/images/3", "/images/4"):
        sender.send("PATCH", path, form=Form(b""))
    assert transport.seen == [
        "PATCH /x/api/v1/images", "PATCH /x/api/v1/images/", "PATCH /x/api/v1/images/", "PATCH /x/api/v1/images/3/",
        "PATCH /x/api/v1/images/3", "PATCH /x/api/v1/images/4",
    ]  # fmt: skip


def test_redirects_of_reads_are_followed_five_times():
    """One more is a loop. A retry begins at the address of the service, and is redirected as often."""
    there = moved("/y")
    sender, transport = sender_of(*[there] * 5, BUSY, *[there] * 5, OK)
    assert outcome(sender, "GET") == {"id": 1}
    assert transport.seen == ["GET /x/api/v1/images/1", *["GET /y"] * 5] * 2
    sender, transport = sender_of(there)
    with pytest.raises(errors.UnexpectedReply, match="redirects in a loop"):
        sender.send("GET", "/images/1")
    assert len(transport.requests) == 6
    sender, transport = sender_of(moved("http://b.test/y"))
    assert (outcome(sender, "GET"), len(transport.requests)) == (UNREADABLE, 1)
    sender, transport = sender_of(moved("/y", 303), OK)
    assert (outcome(sender, "PATCH"), len(transport.requests)) == (None, 1)


def test_a_reply_after_the_deadline():
    """It is not read further, unless the transport has read it already; nothing is sent after the deadline."""

    def slowly(seconds, streamed):
        def reply():
            transport.clock.advance(seconds)
            stream = httpx.ByteStream(b"[]") if streamed else None
            return httpx.Response(200, stream=stream, content=None if streamed else b"[]")

        return reply

    for seconds, streamed, expected in ((30, True, []), (31, True, "DeadlineExceeded"), (31, False, [])):
        sender, transport = sender_of(OK)
        transport.script[:] = [slowly(seconds, streamed)]
        assert outcome(sender, "GET") == expected
        assert len(transport.requests) == 1
    sender, transport = sender_of(OK)
    assert outcome(sender, "GET", seconds=-1) == "DeadlineExceeded"
    assert (transport.requests, sender.sent) == ([], 0)


def test_a_connection_that_takes_all_the_time(monkeypatch):
    """Nothing is sent if the deadline has come when a connection is there."""
    sender, transport = sender_of(OK)
    acquire = sender.pool.acquire
    monkeypatch.setattr(sender.pool, "acquire", lambda: transport.clock.advance(30) or acquire())
    assert (outcome(sender, "GET"), transport.requests) == ("DeadlineExceeded", [])


def test_calls_of_a_cancelled_scope():
    """Nothing is sent any more; a scope that only stops refuses creates alone."""
    sender, transport = sender_of(BUSY, (429, {}, b""), (500, {}, b""), OK)
    scope = CancelScope()
    sender.send("GET", "/images", scope=scope)
    stop = threading.Event()
    stopped = CancelScope(stop)
    stop.set()
    del transport.requests[:]
    for method in ("GET", "POST"):
        assert outcome(sender, method, scope=stopped) == ({"id": 1} if method == "GET" else "Cancelled")
        assert stopped.call(lambda method: outcome(sender, method), method) == (
            {"id": 1} if method == "GET" else "Cancelled"
        )
    scope.cancel()
    with pytest.raises(Cancelled, match=r"^The call was cancelled\.$"):
        sender.send("GET", "/images", scope=scope)
    with pytest.raises(Cancelled):
        scope.call(sender.pause, 1)
    assert transport.seen == ["GET /x/api/v1/images/1"] * 2
    assert outcome(sender, "GET") == {"id": 1}  # over the connection that the cancelled scope has used


def test_a_call_that_is_cancelled_under_way():
    """Its reply is not used, and its connection is not used again."""
    for method, expected in (("GET", errors.InkframeError), ("POST", errors.OutcomeUnknown)):
        sender, transport = sender_of(OK)
        scope = CancelScope()

        def reply(scope=scope):
            scope.cancel()
            return httpx.Response(200, content=b"[]")

        transport.script[:] = [reply]
        for_it = {"scope": scope} if method == "GET" else {}
        with pytest.raises(expected, match=r"The call was cancelled\."):
            scope.call(
                lambda path, method=method, sender=sender, for_it=for_it: sender.send(method, path, **for_it),
                "/images",
            )
        assert sender.pool._free == []
    sender, _ = sender_of(LOST)
    assert outcome(sender, "GET", scope=CancelScope()) == "ConnectionFailed"


def test_a_closed_client_sends_nothing():
    """Calls are refused before they are sent, and those under way have no reply."""
    sender, transport = sender_of(OK)

    def reply():
        sender.close()
        return httpx.Response(200, content=b"[]")

    transport.script[:] = [reply]
    assert outcome(sender, "GET") == "DeadlineExceeded"
    with pytest.raises(errors.InkframeError, match="This client is closed"):
        sender.send("GET", "/images")
    assert len(transport.requests) == 1


def test_a_real_clock_waits_in_short_steps():
    """Between them a cancelled or closed client ends the wait."""

    class Stepping(RealClock):
        def __init__(self):
            self.time, self.steps = 0.0, []

        def now(self):
            return self.time

        def sleep(self, seconds):
            self.steps.append(round(seconds, 6))
            self.time += seconds

    sender, _ = sender_of(OK, clock=(clock := Stepping()))
    sender.pause(0.5)
    assert clock.steps == [0.2, 0.2, 0.1]
    sender.pause(0)
    assert len(clock.steps) == 3
