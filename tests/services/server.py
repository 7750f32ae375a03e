"""The service on real sockets, for faults of connections: resets, truncated bodies, slow bytes."""

import socket
import struct
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.services.exchange import SeenRequest

#: Seconds between checks for the end of the server.
POLL = 0.01
#: Closing a socket with this linger option sends a reset.
RESET = struct.pack("ii", 1, 0)
BLOCK = b" " * 16_384


@contextmanager
def serving(service):
    """Serve on a free port of 127.0.0.1 for the duration of the block; yield the base URL."""
    server = _Server(service)
    thread = threading.Thread(
        target=server.serve_forever, args=(POLL,), name="inkframe-faulty-service", daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, service):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.service = service
        self.stopping = threading.Event()

    def handle_error(self, request, client_address):
        """Print nothing: these tests are about callers that disconnect."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    resets = False

    def setup(self):
        super().setup()
        self.connection.settimeout(None)

    def finish(self):
        super().finish()
        if self.resets:
            with suppress(OSError):
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self.connection.close()

    def log_message(self, format, *args):
        """Log nothing: the service records every request."""

    def _converse(self):
        length = int(self.headers.get("Content-Length") or 0)
        reply, fault = self.server.service.answer(
            SeenRequest(
                method=self.command,
                origin=f"http://{self.headers.get('Host', '')}",
                target=self.path,
                headers={name.lower(): value for name, value in self.headers.items()},
                body=self.rfile.read(length),
            )
        )
        self._wait(fault.delay)
        if fault.breaks in {"refused", "connect timeout", "reset"}:
            self._break(reset=True)
        elif fault.breaks == "closed":
            self._break(reset=False)
        else:
            self._send(reply, fault)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _converse  # noqa: N815  # names of the standard library

    def _send(self, reply, fault):
        headers = [*reply.headers, *reply.length(endless=fault.endless)]
        lines = [f"HTTP/1.1 {reply.status} {reply.reason}", *(f"{name}: {value}" for name, value in headers)]
        self._drip("\r\n".join((*lines, "", "")).encode("latin-1"), fault.header_drip)
        if fault.endless:
            self._pour(reply.body)
        elif fault.breaks:
            self._drip(reply.body[: len(reply.body) // 2], fault.drip)
            self._break(reset=fault.breaks == "reset in body")
        else:
            self._drip(reply.body, fault.drip)

    def _drip(self, data, interval):
        if not interval:
            self.connection.sendall(data)
            return
        for byte in data:
            self._wait(interval)
            self.connection.sendall(bytes((byte,)))

    def _pour(self, body):
        block = body or BLOCK  # an empty chunk would end the body
        while not self.server.stopping.is_set():
            self.connection.sendall(f"{len(block):x}\r\n".encode() + block + b"\r\n")
            block = BLOCK
        self.close_connection = True

    def _wait(self, seconds):
        if seconds and self.server.stopping.wait(min(seconds, threading.TIMEOUT_MAX)):
            raise ConnectionAbortedError("the server ends")

    def _break(self, *, reset):
        self.resets = reset
        self.close_connection = True
