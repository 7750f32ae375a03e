"""The key of the endpoint."""

import httpx
import pytest

from inkframe.errors import ConfigurationError
from inkframe.http.key import Key
from inkframe.service.engines.openai import OpenAI
from inkframe.service.engines.openai.endpoint import Endpoint, read_refusal


@pytest.fixture
def signed(monkeypatch):
    """Return a function that returns a request as an endpoint with a key sends it, and the endpoint."""

    def send(key):
        sent = []
        answer = httpx.Response(200, json={"data": []})
        monkeypatch.setattr(
            "httpx.HTTPTransport.handle_request", lambda _, request: sent.append(request) or answer
        )
        endpoint = Endpoint("http://localhost/v1", Key(key), 1.0)
        endpoint.get("/models")
        endpoint.close()
        return sent[0], endpoint

    return send


def test_the_key_is_in_the_request_only(key, signed):
    """The header has the key, but no attribute of the endpoint shows it."""
    request, endpoint = signed(key)
    assert request.headers["Authorization"] == f"Bearer {key}"
    assert key[:5] not in f"{vars(endpoint)} {vars(endpoint._pool)}"


def test_parts_of_the_key_are_left_out_of_messages(key):
    """Six characters in a row count as the key; without a key, every message is complete."""
    answer = {"error": {"message": f"wrong key {key[3:9]} here"}}
    assert str(read_refusal(500, {}, answer, "host", Key(key))).endswith("500: wrong key [key] here.")
    assert key[3:9] in str(read_refusal(500, {}, answer, "host", Key("")))


@pytest.mark.parametrize("given", ["two words", "schlüssel", "line\nbreak"])
def test_a_key_that_cannot_be_a_header_is_rejected(monkeypatch, given):
    """The error names the variable but not the key."""
    monkeypatch.setenv("INKFRAME_OPENAI_API_KEY", given)
    monkeypatch.setenv("INKFRAME_OPENAI_BASE_URL", "http://localhost/v1")
    monkeypatch.setenv("INKFRAME_OPENAI_TEXT_MODEL", "m")
    with pytest.raises(ConfigurationError, match="INKFRAME_OPENAI_API_KEY") as caught:
        OpenAI()
    assert given not in str(caught.value)


def test_without_a_key_there_is_no_header(signed):
    """Local endpoints often require no key."""
    request, _ = signed("")
    assert "Authorization" not in request.headers
