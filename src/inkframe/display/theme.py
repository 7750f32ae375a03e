"""The style sheets of all views: tokens, and the rules that each view needs."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from inkframe.display.markup import Html, tag

__all__ = ["bar", "read_sheet", "root", "style"]

#: Otherwise MathJax, which notebooks load, renders the text between two dollar signs as a formula.
_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"


@cache
def style(*parts: str) -> Html:
    """Return a ``<style>`` element with the tokens and the rules of some parts.

    Every rule is limited to the class ``inkframe``, so it does not affect the rest of the notebook.
    JupyterLab drops style elements from untrusted notebooks, so views also have ``style`` attributes to stay
    readable.

    Args:
        parts: Names of style sheets in the folder ``styles``, such as ``gallery``.
    """
    sheets = [read_sheet(part) for part in ("base", *parts)]
    return Html(f"<style>{''.join(sheets)}</style>")


def root(*children: object, parts: tuple[str, ...] = ()) -> Html:
    """Return the outermost element of a view, with its style sheet."""
    return tag("div", style(*parts), *children, class_=f"inkframe {_NO_FORMULAS}")


def bar(*notes: str | Html) -> Html:
    """Return the line of notes above a view."""
    return tag("div", *(tag("p", note, class_="ink-meta") for note in notes), class_="ink-bar")


@cache
def read_sheet(name: str) -> str:
    """Return the style sheet of a view, without comments and line breaks."""
    text = (files(__package__) / "styles" / f"{name}.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", re.sub(r"\s+", " ", text))
    return re.sub(r" ?([{};,]) ?", r"\1", text).replace(";}", "}").replace(": ", ":").strip()
