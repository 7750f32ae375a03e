"""Views over records of any collection: compared, on a contact sheet, in a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe.accessor import client_of
from inkframe.errors import InvalidArgument
from inkframe.library.progress import is_progress_wanted
from inkframe.library.records import Document, Image
from inkframe.library.selection import is_frame, rows, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    import pandas as pd
    from PIL.Image import Image as Picture
    from PIL.ImageFont import FreeTypeFont

    from inkframe.display import View

__all__ = ["compare", "contact_sheet", "report"]

Row = dict[str, Any]


def compare(records: pd.DataFrame | Iterable[Image | Document]) -> View:
    """Show records side by side, with what differs marked.

    Args:
        records: Two or more documents, two images, or a frame of them.

    Raises:
        InvalidArgument: There are too few, or images and documents are mixed.
    """
    from inkframe.display import compare

    found, fetch, service = _gathered(records)
    return compare(found, fetch, service=service)


def contact_sheet(
    images: pd.DataFrame | Iterable[Image | Document],
    *,
    rows: str,
    columns: str,
    font: str | PathLike[str] | FreeTypeFont | None = None,
    size: int = 256,
) -> Picture:
    """Set pictures in rows and columns with headings, as one ``PIL.Image`` for PNG or PDF.

    Args:
        images: A frame, or records; documents are set as small text.
        rows: The field that names the rows, such as ``medium``.
        columns: The field that names the columns, such as ``style``.
        font: A font file for text that the bundled typeface cannot draw.
        size: The side of a cell in pixels, 64 to 1024.

    Raises:
        InvalidArgument: There are no pictures, or a field is missing.
    """
    from inkframe.display import contact_sheet

    found, fetch, _ = _gathered(images)
    pairs = ((row, row.get("result") or "" if "prompt" in row else _content(row, fetch)) for row in found)
    face = str(font) if isinstance(font, Path) else font
    return contact_sheet(pairs, rows=rows, columns=columns, font=face, size=size)  # type: ignore[arg-type]


def report(
    frame: pd.DataFrame | Iterable[Image | Document],
    path: str | PathLike[str],
    *,
    title: str = "Report",
    overwrite: bool = False,
    progress: bool | None = None,
) -> Path:
    """Write one HTML page with the pictures, the texts and all settings; it needs no network.

    Args:
        frame: A frame, or records.
        path: The file to write.
        title: The page's heading.
        overwrite: Whether a file that is there is replaced.
        progress: Whether a bar is shown for more than 20 pictures; ``INKFRAME_PROGRESS`` decides if not given.

    Returns:
        The path written.

    Raises:
        InvalidArgument: The file is there already.
    """
    from inkframe.display import report_html, write_file

    found, fetch, service = _gathered(frame)
    wanted = is_progress_wanted(progress)
    page = report_html(found, fetch, title=title, service=service, progress=wanted)
    target = Path(path).expanduser()
    return write_file(target.parent, target.name, page.encode(), overwrite=overwrite)


def _content(row: Row, fetch: Callable[[Mapping[str, Any]], bytes]) -> bytes | str:
    from inkframe.errors import InkframeError

    try:
        return fetch(row)
    except InkframeError as error:
        return str(error)


def _gathered(
    records: pd.DataFrame | Iterable[Image | Document],
) -> tuple[list[Row], Callable[[Mapping[str, Any]], bytes], str]:
    """Give rows, what fetches their pictures, and what their service is called."""
    if is_frame(records):
        found = rows(records)
        if "prompt" in records.columns:
            return found, _no_picture, str(records.attrs.get("inkframe", {}).get("service", ""))
        client = client_of(records, "images", "gallery")
        return found, client.images.picture_of_row, client.service
    several = [record for record in records if isinstance(record, Image | Document)]
    if not several:
        raise InvalidArgument(
            "There is nothing to show.\nGive records, or a frame of a client's images or documents."
        )
    found = [values(record) | {"_record": position} for position, record in enumerate(several)]
    origin = several[0]._origin  # noqa: SLF001  # what captions call the service is not the record's own

    def fetch(row: Mapping[str, Any]) -> bytes:
        record = several[row["_record"]]
        return record.picture_bytes if isinstance(record, Image) else _no_picture(row)

    return found, fetch, origin.service if origin else ""


def _no_picture(row: Mapping[str, Any]) -> bytes:
    raise InvalidArgument(f"Document {row['id']} has no picture.")
