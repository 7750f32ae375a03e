"""The phrases of a text, and its language."""

from __future__ import annotations

import re
from itertools import pairwise

from inkframe_demo.texts.words import base_verb, is_plural, lexicon, third_person

__all__ = ["WORD", "chunks", "inline", "is_foreign", "lower_start", "strip_request"]

WORD = re.compile(r"[^\W_][\w\u2019'&./+#-]*[\w+#]|[^\W_]")
_REQUEST = re.compile(
    r"(?:please\s+)?(?:can you\s+|could you\s+|i (?:want|need)\s+)?"
    r"(?:(?:(?:write|draft|compose|create|make|give|tell|produce|generate|prepare|describe|explain|discuss|summari[sz]e|"
    r"advertise|recommend|promote|introduce|invent|suggest|compare)\b"
    r"|(?:praise|list|name|present|sell|show|tell)\b(?=\s+(?:an?|the|our|my|your|this|these)\b))"
    r"(?:\s+(?:me|us|(?:(?:an?|the|our|your)\s+)?(?:customers?|readers?|visitors?)))?\s*(?:about\s+)?)?",
    re.IGNORECASE,
)

_TOLD = re.compile(r"(?:please\s+)?(?:explain|describe)\b", re.IGNORECASE)


def inline(text: str) -> str:
    """Return the text on one line, without spaces at its ends."""
    return " ".join(text.split())


def lower_start(text: str) -> str:
    """Return the text for use within a sentence: a first word that is not a name loses its capital."""
    match = WORD.match(text)
    if not match or not text[0].isupper() or any(letter.isupper() for letter in match[0][1:]):
        return text
    low = match[0].casefold()
    known = low in lexicon("stop") | lexicon("adjectives") | lexicon("determiners") | lexicon("mass")
    plain = known or base_verb(low, clear=False) or low.endswith(("ed", "ly"))
    hyphened = "-" in low and match[0][low.index("-") + 1 :].islower()
    if low != "i" and (plain or hyphened):
        return text[0].lower() + text[1:]
    return text


def is_foreign(text: str) -> bool:
    """Return whether a text is not in English, judging by small words and scripts."""
    letters = [letter for letter in text if letter.isalpha()]
    if letters and sum(letter > "\u024f" for letter in letters) * 2 > len(letters):
        return True
    words = [word.casefold() for word in WORD.findall(text[:2000])]
    if len(words) < 2:
        return False
    english = sum(word in lexicon("stop") and word not in lexicon("foreign") for word in words)
    accented = sum(any(letter > "\x7f" and letter.isalpha() for letter in word) for word in words)
    foreign = sum(word in lexicon("foreign") - lexicon("stop") for word in words)
    return foreign + (accented > len(words) // 2) > english


def strip_request(text: str) -> str:
    """Remove the request from a prompt, such as ``Write a short text about``, and its audience."""
    match = _REQUEST.match(text)
    asked = bool(match and match.end())
    rest = text[match.end() :] if match else text
    kinds = lexicon("requests") | (lexicon("requests_asked") if asked else frozenset())
    wanted = re.match(
        rf"(?:(?:an?|the|some|one|two|three|four|five|ten)\s+)?(?:[\w-]+\s+){{0,3}}?(?:{'|'.join(sorted(kinds))})\s+"
        r"(?:about|on|for|of|to|in praise of|that (?:explains|describes)|explaining|describing)\s+(?=\S)",
        rest,
        re.IGNORECASE,
    )
    if wanted:
        return rest[wanted.end() :]
    if asked and rest:
        return (
            re.sub(r"(?<!\s)\s+to (?:an?|the|my|your|our) [\w -]{1,200}[.!?]?$", "", rest)
            if _TOLD.match(text)
            else rest
        )
    return text


def chunks(text: str) -> list[str]:
    """Return runs of at most three words between stop words, verbs and punctuation."""
    found: list[str] = []
    for part in re.split(
        r"(?<![.,;:!?()\[\]{}\"“”\n/|*_<>])[.,;:!?()\[\]{}\"“”\n/|*_<>]+(?:\s|$)|\s[-\u2013\u2014]+\s|\n",
        text,
    ):
        run: list[str] = []
        before = ""
        words = [*WORD.findall(part), ""]
        for word, after in pairwise([*words, ""]):
            if word and not _parts(word, before, run) and not (run and _tells(word, after)):
                run.append(word)
            else:
                while run and _describes(run[-1]):
                    run.pop()
                found += [lower_start(" ".join(run[-3:]))] if run else []
                run = []
            before = word.casefold()
    return found


def _parts(word: str, before: str, run: list[str]) -> bool:
    """Return whether a word ends a noun phrase rather than being one of its words."""
    low = word.casefold().removesuffix("'s").removesuffix("\u2019s")
    if (
        low in lexicon("stop")
        or low in lexicon("predicates")
        or not any(letter.isalpha() for letter in word)
        or "://" in word
    ):
        return True
    if word[0].isupper() and (run or not base_verb(low)):
        return False
    if before in lexicon("before_verbs") and (
        base_verb(low, clear=False) or before in {"never", "who", "not"}
    ):
        return True
    if not run:
        return _compared(low) or (base_verb(low) is not None and not low.endswith(("ing", "ed")))
    return base_verb(low) is not None and (low.endswith("ed") or is_plural(run[-1]))


def _tells(word: str, after: str) -> bool:
    """Return whether a word is a verb by its form and the next words: ``lasts`` in ``lasts ten years``."""
    verb = base_verb(word, clear=False)
    low = after.casefold()
    if low == "by" and verb:
        return True
    led = low[:1].isdigit() or low in lexicon("determiners") | lexicon("before_verbs") or low.endswith("ly")
    return bool(verb) and word.casefold() == third_person(verb or "") and (led or low in lexicon("numbers"))


def _describes(word: str) -> bool:
    """Return whether a word cannot end a noun phrase: an adjective, an adverb, a lone verb form."""
    low = word.casefold()
    if low in lexicon("adjectives") or low.endswith("ly") or _compared(low):
        return True
    return (
        low not in lexicon("mass") and low.endswith(("ing", "ed")) and base_verb(low, clear=False) is not None
    )


def _compared(low: str) -> bool:
    """Return whether a word is the compared form of an adjective, such as ``shorter`` or ``busiest``."""
    match = re.fullmatch(r"(.+?)(i?)e(?:r|st)", low)
    if not match:
        return False
    stem = match[1] + ("y" if match[2] else "")
    return not {stem, f"{stem}e", stem[:-1]}.isdisjoint(lexicon("comparable"))
