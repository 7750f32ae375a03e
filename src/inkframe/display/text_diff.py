"""Compare texts word by word, or character by character in scripts without spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape
from typing import TYPE_CHECKING
from unicodedata import category

from inkframe.display.markup import Html, join, tag
from inkframe.display.plain_text import SPACELESS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

__all__ = ["Words", "against_first", "marked", "matches"]

#: The maximum number of words to compare; later words are shown, but neither compared nor marked.
MOST_WORDS = 4_000
#: In texts with more words, very frequent words do not start a match, which keeps the time near linear.
_LONG = 600
_MARKS = r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3001-\u301f\uff01-\uff0f\uff1a-\uff20"
#: A tag of sanitized HTML.
_TAG = re.compile(r"""(<(?:[^"'>]|"[^"]*"|'[^']*')*>)""")
_WORD = re.compile(f"[{SPACELESS}]|(?:[^\\s{SPACELESS}{_MARKS}]|(?<=\\w)[{_MARKS}](?=\\w))+|[{_MARKS}]")


@dataclass(frozen=True, slots=True)
class Words:
    """A text and the positions of its words.

    Args:
        text: The text.
        spans: Where each word, character or mark begins and ends; spaces belong to none.
        parts: The pieces of the text in order, with the tags between them as ``Html``.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    parts: Sequence[str]

    @classmethod
    def of(cls, text: str | Html) -> Words:
        """Find the words of a text, or of the text in HTML; at most 4,000."""
        pieces: list[str] = [text]
        if isinstance(text, Html):
            split = _TAG.split(text)  # a text, then a tag and a text in turn
            pieces = [Html(each) if at % 2 else unescape(each) for at, each in enumerate(split)]
            text = "".join(pieces[::2])
        spans: list[tuple[int, int]] = []
        for found in _WORD.finditer(text):
            start, end = found.span()
            # A vowel sign or accent belongs to the character before it, so no tag may separate them.
            if spans and spans[-1][1] == start and category(text[start])[0] == "M":
                spans[-1] = (spans[-1][0], end)
            elif len(spans) == MOST_WORDS:
                break
            else:
                spans.append((start, end))
        return cls(text, spans, pieces)

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def words(self) -> list[str]:
        """The words as a list."""
        return [self.text[start:end] for start, end in self.spans]


def matches(first: Words, second: Words) -> list[tuple[int, int]]:
    """Return the positions of the words that two texts share, in order, in the first and in the second."""
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
    """Return a text in which every run of words that are not shared is in an element.

    A run that a tag of the text divides is in several elements.

    Args:
        words: The text.
        shared: Positions of the words that need no mark.
        element: ``ins`` or ``del``.
    """
    ends = iter(_edges(words.spans, shared))
    found: list[object] = []
    at, edge, is_marked = 0, next(ends, None), False
    for part in words.parts:
        if isinstance(part, Html):
            found.append(part)
            continue
        end = at + len(part)
        while at < end:
            until = end if edge is None else min(end, edge)
            piece = words.text[at:until]
            found.append(tag(element, piece) if is_marked and not piece.isspace() else piece)
            at = until
            if at == edge:
                edge, is_marked = next(ends, None), not is_marked
    return join(*found)


def _edges(spans: Sequence[tuple[int, int]], shared: Collection[int]) -> Iterator[int]:
    """Yield where each run of words that are not shared begins and ends, in turn."""
    end = None
    for step, (start, stop) in enumerate(spans):
        if step in shared:
            if end is not None:
                yield end
            end = None
        else:
            if end is None:
                yield start
            end = stop
    if end is not None:
        yield end


def against_first(texts: Sequence[Words]) -> list[Html]:
    """Mark the differences between the first text and each other one.

    In the first text, words that no other text has are marked.
    """
    first = texts[0]
    pairs = [matches(first, other) for other in texts[1:]]
    return [
        marked(first, {a for shared in pairs for a, _ in shared}, "del"),
        *(
            marked(other, {b for _, b in shared}, "ins")
            for other, shared in zip(texts[1:], pairs, strict=True)
        ),
    ]
