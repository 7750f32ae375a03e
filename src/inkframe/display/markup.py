"""Build safe HTML: every text is cleaned and escaped unless it is already markup."""

from __future__ import annotations

from html import escape
from typing import Any

from inkframe.display.plain_text import plain

__all__ = ["Html", "join", "tag"]

_VOID = frozenset({"br", "hr", "img", "input", "meta"})


class Html(str):
    """Markup that is inserted unchanged; any other text is escaped."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: Any) -> Html:
    """Return an element.

    Args:
        name: The element's name, such as ``figure``.
        children: Its content: ``Html`` is inserted unchanged, anything else is escaped, None is left out.
        attributes: Its attributes. A trailing underscore is removed (``class_``), others become hyphens. True
            adds an attribute without a value, None and False add none.

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
    """Join children to one piece of markup; anything but ``Html`` is escaped."""
    return Html("".join(_escaped(child) for child in children if child is not None))


def _escaped(content: object) -> str:
    return content if isinstance(content, Html) else escape(plain(content))
