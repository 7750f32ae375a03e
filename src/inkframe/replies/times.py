"""Times as services write them, parsed into UTC; unreadable values are None."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from inkframe.replies.field_names import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["has_zone", "is_named_utc", "read_time", "read_times"]

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


def has_zone(value: Any) -> bool:
    """Return whether a time has a zone, so that it is the same wherever it is read."""
    time = read_time(value)
    return time is not None and time == read_time(value, ELSEWHERE)


def is_named_utc(name: str) -> bool:
    """Return whether the name of a time says that it is in UTC, such as ``date_gmt``."""
    return not UTC_WORDS.isdisjoint(words_of(name))


def read_time(value: Any, zone: tzinfo = UTC) -> datetime | None:
    """Parse ISO 8601 and its variants, an epoch, an e-mail date, or a list of parts.

    Args:
        value: The time as received.
        zone: The zone of a time without one.
    """
    match value:
        case str():
            return _of_text(value.strip(), zone)
        case bool():
            return None
        case int() | float():
            return _of_number(value)
        case list():
            return _of_parts(value, zone)
        case dict():
            return _of_object({fold(str(key)): inner for key, inner in value.items()}, zone)
        case _:
            return None


def read_times(values: Sequence[Any]) -> list[datetime | None]:
    """Parse many times, with a fast path for the usual format."""
    try:
        times = list(map(datetime.fromisoformat, values))
    except (TypeError, ValueError):
        pass
    else:
        if {time.tzinfo for time in times} <= {UTC}:
            return [*times]
    return [None if value is None else read_time(value) for value in values]


def _of_number(value: float) -> datetime | None:
    if not math.isfinite(value):
        return None
    scale = 1e6 if abs(value) >= MICROSECONDS else 1e3 if abs(value) >= MILLISECONDS else 1
    try:
        return BEGINNING + timedelta(seconds=value / scale)
    except OverflowError:
        return None


def _of_text(text: str, zone: tzinfo) -> datetime | None:
    if NUMBER.fullmatch(text):
        return _of_number(float(text))
    if found := MICROSOFT.fullmatch(text):
        return _of_number(int(found[1]) / 1e3)
    time = _parsed(text)
    try:
        return time and (time.replace(tzinfo=zone) if time.tzinfo is None else time).astimezone(UTC)
    except OverflowError:
        return None


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        if found := LOOSE.fullmatch(text):
            year, month, day, time, zone = found.groups("")
            return datetime.fromisoformat(
                f"{year}-{month}-{day}T{time}{'Z' if zone in {'UTC', 'GMT'} else zone}"
            )
        return _written_out(text)
    except (TypeError, ValueError, IndexError):
        return None


def _written_out(text: str) -> datetime | None:
    """Parse a date with the name of its month; one with an unknown zone is None."""
    found = WRITTEN_OUT.fullmatch(text[:100])
    if found is None:
        return None
    hour = int(found["hour"])
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (found["half"].lower() == "pm")
    zone = (found["shift"] or found["zone"] or "").replace(":", "")
    date = f"{found['date']}{found['year'] or ''}"
    return parsedate_to_datetime(f"{date} {hour:02}:{found['rest']} {zone}")


def _of_parts(parts: list[Any], zone: tzinfo) -> datetime | None:
    """Parse ``[2026, 3, 1, 11, 0]``, the format of Java: year to second, then nanoseconds."""
    if not 3 <= len(parts) <= 7 or any(type(part) is not int for part in parts):
        return None
    year, month, day, hour, minute, second, nanoseconds = [*parts, 0, 0, 0, 0][:7]
    try:
        time = datetime(year, month, day, hour, minute, second, nanoseconds // 1000, tzinfo=zone)
        return time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _of_object(parts: dict[str, Any], assumed: tzinfo) -> datetime | None:
    seconds = parts.get("seconds")
    if isinstance(seconds, int | str) and not isinstance(seconds, bool):
        return read_time(seconds)  # Firestore and protobuf, without fractions of a second
    inner = next((parts[key] for key in KEYS if key in parts), None)
    zone = _zone(parts["timezone"]) if "timezone" in parts else assumed
    if zone is None or isinstance(inner, list):
        return None
    return _of_text(inner.strip(), zone) if isinstance(inner, str) else read_time(inner, zone)


def _zone(name: Any) -> tzinfo | None:
    if not isinstance(name, str):
        return None
    try:
        return datetime.fromisoformat(f"1970-01-01T00:00:00{name}").tzinfo
    except ValueError:
        pass
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
