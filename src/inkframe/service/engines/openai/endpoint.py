"""Requests to the endpoint: its key, timeout, size limit and retries."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx
import orjson

from inkframe.http.forking import Forkable, on_fork
from inkframe.service.engines import Unavailable
from inkframe.service.engines.openai.allowed_hosts import check_place, is_loopback, refuse_private
from inkframe.service.engines.openai.error_answers import read_refusal
from inkframe.service.engines.openai.key import Bearer

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Endpoint"]

CONNECT_SECONDS: Final = 5.0
#: The number of connection attempts, and the seconds between them.
TRIES: Final = 2
PAUSE: Final = 0.2
#: The most bytes of a response: a large picture in base64.
MOST_BYTES: Final = 64 * 2**20


class EndpointReply(NamedTuple):
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Endpoint(Forkable):
    """An OpenAI-compatible endpoint.

    Args:
        base_url: Its address.
        key: Its key.
        timeout: Seconds for one call in total.
    """

    def __init__(self, base_url: str, key: Bearer, timeout: float) -> None:
        self._key = key
        self._base_url = base_url
        self._timeout = timeout
        self._timeouts = httpx.Timeout(timeout, connect=CONNECT_SECONDS)
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.netloc
        self._client = self._opened()
        on_fork(self)

    def _opened(self) -> httpx.Client:
        parts = urlsplit(self._base_url)
        # Redirects are not followed: the key is sent to the configured address only.
        return httpx.Client(
            auth=self._key,
            timeout=self._timeouts,
            trust_env=not is_loopback(parts.hostname or ""),
            # Reading the certificates takes 20 ms, so plain http skips it.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if parts.scheme == "http" else True,
            headers={"User-Agent": "inkframe", "Accept": "application/json"},
        )

    def after_fork(self, *, in_child: bool) -> None:
        """Open new connections in a child, since replies on shared ones could reach the wrong process."""
        if in_child:
            self._client = self._opened()

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request for a picture or a text and return the response.

        Raises:
            Refused: The model declines.
            Unavailable: There is no usable response.
        """
        return self._answer("POST", path, orjson.dumps(body))

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
        if f"{parts.scheme}://{parts.netloc}" == self._origin:
            reply = self._send("GET", url)
        else:
            check_place(url)
            # A client without the key, and without a login, which httpx would read from .netrc.
            with httpx.Client(auth=Bearer(""), timeout=self._timeouts) as stranger:
                reply = self._send("GET", url, stranger=stranger)
        if reply.status != 200:
            raise Unavailable(f"The picture at {parts.netloc} returned status {reply.status}.", status=502)
        return reply.body

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _answer(self, method: str, path: str, content: bytes | None = None) -> dict[str, Any]:
        found = self._read(self._send(method, self._base_url + path, content))
        if isinstance(found, Exception):
            # Raised here, since a response may repeat the key, and no frame of an error may contain it.
            raise found
        return found

    def _read(self, reply: EndpointReply) -> dict[str, Any] | Exception:
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
        self, method: str, url: str, content: bytes | None = None, stranger: httpx.Client | None = None
    ) -> EndpointReply:
        """Send a request, and retry only failed connections: nothing was received or charged then."""
        ends = time.monotonic() + self._timeout
        for tried in range(1, TRIES + 1):
            failure: BaseException | None = None
            try:
                return self._exchange(method, url, content, ends, stranger)
            except BaseException as error:  # noqa: BLE001  # every kind is handled below
                failure = error
            if not isinstance(failure, httpx.ConnectError | httpx.ConnectTimeout) or tried == TRIES:
                break
            time.sleep(PAUSE)
        # Raised here, outside of any handler: no traceback includes frames with the key.
        raise self._trouble(failure, urlsplit(url).netloc)

    def _exchange(
        self, method: str, url: str, content: bytes | None, ends: float, stranger: httpx.Client | None
    ) -> EndpointReply:
        client = stranger or self._client
        headers = {} if content is None else {"Content-Type": "application/json"}
        extensions = {"trace": refuse_private} if stranger else {}
        with client.stream(method, url, content=content, headers=headers, extensions=extensions) as response:
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if time.monotonic() > ends:
                    raise httpx.ReadTimeout("the time is up")
                if len(body) > MOST_BYTES:
                    raise Unavailable(f"The response has more than {MOST_BYTES // 2**20} MB.", status=502)
            return EndpointReply(response.status_code, response.headers, bytes(body))

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
                    " It may have been charged. Set INKFRAME_OPENAI_TIMEOUT to allow more.",
                    status=504,
                )
            case httpx.TransportError() | httpx.InvalidURL() | OSError():
                text = f"The connection to {host} broke during the response. It may have been charged."
                return Unavailable(text, status=502)
            case Exception():
                return Unavailable(f"{host} could not be reached ({type(failure).__name__}).", status=502)
            case _:
                # Ctrl-C: inner frames have the headers of the request.
                return failure.with_traceback(None)
