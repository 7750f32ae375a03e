"""Single values of a record, parsed by type, with times and names as services write them, and compared with those sent."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from functools import lru_cache
from html import unescape
from types import NoneType
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import orjson

from inkframe.schema import INT64, FieldType, ResourceSpec
from inkframe.vocabulary.vocabulary import finite

__all__ = [
    "FILE",
    "LONGEST",
    "READERS",
    "Reader",
    "Sameness",
    "fold",
    "has_zone",
    "id_key",
    "is_named_utc",
    "linked_id",
    "nested_key",
    "only",
    "plain",
    "read_boolean",
    "read_count",
    "read_each",
    "read_id",
    "read_integer",
    "read_nested_text",
    "read_number",
    "read_text",
    "read_time",
    "same_content",
    "words_of",
]

Reader = Callable[[Any], Any]
#: The file extensions of addresses that lead to a picture instead of a record.
FILE: Final = re.compile(r"\.(?:png|jpe?g|webp|gif|svg|avif)\Z", re.IGNORECASE)
UUID_FORM: Final = re.compile(
    r"(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?", re.IGNORECASE
)

TRUE: Final = frozenset({1, "1", "true", "yes", "on", "t", "y"})
FALSE: Final = frozenset({0, "0", "false", "no", "off", "f", "n"})
#: The keys of the text in an object, as it was written first, as it is displayed last.
TEXT_KEYS: Final = ("raw", "plain", "text", "value", "content", "body", "markdown", "md", "html", "rendered")

#: Epoch values from here on are milliseconds; as seconds they would be after the year 5000.
MILLISECONDS: Final = 1e11
MICROSECONDS: Final = 1e14
BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
NUMBER: Final = re.compile(r"-?\d{9,}(?:\.\d+)?")
#: Variants of ISO 8601 in Ruby, Go, Java and SQL: ``2026-03-01 11:00:00 +0100 CET``.
LOOSE: Final = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?"
    r"(?:(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?: ?\[[^\]]*\]| [A-Z]{2,5})?)?"
)
#: E-mail dates and their variants in C, JavaScript and Gson: ``Sun, 01 Mar 2026 12:00:00 +0100``,
#: ``Sun Mar 01 2026 12:00:00 GMT+0100 (CET)``, ``Mar 1, 2026 11:00:00 AM``.
WRITTEN_OUT: Final = re.compile(
    r"(?P<date>[a-z\d][a-z\d ,-]{5,30}?),? (?P<hour>\d\d?):(?P<rest>\d\d(?::\d\d)?)(?: (?P<half>[ap]m))?"
    r"(?: (?P<zone>(?:GMT|UTC)?(?P<shift>[+-]\d\d:?\d\d)|GMT|UTC?|Z|[ECMP][SD]T))?(?P<year> \d{4})?(?: \([^()]*\))?",
    re.ASCII | re.IGNORECASE,
)
MICROSOFT: Final = re.compile(r"\\?/Date\((-?\d+)(?:[+-]\d{4})?\)\\?/")
#: The keys of times in objects, such as ``{"$date": …}`` of MongoDB and ``{"date": …}`` of PHP.
KEYS: Final = ("date", "datetime", "numberlong", "iso", "value")
#: The words of names whose times are in UTC.
UTC_WORDS: Final = frozenset({"gmt", "utc"})
#: Any other zone than UTC.
ELSEWHERE: Final = timezone(timedelta(hours=-8))

JOINTS: Final = re.compile(r"[\s_$.\-]+")
WORD: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
#: The last words of names that are written together, such as ``imageurl``.
ENDING: Final = re.compile(r"(.+?)(url|uri|src|path|file|name|link|data|base64|b64)")
#: Longer texts are not names, and are not cached.
LONGEST: Final = 100

#: How a shown value relates to the one that was sent: ``version`` is what services make of values, ``hidden`` is not shown.
Sameness = Literal["same", "version", "other", "hidden"]
#: The maximum difference of equal numbers.
CLOSE: Final = 1e-9
#: The maximum difference of a number that was rounded to tenths, or to an integer.
TENTH: Final = 0.05 + CLOSE
WHOLE: Final = 0.5 + CLOSE
#: The least number of characters by which a longer or shorter version of a text is recognized.
RECOGNIZABLE: Final = 4
#: Parts that services remove from texts, or replace by hyphens: tags, punctuation and white space.
BETWEEN: Final = re.compile(r"(?:<[^<>]*>|[\W_])+")


def read_text(value: Any) -> str | None:
    """Parse a text; numbers and booleans become text, lists and objects become JSON."""
    if value is None or type(value) is str:
        return value
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return str(value)


def nested_key(value: Any) -> str | None:
    """Return the key of the text in an object such as ``{"raw": …, "rendered": …}``; None if there is none.

    That which ``type`` names comes first, and the only text may have any key. Where every such key is null, the text is
    missing: ``{"text": null}``.
    """
    if not isinstance(value, dict):
        return None
    keys = _inner(value, TEXT_KEYS)
    found = (
        key
        for key in keys
        if isinstance(value[key], str | dict | list) and read_nested_text(value[key]) is not None
    )
    return next(found, next((key for key in keys if value[key] is None), None))


def _inner(value: dict[str, Any], usual: tuple[str, ...]) -> list[str]:
    """Return the keys of an object that may lead to its value: that which ``type`` names, the usual ones, the only one."""
    keys = (value.get("type"), *usual, *(value if len(value) == 1 else ()))
    return [key for key in keys if isinstance(key, str) and key in value]


def read_nested_text(value: Any) -> str | None:
    """Parse a text, or the text in an object with several forms of it; another object, a list or a boolean has none."""
    if isinstance(value, list) and len(value) == 1:
        return read_nested_text(value[0])
    key = nested_key(value)
    if key is not None:
        return read_nested_text(value[key])
    return None if isinstance(value, dict | list | bool) else read_text(value)


def only(value: Any) -> Any:
    """Return the only item of a list, and of an object what ``type`` names, what is under ``value``, or the only value."""
    if type(value) is list and len(value) == 1:
        return only(value[0])
    keys = _inner(value, ("value",)) if type(value) is dict else []
    return only(value[keys[0]]) if keys else value


def read_boolean(value: Any) -> bool | None:
    """Parse ``true``, ``1`` or ``"1"`` and their opposites."""
    word = (
        value.strip().lower() if isinstance(value, str) else value if isinstance(value, int | float) else None
    )
    return True if word in TRUE else False if word in FALSE else None


def read_number(value: Any) -> float | None:
    """Parse a number or the text of a number."""
    return None if isinstance(value, str) and len(value) > LONGEST else finite(value)


def read_count(value: Any) -> int | None:
    """Parse a count: a number, its text, a list that repeats the same number, or a number with its relation."""
    if type(value) is int:
        return value if 0 <= value < 2**53 else None  # the usual format
    if isinstance(value, list) and value and all(v == value[0] for v in value):
        value = value[0]
    if isinstance(value, dict) and {"value"} <= value.keys() <= {"value", "relation"}:
        # Elasticsearch counts up to a limit, and then says that there are at least so many.
        value = value["value"] if value.get("relation", "eq") == "eq" else None
    number = read_number(value)
    return int(number) if number is not None and number.is_integer() and 0 <= number < 2**53 else None


def read_integer(value: Any) -> int | None:
    """Parse an integer within 64 bits, or the id of an object."""
    value = value.get("id") if isinstance(value, dict) else value
    if type(value) is int:
        return value if value in INT64 else None
    number = read_number(value)
    return int(number) if number is not None and number.is_integer() and abs(number) < INT64.stop else None


def read_id(value: Any) -> int | str | None:
    """Parse an id: an integer or a non-empty text."""
    if type(value) is int or (type(value) is str and value):
        return value
    if isinstance(value, dict | list) and len(value) == 1:
        # Extended JSON has {"$oid": "…"}.
        return read_id(value[0] if isinstance(value, list) else next(iter(value.values())))
    return None


def linked_id(link: Any, spec: ResourceSpec) -> int | str | None:
    """Return the id in a link to a record, such as ``/documents/3``; an int if it is a number.

    PostgREST has it in the query: ``/documents?id=eq.3``, and Twilio the format behind it: ``/documents/3.json``.
    """
    if not isinstance(link, str) or spec.name not in link:
        return None
    with suppress(ValueError):
        parts = urlsplit(link)
        found = re.search(
            rf"/(?:[\w.-]+\.)?{spec.name}/([^/]+?)(?:\.json|\.xml)?/?\Z", f"/{parts.path}"
        ) or re.search(rf"/{spec.name}\?id=(?:eq\.)?([^&]+)\Z", f"/{parts.path}?{parts.query}")
        if found is not None and not FILE.search(found[1]):
            id = unquote(found[1])
            return int(id) if id.isdecimal() and id.isascii() and len(id) < 19 else id
    return None


def id_key(id: int | str, spec: ResourceSpec) -> str:
    """Return the text by which ids are compared: without the link around it, and a UUID without its case."""
    if type(id) is int:
        return str(id)
    text = str(id if (linked := linked_id(id, spec)) is None else linked)
    is_uuid = UUID_FORM.fullmatch(text) is not None
    return text.lower().removeprefix("urn:uuid:").strip("{}").replace("-", "") if is_uuid else text


#: Checks whether a reader would return all values unchanged.
UNCHANGED: Final[dict[Any, Callable[[list[Any]], bool]]] = {
    read_text: lambda values: {str, NoneType}.issuperset(map(type, values)),
    read_nested_text: lambda values: {str, NoneType}.issuperset(map(type, values)),
    read_boolean: lambda values: {bool, NoneType}.issuperset(map(type, values)),
    read_number: lambda values: {float}.issuperset(map(type, values)) and all(map(math.isfinite, values)),
    read_integer: lambda values: (
        {int}.issuperset(map(type, values))
        and min(values, default=0) in INT64
        and max(values, default=0) in INT64
    ),
}


def read_each(values: list[Any], read: Callable[[Any], Any]) -> list[Any]:
    """Parse many values, with a fast path for the usual format.

    Args:
        values: The values.
        read: The function that parses one value.
    """
    if read is read_time:
        try:
            times = list(map(datetime.fromisoformat, values))
        except (TypeError, ValueError):
            times = []
        if times and {time.tzinfo for time in times} <= {UTC}:
            return times
    elif read in UNCHANGED and UNCHANGED[read](values):
        return values
    is_text = read in (read_text, read_nested_text)
    return [None if value is None else read(value if is_text else only(value)) for value in values]


def read_time(value: Any, zone: tzinfo = UTC) -> datetime | None:
    """Parse ISO 8601 and its variants, an epoch, an e-mail date, or a list of parts.

    Args:
        value: The time as received.
        zone: The zone of a time without one.
    """
    with suppress(TypeError, ValueError, OverflowError, LookupError, OSError):
        time = _of_value(value)
        return time and (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    return None


def _of_value(value: Any) -> datetime | None:
    """Parse a time, which has a zone only if it tells one; this and the functions below raise errors for other values."""
    match value:
        case str():
            return _of_text(value.strip())
        case int() | float() if value and not isinstance(value, bool):
            return _of_number(value)
        case list() if {int}.issuperset(map(type, value)):
            # The format of Java: year to second, then nanoseconds.
            year, month, day, hour, minute, second, nanoseconds = value + [0] * (7 - len(value))
            return datetime(year, month, day, hour, minute, second, nanoseconds // 1000)  # noqa: DTZ001
        case dict():
            return _of_object({fold(str(key)): inner for key, inner in value.items()})
    return None


def _of_number(value: float | str) -> datetime:
    number = float(value)
    scale = 1e6 if abs(number) >= MICROSECONDS else 1e3 if abs(number) >= MILLISECONDS else 1
    return BEGINNING + timedelta(seconds=number / scale)


def _of_text(text: str) -> datetime | None:
    if NUMBER.fullmatch(text):
        return _of_number(text)
    if found := MICROSOFT.fullmatch(text):
        return _of_number(float(found[1]) / 1e3)
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    if found := LOOSE.fullmatch(text):
        year, month, day, time, zone = found.groups("")
        return datetime.fromisoformat(f"{year}-{month}-{day}T{time}{'Z' if zone in {'UTC', 'GMT'} else zone}")
    found = WRITTEN_OUT.fullmatch(text[:100])
    return found and _written_out(found)


def _written_out(found: re.Match[str]) -> datetime | None:
    """Parse the parts of a date with the name of its month; an hour that is none of twelve is None."""
    hour = int(found["hour"])
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (found["half"].lower() == "pm")
    zone = (found["shift"] or found["zone"] or "").replace(":", "")
    date = f"{found['date']}{found['year'] or ''}"
    return parsedate_to_datetime(f"{date} {hour:02}:{found['rest']} {zone}")


def _of_object(parts: dict[str, Any]) -> datetime | None:
    seconds = parts.get("seconds")
    if isinstance(seconds, int | str) and not isinstance(seconds, bool):
        return _of_value(seconds)  # Firestore and protobuf, without fractions of a second
    inner = next((parts[key] for key in KEYS if key in parts), None)
    time = None if isinstance(inner, list) else _of_value(inner)
    return time.replace(tzinfo=_zone(parts["timezone"])) if time and "timezone" in parts else time


def _zone(name: str) -> tzinfo | None:
    with suppress(ValueError):
        return datetime.fromisoformat(f"1970-01-01T00:00:00{name}").tzinfo
    return ZoneInfo(name)


def fold(name: str) -> str:
    """Return a name in lower case without ``_``, ``-``, ``$``, dots and spaces: ``createdat``."""
    return _fold(name) if len(name) <= LONGEST else name


@lru_cache(maxsize=4096)
def _fold(name: str) -> str:
    return JOINTS.sub("", name).casefold()


#: The reader of each type of field.
READERS: Final[Mapping[FieldType, Reader]] = {
    "text": read_nested_text,
    "choice": read_text,
    "boolean": read_boolean,
    "number": read_number,
    "integer": read_integer,
    "time": read_time,
    "picture": read_text,
}


def has_zone(value: Any) -> bool:
    """Return whether a time has a zone, so that it is the same wherever it is read."""
    return read_time(value) is not None and read_time(value) == read_time(value, ELSEWHERE)


def is_named_utc(name: str) -> bool:
    """Return whether the name of a time says that it is in UTC, such as ``date_gmt``."""
    return not UTC_WORDS.isdisjoint(words_of(name))


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in lower case and in the singular: ``image`` and ``url`` of ``imageURLs``."""
    return _words_of(name) if len(name) <= LONGEST else frozenset()


@lru_cache(maxsize=4096)
def _words_of(name: str) -> frozenset[str]:
    words = {word.lower() for word in WORD.findall(name.replace("URLs", "Urls"))}
    for word in [*words]:
        if together := ENDING.fullmatch(word):
            words.update(together.groups())
    return frozenset(
        words | {word.rstrip("0123456789") for word in words} | {word.rstrip("s") for word in words}
    )


def same_content(sent: Any, shown: Any) -> Sameness:
    """Compare a sent value with the value in a reply.

    Line endings and leading or trailing whitespace are ignored, since services change both; whitespace inside
    a text counts. An empty text may be returned as null. In a version of the value, services change case, accents,
    punctuation and white space, escape or remove tags, cut off the end, add words, and round numbers.

    Args:
        sent: The value that was sent, or None.
        shown: The value in the reply, or None.
    """
    if sent == shown:
        return "same"
    if shown is None and sent != "":
        return "hidden"
    if isinstance(sent, bool) or isinstance(shown, bool):
        return "other"
    if isinstance(shown, int | float) and sent is not None:
        difference = abs(shown - float(sent))
        rounded = WHOLE if float(shown).is_integer() else TENTH
        return "same" if difference < CLOSE else "version" if difference <= rounded else "other"
    if plain(sent) == plain(shown):
        return "same"
    whole, part = (_bare(plain(text)) for text in (sent, shown))
    if len(part) > len(whole):
        # With boundaries, since any text contains the letters of a short one.
        is_version = len(whole) >= RECOGNIZABLE and f" {whole} " in f" {part} "
    else:
        is_version = part == whole != "" or (len(part) >= RECOGNIZABLE and whole.startswith(part))
    return "version" if is_version else "other"


def plain(text: object) -> str:
    """Return a text with one kind of line end, and without the white space around it; None is empty."""
    return "" if text is None else str(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def _bare(text: str) -> str:
    """Return the words of a text in lower case, without accents, tags and punctuation."""
    letters = unicodedata.normalize("NFKD", unescape(text))
    unaccented = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return BETWEEN.sub(" ", unaccented).casefold().strip()
