"""All requests to a service, with key, retries, deadlines and bounds.

::

    Sender.send         tries until there is a reply, a permanent error, or no time left
    └── _try            sends one request, reads within bounds, follows the redirects of reads
        └── Connection  one transport with a socket that can be shut down
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx

from inkframe.concurrency.cancellation import CancelScope
from inkframe.concurrency.forking import Forkable, on_fork
from inkframe.errors import (
    AuthenticationError,
    ConfigurationError,
    DeadlineExceeded,
    InkframeError,
    OutcomeUnknown,
    PermissionDenied,
    UnexpectedReply,
)
from inkframe.http.body import LARGEST_BODY, parse_json, unpack
from inkframe.http.clock import RealClock
from inkframe.http.connection import Connection, open_transport, proxy_of, tls_context
from inkframe.http.deadline import watch
from inkframe.http.error_replies import refusal, spoken_refusal
from inkframe.http.failures import Failure, broken, is_word, redirected, unreadable
from inkframe.http.response import Response
from inkframe.http.retry import RetryBudget, backoff
from inkframe.http.tracebacks import bare

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ssl import SSLContext

    from inkframe.http.address import Address
    from inkframe.http.clock import Clock
    from inkframe.http.encoding import Form
    from inkframe.http.key import Key

__all__ = ["Sender", "Timeouts"]

#: The longest wait in seconds that a service may request; a longer one is an error at once.
LONGEST_WAIT: Final = 120.0
#: The number of tries for a reply that is not JSON, outside of full listings.
UNREADABLE_TRIES: Final = 3
MOST_REDIRECTS: Final = 5
USER_AGENT: Final = "inkframe/0.1"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The timeouts in seconds.

    Args:
        connect: For opening a connection.
        read: For a list, fetch, update or delete, including retries.
        create: For a create, since generating takes longer.
    """

    connect: float = 5
    read: float = 30
    create: float = 180


class Sender(Forkable):
    """Sends requests to one service.

    Args:
        address: The address of the service.
        key: The API key.
        transport: An httpx transport to use instead of the network.
        timeouts: The timeouts in seconds.
        max_retries: The maximum number of retries after a temporary failure.
        verify: Whether certificates are checked, or the context that checks them.
        in_process: Whether the service runs in this process and stores nothing when it fails.
        clock: The clock; by default the attribute ``clock`` of the transport, if it has one.

    Attributes:
        sent: The number of requests so far, with retries and redirects.
    """

    def __init__(
        self,
        address: Address,
        key: Key,
        *,
        transport: httpx.BaseTransport | None = None,
        timeouts: Timeouts | None = None,
        max_retries: int = 4,
        verify: bool | SSLContext = True,
        in_process: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self.address = address
        self.key = key
        self.timeouts = timeouts or Timeouts()
        self.in_process = in_process
        self.clock = clock or getattr(transport, "clock", None) or RealClock()
        self._transport = transport
        self.verify = verify
        self.sent = 0
        self._max_retries = max_retries
        self._budget = RetryBudget()
        self._everything = CancelScope()
        self._lock = threading.Lock()
        self._free: list[Connection] = []
        #: The routes that require a trailing slash.
        self._slashed: set[str] = set()
        #: Whether the connections belong to the parent of this process.
        self._inherited = False
        on_fork(self)
        self._headers = [
            (b"Host", address.netloc.encode("idna" if not address.netloc.isascii() else "ascii")),
            (b"Accept", b"application/json"),
            (b"Accept-Encoding", b"gzip, deflate"),
            (b"User-Agent", USER_AGENT.encode()),
        ]

    def send(
        self,
        method: str,
        path: str,
        *,
        query: str = "",
        form: Form | None = None,
        tries: int | None = None,
        seconds: float | None = None,
        scope: CancelScope | None = None,
        picture: bool = False,
    ) -> Response:
        """Send one request and return the reply, with retries where they are safe.

        Args:
            method: ``GET``, ``POST``, ``PUT``, ``PATCH`` or ``DELETE``. A ``POST`` is sent again only
                if it was certainly not received, or if the service asks to wait.
            path: The path below ``/api/v1``, or the full path of a picture.
            query: The encoded query.
            form: The encoded form.
            tries: The maximum number of tries.
            seconds: The deadline of the call.
            scope: The scope that cancels the call from another thread; by default that of the current job.
            picture: Whether to return bytes instead of JSON.

        Raises:
            InkframeError: The request failed; the class depends on the reason.
        """
        if self._everything.cancelled:
            raise InkframeError("This client is closed.\nOpen a new one with ink.connect().")
        if self._inherited:
            raise InkframeError(
                "The transport of this client belongs to the parent of this forked process.\n"
                "Open a new client in this process."
            )
        tries = tries or self._max_retries + 1
        seconds = seconds or (self.timeouts.create if method == "POST" else self.timeouts.read)
        ends = self.clock.now() + seconds
        if path in self._slashed or f"{path.rpartition('/')[0]}/" in self._slashed:
            path += "/"
        url = path if picture else self.address.root + path
        url = f"{self.address.origin}{url}?{query}" if query else self.address.origin + url
        scope = scope or CancelScope.current()
        tried = 0
        while True:
            tried += 1
            answer = self._attempt(method, url, form, ends, scope, picture)
            if isinstance(answer, Response):
                self._budget.earn()
                return answer
            if method == "DELETE" and tried > 1 and answer.status == 404:
                return Response(204, {}, b"")
            if scope is not None and answer.status in {429, 503}:
                scope.pushed_back += 1
            wait = self._wait(answer, method, tried, tries, ends)
            if wait is None:
                break
            self.pause(wait, scope)
        # Raised outside of any handler, so that no traceback contains frames that had the key.
        raise self._final(answer, method, path)

    def _wait(self, failure: Failure, method: str, tried: int, tries: int, ends: float) -> float | None:
        """Return the seconds before the next try, or None if there is none."""
        if method == "POST":
            again = failure.unsent or (failure.status in {429, 503} and failure.asked is not None)
        else:
            again = failure.passing
        if failure.unreadable and self._max_retries + 1 >= tries:
            tries = min(tries, UNREADABLE_TRIES)
        if not again or tried >= tries:
            return None
        if failure.asked is not None and failure.asked > LONGEST_WAIT:
            return None
        wait = backoff(tried, failure.asked)
        if self.clock.now() + wait >= ends or not self._budget.spend():
            return None
        return wait

    def pause(self, seconds: float, scope: CancelScope | None = None) -> None:
        """Wait for some seconds, or until the scope is cancelled; by default that of the current job."""
        scope = scope or CancelScope.current()
        if scope is not None and isinstance(self.clock, RealClock):
            scope.wait(seconds)
        else:
            self.clock.sleep(seconds)

    def _final(self, failure: Failure, method: str, path: str) -> BaseException:
        certain = failure.unsent or failure.refused or (self.in_process and failure.status >= 500)
        if method != "POST" or certain or not isinstance(failure.error, InkframeError):
            return failure.error
        reason = str(failure.error).split("\n", 1)[0]
        unknown = OutcomeUnknown(
            f"The outcome of the create is unknown: POST {self.address.root}{path}.\n{reason}\n"
            "Call .reconcile() on this error: it searches for the record and never creates one."
        )
        unknown.__cause__ = failure.error
        return unknown

    def _attempt(self, *request: Any) -> Response | Failure:
        """Try once; any error while the reply is read becomes a failure without frames."""
        try:
            return self._try(*request)
        except ConfigurationError as error:
            return Failure(bare(error), unsent=True)
        except Exception as error:  # noqa: BLE001  # after a create was sent, no reply may end in another error
            kind = type(error).__name__
        except BaseException as error:  # noqa: BLE001  # Ctrl-C, raised again by the caller
            return Failure(bare(error), refused=True)
        text = f"The reply of {self.address.name} could not be read ({kind}).\nReport it to the service."
        return Failure(UnexpectedReply(text))

    def _try(
        self, method: str, url: str, form: Form | None, ends: float, scope: CancelScope | None, picture: bool
    ) -> Response | Failure:
        """Send a request once, following redirects where that is safe; return the reply or the failure."""
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._exchange(method, url, form, ends, scope)
            if isinstance(answer, Failure):
                return answer
            if 200 <= answer.status < 300:
                return answer if picture else self._parsed(answer, method)
            if not 300 <= answer.status < 400 or answer.status == 304:
                return refusal(answer, method, url, self.address, self.key)
            target = redirected(answer, method, url, self.address)
            if not isinstance(target, str):
                return target
            self._learn_slash(url, target)
            url = target
        loop = f"{self.address.name} redirects in a loop.\nCheck base_url: it is the address before /api/v1."
        return Failure(UnexpectedReply(loop), refused=True)

    def _learn_slash(self, url: str, target: str) -> None:
        """Remember whether a route requires a trailing slash."""
        old, new = (urlsplit(each).path.removeprefix(self.address.root) for each in (url, target))
        for learn, short, other in ((self._slashed.add, old, new), (self._slashed.discard, new, old)):
            if other == f"{short}/":
                # All records of a collection share one route.
                parent = short.rpartition("/")[0]
                learn(f"{parent}/" if parent else short)

    def _parsed(self, reply: Response, method: str) -> Response | Failure:
        if not reply.body.strip():
            return Response(reply.status, reply.headers, b"")
        problem: InkframeError | None = None
        try:
            return Response(reply.status, reply.headers, reply.body, parse_json(reply.body))
        except InkframeError as error:
            problem = error
        except ValueError:
            pass
        if method != "GET" and is_word(reply):
            return Response(reply.status, reply.headers, b"")
        if problem is not None:
            return Failure(problem)
        return unreadable(reply, method, self.address, self.key)

    def _exchange(
        self, method: str, url: str, form: Form | None, ends: float, scope: CancelScope | None
    ) -> Response | Failure:
        """Send one request over one connection and read the complete reply."""
        if self.clock.now() >= ends:
            return Failure(self._late())
        with self._lock:
            self.sent += 1
        connection = self._acquire()
        failure: BaseException | None = None
        scopes = (self._everything,) if scope is None else (self._everything, scope)
        for each in scopes:
            each.enter(connection.socket)
        try:
            reply = self._talk(connection, method, url, form, ends)
        except BaseException as error:  # noqa: BLE001  # every kind is handled below
            failure = error
        finally:
            for each in scopes:
                each.leave(connection.socket)
        if failure is None and not connection.socket.cut:
            self._release(connection)
            return reply
        if self._transport is None:
            connection.transport.close()
        if failure is not None and not isinstance(failure, Exception):
            # Ctrl-C. Tracebacks print locals, and those of inner frames contain the headers of the request.
            return Failure(bare(failure), refused=True)
        if scope is not None and scope.cancelled:
            return Failure(InkframeError("The call was cancelled."))
        if connection.socket.cut:
            return Failure(self._late())
        return broken(failure, self.address)

    def _talk(
        self, connection: Connection, method: str, url: str, form: Form | None, ends: float
    ) -> Response:
        remaining = ends - self.clock.now()
        connect = min(self.timeouts.connect, remaining)
        extensions: dict[str, Any] = {
            "timeout": {"connect": connect, "read": remaining, "write": remaining, "pool": remaining},
        }
        if self._transport is None:
            extensions["trace"] = connection.socket.trace
        content = None if form is None else form.content
        request = httpx.Request(method, url, headers=self._headers, content=content, extensions=extensions)
        if form is not None:
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            if form.key is not None:
                request.headers["Idempotency-Key"] = form.key
        # Every URL here has the origin of the service, so that the key is sent nowhere else.
        request.headers["Authorization"] = self.key.bearer()
        if self._transport is not None:
            return self._read(connection.transport.handle_request(request), ends)
        with watch(connection.socket, remaining):
            return self._read(connection.transport.handle_request(request), ends)

    def _read(self, response: httpx.Response, ends: float) -> Response:
        try:
            headers = dict(response.headers.items())
            if response.is_stream_consumed:
                # The reply of a custom transport may be read and decompressed already.
                return Response(response.status_code, headers, response.content)
            chunks = self._timely(response.iter_raw(), ends)
            body = unpack(chunks, headers.get("content-encoding", ""), LARGEST_BODY)
            return Response(response.status_code, headers, body)
        finally:
            response.close()

    def _timely(self, chunks: Iterator[bytes], ends: float) -> Iterator[bytes]:
        # A custom transport has no socket to shut down.
        for chunk in chunks:
            if self.clock.now() > ends:
                raise self._late()
            yield chunk

    def _late(self) -> DeadlineExceeded:
        return DeadlineExceeded(
            f"{self.address.name} sent no complete reply in time.\n"
            "Allow more time: ink.connect(…, timeout=120)."
        )

    def _acquire(self) -> Connection:
        with self._lock:
            if self._free:
                return self._free.pop()
            if isinstance(self.verify, bool) and self._transport is None:
                self.verify = tls_context(self.address.scheme, verify=self.verify)
        proxy = proxy_of(self.address.scheme, self.address.host)
        return Connection(self._transport or open_transport(self.verify, proxy))

    def _release(self, connection: Connection) -> None:
        with self._lock:
            self._free.append(connection)

    def after_fork(self, *, in_child: bool) -> None:
        """Open new connections in a child; replies on shared ones could reach the wrong process."""
        if not in_child:
            return
        # Another thread of the parent may have held the locks.
        self._lock = threading.Lock()
        if not self._everything.cancelled:
            self._everything = CancelScope()
        free, self._free = self._free, []
        if self._transport is None:
            for connection in free:
                connection.transport.close()
        # A service in process has no sockets; it opens its library anew.
        self._inherited = self._transport is not None and not self.in_process

    def accepts(self, key: Key) -> bool:
        """Return whether the service answers a list of images for another key.

        Raises:
            InkframeError: The request failed for another reason than the key.
        """
        other = Sender(
            self.address, key, transport=self._transport, timeouts=self.timeouts, verify=self.verify
        )
        self.sent += 1
        try:
            reply = other.send("GET", "/images", tries=1)
        except (AuthenticationError, PermissionDenied):
            return False
        finally:
            if self._transport is None:
                other.close()
        return spoken_refusal(reply.value, key) is None

    def close(self) -> None:
        """End all calls in progress and close every connection."""
        self._everything.cancel()
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.transport.close()
