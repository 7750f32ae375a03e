"""Syllables of English words and Flesch's reading ease.

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

#: Words that no rule below gets right.
EXCEPTIONS: Final = (
    {"clement": 2, "cement": 2, "soldier": 2, "cashier": 2, "frontier": 2, "naked": 2, "wicked": 2}
    | {"rugged": 2, "maybe": 2, "argue": 2, "cafe": 2, "acne": 2, "evening": 2, "wednesday": 2, "nuclear": 3}
    | {
        "increment": 3,
        "vehement": 3,
        "recipe": 3,
        "recipes": 3,
        "alias": 3,
        "anyone": 3,
        "whereas": 2,
        "anime": 3,
        "adobe": 3,
        "finale": 3,
        "therefore": 2,
    }
    | {"karaoke": 4, "apostrophe": 4, "catastrophe": 4, "nevertheless": 4, "business": 2, "businesses": 3}
    | {"colonel": 2, "people": 2, "something": 2, "giant": 2, "giants": 2, "lion": 2, "lions": 2, "being": 2}
)

#: A run of vowels is a syllable, except where one of these says that it is none.
SILENT: Final = re.compile(
    r"""
    (?<=[^aeiouy])e$ (?<! [^aeiouyrlw]le) (?<! [bct]re)            # make, but table, centre
    | (?<=[^aeiouysxzcgh])es$ (?<! [^aeiouyrlw]les) | (?<=[pt]h)es$  # makes, clothes, but tables, faces
    | (?<=[^aeiouytd])ed$ (?<! [bcdfgkptz]led) (?<! [cdt]red)      # walked, but settled, hundred, added
    | (?<=[qg]u)e(?=s?$)                                           # unique, dialogues
    | (?<=[^aeiouyl])e(?=ly$ | ments?$ | ful | less | ness | some | where$ | times?$ | thing)  # lovely, movement
    | \b(?:base|code|file|fire|frame|guide|home|life|like|name|note|place|side|some|space|time|trade|use|ware|white|wire)
      (?=[^aeiouyr][a-z]{2}) | (?<=\bfor)e(?=[cghs][^t])                                   # lifestyle, timeline, framework
    | (?<=\bev)e(?=ry) | (?<=\bsaf)e(?=ty) | (?<=\bnin)e(?=ty) | (?<=hous)e(?=[hk])
    """,
    re.VERBOSE,
)
#: And except where one of these says that it is two: two vowels that do not melt, or a consonant that sounds.
SPLIT: Final = re.compile(
    r"""
    (?<=[^aeiouclstxg])ia(?!ge) | [ct]ia(?=t(?!iv)) | (?:re|al|pl)lia | plia | lia(?=b) | relia(?=n)   # material, associate, reliable
    | (?<=[^aeiouyctsxglnh])io(?!r[s]?$) | rior | io(?=s?$) | (?<=v)iou | lio(?=s?$)   # period, audio, superior
    | (?<=[^q])iu | (?<=[^ctn])ien(?=[ct]) | \bscien | [^f]iet | usia                  # medium, experience, diet
    | (?<=[aeiouy][^aeiouydt])ie(?=r$|st$) | (?<=[^aeiouy][lprs])(?<!\bsp)ie(?=r$|st$) (?<!\b.[lpr]ie)  # earlier, supplier
    | crea(?=t(?!u)) | dea(?=l?s?$) | [rn]ea(?=s?$|r$) (?<!\bnea)(?<!\brea) | reali | theat | react  # create, idea
    | eo(?=s?$) | \bgeo(?!rg) | theo | eum | \bneo | neous                             # video, theory
    | (?<=[^aeiougqs])ua | sual | (?<=[^aeiougq])ue(?=n|l) | [nlt]ui | ruin | ysio            # actual, influence, genuine
    | (?<=[^q])uou | uo(?=s?$) | poe(?=[mt]) | opean | \bcoe | [dg]oing | roic | \bcoo(?=per|rd)  # continuous, poem
    | ying | [aeou]ye[rd] | oya | ayo | eyo | eing | \bre(?=u[^n]|inf|inv|est|ent|exa)    # playing, employer, reuse
    | naiv | aic(?=s?$) | chao | iing | sms?$ | thms?$ | (?<=[^aeiou])n't$             # mosaic, tourism, couldn't
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
    """Count the syllables of each document of a chunk; each distinct word is looked at once."""
    _, first, inverse = np.unique(parts.hashes, return_index=True, return_inverse=True)
    counts = np.array([syllables(parts.spell(token)) for token in first.tolist()], np.int64)
    running = np.concatenate(([0], np.cumsum(counts[inverse])))
    return np.diff(running[parts.bounds])


def reading_ease(words: Any, sentences: Any, syllable_count: Any) -> Any:
    """Give Flesch's reading ease: 100 is very easy, 60 to 70 plain English, below 30 very hard.

    Args:
        words: Number of words, above 0; a number or an array, as the others.
        sentences: Number of sentences, above 0.
        syllable_count: Number of syllables.
    """
    return 206.835 - 1.015 * (words / sentences) - 84.6 * (syllable_count / words)


def is_english(language: object) -> bool:
    """Say whether a language code such as ``en`` or ``en-GB`` means English."""
    return isinstance(language, str) and re.split(r"[-_]", language.strip().lower())[0] in {
        "en",
        "eng",
        "english",
    }
