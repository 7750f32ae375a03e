"""The instructions of a free prompt: what the text is about, for whom, of which kind and how long."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Final

from inkframe_demo.texts.chunks import inline, is_foreign, strip_request
from inkframe_demo.texts.sentences import paragraphs
from inkframe_demo.texts.words import is_plural, lexicon

__all__ = ["MOST", "Request", "read_request"]

#: The largest number of sentences, lines or items that is written.
MOST: Final = 40
MOST_WORDS: Final = 400
#: A longer text is a source, not an instruction.
LONGEST: Final = 600
_EXAMPLES = re.compile(
    r"(?:these|here|below|the following)\b.{0,80}?\bexamples?\b|examples?\b.{0,40}:", re.IGNORECASE
)
_AUDIENCE = re.compile(
    r"(?<=\S) (?P<by>for|to) (?P<who>(?:an? |the |our |my )?[a-z][a-z -]{1,40})[.!?]{0,3}$"
)
#: Verbs that address somebody: explain it to a child.
_TELLS = re.compile(
    r"(?:explain|describe|introduce|recommend|present|sell|advertise|praise|promote)\b", re.IGNORECASE
)
_SELLS = re.compile(
    r"\b(?:product|advert\w*|ads?|slogan|tagline|sales|shop|offer|buy|brochure|flyer|benefits|advantages)\b"
    r"|^(?:please )?(?:praise|sell|recommend|promote|introduce|present)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"(?<!\w)['\"\u201c\u2018](\w[^'\"\u201c\u201d\u2018\u2019]{0,40})['\"\u201d\u2019](?!\w)"
)


@dataclass(frozen=True, slots=True)
class Request:
    """The instructions of a prompt.

    Args:
        about: The prompt without its instructions.
        asked: Whether it has any.
        sells: Whether the text is to speak for its subject, as that of a product.
        audience: The readers, or an empty text.
        tone: An adverb such as ``warmly``, or an empty text.
        kind: A kind of one line, such as ``slogan``, or the kind of the items of a list, such as ``tips``.
        sentences: The number of sentences; 0 if none was requested.
        items: The number of items of a list, or 0.
        paragraphs: The number of paragraphs, or 0.
        words: The number of words, or 0.
        at_most: Whether fewer words are as good.
    """

    about: str
    asked: bool = False
    sells: bool = False
    audience: str = ""
    tone: str = ""
    kind: str = ""
    sentences: int = 0
    items: int = 0
    paragraphs: int = 0
    words: int = 0
    at_most: bool = False


def read_request(prompt: str) -> Request:
    """Parse the instructions of a free prompt; a text without any is about itself."""
    shown = [*takewhile(lambda part: not _EXAMPLES.match(part), paragraphs(prompt))]
    text = "\n\n".join(shown)
    if not shown or len(text) > LONGEST or is_foreign(text):
        return Request(prompt, sells=bool(_SELLS.search(prompt)))
    sizes = [*_size().finditer(text)]
    counts, at_most, kind = {"sentences": 0, "items": 0, "paragraphs": 0, "words": 0}, False, ""
    for size in sizes:
        counted, number = _counted(size)
        counts[counted] = counts[counted] or number
        at_most |= counted == "words" and bool(size["bound"] or size["after"])
        kind = kind or (size["unit"].casefold() if counted == "items" else "")
    rest = re.sub(r" {1,3}([,.;:!?])", r"\1", inline(_size().sub(" ", text)))
    rest = re.sub(r"([.!?])[ .!?]{0,3}[.]", r"\1", rest).lstrip(" .!?,;:").rstrip(" ,;:")
    if counts["items"]:
        rest = re.sub(r"^(?:list|name|show) (?=(?:of|for|to|about|on|why)\b)", "", rest, flags=re.IGNORECASE)
    if line := _line().match(rest):
        kind, rest = line["kind"].casefold(), rest[line.end() :]
    if tone := re.match(r"(?P<verb>\w{1,20} )(?P<tone>\w{1,20}ly) (?=\w)", rest):
        rest = tone["verb"] + rest[tone.end() :]
    about = re.sub(r"^(?:(?:about|on|for|of|that|which) ){1,3}", "", strip_request(rest), flags=re.IGNORECASE)
    asked = bool(sizes or kind or tone or about != rest)
    who = _AUDIENCE.search(about) if asked else None
    if who and not (_TELLS.match(rest) or (who["by"] == "for" and is_plural(who["who"].split()[-1]))):
        who = None
    about = about[: who.start()] if who else about
    return Request(
        _QUOTED.sub(r"\1", about) or text, asked, bool(_SELLS.search(text)), who["who"] if who else "",
        tone["tone"] if tone else "", kind, **counts, at_most=at_most,
    )  # fmt: skip


def _counted(size: re.Match[str]) -> tuple[str, int]:
    """Return what a size counts, and its number."""
    unit = size["unit"].casefold()
    said = re.sub(r"^(?:a|one) (?=[a-z])|^a$", "", size["number"].casefold())
    counted = next((name for name in ("sentence", "word", "paragraph") if unit.startswith(name)), "item")
    number = int(said) if said.isdecimal() else _numbers()[said]
    number -= bool(re.match(r"(?:under|below|less|fewer)\b", size["bound"] or "", re.IGNORECASE))
    return f"{counted}s", min(max(number, 1), MOST_WORDS if counted == "word" else MOST)


@cache
def _numbers() -> dict[str, int]:
    return {
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
        "single": 1, "couple of": 2, "": 1,
    }  # fmt: skip


@cache
def _size() -> re.Pattern[str]:
    """Return the pattern of a size: in two sentences, at most 30 words, five tips for."""
    names = "|".join(filter(None, _numbers()))
    number = (
        r"(?:\d{1,3} ?(?:-|\u2013|to|or) ?)?"
        rf"(?P<number>\d{{1,4}}|(?:a |one )?(?:{names})|a(?= (?:sentence|paragraph)))"
    )
    return re.compile(
        r"(?:[,;:(] ?)?(?<!\w)(?:(?:in|with|using|of|within|as|exactly|about|around|only|just|roughly|total|a total of|"
        r"(?P<bound>at most|no more than|not more than|up to|under|below|less than|fewer than|max(?:imum)?\.?(?: of)?)) )"
        rf"{{0,4}}{number}[ -](?:(?:short|simple|good|full|plain|clear|different|bullet) ){{0,3}}"
        rf"(?P<unit>sentences?|words?|paragraphs?|{'|'.join(sorted(lexicon('items')))})\b"
        r"(?P<after> (?:or (?:fewer|less)|at most|max(?:imum)?|tops))?(?: ?\))?",
        re.IGNORECASE,
    )


@cache
def _line() -> re.Pattern[str]:
    """Return the pattern of a request for one line: write a slogan for."""
    kinds = "|".join(sorted(lexicon("lines")))
    return re.compile(
        rf"(?:\w{{1,20}} )?(?:me |us )?(?:an? |the )?(?:\w{{1,20}} )?(?P<kind>{kinds}) (?:for|about|of|on) "
        r"(?:(?:an? |the )?(?:photo|picture|image) of )?",
        re.IGNORECASE,
    )
