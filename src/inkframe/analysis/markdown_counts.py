"""Count sentences, paragraphs, headings, links and hashtags with Arrow, on the raw text.

After a match, Arrow continues as if the text began there, and its patterns have no lookbehind. Each pattern
below therefore includes what must follow, and requires nothing before its first character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow.compute as pc

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

__all__ = ["count_headings", "count_links", "count_paragraphs", "count_sentences", "count_tags"]

#: Marks that end a sentence before a space or the end of the line, and marks that always end one.
ENDS, FULL_STOPS = r".!?…।॥؟۔", "。！？｡"
CLOSING: Final = r"""["'”’»)\]*_]*"""

#: After the sentence boundaries of Unicode (UAX #29): a period before a lowercase letter does not end a
#: sentence ("e.g. this"), but the end of a line does, as in headings and lists.
SENTENCE: Final = (
    rf"[{ENDS}]+{CLOSING}(?:[^\S\n]+[^\s\p{{Ll}}]|[^\S\n]*(?:\n|\z))"
    rf"|[{FULL_STOPS}]+[」』”’）]*"
    rf"|[\p{{L}}\p{{N}}][^\p{{L}}\p{{N}}\n{ENDS}{FULL_STOPS}]*(?:\n|\z)"
)
#: Periods that do not end a sentence: after the numbers of a list, and in English titles before a name.
NO_SENTENCE: Final = r"(?:(?:^|\n)[^\S\n]*\d+|\b(?:Mr|Mrs|Ms|Dr|Prof))\.[^\S\n]+[^\s\p{Ll}]"
PARAGRAPH: Final = r"\S[^\S\n]*(?:\n[^\S\n]*\n|\s*\z)"
HEADING: Final = r"(?im)^(?: {0,3}#{1,6}[ \t]+\S[^\n]*|[ \t]*<h[1-6][ >][^\n]*)"
LINK: Final = r"\]\([^)\s]+[^)]*\)|(?i:https?://|\bwww\.)[^\s<>)\]]+"
TAG: Final = r"(?:^|[^\p{L}\p{N}_&/#])#[\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]*"


def count_sentences(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the sentences of each text; a heading or a list item counts as one."""
    return _count(texts, SENTENCE) - _count(texts, NO_SENTENCE)


def count_paragraphs(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the paragraphs of each text, which empty lines separate."""
    return _count(texts, PARAGRAPH)


def count_headings(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the headings of each text: Markdown with ``#``, and HTML."""
    return _count(texts, HEADING)


def count_links(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the links of each text: Markdown, and bare web addresses."""
    return _count(texts, LINK)


def count_tags(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the hashtags of each text; a tag has at least one letter."""
    return _count(texts, TAG)


def _count(texts: pa.ChunkedArray, pattern: str) -> NDArray[np.int64]:
    return np.asarray(pc.count_substring_regex(texts, pattern), np.int64)
