"""English words: articles, plurals, and the forms of verbs."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

__all__ = ["article", "base_verb", "capitalize", "gerund", "is_plural", "lexicon", "listed", "third_person"]

_VOWEL_SOUND = re.compile(r"(?:hour|honest|heir|honou?r)|[aeiou]", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"(?:uni(?!n|m)|us[aeu]|u[tk][aeiou]|eu|ew|one\b|once\b)", re.IGNORECASE)
_SPELLED_OUT = re.compile(r"[A-Z]{2,}\b|[A-Z]\b")
_SHORT_STEM = re.compile(r"(?:^|[^aeiou])[aeiou][bdgklmnprt]$")
#: Verbs of more than one syllable that double their last consonant: stressed at the end, or British.
_DOUBLED = {"begin", "admit", "forget", "prefer", "refer", "control", "travel", "label"}


@cache
def lexicon(name: str) -> frozenset[str]:
    """Return a word list of ``words.toml``."""
    return frozenset(_data()[name].split())


@cache
def _data() -> dict[str, str]:
    text = files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def article(words: str) -> str:
    """Return ``a`` or ``an`` by the first sound of the words."""
    first = next(iter(words.lstrip("“\"'(").split()), "")
    if _SPELLED_OUT.fullmatch(first.split("-")[0]):
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    if first[:1].isdigit():
        return "an" if re.match(r"8|1[18](?!\d)", first) else "a"
    if _CONSONANT_SOUND.match(first):
        return "a"
    return "an" if _VOWEL_SOUND.match(first) else "a"


def capitalize(text: str) -> str:
    """Return the text with a capital at its start; a word such as iPhone stays as it is."""
    match = re.match(r"[“\"'(*_]*", text)
    at = match.end() if match else 0
    first = re.match(r"[^\s]+", text[at:])
    if first and any(letter.isupper() for letter in first[0][1:]):
        return text
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def is_plural(word: str) -> bool:
    """Return whether a noun is a plural."""
    low = word.casefold().rsplit("-", 1)[-1]
    if low in lexicon("plurals"):
        return True
    if low in lexicon("singular_s") or low in lexicon("mass"):
        return False
    return len(low) > 2 and low.endswith("s") and not low.endswith(("ss", "us", "is", "'s", "\u2019s", "ics"))


def base_verb(word: str, *, clear: bool = True) -> str | None:
    """Return the base form of a verb form, or None if the word is not a known verb.

    Args:
        word: Such as ``bakes``, ``baking``, ``baked`` or ``bake``.
        clear: Only verbs that are hardly ever nouns.
    """
    low = word.casefold()
    known = lexicon("verbs") if clear else lexicon("verbs") | lexicon("nouns_as_verbs")
    if low in known:
        return low
    candidates = []
    if low.endswith("s"):
        hissed = low.endswith(("ses", "xes", "zes", "ches", "shes", "oes"))
        candidates = [low[:-1], low[:-2] if hissed else "", f"{low[:-3]}y" if low.endswith("ies") else ""]
    elif low.endswith("ing"):
        stem = low[:-3]
        candidates = [
            stem,
            f"{stem}e",
            f"{stem[:-1]}ie" if stem.endswith("y") else "",
            stem[:-1] if stem[-1:] == stem[-2:-1] else "",
        ]
    elif low.endswith("ed"):
        candidates = [low[:-2], low[:-1], low[:-3] if low[-3:-2] == low[-4:-3] else ""]
    return next((candidate for candidate in candidates if candidate in known), None)


def third_person(verb: str) -> str:
    """Return ``boils`` for ``boil``."""
    if verb in {"be", "have"}:
        return {"be": "is", "have": "has"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def gerund(verb: str) -> str:
    """Return ``baking`` for ``bake``."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return f"{verb[:-1]}ing"
    syllables = len(re.findall(r"[aeiouy]+", verb))
    if (syllables == 1 and _SHORT_STEM.search(verb)) or verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def listed(items: list[str]) -> str:
    """Return ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
