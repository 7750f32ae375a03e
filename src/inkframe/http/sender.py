"""All requests to a service, with key, retries, deadlines and bounds.

::

    Sender.send         tries at the pace of the client until there is a reply, a permanent error, or no time left
    └── _try            sends one request, reads within bounds, follows the redirects of reads
        └── Connection  one transport of the pool, with a socket that can be shut down
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx

from inkframe.errors import (
    AuthenticationError,
    ConfigurationError,
    InkframeError,
    OutcomeUnknown,
    UnexpectedReply,
)
from inkframe.http.body import Form, Response, parse_json, read_response
from inkframe.http.connections import Cancelled, CancelScope, Connection, ConnectionPool, proxy_of, watch
from inkframe.http.failures import Failure, broken, is_word, late, looping, redirected, refusal, unreadable
from inkframe.http.key import Key, bare, redact
from inkframe.http.pace import (
    LONGEST_WAIT,
    PAUSE,
    Clock,
    Pace,
    RealClock,
    RetryBudget,
    backoff,
    read_date,
    requests_left,
    rest_after,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from ssl import SSLContext

    from inkframe.http.address import Address

__all__ = ["Sender", "Timeouts"]

#: Gets a line of level INFO for each request, which is printed only if the user's program configures logging.
LOG: Final = logging.getLogger("inkframe")

#: The number of tries for a reply that is not JSON, outside of full listings.
UNREADABLE_TRIES: Final = 3
MOST_REDIRECTS: Final = 5
REDIRECTED: Final = 302
#: The seconds in all for which a create waits to be sent, and those after which it says so.
PATIENCE: Final = 60.0
SAID: Final = 10.0
USER_AGENT: Final = "inkframe/0.4"


class Sender:
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
        pool: The connections.
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
        self._origin = address.origin
        self.key = key
        self.timeouts = timeouts or Timeouts()
        self.in_process = in_process
        self.clock = clock or getattr(transport, "clock", None) or RealClock()
        self.pool = ConnectionPool(address, transport, verify=verify, in_process=in_process)
        self._max_retries = max_retries
        self._budget = RetryBudget()
        self._pace = Pace(self.clock, address.name)
        self._slashed: set[str] = set()  # the routes that require a trailing slash
        #: The date of the last reply, and the time of this machine.
        self._dated: tuple[str | None, float] = (None, 0.0)
        #: Shows a line to the user, once for each subject.
        self.say: Callable[[str, str], object] = str.format
        self._headers = [
            (b"Accept", b"application/json"),
            (b"Accept-Encoding", b"gzip, deflate"),
            (b"User-Agent", USER_AGENT.encode()),
        ]

    @property
    def sent(self) -> int:
        """The number of requests so far, with retries and redirects."""
        return self.pool.acquired

    @property
    def clock_offset(self) -> float:
        """The seconds by which the clock of the service is ahead of this machine's, as its last reply shows."""
        text, now = self._dated
        date = read_date(text)
        return 0.0 if date is None else date - now

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
        answered: bool = False,
    ) -> Response:
        """Send one request and return the reply, with retries where they are safe.

        Args:
            method: ``GET``, ``POST``, ``PUT``, ``PATCH`` or ``DELETE``. A ``POST`` is sent again only
                if it was certainly not received, or after a 429, for at most a minute in all.
            path: The path below ``/api/v1``, or the full path of a picture.
            query: The encoded query.
            form: The encoded form.
            tries: The maximum number of tries.
            seconds: The deadline of the call.
            scope: The scope that cancels the call from another thread; by default that of the current job.
            picture: Whether to return bytes instead of JSON.
            answered: Whether a reply that is an error is returned with it, instead of raised.

        Raises:
            InkframeError: The request failed; the class depends on the reason.
        """
        tries = tries or self._max_retries + 1
        is_create, began = method == "POST", self.clock.now()
        ends = began + (seconds or (self.timeouts.create if is_create else self.timeouts.read))
        latest = began + PATIENCE if is_create else float("inf")
        if path in self._slashed or f"{path.rpartition('/')[0]}/" in self._slashed:
            path += "/"
        url = f"{self._origin}{path}" if picture else f"{self._origin}{self.address.root}{path}"
        url = f"{url}?{query}" if query else url
        scope = scope or CancelScope.current()
        hold = partial(self._hold, method=method, scope=scope, began=began)
        hold(0)
        tried, hops, target = 1, 0, url
        while True:
            ends += self._pace.enter(min(ends, latest), hold) - min(ends, latest)
            answer = self._attempt(method, target, form, ends, scope, picture)
            if isinstance(answer, str):
                # A service counts both requests.
                self._pace.leave(REDIRECTED)
                if (hops := hops + 1) > MOST_REDIRECTS:
                    answer = target = url  # the address that the service chose may have the key
                    raise looping(self.address)
                target = answer
                continue
            if isinstance(answer, Response):
                left = requests_left(answer.headers)
                self._pace.leave(answer.status, rest_after(answer.headers) if left == 0 else None, left=left)
                self._budget.earn()
                self._dated = answer.headers.get("date"), time.time()
                return answer
            self._pace.leave(answer.status, answer.asked, answer.stated)
            self.key.is_refused |= isinstance(answer.error, AuthenticationError)
            if method == "DELETE" and tried > 1 and answer.status == 404:
                return Response(204, {}, b"")
            wait = self._wait(answer, method, tried, tries, min(ends, latest))
            target = url
            if wait is None:
                break
            hold(wait)
            tried, hops = tried + 1, 0
        if answered and answer.reply is not None:
            return replace(answer.reply, error=answer.error)
        # Raised outside of any handler, so that no traceback contains frames that had the key.
        raise self._final(answer, method, path)

    def _wait(self, failure: Failure, method: str, tried: int, tries: int, ends: float) -> float | None:
        """Return the seconds before the next try, or None if there is none."""
        again = failure.unsent or failure.status == 429 if method == "POST" else failure.passing
        if failure.unreadable and self._max_retries + 1 >= tries:
            tries = min(tries, UNREADABLE_TRIES)
        if not again or tried >= tries or (failure.asked or 0.0) > LONGEST_WAIT:
            return None
        wait = backoff(tried, failure.asked)
        if self.clock.now() + wait >= ends or not self._budget.spend():
            return None
        return wait

    def pause(self, seconds: float, method: str = "GET") -> None:
        """Wait before a request of the current job is sent.

        Args:
            seconds: The seconds to wait.
            method: The method of the request.

        Raises:
            Cancelled: It was cancelled.
            InkframeError: The client was closed.
        """
        self._hold(seconds, method, CancelScope.current(), float("inf"))

    def _hold(self, seconds: float, method: str, scope: CancelScope | None, began: float) -> None:
        """Wait before a request is sent.

        Args:
            seconds: The seconds to wait.
            method: The method of the request.
            scope: The scope that cancels it.
            began: When the first wait for a create began, which is said once it takes long.
        """
        ends = self.clock.now() + seconds
        if method == "POST" and ends - began > SAID:
            self.say(
                "wait",
                f"{self.address.name} asked to wait; a create is sent within {PATIENCE:g} s or not at all.",
            )
        while True:
            self.pool.check_open()
            if scope is not None and scope.refuses(method):
                raise Cancelled("The call was cancelled.")
            if (left := ends - self.clock.now()) <= 0:
                return
            if isinstance(self.clock, RealClock):
                self.clock.sleep(min(left, PAUSE))
            else:
                self._pace.jump(left)

    def _final(self, failure: Failure, method: str, path: str) -> BaseException:
        certain = failure.unsent or failure.refused or (self.in_process and failure.status >= 500)
        if method != "POST" or certain:
            return failure.error
        reason = str(failure.error).split("\n", 1)[0]
        unknown = OutcomeUnknown(
            f"The outcome of the create is unknown: POST {self.address.root}{path}.\n{reason}\n"
            "Call .reconcile() on this error: it searches for the record and never creates one."
        )
        unknown.__cause__ = failure.error
        return unknown

    def _attempt(self, *request: Any) -> Response | Failure | str:
        """Try once; any error while the reply is read becomes a failure without frames."""
        try:
            return self._try(*request)
        except ConfigurationError as error:
            return Failure(bare(error), unsent=True)
        except Exception as error:  # noqa: BLE001  # after a create was sent, no reply may end in another error
            text = f"The reply of {self.address.name} could not be read ({type(error).__name__})."
            return Failure(UnexpectedReply(f"{text}\nReport it to the service."))
        except BaseException as error:  # noqa: BLE001  # Ctrl-C, raised again by the caller
            return Failure(bare(error), refused=True)

    def _try(
        self, method: str, url: str, form: Form | None, ends: float, scope: CancelScope | None, picture: bool
    ) -> Response | Failure | str:
        """Send a request once; return the reply, the failure, or where it is redirected to if that is safe."""
        started = time.perf_counter()
        answer = self._exchange(method, url, form, ends, scope)
        if LOG.isEnabledFor(logging.INFO):
            outcome = (
                answer.status or type(answer.error).__name__ if isinstance(answer, Failure) else answer.status
            )
            spent = 1000 * (time.perf_counter() - started)
            LOG.info("%s %s: %s in %.0f ms", method, redact(urlsplit(url).path, self.key), outcome, spent)
        if isinstance(answer, Failure):
            return answer
        if 200 <= answer.status < 300:
            received = self.clock.now()
            parsed = answer if picture else self._parsed(answer, method)
            # What a write did is never given up, however long its reply takes to read.
            return (
                Failure(late(self.address))
                if method == "GET" and received <= ends < self.clock.now()
                else parsed
            )
        if not 300 <= answer.status < 400 or answer.status == 304:
            return refusal(answer, method, url, self.address, self.key)
        target = redirected(answer, method, url, self.address)
        if isinstance(target, str):
            self._learn_slash(url, target)
        return target

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
        try:
            body = self.key.masked(reply.body)
            return Response(reply.status, reply.headers, body, parse_json(body))
        except InkframeError as error:
            failure = Failure(error)
        except ValueError:
            failure = unreadable(reply, method, self.address, self.key)
        return Response(reply.status, reply.headers, b"") if method != "GET" and is_word(reply) else failure

    def _exchange(
        self, method: str, url: str, form: Form | None, ends: float, scope: CancelScope | None
    ) -> Response | Failure:
        """Send one request over one connection and read the complete reply."""
        if self.clock.now() >= ends:
            return Failure(late(self.address))
        connection = self.pool.acquire()
        failure: BaseException | None = None
        if scope is not None:
            scope.enter(connection.socket)
        try:
            reply = self._talk(connection, method, url, form, ends)
        except BaseException as error:  # noqa: BLE001  # every kind is handled below
            failure = error
        finally:
            if scope is not None:
                scope.leave(connection.socket)
        is_cancelled = scope is not None and scope.cancelled
        # A service in this process has said what became of a request that was cancelled.
        if failure is None and (
            reply.status < 300 or not is_cancelled if self.in_process else not connection.socket.cut
        ):
            (self.pool.discard if connection.socket.cut else self.pool.release)(connection)
            return reply
        self.pool.discard(connection)
        if failure is not None and not isinstance(failure, Exception):
            # Ctrl-C. Tracebacks print locals, and those of inner frames contain the headers of the request.
            return Failure(bare(failure), refused=True)
        if is_cancelled:
            return Failure(Cancelled("The call was cancelled."), refused=self.in_process and failure is None)
        if connection.socket.cut:
            return Failure(late(self.address))
        direct = self.pool.transport is not None
        return broken(
            failure, self.address, None if direct else proxy_of(self.address.scheme, self.address.host)
        )

    def _talk(
        self, connection: Connection, method: str, url: str, form: Form | None, ends: float
    ) -> Response:
        def check_time() -> None:
            if self.clock.now() > ends:
                raise late(self.address)

        remaining = ends - self.clock.now()
        if remaining <= 0:
            # The time may have passed while the connection was prepared; a socket refuses such a timeout.
            raise late(self.address)
        connect = min(self.timeouts.connect, remaining)
        where, target = connection.locate(url)
        extensions: dict[str, Any] = {
            "timeout": {"connect": connect, "read": remaining, "write": remaining, "pool": remaining},
            **target,
        }
        if self.pool.transport is None:
            extensions["trace"] = connection.socket.trace
        request = httpx.Request(
            method,
            where,
            headers=[(b"Host", where.netloc), *self._headers],
            content=None if form is None else form.content,
            # Without a stream httpx takes half of its time for the headers of a request that has no content.
            stream=httpx.ByteStream(b"") if form is None else None,
            extensions=extensions,
        )
        request.read()
        if form is not None:
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            if form.key is not None:
                request.headers["Idempotency-Key"] = form.key
        # Every URL here has the origin of the service, so that the key is sent nowhere else.
        request.headers["Authorization"] = self.key.bearer()
        if self.pool.transport is not None:
            return read_response(connection.transport.handle_request(request), check_time)
        with watch(connection.socket, remaining):
            return read_response(connection.transport.handle_request(request), check_time)

    def close(self) -> None:
        """End all calls in progress and close every connection."""
        self.pool.close()


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
