"""Requests to an endpoint that fails."""

import logging
import socket
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest

from inkframe.service.engines import Unavailable, WriteRequest

REQUEST = WriteRequest("About a kettle")


def unavailable(engine):
    """Request a text and return the error."""
    with pytest.raises(Unavailable) as caught:
        engine.write(REQUEST)
    return caught.value


def test_an_endpoint_that_is_not_there(settings, monkeypatch, open_engine):
    """The connection is tried twice; the error names the setting and has a time to retry."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.PAUSE", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings(base_url=f"http://127.0.0.1:{port}")
    error = unavailable(open_engine())
    assert (error.status, error.retry_after) == (503, 1)
    assert "INKFRAME_OPENAI_BASE_URL" in str(error)


@pytest.mark.parametrize(("fault", "status"), [("break", 502), ("hang", 504)])
def test_a_request_that_may_have_been_charged_is_not_repeated(settings, server, fault, status, open_engine):
    """A broken connection or a timeout is an error after one request."""
    settings(timeout="0.05" if fault == "hang" else "60")
    server.faults = [fault]
    error = unavailable(open_engine())
    assert (error.status, error.retry_after) == (status, None)
    assert len(server.requests) == 1


def test_a_broken_connection_is_replaced(engine, server):
    """The next request succeeds."""
    server.faults = ["break"]
    unavailable(engine)
    assert engine.write(REQUEST) == server.text


@pytest.mark.parametrize(
    "answer", [b"<html>", b"[]", b'"text"', b"{", b"", {"error": {"message": "upstream", "code": 529}}]
)
def test_an_unusable_response(engine, server, answer):
    """An HTML page, a truncated reply, or an error with status 200 is an error."""
    server.faults = [(200, {}, answer)]
    assert unavailable(engine).status == 502


def test_an_endless_response_is_not_read_to_the_end(engine, server, monkeypatch):
    """The size of responses is limited."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.MOST_BYTES", 1000)
    server.faults = [(200, {}, b"x" * 5000)]
    assert "MB" in str(unavailable(engine))


def test_a_redirect_is_not_followed(engine, server):
    """The key is sent to the configured address only."""
    server.faults = [(307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}, {})]
    assert "redirects" in str(unavailable(engine))
    assert len(server.requests) == 1


def test_the_check_is_free(engine, server, settings, open_engine):
    """It requests the list of models only."""
    engine.check()
    assert [path for path, *_ in server.requests] == ["/v1/models"]
    settings(api_key="sk-wrong")
    with pytest.raises(Unavailable, match="did not accept the key"):
        open_engine().check()


def test_the_key_is_never_shown(settings, server, key, caplog, monkeypatch, open_engine):
    """No error, traceback with its locals, log line or repr has any part of it after any failure."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.PAUSE", 0)
    settings(timeout="0.05")
    engine = open_engine()
    with caplog.at_level(logging.DEBUG):
        echo = (400, {}, {"error": {"message": f"bad key {key} in request", "code": "invalid_prompt"}})
        for fault in ("break", "hang", echo, (401, {}, {"error": key}), (500, {}, {"detail": key})):
            server.faults = [fault]
            try:
                engine.write(REQUEST)
            except Exception as error:  # noqa: BLE001  # every kind is inspected
                # All frames except this test, which has the key.
                error.__traceback__ = error.__traceback__.tb_next
                shown = traceback.TracebackException.from_exception(error, capture_locals=True)
                assert key[:6] not in "".join(shown.format()), fault
    assert key[:6] not in caplog.text + repr(engine) + repr(vars(engine))


def test_an_interrupt_is_raised_at_once(engine, server, key, monkeypatch):
    """Ctrl-C is neither caught nor retried, and its traceback has no frame with the key."""
    tried = []

    def interrupt(*_, **__):
        tried.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr("httpx.HTTPTransport.handle_request", interrupt)
    with pytest.raises(KeyboardInterrupt) as caught:
        engine.write(REQUEST)
    assert tried == [1]
    frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "interrupt" not in frames
    assert server.requests == []


def test_a_forked_child_opens_its_own_connection(engine, server, in_child):
    """Parent and child send on different connections, so that no response reaches the wrong one."""
    assert engine.write(REQUEST)
    assert in_child(lambda: engine.write(REQUEST))
    assert engine.write(REQUEST)
    first, child, second = server.peers
    assert first == second != child


@pytest.mark.parametrize(
    "complaints",
    [
        [{"param": "max_tokens"}, {"param": "seed"}],
        [{"message": "Unrecognized request arguments supplied: max_tokens, seed"}],
        [
            {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."},
            {"loc": ["body", "seed"]},
        ],
    ],
)
def test_a_parameter_that_is_refused_is_not_sent_again(engine, server, complaints):
    """The limit has another name, the seed is left out; one message may name both, and later requests need no refusal."""
    server.faults = [(400, {}, {"error": {"message": "m"} | each}) for each in complaints]
    assert engine.write(REQUEST) == server.text
    assert engine.write(REQUEST) == server.text
    *first, last, again = [set(body) for _, _, body in server.requests]
    assert len(first) == len(complaints)
    assert last == again == {"model", "messages", "temperature", "stream", "max_completion_tokens"}
    assert server.requests[-1][2]["max_completion_tokens"] == 1000


def test_a_server_that_refuses_whatever_is_sent_is_asked_a_few_times_only(engine, server):
    """A parameter that was replaced before is not replaced again."""
    server.faults = [
        (400, {}, {"error": {"message": "max_tokens, seed and max_completion_tokens are wrong"}})
    ] * 9
    assert "max_completion_tokens are wrong" in str(unavailable(engine))
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [429, 500, 503, 504])
def test_an_error_that_names_a_parameter_is_no_refusal_of_it(engine, server, status):
    """Only a request that was declined is sent again without it."""
    server.faults = [(status, {}, {"error": {"message": "Out of memory for max_tokens and seed"}})]
    assert "max_tokens and seed" in str(unavailable(engine))
    assert len(server.requests) == 1
    assert engine.write(REQUEST) == server.text
    assert {"max_tokens", "seed"} <= server.requests[-1][2].keys()


def test_each_request_at_once_has_a_connection_of_its_own(engine, server):
    """They are kept for later ones."""
    server.going.clear()
    with ThreadPoolExecutor(3) as threads:
        for _ in range(3):
            threads.submit(engine.write, REQUEST)
        assert all(server.begun.acquire(timeout=60) for _ in range(3))
        server.going.set()
    engine.write(REQUEST)
    assert len(set(server.peers)) == 3
