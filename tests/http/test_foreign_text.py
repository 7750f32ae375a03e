"""Text from a service in errors: one short line, without any part of the key in any usual encoding."""

import base64
import html
import json
from urllib.parse import quote

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe
from inkframe.http.key import Key, foreign_text, redact

from .canary import CANARY, everything_about, holds_canary

#: Keys with characters that URLs, JSON and HTML escape.
KEYS = (CANARY, "sk/live+7Q=&w<\\9\"x'%41z~", "0123456789abcdef0123456789abcdef")
ENCODERS = {
    "plain": lambda key: key,
    "upper": lambda key: key.upper(),
    "lower": lambda key: key.lower(),
    "beginning": lambda key: f"{key[:9]}…",
    "middle": lambda key: f"…{key[5:14]}…",
    "percent": lambda key: quote(key, safe=""),
    "every character as percent": lambda key: "".join(f"%{ord(each):02X}" for each in key),
    "percent twice": lambda key: quote(quote(key, safe=""), safe=""),
    "json": lambda key: json.dumps(key)[1:-1],
    "json with slashes": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "json by number": lambda key: "".join(f"\\u{ord(each):04x}" for each in key),
    "python": lambda key: repr(key.encode()),
    "html": html.escape,
    "html by number": lambda key: "".join(f"&#{ord(each)};" for each in key),
    "html by hex": lambda key: "".join(f"&#x{ord(each):X};" for each in key),
    "basic 0": lambda key: base64.b64encode(key.encode()).decode(),
    "basic 1": lambda key: base64.b64encode(f":{key}".encode()).decode(),
    "basic 2": lambda key: base64.b64encode(f"me{key}:".encode()).decode(),
    "base64 for URLs": lambda key: base64.urlsafe_b64encode(f"user:{key}".encode()).decode(),
    "hex": lambda key: key.encode().hex(),
}


@cases("encoder", ENCODERS.values(), ids=ENCODERS)
@cases("key", KEYS)
def test_every_encoding_of_the_key_is_removed(key, encoder):
    """The key and its parts are removed from a text, however they are written; the rest stays."""
    found = encoder(key)
    shown = foreign_text(f"Invalid key {found} here", Key(key))
    assert "[key]" in shown
    assert shown.startswith("Invalid key ")
    assert shown.endswith(" here")
    assert len(shown) < 40


@cases("mask", ["************", "…", "...", "••••"])
def test_a_key_whose_middle_is_masked_is_removed(mask):
    """A service that masks a key shows its beginning and its end; other texts beside such marks stay."""
    key = Key(CANARY)
    for beginning, end in ((8, 4), (3, 4), (0, 4), (3, 0)):
        shown = f"{CANARY[:beginning]}{mask}{CANARY[len(CANARY) - end :]}"
        assert redact(f"Incorrect key: {shown}.", key).rstrip(".") == "Incorrect key: [key]"
        assert redact(f"Incorrect key: {shown}x", key) != "Incorrect key: [key]x"
    assert redact(f"a{mask}b {mask} c", key) == f"a{mask}b {mask} c"


def test_other_text_stays():
    """Text without a part of the key is unchanged, with its escapes."""
    text = 'The name "a\\nb" &amp; 100%25 of https://a.test/x%20y are too long — ΑΒΓ'
    assert redact(text, Key(CANARY)) == text
    assert redact("text", Key("")) == "text"


def test_parts_are_replaced_one_by_one():
    """Six or more characters of the key in a row are replaced in place."""
    assert redact(f"key {CANARY} and {CANARY[3:12]}… end", Key(CANARY)) == "key [key] and [key]… end"
    assert redact("abc abc", Key("abc")) == "[key] [key]"


@pytest.mark.integration
def test_only_the_beginning_of_a_long_text_is_read():
    """Of a text of megabytes 4 kB are read and searched, and the key at the cut does not remain."""
    assert foreign_text("x" * 5_000_000, Key(CANARY), 5_000).rstrip("…") == "x" * 4096
    shown = foreign_text("x" * 4080 + CANARY + "y" * 20_000_000, Key(CANARY), 5000)
    assert len(shown) < 4096
    assert not holds_canary(shown)


def test_an_error_during_redaction_shows_nothing():
    """Ctrl-C while a text is searched for the key leaves no frame that has the key."""

    class Interrupted(str):
        __slots__ = ()

        def encode(self, *_):
            raise KeyboardInterrupt

        def __str__(self):
            return self

        def __repr__(self):
            return "text"

    with pytest.raises(KeyboardInterrupt) as caught:
        redact("text", Key(Interrupted(CANARY)))
    assert not holds_canary(everything_about(caught.value))


def reply_of(service_says, status=200, **headers):
    return httpx.Response(status, json=service_says, headers=headers)


ECHOES = {
    "fields": lambda key: reply_of({"message": key, "errors": {key: [key]}}, 422),
    "request id": lambda key: reply_of({"message": "No.", "errors": {"name": ["No."]}}, 422, **{"X-Request-Id": key}),
    "spoken": lambda key: reply_of({"success": False, "error": key}),
    "spoken fields": lambda key: reply_of({"success": False, "errors": [{"field": key, "message": key}]}),
    "shape": lambda key: reply_of({key: {key: key}}),
    "record shape": lambda key: reply_of({"data": [{key: 1}]}),
    "keys": lambda key: reply_of({"data": [{"id": 1, key: 1}]}),
    "title": lambda key: httpx.Response(200, html=f"<title>{html.escape(key)}</title>"),
    "heading": lambda key: httpx.Response(500, html=f"<h1>{html.escape(key)}</h1><pre>{html.escape(key)}</pre>"),
    "content type": lambda key: httpx.Response(200, content=b"plain", headers={"Content-Type": key}),
    "content encoding": lambda key: httpx.Response(200, stream=httpx.ByteStream(b"x"), headers={"Content-Encoding": key}),
    "location": lambda key: httpx.Response(302, headers={"Location": f"https://other.test/{quote(key)}"}),
    "plain text": lambda key: httpx.Response(500, text=f"Authorization: Bearer {key}"),
    "basic": lambda key: reply_of({"message": f"Basic {base64.b64encode(f'user:{key}'.encode()).decode()}"}, 401),
    "escaped": lambda key: reply_of({"detail": f"GET /images?key={quote(key, safe='')}"}, 400),
    "array": lambda key: reply_of([key, {key: key}], 400),
}  # fmt: skip


@pytest.mark.integration
@cases("echo", ECHOES.values(), ids=ECHOES)
@cases("call", ["list", "get", "create", "delete"])
def test_an_echoed_key_is_in_no_error(echo, call):
    """Whatever part of a reply has the key, no error, attribute or variable of a frame shows it."""
    arguments = {"get": (1,), "delete": (1,)}.get(call, ())
    fields = {"name": "n", "prompt": "p"} if call == "create" else {}

    def answer(_):
        reply = echo(CANARY)
        return httpx.Response(reply.status_code, headers=reply.headers, stream=reply.stream)

    with Answers(answer).client(CANARY) as client:
        shown = ""
        try:
            getattr(client.documents, call)(*arguments, **fields)
        except inkframe.InkframeError as error:
            shown = everything_about(error)
    assert not holds_canary(shown)
