"""Pictures by location: those of the service with the key, others through a client without it."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
import socket
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes, urljoin, urlsplit
from urllib.request import getproxies

import httpx

from inkframe.concurrency.cancellation import CancelScope
from inkframe.errors import ConnectionFailed, InkframeError, NotFound, PermissionDenied, UnexpectedReply
from inkframe.http.body import CutShort, is_base64_picture, unpack
from inkframe.http.deadline import Socket, watch
from inkframe.http.foreign_text import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inkframe.http.response import Response
    from inkframe.http.sender import Sender

__all__ = ["PictureFetcher", "is_picture"]

LARGEST_PICTURE: Final = 50 * 2**20
MOST_REDIRECTS: Final = 5
#: The first bytes of the accepted formats.
SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def is_picture(data: bytes) -> bool:
    """Return whether bytes begin as PNG, JPEG, GIF or WEBP."""
    return data.startswith(SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


class PictureFetcher:
    """Fetches the bytes of pictures.

    Args:
        conversation: The sender of requests to the service.
        hosts: Hosts inside a private network that pictures may be fetched from.
    """

    def __init__(self, conversation: Sender, hosts: Iterable[str] = ()) -> None:
        self._conversation = conversation
        self._hosts = frozenset(host.lower() for host in hosts)

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
        if is_base64_picture(source):
            return _from_base64(source)
        address = self._conversation.address
        if source.startswith("/") and not source.startswith("//"):
            return self._own(source)
        if not urlsplit(source).scheme and not source.startswith("//"):
            return _from_base64(source)
        if address.holds(source):
            parts = urlsplit(source)
            return self._own(parts.path or "/", parts.query)
        return self._elsewhere(urljoin(f"{address.origin}/", source))

    def _own(self, path: str, query: str = "") -> bytes:
        reply: Response = self._conversation.send("GET", path, query=query, picture=True)
        if len(reply.body) > LARGEST_PICTURE:
            raise _too_large()
        return reply.body

    def _elsewhere(self, url: str) -> bytes:
        scope = CancelScope.current() or CancelScope()
        for _ in range(MOST_REDIRECTS + 1):
            self._check_place(url)
            status, headers, body = self._download(url, scope)
            scope.pushed_back += status in {429, 503}
            if status in {301, 302, 303, 307, 308} and headers.get("location"):
                target = urljoin(url, headers["location"])
                if urlsplit(url).scheme == "https" and urlsplit(target).scheme != "https":
                    raise UnexpectedReply("The picture redirects from https to http.\nIt was not fetched.")
                url = target
                continue
            if status == 200:
                return body
            kind = {403: PermissionDenied, 404: NotFound, 410: NotFound}.get(status)
            text = (
                f"The picture could not be fetched from {_host(url)}: status {status}.\n"
                "Its address may have expired; fetch the record again."
            )
            if kind is not None:
                raise kind(text, status=status)
            raise ConnectionFailed(text)
        raise UnexpectedReply(f"The picture redirects more than {MOST_REDIRECTS} times.\nIt was not fetched.")

    def _check_place(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UnexpectedReply(
                f"The picture must have a web address, got {plain_text(url, 60)}.\nIt was not fetched."
            )
        if parts.scheme == "http" and self._conversation.address.scheme == "https":
            raise UnexpectedReply(
                "The address of the picture is http, but the service is https.\nIt was not fetched."
            )
        # A proxy opens the connection, so that only the name can be checked.
        if getproxies() and not all(
            self._allows(parts.hostname, number) for number in _numbers(parts.hostname)
        ):
            raise _private(parts.hostname)

    def _allows(self, host: str, number: str) -> bool:
        """Return whether an address is allowed: public, of the service, or listed by the user."""
        if host.lower() in self._hosts or host.lower() == self._conversation.address.host:
            return True
        try:
            address = ipaddress.ip_address(number.split("%", maxsplit=1)[0])
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return (mapped or address).is_global and not address.is_multicast

    def _download(self, url: str, scope: CancelScope) -> tuple[int, Mapping[str, str], bytes]:
        host = urlsplit(url).hostname or ""
        refused: list[str] = []
        used = Socket()

        def trace(event: str, info: Mapping[str, Any]) -> None:
            used.trace(event, info)
            if event == "connection.connect_tcp.complete" and not getproxies():
                # Checked on the open connection, before anything is sent, since DNS may change.
                peer = info["return_value"].get_extra_info("socket").getpeername()[0]
                if not self._allows(host, peer):
                    refused.append(peer)
                    raise OSError("refused")

        failure: Exception | None = None
        scope.enter(used)
        try:
            with watch(used, self._conversation.timeouts.read):
                return self._stream(url, trace)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, CutShort, InkframeError) as error:
            failure = error
        finally:
            scope.leave(used)
        if refused:
            raise _private(host)
        if isinstance(failure, InkframeError):
            raise failure
        raise ConnectionFailed(
            f"The picture could not be fetched from {host}.\nTry again, or fetch the record again."
        )

    def _stream(
        self, url: str, trace: Callable[[str, Mapping[str, Any]], None]
    ) -> tuple[int, Mapping[str, str], bytes]:
        timeouts = self._conversation.timeouts
        headers = {"Accept": "image/*", "Accept-Encoding": "gzip, deflate"}
        with (
            httpx.Client(timeout=httpx.Timeout(timeouts.read, connect=timeouts.connect)) as client,
            client.stream("GET", url, headers=headers, extensions={"trace": trace}) as response,
        ):
            encoding = response.headers.get("content-encoding", "")
            body = unpack(response.iter_raw(), encoding, LARGEST_PICTURE)
            return response.status_code, response.headers, body


def _private(host: str) -> UnexpectedReply:
    return UnexpectedReply(
        f"The picture is at {host}, inside a private network, and was not fetched.\n"
        f"If you trust the host, use ink.connect(…, picture_hosts=[{host!r}])."
    )


def _numbers(host: str) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, None)]


def _host(url: str) -> str:
    return urlsplit(url).hostname or "its address"


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
