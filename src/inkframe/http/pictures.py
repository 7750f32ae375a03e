"""Pictures by location: those of the service with the key, others through a client without it."""

from __future__ import annotations

import base64
import binascii
import re
from contextlib import closing, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

import httpx

from inkframe.errors import (
    ConfigurationError,
    ConnectionFailed,
    InkframeError,
    NotFound,
    PermissionDenied,
    UnexpectedReply,
)
from inkframe.http.body import Response, is_base64_picture, read_response
from inkframe.http.connections import CancelScope, Socket, open_transport, proxy_of, tls_context, watch
from inkframe.http.key import bare, foreign_text, plain_text
from inkframe.http.pace import PASSING
from inkframe.system.public_address import is_public, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from ssl import SSLContext

    from inkframe.http.sender import Sender

__all__ = ["PictureFetcher", "is_picture"]

LARGEST_PICTURE: Final = 50 * 2**20
MOST_REDIRECTS: Final = 5
SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
#: The name or number of a host, without a scheme, port or path.
NAME: Final = re.compile(r"\[?[0-9a-f.%]*+:[0-9a-f.%]*+:[0-9a-f:.%]*+\]?|[^\s/:@?#\[\]]+", re.IGNORECASE)
#: The first bytes of the accepted formats.
SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def is_picture(data: bytes) -> bool:
    """Return whether bytes begin as PNG, JPEG, GIF or WEBP."""
    return data.startswith(SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


class PictureFetcher:
    """Fetches the bytes of pictures.

    Args:
        sender: The sender of requests to the service.
        hosts: Hosts inside a private network that pictures may be fetched from.
    """

    def __init__(self, sender: Sender, hosts: Iterable[str]) -> None:
        self._sender = sender
        self._trusted = {_canonical(sender.address.host), *_names(hosts)}

    @cached_property
    def _certificates(self) -> SSLContext:
        return httpx.create_ssl_context()

    def fetch(self, source: str) -> bytes:
        """Return the bytes of a picture.

        Args:
            source: An absolute address, a path on the service, a data URI, or base64.

        Raises:
            UnexpectedReply: It is not PNG, JPEG, WEBP or GIF, is too large, or is on a host that is not
                allowed.
            InkframeError: It could not be fetched.
        """
        data = self._bytes(source)
        if not is_picture(data):
            start = (
                "an SVG or HTML page"
                if data.lstrip()[:1] == b"<"
                else f"{len(data):,} bytes in another format"
            )
            raise UnexpectedReply(
                f"The picture must be PNG, JPEG, WEBP or GIF, got {start}.\nIt is not displayed."
            )
        return data

    def _bytes(self, source: str) -> bytes:
        if source.startswith("data:"):
            return _from_data_uri(source)
        if is_base64_picture(source) or not (source.startswith("/") or SCHEME.match(source)):
            return _from_base64(source)
        address = self._sender.address
        if source.startswith("//"):
            return self._elsewhere(f"{address.scheme}:{source}")
        if source.startswith("/"):
            return self._own(source)
        if address.holds(source):
            parts = urlsplit(source)
            return self._own(parts.path or "/", parts.query)
        return self._elsewhere(source)

    def _own(self, path: str, query: str = "") -> bytes:
        reply: Response = self._sender.send("GET", path, query=query, picture=True)
        if len(reply.body) > LARGEST_PICTURE:
            raise _too_large()
        return reply.body

    def _elsewhere(self, source: str) -> bytes:
        scope = CancelScope.current() or CancelScope()
        url = self._place(source)
        for _ in range(MOST_REDIRECTS + 1):
            reply = self._download(url, self._proxy(url), scope)
            status = reply.status
            if status in {301, 302, 303, 307, 308} and reply.headers.get("location"):
                target = self._place(reply.headers["location"], url)
                if url.scheme == "https" and target.scheme != "https":
                    raise UnexpectedReply("The picture redirects from https to http.\nIt was not fetched.")
                url = target
                continue
            if status == 200:
                return reply.body
            kind = {403: PermissionDenied, 404: NotFound, 410: NotFound}.get(status)
            expired = "Its address may have expired; fetch the record again."
            remedy = "Try again later." if status in PASSING else expired
            text = (
                f"The picture could not be fetched from {self._shown(url.host)}: status {status}.\n{remedy}"
            )
            raise ConnectionFailed(text) if kind is None else kind(text, status=status)
        raise UnexpectedReply(f"The picture redirects more than {MOST_REDIRECTS} times.\nIt was not fetched.")

    def _place(self, source: str, base: httpx.URL | None = None) -> httpx.URL:
        """Return the address of a picture, parsed once, so that all checks are of what is connected to."""
        url: httpx.URL | None = None
        with suppress(ValueError, httpx.InvalidURL):
            found = httpx.URL(source) if base is None else base.join(source)
            url = found if found.host else None  # a host in Punycode may be invalid
        if url is None or url.scheme not in {"http", "https"}:
            raise UnexpectedReply(
                f"The picture must have a web address, got {self._shown(source.partition('?')[0])}.\n"
                "It was not fetched."
            )
        if url.scheme == "http" and self._sender.address.scheme == "https":
            raise UnexpectedReply(
                "The address of the picture is http, but the service is https.\nIt was not fetched."
            )
        return url

    def _proxy(self, url: httpx.URL) -> str | None:
        """Return the proxy for an address, which must be allowed if known before connecting."""
        if _canonical(url.host) in self._trusted:
            return proxy_of(url.scheme, url.host)
        number = number_of(url.host)
        if number is not None and not is_public(number):
            raise self._private(url.host)
        proxy = proxy_of(url.scheme, url.host)
        if proxy is not None:
            host = self._shown(url.host)
            raise UnexpectedReply(
                f"The picture is at {host}, behind a proxy, which may lead into a private network.\n"
                f"It was not fetched. If you trust the host, use ink.connect(…, picture_hosts=[{host!r}])."
            )
        return None

    def _download(self, url: httpx.URL, proxy: str | None, scope: CancelScope) -> Response:
        refused: list[str] = []
        used = Socket()
        checked = proxy is None and _canonical(url.host) not in self._trusted

        def trace(event: str, info: Mapping[str, Any]) -> None:
            used.trace(event, info)
            if checked and event == "connection.connect_tcp.complete":
                # Checked on the open connection, before anything is sent, since DNS may change.
                stream = info["return_value"]
                peer = str(stream.get_extra_info("socket").getpeername()[0])
                if not is_public(peer):
                    refused.append(peer)
                    stream.close()
                    raise OSError("refused")

        failure: Exception | None = None
        scope.enter(used)
        try:
            with watch(used, self._sender.timeouts.read):
                return self._stream(url, proxy, trace)
        except Exception as error:  # noqa: BLE001  # one address must not fail other records
            failure = error
        finally:
            scope.leave(used)
        if refused:
            raise self._private(url.host)
        if isinstance(failure, InkframeError):
            raise bare(failure)
        raise ConnectionFailed(
            f"The picture could not be fetched from {self._shown(url.host)}.\n"
            "Try again, or fetch the record again."
        )

    def _stream(
        self, url: httpx.URL, proxy: str | None, trace: Callable[[str, Mapping[str, Any]], None]
    ) -> Response:
        timeouts = self._sender.timeouts
        seconds = {"connect": timeouts.connect, "read": timeouts.read, "write": timeouts.read, "pool": 1}
        request = httpx.Request(
            "GET",
            url,
            headers={"Accept": "image/*", "Accept-Encoding": "gzip, deflate"},
            extensions={"timeout": seconds, "trace": trace},
        )
        verify = self._certificates if url.scheme == "https" else tls_context(url.scheme, verify=True)
        # Without a client, which would log the address with its signature.
        with closing(open_transport(verify, proxy)) as transport:
            return read_response(transport.handle_request(request), limit=LARGEST_PICTURE)

    def _shown(self, text: str) -> str:
        return foreign_text(text, self._sender.key, 60)

    def _private(self, host: str) -> UnexpectedReply:
        host = self._shown(host)
        return UnexpectedReply(
            f"The picture is at {host}, inside a private network, and was not fetched.\n"
            f"If you trust the host, use ink.connect(…, picture_hosts=[{host!r}])."
        )


def _names(hosts: Iterable[str]) -> Iterable[str]:
    """Yield the hosts that pictures may be fetched from.

    Raises:
        ConfigurationError: One is not the name or number of a host.
    """
    for host in [hosts] if isinstance(hosts, str) else hosts:
        if isinstance(hosts, str) or not isinstance(host, str) or not NAME.fullmatch(host):
            raise ConfigurationError(
                f"picture_hosts must be a list of host names, got {plain_text(repr(hosts), 80)}.\n"
                "Write names without https:// and port: picture_hosts=['cdn.example.com']."
            )
        yield _canonical(host)


def _canonical(host: str) -> str:
    """Return a host in one spelling."""
    return number_of(host) or host.lower().rstrip(".")


def _too_large() -> UnexpectedReply:
    return UnexpectedReply(f"The picture is larger than {LARGEST_PICTURE // 2**20} MB.\nIt is not displayed.")


def _from_data_uri(source: str) -> bytes:
    head, _, data = source.partition(",")
    return _from_base64(data) if head.endswith(";base64") else unquote_to_bytes(data)


def _from_base64(text: str) -> bytes:
    if len(text) > LARGEST_PICTURE * 4 // 3:
        raise _too_large()
    packed = re.sub(r"\s+", "", text).replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (ValueError, binascii.Error):
        raise UnexpectedReply(
            "The location of the picture must be an address or base64.\nIt is not displayed."
        ) from None
