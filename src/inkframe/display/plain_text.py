"""Plain text from a service, made fit to be shown: controls removed, length bounded, words counted."""

from __future__ import annotations

import re

__all__ = ["SPACELESS", "counted", "cut", "joined", "line", "measure", "plain", "without_marks"]

#: Every kind of line break that is not a line feed.
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: Controls, lone surrogates and non-characters; and the two marks that make text read backwards.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202d\u202e]")
#: Marks that change direction, or that nobody sees: in one line they only mislead.
_UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")

#: What makes a line a heading in Markdown.
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)

#: Scripts that are written without spaces between words: Thai to Khmer, and the East Asian ones.
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACELESS = re.compile(f"[{SPACELESS}]")


def plain(text: object) -> str:
    """Give text over several lines without control characters.

    Args:
        text: Anything; what is no text is written as text first.

    Returns:
        The text with line feeds as its only line breaks and tabs as its only other control.
    """
    text = str(text)
    # Nearly every text is a word or a line, which needs no second look.
    return text if text.isprintable() else _CONTROLS.sub("", _BREAKS.sub("\n", text))


def line(text: object, limit: int = 200) -> str:
    """Give text on one line, without anything that hides or reverses it.

    Args:
        text: Anything; what is no text is written as text first.
        limit: Most characters; a longer text ends in an ellipsis.
    """
    # Cut before joining as well: a line of megabytes need not be cleaned to show its beginning.
    head = _UNSEEN.sub("", plain(str(text)[: 8 * limit]))
    return cut(" ".join(head.split()), limit)


def cut(text: str, limit: int) -> str:
    """Give the beginning of a text, at most ``limit`` characters, with an ellipsis where some are missing."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 0.7 else head).rstrip() + "…"


def without_marks(text: str) -> str:
    """Give Markdown without the marks of its headings: they are for the typesetter, and no words of the text."""
    return _HEADING.sub("", text)


def measure(text: str) -> str:
    """Say how long a text is: words, or characters in scripts that put no spaces between words.

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
    """Give a number with its noun, such as ``1,840 words``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(*parts: str | None) -> str:
    """Give words with a middle dot between them; empty ones fall out."""
    return " · ".join(part for part in parts if part)
