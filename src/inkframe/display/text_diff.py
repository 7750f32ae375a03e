"""Where two texts differ, word by word; character by character in scripts that put no spaces between words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING
from unicodedata import category

from inkframe.display.markup import Html, join, tag
from inkframe.display.plain_text import SPACELESS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["Words", "against_first", "marked", "matches"]

#: Words compared at most; what comes after them is shown, but neither compared nor marked.
MOST_WORDS = 4_000
#: From this many words on, a word in every hundredth place anchors no match: it keeps the time near linear.
_LONG = 600
_MARKS = r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3001-\u301f\uff01-\uff0f\uff1a-\uff20"
_WORD = re.compile(f"[{SPACELESS}]|(?:[^\\s{SPACELESS}{_MARKS}]|(?<=\\w)[{_MARKS}](?=\\w))+|[{_MARKS}]")


@dataclass(frozen=True, slots=True)
class Words:
    """A text and where its words stand.

    Args:
        text: The text.
        spans: Where each word, character or mark begins and ends; the space between belongs to none.
    """

    text: str
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> Words:
        """Find the words of a text, at most the first 4,000."""
        spans: list[tuple[int, int]] = []
        for found in _WORD.finditer(text):
            start, end = found.span()
            # A vowel sign or accent belongs to the character before it; a tag between them would break both.
            if spans and spans[-1][1] == start and category(text[start])[0] == "M":
                spans[-1] = (spans[-1][0], end)
            elif len(spans) == MOST_WORDS:
                break
            else:
                spans.append((start, end))
        return cls(text, spans)

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def words(self) -> list[str]:
        """The words themselves."""
        return [self.text[start:end] for start, end in self.spans]


def matches(first: Words, second: Words) -> list[tuple[int, int]]:
    """Pair the words that two texts share, in order: positions in the first and in the second."""
    one, two = first.words, second.words
    head = 0
    while head < min(len(one), len(two)) and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(two)) - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    pairs = [(at, at) for at in range(head)]
    middle_one, middle_two = one[head : len(one) - tail], two[head : len(two) - tail]
    matcher = SequenceMatcher(None, middle_one, middle_two, autojunk=len(middle_two) > _LONG)
    for a, b, length in matcher.get_matching_blocks():
        pairs += [(head + a + step, head + b + step) for step in range(length)]
    return pairs + [(len(one) - step, len(two) - step) for step in range(tail, 0, -1)]


def marked(words: Words, shared: Collection[int], element: str) -> Html:
    """Give a text in which every run of words that is not shared stands in an element of its own.

    Args:
        words: The text.
        shared: Positions of the words that need no mark.
        element: ``ins`` or ``del``.
    """
    parts: list[object] = []
    at, spans = 0, words.spans
    step = 0
    while step < len(spans):
        if step in shared:
            step += 1
            continue
        start = spans[step][0]
        while step < len(spans) and step not in shared:
            end = spans[step][1]
            step += 1
        parts += [words.text[at:start], tag(element, words.text[start:end])]
        at = end
    return join(*parts, words.text[at:])


def against_first(texts: Sequence[Words]) -> list[tuple[Html, float]]:
    """Mark what differs between a first text and each other.

    Returns:
        For each text its markup and how alike it is to the first: 2M/T of Ratcliff and Obershelp, the words
        in common over the mean length, 1 for equal texts. In the first, words that no other has are marked.
    """
    first = texts[0]
    pairs = [matches(first, other) for other in texts[1:]]
    columns = [(marked(first, {a for shared in pairs for a, _ in shared}, "del"), 1.0)]
    for other, shared in zip(texts[1:], pairs, strict=True):
        total = len(first) + len(other)
        columns.append(
            (marked(other, {b for _, b in shared}, "ins"), 2 * len(shared) / total if total else 1.0)
        )
    return columns
