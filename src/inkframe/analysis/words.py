"""Find the words of many texts at once: their positions, counts, and a stable hash for each.

A word lies between two word boundaries of Unicode (UAX #29) and has a letter or a digit: "don't", "3.14" and
"snake_case" are one word each, "well-known" is two. Each letter of a script without spaces is one token, and
documents written in such scripts have no word count.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = [
    "DIGIT",
    "EXTEND",
    "JOINER",
    "LETTER",
    "UNSPACED",
    "Tokens",
    "between",
    "chunks",
    "classes",
    "combine",
    "mix",
    "tokens",
    "word_counts",
]

#: A text has words if at most this share of its letters and digits is of scripts without spaces.
UNSPACED_SHARE: Final = 0.1
#: Odd constants of the token hash. They are part of every stored hash and must never change.
BASE: Final = np.uint64(0x9E3779B97F4A7C15)
BASE_INVERSE: Final = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
SPREAD: Final = np.uint64(0xBF58476D1CE4E5B9)
FINISH: Final = np.uint64(0x94D049BB133111EB)

#: The classes of code points are those of the word boundaries of Unicode, reduced to what determines where a word
#: begins (https://unicode.org/reports/tr29/#Word_Boundaries): the end of a word; the parts of words; joiners of two
#: parts; extensions of the character before.
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
class Tokens:
    """The tokens of a chunk of documents, in reading order.

    Args:
        chunk: The documents.
        starts: Where each token begins in the code points of the chunk.
        ends: Where each token ends.
        hashes: A hash for each token, the same in every process and on every machine.
        bounds: The first token of each document, and the number of all tokens.
    """

    chunk: Chunk
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    bounds: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of tokens of each document."""
        return np.diff(self.bounds)

    @property
    def documents(self) -> NDArray[np.int64]:
        """The document, counted within the chunk, of each token."""
        return np.repeat(np.arange(self.bounds.size - 1), self.counts)

    def spell(self, token: int) -> str:
        """Return a token as text."""
        return self.chunk.spell(int(self.starts[token]), int(self.ends[token]))


def word_counts(texts: pa.ChunkedArray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Count the words of each text.

    Args:
        texts: Texts without nulls.

    Returns:
        The number of tokens of each text, and whether the text has words.
    """
    counts = np.zeros(len(texts), np.int64)
    spaced = np.ones(len(texts), np.bool_)
    for chunk in chunks(texts):
        kinds, first, extends = _joined(chunk)
        counts[chunk.rows] = between(_starts(kinds, first, extends), chunk.bounds)
        if chunk.codes.itemsize > 1:
            unspaced = between(kinds == UNSPACED, chunk.bounds)
            letters = between(_is_word(kinds), chunk.bounds)
            spaced[chunk.rows] = unspaced <= UNSPACED_SHARE * letters
    return counts, spaced


def tokens(texts: pa.ChunkedArray, *, pairs: bool = False) -> Iterator[Tokens]:
    """Yield the tokens of a column of texts, in lower case, in constant memory.

    Args:
        texts: Texts without nulls.
        pairs: Whether to join each letter of a script without spaces to the next, for more meaningful tokens.
    """
    for chunk in chunks(texts, lower=True):
        kinds, first, extends = _joined(chunk)
        begins = _starts(kinds, first, extends)
        goes_on = _is_word(kinds) & ~begins
        starts = np.flatnonzero(begins)
        ends = np.flatnonzero(_is_word(kinds) & ~np.append(goes_on[1:], False)) + 1
        if pairs:
            starts, ends = _paired(starts, ends, kinds, first)
        bounds = np.searchsorted(starts, chunk.bounds)
        yield Tokens(chunk, starts, ends, _hashes(chunk.codes, starts, ends), bounds)


def between(flags: NDArray[np.bool_], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the set flags between each bound and the next."""
    return np.diff(np.searchsorted(np.flatnonzero(flags), bounds))


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread numbers evenly over 64 bits (the finisher of SplitMix64, Steele and others 2014)."""
    values = (values ^ (values >> np.uint64(30))) * SPREAD
    values = (values ^ (values >> np.uint64(27))) * FINISH
    return values ^ (values >> np.uint64(31))


def combine(parts: Tokens, size: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Compute a hash for every run of tokens within a document.

    Args:
        parts: The tokens of a chunk.
        size: The number of tokens in a run. A shorter document is one run.

    Returns:
        The hashes, and the bounds of the documents among them.
    """
    counts = parts.counts
    runs = np.where(counts > 0, np.maximum(counts - size + 1, 1), 0)
    bounds = np.concatenate(([0], np.cumsum(runs)))
    at = np.arange(bounds[-1]) + np.repeat(parts.bounds[:-1] - bounds[:-1], runs)
    end = np.repeat(parts.bounds[1:], runs)
    padded = np.append(parts.hashes, np.zeros(size, np.uint64))
    total = padded[at]
    for step in range(1, size):
        total *= BASE
        total += np.where(at + step < end, padded[at + step], np.uint64(0))
    return mix(total), bounds


def _joined(chunk: Chunk) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.bool_] | None]:
    """Return the classes of a chunk, with joiners between two letters or digits as part of the word.

    Also return where documents begin, and which code points extend the one before them.
    """
    kinds = classes(chunk)
    first = np.zeros(kinds.size + 1, np.bool_)
    first[chunk.bounds] = True
    extends = None
    if chunk.codes.itemsize > 1 and (extended := kinds == EXTEND).any():
        extends = extended
        kinds[extends & first[:-1]] = 0
        kinds = kinds[np.maximum.accumulate(np.where(kinds != EXTEND, np.arange(kinds.size), 0))]
    joiners = np.flatnonzero((kinds - LETTER_JOINER) <= CONNECTOR - LETTER_JOINER)
    joiners = joiners[~(first[joiners] | first[joiners + 1])]
    kind, before, after = kinds[joiners], kinds[joiners - 1], kinds[joiners + 1]
    letters = (before == LETTER) & (after == LETTER) & ((kind == LETTER_JOINER) | (kind == JOINER))
    digits = (before == DIGIT) & (after == DIGIT) & ((kind == NUMBER_JOINER) | (kind == JOINER))
    either = (kind == CONNECTOR) & (before - LETTER <= 1) & (after - LETTER <= 1)
    kinds[joiners[letters | digits | either]] = LETTER
    return kinds, first, extends


def _is_word(kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (kinds - np.uint8(LETTER)) <= UNSPACED - LETTER


def _starts(
    kinds: NDArray[np.uint8], first: NDArray[np.bool_], extends: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    word = _is_word(kinds)
    breaks = ~word
    if extends is not None or (kinds == UNSPACED).any():
        breaks |= kinds == UNSPACED
        breaks[:-1] |= kinds[1:] == UNSPACED
    starts = word
    starts[1:] &= breaks[:-1] | first[1:-1]
    if extends is not None:
        starts &= ~extends
    return starts


def _paired(
    starts: NDArray[np.int64], ends: NDArray[np.int64], kinds: NDArray[np.uint8], first: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    alone = kinds[starts] == UNSPACED
    follows = np.zeros(starts.size, np.bool_)
    follows[1:] = alone[1:] & alone[:-1] & (ends[:-1] == starts[1:]) & ~first[starts[1:]]
    leads = np.append(follows[1:], False)
    ends = np.where(leads, np.append(ends[1:], 0), ends)
    keep = leads | ~follows
    return starts[keep], ends[keep]


def _hashes(codes: NDArray[Any], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Compute polynomials in the code points from running sums, without a loop over tokens or letters."""
    powers, inverses = _powers(1 << int(codes.size).bit_length())
    sums = np.zeros(codes.size + 1, np.uint64)
    np.cumsum((codes + np.uint64(1)) * powers[: codes.size], out=sums[1:])
    return mix((sums[ends] - sums[starts]) * inverses[starts])


@lru_cache(maxsize=4)
def _powers(count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    def series(base: np.uint64) -> NDArray[np.uint64]:
        factors = np.full(count, base)
        factors[0] = 1
        return np.cumprod(factors, dtype=np.uint64)

    return series(BASE), series(BASE_INVERSE)


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
