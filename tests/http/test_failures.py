"""Failures between a request and a readable reply: their errors, and what may be tried again."""

import httpx
import pytest

from inkframe.errors import ConnectionFailed, UnexpectedReply
from inkframe.http.address import Address
from inkframe.http.body import CutShort, Response
from inkframe.http.failures import Failure, broken, is_word, late, looping, redirected, unreadable
from inkframe.http.key import Key

ADDRESS = Address.parse("https://service.test/base")
PLAIN = Address.parse("http://service.test:8000")
NETWORK = "Check the address and your network; ink.connect() without an address works offline."
TYPED = "Check the spelling and your network; ink.connect() without an address works offline."


def flags(failure):
    """Return what may be done after a failure."""
    names = ("passing", "unsent", "refused", "unreadable")
    return {name for name in names if getattr(failure, name)}


def test_errors_of_the_http_library():
    """Each error of a connection becomes one of ours, with a remedy; whether it passes and was sent is known."""
    again, unsent = {"passing"}, {"unsent"}
    for error, text, expected in (
        (CutShort("x"), "The reply of service.test was truncated.\nTry again, or report it to the service.", again),
        (httpx.ConnectTimeout("x"), ("service.test did not accept the connection in time.\n"
         "Check the address and your network."), again | unsent),
        (httpx.ConnectError("refused"), f"service.test does not answer: is the service running there?\n{NETWORK}", again | unsent),
        (httpx.ProxyError("503"), f"service.test does not answer: is the service running there?\n{NETWORK}", again | unsent),
        (httpx.ConnectError("[SSL: WRONG_VERSION_NUMBER]"), ("service.test does not use https.\n"
         "Try 'http://service.test' if you trust the network."), unsent),
        (httpx.ConnectError("[ssl] record layer failure"), ("service.test does not use https.\n"
         "Try 'http://service.test' if you trust the network."), unsent),
        (httpx.ConnectError("certificate verify failed"), ("The certificate of service.test was not accepted.\n"
         "Check the address. For a private authority, pass verify=ssl.create_default_context(cafile=…)."), unsent),
        *((httpx.ConnectError(said), f"No server named 'service.test' was found.\n{TYPED}", unsent)
          for said in ("Name or service not known", "Temporary failure in name resolution", "getaddrinfo failed",
                       "No address associated with hostname")),
        (httpx.ReadTimeout("x"), str(late(ADDRESS)), again),
        (httpx.UnsupportedProtocol("x"), "The request to service.test could not be built.\nCheck base_url.", unsent),
        (httpx.InvalidURL("x"), "The request to service.test could not be built.\nCheck base_url.", unsent),
        (httpx.LocalProtocolError("x"), "The request to service.test could not be built.\nCheck base_url.", unsent),
        (httpx.ReadError("x"), "The connection to service.test broke before the reply was complete.", again),
        (OSError("x"), "The connection to service.test broke before the reply was complete.", again),
        (KeyError("x"), "The connection to service.test failed in an unexpected way (KeyError).", set()),
    ):  # fmt: skip
        failure = broken(error, ADDRESS)
        assert (str(failure.error), flags(failure), failure.status) == (text, expected, 0), error
    ours = UnexpectedReply("Ours.")
    assert broken(ours, ADDRESS) == Failure(ours)
    assert str(broken(httpx.ReadError("x"), PLAIN).error) == (
        "The connection to service.test:8000 broke before the reply was complete.\n"
        "If the service uses https, connect to 'https://service.test:8000'."
    )
    assert type(broken(OSError(), PLAIN).error) is ConnectionFailed
    assert (
        str(late(ADDRESS))
        == "service.test sent no complete reply in time.\nAllow more time: ink.connect(…, timeout=120)."
    )
    assert str(looping(ADDRESS)) == (
        "service.test redirects in a loop.\nCheck base_url: it is the address before /api/v1."
    )


ASKED = "https://service.test/api/v1/images"
ANOTHER = "redirects {} to another {}, which is not followed (status {}).\nThe key and the data are sent to base_url only; check it."


def led(status, location, method="GET", url=ASKED, address=ADDRESS):
    """Return where a redirect leads, or its error and what it tells about the request."""
    headers = {} if location is None else {"location": location}
    found = redirected(Response(status, headers, b"body"), method, url, address)
    if isinstance(found, Response):
        return found.status, found.body
    if isinstance(found, str):
        return found
    assert found.status == status
    return str(found.error), flags(found)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_by_method(status):
    """Reads follow within the origin, writes only to the same path; 303, and 302 to the own place, confirm a write."""
    slashed, refused = f"{ASKED}/", {"refused"}
    unhandled = status in {301, 307, 308}
    for method in ("GET", "POST", "PATCH", "DELETE"):
        same = led(status, slashed, method)
        if method == "GET" or unhandled or (method != "POST" and status == 302):
            assert same == slashed
        else:
            assert same == (status, b"")
        to_other_port = led(status, "https://service.test:9/api/v1/images/", method)
        if (method, status) == ("GET", 303):
            assert to_other_port[0] == f"service.test {ANOTHER.format(method, 'address', status)}"
        else:
            assert to_other_port == same
        other = led(status, "/api/v2/x?y=1", method)
        elsewhere = led(status, "https://other.test/x", method)
        none = led(status, None, method)
        undone = refused if method != "POST" else set()
        said = f"service.test {ANOTHER}"
        assert elsewhere == (said.format(method, "host", status), undone)
        assert none[0] == said.format(method, "address", status)
        if method == "GET":
            assert other == "https://service.test/api/v2/x?y=1"
        elif status == 303 or (status in {301, 302} and method == "POST"):
            assert other == (status, b"")
        else:
            assert other == (said.format(method, "address", status), undone)
    own = f"{ASKED}/7"
    for method in ("PATCH", "DELETE"):
        back = led(status, ASKED, method, own)
        assert (back == (status, b"")) is (status in {301, 302, 303}), method
        here = led(status, own, method, own)
        assert (here == (status, b"")) is (status in {301, 302, 303}), method


def test_redirects_to_https_and_to_logins():
    """Another scheme and a login page have errors of their own, which tell whether the request was handled."""
    url, https = "http://service.test:8000/api/v1/images", "https://service.test{}/api/v1/images"
    for method, status, port in (
        ("GET", 302, ""),
        ("POST", 308, ":444"),
        ("POST", 302, ""),
        ("POST", 303, ""),
    ):
        text, told = led(status, https.format(port), method, url, PLAIN)
        assert text == (
            "The service requires https: it redirects from http://service.test:8000.\n"
            f"Connect to 'https://service.test{port}'."
        )
        assert told == ({"refused"} if status != 303 else set())
    login = "The key was not accepted: service.test redirects to a login page.\nCheck INKFRAME_API_KEY and base_url."
    for path in ("/login", "/log-in", "/x/signin?next=y", "/sign-in", "/sso", "/auth/x", "/oauth", "/oauth2/start",
                 "/session/new", "/users.login", "https://id.test/LOGIN"):  # fmt: skip
        for method in ("GET", "POST"):
            assert led(302, path, method) == (login, {"refused"} if method == "GET" else set()), path
    for path in ("/logins", "/author", "/authority", "/assets"):
        assert led(302, path) == f"https://service.test{path}"
    assert led(302, f"{ASKED}/login") == f"{ASKED}/login"
    assert led(302, "https://[x")[0] == f"service.test {ANOTHER.format('GET', 'address', 302)}"


def test_short_confirmations():
    """A word such as OK is a confirmation; a page, JSON, a complaint and a long text are none."""
    for text in (b"OK", b" updated \n", b"x" * 200):
        assert is_word(Response(200, {}, text)), text
    for text in (b"<p>", b"{}", b"[]", b"x" * 201, b"Error", b"It failed", b"exception", b"Invalid x", b"DENIED", b"warning: x",
                 b"cannot", b"can't", b"no", b"not found"):  # fmt: skip
        assert not is_word(Response(200, {}, text)), text
    assert is_word(Response(200, {}, b"noted"))


@pytest.mark.parametrize(
    ("body", "headers", "came"),
    [
        (b"", {}, "nothing"),
        (b" \n", {}, "nothing"),
        (b"<html><TITLE x>A &amp; b</title><h1>c</h1><pre>d</pre>", {}, "a web page titled 'A & b: d'"),
        (b"<h1>c</h1>", {}, "a web page titled 'c'"),
        (b"<p>c</p>", {}, "a web page"),
        (b" {x" + b" " * 1000, {}, "1,003 bytes of invalid JSON"),
        (b"[", {}, "1 bytes of invalid JSON"),
        (b"abc", {"content-type": "text/plain"}, "3 bytes of text/plain"),
        (b"abc", {"content-type": "x" * 50}, f"3 bytes of {'x' * 39}…"),
        (b"abc", {}, "3 bytes of something"),
    ],
)
def test_bodies_that_are_not_json(body, headers, came):
    """The message tells what came, by the title of a page or the type, and never shows a text of it."""
    for method in ("GET", "POST"):
        failure = unreadable(Response(202, headers, body), method, ADDRESS, Key("secret-key-1234567"))
        assert str(failure.error) == (
            f"service.test sent {came} instead of JSON (status 202).\n"
            "Check base_url: it is the address before /api/v1."
        )
        assert flags(failure) == {"unreadable"} | ({"passing"} if method == "GET" else set())
        assert failure.status == 202
