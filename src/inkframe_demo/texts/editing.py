"""Forms that edit a given text: rewriting and summary."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import lower_start
from inkframe_demo.texts.grammar import content_grammar
from inkframe_demo.texts.sentences import (
    EMPTY,
    editing,
    paragraphs,
    sentences,
    with_articles,
)
from inkframe_demo.texts.words import capitalize, lexicon
from inkframe_demo.texts.writer import pools

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]

#: A clause that may come before or after its main clause.
_CLAUSE = re.compile(
    r"^(?P<link>Because|When|If|Although|While|Since|After|Before|As soon as|Once) (?P<side>[^,;:]{4,160}), (?P<main>[^,;:]{4,200})\.$"
)
_CASUAL = (("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"), ("is not", "isn't"), ("are not", "aren't"),
           ("cannot", "can't"), ("will not", "won't"), ("it is", "it's"), ("we are", "we're"), ("you are", "you're"))  # fmt: skip
#: Words after which the next word is not replaced by a synonym.
_HELD = {"how", "as", "so", "too", "not", "a", "that"}
#: A rewriting with fewer new words says that it is one.
FEW = 4
#: The most sentences of a summary, and its share of the source.
MOST_SENTENCES = 5
SHARE = 3
_LEANING = re.compile(r"(?:It|He|She|They|This|These|That|Those|But|And|So|However|Therefore|Moreover)\b")


def content_rewrite(w: Writer) -> str:
    """Write the source in other words: replace words, reorder clauses, keep facts."""
    source = w.material.text.strip() or EMPTY
    kept = [word for word in w.items("keep") if word]
    written = [[_reworded(w, sentence, kept) for sentence in sentences(part)] for part in paragraphs(source)]
    text = "\n\n".join(" ".join(part) for part in written)
    same = set(source.split()) & set(text.split())
    if len(set(source.split()) - same) < FEW:
        text = f"{w.voice.choose(pools()['rewrite_opener'], 'rewrite_opener')} {lower_start(text)}"
    return _toned(w, text)


def _reworded(w: Writer, sentence: str, kept: list[str]) -> str:
    """Return a sentence with reordered clauses and some words replaced."""
    if (match := _CLAUSE.match(sentence)) and w.voice.below(3, "turned"):
        sentence = f"{capitalize(match['main'])} {match['link'].lower()} {lower_start(match['side'])}."

    def replaced(match: re.Match[str]) -> str:
        word, at = match[0], match.start()
        before = re.findall(r"[\w']+", sentence[max(0, at - 20) : at])
        named = word[0].isupper() and at > 0
        held = bool(before) and before[-1].casefold() in _HELD and " " not in word
        if named or held or any(word.casefold() in keep.casefold() for keep in kept):
            return word
        choices = editing()["synonyms"][word.casefold()]
        other = str(choices[w.voice.below(len(choices), "synonym")])
        return capitalize(other) if word[0].isupper() else other

    return with_articles(_synonyms().sub(replaced, sentence))[0]


@cache
def _synonyms() -> re.Pattern[str]:
    words = sorted(editing()["synonyms"], key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b(?!['\u2019-])", re.IGNORECASE)


def _toned(w: Writer, text: str) -> str:
    """Return the text with contractions for a casual tone, and without them for any other tone."""
    if not w.has("tone"):
        return text
    for full, short in _CASUAL:
        found, other = (full, short) if w.casual else (short, full)
        text = re.sub(rf"\b{found}\b", other, text)
        text = re.sub(rf"\b{capitalize(found)}\b", capitalize(other), text)
    return text


def content_summary(w: Writer) -> str:
    """Write the most important sentences of the source, shorter than the source."""
    source = w.material.text.strip() or EMPTY
    found = [sentence for part in paragraphs(source) for sentence in sentences(part)]
    asked = re.search(r"\d+", w.value("sentences"))
    wanted = int(asked[0][:3]) if asked else min(MOST_SENTENCES, max(1, len(found) // SHARE))
    count = max(1, min(wanted, len(found) - 1))
    # The lead is chosen first, so that two takes differ even if they weigh the sentences equally.
    lead = w.voice.choose(pools()["summary_lead"], "summary_lead")
    weights = _weights(w, found)
    best = sorted(sorted(range(len(found)), key=lambda n: -weights[n])[:count])
    written = " ".join(_slimmer(found[n]) if count == 1 else found[n] for n in best)
    led = f"{lead} {written}".strip()
    return led if len(led) < len(source.strip()) else written


def _weights(w: Writer, found: list[str]) -> list[float]:
    """Return the weight of each sentence: frequent words, figures, position, focus, and chance."""
    words = [
        [word[:6] for word in re.findall(r"\w{3,}", text.casefold()) if word not in lexicon("stop")]
        for text in found
    ]
    counts = Counter(word for written in words for word in set(written))
    focus = {word[:6] for word in re.findall(r"\w{3,}", w.value("focus").casefold())}
    weights = []
    for number, written in enumerate(words):
        weight = sum(counts[word] for word in set(written)) / (len(set(written)) ** 0.5 + 1)
        weight *= 1.25 if number == 0 else 1.1 if re.search(r"\d", found[number]) else 1.0
        weight *= 0.6 if number and _LEANING.match(found[number]) else 1.0
        # More than chance can outweigh, so that sentences about the focus come first.
        weight *= 1 + 9 * len(focus & set(written))
        weights.append(weight * (1 + 0.15 * w.voice.below(6, "weight")))
    return weights


def _slimmer(sentence: str) -> str:
    """Return a sentence without its remarks in brackets and between dashes."""
    slim = re.sub(
        r"(?<!\s)\s*\([^()]*\)|(?<!\s)\s+[\u2013\u2014-]\s[^\u2013\u2014]{1,80}\s[\u2013\u2014-](?=\s)",
        "",
        sentence,
    )
    slim = re.sub(r",\s(?:which|who|although|though|because|while|where)\s[^,]*(?=[.!?]$)", "", slim)
    return slim if len(slim.split()) > 2 else sentence


#: The forms of this file and of ``grammar`` by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {14: content_rewrite, 15: content_summary, 45: content_grammar}
