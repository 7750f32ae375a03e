"""Forms, browsers and grids: what a person does without writing code, with the code always at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.widgets.document_browser import DocumentBrowser
    from inkframe.widgets.document_form import DocumentForm
    from inkframe.widgets.image_browser import ImageBrowser
    from inkframe.widgets.image_form import ImageForm

__all__ = ["DocumentBrowser", "DocumentForm", "ImageBrowser", "ImageForm"]

#: The module of each public name; a notebook that shows one form loads no browser.
_HOMES = {
    "DocumentBrowser": "document_browser",
    "DocumentForm": "document_form",
    "ImageBrowser": "image_browser",
    "ImageForm": "image_form",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
