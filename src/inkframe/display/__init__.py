"""Values become what a notebook shows: figures, walls, texts, tables, reports and files.

Nothing here knows a service. Records come as mappings of their columns, pictures as bytes or as a callable
that gives bytes. Text is hostile until cleaned, pictures until decoded; what is shown loads nothing, runs
nothing, and needs no kernel to be shown again. Names resolve on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.display.article import document_bundle
    from inkframe.display.cache import ThumbnailCache
    from inkframe.display.comparison import compare
    from inkframe.display.figure import image_bundle
    from inkframe.display.filename import file_name
    from inkframe.display.files import check_file, document_file, open_file, picture_file, write_file
    from inkframe.display.markdown import prose
    from inkframe.display.markup import Html, tag
    from inkframe.display.picture import check_picture, load_picture, thumbnail
    from inkframe.display.progress import progress_bar
    from inkframe.display.reader import read
    from inkframe.display.report import report_html
    from inkframe.display.sheet import contact_sheet
    from inkframe.display.spreadsheet import neutralise_formulas
    from inkframe.display.tables import table
    from inkframe.display.theme import style
    from inkframe.display.thumbnails import fetch_thumbnails
    from inkframe.display.view import View
    from inkframe.display.wall import Gallery, gallery

__all__ = [
    "Gallery",
    "Html",
    "ThumbnailCache",
    "View",
    "check_file",
    "check_picture",
    "compare",
    "contact_sheet",
    "document_bundle",
    "document_file",
    "fetch_thumbnails",
    "file_name",
    "gallery",
    "image_bundle",
    "load_picture",
    "neutralise_formulas",
    "open_file",
    "picture_file",
    "progress_bar",
    "prose",
    "read",
    "report_html",
    "style",
    "table",
    "tag",
    "thumbnail",
    "write_file",
]

#: The module of each public name.
_HOMES = {
    "article": ("document_bundle",),
    "cache": ("ThumbnailCache",),
    "comparison": ("compare",),
    "sheet": ("contact_sheet",),
    "files": ("check_file", "document_file", "open_file", "picture_file", "write_file"),
    "figure": ("image_bundle",),
    "filename": ("file_name",),
    "wall": ("Gallery", "gallery"),
    "markup": ("Html", "tag"),
    "picture": ("check_picture", "load_picture", "thumbnail"),
    "markdown": ("prose",),
    "progress": ("progress_bar",),
    "reader": ("read",),
    "report": ("report_html",),
    "spreadsheet": ("neutralise_formulas",),
    "tables": ("table",),
    "theme": ("style",),
    "thumbnails": ("fetch_thumbnails",),
    "view": ("View",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
