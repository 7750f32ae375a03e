"""One reply of a service, read within bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inkframe.http.body import LARGEST_BODY, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import httpx

__all__ = ["Response", "read_response"]


@dataclass(frozen=True, slots=True)
class Response:
    """A complete reply. Its repr has no text of the service, which may be long or contain the key.

    Args:
        status: The HTTP status.
        headers: The headers by lower-case name.
        body: The decompressed bytes.
        value: The JSON in the body, or None if there is none.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    value: Any = field(default=None, repr=False)


def read_response(response: httpx.Response, check_time: Callable[[], None]) -> Response:
    """Read a complete reply and close it.

    Args:
        response: The reply of a transport.
        check_time: Raises an error after the deadline; called for every chunk, since a custom transport has no
            socket to shut down.
    """
    try:
        headers = dict(response.headers.items())
        if response.is_stream_consumed:
            # The reply of a custom transport may be read and decompressed already.
            return Response(response.status_code, headers, response.content)
        chunks = _timely(response.iter_raw(), check_time)
        body = unpack(chunks, headers.get("content-encoding", ""), LARGEST_BODY)
        return Response(response.status_code, headers, body)
    finally:
        response.close()


def _timely(chunks: Iterator[bytes], check_time: Callable[[], None]) -> Iterator[bytes]:
    for chunk in chunks:
        check_time()
        yield chunk
