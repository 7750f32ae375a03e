"""The key of the endpoint."""

import pytest

from inkframe.errors import ConfigurationError
from inkframe.http.key import Key
from inkframe.service.engines.openai import OpenAI
from inkframe.service.engines.openai.endpoint import read_refusal


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
