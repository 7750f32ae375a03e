"""The form that corrects a given text: spelling, articles, capitals, doubled words, spaces."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from inkframe_demo.texts.sentences import EMPTY, editing, with_articles
from inkframe_demo.texts.words import capitalize, listed
from inkframe_demo.texts.writer import pools

if TYPE_CHECKING:
    from inkframe_demo.texts.writer import Writer

__all__ = ["content_grammar"]

#: Text that is never changed: code, addresses, file names with a path.
_GUARDED = r"`[^`\n]+`|\b\w+://\S+|\bwww\.\S+|\b[\w.+-]+@[\w-]+\.[\w.]+"
#: Words that may appear twice in a row.
_TWICE = {"had", "that", "very", "bye", "no", "ha", "so", "is"}
#: Words after which a verb keeps its base form: does he have.
_BASE_AFTER = {"do", "does", "did", "will", "would", "can", "could", "should", "may", "might", "must", "let", "make",
               "makes", "made", "help", "helps"}  # fmt: skip
#: A line with this many words is a sentence even without a period.
SENTENCE = 5


def content_grammar(w: Writer) -> str:
    """Write the corrected source, and below a rule one sentence about the corrections."""
    source = w.material.text.strip() or EMPTY
    found: Counter[str] = Counter()
    parts = re.split(f"({_guard(tuple(w.items('keep')))})", source)
    # Protected parts are at the odd positions; a private character replaces them meanwhile.
    text = "".join("\ue000" if n % 2 else part for n, part in enumerate(parts))
    for step in (_spelled, _spaced, _single, _paired, _started, _articled, _ended):
        text = step(text, found)
    text = _varied(w, text, found)
    guarded = iter(parts[1::2])
    text = re.sub("\ue000", lambda _: next(guarded), text)
    return f"{text.strip()}\n\n---\n\n*{_note(w, found)}*"


@cache
def _guard(kept: tuple[str, ...]) -> str:
    words = [rf"\b{re.escape(word)}\b" for word in kept]
    return "|".join([_GUARDED, *words])


def _note(w: Writer, found: Counter[str]) -> str:
    """Return a note with the kinds and numbers of corrections."""
    if not found:
        return str(w.voice.choose(pools()["grammar_clean"], "grammar_clean"))
    written = [
        f"{count} {kind if count == 1 else pools()['grammar_kind_many'][_KINDS.index(kind)]}"
        for kind, count in found.items()
    ]
    return w.one("grammar_note", corrections=listed(w.voice.order(written, "told")))


_KINDS = ["spelling", "space", "doubled word", "form", "capital", "article", "full stop", "variety"]


def _spelled(text: str, found: Counter[str]) -> str:
    def corrected(match: re.Match[str]) -> str:
        right = str(editing()["misspellings"][match[0].casefold()])
        found["spelling"] += 1
        return capitalize(right) if match[0][0].isupper() else right

    return _misspellings().sub(corrected, text)


@cache
def _misspellings() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{'|'.join(map(re.escape, editing()['misspellings']))})\b(?!['\u2019])", re.IGNORECASE
    )


def _counted(pattern: str, repl: str, text: str, found: Counter[str], kind: str) -> str:
    text, count = re.subn(pattern, repl, text)
    found.update({kind: count} if count else {})
    return text


def _spaced(text: str, found: Counter[str]) -> str:
    text = _counted(r"(?<=\S)[ \t]{2,}(?=\S)", " ", text, found, "space")
    text = _counted(r"(?<=\w)[ \t]+([,;:!?]|\.(?!\w*\d))[ \t]*(?=[\w\ue000])", r"\1 ", text, found, "space")
    text = _counted(r"(?<=\w)[ \t]+([.,;:!?])(?=\s|$)", r"\1", text, found, "space")
    text = _counted(r"(?<=[a-z])([,;!?])(?=[A-Za-z])", r"\1 ", text, found, "space")
    return _counted(r"(?<=[a-z]{2})\.(?=[A-Z][a-z])", ". ", text, found, "space")


def _single(text: str, found: Counter[str]) -> str:
    def corrected(match: re.Match[str]) -> str:
        if match[1].casefold() in _TWICE or match[1].isdigit():
            return match[0]
        found["doubled word"] += 1
        return match[1]

    return re.sub(r"\b(\w+)(?:[ \t]+\1\b)+", corrected, text, flags=re.IGNORECASE)


def _paired(text: str, found: Counter[str]) -> str:
    """Correct wrong pairs of words, such as ``could of`` and ``he don't``."""
    for pattern, repl in editing()["mistakes"]["pairs"]:

        def corrected(match: re.Match[str], repl: str = repl) -> str:
            before = re.findall(r"\w+", text[max(0, match.start() - 12) : match.start()])  # noqa: B023  # used at once
            if before and before[-1].casefold() in _BASE_AFTER:
                return match[0]
            found["form"] += 1
            right = match.expand(repl)
            return capitalize(right) if match[0][0].isupper() else right

        text = re.sub(pattern, corrected, text)
    return text


def _started(text: str, found: Counter[str]) -> str:
    """Capitalize the start of sentences, I, and names of days, months and languages."""

    def raised(match: re.Match[str]) -> str:
        found["capital"] += 1
        return match[1] + match[2][0].upper() + match[2][1:]

    text = re.sub(r"(\b)(i)(?=\s|['\u2019](?:m|ve|ll|d)\b|[,;!?]|\.\s)", raised, text)
    text = re.sub(rf"(\b)({'|'.join(editing()['capitals']['words'].split())})\b", raised, text)
    return re.sub(r"((?:\A|[.!?]\s+|(?<!\s)[^\S\n]*+\n\s*\n)[\"\u201c(]?)([a-z]++)(?![A-Z.@])", raised, text)


def _articled(text: str, found: Counter[str]) -> str:
    text, count = with_articles(text)
    found.update({"article": count} if count else {})
    return text


def _ended(text: str, found: Counter[str]) -> str:
    """End each paragraph that is a sentence with a period."""
    parts = re.split(r"(\n\s*\n)", text)
    for n, part in enumerate(parts):
        plain = part.rstrip()
        last = re.split(r"[.!?]\s", plain)[-1]
        sentence = len(plain.split()) >= SENTENCE and not re.match(r"\s*(?:#|[-*]\s|\d+[.)]\s|>)", last)
        if (
            sentence
            and re.search(r"[\w\ue000)\"'\u201d]$", plain)
            and not re.search(r"[.!?][)\"'\u201d]+$", plain)
        ):
            parts[n] = f"{plain}.{part[len(plain) :]}"
            found["full stop"] += 1
    return "".join(parts)


def _varied(w: Writer, text: str, found: Counter[str]) -> str:
    """Use the spelling of the requested variety of English."""
    asked = w.value("variety").casefold()
    pairs: dict[str, str] = editing()["varieties"]
    if "american" in asked or asked.startswith("us"):
        spelled = pairs
    elif "british" in asked or asked.startswith("uk"):
        spelled = {
            other: own for own, other in pairs.items() if other not in {"check", "tire", "tires", "practice"}
        }
    else:
        return text

    def corrected(match: re.Match[str]) -> str:
        found["variety"] += 1
        right = spelled[match[0].casefold()]
        return capitalize(right) if match[0][0].isupper() else right

    return re.sub(rf"\b(?:{'|'.join(spelled)})\b", corrected, text, flags=re.IGNORECASE)
