"""Requests to the endpoint: its timeout, size limit, retries, errors, and hosts of pictures."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies

import httpx
import orjson

from inkframe.errors import UnexpectedReply
from inkframe.http.address import Address
from inkframe.http.body import CutShort, Response, read_response
from inkframe.http.connections import (
    CancelScope,
    Connection,
    ConnectionPool,
    open_transport,
    proxy_of,
    tls_context,
    watch,
)
from inkframe.http.key import Key, foreign_text
from inkframe.http.pace import retry_after
from inkframe.service.engines import Refused, Unavailable
from inkframe.system.public_address import is_public

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = [
    "Endpoint",
    "check_place",
    "read_refusal",
    "refuse_private",
]

CONNECT_SECONDS: Final = 5.0
#: The number of connection attempts, and the seconds between them.
TRIES: Final = 2
PAUSE: Final = 0.2
#: The most bytes of a response: a large picture in base64.
MOST_BYTES: Final = 64 * 2**20
HEADERS: Final = {
    "User-Agent": "inkframe",
    "Accept": "application/json",
    "Accept-Encoding": "gzip, deflate",
    "Content-Type": "application/json",
}
#: What a request has instead of a parameter that not every server knows: another one, or nothing.
INSTEAD: Final = {"max_tokens": "max_completion_tokens", "seed": "", "response_format": ""}

#: Codes and types of errors about the prompt.
ABOUT_THE_PROMPT: Final = {
    "content_filter",
    "contentFilter",
    "content_policy_violation",
    "context_length_exceeded",
    "exceed_context_size_error",
    "image_generation_user_error",
    "invalid_prompt",
    "moderation_blocked",
    "string_above_max_length",
}
#: The messages of such errors from servers without codes.
SAID_OF_THE_PROMPT: Final = re.compile(
    r"context (?:length|size|window)|content (?:management )?policy|safety system|moderation", re.IGNORECASE
)
#: The service's field for a parameter of the protocol; None is the description or the prompt.
FIELDS: Final[dict[str, str | None]] = {
    "prompt": None,
    "messages": None,
    "size": "resolution",
    "temperature": "creativity",
}
#: Reasoning models often support no other temperature.
DEFAULT_TEMPERATURE: Final = " A creativity of 0.75 sets the default temperature, 1."
#: The statuses of a path that the server does not have.
NO_PATH: Final = (404, 405, 501)
#: Codes of exhausted quotas, for which waiting does not help.
USED_UP: Final = {"insufficient_quota", "billing_hard_limit_reached"}
#: Seconds to wait for a rate limit without Retry-After.
PATIENCE: Final = 10.0
LONGEST: Final = 300


class Endpoint:
    """An OpenAI-compatible endpoint, with a connection for each request at once.

    Args:
        base_url: Its address.
        key: Its key; empty for an endpoint without one.
        timeout: Seconds for one call in total.
    """

    def __init__(self, base_url: str, key: Key, timeout: float) -> None:
        self._key = key
        self._base_url = base_url
        self._timeout = timeout
        self._origin = urlsplit(base_url)[:2]
        self._host = self._origin[1]
        #: The parameters that the server has refused.
        self._refused: set[str] = set()
        self._pool = ConnectionPool(Address.parse(base_url), None, verify=True, in_process=False)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request for a picture or a text and return the response.

        A parameter that the server refuses, which costs nothing, is replaced or left out, now and later.

        Raises:
            Refused: The model declines.
            Unavailable: There is no usable response.
        """
        while True:
            names = {name: INSTEAD[name] if name in self._refused else name for name in body}
            try:
                return self._answer(
                    "POST", path, orjson.dumps({new: body[name] for name, new in names.items() if new})
                )
            except Unavailable as trouble:
                refused = {
                    name
                    for name in INSTEAD
                    if name == names.get(name) and re.search(rf"\b{name}\b", trouble.parameter)
                }
                if trouble.status != 503 or not refused:
                    raise
                self._refused |= refused

    def get(self, path: str) -> dict[str, Any]:
        """Send a request that is free and return the response.

        Raises:
            Unavailable: There is no usable response.
        """
        return self._answer("GET", path)

    def fetch(self, location: str) -> bytes:
        """Fetch the picture at an address from the endpoint, and return its bytes.

        Raises:
            Unavailable: It could not be fetched, or its host is not allowed.
        """
        url = urljoin(f"{self._base_url}/", location)
        parts = urlsplit(url)
        if is_foreign := parts[:2] != self._origin:  # another scheme, host or port
            check_place(url)
        reply = self._send("GET", url, is_foreign=is_foreign)
        if reply.status != 200:
            raise Unavailable(f"The picture at {parts.netloc} returned status {reply.status}.", status=502)
        return reply.body

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def _answer(self, method: str, path: str, content: bytes | None = None) -> dict[str, Any]:
        found = self._read(self._send(method, self._base_url + path, content))
        if isinstance(found, Exception):
            # Raised here, since a response may repeat the key, and no frame of an error may contain it.
            raise found
        return found

    def _read(self, reply: Response) -> dict[str, Any] | Exception:
        try:
            answer = orjson.loads(reply.body)
        except orjson.JSONDecodeError:
            answer = None
        # Some gateways forward an error with status 200.
        if reply.status != 200 or (isinstance(answer, dict) and answer.get("error")):
            return read_refusal(reply.status, reply.headers, answer, self._host, self._key)
        if not isinstance(answer, dict):
            return Unavailable(
                f"{self._host} did not return a JSON object."
                " Check INKFRAME_OPENAI_BASE_URL: most end in /v1.",
                status=502,
            )
        return answer

    def _send(
        self, method: str, url: str, content: bytes | None = None, *, is_foreign: bool = False
    ) -> Response:
        """Send a request, and retry only failed connections: nothing was received or charged then."""
        ends, scope = time.monotonic() + self._timeout, CancelScope.current() or CancelScope()
        for tried in range(1, TRIES + 1):
            failure: BaseException | None = None
            try:
                return self._exchange(method, url, content, ends, scope, is_foreign=is_foreign)
            except BaseException as error:  # noqa: BLE001  # every kind is handled below
                failure = error
            is_unsent = isinstance(failure, httpx.ConnectError | httpx.ConnectTimeout)
            if not is_unsent or tried == TRIES or scope.cancelled:
                break
            time.sleep(min(PAUSE, self._timeout / 10))
        # Raised here, outside of any handler: no traceback includes frames with the key.
        if scope.cancelled and isinstance(failure, Exception):
            raise Unavailable("The create was cancelled.")
        late = time.monotonic() >= ends and isinstance(failure, httpx.TransportError)
        raise self._trouble(httpx.ReadTimeout("") if late else failure, urlsplit(url).netloc)

    def _exchange(
        self,
        method: str,
        url: str,
        content: bytes | None,
        ends: float,
        scope: CancelScope,
        *,
        is_foreign: bool,
    ) -> Response:
        """Send a request once. No other host gets the key, and redirects are not followed."""
        self._pool.check_open()
        connection = self._stranger(url) if is_foreign else self._pool.acquire()
        left = max(ends - time.monotonic(), 0.01)
        timeouts = {"connect": min(CONNECT_SECONDS, left), "read": left, "write": left, "pool": left}

        def trace(event: str, info: Mapping[str, Any]) -> None:
            connection.socket.trace(event, info)
            if is_foreign:
                refuse_private(event, info)

        request = httpx.Request(
            method, url, headers=HEADERS, content=content, extensions={"timeout": timeouts, "trace": trace}
        )
        if self._key.use(bool) and not is_foreign:
            request.headers["Authorization"] = self._key.bearer()
        scope.enter(connection.socket)
        is_usable = False
        try:
            with watch(connection.socket, left):
                reply = read_response(connection.transport.handle_request(request), limit=MOST_BYTES)
            is_usable = not (is_foreign or connection.socket.cut)
            return reply
        finally:
            scope.leave(connection.socket)
            (self._pool.release if is_usable else self._pool.discard)(connection)

    def _stranger(self, url: str) -> Connection:
        """Return a connection to another host."""
        parts = urlsplit(url)
        verify = tls_context(parts.scheme, verify=True)
        return Connection(open_transport(verify, proxy_of(parts.scheme, parts.hostname or "")))

    def _trouble(self, failure: BaseException | None, host: str) -> BaseException:
        """Return the error for a failure, without any class of the HTTP library."""
        known = "Check INKFRAME_OPENAI_BASE_URL." if host == self._host else "The picture is there."
        match failure:
            case Unavailable() | None:
                return failure or Unavailable(f"{host} cannot be reached.")
            case httpx.ConnectError() | httpx.ConnectTimeout():
                text = f"{host} does not respond. Is the server running there? {known}"
                return Unavailable(text, status=503, retry_after=1)
            case httpx.TimeoutException():
                return Unavailable(
                    f"{host} did not send a complete response within {self._timeout:g} s."
                    " Set INKFRAME_OPENAI_TIMEOUT to allow more.",
                    status=504,
                )
            case UnexpectedReply():
                return Unavailable(f"{host} sent too much: {str(failure).partition(chr(10))[0]}", status=502)
            case httpx.TransportError() | httpx.InvalidURL() | OSError() | CutShort():
                return Unavailable(f"The connection to {host} broke during the response.", status=502)
            case Exception():
                return Unavailable(f"{host} could not be reached ({type(failure).__name__}).", status=502)
            case _:
                # Ctrl-C: inner frames have the headers of the request.
                return failure.with_traceback(None)


def read_refusal(
    status: int, headers: Mapping[str, str], answer: Any, host: str, key: Key
) -> Refused | Unavailable:
    """Return the exception for an error response.

    Args:
        status: Its status; for 200, the status in the body counts.
        headers: Its headers.
        answer: Its body as JSON, or None.
        host: The name of the endpoint in messages.
        key: The key, which no message may contain.
    """
    error = _error(answer)
    if status == 200:
        status = code if isinstance(code := error.get("code"), int) and 400 <= code < 600 else 502
    names = {error.get("code"), error.get("type")}
    said = _said(error, key)
    parameter = _parameter(error)
    about_prompt = names & ABOUT_THE_PROMPT or parameter in FIELDS or SAID_OF_THE_PROMPT.search(said)
    if status == 413 or (status in (400, 422) and about_prompt):
        advice = DEFAULT_TEMPERATURE if parameter == "temperature" else ""
        return Refused(f"The model refused{said}{advice}", FIELDS.get(parameter))
    if status == 429 and names & USED_UP:
        return Unavailable(f"{host} has no quota left{said}", status=402)
    if status == 429:
        wait = retry_after(headers)
        wait = PATIENCE if wait is None else wait
        return Unavailable(f"{host} received too many requests{said}", status=429, retry_after=wait)
    if status == 503:
        return Unavailable(f"{host} is overloaded{said}", status=503, retry_after=retry_after(headers))
    if status in (401, 403):
        # A message about the key often contains it.
        return Unavailable(f"{host} did not accept the key. Check INKFRAME_OPENAI_API_KEY.", parameter="key")
    if 300 <= status < 400:
        return Unavailable(f"{host} redirects elsewhere. Check INKFRAME_OPENAI_BASE_URL.", status=503)
    if status in NO_PATH:
        is_model = "model" in f"{names}{said}".lower()
        wrong = "model" if is_model else "path; check INKFRAME_OPENAI_BASE_URL"
        return Unavailable(f"{host} has no such {wrong}{said}", status=503 if is_model else 405)
    if status in (408, 504):
        return Unavailable(f"{host} took too long{said}", status=504)
    # A request that was declined costs nothing.
    return Unavailable(
        f"{host} returned status {status}{said}",
        status=502 if status >= 500 else 503,
        parameter=parameter or said,
    )


def _error(answer: Any) -> dict[str, Any]:
    """Return the error of a response as an object, from any of the known shapes."""
    found = answer.get("error") or answer.get("detail") or answer if isinstance(answer, dict) else answer
    if isinstance(found, list) and found:
        found = found[0]
    if isinstance(found, str):
        return {"message": found}
    return found if isinstance(found, dict) else {}


def _parameter(error: dict[str, Any]) -> str:
    """Return the parameter of an error, from a field or a path, or an empty text."""
    place = error.get("loc")
    named = error.get("param") or (place[-1] if isinstance(place, list) and place else "")
    return str(named).partition("[")[0]


def _said(error: dict[str, Any], key: Key) -> str:
    """Return the message of an error as the end of a sentence: one short line without the key."""
    words = error.get("message") or error.get("msg")
    text = foreign_text(words, key, LONGEST).rstrip(".") if isinstance(words, str) else ""
    return f": {text}." if text else "."


def check_place(url: str) -> None:
    """Check that the address of a picture is a valid https URL.

    Raises:
        Unavailable: It is not.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise Unavailable("The picture was not fetched, since its address is not an https URL.", status=502)


def refuse_private(event: str, info: Mapping[str, Any]) -> None:
    """Close a connection to a private network before anything is sent.

    The check uses the open connection, since a name may resolve to another address each time. A proxy opens
    its own connections and is trusted.

    Raises:
        Unavailable: The address is private.
    """
    if event != "connection.connect_tcp.complete" or getproxies():
        return
    stream = info["return_value"]
    if not is_public(stream.get_extra_info("server_addr")[0]):
        stream.close()  # the caller does not have it yet
        raise Unavailable(
            "The picture was not fetched, since its address is in a private network.", status=502
        )
