"""Build a report: one self-contained HTML page with pictures, documents and their settings."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from inkframe.display.files import FIELDS
from inkframe.display.gallery import gallery_tag, shot_tag
from inkframe.display.markup import Html, tag
from inkframe.display.plain_text import counted, joined, line
from inkframe.display.reader import entry_tag
from inkframe.display.record_facts import held_by, look, moment
from inkframe.display.tables import cell_tag, table_tag
from inkframe.display.theme import style
from inkframe.display.thumbnails import fetch_thumbnails
from inkframe.schema import DOCUMENTS, IMAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Record = Mapping[str, Any]

__all__ = ["is_report", "report_html"]

#: Our mark in a page, and the number of its first characters that are searched for it.
_MARK = '<meta name="generator" content="inkframe">'
_HEAD = 500

#: Pixels and bytes of a picture in a report, which may be larger than in a notebook.
_PIXELS, _PICTURE_BYTES, _ALL_PICTURES = 640, 60_000, 40_000_000
_TEXT = 200_000


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

    The page is one file. Its content security policy blocks everything except the script that sorts its
    tables.

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
        tag("header", tag("h1", line(title), dir="auto"), tag("p", about, class_="ink-meta")),
        _section("Pictures", _gallery(images, fetch, progress=progress)) if images and fetch else None,
        _section("Documents", *(entry_tag(each, "accordion", _TEXT) for each in documents))
        if documents
        else None,
        _section("Settings of the pictures", _settings(images)) if images else None,
        _section("Settings of the documents", _settings(documents)) if documents else None,
    ]
    return _page(line(title), tag("main", *sections, class_="ink-page"))


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
    return gallery_tag(
        [shot_tag(record, picture, look(record, brief=True), 200) for record, picture in pairs], None, 200
    )


def _settings(records: Sequence[Record]) -> Html:
    """Return a sortable table of the records' fields, with long texts cut."""
    fields = [field for field in FIELDS if any(field in record for record in records)]
    rows = (
        tag("tr", *(cell_tag(field, record.get(field), key=True) for field in fields)) for record in records
    )
    return table_tag([field.replace("_", " ") for field in fields], rows, sortable=True)


def _page(title: str, body: Html) -> str:
    script = (files(__package__) / "sort.js").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
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
    sort = Html(f"<script>{script}</script>")
    root = tag("body", body, sort, class_="inkframe", style="margin:0")
    return "<!doctype html>\n" + tag("html", head, root, lang="en")
