"""The sentences of a given text, and the word lists for editing."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from inkframe_demo.texts.words import article

__all__ = ["EMPTY", "editing", "paragraphs", "sentences", "with_articles"]

#: The source if none is given.
EMPTY = "There is no source text."
_END = re.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[A-Z\u00c0-\u00de0-9])|(?<=[\u3002\uff01\uff1f])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs|etc|e\.g|i\.e|approx|ca|Inc|Ltd|Jr|Sr|Fig|p|pp|cf|al)|\b[A-Z])\.$"
)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; abbreviations and initials do not end a sentence."""
    found: list[str] = []
    at = 0
    for gap in _END.finditer(paragraph):
        before = paragraph[at : gap.start()]
        if _ABBREVIATION.search(before):
            continue
        found.append(paragraph[at : gap.end()].strip())
        at = gap.end()
    return [sentence for sentence in [*found, paragraph[at:].strip()] if sentence]


def with_articles(text: str) -> tuple[str, int]:
    """Return the text with ``a`` and ``an`` by sound, and the number of changes."""
    count = 0

    def corrected(match: re.Match[str]) -> str:
        nonlocal count
        right = article(match[3])
        right = right.capitalize() if match[1][0].isupper() else right
        count += right != match[1]
        return f"{right}{match[2]}{match[3]}"

    return re.sub(r"\b([Aa]n?)(\s+)((?!and\b|or\b|to\b|is\b)[A-Za-z0-9][\w'-]*)", corrected, text), count


@cache
def editing() -> dict[str, Any]:
    """Return the lists of ``editor.toml`` and ``spellings.toml``."""
    folder = files(__package__)
    return {
        name: entries
        for file in ("editor.toml", "spellings.toml")
        for name, entries in tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8")).items()
    }
