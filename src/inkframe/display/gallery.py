"""Galleries and texts that stay in the notebook, and reports: one self-contained page of pictures and documents."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from inkframe.display.figure import (
    about,
    fetch_thumbnails,
    headings,
    held_by,
    moment,
    require,
    row,
    value,
    words,
)
from inkframe.display.files import FIELDS
from inkframe.display.fragments import cell_tag, entry_tag, picture_tag, shot
from inkframe.display.markup import (
    Html,
    bar,
    counted,
    folded_prose,
    join,
    joined,
    line,
    root,
    style,
    tag,
)
from inkframe.display.tables import sorted_table
from inkframe.display.view import CELL_BYTES, View, fit, left_out, until_full
from inkframe.errors import InvalidArgument
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.vocabulary.arguments import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from inkframe.system.files import FileCache

    Record = Mapping[str, Any]

    Caption = str | Callable[[Record], str] | None

__all__ = ["Gallery", "columns_html", "columns_table", "gallery", "is_report", "read", "report_html"]

#: The maximum bytes of one thumbnail: 8 kB as base64, so that a hundred with their captions fit in a cell.
PICTURE_BYTES = 6_000
#: Bytes of a cell for the style sheet, the lines around the gallery and the group headings.
_FRAME_BYTES = 12_000
#: Our mark in a page, and the number of its first characters that are searched for it.
_MARK = '<meta name="generator" content="inkframe">'
_HEAD = 500
#: Where the style sheet of a report begins to show each row of a table as a block.
_NARROW = "(max-width:640px)"
#: Pixels and bytes of a picture in a report, which may be larger than in a notebook.
_PIXELS, _PICTURE_BYTES, _ALL_PICTURES = 640, 60_000, 40_000_000
_TEXT = 200_000


class Gallery(View):
    """A gallery of pictures.

    Args:
        html: The gallery as self-contained HTML.
        text: The gallery as plain text.
        shown: The number of records shown.
        left_out: The number of records left out because the cell would exceed 1 MB.
        failures: Reasons by position for pictures that could not be shown.
    """

    def __init__(
        self, html: Html, text: str, *, shown: int, left_out: int, failures: Mapping[int, str]
    ) -> None:
        super().__init__(html, text)
        self.shown, self.left_out, self.failures = shown, left_out, dict(failures)


def gallery(
    records: Sequence[Record],
    fetch: Callable[[Record], bytes],
    *,
    columns: int | None = None,
    size: int = 160,
    caption: Caption = None,
    group_by: str | None = None,
    service: str = "",
    cache: FileCache | None = None,
    progress: bool = True,
) -> Gallery:
    """Show pictures in a grid.

    Each picture adds at most 10 kB of base64 to the notebook, and the whole gallery at most 1 MB, which is
    enough for a hundred pictures. A line says how many are left out. A click opens a picture large, with its
    facts.

    Args:
        records: The images, in order.
        fetch: Returns the picture file of a record; called from two threads at once.
        columns: The number of pictures side by side; by default as many as fit.
        size: The width of a picture in CSS pixels, 48 to 512.
        caption: The text under a name: a field (``"style"``), a pattern (``"{style}, {medium}"``) or a
            function of the record; by default the look.
        group_by: A field by which the pictures are grouped under headings.
        service: The name of the service in the line above the pictures.
        cache: The cache of thumbnails between calls.
        progress: Whether to show a progress bar for more than 20 pictures.

    Raises:
        InvalidArgument: ``columns`` or ``size`` is out of range, or no record has a field of that name.
    """
    if columns is not None and not 1 <= columns <= 24:
        raise InvalidArgument(f"columns must be 1 to 24, got {columns}.\nPass None for as many as fit.")
    if not 48 <= size <= 512:
        raise InvalidArgument(f"size must be 48 to 512, got {size}.\nPass the width of a picture in pixels.")
    describe = _describer(caption, records)
    if group_by is not None:
        require(records, group_by)
        order = headings(records, group_by)
        records = sorted(records, key=lambda record: order.index(words(record, group_by)))
    small = fetch_thumbnails(
        records,
        fetch,
        size=round(1.6 * size),
        max_bytes=PICTURE_BYTES,
        service=service,
        cache=cache,
        progress=progress,
    )
    with closing(small):  # stops the threads
        entries = (
            (shot(record, picture, below := describe(record), size), row(record, below), picture)
            for record, picture in zip(records, small, strict=True)
        )
        kept = list(until_full(entries, lambda entry: entry[0] + entry[1], _FRAME_BYTES))
    shots = [each for each, _, _ in kept]
    failures = {at: picture for at, (_, _, picture) in enumerate(kept) if isinstance(picture, str)}
    grid = join(*_groups(records[: len(shots)], shots, group_by, columns, size))
    notes = [
        joined(counted(len(records), "picture"), line(service, 80)),
        *([f"{len(failures):,} could not be shown"] if failures else []),
        *left_out(len(records) - len(shots)),
    ]
    rows = [joined(*notes), *(text for _, text, _ in kept)]
    html = root(bar(*notes), grid, parts=("gallery",))
    return Gallery(
        html, "\n".join(rows), shown=len(shots), left_out=len(records) - len(shots), failures=failures
    )


def read(
    records: Sequence[Record], *, layout: Literal["accordion", "page"] = "accordion", service: str = ""
) -> View:
    """Show documents in full.

    The view adds at most 1 MB to the notebook. A line says how many documents are left out.

    Args:
        records: The documents, in order.
        layout: ``accordion`` folds each text under its name, ``page`` shows them open one below the other.
        service: The name of the service in the line above.

    Raises:
        InvalidArgument: There is no such layout.
    """
    check_choice("layout", layout, ("accordion", "page"))
    # A single document may fill a cell. With several, each gets an equal part before it is cut.
    most = max(4_000, min(200_000, (CELL_BYTES - _FRAME_BYTES) // (3 * max(1, min(len(records), 12)))))

    def fitting(record: Record) -> Html:
        element: Html = fit(
            lambda most: {"": entry_tag(record, layout, most, opened=len(records) == 1)},
            most,
            CELL_BYTES - 2 * _FRAME_BYTES,
        )[""]
        return element

    pairs = ((fitting(record), row(record, about(record, of=DOCUMENTS.name))) for record in records)
    kept = list(until_full(pairs, "".join, _FRAME_BYTES))
    notes = [
        joined(counted(len(records), "document"), line(service, 80)),
        *left_out(len(records) - len(kept)),
    ]
    rows = [joined(*notes), *(text for _, text in kept)]
    html = root(bar(*notes), *(element for element, _ in kept), parts=("prose", "read"))
    return View(html, "\n".join(rows))


def _gallery_tag(shots: Sequence[Html], columns: int | None, size: int) -> Html:
    """Return the grid of the pictures, with the given number of columns or as many as fit."""
    grid = f"--ink-columns:repeat({columns},minmax(0,1fr));" if columns else f"--ink-size:{size}px;"
    return tag("div", *shots, class_="ink-gallery", style=f"{grid}display:flex;flex-wrap:wrap;gap:18px 14px")


def _groups(
    records: Sequence[Record], shots: Sequence[Html], field: str | None, columns: int | None, size: int
) -> Iterator[Html]:
    if field is None:
        yield _gallery_tag(shots, columns, size)
        return
    pairs = zip(records, shots, strict=True)
    for heading, members in groupby(pairs, key=lambda pair: words(pair[0], field)):
        own = [each for _, each in members]
        count = tag("span", f"{len(own)}", class_="ink-meta")
        yield tag("div", heading, " ", count, class_="ink-group", dir="auto", style="font-weight:600")
        yield _gallery_tag(own, columns, size)


def _describer(caption: Caption, records: Sequence[Record]) -> Callable[[Record], str]:
    if caption is None:
        return lambda record: about(record, of=IMAGES.name)
    if callable(caption):
        return lambda record: line(caption(record), 160)
    if "{" not in caption:
        require(records, caption)
        return lambda record: _word(record, caption)
    return lambda record: line(_fill(caption, record), 160)


def _fill(pattern: str, record: Record) -> str:
    said = {field: _word(record, field) for field in record}
    try:
        return pattern.format_map(said)
    except (KeyError, ValueError, IndexError, AttributeError) as error:
        there = ", ".join(line(field, 40) for field in said)
        raise InvalidArgument(
            f"caption={pattern!r} cannot be filled in: {error}.\nAvailable fields: {there}."
        ) from None


def _word(record: Record, field: str) -> str:
    return "" if value(record, field) is None else words(record, field)


def report_html(
    records: Sequence[Record],
    fetch: Callable[[Record], bytes] | None = None,
    *,
    title: str = "Report",
    service: str = "",
    made: datetime | None = None,
    progress: bool = True,
) -> str:
    """Return a page with a gallery of the images, the documents in full, and tables of all settings.

    The page is one file without a script; its tables are sorted by styles. Its content security policy blocks
    everything else.

    Args:
        records: Images, documents, or both.
        fetch: Returns the picture file of an image; called from two threads at once. Without it there is no
            gallery.
        title: The heading of the page.
        service: The name of the service on the page.
        made: The time of creation; by default now.
        progress: Whether to show a progress bar for more than 20 pictures.
    """
    images, documents = (
        [record for record in records if held_by(record) == spec.name] for spec in (IMAGES, DOCUMENTS)
    )
    made = made or datetime.now(UTC)
    counts = [
        counted(len(images), "picture") if images else "",
        counted(len(documents), "document") if documents else "",
    ]
    about = joined(*counts, line(service, 80), moment(made))
    sections: list[Html | None] = [
        _header(title, about),
        _section("Pictures", _gallery(images, fetch, progress=progress)) if images and fetch else None,
        _section("Documents", *(entry_tag(each, "accordion", _TEXT) for each in documents))
        if documents
        else None,
        _section("Settings of the pictures", _settings(images)) if images else None,
        _section("Settings of the documents", _settings(documents)) if documents else None,
    ]
    return _page(line(title), tag("main", *sections, class_="ink-page"))


def columns_html(
    columns: Sequence[tuple[str, Sequence[Any]]],
    texts: Collection[str],
    pictures: Collection[str],
    *,
    title: str = "Report",
    service: str = "",
) -> str:
    """Return a page with a table of a person's own columns, and the texts and pictures that were generated beside them.

    Args:
        columns: The name and the values of each column.
        texts: The columns of generated texts, which are rendered.
        pictures: The columns of generated pictures, whose bytes are thumbnails; a text is the reason for a missing one.
        title: The heading of the page.
        service: The name of the service on the page.
    """
    about = joined(counted(len(columns[0][1]), "row"), line(service, 80), moment(datetime.now(UTC)))
    # Below the width that the table needs, each row is a block; only its texts can be narrower than they like.
    width = max(640, 100 * (len(columns) + len(texts)) + 50 * len(pictures))
    grid = columns_table(columns, texts, pictures, sortable=True)
    body = tag("main", _header(title, about), grid, class_="ink-page ink-columns-page")
    return _page(line(title), body).replace(_NARROW, f"(max-width:{width}px)", 1)


def columns_table(
    columns: Sequence[tuple[str, Sequence[Any]]],
    texts: Collection[str],
    pictures: Collection[str],
    *,
    sortable: bool = False,
    most: int = _TEXT,
) -> Html:
    """Return the table of such a page.

    Args:
        columns: The name and the values of each column.
        texts: The columns of generated texts.
        pictures: The columns of generated pictures.
        sortable: Whether it can be sorted by a column, which makes it larger.
        most: The most characters of a text.
    """
    names, rows = [name for name, _ in columns], [*zip(*(values for _, values in columns), strict=True)]
    cells = [
        [
            tag("td", picture_tag({"name": row[0]}, each, 120))
            if name in pictures and isinstance(each, bytes)
            else cell_tag(name, folded_prose(each, most=most) if name in texts and each is not None else each)
            for name, each in zip(names, row, strict=True)
        ]
        for row in rows
    ]
    values = [[None if isinstance(each, bytes) else each for each in row] for row in rows]
    return sorted_table([line(name, 60) for name in names], values if sortable else [], cells)


def _header(title: str, about: str) -> Html:
    return tag("header", tag("h1", line(title), dir="auto"), tag("p", about, class_="ink-meta"))


def is_report(path: Path) -> bool:
    """Return whether a file was written from ``report_html``."""
    with path.open("rb") as file:
        return _MARK.encode() in file.read(_HEAD)


def _section(heading: str, *content: Html) -> Html:
    return tag("section", tag("h2", heading), *content)


def _gallery(images: Sequence[Record], fetch: Callable[[Record], bytes], *, progress: bool) -> Html:
    share = max(6_000, min(_PICTURE_BYTES, _ALL_PICTURES // len(images)))
    small = fetch_thumbnails(images, fetch, size=_PIXELS, max_bytes=share, progress=progress)
    pairs = zip(images, small, strict=True)
    return _gallery_tag([shot(record, picture, about(record), 200) for record, picture in pairs], None, 200)


def _settings(records: Sequence[Record]) -> Html:
    """Return a sortable table of the records' fields, with long texts cut."""
    fields = [field for field in FIELDS if any(field in record for record in records)]
    columns = [(field.replace("_", " "), [record.get(field) for record in records]) for field in fields]
    return columns_table(columns, (), (), sortable=True)


def _page(title: str, body: Html) -> str:
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(_MARK),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        style("gallery", "prose", "read", "table", "report"),
    )
    page = tag("body", body, class_="inkframe", style="margin:0")
    return "<!doctype html>\n" + tag("html", head, page, lang="en")
