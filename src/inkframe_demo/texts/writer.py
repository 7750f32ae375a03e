"""Sentences from patterns: each pool has several ways to say one thing, and the voice chooses one.

A pattern is text with slots and agreements. A pattern with a slot that cannot be filled is not used.

- ``{name}`` is a field's value within a sentence, ``{topic}`` the subject, ``{key}`` the next phrase of the
  prompt. A word before the name sets how a thing is mentioned: ``{the name}``, ``{a name}``, ``{core name}``
  (by its head noun), ``{title name}``, ``{just name}`` (a question stays one).
- Or its phrasing: ``{say name}`` (as a sentence), ``{do name}`` and ``{to name}`` (as an instruction),
  ``{list name}`` (a, b and c), ``{as name}`` (as it was written).
- Or its values: ``{what name}`` (those that name a thing), ``{tell name}`` (statements, as a sentence),
  ``{does name}`` (that say what the subject does).
- ``{some word}`` is chosen from a pool of words.
- ``[is|are]`` agrees with the phrase before it, at the start with the subject.
- ``" | "`` separates the parts of a pattern, such as a question and its answer.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import inline
from inkframe_demo.texts.material import (
    as_infinitive,
    as_instruction,
    as_sentence,
    is_predicate,
    is_thing,
    split_items,
    value_of,
)
from inkframe_demo.texts.nouns import NounPhrase, noun_phrase
from inkframe_demo.texts.words import article, capitalize, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.material import Material
    from inkframe_demo.texts.voice import Voice

__all__ = ["Writer", "clipped", "finish", "pools"]

_MARK = re.compile(r"\{(?:(?P<mode>\w+) )?(?P<name>\w+)\}|\[(?P<one>[^\[|\]]*)\|(?P<many>[^\[\]]*)\]")
#: The separator between the parts of a pattern.
BETWEEN = " | "
#: The start of a sentence: of the text, after punctuation, or after markup such as bold and quotes.
_BEGINS = re.compile(r"(?:^|[.!?]\s+)[*_“\"(]*$")
_CASUAL = re.compile(
    r"friendly|casual|playful|warm|fun|funny|relaxed|informal|chatty|humorous|cheerful", re.IGNORECASE
)
#: The values that can be phrased in a way, for ways that exclude some.
_SUITING: dict[str, Callable[[str], bool]] = {
    "what": is_thing,
    "tell": lambda value: not is_thing(value),
    "does": is_predicate,
}


class Writer:
    """Writes sentences about the material with the choices of the voice, without repeating patterns.

    Args:
        material: The parsed prompt.
        voice: The choices of the text.
    """

    def __init__(self, material: Material, voice: Voice) -> None:
        self.material = material
        self.voice = voice
        self.casual = bool(_CASUAL.search(material.values.get("tone", "")))
        self.subject = material.subject
        self.keys = list(material.keys)
        self._used: set[str] = set()
        self._written: set[str] = set()

    def has(self, name: str) -> bool:
        """Return whether a field is filled."""
        return bool(self.material.values.get(name))

    def value(self, name: str) -> str:
        """Return a field's value for use within a sentence, or an empty text."""
        return value_of(self.material.values.get(name, ""))

    def items(self, name: str) -> list[str]:
        """Return the items of a list field."""
        return split_items(self.material.values.get(name, ""))

    def parts(self, pool: str, **extra: str) -> list[str]:
        """Return the parts of one filled pattern of a pool, or none if no pattern can be filled."""
        patterns = [pattern for pattern in pools()[pool] if self._fillable(pattern, extra)]
        fresh = [pattern for pattern in patterns if pattern not in self._used] or patterns
        if not fresh:
            return []
        pattern = self._take(fresh, pool)
        filled = [self.fill(part, **extra) for part in pattern.split(BETWEEN)]
        if " key}" in pattern:
            del self.keys[0]
        return filled

    def pair(self, pool: str, **extra: str) -> tuple[str, str]:
        """Return a filled pattern of two parts, such as a question and its answer."""
        first, second = self.parts(pool, **extra)
        return first, second

    def one(self, pool: str, **extra: str) -> str:
        """Return one filled pattern of a pool, or an empty text if none can be filled."""
        return next(iter(self.parts(pool, **extra)), "")

    def _take(self, patterns: list[str], pool: str) -> str:
        """Return one of the patterns, preferring those with the most unused material."""
        fields = self.material.values.keys()
        written = [fields & _names(pattern) for pattern in patterns]
        news = [2 * len(names - self._written) - len(names & self._written) for names in written]
        best = [pattern for pattern, count in zip(patterns, news, strict=True) if count == max(news)]
        pattern = self.voice.choose(best, pool)
        self._used.add(pattern)
        self._written |= _names(pattern)
        return pattern

    def say(self, *names: str, **extra: str) -> str:
        """Return one sentence of each pool; pools that cannot be filled are omitted."""
        return " ".join(finish(said) for name in names if (said := self.one(name, **extra)))

    def blocks(self, pool: str, count: int) -> list[tuple[str, str]]:
        """Return a number of headings of a pool with the texts below them, in the order of the pool."""
        patterns = self.voice.order(pools()[pool], pool)[:count]
        chosen = (pattern.split(BETWEEN) for pattern in pools()[pool] if pattern in patterns)
        return [(self.fill(heading), self.fill(body)) for heading, body in chosen]

    def take_keys(self, count: int) -> list[str]:
        """Return the next phrases of the prompt for running text, and mark them as used."""
        taken, self.keys = self.keys[:count], self.keys[count:]
        return [key.definite for key in taken]

    def fitting(self, pool: str, limit: int, **extra: str) -> str:
        """Return one filled pattern of a pool within a number of characters.

        If none fits with the whole subject, the subject is shortened, and finally clipped.
        """
        patterns = [p for p in pools()[pool] if self._fillable(p, extra) and p not in self._used]
        said = clipped(capitalize(self.material.subject.text), limit)
        for subject in self._briefer():
            self.subject = subject
            if fitting := [p for p in patterns if len(self._fill(p, extra, _longest)) <= limit]:
                said = self.fill(self._take(fitting, pool), **extra)
                break
        self.subject = self.material.subject
        return said

    def fill(self, pattern: str, **extra: str) -> str:
        """Return a pattern with its slots filled and its agreements made."""
        return self._fill(pattern, extra, self.voice.choose)

    def _fill(self, pattern: str, extra: dict[str, str], choose: Callable[[list[str], str], str]) -> str:
        if self.casual:
            for full, short in contractions():
                pattern = full.sub(short, pattern)
        plural = self.subject.plural
        said = ""
        at = 0
        for mark in _MARK.finditer(pattern):
            said += pattern[at : mark.start()]
            at = mark.end()
            if mark["name"] is None:
                said += mark["many"] if plural else mark["one"]
            elif mark["mode"] == "some":
                said = _joined(said, choose(pools()[mark["name"]], mark["name"]))
            else:
                words, plural = self._slot(mark["mode"] or "", mark["name"], extra, plural=plural)
                said = _joined(said, words)
        return said + pattern[at:]

    def _slot(self, mode: str, name: str, extra: dict[str, str], *, plural: bool) -> tuple[str, bool]:
        """Return the words of a slot, and whether the next words agree with a plural."""
        if name == "key":
            phrase = self.keys[0]
        elif name == "topic":
            phrase = self.subject
        else:
            value = extra.get(name) or self.material.values[name]
            if mode not in {"the", "a", "core", "title", "just"}:
                several = mode == "list" and len(split_items(value)) > 1
                return self._plain(mode, value, plural=plural), plural or several
            phrase = noun_phrase(value)
        written = {
            "the": phrase.definite,
            "a": phrase.indefinite,
            "core": phrase.short,
            "title": phrase.title,
        }
        written["just"] = phrase.heading or phrase.definite
        return written.get(mode, phrase.heading or phrase.text), phrase.plural

    def _plain(self, mode: str, value: str, *, plural: bool) -> str:
        if mode == "does":
            return as_instruction(value) if plural else value_of(value)
        if mode in {"say", "tell"}:
            plural = self.subject.plural
            return as_sentence(value, "They" if plural else "It", plural=plural).rstrip(".")
        written = {
            "as": inline,
            "do": as_instruction,
            "to": as_infinitive,
            "list": _as_list,
        }
        return written.get(mode, value_of)(value)

    def _fillable(self, pattern: str, extra: dict[str, str]) -> bool:
        for mark in _MARK.finditer(pattern):
            name = mark["name"]
            if name is None or name == "topic" or mark["mode"] == "some":
                continue
            value = extra.get(name) or self.material.values.get(name, "")
            if not (self.keys if name == "key" else value):
                return False
            if (suits := _SUITING.get(mark["mode"] or "")) and not suits(value):
                return False
        return True

    def _briefer(self) -> list[NounPhrase]:
        """Return the subject in decreasing numbers of words."""
        subject = self.material.subject
        words = (subject.core if subject.core != "this" else subject.text).split()
        shorter = [" ".join(words[-count:]) for count in (len(words), 2, 1)]
        return [subject, *(replace(subject, text=t, core=t, heading="") for t in dict.fromkeys(shorter))]


@cache
def _names(pattern: str) -> frozenset[str]:
    """Return the names of the fields in a pattern."""
    marks = _MARK.finditer(pattern)
    return frozenset(mark["name"] for mark in marks if mark["name"] and mark["mode"] != "some")


def _joined(said: str, words: str) -> str:
    """Append words: capitalized at the start of a sentence, with an before a vowel."""
    if match := re.search(r"\b([Aa]) $", said):
        said = said[: match.start()] + match[1] + article(words)[1:] + " "
    return said + (capitalize(words) if _BEGINS.search(said) else words)


def _longest(words: list[str], about: str) -> str:
    del about
    return max(words, key=len)


def _as_list(value: str) -> str:
    return listed([value_of(item) for item in split_items(value)])


def finish(text: str) -> str:
    """Return the text as a sentence, with a capital and a final punctuation mark."""
    text = capitalize(text.strip())
    return text if re.search(r"[.!?:…][\u201d\"'\u2019)*_]*$", text) else f"{text}."


def clipped(text: str, limit: int) -> str:
    """Return as many whole words of a text as fit."""
    if len(text) <= limit:
        return text
    kept = text[: limit + 1].rpartition(" ")[0].rstrip(" ,;:-\u2013")
    while match := re.search(r"(?<!\s)\s+(?:a|an|the|of|for|in|on|with|and|or|to|at|from|by)$", kept):
        kept = kept[: match.start()]
    return kept or text[:limit]


@cache
def pools() -> dict[str, list[str]]:
    """Return every pool of patterns by name."""
    found: dict[str, list[str]] = {}
    for path in sorted(files(__package__).joinpath("phrases").iterdir(), key=lambda entry: entry.name):
        if path.name.endswith(".toml"):
            found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def contractions() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the contractions of casual speech with their long forms."""
    pairs = (pattern.split(BETWEEN) for pattern in pools()["contractions"])
    return tuple((re.compile(rf"\b{full}\b"), short) for full, short in pairs)
