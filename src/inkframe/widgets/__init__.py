"""Forms, browsers and grids: what a person does without writing code, with the code always at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.widgets.document_form import DocumentForm
    from inkframe.widgets.image_form import ImageForm

__all__ = ["DocumentForm", "ImageForm"]

#: The module of each public name; a notebook that shows one form loads no browser.
_HOMES = {
    "DocumentForm": "document_form",
    "ImageForm": "image_form",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
