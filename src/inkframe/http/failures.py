"""Requests that fail: what is wrong between a request and a readable reply, and error replies of every known shape."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from http.client import responses
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

import httpx

from inkframe.errors import (
    AuthenticationError,
    ConfigurationError,
    ConnectionFailed,
    DeadlineExceeded,
    InkframeError,
    NotFound,
    PermissionDenied,
    RateLimited,
    ServerError,
    ServiceError,
    UnexpectedReply,
    ValidationFailed,
)
from inkframe.http.body import CutShort, Response, parse_json
from inkframe.http.error_bodies import fields_named_in, read_error_text, read_refusal
from inkframe.http.key import Key, bare, foreign_text, plain_text, redact
from inkframe.http.pace import PASSING, retry_after, stated_rate

if TYPE_CHECKING:
    from inkframe.http.address import Address

__all__ = [
    "DELETED",
    "OUTCOMES",
    "REFUSED",
    "SUCCESSES",
    "Failure",
    "broken",
    "is_word",
    "late",
    "looping",
    "redirected",
    "refusal",
    "spoken_refusal",
    "unreadable",
]

LOGIN: Final = re.compile(r"(^|[/_.-])(log-?in|sign-?in|sso|auth|oauth2?|session)([/_.?-]|$)", re.IGNORECASE)
COMPLAINT: Final = re.compile(
    rb"error|fail|exception|invalid|denied|warning|cannot|can't|\bnot?\b", re.IGNORECASE
)
#: The maximum number of bytes of a confirmation.
LONGEST_WORD: Final = 200
#: Messages of operating systems for a name without an address.
UNKNOWN_NAME: Final = "name|resolution|getaddrinfo|no address associated"
#: Express has its message in a ``<pre>`` below a title without information.
TITLES: Final = tuple(
    re.compile(rf"<({name})[^<>]*>(.*?)(?:</\1|\Z)", re.IGNORECASE | re.DOTALL)
    for name in ("title|h1", "pre")
)

KINDS: Final[dict[int, type[ServiceError]]] = {
    400: ValidationFailed,
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFound,
    406: ValidationFailed,
    407: AuthenticationError,
    410: NotFound,
    419: AuthenticationError,
    422: ValidationFailed,
    429: RateLimited,
}
#: The statuses by which a service refuses a create. After any other error it may have happened.
REFUSED: Final = frozenset({400, 401, 402, 403, 404, 405, 406, 413, 414, 415, 422, 429})
#: The remedy for each kind of error, at most one line.
ADVICE: Final[dict[type[ServiceError], str]] = {
    AuthenticationError: "Check the key: INKFRAME_API_KEY, or ink.connect(…, api_key=…).",
    PermissionDenied: "Ask the service to grant this key the permission.",
    ValidationFailed: "Correct the values and try again.",
    ServerError: "The service failed; try again later.",
}
#: The largest body in bytes that is searched for a message; a longer one is a page, a trace or a list.
LARGEST_ERROR: Final = 2**18
#: What a failure looks like in a reply with a status of success: names in lower case and without ``_``.
SUCCESSES: Final = ("success", "ok", "succeeded", "issuccess")
DELETED: Final = (*SUCCESSES, "deleted", "deletedcount")
NUMBERS: Final = ("status", "stat", "code", "statuscode", "error")
ERRORS: Final = ("error", "errors", "fault")
#: All of them: a reply without any of these keys reports no failure.
OUTCOMES: Final = frozenset({*DELETED, *NUMBERS, *ERRORS})
#: The most fields of an error, and messages of each.
MOST_FIELDS: Final = 50
MOST_TEXTS: Final = 10


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed try.

    Args:
        error: The error to raise if this was the last try.
        passing: Whether another try may succeed.
        unsent: Whether the request was certainly not received.
        refused: Whether the request was certainly not carried out.
        unreadable: Whether there was a reply that is not JSON.
        status: The HTTP status, 0 if there was none.
        asked: The seconds to wait that the service requested.
        stated: The number of requests, and the seconds in which they are allowed, that it stated.
        reply: The reply, if there was a complete one.
    """

    error: BaseException
    passing: bool = False
    unsent: bool = False
    refused: bool = False
    unreadable: bool = False
    status: int = 0
    asked: float | None = None
    stated: tuple[int, float] | None = None
    reply: Response | None = None


def broken(failure: BaseException | None, address: Address, proxy: str | None = None) -> Failure:
    """Convert an error of the HTTP library; its classes are not exposed.

    Args:
        failure: The error.
        address: The address of the service.
        proxy: The address of the proxy that it is reached through; its password is not shown.
    """
    host = address.name
    proxy = proxy and plain_text(urlsplit(proxy).netloc.rpartition("@")[2], 80)
    match failure:
        case InkframeError():
            # Its frames refer to the headers of the request and to the body, which may be large.
            return Failure(bare(failure))
        case CutShort():
            text = f"The reply of {host} was truncated.\nTry again, or report it to the service."
            return Failure(ConnectionFailed(text), passing=True)
        case httpx.ConnectTimeout():
            host = f"The proxy {proxy}" if proxy else host
            text = f"{host} did not accept the connection in time.\nCheck the address and your network."
            return Failure(ConnectionFailed(text), passing=True, unsent=True)
        case httpx.ConnectError() | httpx.ProxyError():
            # A name or certificate that is wrong now is wrong a second later.
            passing = not re.search(rf"{UNKNOWN_NAME}|SSL|certificate", str(failure), re.IGNORECASE)
            return Failure(_unreachable(failure, address, proxy), passing=passing, unsent=True)
        case httpx.TimeoutException():
            return Failure(late(address), passing=True)
        case httpx.UnsupportedProtocol() | httpx.InvalidURL() | httpx.LocalProtocolError():
            text = f"The request to {host} could not be built.\nCheck base_url."
            return Failure(ConfigurationError(text), unsent=True)
        case httpx.TransportError() | OSError():
            text = f"The connection to {host} broke before the reply was complete."
            if address.scheme == "http":
                text += f"\nIf the service uses https, connect to 'https://{address.netloc}'."
            return Failure(ConnectionFailed(text), passing=True)
        case _:
            text = f"The connection to {host} failed in an unexpected way ({type(failure).__name__})."
            return Failure(ConnectionFailed(text))


def late(address: Address) -> DeadlineExceeded:
    """Return the error for a reply that was not complete at its deadline."""
    return DeadlineExceeded(
        f"{address.name} sent no complete reply in time.\nAllow more time: ink.connect(…, timeout=120)."
    )


def _unreachable(failure: Exception, address: Address, proxy: str | None) -> ConnectionFailed:
    said = str(failure)
    host = address.host
    if "WRONG_VERSION_NUMBER" in said or "record layer" in said:
        return ConnectionFailed(
            f"{address.netloc} does not use https.\nTry 'http://{address.netloc}' if you trust the network."
        )
    if "CERTIFICATE" in said.upper():
        return ConnectionFailed(
            f"The certificate of {host} was not accepted.\n"
            "Check the address. For a private authority, pass verify=ssl.create_default_context(cafile=…)."
        )
    if proxy:
        refused = isinstance(failure, httpx.ProxyError)
        reason = f"refused it: {plain_text(said, 80)}" if refused else "does not answer"
        return ConnectionFailed(
            f"{address.netloc} cannot be reached: the proxy {proxy} {reason}.\n"
            f"Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or set NO_PROXY={host} to connect directly."
        )
    if re.search(UNKNOWN_NAME, said, re.IGNORECASE):
        return ConnectionFailed(
            f"No server named {host!r} was found.\n"
            "Check the spelling and your network; ink.connect() without an address works offline."
        )
    return ConnectionFailed(
        f"{address.netloc} does not answer: is the service running there?\n"
        "Check the address and your network; ink.connect() without an address works offline."
    )


def looping(address: Address) -> UnexpectedReply:
    """Return the error for too many redirects."""
    return UnexpectedReply(
        f"{address.name} redirects in a loop.\nCheck base_url: it is the address before /api/v1."
    )


def redirected(reply: Response, method: str, url: str, address: Address) -> str | Response | Failure:
    """Interpret a redirect.

    Returns:
        The address to send the same request to, within the same origin; for a write only the same path with a
        slash added or removed. A reply without a body if a write was done or may have been done. Otherwise
        the failure.
    """
    location = reply.headers.get("location", "")
    try:
        target = urljoin(url, location)
        parts = urlsplit(target)
    except ValueError:
        parts, target = urlsplit(""), ""
    status, asked = reply.status, urlsplit(url)
    here = parts.hostname == address.host and bool(location)
    same_path = parts.path.rstrip("/") == asked.path.rstrip("/")
    # These were not handled by the service. A create that was handled redirects with 302 or 303.
    unhandled = status in {307, 308} or (same_path and status == 301)
    refused = method != "POST"
    if here and same_path and (parts.scheme, asked.scheme) == ("https", "http"):
        refused = refused or status != 303  # of another scheme, so that it was not handled
        port = f":{parts.port}" if parts.port else ""
        error: InkframeError = ConfigurationError(
            f"The service requires https: it redirects from {address.origin}.\n"
            f"Connect to 'https://{address.host}{port}{address.prefix}'."
        )
    elif LOGIN.search(parts.path) and not parts.path.startswith(asked.path):
        error = AuthenticationError(
            "The service requires a login.",
            status=status,
            summary=f"The key was not accepted: {address.netloc} redirects to a login page.\n"
            "Check INKFRAME_API_KEY and base_url.",
        )
    elif (
        here
        and same_path
        and parts.path != asked.path
        and (unhandled or (method != "POST" and status != 303))
    ):
        # The scheme and port of the target may be those behind a proxy.
        return urlunsplit(asked._replace(path=parts.path))
    elif method == "GET" and location and address.holds(target):
        return target
    elif here and _is_done(status, method, parts.path, asked.path):
        return Response(status, reply.headers, b"")
    else:
        where = "another host" if parts.hostname not in {None, address.host} else "another address"
        error = UnexpectedReply(
            f"{address.netloc} redirects {method} to {where}, which is not followed (status {status}).\n"
            "The key and the data are sent to base_url only; check it."
        )
    return Failure(error, refused=refused, status=status, reply=None if refused else reply)


def _is_done(status: int, method: str, target: str, asked: str) -> bool:
    """Return whether a redirect confirms a write, or for a create may confirm it."""
    # The target of a create is fetched later; an update or a delete leads to its record or to the list.
    own = asked.rstrip("/")
    back = method == "POST" or target.rstrip("/") in {own, own.rpartition("/")[0]}
    return method != "GET" and (status == 303 or (status in {301, 302} and back))


def is_word(reply: Response) -> bool:
    """Return whether a body is a short confirmation such as ``OK``, not a page, JSON or an error message."""
    text = reply.body.strip()
    return len(text) <= LONGEST_WORD and text[:1] not in b"<{[" and not COMPLAINT.search(text)


def unreadable(reply: Response, method: str, address: Address, key: Key) -> Failure:
    """Return the failure of a reply that is not JSON; of a page the message has only the title."""
    error = UnexpectedReply(
        f"{address.name} sent {what_came(reply, key)} instead of JSON (status {reply.status}).\n"
        "Check base_url: it is the address before /api/v1."
    )
    return Failure(error, passing=method != "POST", unreadable=True, status=reply.status, reply=reply)


def what_came(reply: Response, key: Key) -> str:
    """Describe a body that is not JSON, such as by the title of a web page."""
    start = reply.body[:4096].lstrip()
    if not start:
        return "nothing"
    if start.startswith(b"<"):
        page = start.decode("utf-8", "replace")
        titles = [unescape(found[2]) for each in TITLES if (found := each.search(page))]
        title = foreign_text(": ".join(titles), key, 80)
        return f"a web page titled {title!r}" if title else "a web page"
    if start[:1] in b"{[":
        return f"{len(reply.body):,} bytes of invalid JSON"
    return f"{len(reply.body):,} bytes of {foreign_text(reply.headers.get('content-type', 'something'), key, 40)}"


def refusal(reply: Response, method: str, url: str, address: Address, key: Key) -> Failure:
    """Build the error for a reply of 4xx or 5xx."""
    status = reply.status
    kind = KINDS.get(status) or (ServerError if status >= 500 else ServiceError)
    value: Any = None
    if len(reply.body) <= LARGEST_ERROR:
        try:
            value = parse_json(reply.body)
        except Exception:  # noqa: BLE001  # the body is optional, the status is enough
            value = read_error_text(reply.body)
    message, fields = _told(value, key, in_words=kind is ValidationFailed)
    if kind in {ValidationFailed, ServiceError} and status == 409 and fields:
        kind = ValidationFailed
    message = message or _phrase(status, reply, key)
    asked = retry_after(reply.headers) if status in {409, 429} or status >= 500 else None
    # An id may be anything, such as the key by mistake.
    path = redact(url.removeprefix(address.origin).split("?", 1)[0], key)
    error = kind(
        message,
        status=status,
        fields=fields,
        request_id=_request_id(reply, key),
        retry_after=asked,
        summary=_summary(kind, message, fields, f"{method} {path}", status, address, asked),
    )
    return Failure(
        error,
        passing=status in PASSING,
        refused=method != "POST" or status in REFUSED,
        status=status,
        asked=asked,
        stated=stated_rate(reply.headers) if status == 429 else None,
        reply=Response(status, reply.headers, reply.body, None if isinstance(value, str) else value),
    )


def spoken_refusal(reply: Response, key: Key, successes: tuple[str, ...] = SUCCESSES) -> ServiceError | None:
    """Return the error in a reply of status 200 that reports a failure, or None.

    Args:
        reply: The reply.
        key: The key, which is removed.
        successes: The keys that tell whether it succeeded.
    """
    value = reply.value if isinstance(reply.value, dict) else {}
    named = {str(name).lower().replace("_", ""): found for name, found in value.items()}
    numbers = [n for n in map(named.get, NUMBERS) if type(n) is int and 400 <= n < 600]
    failed = any(named.get(name) in (False, 0) for name in successes) or any(
        str(named.get(name)).lower() in {"error", "fail", "failure", "false"} for name in ("status", "stat")
    )
    if not (failed or numbers or any(map(named.get, ERRORS))):
        return None
    message, fields = _told(value, key)
    if failed and not message and not fields:
        message = "The service reported a failure without a reason."
    if not message and not fields:
        return None
    said = next((number for number in numbers if number in KINDS or number >= 500), None)
    kind = _kind_of(message, fields) if said is None else KINDS.get(said, ServerError)
    return kind(
        message,
        status=said or 200,
        fields=fields,
        summary=f"{message}\nThe service reported this error with status 200.",
    )


def _told(value: Any, key: Key, *, in_words: bool = False) -> tuple[str, dict[str, list[str]]]:
    """Return the message and the messages by field of an error body, cleaned for display.

    Args:
        value: The body.
        key: The key, which is removed.
        in_words: Whether fields may be named in the message only.
    """
    message, fields = read_refusal(value)
    if in_words and not fields:
        fields = fields_named_in(message)
    return foreign_text(message, key), {
        foreign_text(name, key, 80): [foreign_text(text, key) for text in texts[:MOST_TEXTS]]
        for name, texts in list(fields.items())[:MOST_FIELDS]
    }


_KINDS_BY_WORDS: Final = {
    re.compile(r"not[ _]?found|no such|does not exist", re.IGNORECASE): NotFound,
    re.compile(
        r"unauthori[sz]ed|unauthenticated|invalid.{0,20}(?:key|token)", re.IGNORECASE
    ): AuthenticationError,
    re.compile(r"forbidden|not allowed|permission", re.IGNORECASE): PermissionDenied,
    re.compile(r"too many|rate limit", re.IGNORECASE): RateLimited,
}


def _kind_of(message: str, fields: dict[str, list[str]]) -> type[ServiceError]:
    """Return the kind of an error without a status, from its message."""
    if fields:
        return ValidationFailed
    return next((kind for words, kind in _KINDS_BY_WORDS.items() if words.search(message)), ServiceError)


def _phrase(status: int, reply: Response, key: Key) -> str:
    phrase = responses.get(status, f"Status {status}")
    return f"{phrase} ({what_came(reply, key)})" if reply.body.lstrip().startswith(b"<") else phrase


def _request_id(reply: Response, key: Key) -> str | None:
    names = ("x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")
    found = next(filter(None, map(reply.headers.get, names)), None)
    return found and foreign_text(found, key, 80)


def _summary(
    kind: type[ServiceError],
    message: str,
    fields: dict[str, list[str]],
    request: str,
    status: int,
    address: Address,
    asked: float | None,
) -> str:
    messages = [f"{name}: {' '.join(texts)}" for name, texts in fields.items()]
    if not any(text in message for texts in fields.values() for text in texts):
        messages.append(message)
    fact = plain_text("; ".join(messages), 300)
    origin = f"{status} from {request} at {address.name}"
    # The embedded service, which has a label, says itself where another try may help.
    advice = None if address.label and kind is ServerError else ADVICE.get(kind)
    if "plain HTTP request was sent to HTTPS" in message or "HTTP request to an HTTPS server" in message:
        advice = f"Connect to 'https://{address.netloc}'."
    elif asked is not None:
        advice = f"Wait {asked:,.0f} s before the next request."
    elif kind is NotFound:
        advice = (
            "It may have been deleted; call .list() to see the records. If all are missing, check base_url."
        )
    record = re.fullmatch(rf"\w+ {re.escape(address.root)}/(image|document)s/([^/]+)/?", request)
    if kind is NotFound and record:
        said, fact = fact, f"There is no {record[1]} {plain_text(unquote(record[2]), 80)}."
        origin += f": {said}" if said and said != fact else "."
    else:
        origin += "."
    return "\n".join(line for line in (fact, origin, advice) if line)
