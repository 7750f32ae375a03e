"""The transport to the service without sockets: faults raise httpx exceptions, and waiting is virtual."""

import httpx
from tests.services.exchange import SeenRequest

#: The bytes of one chunk.
PIECE = 16_384
#: The number of chunks of a slow body; the clock advances between them.
DRIPS = 64


class FaultyTransport(httpx.BaseTransport):
    """Passes requests to a service in the same process.

    Timeouts of the request use the service's clock: a reply that starts too late raises
    ``httpx.ReadTimeout`` at once, and advances the clock by the timeout.

    Args:
        service: The service.
        clock: The service's clock; clients that use it to wait take no time.
    """

    def __init__(self, service, clock):
        self._service = service
        self.clock = clock

    def handle_request(self, request):
        """Return the reply to a request, or raise the error of a failed connection."""
        timeouts = request.extensions.get("timeout", {})
        reply, fault = self._service.answer(_seen(request))
        if fault.breaks == "refused":
            raise httpx.ConnectError("[Errno 111] Connection refused")
        if fault.breaks == "connect timeout":
            self._wait(timeouts.get("connect"), 0.0)
            raise httpx.ConnectTimeout("timed out")
        self._wait(fault.delay, timeouts.get("read"))
        headers = _headers(reply, fault)
        if fault.header_drip:
            self._drip(fault.header_drip, sum(len(name) + len(value) for name, value in headers), timeouts)
        if fault.breaks == "reset":
            raise httpx.ReadError("[Errno 104] Connection reset by peer")
        if fault.breaks == "closed":
            raise httpx.RemoteProtocolError("Server disconnected without sending a response.")
        if any(len(value) > 100_000 for _, value in headers):  # the limit of h11
            raise httpx.RemoteProtocolError("Receive buffer too long")
        body = _Body(self._arriving(reply.body, fault, timeouts))
        return httpx.Response(reply.status, headers=headers, stream=body)

    def _arriving(self, body, fault, timeouts):
        arriving = body[: len(body) // 2] if fault.breaks.endswith("in body") else body
        step = max(len(arriving) // DRIPS, 1) if fault.drip else PIECE
        for start in range(0, len(arriving), step):
            piece = arriving[start : start + step]
            if fault.drip:
                self._drip(fault.drip, len(piece), timeouts)
            yield piece
        if fault.breaks == "reset in body":
            raise httpx.ReadError("[Errno 104] Connection reset by peer")
        if fault.breaks == "closed in body":
            got = f"received {len(arriving)} bytes, expected {len(body)}"
            raise httpx.RemoteProtocolError(
                f"peer closed connection without sending complete message body ({got})"
            )
        while fault.endless:
            self.clock.advance(0.001)
            yield b" " * PIECE

    def _wait(self, seconds, timeout):
        """Advance the clock, or raise if the timeout is shorter."""
        if timeout and seconds is not None and seconds > timeout:
            self.clock.advance(timeout)
            raise httpx.ReadTimeout("The read operation timed out")
        if seconds == float("inf"):
            raise RuntimeError("the service never replies, and the request has no read timeout")
        self.clock.advance(seconds or 0.0)

    def _drip(self, interval, count, timeouts):
        """Advance the clock for each byte; only the pause between two bytes counts for the timeout."""
        self._wait(interval, timeouts.get("read"))
        self.clock.advance(interval * max(count - 1, 0))


class _Body(httpx.SyncByteStream):
    """The received part of a body."""

    def __init__(self, pieces):
        self._pieces = pieces

    def __iter__(self):
        return self._pieces


def _seen(request):
    url = request.url
    return SeenRequest(
        method=request.method,
        origin=f"{url.scheme}://{url.netloc.decode()}",
        target=url.raw_path.decode(),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=request.read(),
    )


def _headers(reply, fault):
    return [*reply.headers, *reply.length(endless=fault.endless)]
