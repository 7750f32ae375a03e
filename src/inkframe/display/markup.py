"""HTML that is safe by construction: every text is cleaned and escaped unless it is already markup."""

from __future__ import annotations

from html import escape
from typing import Any

from inkframe.display.plain_text import plain

__all__ = ["Html", "join", "tag"]

_VOID = frozenset({"br", "hr", "img", "meta"})


class Html(str):
    """Markup that goes into a page as it stands; any other text is escaped on its way."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: Any) -> Html:
    """Give an element.

    Args:
        name: The element's name, such as ``figure``.
        children: What stands in it: ``Html`` as it is, all else escaped; None is left out.
        attributes: Its attributes. A trailing underscore falls away (``class_``), another becomes a hyphen.
            True gives a bare attribute, None and False give none.

    Example:
        >>> tag("p", "1 < 2", class_="note")
        '<p class="note">1 &lt; 2</p>'
    """
    marks = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_escaped(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{marks}>")
    return Html(f"<{name}{marks}>{join(*children)}</{name}>")


def join(*children: object) -> Html:
    """Give children as one piece of markup; what is not ``Html`` is escaped."""
    return Html("".join(_escaped(child) for child in children if child is not None))


def _escaped(content: object) -> str:
    return content if isinstance(content, Html) else escape(plain(content))
