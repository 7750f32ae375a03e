"""The text for a record's values: its name, look, facts and alternative text."""

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
#: The data file with the labels of each field that has a list of codes.
_CODED = {name: str(spec.columns[name].vocabulary) for spec in RESOURCES.values() for name in spec.choices}


def value(record: Mapping[str, Any], field: str) -> Any:
    """Return a field's value, or None if it is absent, None, NaN, NaT or pandas' NA."""
    found = record.get(field)
    try:
        missing = found is None or bool(found != found)  # noqa: PLR0124  # NaN and NaT differ from themselves
    except (TypeError, ValueError):
        missing = not hasattr(found, "__len__")  # pandas' NA has no truth value; an array has a length
    return None if missing else found


def title(record: Mapping[str, Any]) -> str:
    """Return the name on one line, or a placeholder for a record without one."""
    return line(value(record, "name") or "", 120) or "Untitled"


def is_favorite(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a favorite."""
    return bool(value(record, "favorite"))


def named(record: Mapping[str, Any]) -> str:
    """Return the name as plain text, with a star if the record is a favorite."""
    return f"{title(record)} {STAR}" if is_favorite(record) else title(record)


def row(record: Mapping[str, Any], said: str) -> str:
    """Return a record as one line of plain text: its id, its name and a description."""
    number = value(record, "id")
    return "  ".join(
        part for part in ("" if number is None else line(number, 60), named(record), said) if part
    )


def entry(noun: str, record: Mapping[str, Any]) -> str:
    """Return the first line of one record's plain text: its noun, its id and its name."""
    number = value(record, "id")
    return f"{noun}: {named(record)}" if number is None else f"{noun} {line(number, 60)}: {named(record)}"


def held_by(record: Mapping[str, Any]) -> str:
    """Return the collection that has most of a record's fields; of several the first."""
    return max(RESOURCES, key=lambda name: len(RESOURCES[name].columns.keys() & record.keys()))


def label(field: str, code: object) -> str:
    """Return the label for a code of a field such as ``style``.

    The label of a code outside the interface is derived from its spelling.
    """
    known = {choice.code: choice.label for choice in read_choices(_CODED[field])}
    if str(code) in known:
        return known[str(code)]
    spelled = line(code, 60).replace("_", " ")
    if field == "resolution":
        return re.sub(r"(?<=\d)\s*[xX*]\s*(?=\d)", " \u00d7 ", spelled)
    return spelled[:1].upper() + spelled[1:]


def words(record: Mapping[str, Any], field: str) -> str:
    """Return the text for any field of a record, as a heading for records that share its value."""
    code = value(record, field)
    if field == "favorite":
        return "Favorites" if code else "Others"
    if code is None:
        return f"No {field}"
    if field == "creativity":
        return creativity(record) or ""
    return label(field, code) if field in _CODED else line(code, 80)


def headings(records: Iterable[Mapping[str, Any]], field: str) -> list[str]:
    """Return the different texts that records have for a field, in the vocabulary's order, else in theirs."""
    known = {**_CODED, "creativity": "creativities"}.get(field)
    order = [choice.label for choice in read_choices(known)] if known else []
    found = dict.fromkeys(words(record, field) for record in records)
    return sorted(found, key=lambda heading: order.index(heading) if heading in order else len(order))


def require(records: Sequence[Mapping[str, Any]], field: str) -> None:
    """Check that at least one record has a field.

    Raises:
        InvalidArgument: No record has the field. The message lists the fields.
    """
    if records and not any(field in record for record in records):
        there = ", ".join(line(each, 40) for each in records[0])
        raise InvalidArgument(f"No record has the field {field!r}.\nThey have: {there}.")


def look(record: Mapping[str, Any], *, brief: bool = False) -> str:
    """Return an image's settings on one line, such as ``Pop art · Ink``, then the resolution.

    Args:
        record: The image's columns by name.
        brief: Whether to show the side of a square once.
    """
    coded = (field for field in SETTINGS if field in _CODED)
    given = [label(field, code) for field in coded if (code := value(record, field)) is not None]
    if brief and value(record, "resolution") is not None:
        width, _, height = given[-1].partition(" \u00d7 ")
        given[-1] = width if width == height else given[-1]
    return joined(*given)


def creativity(record: Mapping[str, Any]) -> str | None:
    """Return the label of a document's creativity, such as ``Original``, else the number."""
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
    """Return a time as ``20 Nov 2026, 21:14``, with its zone if it has one; other text is unchanged."""
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
    """Return the facts beside a picture, as pairs of a heading and a text.

    A setting that the record leaves open is ``none``. A setting that the service does not have is left out.
    """
    rows = [
        (field.capitalize(), "None" if value(record, field) is None else words(record, field))
        for field in SETTINGS
        if field in record
    ]
    if (made := value(record, "created_at")) is not None:
        rows.append(("Created", moment(made)))
    if service:
        rows.append(("Service", line(service, 80)))
    if (number := value(record, "id")) is not None:
        rows.append(("Id", line(number, 60)))
    return rows


def summary(record: Mapping[str, Any], service: str = "") -> str:
    """Return a document's summary line: template, creativity, length, service."""
    template = value(record, "template")
    result = value(record, "result")
    return joined(
        line(template, 60) if template is not None else None,
        creativity(record),
        measure(str(result)) if result is not None else "no text yet",
        line(service, 80),
    )


def alt(record: Mapping[str, Any]) -> str:
    """Return the alternative text of a picture: its name and its description."""
    description = line(value(record, "description") or "", 240)
    name = title(record)
    return f"{name}: {description}" if description and description != name else name
