"""Count syllables of English words and compute Flesch's reading ease.

R. Flesch, "A new readability yardstick", Journal of Applied Psychology 32 (1948), 221-233.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.words import Tokens

__all__ = ["is_english", "reading_ease", "syllables", "syllables_of"]

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
