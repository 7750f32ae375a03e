"""Comparisons, contact sheets and reports of records, and the open collections that frames belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.display import figure as record_facts
from inkframe.display.console import is_progress_wanted
from inkframe.display.markup import counted, root, tag
from inkframe.display.view import View
from inkframe.errors import InvalidArgument, checked
from inkframe.frames import (
    ENDINGS,
    differing,
    generated_columns,
    held_by,
    named_service,
    origin,
    plain,
    records_of,
    rows_of,
)
from inkframe.listing.session import open_sessions
from inkframe.resources.records import (
    TypedRecord,
    is_frame,
    picture_of,
    service_of,
    values_of,
)
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES
from inkframe.system.files import check_file, write_file
from inkframe.versions import Later
from inkframe.vocabulary.arguments import check_integer

if TYPE_CHECKING:
    import PIL.Image as pillow  # noqa: N813  # a record is named Image
    from PIL import ImageFont
else:
    pillow, ImageFont = Later("PIL.Image"), Later("PIL.ImageFont")

__all__ = [
    "collection_of",
    "compare",
    "contact_sheet",
    "report",
    "table_of",
    "thumbnails_by_column",
    "view_columns",
]

#: The most characters of a text in a view of generated columns.
MOST_OF_TEXT: Final = 1_200
Row = dict[str, Any]
WANTED: Final = "Pass records, or a frame of a client's images or documents."


@checked
def compare(records: pd.DataFrame | Iterable[TypedRecord], *, column: str | None = None) -> View:
    """Show records side by side with their differences marked.

    Args:
        records: Two to twelve documents, two to twelve images, or a frame of them.
        column: The generated column to compare, where a frame has several; by default that of texts.

    Raises:
        InvalidArgument: There are too few or too many records, or images and documents are mixed.
    """
    from inkframe.analysis.similarity import similarity_to
    from inkframe.display.comparison import compare

    found, fetch, service = _collected(records, column=column)
    return compare(found, fetch, similarity=similarity_to, service=service)


@checked
def contact_sheet(
    images: pd.DataFrame | Iterable[TypedRecord],
    *,
    rows: str | None = None,
    columns: str | None = None,
    font: str | PathLike[str] | ImageFont.FreeTypeFont | None = None,
    size: int = 256,
    column: str | None = None,
    progress: bool | None = None,
) -> pillow.Image:
    """Return pictures in rows and columns with headings, as one ``PIL.Image`` for PNG or PDF.

    Args:
        images: A frame, or records; documents are drawn as small text.
        rows: The field of the rows, such as ``medium``. Without it, or without ``columns``, records are numbered
            there; without both they are in their order, from left to right.
        columns: The field of the columns, such as ``style``.
        font: A font file for text that the bundled font cannot draw.
        size: The side of a cell in pixels, 64 to 1024.
        column: The generated column to show, where a frame has several; by default that of pictures.
        progress: Whether to show a progress bar for more than 20; by default ``INKFRAME_PROGRESS`` decides.

    Raises:
        InvalidArgument: There are no pictures, or a field is missing; nothing was fetched.
    """
    from inkframe.display.sheet import contact_sheet

    found, fetch, _ = _collected(images, IMAGES.name, DOCUMENTS.name, column=column)

    def content(row: Mapping[str, Any]) -> bytes | str:
        spec = RESOURCES[record_facts.held_by(row)]
        return fetch(row) if spec.has_picture else row.get(spec.generated) or ""

    face = str(font) if isinstance(font, Path) else font
    wanted = is_progress_wanted(progress)
    return contact_sheet(found, content, rows=rows, columns=columns, font=face, size=size, progress=wanted)  # type: ignore[arg-type]


@checked
def report(
    frame: pd.DataFrame | Iterable[TypedRecord],
    path: str | PathLike[str],
    *,
    title: str = "Report",
    overwrite: bool = False,
    progress: bool | None = None,
) -> Path:
    """Write one HTML page with the pictures, the texts and all settings; it works offline.

    Args:
        frame: A frame, or records. Texts and pictures that were generated beside columns of your own stay there.
        path: The file to write.
        title: The heading of the page.
        overwrite: Whether to replace a file that is not a report; an earlier report is replaced anyway.
        progress: Whether to show a progress bar for more than 20; by default ``INKFRAME_PROGRESS`` decides.

    Returns:
        The path written.

    Raises:
        InvalidArgument: There is another file; nothing was fetched. Or the file cannot be written.
    """
    from inkframe.display.gallery import columns_html, is_report, report_html

    target = Path(path).expanduser()
    check_file(target.parent, target.name, overwrite=overwrite, ours=is_report)
    wanted = is_progress_wanted(progress)
    if is_frame(frame) and generated_columns(frame):
        page = columns_html(*_columns(frame, progress=wanted), title=title, service=named_service(frame))
    else:
        found, fetch, service = _collected(frame)
        page = report_html(found, fetch, title=title, service=service, progress=wanted)
    return write_file(target.parent, target.name, page.encode(), overwrite=overwrite, ours=is_report)


def table_of(frame: pd.DataFrame, rows: int, source: Any = None) -> View:
    """Return a view of the first rows of a frame, with its pictures and its texts.

    Args:
        frame: Any frame.
        rows: The most rows.
        source: The collection of its records; by default the one that it was fetched from.
    """
    from inkframe.display.tables import table

    if generated_columns(frame):
        return view_columns(frame, rows)
    held = held_by(frame) if source is None else source.resource
    if held == DOCUMENTS.name:  # no client is needed
        return table(frame, rows=rows, service=source.service if source else named_service(frame))
    _, _, places, records = records_of(shown := frame.head(rows), IMAGES.name)
    source = source or collection_of(records, IMAGES.name, "table")
    small = zip(shown.index[places], source.thumbnails(rows_of(records)), strict=True)
    return table(frame, dict(small), rows=rows, service=source.service)


def view_columns(frame: pd.DataFrame, rows: int) -> View:
    """Return a view of the first rows of a frame with generated columns, for a notebook.

    Args:
        frame: The frame.
        rows: The most rows.
    """
    from inkframe.display.gallery import columns_table

    shown = frame.head(check_integer("rows", rows))
    grid = columns_table(*_columns(shown, progress=False), most=MOST_OF_TEXT)
    about = f"{len(shown):,} of {counted(len(frame), 'row')}"
    return View(root(tag("p", about, class_="ink-meta"), grid, parts=("table", "prose")), f"{about}\n{shown}")


def _columns(
    frame: pd.DataFrame, *, progress: bool
) -> tuple[list[tuple[str, list[Any]]], set[str], Mapping[str, Any]]:
    """Return the columns of a frame with pictures in their cells, and which of them are texts and pictures.

    Ids and states are left out, and errors where there are none.
    """
    made, pictures = generated_columns(frame), thumbnails_by_column(frame, progress=progress)
    beside = {f"{name}{ending}" for name in made for ending in ENDINGS}
    hidden = {
        name
        for name in beside.intersection(frame.columns)
        if not name.endswith("_error") or frame[name].isna().to_numpy().all()
    }
    columns = [
        (
            str(name),
            [pictures.get(name, {}).get(row, each) for row, each in enumerate(plain(frame.iloc[:, at]))],
        )
        for at, name in enumerate(frame.columns)
        if name not in hidden
    ]
    return columns, made.keys() - pictures.keys(), pictures


def _collected(
    records: pd.DataFrame | Iterable[TypedRecord],
    *collections: str,
    column: str | None = None,
) -> tuple[list[Row], Callable[[Mapping[str, Any]], bytes], str]:
    """Return rows, the function that fetches their pictures, and the name of their service."""
    if not is_frame(records):
        given = list(records) if isinstance(records, Iterable) and not isinstance(records, str) else [records]
        return _collected_records(given)  # type: ignore[arg-type]  # frames are iterable too
    spec, _, _, frame = records_of(records, *collections, column=column)
    if not spec.has_picture and spec.generated in frame.columns and frame[spec.generated].notna().any():
        return rows_of(frame), _no_picture, named_service(frame)
    collection = collection_of(frame, spec.name)
    fetch = collection.picture_of_row if spec.has_picture else _no_picture
    return collection.select(frame, needed=spec.file_field), fetch, collection.service


def _collected_records(
    records: list[TypedRecord],
) -> tuple[list[Row], Callable[[Mapping[str, Any]], bytes], str]:
    others = [record for record in records if not isinstance(record, TypedRecord)]
    if others or not records:
        problem = (
            f"records must be images or documents, got {others[0]!r}" if others else "There are no records"
        )
        raise InvalidArgument(f"{problem}.\n{WANTED}")
    found = [values_of(record) for record in records]
    by_row = {id(row): record for row, record in zip(found, records, strict=True)}

    services = [service_of(record) for record in records]
    if len(set(services)) > 1:
        for row, service in zip(found, services, strict=True):
            row[record_facts.SERVICE] = service
    return found, lambda row: picture_of(by_row[id(row)]), " and ".join(dict.fromkeys(services))


def thumbnails_by_column(
    frame: pd.DataFrame, *, progress: bool | None = None
) -> dict[str, dict[int, bytes | str]]:
    """Return the thumbnails of each generated column of pictures by row, or the reasons why they are missing.

    Those of a frame of images stand in its column ``name``.

    Args:
        frame: The frame.
        progress: Whether to show a progress bar for more than 20 pictures.

    Raises:
        InvalidArgument: There is not exactly one client that the pictures are fetched by.
    """
    made = generated_columns(frame)
    columns: dict[str, str | None] = {name: name for name, spec in made.items() if spec.has_picture}
    if not made and held_by(frame) == IMAGES.name and "name" in frame.columns:
        columns = {"name": None}
    found = {}
    for name, column in columns.items():
        _, _, places, rows = records_of(frame, IMAGES.name, column=column)
        small = collection_of(rows, IMAGES.name).thumbnails(rows_of(rows), progress=progress)
        found[name] = dict(zip(places, small, strict=True))
    return found


def _no_picture(row: Mapping[str, Any]) -> bytes:
    raise InvalidArgument(f"Document {row['id']} has no picture.")


def collection_of(frame: pd.DataFrame, name: str, method: str | None = None) -> Any:
    """Return the collection that a frame was fetched from, or the only open one of its service.

    Args:
        frame: The frame, of records of one collection.
        name: Their collection.
        method: The method to call, named in the error; None if records can be used instead of the frame.

    Raises:
        InvalidArgument: There is not exactly one matching client.
    """
    came = origin(frame)
    sessions = {id: each for id, each in open_sessions().items() if name in each.collections}
    same = [session for session in sessions.values() if differing(came, session.source) is None]
    session = sessions.get(came.get("client", "")) or (same[0] if len(same) == 1 else None)
    if session is not None:
        return session.collections[name]
    why = "no client of its service is open" if not same else f"{len(same)} clients match"
    write = f"client.{name}.{method}(frame)" if method else f"client.{name}.get(id) for each id"
    raise InvalidArgument(f"The client of this frame is unknown: {why}.\nWrite {write}.")
