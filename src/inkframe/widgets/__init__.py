"""Forms, browsers and grids, each of which shows the code that does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.widgets.creativity_tuner import CreativityTuner
    from inkframe.widgets.document_browser import DocumentBrowser
    from inkframe.widgets.document_form import DocumentForm
    from inkframe.widgets.image_browser import ImageBrowser
    from inkframe.widgets.image_form import ImageForm
    from inkframe.widgets.look_grid import LookGrid
    from inkframe.widgets.rating_panel import RatingPanel
    from inkframe.widgets.studio import Studio

__all__ = [
    "CreativityTuner",
    "DocumentBrowser",
    "DocumentForm",
    "ImageBrowser",
    "ImageForm",
    "LookGrid",
    "RatingPanel",
    "Studio",
]

#: The module of each public name; a notebook that shows one form loads no browser.
_HOMES = {
    "CreativityTuner": "creativity_tuner",
    "DocumentBrowser": "document_browser",
    "DocumentForm": "document_form",
    "ImageBrowser": "image_browser",
    "ImageForm": "image_form",
    "LookGrid": "look_grid",
    "RatingPanel": "rating_panel",
    "Studio": "studio",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
