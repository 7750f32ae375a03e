"""The conversation with an endpoint that does not answer as it should."""

from __future__ import annotations

import logging
import socket
import time
import traceback

import pytest

from inkframe.engines import Unavailable, WriteRequest

REQUEST = WriteRequest("About a kettle")


def unavailable(engine):
    """Ask for a text, and give the error."""
    with pytest.raises(Unavailable) as caught:
        engine.write(REQUEST)
    return caught.value


def test_an_endpoint_that_is_not_there(settings, monkeypatch, open_engine):
    """The connection is tried twice; the error names the setting, and says that it may pass."""
    monkeypatch.setattr("inkframe.engines.openai.endpoint.PAUSE", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings(base_url=f"http://127.0.0.1:{port}")
    error = unavailable(open_engine())
    assert (error.status, error.retry_after) == (503, 1)
    assert "INKFRAME_OPENAI_BASE_URL" in str(error)


@pytest.mark.parametrize(("fault", "status"), [("break", 502), ("hang", 504)])
def test_what_may_have_been_charged_is_not_sent_again(settings, server, fault, status, open_engine):
    """A connection that breaks, or an answer that does not come in time, is an error after one request."""
    settings(timeout="0.05" if fault == "hang" else "5")
    server.faults = [fault]
    error = unavailable(open_engine())
    assert (error.status, error.retry_after) == (status, None)
    assert "may have been charged" in str(error)
    assert len(server.requests) == 1


def test_a_broken_connection_is_made_anew(engine, server):
    """The next request does not suffer from the last."""
    server.faults = ["break"]
    unavailable(engine)
    assert engine.write(REQUEST) == server.text


@pytest.mark.parametrize(
    "answer", [b"<html>", b"[]", b'"text"', b"{", b"", {"error": {"message": "upstream", "code": 529}}]
)
def test_an_answer_that_is_none(engine, server, answer):
    """A page, half a reply, or an error with status 200 is an error."""
    server.faults = [(200, {}, answer)]
    assert unavailable(engine).status == 502


def test_an_answer_without_end_is_not_read_to_it(engine, server, monkeypatch):
    """There is a limit on how much is read."""
    monkeypatch.setattr("inkframe.engines.openai.endpoint.MOST_BYTES", 1000)
    server.faults = [(200, {}, b"x" * 5000)]
    assert "MB" in str(unavailable(engine))


def test_a_redirect_is_not_followed(engine, server):
    """The key goes to the address that was set."""
    server.faults = [(307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}, {})]
    assert "redirects" in str(unavailable(engine))
    assert len(server.requests) == 1


def test_the_check_costs_nothing(engine, server, settings, open_engine):
    """It asks for the models only."""
    engine.check()
    assert [path for path, *_ in server.requests] == ["/v1/models"]
    settings(api_key="sk-wrong")
    with pytest.raises(Unavailable, match="did not accept the key"):
        open_engine().check()


def test_the_key_is_nowhere(settings, server, key, caplog, monkeypatch, open_engine):
    """No error, traceback with its locals, log line or repr has any of it, whatever goes wrong."""
    monkeypatch.setattr("inkframe.engines.openai.endpoint.PAUSE", 0)
    settings(timeout="0.05")
    engine = open_engine()
    with caplog.at_level(logging.DEBUG):
        echo = (400, {}, {"error": {"message": f"bad key {key} in request", "code": "invalid_prompt"}})
        for fault in ("break", "hang", echo, (401, {}, {"error": key}), (500, {}, {"detail": key})):
            server.faults = [fault]
            try:
                engine.write(REQUEST)
            except Exception as error:  # noqa: BLE001  # every kind is looked through
                # All but this test itself, which knows the key.
                error.__traceback__ = error.__traceback__.tb_next
                shown = traceback.TracebackException.from_exception(error, capture_locals=True)
                assert key[:6] not in "".join(shown.format()), fault
    assert key[:6] not in caplog.text + repr(engine) + repr(vars(engine))


def test_an_interrupt_passes_at_once(engine, server, key, monkeypatch):
    """Ctrl-C is not swallowed, not retried, and its traceback reaches into no frame that saw the key."""

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("httpx.Client.stream", interrupt)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        engine.write(REQUEST)
    assert time.monotonic() - began < 0.5
    frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "interrupt" not in frames
    assert server.requests == []
