"""What runs in the browser: hand-written ES modules and style sheets, read as they stand."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from inkframe.display.theme import style

__all__ = ["look", "script", "sheet"]


@cache
def script(*names: str) -> str:
    """Give a module of this folder, with what it uses before it: functions that all share, and parts by name."""
    return "".join(_read(f"{name}.js") for name in ("element", *names))


@cache
def sheet(*names: str) -> str:
    """Give style sheets of this folder."""
    return "".join(_read(f"{name}.css") for name in names)


@cache
def look(*parts: str) -> str:
    """Give the tokens that everything inkframe shows shares, and the rules of some of its parts."""
    return style(*parts).removeprefix("<style>").removesuffix("</style>")


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
