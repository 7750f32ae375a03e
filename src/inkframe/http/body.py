"""What is sent and what is read: queries and forms, and replies within bounds, with truncated ones detected."""

from __future__ import annotations

import json
import math
import re
import zlib
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, quote_plus

import orjson

from inkframe.errors import InvalidArgument, UnexpectedReply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import httpx

__all__ = ["FARTHEST", "CutShort", "Form", "Parameter", "Path", "Response", "encode_form", "encode_query", "entered",
           "is_base64_picture", "parse_json", "read_response", "unpack", "walk", "wire_text"]  # fmt: skip

#: The keys that lead to a value of a reply.
Path = tuple[str, ...]

Parameter = str | int | float | bool
#: The longest query in bytes; servers and proxies accept 4 to 8 kB.
LONGEST_QUERY: Final = 4000
#: The largest body in bytes, as sent and unpacked.
LARGEST_BODY: Final = 64 * 2**20
#: Encodings that are named in errors; any other name may be anything, such as the key.
ENCODINGS: Final = frozenset({"br", "zstd", "compress", "x-compress", "lzma", "xz"})
#: The deepest nesting of JSON.
DEEPEST: Final = 200
#: The most values of JSON. The smallest object takes 32 times the memory of its two bytes.
MOST_VALUES: Final = 2_000_000
#: The most characters of an integer; the number of a UUID has 39.
LONGEST_INTEGER: Final = 40
CONTAINERS: Final = frozenset({dict, list})
#: The most values of a reply that are looked at, and the most keys that lead to one.
MOST_WALKED: Final = 5000
FARTHEST: Final = 6
#: The number of bytes that are searched together.
CHUNK: Final = 2**18
#: The first bytes of PNG, JPEG, GIF and WEBP in base64.
BASE64_PICTURE: Final = re.compile(r"(iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/_\-\s]*+={0,2}+\s*+\Z")


class CutShort(Exception):
    """The body ended before it was complete."""


def wire_text(value: Parameter) -> str:
    """Return a value as text for a request; booleans are ``1`` and ``0``.

    Every known service reads ``1`` and ``0`` as booleans; some reject ``true`` and ``false``.
    """
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def encode_query(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    """Return the query of a URL.

    Raises:
        InvalidArgument: The query is longer than servers accept, or contains half of a surrogate pair.
    """
    text = _encode(parameters)
    if len(text) > LONGEST_QUERY:
        raise InvalidArgument(
            f"The query must have at most {LONGEST_QUERY:,} bytes, got {len(text):,}.\n"
            "Search for a shorter text."
        )
    return text


@dataclass(frozen=True, slots=True)
class Form:
    """The body of a write, the same in every try.

    Args:
        content: The encoded fields.
        key: The ``Idempotency-Key``, by which a service recognizes another try of the same create.
    """

    content: bytes
    key: str | None = None


def encode_form(fields: Mapping[str, Parameter], key: str | None = None) -> Form:
    """Return a form.

    Args:
        fields: The fields.
        key: The ``Idempotency-Key`` of a create.

    Raises:
        InvalidArgument: A text contains half of a surrogate pair, which cannot be encoded.
    """
    return Form(_encode(fields).encode("ascii"), key)


def _encode(parameters: Mapping[str, Parameter] | Iterable[tuple[str, Parameter]]) -> str:
    pairs = parameters.items() if hasattr(parameters, "items") else parameters
    try:
        return "&".join(
            f"{quote(name, safe='[]$')}={quote_plus(value if type(value) is str else wire_text(value))}"
            for name, value in pairs
        )
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"The text contains {error.object[error.start]!a}, which cannot be sent.\n"
            "Remove it; it is half of a surrogate pair."
        ) from None


def unpack(
    chunks: Iterable[bytes],
    encoding: str,
    limit: int = LARGEST_BODY,
    check_time: Callable[[], object] = lambda: None,
) -> bytes:
    """Join the chunks of a body and decompress gzip or deflate, within a limit of memory.

    Args:
        chunks: The body as received.
        encoding: The Content-Encoding header.
        limit: The maximum number of bytes, compressed or decompressed.
        check_time: Called for every chunk; raises an error after the deadline.

    Raises:
        CutShort: The compressed body is incomplete or damaged.
        UnexpectedReply: The body is larger than the limit, or has another encoding.
    """
    encoding = encoding.strip().lower()
    if encoding in {"", "identity"}:
        return _join(chunks, limit, check_time)
    if encoding not in {"gzip", "x-gzip", "deflate"}:
        name = repr(encoding) if encoding in ENCODINGS else "something unknown"
        raise UnexpectedReply(
            f"The reply is encoded as {name}, which inkframe cannot read.\n"
            "Configure the service to send gzip, deflate or plain bodies."
        )
    return _inflate(_join(chunks, limit, check_time), limit)


def _join(chunks: Iterable[bytes], limit: int, check_time: Callable[[], object]) -> bytes:
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        check_time()
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
        parts.append(chunk)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _inflate(packed: bytes, limit: int) -> bytes:
    if not packed:
        return b""
    # 47 accepts a zlib or a gzip header; a body without either is raw deflate.
    for window in (47, -15):
        unpacker = zlib.decompressobj(window)
        try:
            body = unpacker.decompress(packed, limit + 1)
        except zlib.error:
            continue
        if len(body) > limit:
            raise _too_large(limit)
        if not unpacker.eof:
            raise CutShort("the compressed body ended early")
        return body
    raise CutShort("the compressed body is damaged")


def _too_large(limit: int) -> UnexpectedReply:
    return UnexpectedReply(
        f"The reply is larger than {limit // 2**20} MB; reading was stopped.\n"
        "Request fewer records at a time: per_page=10."
    )


def parse_json(body: bytes, *, exactly: bool = False) -> Any:
    """Parse JSON, with the standard parser where orjson fails.

    Lone surrogates become U+FFFD, so that every text can be displayed and stored. Numbers are finite: an integer
    of more than 40 characters stays a text, and what is beyond a float is null.

    Args:
        body: The bytes of a reply.
        exactly: Whether to use the standard parser, which does not round integers beyond 64 bits to floats.

    Raises:
        ValueError: The body is not valid JSON, or truncated.
        UnexpectedReply: It is nested too deeply, or has too many values.
    """
    if body.startswith(b"\xef\xbb\xbf"):
        body = body[3:]
    # Every value takes two bytes with its comma, so that only large bodies are searched.
    if len(body) > 2 * MOST_VALUES and _has_too_many_values(body):
        raise UnexpectedReply(
            f"The reply contains more than {MOST_VALUES:,} values; reading was stopped.\n"
            "Request fewer records at a time: per_page=10."
        )
    try:
        value = None if exactly else orjson.loads(body)
    except orjson.JSONDecodeError:
        exactly = True
    if exactly:
        value = _parse_slowly(body)
    # Every level takes a bracket. Deleting some takes less than half of the time of counting all.
    opened = len(body) - len(body.replace(b"{", b"", DEEPEST).replace(b"[", b"", DEEPEST))
    if opened >= DEEPEST and _is_deep(value):
        raise _too_deep()
    return value


def _has_too_many_values(body: bytes) -> bool:
    """Return whether JSON has too many values, not counting the commas and brackets in its texts."""
    body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    count = in_text = 0
    for start in range(0, len(body), CHUNK):
        parts = body[start : start + CHUNK].split(b'"')
        rest = b"".join(parts[in_text::2])
        in_text = (in_text + len(parts) - 1) % 2
        count += rest.count(b",") + rest.count(b"{") + rest.count(b"[")
        if count > MOST_VALUES:
            return True
    return False


def _is_deep(value: Any) -> bool:
    """Return whether JSON is nested too deeply, without recursion."""
    level = [value] if type(value) in CONTAINERS else []
    for _ in range(DEEPEST):
        level = [
            inner
            for each in level
            for inner in (each.values() if type(each) is dict else each)
            if type(inner) in CONTAINERS
        ]
        if not level:
            return False
    return True


def _parse_slowly(body: bytes) -> Any:
    text = body.decode("utf-8", "replace")
    try:
        value = json.loads(
            text,
            parse_int=lambda text: int(text) if len(text) <= LONGEST_INTEGER else text,
            parse_float=_finite,
            parse_constant=_finite,
        )
        whole = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
        return json.loads(whole.decode("utf-16", "replace"))
    except RecursionError:
        raise _too_deep() from None


def _finite(text: str) -> float | None:
    return number if math.isfinite(number := float(text)) else None


def _too_deep() -> UnexpectedReply:
    return UnexpectedReply(
        "The reply is nested too deeply for a list or a record.\nCheck that base_url is the content service."
    )


def walk(value: Any, items: int | None = 0) -> list[tuple[Path, Any]]:
    """Return the values of a reply with the keys that lead to them, the outermost first.

    Args:
        value: The reply.
        items: How many items of a list are entered if there are several; None if lists are not entered at all.
    """
    found: list[tuple[Path, Any]] = [((), value)]
    for path, each in found:
        if type(each) in CONTAINERS and len(path) < FARTHEST and not (items is None and type(each) is list):
            inner = entered(each, items or 0)
            is_item = type(each) is list and len(each) == 1 and inner is each[0]
            more = islice(inner.items(), max(MOST_WALKED - len(found), 0))
            found += [(path, inner)] if is_item else [((*path, key), value) for key, value in more]
    return found


def entered(value: Any, items: int = 20) -> dict[str, Any]:
    """Return the object that a value is, that is its only item, or whose keys are the relations or places of its items."""
    if type(value) is not list:
        return value if type(value) is dict else {}
    first: Any = value[0] if value else None
    if type(first) is dict and "rel" in first:
        return {str(each["rel"]): each for each in value if type(each) is dict and "rel" in each}
    is_item = len(value) == 1 and type(first) is dict
    return first if is_item else {f"[{place}]": each for place, each in enumerate(value[:items])}


def is_base64_picture(value: str) -> bool:
    """Return whether a text is a PNG, JPEG, GIF or WEBP in base64."""
    return BASE64_PICTURE.match(value) is not None


@dataclass(frozen=True, slots=True)
class Response:
    """A complete reply. Its repr has no text of the service, which may be long or contain the key.

    Args:
        status: The HTTP status.
        headers: The headers by lower-case name.
        body: The decompressed bytes.
        value: The JSON in the body, or None if there is none.
        error: The error that the reply stands for, where it is returned and not raised.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    value: Any = field(default=None, repr=False)
    error: BaseException | None = field(default=None, repr=False)


def read_response(
    response: httpx.Response, check_time: Callable[[], object] = lambda: None, limit: int = LARGEST_BODY
) -> Response:
    """Read a complete reply and close it.

    Args:
        response: The reply of a transport.
        check_time: Raises an error after the deadline; called for every chunk, since a custom transport has no
            socket to shut down.
        limit: The maximum number of bytes of the body, compressed or decompressed.
    """
    try:
        headers = dict(response.headers.items())
        if response.is_stream_consumed:
            # The reply of a custom transport may be read and decompressed already.
            return Response(response.status_code, headers, response.content)
        return Response(
            response.status_code,
            headers,
            unpack(response.iter_raw(), headers.get("content-encoding", ""), limit, check_time),
        )
    finally:
        response.close()
