"""The service on a port: ``inkframe serve``."""

from __future__ import annotations

import errno
import os
import signal
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from inkframe.errors import ConfigurationError
from inkframe.service.guard import Guard, Rate
from inkframe.service.routes import FORM_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inkframe.service.service import Service

__all__ = ["serve"]

THREADS = 8
#: Seconds after which a connection without a request in progress is closed, so that idle ones cannot fill the server.
IDLE = 10
#: Seconds that open requests have to finish after a signal to stop.
GRACE = 30.0


def serve(
    service: Service,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    ready: Callable[[str], None],
    rate_limit: int | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; open requests are finished first.

    Each request is logged to ``inkframe.service.access`` as one line of JSON, without query and headers.

    Args:
        service: The service. It is not closed.
        host: The address to listen on. Any address but loopback can be reached by others.
        port: The port to listen on; 0 takes a free one.
        ready: Called with the address, such as ``http://127.0.0.1:8421``, once the service is ready.
        rate_limit: The most requests per minute; None for no limit.

    Raises:
        ConfigurationError: The extra ``serve`` is not installed, or the port is not available.
    """
    try:
        from waitress import create_server
    except ImportError as error:
        raise ConfigurationError(
            'Serving requires the extra "serve".\nInstall it with: pip install "inkframe[serve]"'
        ) from error
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    rate = Rate(rate_limit) if rate_limit else None
    server = create_server(
        Guard(service.app, host, number, rate),
        sockets=[listener],
        threads=THREADS,
        ident=None,
        # A little more than the limit for forms, so that the application itself rejects a form that is too
        # large.
        max_request_body_size=2 * FORM_LIMIT,
        clear_untrusted_proxy_headers=True,
        channel_timeout=IDLE,
        cleanup_interval=IDLE,
    )
    try:
        with _stop_signals(server.pull_trigger) as stopping:
            ready(f"http://{f'[{host}]' if ':' in host else host}:{number}")
            _run(server, stopping)
    finally:
        server.task_dispatcher.shutdown(timeout=1)
        listener.close()
        server.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        number = (
            error.errno if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else None
        )
        reason = os.strerror(number) if number else getattr(error, "strerror", None) or str(error)
        of_port = number in (errno.EADDRINUSE, errno.EACCES) or isinstance(error, OverflowError)
        advice = (
            "Choose another port, or --port 0 for a free one."
            if of_port
            else "Choose an address of this machine."
        )
        raise ConfigurationError(f"Cannot listen on {host} port {port}: {reason}.\n{advice}") from error


@contextmanager
def _stop_signals(wake: Callable[[], None]) -> Iterator[threading.Event]:
    """Yield an event that SIGTERM and SIGINT set; outside the main thread nothing sets it."""
    stopping = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopping
        return

    def stop(_number: int, _frame: object) -> None:
        stopping.set()
        wake()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(server: Any, stopping: threading.Event) -> None:
    """Run the server's loop until the stop event, then until open requests are finished."""
    while not stopping.is_set():
        server.asyncore.loop(timeout=1, map=server._map, count=1)  # noqa: SLF001  # no public step
    server.accepting = False
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        busy = [c for c in server.active_channels.values() if c.requests or c.total_outbufs_len]
        for channel in server.active_channels.values():
            channel.will_close = channel.will_close or channel not in busy
        if not busy:
            return
        server.asyncore.loop(timeout=0.05, map=server._map, count=1)  # noqa: SLF001  # as above
