"""Where a service is: its base address, the paths below it, and what counts as the same place."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from inkframe.errors import ConfigurationError, InvalidArgument

__all__ = ["Address", "record_path"]

API: Final = "/api/v1"
DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """The base address of a service, in parts.

    Args:
        scheme: ``http`` or ``https``.
        host: The host's name or number, in lower case, without brackets.
        port: The port.
        prefix: The path before ``/api/v1``, without a trailing slash.
        label: What messages call it, where that is not its host.
    """

    scheme: str
    host: str
    port: int
    prefix: str = ""
    label: str = ""

    @classmethod
    def parse(cls, base_url: str) -> Address:
        """Read a base address as a person types it; a trailing ``/`` or ``/api/v1`` is dropped.

        Raises:
            ConfigurationError: No scheme (the corrected address is named), not http or https, no host,
                a user name or password inside, or a query.
        """
        text = str(base_url).strip()
        if "://" not in text:
            guess = f"https://{text}" if text else "https://content.example.com"
            raise ConfigurationError(
                f"The base URL {_shown(text)!r} has no scheme.\nWrite base_url={_shown(guess)!r}."
            )
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
            parts = urlsplit("")
        scheme = parts.scheme.lower()
        if parts.username is not None or parts.password is not None:
            raise ConfigurationError(
                "The base URL holds a user name or password.\n"
                "Leave them out; the key goes into INKFRAME_API_KEY."
            )
        if scheme not in DEFAULT_PORTS or not host:
            raise ConfigurationError(
                f"The base URL {_shown(text)!r} is no web address.\n"
                "It looks like 'https://content.example.com'."
            )
        if parts.query or parts.fragment:
            raise ConfigurationError(
                f"The base URL {_shown(text)!r} has a query or fragment.\nLeave out all after the path."
            )
        prefix = re.sub(r"(/api/v1)?/*$", "", parts.path.rstrip("/"))
        return cls(scheme, host.lower(), port or DEFAULT_PORTS[scheme], prefix)

    @property
    def netloc(self) -> str:
        """Host and port as a URL writes them, the scheme's own port left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def name(self) -> str:
        """What messages call the service."""
        return self.label or self.netloc

    @property
    def origin(self) -> str:
        """Scheme, host and port: the only place the key travels to."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def base_url(self) -> str:
        """The address as ``connect`` takes it."""
        return f"{self.origin}{self.prefix}"

    @property
    def root(self) -> str:
        """The path that stands before ``/images`` and ``/documents``."""
        return f"{self.prefix}{API}"

    @property
    def is_loopback(self) -> bool:
        """Whether the host is this machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def holds(self, url: str) -> bool:
        """Whether an absolute URL has this scheme, host and port."""
        try:
            parts = urlsplit(url)
            port = parts.port or DEFAULT_PORTS.get(parts.scheme.lower())
            return (parts.scheme.lower(), parts.hostname, port) == (self.scheme, self.host, self.port)
        except ValueError:
            return False


def record_path(resource: str, id: int | str) -> str:
    """Give the path of one record, its id percent-encoded with nothing left as it is.

    Raises:
        InvalidArgument: The id is empty, ``.`` or ``..``, or holds a NUL or half a surrogate pair.
    """
    text = str(id)
    if text in {"", ".", ".."} or "\0" in text:
        raise InvalidArgument(
            f"{text!r} is no id.\nAn id is a number or a text, as in the index of a frame, or a record."
        )
    try:
        return f"/{resource}/{quote(text, safe='')}"
    except UnicodeEncodeError:
        raise InvalidArgument(f"{text!a} is no id: it holds half a surrogate pair.") from None


def _shown(text: str) -> str:
    # What a person pastes may hold a password before an at sign.
    text = re.sub(r"//[^/@]*@", "//", text)
    return text if len(text) <= 80 else f"{text[:79]}…"
