"""Base addresses as typed, the addresses that belong to a service, and the paths of records."""

import pytest

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.http.address import Address, record_path
from inkframe.system.public_address import is_loopback


@pytest.mark.parametrize(
    ("typed", "base_url", "netloc", "root"),
    [
        ("https://a.test", "https://a.test", "a.test", "/api/v1"),
        (" HTTPS://A.Test:443/ ", "https://a.test", "a.test", "/api/v1"),
        ("http://a.test:80", "http://a.test", "a.test", "/api/v1"),
        ("http://a.test:443/x//", "http://a.test:443/x", "a.test:443", "/x/api/v1"),
        ("https://a.test:8443/x/api/v1/", "https://a.test:8443/x", "a.test:8443", "/x/api/v1"),
        ("http://[::1]:8421/api/v1", "http://[::1]:8421", "[::1]:8421", "/api/v1"),
        ("http://[2001:DB8::1]", "http://[2001:db8::1]", "[2001:db8::1]", "/api/v1"),
        ("http://a.test/api/v1/x", "http://a.test/api/v1/x", "a.test", "/api/v1/x/api/v1"),
    ],
)
def test_parts_of_an_address(typed, base_url, netloc, root):
    """The default port, a trailing slash and ``/api/v1`` are dropped; the parsed address is parsed again as itself."""
    address = Address.parse(typed)
    assert (address.base_url, address.netloc, address.name, address.root) == (base_url, netloc, netloc, root)
    assert address.origin == f"{address.scheme}://{netloc}"
    assert {Address.parse(address.base_url)} == {address}


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("content.example.com/x", ("base_url must start with http:// or https://, got 'content.example.com/x'.\n"
         "Write base_url='https://content.example.com/x'.")),
        ("localhost:80?a", ("base_url must start with http:// or https://, got 'localhost:80…'.\n"
         "Write base_url='https://localhost:80…'.")),
        ("sk-SECRET", ("base_url must start with http:// or https://, got a text that may be a key.\n"
         "Write base_url='https://content.example.com'.")),
        ("", ("base_url must start with http:// or https://, got an empty text.\n"
         "Write base_url='https://content.example.com'.")),
        ("ftp://a.test:80", "base_url must be a web address, got 'ftp://a.test:80'.\nExample: 'https://content.example.com'."),
        ("https://", "base_url must be a web address, got 'https://'.\nExample: 'https://content.example.com'."),
        ("http://a.test:x", "base_url must be a web address, got 'http://a.test…'.\nExample: 'https://content.example.com'."),
        ("http://[::1", "base_url must be a web address, got a text that may be a key.\nExample: 'https://content.example.com'."),
        ("https://a.test?k=SECRET", "base_url must not have a query or fragment, got 'https://a.test…'.\nRemove everything after the path."),
        ("https://a.test/x#SECRET", "base_url must not have a query or fragment, got 'https://a.test/x…'.\nRemove everything after the path."),
        ("https://u:SECRET@a.test", "base_url must not contain a user name or password.\nRemove them and set the key in INKFRAME_API_KEY."),
        ("https://u:SEC/RET@a.test", "base_url must not contain a user name or password.\nRemove them and set the key in INKFRAME_API_KEY."),
    ],
)  # fmt: skip
def test_addresses_that_are_refused(typed, message):
    """Each error says what is wrong, without any part of the text that may be a key or a password."""
    with pytest.raises(ConfigurationError) as caught:
        Address.parse(typed)
    assert str(caught.value) == message


def test_addresses_of_the_same_origin():
    """The scheme, the host and the port decide, with the default port of the scheme."""
    own = Address.parse("https://a.test")
    addresses = ["https://a.test", "HTTPS://A.TEST:443/x?y#z", "https://a.test:0443/"]
    others = ["http://a.test", "http://a.test:443", "https://a.test:80", "https://b.test", "//a.test", "/x", "",
              "https://a.test:x", "https://[a.test", "ftp://a.test"]  # fmt: skip
    assert [own.holds(each) for each in addresses] == [True] * 3
    assert [own.holds(each) for each in others] == [False] * 10
    assert Address.parse("http://a.test").holds("http://a.test:80/")


def test_the_name_in_messages():
    """A label is shown instead of the host."""
    assert Address("http", "localhost", 8421, label="local demo service").name == "local demo service"


def test_hosts_that_are_this_machine():
    """Names that end in ``.localhost`` and all loopback numbers."""
    own = ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"]
    others = ["localhost.test", "mylocalhost", "128.0.0.1", "a.test", ""]
    assert [host for host in [*own, *others] if is_loopback(host)] == own
    assert [Address.parse(f"http://{host}").is_loopback for host in ("a.localhost", "a.test")] == [
        True,
        False,
    ]


def test_paths_of_records():
    """Every reserved character of an id is encoded."""
    assert record_path("images", 7) == "/images/7"
    assert record_path("documents", "a/b c?.é%") == "/documents/a%2Fb%20c%3F.%C3%A9%25"
    assert record_path("images", "...") == "/images/..."


@pytest.mark.parametrize("id", ["", ".", "..", "a\0"])
def test_ids_without_a_path(id):
    """Such a path would be that of the collection or of another resource."""
    with pytest.raises(InvalidArgument) as caught:
        record_path("images", id)
    assert str(caught.value) == (
        f"{id!r} is not a valid id.\n"
        "There is no id like this: an id is an integer, a non-empty string, or a record."
    )


def test_an_id_with_half_of_a_surrogate_pair():
    """It cannot be encoded, and is shown escaped."""
    with pytest.raises(InvalidArgument) as caught:
        record_path("images", "a\ud800")
    assert str(caught.value) == (
        "'a\\ud800' is not a valid id.\nThere is no id like this: it contains half of a surrogate pair."
    )
