"""Where requests go: the base address, and the paths below it."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import quote, urlsplit

import httpx

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.system.public_address import is_loopback, number_of

__all__ = [
    "ADDRESS",
    "ADDRESS_VARIABLE",
    "KEY_VARIABLE",
    "Address",
    "record_path",
]

ADDRESS_VARIABLE: Final = "INKFRAME_BASE_URL"
KEY_VARIABLE: Final = "INKFRAME_API_KEY"
API: Final = "/api/v1"
#: The beginning of a text that is an address and not a key: a host in lower case, and a short path.
ADDRESS: Final = re.compile(
    r"([a-z]{2,8}://)?"
    r"(([^\W_A-Z]([^\WA-Z]|-){0,29}\.)+[^\W\d_A-Z]{2,14}|localhost|[a-z][a-z-]{0,15}(?=:\d)"
    r"|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\])"
    r"(:\d{1,5})?(/[a-z0-9._-]{0,15})*(?=[/?#:]|\Z)"
    r"|[a-z]{2,8}://(?=\Z)"
)
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
#: The end of a path that is not part of the base address.
BELOW: Final = re.compile(r"/api/v1(/(images|documents)(/[^/]*)?)?\Z")
#: Characters that mean the same with and without percent-encoding (RFC 3986, 2.3).
ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
UNRESERVED: Final = frozenset("-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
#: Names of this machine that lead to the same service.
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Address:
    """The base address of a service, in parts.

    Args:
        scheme: ``http`` or ``https``.
        host: The host's name or number, in lower case, without brackets.
        port: The port.
        prefix: The path before ``/api/v1``, without a trailing slash.
        label: The name in messages, if it differs from the host.
        typed: The path as release 0.2 understood it.
    """

    scheme: str
    host: str
    port: int
    prefix: str = ""
    label: str = ""
    typed: str = ""

    @classmethod
    def parse(cls, base_url: str) -> Address:
        """Parse a base address as typed; a trailing ``/`` or ``/api/v1``, and what follows that, is dropped.

        Raises:
            ConfigurationError: The address has no scheme (the message suggests one), is not http or https,
                has no host, or contains a user name, password or query.
        """
        text = str(base_url).strip()
        shown = _shown(text)
        if "://" not in text:
            guess = shown if shown.startswith("'") else "'content.example.com'"
            raise ConfigurationError(
                f"base_url must start with http:// or https://, got {shown}.\n"
                f"Write base_url='https://{guess[1:]}."
            )
        # Anywhere, since a password may contain a slash.
        if "@" in text:
            raise ConfigurationError(
                "base_url must not contain a user name or password.\n"
                "Remove them and set the key in INKFRAME_API_KEY."
            )
        invalid = ConfigurationError(
            f"base_url must be a web address, got {shown}.\nExample: 'https://content.example.com'."
        )
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise invalid from None
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
            raise invalid
        if parts.query or parts.fragment:
            raise ConfigurationError(
                f"base_url must not have a query or fragment, got {shown}.\nRemove everything after the path."
            )
        prefix = BELOW.sub("", posixpath.normpath(f"/{parts.path.lstrip('/')}")).rstrip("/")
        typed = parts.path.rstrip("/").removesuffix(API)
        return cls(parts.scheme, parts.hostname, port or DEFAULT_PORTS[parts.scheme], prefix, typed=typed)

    @cached_property
    def netloc(self) -> str:
        """The host and port as in a URL, without the default port of the scheme."""
        return f"{_bracketed(self.host)}{self._colon_port}"

    @property
    def _colon_port(self) -> str:
        return "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"

    @property
    def places(self) -> tuple[str, ...]:
        """The identity of the service however its address is spelled, and those that release 0.2 gave it.

        ``http`` and ``https``, the names of this machine, international names and the encoding of the path are
        spellings of one service. Two services that differ in nothing else share a journal, which then asks
        before it creates again what one of them has.
        """
        host = number_of(self.host) or self.host.rstrip(".")
        names = LOOPBACK if host in LOOPBACK else _spellings(host)
        path = posixpath.normpath(f"/{_encoded(self.prefix)}").lstrip("/")
        path = f"/{path}" if path else ""
        older = [
            f"{scheme}://{_bracketed(name)}{self._colon_port}{prefix}"
            for scheme in dict.fromkeys((self.scheme, *DEFAULT_PORTS))
            for name in dict.fromkeys((self.host, *names, f"{names[0]}."))
            for prefix in dict.fromkeys((self.typed, self.prefix, path))
        ]
        return tuple(dict.fromkeys((f"https://{_bracketed(names[0])}{self._colon_port}{path}", *older)))

    @property
    def name(self) -> str:
        """The name of the service in messages."""
        return self.label or self.netloc

    @cached_property
    def origin(self) -> str:
        """The scheme, host and port; the key is sent to this origin only."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def base_url(self) -> str:
        """The address that ``connect`` accepts."""
        return f"{self.origin}{self.prefix}"

    @cached_property
    def root(self) -> str:
        """The path before ``/images`` and ``/documents``."""
        return f"{self.prefix}{API}"

    @property
    def is_loopback(self) -> bool:
        """Whether the host is this machine."""
        return is_loopback(self.host)

    def holds(self, url: str) -> bool:
        """Return whether an absolute URL has this scheme, host and port."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return False
        found = (parts.scheme, parts.hostname, port or DEFAULT_PORTS.get(parts.scheme))
        return found == (self.scheme, self.host, self.port)


def _encoded(path: str) -> str:
    """Return a path with the one percent-encoding that all its spellings share."""

    def spelled(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in UNRESERVED else found[0].upper()

    return quote(ENCODED.sub(spelled, path), safe="/%!$&'()*+,;=:@")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _spellings(host: str) -> tuple[str, str]:
    """Return the name of a host as it is sent, in ASCII, and as people read it."""
    try:
        url = httpx.URL(f"http://{_bracketed(host)}")
        return url.raw_host.decode("ascii"), url.host
    except (httpx.InvalidURL, UnicodeError):
        return host, host


def record_path(resource: str, id: int | str) -> str:
    """Return the path of one record, with every reserved character of its id percent-encoded.

    Raises:
        InvalidArgument: The id is empty, ``.`` or ``..``, or contains a NUL or half of a surrogate pair.
    """
    text = str(id)
    if text in {"", ".", ".."} or "\0" in text:
        raise InvalidArgument(
            f"{text!r} is not a valid id.\n"
            "There is no id like this: an id is an integer, a non-empty string, or a record."
        )
    try:
        return f"/{resource}/{quote(text, safe='')}"
    except UnicodeEncodeError:
        raise InvalidArgument(
            f"{text!a} is not a valid id.\nThere is no id like this: it contains half of a surrogate pair."
        ) from None


def _shown(text: str) -> str:
    """Return an address quoted for a message, without any part that may be a key or a password."""
    found = None if "@" in text else ADDRESS.match(text)
    if found is None:
        return "a text that may be a key" if text else "an empty text"
    return repr(found[0] if found.end() == len(text) else f"{found[0]}…")
