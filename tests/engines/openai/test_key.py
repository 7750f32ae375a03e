"""The key of the endpoint."""

from __future__ import annotations

import copy
import pickle

import httpx
import pytest

from inkframe.engines.openai.key import Bearer
from inkframe.errors import ConfigurationError


def test_the_key_is_on_the_request_and_in_nothing_else(key):
    """No repr, attribute or pickle has it; the header does."""
    bearer = Bearer(key)
    request = httpx.Request("GET", "http://local")
    next(bearer.auth_flow(request))
    assert request.headers["Authorization"] == f"Bearer {key}"
    shown = f"{bearer!r} {bearer} {[getattr(bearer, name) for name in Bearer.__slots__]}"
    assert key[:5] not in shown
    for out in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="not pickled"):
            out(bearer)


def test_pieces_of_the_key_are_known(key):
    """Five characters in a row are taken for the key; where there is none, nothing is."""
    bearer = Bearer(key)
    assert bearer.is_in(f"wrong key {key[3:8]}…")
    assert not bearer.is_in("the model is too busy")
    assert not Bearer("").is_in("anything")


@pytest.mark.parametrize("given", ["two words", "schlüssel", "line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused(given):
    """The error names the variable and not the key."""
    with pytest.raises(ConfigurationError, match="INKFRAME_OPENAI_API_KEY") as caught:
        Bearer(given).check()
    assert given not in str(caught.value)


def test_without_a_key_there_is_no_header():
    """An endpoint of one's own often wants none."""
    bearer = Bearer("")
    bearer.check()
    request = httpx.Request("GET", "http://local")
    next(bearer.auth_flow(request))
    assert "Authorization" not in request.headers
