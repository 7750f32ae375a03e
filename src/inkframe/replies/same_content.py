"""Comparison of sent and received values, for updates, edited frames, and creates without a reply."""

from __future__ import annotations

from typing import Any, Literal

__all__ = ["Sameness", "same_content"]

Sameness = Literal["same", "other", "not shown"]

#: The maximum difference of equal numbers.
CLOSE = 1e-9


def same_content(sent: Any, shown: Any) -> Sameness:
    """Compare a sent value with the value in a reply.

    Line endings and leading or trailing whitespace are ignored, since services change both; whitespace inside
    a text counts. An empty text may be returned as null.

    Args:
        sent: The value that was sent, or None.
        shown: The value in the reply, or None.
    """
    if shown is None and sent not in (None, ""):
        return "not shown"
    if isinstance(sent, bool) or isinstance(shown, bool):
        is_same = bool(sent == shown)
    elif isinstance(shown, int | float) and sent is not None:
        is_same = abs(shown - float(sent)) < CLOSE
    else:
        is_same = _plain(sent) == _plain(shown)
    return "same" if is_same else "other"


def _plain(text: object) -> str:
    return "" if text is None else str(text).replace("\r\n", "\n").replace("\r", "\n").strip()
