"""The API key, which is never displayed: not in errors, not in texts from a service, not in tracebacks."""

from __future__ import annotations

import base64
import logging
import re
from functools import partial, reduce, wraps
from html import unescape
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar, cast
from weakref import WeakValueDictionary

from inkframe.errors import ConfigurationError, InkframeError
from inkframe.http.address import ADDRESS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Key", "bare", "foreign_text", "hides_arguments", "plain_text", "redact"]

Result = TypeVar("Result")

Function = TypeVar("Function", bound="Callable[..., Any]")
#: A text that may be a key: long, without spaces, with letters and digits, and neither a path nor a URL.
KEY_LIKE: Final = re.compile(r"(?![/~.])(?=.*[0-9])(?=.*[A-Za-z])(?!.*://)[!-~]{12,}")

#: The characters that a header can have.
TRAVELS: Final = re.compile(r"[!-~]+")
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
#: The maximum number of characters of a text that are read.
READ: Final = 4096
#: Escapes of ASCII characters in URLs (also repeated), JSON, Python and HTML.
ESCAPE: Final = re.compile(
    r"%(?:25)*(?P<url>[0-9a-f]{2})|\\+(?:u00|x)(?P<json>[0-9a-f]{2})|&#x0*[0-9a-f]{2};|&#0*[0-9]{2,3};"
    r"|&(?:amp|lt|gt|quot|apos);|\\+(?P<kept>[!-~])",
    re.IGNORECASE,
)
LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
URL_SAFE: Final = str.maketrans("+/", "-_")
#: A key whose middle a service has masked, its beginning and its end.
MASKED: Final = re.compile(r"(?<![\w-])([\w-]*+)(?:[*\u2022]{2,}|\u2026|\.{3})[*.\u2022\u2026]*([\w-]*)")
#: So many characters in a row count as the key: of itself, of it in base64, and of it in hexadecimal digits.
PLAIN, BASE64, HEX = 6, 8, 10

Error = TypeVar("Error", bound=BaseException)

#: The loggers of the HTTP library, whose records have headers and addresses that a service chose.
LOGGERS: Final = (
    "httpx",
    *(f"httpcore.{name}" for name in ("connection", "http11", "http2", "proxy", "socks")),
)


class Key:
    """An API key that no repr, format, copy, pickle or traceback shows.

    Args:
        text: The key as the service issued it.
    """

    __slots__ = ("__weakref__", "_reveal", "bearer", "is_refused", "masked")

    def __init__(self, text: str) -> None:
        # A method of the text, since it shows nothing when printed and has no frame that a traceback could show.
        self._reveal = text.__str__
        #: Returns the value of the Authorization header.
        self.bearer = f"Bearer {text}".__str__
        #: Returns the body of a reply without the key, which may be a word of a text if it does not look like a key.
        self.masked: Callable[[bytes], bytes] = (
            (lambda body: body.replace(text.encode(), b"[key]")) if KEY_LIKE.fullmatch(text) else bytes
        )
        #: Whether a service refused it, so that it is asked for again.
        self.is_refused = False
        KEYS[id(self)] = self

    def check(self, variable: str = "INKFRAME_API_KEY") -> None:
        """Check that the key can be sent in a header.

        Args:
            variable: The environment variable with the key.

        Raises:
            ConfigurationError: The key is empty, or contains whitespace or characters beyond ASCII.
        """
        if not self.use(TRAVELS.fullmatch):
            raise ConfigurationError(
                "The API key must consist of ASCII characters without whitespace or line breaks.\n"
                f"Copy it again from the service, without quotes, into {variable}."
            )

    def use(self, function: Callable[[str], Result]) -> Result:
        """Return the result of a function of the characters; its errors have no frames."""
        try:
            return function(self._reveal())
        except BaseException as error:  # noqa: BLE001  # raised again below
            failure = bare(error)
        raise failure

    def __repr__(self) -> str:
        return "<Key: set>"

    def __format__(self, specification: str) -> str:
        return format(repr(self), specification)

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: object) -> Key:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key cannot be pickled. Open a client where it is needed, with ink.connect().")


def hides_arguments(function: Function) -> Function:
    """Return a function whose errors show no argument that may be a key, in text or in frames."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except InkframeError as error:
            failure = _without(bare(error), (*args, *kwargs.values()))
        finally:
            del args, kwargs
        raise failure

    return cast("Function", call)


def _without(error: InkframeError, values: Iterable[Any]) -> InkframeError:
    for value in values:
        if isinstance(value, str) and KEY_LIKE.fullmatch(value) and not ADDRESS.fullmatch(value):
            error.args = (redact(str(error), Key(value)),)
    return error


def foreign_text(text: str, key: Key, length: int = 500) -> str:
    """Return text from a service as one line that is safe to print, without any part of the key."""
    return plain_text(redact(text, key), length)


def plain_text(text: str, length: int) -> str:
    """Return a text as one short line that is safe to print, without control or direction characters."""
    line = " ".join(CONTROL.sub(" ", text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def redact(text: str, key: Key) -> str:
    """Return the beginning of a text with every part of the key replaced by ``[key]``.

    Parts are found in upper and lower case, escaped as in URLs, JSON and HTML, in base64 and in hexadecimal
    digits.

    Args:
        text: The text; only its first 4,096 characters are returned.
        key: The key to remove.
    """
    text = text[:READ]
    flat, places = _unescaped(text)
    parts: list[str] = []
    end = 0
    for start, stop in key.use(partial(_spans, flat)):
        parts += (text[end : places[start]], "[key]")
        end = places[stop]
    return "".join([*parts, text[end:]])


def _unescaped(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in lower case without escapes, and the place of each of its characters in the text."""
    flat: list[str] = []
    places: list[int] = []
    end = 0
    for found in ESCAPE.finditer(text):
        flat.append(text[end : found.start()])
        places += range(end, found.start() + 1)
        flat.append(_character(found))
        end = found.end()
    if not flat:
        return text.translate(LOWER), range(len(text) + 1)
    return "".join([*flat, text[end:]]).translate(LOWER), [*places, *range(end, len(text) + 1)]


def _character(escape: re.Match[str]) -> str:
    if kept := escape["kept"]:
        return kept
    digits = escape["url"] or escape["json"]
    # One character for each escape, so that places stay.
    return chr(int(digits, 16)) if digits else unescape(escape[0].lower()) or " "


def _spans(text: str, key: str) -> list[tuple[int, int]]:
    """Return where parts of a key begin and end in a text in lower case."""
    spans: list[tuple[int, int]] = []
    parts = (
        (start, start + width)
        for width, parts in _parts(key).items()
        for start in range(len(text) - width + 1)
        if text[start : start + width] in parts
    )
    masked = (
        each.span()
        for each in MASKED.finditer(text)
        if any(each.groups()) and key.lower().startswith(each[1]) and key.lower().endswith(each[2])
    )
    for start, end in sorted([*parts, *masked]):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _parts(key: str) -> dict[int, set[str]]:
    """Return the parts by which a key is recognized, by their length."""
    data = key.encode("utf-8", "replace")
    # A text is searched without its escapes, and the key may look like one.
    forms = [(key, min(PLAIN, len(key))), (_unescaped(key)[0], PLAIN), (data.hex(), HEX)]
    for before in range(3):
        # Only these characters of base64 do not depend on what is before and after the key.
        first, last = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        packed = base64.b64encode(b"0" * before + data).decode()[first:last]
        forms += [(packed, BASE64), (packed.translate(URL_SAFE), BASE64)]
    parts: dict[int, set[str]] = {}
    for form, width in forms:
        lower = form.translate(LOWER)
        starts = range(len(lower) - width + 1 if width else 0)
        parts.setdefault(width, set()).update(lower[start : start + width] for start in starts)
    return parts


def bare(error: Error) -> Error:
    """Return an error without frames and without the errors it was raised in, whose frames have variables too.

    Explicit causes stay, without their frames.
    """
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.__traceback__ = each.__context__ = None
        each = each.__cause__
    return error


#: The keys of this process.
KEYS: Final = WeakValueDictionary[int, Key]()


def _without_keys(record: logging.LogRecord) -> bool:
    """Remove every key from the text of a log record."""
    keys = filter(None, [reference() for reference in KEYS.valuerefs()])
    record.msg, record.args = reduce(redact, keys, record.getMessage()), ()
    return True


for _name in LOGGERS:
    logging.getLogger(_name).addFilter(_without_keys)
