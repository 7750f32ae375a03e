"""What a record's values say to a reader: its name, its look, its facts, its alternative text."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inkframe.display.plain_text import joined, line, measure
from inkframe.errors import InvalidArgument
from inkframe.schema import IMAGES, RESOURCES
from inkframe.vocabulary.choices import read_choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "SETTINGS",
    "STAR",
    "alt",
    "creativity",
    "entry",
    "facts",
    "headings",
    "held_by",
    "is_favorite",
    "label",
    "look",
    "moment",
    "named",
    "require",
    "row",
    "summary",
    "title",
    "value",
    "words",
]

STAR = "★"
#: The settings of an image, in reading order.
SETTINGS = tuple(sorted(IMAGES.settings, key=lambda name: IMAGES.settings[name].create == "required"))
#: The data file with the words for each field that has a list of codes.
_CODED = {name: str(spec.columns[name].vocabulary) for spec in RESOURCES.values() for name in spec.choices}


def value(record: Mapping[str, Any], field: str) -> Any:
    """Give a field's value, or None where it is absent, None, NaN, NaT or pandas' NA."""
    found = record.get(field)
    try:
        missing = found is None or bool(found != found)  # noqa: PLR0124  # NaN and NaT differ from themselves
    except (TypeError, ValueError):
        missing = not hasattr(found, "__len__")  # pandas' NA has no truth; an array has a length
    return None if missing else found


def title(record: Mapping[str, Any]) -> str:
    """Give the name on one line, or a stand-in for a record without one."""
    return line(value(record, "name") or "", 120) or "Untitled"


def is_favorite(record: Mapping[str, Any]) -> bool:
    """Say whether a record is a favorite."""
    return bool(value(record, "favorite"))


def named(record: Mapping[str, Any]) -> str:
    """Give the name as plain text, with its star where the record is a favorite."""
    return f"{title(record)} {STAR}" if is_favorite(record) else title(record)


def row(record: Mapping[str, Any], said: str) -> str:
    """Give a record as one line of plain text: its id, its name, what is said of it."""
    number = value(record, "id")
    return "  ".join(
        part for part in ("" if number is None else line(number, 60), named(record), said) if part
    )


def entry(noun: str, record: Mapping[str, Any]) -> str:
    """Return the first line of one record's plain text: what it is, its id, its name."""
    number = value(record, "id")
    return f"{noun}: {named(record)}" if number is None else f"{noun} {line(number, 60)}: {named(record)}"


def held_by(record: Mapping[str, Any]) -> str:
    """Return the collection that has most of a record's fields; of several the first."""
    return max(RESOURCES, key=lambda name: len(RESOURCES[name].columns.keys() & record.keys()))


def label(field: str, code: object) -> str:
    """Return the words for a code of a field such as ``style``.

    A code that is not of the interface is put into words by its own spelling.
    """
    known = {choice.code: choice.label for choice in read_choices(_CODED[field])}
    if str(code) in known:
        return known[str(code)]
    spelled = line(code, 60).replace("_", " ")
    if field == "resolution":
        return re.sub(r"(?<=\d)\s*[xX*]\s*(?=\d)", " \u00d7 ", spelled)
    return spelled[:1].upper() + spelled[1:]


def words(record: Mapping[str, Any], field: str) -> str:
    """Give the words for any field of a record, as a heading over those that share its value."""
    code = value(record, field)
    if field == "favorite":
        return "Favourites" if code else "Others"
    if code is None:
        return f"no {field}"
    if field == "creativity":
        return creativity(record) or ""
    return label(field, code) if field in _CODED else line(code, 80)


def headings(records: Iterable[Mapping[str, Any]], field: str) -> list[str]:
    """Give the different words that records have for a field: in the vocabulary's order, else as they come."""
    known = {**_CODED, "creativity": "creativities"}.get(field)
    order = [choice.label for choice in read_choices(known)] if known else []
    found = dict.fromkeys(words(record, field) for record in records)
    return sorted(found, key=lambda heading: order.index(heading) if heading in order else len(order))


def require(records: Sequence[Mapping[str, Any]], field: str) -> None:
    """Refuse a field that no record has.

    Raises:
        InvalidArgument: No record has the field; names those that there are.
    """
    if records and not any(field in record for record in records):
        there = ", ".join(line(each, 40) for each in records[0])
        raise InvalidArgument(f"No record has the field {field!r}.\nThey have: {there}.")


def look(record: Mapping[str, Any], *, brief: bool = False) -> str:
    """Give an image's settings on one line, such as ``Pop art · Ink``, then the resolution.

    Args:
        record: The image's columns by name.
        brief: Whether a square's side is said once.
    """
    coded = (field for field in SETTINGS if field in _CODED)
    given = [label(field, code) for field in coded if (code := value(record, field)) is not None]
    if brief and value(record, "resolution") is not None:
        width, _, height = given[-1].partition(" \u00d7 ")
        given[-1] = width if width == height else given[-1]
    return joined(*given)


def creativity(record: Mapping[str, Any]) -> str | None:
    """Give the words for a document's creativity, such as ``Original``; a number off the scale stays one."""
    level = value(record, "creativity")
    if level is None:
        return None
    try:
        number = float(level)
    except (TypeError, ValueError):
        return line(level, 30)
    steps = (choice.label for choice in read_choices("creativities") if float(choice.code) == number)
    return next(steps, f"creativity {number:g}")


def moment(when: object) -> str:
    """Give a time as ``20 Nov 2026, 21:14``, with its zone where it has one; text stays text."""
    if isinstance(when, str):
        try:
            when = datetime.fromisoformat(when)
        except ValueError:
            return line(when, 40)
    if not isinstance(when, datetime):
        return line(when, 40)
    month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
        when.month - 1
    ]
    return f"{when.day} {month} {when.year}, {when:%H:%M} {line(when.tzname() or '', 12)}".rstrip()


def facts(record: Mapping[str, Any], service: str = "") -> list[tuple[str, str]]:
    """Give what stands beside a picture: pairs of a heading and its words.

    A setting that the service knows but the record leaves open is ``none``; one the service does not
    know at all is left out.
    """
    rows = [
        (field.capitalize(), "none" if value(record, field) is None else words(record, field))
        for field in SETTINGS
        if field in record
    ]
    if (made := value(record, "created_at")) is not None:
        rows.append(("Made", moment(made)))
    if service:
        rows.append(("Service", line(service, 80)))
    if (number := value(record, "id")) is not None:
        rows.append(("Id", line(number, 60)))
    return rows


def summary(record: Mapping[str, Any], service: str = "") -> str:
    """Give a document's quiet line: template, creativity, length, service."""
    template = value(record, "template")
    result = value(record, "result")
    return joined(
        line(template, 60) if template is not None else None,
        creativity(record),
        measure(str(result)) if result is not None else "no text yet",
        line(service, 80),
    )


def alt(record: Mapping[str, Any]) -> str:
    """Give the alternative text of a picture: its name and its description."""
    description = line(value(record, "description") or "", 240)
    name = title(record)
    return f"{name}: {description}" if description and description != name else name
