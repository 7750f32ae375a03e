"""The one place of the engine that talks to its endpoint: key, time, size, and what is tried again."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx
import orjson

from inkframe.engines.openai.allowed_hosts import check_place, is_loopback, refuse_private
from inkframe.engines.openai.error_answers import read_refusal
from inkframe.engines.openai.key import Bearer
from inkframe.engines.protocol import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Endpoint"]

CONNECT_SECONDS: Final = 5.0
#: How often a connection is tried, and the seconds between.
TRIES: Final = 2
PAUSE: Final = 0.2
#: The most bytes of an answer: a large picture in base64.
MOST_BYTES: Final = 64 * 2**20


class EndpointReply(NamedTuple):
    """An answer, read whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Endpoint:
    """An endpoint of the OpenAI protocol.

    Args:
        base_url: Its address.
        key: Its key.
        timeout: Seconds for one call in all.
    """

    def __init__(self, base_url: str, key: Bearer, timeout: float) -> None:
        self._key = key
        self._base_url = base_url
        self._timeout = timeout
        self._timeouts = httpx.Timeout(timeout, connect=CONNECT_SECONDS)
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.netloc
        # Redirects are not followed: a key goes to the address that was set, and to no other.
        self._client = httpx.Client(
            auth=key,
            timeout=self._timeouts,
            trust_env=not is_loopback(parts.hostname or ""),
            # Reading the certificates takes 20 ms: never for plain http.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if parts.scheme == "http" else True,
            headers={"User-Agent": "inkframe", "Accept": "application/json"},
        )

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a request for a picture or a text and give the answer.

        Raises:
            Refused: The model will not make it.
            Unavailable: There is no usable answer.
        """
        return self._answer("POST", path, orjson.dumps(body))

    def get(self, path: str) -> dict[str, Any]:
        """Ask for something that costs nothing.

        Raises:
            Unavailable: There is no usable answer.
        """
        return self._answer("GET", path)

    def fetch(self, location: str) -> bytes:
        """Give the bytes of a picture at an address that the endpoint named.

        Raises:
            Unavailable: It could not be fetched, or is at a place that is not fetched from.
        """
        url = urljoin(f"{self._base_url}/", location)
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" == self._origin:
            reply = self._send("GET", url)
        else:
            check_place(url)
            # A client that knows no key; nor a login, which httpx would look for in .netrc.
            with httpx.Client(auth=Bearer(""), timeout=self._timeouts) as stranger:
                reply = self._send("GET", url, stranger=stranger)
        if reply.status != 200:
            raise Unavailable(f"The picture at {parts.netloc} answered {reply.status}.", status=502)
        return reply.body

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _answer(self, method: str, path: str, content: bytes | None = None) -> dict[str, Any]:
        found = self._read(self._send(method, self._base_url + path, content))
        if isinstance(found, Exception):
            # Raised here: an answer may repeat the key, and no frame of an error holds it.
            raise found
        return found

    def _read(self, reply: EndpointReply) -> dict[str, Any] | Exception:
        try:
            answer = orjson.loads(reply.body)
        except orjson.JSONDecodeError:
            answer = None
        # Some gateways pass an error on with status 200.
        if reply.status != 200 or (isinstance(answer, dict) and answer.get("error")):
            return read_refusal(reply.status, reply.headers, answer, self._host, self._key)
        if not isinstance(answer, dict):
            return Unavailable(
                f"{self._host} answered with something that is no JSON object."
                " Check INKFRAME_OPENAI_BASE_URL: most end in /v1.",
                status=502,
            )
        return answer

    def _send(
        self, method: str, url: str, content: bytes | None = None, stranger: httpx.Client | None = None
    ) -> EndpointReply:
        """Send, and once more where no connection was made: then nothing was received, and nothing charged."""
        ends = time.monotonic() + self._timeout
        for tried in range(1, TRIES + 1):
            failure: BaseException | None = None
            try:
                return self._exchange(method, url, content, ends, stranger)
            except BaseException as error:  # noqa: BLE001  # every kind is named below
                failure = error
            if not isinstance(failure, httpx.ConnectError | httpx.ConnectTimeout) or tried == TRIES:
                break
            time.sleep(PAUSE)
        # Raised here, outside of any handler: no traceback reaches into frames that saw the key.
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
                    raise Unavailable(f"The answer has more than {MOST_BYTES // 2**20} MB.", status=502)
            return EndpointReply(response.status_code, response.headers, bytes(body))

    def _trouble(self, failure: BaseException | None, host: str) -> BaseException:
        """Say what a failure means; the classes of the HTTP library go no further."""
        known = "Check INKFRAME_OPENAI_BASE_URL." if host == self._host else "It is where the picture is."
        match failure:
            case Unavailable() | None:
                return failure or Unavailable(f"{host} cannot be asked.")
            case httpx.ConnectError() | httpx.ConnectTimeout():
                text = f"{host} does not answer. Is the server running there? {known}"
                return Unavailable(text, status=503, retry_after=1)
            case httpx.TimeoutException():
                return Unavailable(
                    f"{host} gave no complete answer in {self._timeout:g} s."
                    " It may have been charged. INKFRAME_OPENAI_TIMEOUT allows more.",
                    status=504,
                )
            case httpx.TransportError() | httpx.InvalidURL() | OSError():
                text = (
                    f"The connection to {host} broke before the answer was whole. It may have been charged."
                )
                return Unavailable(text, status=502)
            case Exception():
                return Unavailable(f"{host} could not be asked ({type(failure).__name__}).", status=502)
            case _:
                # Ctrl-C; inner frames held the headers of the request.
                return failure.with_traceback(None)
