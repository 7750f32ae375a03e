"""Texts as arrays of code points, and the class of each code point for finding words.

The classes are those of the word boundaries of Unicode (UAX #29), reduced to what determines where a word
begins: https://unicode.org/reports/tr29/#Word_Boundaries.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = [
    "CONNECTOR",
    "DIGIT",
    "EXTEND",
    "JOINER",
    "LETTER",
    "LETTER_JOINER",
    "NUMBER_JOINER",
    "UNSPACED",
    "Chunk",
    "chunks",
    "classes",
]

#: The end of a word; the parts of words; joiners of two parts; extensions of the character before.
OTHER, LETTER, DIGIT, UNSPACED, LETTER_JOINER, NUMBER_JOINER, JOINER, CONNECTOR, EXTEND = range(9)

#: Scripts that are written without spaces between words, as ranges of code points: South-East Asian
#: scripts, kana, and ideographs. Each of their letters is a token.
UNSPACED_RANGES: Final = (
    (0x0E00, 0x109F),
    (0x1780, 0x17FF),
    (0x1950, 0x1B7F),
    (0x3005, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA980, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
)
#: The ideographic planes.
IDEOGRAPHS: Final = (0x20000, 0x3FFFF)

#: MidNumLet and Single_Quote, MidLetter, and MidNum of UAX #29.
JOINERS: Final = {
    JOINER: (0x27, 0x2E, 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E),
    LETTER_JOINER: (0x3A, 0xB7, 0x387, 0x55F, 0x5F4, 0x2027, 0xFE13, 0xFE55, 0xFF1A),
    NUMBER_JOINER: (
        *(0x2C, 0x3B, 0x37E, 0x589, 0x60C, 0x60D, 0x66B, 0x66C, 0x7F8),
        *(0x2044, 0xFE10, 0xFE14, 0xFE50, 0xFE54, 0xFF0C, 0xFF1B),
    ),
}
#: The class by Unicode category; all other categories end a word.
CATEGORIES: Final = {
    "Nd": DIGIT,
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"), LETTER),
    **dict.fromkeys(("Mn", "Mc", "Me", "Cf"), EXTEND),
    "Pc": CONNECTOR,
}
ZERO_WIDTH_SPACE: Final = 0x200B
APOSTROPHE, TYPOGRAPHIC_APOSTROPHE = 0x27, 0x2019

#: Code points in one chunk, so that the arrays of a chunk fit in the processor's cache.
CHUNK: Final = 1 << 19


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive documents of a column, concatenated as code points.

    Args:
        first: The row of the first document.
        codes: Code points; bytes if every document is ASCII.
        bounds: Where each document begins in ``codes``, and where the last ends.
    """

    first: int
    codes: NDArray[Any]
    bounds: NDArray[np.int64]

    @property
    def rows(self) -> slice:
        """The rows of the documents in their column."""
        return slice(self.first, self.first + self.bounds.size - 1)

    def spell(self, start: int, end: int) -> str:
        """Return the code points of a span as text."""
        part = self.codes[start:end]
        return part.tobytes().decode("ascii" if part.itemsize == 1 else "utf-32-le")


def chunks(texts: pa.ChunkedArray, *, lower: bool = False) -> Iterator[Chunk]:
    """Yield a column of texts in chunks, in constant memory.

    Args:
        texts: Texts without nulls.
        lower: Whether to lower capitals and replace typographic apostrophes by plain ones.
    """
    row = 0
    for piece in texts.chunks:
        lengths = _offsets(piece)
        edges = np.searchsorted(lengths, np.arange(lengths[0] + CHUNK, lengths[-1] + CHUNK, CHUNK))
        cuts = np.unique(np.concatenate(([0], np.minimum(edges, len(piece)), [len(piece)])))
        for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            part = piece.slice(start, end - start)
            yield _chunk(row + start, pc.utf8_lower(part) if lower else part, fold=lower)
        row += len(piece)


def classes(chunk: Chunk) -> NDArray[np.uint8]:
    """Return the class of every code point of a chunk."""
    if chunk.codes.itemsize == 1:
        return np.frombuffer(bytearray(chunk.codes.tobytes().translate(_ascii())), np.uint8)
    table = _table()
    return np.asarray(table.take(np.minimum(chunk.codes, table.size - 1)), np.uint8)


def _offsets(piece: Any) -> NDArray[Any]:
    wide = pa.types.is_large_string(piece.type)
    offsets = np.frombuffer(piece.buffers()[1], np.int64 if wide else np.int32)
    return offsets[piece.offset : piece.offset + len(piece) + 1]


def _chunk(row: int, piece: Any, *, fold: bool) -> Chunk:
    offsets = _offsets(piece).astype(np.int64)
    data = piece.buffers()[2]
    raw = memoryview(data)[offsets[0] : offsets[-1]] if data is not None else memoryview(b"")
    text = str(raw, "utf-8")
    if text.isascii():
        return Chunk(row, np.frombuffer(raw, np.uint8), offsets - offsets[0])
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    if fold:
        codes = np.where(codes == TYPOGRAPHIC_APOSTROPHE, np.uint32(APOSTROPHE), codes)
    lengths = pc.utf8_length(piece).to_numpy()
    return Chunk(row, codes, np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))))


@cache
def _ascii() -> bytes:
    return _table()[:0x100].tobytes()


@cache
def _table() -> NDArray[np.uint8]:
    """Return the class by code point up to the end of the ideographs; the last entry is for all above."""
    table = np.zeros(IDEOGRAPHS[1] + 2, np.uint8)
    for code in range(IDEOGRAPHS[0]):
        table[code] = CATEGORIES.get(unicodedata.category(chr(code)), OTHER)
    table[ZERO_WIDTH_SPACE] = OTHER
    for first, last in UNSPACED_RANGES:
        letters = table[first : last + 1] == LETTER
        table[first : last + 1][letters] = UNSPACED
    table[IDEOGRAPHS[0] : IDEOGRAPHS[1] + 1] = UNSPACED
    for kind, characters in JOINERS.items():
        table[list(characters)] = kind
    return table
