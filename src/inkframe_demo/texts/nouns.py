"""Noun phrases: the subject of a text, and ways to mention it again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from inkframe_demo.texts.chunks import (
    WORD,
    chunks,
    inline,
    is_foreign,
    lower_start,
    strip_request,
)
from inkframe_demo.texts.words import (
    article,
    base_verb,
    capitalize,
    gerund,
    is_plural,
    lexicon,
    third_person,
)

__all__ = ["PRONOUNS", "NounPhrase", "key_phrases", "noun_phrase"]

#: A longer subject is cut at its last preposition.
LONGEST = 9
_QUESTION = re.compile(r"(?:how|why|what|when|where|which|who|whether)\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\s(?:is|are|was|were|will|can|cannot|must|should|shall|has|have|had|does|do|did|would|could|may|might)\b(?!-)"
)
PRONOUNS = {"i", "we", "you", "he", "she", "it", "they", "there", "this", "these", "those", "that"}
_RELATIVE = re.compile(r",?\s(?:that|which|who|whose|where|when|so that|because|while|if)\s")
_BREAK = re.compile(r"[.!?;:](?=\s|$)|\s[-\u2013\u2014|(]|[\u2014()\[\]{}]|\n")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase.

    Args:
        text: The words, without an article before them.
        determiner: The article or pronoun before them, or an empty text.
        core: The words up to the head noun.
        plural: Whether it takes a plural verb.
        bare: Whether it has no article: names, masses, plurals, activities, quoted words.
        tail: The clause after ``that`` or ``which``, such as ``boils in two minutes``.
        heading: The words in a heading, if different.
    """

    text: str
    determiner: str = ""
    core: str = ""
    plural: bool = False
    bare: bool = True
    tail: str = ""
    heading: str = ""

    @property
    def definite(self) -> str:
        """The mention in running text: ``the kettle``, ``coffee``, ``our team``."""
        return self._with("the", self.text)

    @property
    def indefinite(self) -> str:
        """The first mention: ``a kettle``, ``coffee``, ``our team``."""
        return self._with(article(self.text), self.text)

    @property
    def short(self) -> str:
        """The mention by the head noun alone: ``the kettle`` for a kettle with a copper base."""
        return self._with("the", self.core)

    @property
    def title(self) -> str:
        """The words for a heading."""
        if self.heading:
            return capitalize(self.heading)
        own = self.determiner if self.determiner not in {"a", "an", "some", "any"} else ""
        return capitalize(f"{own} {self.text}".strip())

    def _with(self, instead: str, words: str) -> str:
        if self.determiner in {"", "a", "an", "some", "any"}:
            return words if self.bare else f"{instead} {words}"
        return f"{self.determiner} {words}"


def noun_phrase(value: str) -> NounPhrase:
    """Return the noun phrase of a value, which can always be mentioned."""
    text = inline(value[:2000]).strip(" .!?;:,\"“”'*_#>-")
    if is_foreign(text):
        return NounPhrase(f"“{_clip(text)}”", core=f"“{_clip(text)}”")
    text = strip_request(text)
    if _QUESTION.match(text):
        return _question(text)
    text = _BREAK.split(text, maxsplit=1)[0]
    text, clause, tail = _relative(text)
    if match := _FINITE.search(text):
        text = text[: match.start()]
    text = _before_predicate(_first_part(text).strip(" ,"), written=value.rstrip().endswith((".", "!")))
    said = [word for word in WORD.findall(text) if word.casefold() not in lexicon("determiners")]
    if not said or text.split()[0].casefold() in PRONOUNS or text.casefold() in lexicon("stop"):
        found = key_phrases(value)
        return found[0] if found else NounPhrase("the subject", core="the subject")
    phrase = _phrase(text, tail)
    return replace(phrase, text=f"{phrase.text}{clause}")


def key_phrases(text: str, most: int = 12) -> list[NounPhrase]:
    """Return the noun phrases of a text by frequency, else in their order.

    Args:
        text: Any text; its first 4,000 characters are read.
        most: The largest number to return.
    """
    text = strip_request(text[:4000])
    if is_foreign(text):
        words = [w for w in WORD.findall(text) if len(w) > 3 or w > "\u024f"]
        words = [w for w in words if w.casefold() not in lexicon("foreign")]
        return [NounPhrase(f"“{w}”", core=f"“{w}”") for w in dict.fromkeys(words)][:most]
    counts: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for chunk in chunks(text):
        counts[chunk.casefold()] = counts.get(chunk.casefold(), 0) + 1
        spelled.setdefault(chunk.casefold(), chunk)
    ordered = sorted(counts, key=lambda chunk: -counts[chunk])
    return [_phrase(spelled[chunk], "") for chunk in ordered[:most]]


def _question(text: str) -> NounPhrase:
    words = text.split()
    if len(words) > 2 and words[0].casefold() == "how" and words[1].casefold() == "to":
        return _phrase(" ".join(words[2:]), "", instruction=True)
    if asked := re.match(r"(?:what|who) (?:is|are|was|were)\s+(.+)", text, re.IGNORECASE):
        return noun_phrase(asked[1])
    plain = _clip(text.rstrip("?"), 14)
    plain = plain[0].lower() + plain[1:]
    return NounPhrase(f"question of {plain}", "the", "question", bare=False, heading=plain)


def _relative(text: str) -> tuple[str, str, str]:
    """Split a phrase from its relative clauses, restrictive or not."""
    match = _RELATIVE.search(text)
    if not match:
        return text, "", ""
    main, clause = text[: match.start()], text[match.start() :]
    if len(text.split()) <= LONGEST and text.split(maxsplit=1)[0].casefold() not in {"a", "an"}:
        return main, clause, ""
    written = match[0].strip(" ,") in {"that", "which", "who"}
    return main, "", text[match.end() :] if written else ""


def _before_predicate(text: str, *, written: bool) -> str:
    """Cut a phrase at its verb; in a full sentence any third person counts as a verb."""
    words = text.split()
    for n, word in enumerate(words):
        verb = base_verb(word, clear=False) if written and n else None
        if n and (word in lexicon("predicates") or (verb and word == third_person(verb))):
            return " ".join(words[:n])
    return text


def _first_part(text: str) -> str:
    """Cut a phrase at a comma, unless it is a short list, and at a preposition where it is too long."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and not (" and " in parts[-1] and all(len(part.split()) <= 3 for part in parts[:-1])):
        text = parts[0] or text
    words = text.split()
    if len(words) > LONGEST:
        stops = [
            n for n, w in enumerate(words[:LONGEST]) if n > 1 and w.casefold() in lexicon("prepositions")
        ]
        text = " ".join(words[: stops[-1] if stops else LONGEST])
    return text


def _phrase(text: str, tail: str, *, instruction: bool = False) -> NounPhrase:
    """Return the noun phrase for words without a finite verb."""
    words = text.split()
    determiner = ""
    if len(words) > 1 and words[0].casefold() in lexicon("determiners"):
        determiner, words = words[0].casefold(), words[1:]
    if not determiner and (activity := _activity(words, instruction=instruction)):
        return activity
    # After an article, a capital before another one is of a name: the Quiet Kettle.
    named = determiner and len(words) > 1 and words[1][:1].isupper()
    plain = " ".join(words) if named else lower_start(" ".join(words))
    core = _core(plain.split())
    head = _head(core)
    one = determiner in {"a", "an", "this", "that", "each", "every", "another"}
    plural = not one and (is_plural(head) or " and " in core)
    name = head[:1].isupper() and (" " in core or len(words) == 1 or not determiner)
    bare = plural or (name and not one) or (not one and _is_mass(head))
    whole = (
        core.split()[-1] != plain.split()[-1] and " " not in core and core.casefold() in lexicon("generic")
    )
    return NounPhrase(plain, determiner, plain if whole else core, plural, bare, tail)


def _core(words: list[str]) -> str:
    """Return the words up to the head noun: before a preposition or a participle."""
    for n, word in enumerate(words):
        parted = word.casefold() in lexicon("prepositions") and word.casefold() not in {"of", "without"}
        after = words[n + 1] if n + 1 < len(words) else ""
        if n and (parted or (base_verb(word) and ((word.endswith("ed") and after) or after == "by"))):
            return " ".join(words[:n])
    return " ".join(words)


def _head(core: str) -> str:
    words = core.split()
    end = next((n for n, word in enumerate(words) if n and word.casefold() in {"of", "without"}), len(words))
    return words[end - 1]


def _activity(words: list[str], *, instruction: bool) -> NounPhrase | None:
    """Return the phrase as an activity where it begins with a verb: ``descaling a kettle``."""
    verb = base_verb(words[0], clear=False)
    follows = words[1].casefold() if len(words) > 1 else ""
    led = follows in lexicon("determiners") | lexicon("prepositions") or follows[:1].isdigit()
    if not verb or (words[0].casefold().endswith("s") and verb != words[0].casefold()):
        return None
    clear = base_verb(words[0]) is not None and len(words) > 1
    running = words[0].casefold().endswith("ing") and verb != words[0].casefold()
    objective = running and len(words) > 2 and is_plural(follows) and verb not in lexicon("compounds")
    if words[0].casefold().endswith("ed") or not (instruction or led or objective or (clear and not running)):
        return None
    started = " ".join([gerund(verb), *words[1:]])
    return NounPhrase(started, core=started if len(words) <= 4 else "this")


def _is_mass(head: str) -> bool:
    low = head.casefold()
    return low in lexicon("mass") or (
        len(low) > 5 and low.endswith(("ness", "ism", "ity", "ware", "graphy", "ology", "ing", "ics"))
    )


def _clip(text: str, words: int = 10) -> str:
    found = text.split()
    if len(found) == 1:
        return text[:40]
    return " ".join(found[:words])
