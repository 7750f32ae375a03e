"""Keys in the wrong place: as an address, a variable, another argument, or a part of an address."""

import httpx
import pytest
from tests.cases import cases

import inkframe
from inkframe.http.key import bare

from .canary import CANARY, everything_about, holds_canary

ADDRESS = "https://content.example.com"
KEYS = {
    "mixed": CANARY,
    "prefixed": "sk-proj-4f9aQ2m7Xw1Lr8",
    "lower case": "a81f3c0be97d4462b5d0a81f3c0be97d",
    "dotted": "SG.x9Kq2Lm4.Zw8Rt5Yb8Nc2HdPq",
    "with slashes": "c2VjcmV0LzEyMzQ1Njc4/90+abc=",
    "with an at sign": "user7Kx9@q2Lm4Zw8Rt5Yb",
}


@cases("key", KEYS.values(), ids=KEYS)
@cases(
    "call",
    [
        inkframe.connect,
        lambda key: inkframe.connect(key, ADDRESS),
        lambda key: inkframe.connect(f"https://{key}@content.example.com", "another"),
        lambda key: inkframe.connect(f"https://me:{key}@content.example.com", "another"),
        lambda key: inkframe.connect(f"{ADDRESS}?key={key}", "another"),
        lambda key: inkframe.connect(f"{ADDRESS}/#{key}", "another"),
        lambda key: inkframe.connect(f"content.example.com?key={key}", "another"),
        lambda key: inkframe.connect(f"ftp://content.example.com/{key}", "another"),
        lambda key: inkframe.connect(f"https://content.example.com:{key}/", "another"),
        lambda key: inkframe.connect(f"{ADDRESS}/{key}", key),
        lambda key: inkframe.connect(ADDRESS, key_env=key),
        lambda key: inkframe.connect(ADDRESS, key_env=f"{key}="),
        lambda key: inkframe.connect(engine=key),
        lambda key: inkframe.connect(ADDRESS, "k", update_method=key),
        lambda key: inkframe.connect(ADDRESS, "k", timeout=key),
        lambda key: inkframe.connect(ADDRESS, f"{key}\n"),
        lambda key: inkframe.connect(api_key=key),
        lambda key: inkframe.Client(key, key),
        lambda key: inkframe.Client(key, ADDRESS),
    ],
)
def test_a_key_in_the_wrong_place_is_not_shown(call, key):
    """No text, attribute or variable of a frame has a key that was passed as another argument."""
    with pytest.raises(inkframe.ConfigurationError) as caught:
        call(key)
    assert not holds_canary(everything_about(caught.value), key)


@cases(
    ("pasted", "said"),
    [
        ("content.example.com", "got 'content.example.com'.\nWrite base_url='https://content.example.com'."),
        ("content.example.com:8443/ink", "Write base_url='https://content.example.com:8443/ink'."),
        ("server:8000", "Write base_url='https://server:8000'."),
        ("192.168.0.7", "Write base_url='https://192.168.0.7'."),
        ("ftp://content.example.com", "got 'ftp://content.example.com'."),
        (f"{ADDRESS}/ink?page=2", f"got '{ADDRESS}/ink…'."),
        ("bücher.example", "Write base_url='https://bücher.example'."),
        ("  ", "got an empty text.\nWrite base_url='https://content.example.com'."),
        (CANARY, "got a text that may be a key.\nWrite base_url='https://content.example.com'."),
    ],
)
def test_an_address_is_shown_and_corrected(pasted, said):
    """An address stays in the message if it cannot contain a key."""
    with pytest.raises(inkframe.ConfigurationError) as caught:
        inkframe.connect(pasted, "another")
    assert said in str(caught.value)


def test_a_variable_is_named():
    """The message of a missing key names the variable that was read."""
    with pytest.raises(inkframe.ConfigurationError, match="variable CONTENT_SERVICE_KEY before"):
        inkframe.connect(ADDRESS, key_env="CONTENT_SERVICE_KEY")


def test_the_line_of_the_local_service_does_not_show_a_key(monkeypatch, capsys):
    """The line that names the variable of the key names it only if it looks like a variable."""
    monkeypatch.setenv(CANARY, "1")
    inkframe.connect(library=":memory:", key_env=CANARY).close()
    shown = "".join(capsys.readouterr())
    assert "is set but not used" in shown
    assert not holds_canary(shown)


def test_an_interrupt_within_another_error_shows_nothing():
    """Ctrl-C while an error is handled brings no frame of that error with it."""

    class Interrupted(httpx.BaseTransport):
        def handle_request(self, request):
            try:
                int(request.headers["authorization"])
            except ValueError:
                raise KeyboardInterrupt from None

    with inkframe.Client("https://service.test", CANARY, transport=Interrupted()) as client:
        with pytest.raises(KeyboardInterrupt) as caught:
            client.images.list()
    assert caught.value.__context__ is None
    assert not holds_canary(everything_about(caught.value))


def test_causes_stay_without_their_frames():
    """An error keeps its cause, and neither has frames or a context."""

    def fail():
        try:
            int("first")
        except ValueError as error:
            raise TypeError("second") from error

    with pytest.raises(TypeError, match="second") as caught:
        fail()
    found = bare(caught.value)
    assert "first" in str(found.__cause__)
    assert found.__traceback__ is found.__context__ is found.__cause__.__traceback__ is None
