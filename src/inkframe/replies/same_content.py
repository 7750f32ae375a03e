"""Comparison of sent and received values, for updates, edited frames, and creates without a reply."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import Any, Final, Literal

__all__ = ["Sameness", "is_version", "same_content"]

Sameness = Literal["same", "other", "not shown"]

#: The maximum difference of equal numbers.
CLOSE: Final = 1e-9
#: The maximum difference of a number that was rounded to tenths, or to an integer.
TENTH: Final = 0.05 + CLOSE
WHOLE: Final = 0.5 + CLOSE
#: The least number of characters by which a longer or shorter version of a text is recognized.
RECOGNIZABLE: Final = 4
#: Parts that services remove from texts, or replace by hyphens: tags, punctuation and white space.
BETWEEN: Final = re.compile(r"(?:<[^<>]*>|[\W_])+")


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


def is_version(sent: Any, shown: Any) -> bool:
    """Return whether a service may have made a value of a reply from the one that was sent.

    Services change case, accents, punctuation and white space, escape or remove tags, cut off the end, add words,
    and round numbers.

    Args:
        sent: The value that was sent.
        shown: The value in the reply; None is not shown, and therefore no version.
    """
    if shown is None or sent is None:
        return False
    if same_content(sent, shown) == "same":
        return True
    if isinstance(sent, bool) or isinstance(shown, bool):
        return False
    if isinstance(shown, int | float):
        return abs(shown - float(sent)) <= (WHOLE if float(shown).is_integer() else TENTH)
    whole, part = _words(str(sent)), _words(str(shown))
    if len(part) > len(whole):
        # With boundaries, since any text contains the letters of a short one.
        return len(whole) >= RECOGNIZABLE and f" {whole} " in f" {part} "
    return part == whole != "" or (len(part) >= RECOGNIZABLE and whole.startswith(part))


def _words(text: str) -> str:
    """Return the words of a text in lower case, without accents, tags and punctuation."""
    letters = unicodedata.normalize("NFKD", unescape(text))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return BETWEEN.sub(" ", bare).casefold().strip()
