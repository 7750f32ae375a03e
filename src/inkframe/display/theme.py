"""The one look: tokens and rules as style sheets, each view taking only what it needs."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from inkframe.display.markup import Html, tag

__all__ = ["bar", "root", "style"]

#: MathJax, in all notebooks' pages, would make a formula of what stands between two prices in dollars.
_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"


@cache
def style(*parts: str) -> Html:
    """Give a ``<style>`` element with the tokens and the rules of some parts.

    Every rule stands under the class ``inkframe``, so nothing leaks into the notebook around it.
    JupyterLab drops style elements from notebooks it does not trust; views therefore carry what they
    need to stay readable in ``style`` attributes too.

    Args:
        parts: Names of style sheets beside this file, such as ``gallery``.
    """
    sheets = [_sheet(part) for part in ("base", *parts)]
    return Html(f"<style>{''.join(sheets)}</style>")


def root(*children: object, parts: tuple[str, ...] = ()) -> Html:
    """Give the outermost element of a view, with its style sheet."""
    return tag("div", style(*parts), *children, class_=f"inkframe {_NO_FORMULAS}")


def bar(*notes: str | Html) -> Html:
    """Give the quiet line above a view, its notes apart from each other."""
    return tag("div", *(tag("p", note, class_="ink-meta") for note in notes), class_="ink-bar")


@cache
def _sheet(name: str) -> str:
    text = (files(__package__) / "styles" / f"{name}.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ?([{};,]) ?", r"\1", text).replace(";}", "}").replace(": ", ":").strip()
