"""The key of the endpoint."""

from __future__ import annotations

import copy
import pickle

import httpx
import pytest

from inkframe.errors import ConfigurationError
from inkframe.service.engines.openai.endpoint import Bearer


def test_the_key_is_in_the_request_only(key):
    """The header has the key, but no repr, attribute or pickle."""
    bearer = Bearer(key)
    request = httpx.Request("GET", "http://local")
    next(bearer.auth_flow(request))
    assert request.headers["Authorization"] == f"Bearer {key}"
    shown = f"{bearer!r} {bearer} {[getattr(bearer, name) for name in Bearer.__slots__]}"
    assert key[:5] not in shown
    for out in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            out(bearer)


def test_parts_of_the_key_are_detected(key):
    """Five characters in a row count as the key; without a key, no text does."""
    bearer = Bearer(key)
    assert bearer.is_in(f"wrong key {key[3:8]}…")
    assert not bearer.is_in("the model is too busy")
    assert not Bearer("").is_in("anything")


@pytest.mark.parametrize("given", ["two words", "schlüssel", "line\nbreak"])
def test_a_key_that_cannot_be_a_header_is_rejected(given):
    """The error names the variable but not the key."""
    with pytest.raises(ConfigurationError, match="INKFRAME_OPENAI_API_KEY") as caught:
        Bearer(given).check()
    assert given not in str(caught.value)


def test_without_a_key_there_is_no_header():
    """Local endpoints often require no key."""
    bearer = Bearer("")
    bearer.check()
    request = httpx.Request("GET", "http://local")
    next(bearer.auth_flow(request))
    assert "Authorization" not in request.headers
