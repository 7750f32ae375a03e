"""Whether a reply shows what was sent: the one rule for updates, edited frames, and creates whose answer was lost."""

from __future__ import annotations

from typing import Any, Literal

__all__ = ["Sameness", "same_content"]

Sameness = Literal["same", "other", "not shown"]

#: The difference up to which two numbers are the same, however a service writes them.
CLOSE = 1e-9


def same_content(sent: Any, shown: Any) -> Sameness:
    """Compare a value that was sent with the one that a reply shows.

    Line ends count as equal and outer white space does not count, since services change both; white space
    within a text counts. An empty text may come back as none.

    Args:
        sent: The value that was sent, None for none.
        shown: The value as it was read from the reply, None where it shows none.
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
