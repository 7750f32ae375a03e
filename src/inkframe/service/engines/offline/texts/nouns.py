"""Noun phrases: what a piece of text is about, and how to mention it again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from inkframe.service.engines.offline.texts.words import (
    article,
    base_verb,
    capitalise,
    gerund,
    is_plural,
    lexicon,
    third_person,
)

__all__ = ["NounPhrase", "inline", "is_foreign", "key_phrases", "lower_start", "noun_phrase"]

WORD = re.compile(r"[^\W_][\w’'&./+#-]*[\w+#]|[^\W_]")
#: Longer than this, a subject loses what follows its last preposition.
LONGEST = 9
_REQUEST = re.compile(
    r"(?:please\s+)?(?:can you\s+|could you\s+|i (?:want|need)\s+)?"
    r"(?:(?:write|draft|compose|create|make|give|tell|produce|generate|prepare|describe|explain|discuss|summari[sz]e)\b"
    r"(?:\s+(?:me|us))?\s*(?:about\s+)?)?",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"(?:how|why|what|when|where|which|who|whether)\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\s(?:is|are|was|were|will|can|cannot|must|should|shall|has|have|had|does|do|did|would|could|may|might)\b(?!-)"
)
PRONOUNS = {"i", "we", "you", "he", "she", "it", "they", "there", "this", "these", "those", "that"}
_RELATIVE = re.compile(r",?\s(?:that|which|who|whose|where|when|so that|because|while|if)\s")
_BREAK = re.compile(r"[.!?;:](?=\s|$)|\s[-–—|(]|[—()\[\]{}]|\n")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Something that can be talked about.

    Args:
        text: The words, without an article before them.
        determiner: The article or pronoun that stood before them, or nothing.
        core: The words up to the head noun.
        plural: Whether it takes a plural verb.
        bare: Whether it stands without an article: names, masses, plurals, activities, quoted words.
        tail: What was said about it after ``that`` or ``which``, such as ``boils in two minutes``.
        heading: The words of a heading, where they are others.
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
        """The words as they stand in a heading."""
        if self.heading:
            return capitalise(self.heading)
        own = self.determiner if self.determiner not in {"a", "an", "some", "any"} else ""
        return capitalise(f"{own} {self.text}".strip())

    def _with(self, instead: str, words: str) -> str:
        if self.determiner in {"", "a", "an", "some", "any"}:
            return words if self.bare else f"{instead} {words}"
        return f"{self.determiner} {words}"


def inline(text: str) -> str:
    """Give the text on one line, without spaces at its ends."""
    return " ".join(text.split())


def lower_start(text: str) -> str:
    """Give the text for use within a sentence: a first word that is no name loses its capital."""
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
    """Tell whether a text is in another language than English, as far as small words and scripts show."""
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


def noun_phrase(value: str) -> NounPhrase:
    """Give the thing that a value is about; it is always something that can be mentioned."""
    text = inline(value[:2000]).strip(" .!?;:,\"“”'*_#>-")
    if is_foreign(text):
        return NounPhrase(f"“{_clip(text)}”", core=f"“{_clip(text)}”")
    text = _strip_request(text)
    if _QUESTION.match(text):
        return _question(text)
    text = _BREAK.split(text, maxsplit=1)[0]
    text, clause, tail = _relative(text)
    if match := _FINITE.search(text):
        text = text[: match.start()]
    text = _before_predicate(_first_part(text).strip(" ,"))
    if not WORD.search(text) or text.split()[0].casefold() in PRONOUNS or text.casefold() in lexicon("stop"):
        found = key_phrases(value)
        return found[0] if found else NounPhrase("the subject", core="the subject")
    phrase = _phrase(text, tail)
    return replace(phrase, text=f"{phrase.text}{clause}")


def key_phrases(text: str, most: int = 12) -> list[NounPhrase]:
    """Give the noun phrases of a text, those that come most often first, else in their order.

    Args:
        text: Any text; its first 4,000 characters are read.
        most: At most so many.
    """
    text = _strip_request(text[:4000])
    if is_foreign(text):
        words = [w for w in WORD.findall(text) if len(w) > 3 or w > "\u024f"]
        words = [w for w in words if w.casefold() not in lexicon("foreign")]
        return [NounPhrase(f"“{w}”", core=f"“{w}”") for w in dict.fromkeys(words)][:most]
    counts: dict[str, int] = {}
    spelt: dict[str, str] = {}
    for chunk in _chunks(text):
        counts[chunk.casefold()] = counts.get(chunk.casefold(), 0) + 1
        spelt.setdefault(chunk.casefold(), chunk)
    ordered = sorted(counts, key=lambda chunk: -counts[chunk])
    return [_phrase(spelt[chunk], "") for chunk in ordered[:most]]


def _chunks(text: str) -> list[str]:
    """Give runs of at most three words between stop words, verbs and punctuation."""
    found: list[str] = []
    for part in re.split(r"[.,;:!?()\[\]{}\"“”\n/|*_<>]+(?:\s|$)|\s[-–—]+\s|\n", text):
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
    """Tell whether a word ends a noun phrase rather than being one of its words."""
    low = word.casefold().removesuffix("'s").removesuffix("’s")
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
    """Tell whether a word is a verb by its form and by what comes after it: ``lasts`` in ``lasts ten years``."""
    verb = base_verb(word, clear=False)
    low = after.casefold()
    if low == "by" and verb:
        return True
    led = low[:1].isdigit() or low in lexicon("determiners") | lexicon("before_verbs") or low.endswith("ly")
    return bool(verb) and word.casefold() == third_person(verb or "") and (led or low in lexicon("numbers"))


def _describes(word: str) -> bool:
    """Tell whether a word cannot end a noun phrase: an adjective, an adverb, a lone verb form."""
    low = word.casefold()
    if low in lexicon("adjectives") or low.endswith("ly") or _compared(low):
        return True
    return (
        low not in lexicon("mass") and low.endswith(("ing", "ed")) and base_verb(low, clear=False) is not None
    )


def _compared(low: str) -> bool:
    """Tell whether a word is the compared form of an adjective, such as ``shorter`` or ``busiest``."""
    match = re.fullmatch(r"(.+?)(i?)e(?:r|st)", low)
    if not match:
        return False
    stem = match[1] + ("y" if match[2] else "")
    return not {stem, f"{stem}e", stem[:-1]}.isdisjoint(lexicon("comparable"))


def _strip_request(text: str) -> str:
    """Take away what asks for a text, such as ``Write a short text about``."""
    match = _REQUEST.match(text)
    asked = bool(match and match.end())
    rest = text[match.end() :] if match else text
    kinds = "|".join(lexicon("requests"))
    wanted = re.match(
        rf"(?:(?:an?|the|some|one|two|three|four|five)\s+)?(?:[\w-]+\s+){{0,3}}?(?:{kinds})\s+"
        r"(?:about|on|for|of|to|in praise of|that (?:explains|describes)|explaining|describing)\s+(?=\S)",
        rest,
        re.IGNORECASE,
    )
    if wanted:
        return rest[wanted.end() :]
    return rest if asked and rest else text


def _question(text: str) -> NounPhrase:
    words = text.split()
    if len(words) > 2 and words[0].casefold() == "how" and words[1].casefold() == "to":
        return _phrase(" ".join(words[2:]), "", instruction=True)
    plain = _clip(text.rstrip("?"), 14)
    plain = plain[0].lower() + plain[1:]
    return NounPhrase(f"question of {plain}", "the", "question", bare=False, heading=plain)


def _relative(text: str) -> tuple[str, str, str]:
    """Part a phrase from a clause that says which ones are meant, and from what is said about it."""
    match = _RELATIVE.search(text)
    if not match:
        return text, "", ""
    main, clause = text[: match.start()], text[match.start() :]
    if len(text.split()) <= LONGEST and text.split()[0].casefold() not in {"a", "an"}:
        return main, clause, ""
    told = match[0].strip(" ,") in {"that", "which", "who"}
    return main, "", text[match.end() :] if told else ""


def _before_predicate(text: str) -> str:
    words = text.split()
    end = next((n for n, word in enumerate(words) if n and word in lexicon("predicates")), len(words))
    return " ".join(words[:end])


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
    """Give the noun phrase for words without a finite verb."""
    words = text.split()
    determiner = ""
    if len(words) > 1 and words[0].casefold() in lexicon("determiners"):
        determiner, words = words[0].casefold(), words[1:]
    if not determiner and (activity := _activity(words, instruction=instruction)):
        return activity
    plain = lower_start(" ".join(words))
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
    """Give the words up to the head noun: before a preposition or a participle."""
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
    """Give the phrase as an activity where it begins with a verb: ``descaling a kettle``."""
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
