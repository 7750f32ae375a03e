"""Clean plain text from a service: remove controls, limit the length, count words."""

from __future__ import annotations

import re

__all__ = [
    "SPACELESS",
    "counted",
    "cut",
    "joined",
    "line",
    "measure",
    "plain",
    "spell_seconds",
    "without_marks",
]

#: Every kind of line break that is not a line feed.
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: Controls, lone surrogates, non-characters, and the two marks that reverse text.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202d\u202e]")
#: Marks that change the direction and invisible characters, which are misleading in a single line.
_UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")

#: The start of a heading in Markdown.
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)

#: Scripts that are written without spaces between words: Thai to Khmer, and the East Asian ones.
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACELESS = re.compile(f"[{SPACELESS}]")


def plain(text: object) -> str:
    """Return text over several lines without control characters.

    Args:
        text: Any value; it is converted to a string first.

    Returns:
        The text with line feeds as its only line breaks and tabs as its only other control.
    """
    text = str(text)
    # Nearly every text is a single printable line, which needs no cleaning.
    return text if text.isprintable() else _CONTROLS.sub("", _BREAKS.sub("\n", text))


def line(text: object, limit: int = 200) -> str:
    """Return text on one line, without invisible or reversing characters.

    Args:
        text: Any value; it is converted to a string first.
        limit: The maximum number of characters; a longer text ends in an ellipsis.
    """
    # Cut first, so that a line of megabytes is not cleaned to show its beginning.
    head = _UNSEEN.sub("", plain(str(text)[: 8 * limit]))
    return cut(" ".join(head.split()), limit)


def cut(text: str, limit: int) -> str:
    """Return the beginning of a text, at most ``limit`` characters, with an ellipsis if it is cut."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 0.7 else head).rstrip() + "…"


def without_marks(text: str) -> str:
    """Return Markdown without the marks of its headings, which are not words of the text."""
    return _HEADING.sub("", text)


def measure(text: str) -> str:
    """Return the length of a text in words, or in characters for scripts without spaces.

    Example:
        >>> measure("Morning begins before the whistle.")
        '5 words'
    """
    words = len(text.split())
    letters = len(_SPACELESS.findall(text[:20_000]))
    if letters > words:
        return counted(len("".join(text.split())), "character")
    return counted(words, "word")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1,840 words``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def spell_seconds(seconds: float) -> str:
    """Return a duration in its largest fitting unit, such as ``4 min``."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def joined(*parts: str | None) -> str:
    """Join texts with a middle dot; empty ones are left out."""
    return " · ".join(part for part in parts if part)
