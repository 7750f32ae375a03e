"""The words for the values of a record, and thumbnails of pictures."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import closing, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.display.markup import (
    joined,
    line,
    measure,
    plain,
    without_marks,
)
from inkframe.display.picture import load_picture, read_header, small_copy
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.schema import IMAGES, RESOURCES
from inkframe.vocabulary.vocabulary import read_choices

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from PIL import Image

    from inkframe.system.files import FileCache

    Made = TypeVar("Made")

__all__ = [
    "SERVICE",
    "STAR",
    "about",
    "alt",
    "creativity",
    "entry",
    "facts",
    "fetch_scaled",
    "fetch_thumbnails",
    "headings",
    "held_by",
    "is_favorite",
    "label",
    "look",
    "moment",
    "picture_key",
    "require",
    "row",
    "summary",
    "title",
    "value",
    "words",
]


STAR = "★"
#: The key of the service of a record that is shown beside one of another service.
SERVICE = "_service"
#: The settings of an image, in reading order.
_SETTINGS = tuple(sorted(IMAGES.settings, key=lambda name: IMAGES.settings[name].create == "required"))
#: The data file with the labels of each field that has a list of codes.
_CODED = {name: str(spec.columns[name].vocabulary) for spec in RESOURCES.values() for name in spec.choices}
#: Pixels and bytes of a picture in a cell: twice its width on the page, at most 4 kB as base64.
THUMBNAIL_PIXELS, THUMBNAIL_BYTES = 144, 3_000
#: Decoding PNG takes nearly all the time. Two threads are twice as fast; more do not help on two cores.
_THREADS = 2
#: A progress bar is shown for more pictures than this.
_WITHOUT_BAR = 20
#: The fields that identify a picture. Its name and address may change.
_IDENTITY = ("id", *(field.name for field in IMAGES.fields if not (field.update or field.type == "picture")))


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


def _named(record: Mapping[str, Any]) -> str:
    """Return the name as plain text, with a star if the record is a favorite."""
    return f"{title(record)} {STAR}" if is_favorite(record) else title(record)


def row(record: Mapping[str, Any], said: str) -> str:
    """Return a record as one line of plain text: its id, its name and a description."""
    number = value(record, "id")
    return "  ".join(
        part for part in ("" if number is None else line(number, 60), _named(record), said) if part
    )


def entry(noun: str, record: Mapping[str, Any]) -> str:
    """Return the first line of one record's plain text: its noun, its id and its name."""
    number = value(record, "id")
    return f"{noun}: {_named(record)}" if number is None else f"{noun} {line(number, 60)}: {_named(record)}"


def held_by(record: Mapping[str, Any]) -> str:
    """Return the collection that has what was generated, and most of a record's fields; of several the first."""
    return max(
        RESOURCES,
        key=lambda name: (
            RESOURCES[name].generated in record,
            len(RESOURCES[name].columns.keys() & record.keys()),
        ),
    )


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
    coded = (field for field in _SETTINGS if field in _CODED)
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
        with suppress(ValueError):
            when = datetime.fromisoformat(when)
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
        for field in _SETTINGS
        if field in record
    ]
    made, number = value(record, "created_at"), value(record, "id")
    ends = {
        "Created": "" if made is None else moment(made),
        "Service": line(service, 80),
        "Id": "" if number is None else line(number, 60),
    }
    return [*rows, *((heading, text) for heading, text in ends.items() if text)]


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


def about(record: Mapping[str, Any], service: str = "", *, of: str | None = None) -> str:
    """Return the line below a record's name, wherever it is shown.

    Args:
        record: The record's columns by name.
        service: The name of the service, which a document's line ends with.
        of: Its collection; by default the one that has most of its fields.
    """
    is_image = (of or held_by(record)) == IMAGES.name
    return look(record, brief=True) if is_image else summary(record, service)


def alt(record: Mapping[str, Any]) -> str:
    """Return the alternative text of a picture: its name and its description."""
    description = line(value(record, "description") or "", 240)
    name = title(record)
    return f"{name}: {description}" if description and description != name else name


def fetch_thumbnails(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes],
    *,
    size: int = THUMBNAIL_PIXELS,
    max_bytes: int = THUMBNAIL_BYTES,
    service: str = "",
    cache: FileCache | None = None,
    progress: bool = True,
) -> Generator[bytes | str, None, None]:
    """Yield a small picture for each record, in order, or the reason if it fails.

    Only a few pictures are fetched ahead, so a caller can stop early.

    Args:
        records: The images.
        fetch: Returns the picture file of a record; called from two threads at once.
        size: The longest side in pixels; by default that of a cell of ``table``.
        max_bytes: The maximum number of bytes of one small picture.
        service: The name of the service, which separates equal ids in the cache.
        cache: The cache of small pictures between calls.
        progress: Whether to show a progress bar for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> bytes | str:
        key = picture_key(record, service, size, max_bytes)
        if kept := _kept(cache, key):
            return kept
        try:
            small = small_copy(fetch(record), size, max_bytes)
        except InkframeError as error:
            return str(error)
        if cache is not None and isinstance(small, bytes):
            cache.put(key, small)
        return small

    return _made_of(records, make, progress=progress)


def fetch_scaled(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes | str],
    *,
    size: int,
    progress: bool,
) -> Generator[Image.Image | str, None, None]:
    """Yield each record's picture scaled down, in order, or the reason if it fails.

    Args:
        records: The images.
        fetch: Returns the picture file of a record, or a text; called from two threads at once.
        size: The longest side in pixels.
        progress: Whether to show a progress bar for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> Image.Image | str:
        try:
            found = fetch(record)
            return without_marks(plain(found)) if isinstance(found, str) else load_picture(found, size)
        except InkframeError as error:
            return line(error)

    return _made_of(records, make, progress=progress)


def _kept(cache: FileCache | None, key: str) -> bytes | None:
    """Return a cached picture, or None if it is missing or damaged."""
    found = cache.get(key) if cache is not None else None
    try:
        return found if found and read_header(found).end == len(found) else None
    except InkframeError:
        return None


def _made_of(
    records: Sequence[Mapping[str, Any]], make: Callable[[Mapping[str, Any]], Made], *, progress: bool
) -> Generator[Made, None, None]:
    """Yield what is made of each record, in order, with a progress bar if there are many."""
    from inkframe.display.console import progress_bar
    from inkframe.http.worker_pool import WorkerPool

    total = len(records)
    with (
        closing(WorkerPool(make, _THREADS).run(records)) as pictures,
        progress_bar(progress and total > _WITHOUT_BAR, total, "Pictures", "pictures", leave=False) as bar,
    ):
        for picture in pictures:
            bar.update()
            yield picture


def picture_key(record: Mapping[str, Any], *settings: object) -> str:
    """Return the cache key of a record's thumbnail.

    Args:
        record: The image's columns by name.
        settings: What else identifies the thumbnail: the service, the size.
    """
    own = [value(record, field) for field in _IDENTITY]
    # Beside columns of a person's own, only its location tells a picture from an earlier one with its id.
    own += [] if any(own[1:]) else [value(record, IMAGES.generated)]
    parts = [str(part) for part in (*own, *settings)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
