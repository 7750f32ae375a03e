"""Render records in notebooks and files: figures, galleries, texts, tables and reports.

This package is independent of any service. Records are mappings of their columns, and pictures are bytes or a
callable that returns bytes. Text is not trusted until cleaned, and pictures are not trusted until decoded.
The output loads nothing, runs nothing, and renders again without a kernel. Public names are imported on first
use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.display.comparison import compare
    from inkframe.display.console import progress_bar
    from inkframe.display.figure import image_bundle
    from inkframe.display.files import (
        document_file,
        file_name,
        is_picture_file,
        open_file,
        picture_file,
        saved_picture,
    )
    from inkframe.display.gallery_view import Gallery, gallery
    from inkframe.display.markdown import prose
    from inkframe.display.markup import Html, tag
    from inkframe.display.picture import check_picture, load_picture, thumbnail
    from inkframe.display.reader import document_bundle, read
    from inkframe.display.report import is_report, report_html
    from inkframe.display.sheet import contact_sheet
    from inkframe.display.tables import table
    from inkframe.display.theme import style
    from inkframe.display.thumbnails import fetch_thumbnails
    from inkframe.display.view import View

__all__ = [
    "Gallery",
    "Html",
    "View",
    "check_picture",
    "compare",
    "contact_sheet",
    "document_bundle",
    "document_file",
    "fetch_thumbnails",
    "file_name",
    "gallery",
    "image_bundle",
    "is_picture_file",
    "is_report",
    "load_picture",
    "open_file",
    "picture_file",
    "progress_bar",
    "prose",
    "read",
    "report_html",
    "saved_picture",
    "style",
    "table",
    "tag",
    "thumbnail",
]

#: The module of each public name.
_MODULES = {
    "Gallery": "gallery_view",
    "Html": "markup",
    "View": "view",
    "check_picture": "picture",
    "compare": "comparison",
    "contact_sheet": "sheet",
    "document_bundle": "reader",
    "document_file": "files",
    "fetch_thumbnails": "thumbnails",
    "file_name": "files",
    "gallery": "gallery_view",
    "image_bundle": "figure",
    "is_picture_file": "files",
    "is_report": "report",
    "load_picture": "picture",
    "open_file": "files",
    "picture_file": "files",
    "progress_bar": "console",
    "prose": "markdown",
    "read": "reader",
    "report_html": "report",
    "saved_picture": "files",
    "style": "theme",
    "table": "tables",
    "tag": "markup",
    "thumbnail": "picture",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
