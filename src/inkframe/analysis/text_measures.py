"""Measures of texts: length, reading ease, variety of words, and counts of sentences, headings and links."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow.compute as pc

from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import BASE, Tokens, combine, mix, tokens, word_counts
from inkframe.errors import checked, checked_calls

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


__all__ = [
    "PATTERNS",
    "Measures",
    "count_matches",
    "count_sentences",
    "count_words",
    "distinct",
    "is_english",
    "measure",
    "moving_type_token_ratio",
    "prose",
    "reading_ease",
    "reading_eases",
    "repeated_share",
    "syllables",
    "syllables_of",
]

#: Words that the rules below count wrong, by their number of syllables.
EXCEPTIONS: Final = {
    word: count
    for count, words in {
        2: "acne argue being business cafe cashier cement clement colonel evening frontier giant giants lion lions"
        " maybe naked people rugged soldier something therefore wednesday whereas wicked",
        3: "adobe alias anime anyone businesses finale increment nuclear recipe recipes vehement",
        4: "apostrophe catastrophe karaoke nevertheless",
    }.items()
    for word in words.split()
}
#: A run of vowels is a syllable. These patterns match runs that are silent.
SILENT: Final = re.compile(
    r"""
      (?<=[^aeiouy])e$ (?<![^aeiouyrlw]le) (?<![bct]re)                  # make; not table, acre
    | (?<=[^aeiouysxzcgh])es$ (?<![^aeiouyrlw]les) | (?<=[pt]h)es$       # makes, clothes; not tables, faces
    | (?<=[^aeiouytd])ed$ (?<![bcdfgkptz]led) (?<![cdt]red)              # walked; not settled, hundred, added
    | (?<=[qg]u)e(?=s?$)                                                 # unique, dialogues
    | (?<=[^aeiouyl])e(?=ly$|ments?$|ful|less|ness|some|where$|times?$|thing)  # lovely, movement, somewhere
    | \b(?:base|code|file|fire|frame|guide|home|life|like|name|note|place|side|some|space|time|trade|use|ware
        |white|wire)(?=[^aeiouyr][a-z]{2}) | (?<=\bfor)e(?=[cghs][^t])   # lifestyle, timeline, foreground
    | (?<=\bev)e(?=ry) | (?<=\bsaf)e(?=ty) | (?<=\bnin)e(?=ty) | (?<=hous)e(?=[hk])  # every, safety, household
    """,
    re.VERBOSE,
)
#: These patterns match runs with a second syllable: two separate vowels, or a syllabic consonant.
SPLIT: Final = re.compile(
    r"""
      (?<=[^aeiouclstxg])ia(?!ge) | [ct]ia(?=t(?!iv)) | (?:re|al|pl)lia | plia | lia(?=b) | relia(?=n) | usia
    | (?<=[^aeiouyctsxglnh])io(?!rs?$) | rior | io(?=s?$) | (?<=v)iou | ysio           # material; period, audio
    | (?<=[^q])iu | (?<=[^ctn])ien(?=[ct]) | \bscien | [^f]iet                         # medium, experience, diet
    | (?<=[aeiouy][^aeiouydt])ie(?=r$|st$) | (?<=[^aeiouy][lprs])(?<!\b[sp][pr])ie(?=r$|st$) # earlier, supplier
    | crea(?=t(?!u)) | dea(?=l?s?$) | [rn]ea(?=s?$|r$) (?<!\bnea) (?<!\brea) | reali | theat | react  # create, area
    | eo(?=s?$) | \bgeo(?!rg) | theo | eum | \bneo | neous | opean                     # video, theory, museum
    | (?<=[^aeiougqs])ua | sual | (?<=[^aeiougq])ue(?=[nl]) | [nlt]ui | ruin           # actual, influence, genuine
    | (?<=[^q])uou | uo(?=s?$) | poe(?=[mt]) | \bcoe | [dg]oing | roic | \bcoo(?=per|rd)  # continuous, poem, going
    | ying | [aeou]ye[rd] | oya | ayo | eyo | eing | iing | \bre(?=u[^n]|inf|inv|est|ent|exa)  # playing, royal, reuse
    | naiv | aic(?=s?$) | chao | sms?$ | thms?$ | (?<=[^aeiou])n't$                    # mosaic, tourism, couldn't
    """,
    re.VERBOSE,
)
VOWELS: Final = re.compile(r"[aeiouy]+")

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

# The patterns below count on the raw text, with Arrow. After a match, Arrow continues as if the text began there,
# and its patterns have no lookbehind. Each therefore includes what must follow, and requires nothing before its
# first character.

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
#: Paragraphs are separated by empty lines, headings are of Markdown or HTML, and a hashtag has at least one letter.
PATTERNS: Final = {
    "paragraphs": r"\S[^\S\n]*(?:\n[^\S\n]*\n|\s*\z)",
    "headings": r"(?im)^(?: {0,3}#{1,6}[ \t]+\S[^\n]*|[ \t]*<h[1-6][ >][^\n]*)",
    "links": r"\]\([^)\s]+[^)]*\)|(?i:https?://|\bwww\.)[^\s<>)\]]+",
    "hashtags": r"(?:^|[^\p{L}\p{N}_&/#])#[\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]*",
}


@checked_calls
@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one text.

    Args:
        words: Number of words; None in scripts without spaces.
        distinct_words: Number of different words, ignoring case; None in scripts without spaces.
        reading_ease: Flesch reading ease; None unless the text is known to be English.
        similarity: Mean similarity to the other texts, 0 to 1; None if there is no other.
    """

    words: int | None
    distinct_words: int | None
    reading_ease: float | None
    similarity: float | None


@checked
def measure(texts: Sequence[str], *, language: str | None = None) -> list[Measures]:
    """Measure a few texts that belong together, such as repeats of one prompt.

    Code, addresses of links, HTML tags and numbers of lists are no words.

    Args:
        texts: One or more texts.
        language: The language of all texts, such as ``"en"``; reading ease is for English only.

    Returns:
        The measures of each text. Similarity is the mean of ``pairwise_similarity`` to the others.

    Example:
        >>> measure(["One liter in four minutes.", "Four minutes to the liter."], language="en")[0].words
        5
    """
    column = prose(only_texts(texts))
    words, spaced = word_counts(column)
    different = [count for parts in tokens(column) for count in distinct(parts.hashes, parts.bounds).tolist()]
    ease = reading_eases(texts)
    similarities: list[float | None] = [None] * len(texts)
    if len(texts) > 1:
        similarities = ((pairwise_similarity(texts).sum(axis=1) - 1) / (len(texts) - 1)).tolist()
    english = is_english(language)
    return [
        Measures(
            words=int(words[row]) if spaced[row] else None,
            distinct_words=different[row] if spaced[row] else None,
            reading_ease=float(ease[row]) if english and spaced[row] and words[row] else None,
            similarity=similarities[row],
        )
        for row in range(len(texts))
    ]


def count_words(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the number of words of each text, of scripts without spaces that of their letters, and which has words.

    Every count of words is this one, or that of ``word_counts`` on ``prose``.
    """
    return word_counts(prose(only_texts(texts)))


def reading_eases(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the Flesch reading ease of each English text; NaN for one without words."""
    column = prose(only_texts(texts))
    words, sentences = word_counts(column)[0], np.maximum(count_sentences(column), 1)
    spoken = np.concatenate([np.zeros(0, np.int64), *(syllables_of(parts) for parts in tokens(column))])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(words > 0, reading_ease(words, sentences, spoken), np.nan))


@lru_cache(maxsize=1 << 16)
def syllables(word: str) -> int:
    """Count the syllables of an English word by rule.

    Numbers and abbreviations without vowels count as one, as Flesch counts them.

    Args:
        word: One word, without spaces.

    Example:
        >>> syllables("creativity")
        5
    """
    plain = unicodedata.normalize("NFKD", word.lower()).encode("ascii", "ignore").decode()
    plain = plain.removesuffix("'s").replace("_", "")
    if plain in EXCEPTIONS:
        return EXCEPTIONS[plain]
    count = len(VOWELS.findall(plain)) - len(SILENT.findall(plain)) + len(SPLIT.findall(plain))
    return max(count, 1)


def syllables_of(parts: Tokens) -> NDArray[np.int64]:
    """Count the syllables of each document of a chunk; each distinct word is counted once."""
    _, first, inverse = np.unique(parts.hashes, return_index=True, return_inverse=True)
    counts = np.array([syllables(parts.spell(token)) for token in first.tolist()], np.int64)
    running = np.concatenate(([0], np.cumsum(counts[inverse])))
    return np.diff(running[parts.bounds])


def reading_ease(words: Any, sentences: Any, syllable_count: Any) -> Any:
    """Compute Flesch's reading ease: 100 is very easy, 60 to 70 plain English, below 30 very hard.

    R. Flesch, "A new readability yardstick", Journal of Applied Psychology 32 (1948), 221-233.

    Args:
        words: Number of words, above 0; a number or an array, as for the others.
        sentences: Number of sentences, above 0.
        syllable_count: Number of syllables.
    """
    return 206.835 - 1.015 * (words / sentences) - 84.6 * (syllable_count / words)


def is_english(language: object) -> bool:
    """Return whether a language code such as ``en`` or ``en-GB`` means English."""
    code = re.split(r"[-_]", language.strip().lower())[0] if isinstance(language, str) else ""
    return code in ("en", "eng", "english")


def moving_type_token_ratio(parts: Tokens, window: int) -> NDArray[np.float64]:
    """Compute the mean share of distinct words over all windows of a document.

    M. Covington and J. McFall, "Cutting the Gordian knot: the moving-average type-token ratio (MATTR)",
    Journal of Quantitative Linguistics 17 (2010), 94-100.

    Args:
        parts: The tokens of a chunk of documents.
        window: Words in a window.

    Returns:
        A number for each document; NaN for those shorter than the window.
    """
    counts = parts.counts
    start = np.repeat(parts.bounds[:-1], counts)
    last = np.repeat(parts.bounds[1:] - window, counts)
    at = np.arange(parts.hashes.size)
    # A word is new to the windows that begin after its previous occurrence and no later than itself.
    before = np.maximum(_previous(parts) + 1, start)
    new = np.minimum(at, last) - np.maximum(before, at - window + 1) + 1
    running = np.concatenate(([0], np.cumsum(np.maximum(new, 0))))
    totals = np.diff(running[parts.bounds])
    windows = counts - window + 1
    return np.where(windows > 0, totals / (np.maximum(windows, 1) * window), np.nan)


def repeated_share(parts: Tokens, size: int) -> NDArray[np.float64]:
    """Compute the share of word sequences of a document that occurred in it before.

    S. Welleck and others, "Neural text generation with unlikelihood training" (2020), seq-rep-n.

    Args:
        parts: The tokens of a chunk of documents.
        size: Words in a sequence.

    Returns:
        A number for each document, 0 without repetition; NaN for those shorter than a sequence.
    """
    numbers, bounds = combine(parts, size)
    shares = 1 - distinct(numbers, bounds) / np.maximum(np.diff(bounds), 1)
    return np.where(parts.counts >= size, shares, np.nan)


def distinct(numbers: NDArray[np.uint64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the different numbers between each bound and the next."""
    documents = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    _, first = np.unique(_apart(numbers, documents), return_index=True)
    return np.bincount(documents[first], minlength=bounds.size - 1)


def _previous(parts: Tokens) -> NDArray[np.int64]:
    """Return the position of the same word earlier in the document, or -1."""
    keys = _apart(parts.hashes, parts.documents)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    previous = np.full(keys.size, -1)
    previous[order[1:][same]] = order[:-1][same]
    return previous


def _apart(numbers: NDArray[np.uint64], documents: NDArray[np.int64]) -> NDArray[np.uint64]:
    # The same word in two documents is two keys.
    return mix(numbers + documents.astype(np.uint64) * BASE)


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


def count_sentences(texts: pa.ChunkedArray) -> NDArray[np.int64]:
    """Count the sentences of each text; a heading or a list item counts as one."""
    return count_matches(texts, SENTENCE) - count_matches(texts, NO_SENTENCE)


def count_matches(texts: pa.ChunkedArray, pattern: str) -> NDArray[np.int64]:
    """Count the matches of a pattern in each text."""
    return np.asarray(pc.count_substring_regex(texts, pattern), np.int64)
