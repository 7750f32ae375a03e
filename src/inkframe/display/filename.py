"""File names from records: safe on every system, whatever a service calls its records."""

from __future__ import annotations

import re
import unicodedata

from inkframe.display.plain_text import line

__all__ = ["file_name"]

#: The most bytes of a name: half of what file systems allow, which leaves room for what programs append.
_MOST_BYTES = 120
#: Names that Windows keeps for devices, with and without an extension (Microsoft, "Naming Files").
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)


def file_name(number: object, name: object, extension: str, taken: set[str] | None = None) -> str:
    """Give a file's name as ``{id}-{slug}{extension}``.

    Args:
        number: The record's id; an opaque one is cleaned like the name.
        name: The record's name, not trusted.
        extension: With its dot, such as ``.png``.
        taken: Names in use, folded; the new one is added. Names that differ only in case, or in how an accent
            is written, count as the same, since many file systems cannot hold both.

    Returns:
        A single path component of at most 120 bytes, made of letters, digits and hyphens.

    Example:
        >>> file_name(7, "Harbour: at dawn?", ".png")
        '7-Harbour-at-dawn.png'
    """
    taken = set() if taken is None else taken
    parts = [_slug("" if number is None else str(number), 40), _slug("" if name is None else str(name), 120)]
    stem = "-".join(part for part in parts if part) or "untitled"
    if _RESERVED.fullmatch(stem):
        stem = f"{stem}-file"
    stem = _clip(stem, _MOST_BYTES - len(extension.encode()) - 6)
    found, count = stem + extension, 2
    while _folded(found) in taken:
        found, count = f"{stem}-{count}{extension}", count + 1
    taken.add(_folded(found))
    return found


def _slug(text: str, limit: int) -> str:
    """Give a text's letters, marks and digits in any script, a hyphen for each run of all else."""
    letters = (
        c if c == "_" or unicodedata.category(c)[0] in "LMN" else " "
        for c in _composed(line(text, 2 * limit))
    )
    return _clip("-".join("".join(letters).split()), limit)


def _clip(text: str, limit: int) -> str:
    """Cut a text to a number of bytes between two characters."""
    return text.encode()[:limit].decode(errors="ignore").strip("-_")


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
