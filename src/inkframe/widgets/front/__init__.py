"""The code of the browser: ES modules and style sheets, read unchanged."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from inkframe.display.markup import style

__all__ = ["look", "script", "sheet"]


@cache
def script(*names: str) -> str:
    """Return a module of this folder, behind the functions that all share and the named parts that it uses."""
    return "".join(_read(f"{name}.js") for name in ("element", *names))


@cache
def sheet(*names: str) -> str:
    """Return style sheets of this folder."""
    return "".join(_read(f"{name}.css") for name in names)


@cache
def look(*parts: str) -> str:
    """Return the shared design tokens, and the rules of some parts of the display."""
    return style(*parts).removeprefix("<style>").removesuffix("</style>")


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
