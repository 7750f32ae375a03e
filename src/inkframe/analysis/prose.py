"""Texts without what is not prose: code, the addresses of links, HTML tags, and the numbers of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow.compute as pc

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["prose"]

#: What such parts contain; texts without any of it are not searched by the patterns.
SIGN: Final = r"[`<]|~~~|\]\(|://|(?i:www\.)|\d[.)][ \t]"
#: Patterns and what replaces them, in this order. Marks such as ``#`` and ``*`` are no words, so they stay.
PARTS: Final = (
    (r"(?ms)^ {0,3}```.*?(?:^ {0,3}```[ \t]*$|\z)", "\n"),
    (r"(?ms)^ {0,3}~~~.*?(?:^ {0,3}~~~[ \t]*$|\z)", "\n"),
    (r"``[^`\n](?:[^\n]*?[^`\n])?``|`[^`\n]+`", ""),
    (r"(!?\[[^\]\n]*\])\([^)\n]*\)", r"\1"),
    (r"<?(?i:https?://|\bwww\.)[^\s<>)\]]+>?", ""),
    (r"</?[A-Za-z][^<>\n]*>", " "),
    (r"(?m)^([ \t]*)\d{1,3}[.)][ \t]", r"\1"),
)


def prose(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts without code, addresses, HTML tags and the numbers of lists; the words of links stay.

    Args:
        texts: Texts without nulls.
    """
    if not pc.any(pc.match_substring_regex(texts, SIGN)).as_py():
        return texts
    for pattern, replacement in PARTS:
        texts = pc.replace_substring_regex(texts, pattern, replacement)
    return texts
