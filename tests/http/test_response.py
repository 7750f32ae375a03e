"""Replies, read within bounds and closed."""

import gzip

import httpx
import pytest

from inkframe.http.body import Response, read_response


@pytest.mark.parametrize("streamed", [True, False])
def test_a_reply_is_read_and_closed(streamed):
    """Its headers have lower-case names, its body is decompressed once, and the time is checked for each chunk."""
    packed = gzip.compress(b"[1]")
    checks = []
    given = {"stream": httpx.ByteStream(packed)} if streamed else {"content": packed}
    reply = httpx.Response(201, headers={"X-A": "b", "Content-Encoding": "gzip"}, **given)
    found = read_response(reply, lambda: checks.append(1))
    assert (found.status, found.body, found.value) == (201, b"[1]", None)
    assert (found.headers["x-a"], reply.is_closed, len(checks)) == ("b", True, int(streamed))


def test_a_reply_after_the_deadline_is_closed():
    """The error of the check ends the reading."""
    reply = httpx.Response(200, stream=httpx.ByteStream(b"[]"))

    def check():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        read_response(reply, check)
    assert reply.is_closed


def test_a_reply_shows_no_text_of_the_service():
    """Its repr has the status only."""
    assert repr(Response(200, {"a": "secret"}, b"secret", "secret")) == "Response(status=200)"
