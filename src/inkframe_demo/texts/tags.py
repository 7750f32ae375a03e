"""Forms of word lists: hashtags, tags, keywords, and names."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import WORD, inline
from inkframe_demo.texts.nouns import key_phrases, noun_phrase
from inkframe_demo.texts.words import base_verb, lexicon
from inkframe_demo.texts.writer import clipped, pools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS", "hashtags"]

#: Longer hashtags are cut into their words.
LONGEST_TAG = 28
#: The most words of a keyword.
LONGEST_PHRASE = 3
#: The longest phrase that is extended with other words.
LONGEST_BASE = 24
#: The most characters of the tags of a video.
VIDEO_TAGS = 500
NAMES = 10
LONGEST_NAME = 12


def hashtags(w: Writer, count: int, *given: str) -> list[str]:
    """Return a number of hashtags: those given, then the phrases of the prompt, then general ones."""
    own = [*given, *_phrases(w), *w.voice.order(pools()["general_tag"], "general_tag")]
    tags = ("#" + "".join(_capital(word) for word in re.findall(r"[^\W_]+", phrase)) for phrase in own)
    return _distinct((tag for tag in tags if 2 < len(tag) <= LONGEST_TAG), count)


def _capital(word: str) -> str:
    return word[0].upper() + word[1:]


def _phrases(w: Writer) -> list[str]:
    """Return the subject, the phrases of the prompt and their words, without quotation marks."""
    subject = w.subject.core if w.subject.core != "this" and not w.subject.heading else ""
    keys = [key.text for key in key_phrases(w.material.text)]
    if 0 < len(subject.split()) <= LONGEST_PHRASE:
        keys = [key for key in keys if not set(key.split()) < set(subject.split())]
    keys = keys or [w.subject.text]
    words = [word for phrase in [subject, *keys] for word in WORD.findall(phrase)]
    words = [word for word in words if word.casefold() not in lexicon("stop") and not base_verb(word)]
    return [phrase.strip("\u201c\u201d") for phrase in [subject, *keys, *words] if phrase]


def _distinct(items: Iterable[str], count: int) -> list[str]:
    """Return the first items without duplicates, ignoring case."""
    found: dict[str, str] = {}
    for item in items:
        found.setdefault(item.casefold(), item)
    return list(found.values())[:count]


def hashtag_line(w: Writer) -> str:
    """Write 8 to 12 hashtags on one line."""
    filled = [w.material.values[name] for name in ("brand", "place", "occasion") if w.has(name)]
    given = [noun_phrase(value).text for value in filled]
    tags = hashtags(w, 8 + w.voice.below(5, "tags"), *given)
    return " ".join(w.voice.order(tags, "order"))


def _keywords(w: Writer, pool: str, *given: str) -> list[str]:
    """Return keywords: those given, the phrases of the prompt, and extended phrases."""
    phrases = [phrase for phrase in _phrases(w) if len(phrase.split()) <= LONGEST_PHRASE and len(phrase) > 1]
    phrases = phrases or ["news"]
    short = [phrase for phrase in phrases if len(phrase) <= LONGEST_BASE]
    base = max(short or [clipped(phrases[0], LONGEST_BASE)], key=lambda phrase: len(phrase.split()))
    around = [pattern.replace("{base}", base) for pattern in w.voice.order(pools()[pool], pool)]
    found = chain(phrases[:2], given, phrases, around)
    return [cleaned for keyword in found if (cleaned := inline(re.sub(r"[,#]", " ", keyword)))]


def meta_keywords(w: Writer) -> str:
    """Write 10 to 15 keywords in lower case on one line."""
    given = [inline(w.material.values[name]) for name in ("brand", "industry", "place") if w.has(name)]
    keywords = (word.lower() for word in _keywords(w, "keyword_around", *given))
    return ", ".join(_distinct(keywords, 10 + w.voice.below(6, "count")))


def video_tags(w: Writer) -> str:
    """Write 10 to 15 tags on one line, at most 500 characters."""
    given = [*w.items("keywords"), *([inline(w.material.values["channel"])] if w.has("channel") else [])]
    tags = (tag for tag in _keywords(w, "video_tag_around", *given) if len(tag) <= 2 * LONGEST_BASE)
    found = _distinct(tags, 10 + w.voice.below(6, "count"))
    while len(", ".join(found)) > VIDEO_TAGS:
        found.pop()
    return ", ".join(found)


def blog_tags(w: Writer) -> str:
    """Write five to eight tags as bullet points in lower case."""
    given = [*w.items("existing")[:4], *([inline(w.material.values["place"])] if w.has("place") else [])]
    keywords = (tag.lower() for tag in _keywords(w, "blog_tag", *given))
    found = _distinct(
        (tag for tag in keywords if len(tag.split()) <= LONGEST_PHRASE), 5 + w.voice.below(4, "count")
    )
    return "\n".join(f"- {tag}" for tag in w.voice.order(found, "order"))


def startup_names(w: Writer) -> str:
    """Write ten made-up names of at most 12 letters, each with a reason."""
    avoided = {word.casefold() for word in w.items("avoid")}
    words = [*_phrases(w), *w.items("feeling")]
    stems = [
        stem for word in words for part in re.findall(r"[a-z]+", word.casefold()) if (stem := _stem(part))
    ]
    stems = [
        stem for stem in dict.fromkeys(stems) if not any(word in stem or stem in word for word in avoided)
    ]
    sounds = [re.sub(r"[^a-z]", "", sound.casefold())[:4] for sound in w.items("sounds")]
    endings = [*filter(None, sounds), *w.voice.order(pools()["name_ending"], "name_ending")]
    names: dict[str, str] = {}
    for number in range(NAMES * 30):
        stem = (stems or ["nova"])[number % len(stems or ["nova"])]
        ending = endings[(number + number // max(1, len(endings))) % len(endings)]
        name = _joined(stem, ending)
        if 4 <= len(name) <= LONGEST_NAME and not any(word in name for word in avoided):
            names.setdefault(name, stem)
        if len(names) == NAMES:
            break
    return "\n".join(
        f"- **{name.capitalize()}**: {w.one('name_reason', stem=stem)}" for name, stem in names.items()
    )


def _stem(word: str) -> str:
    """Return the start of a word up to its second vowel, as the stem of a name."""
    if len(word) < 4 or word in lexicon("stop"):
        return ""
    plain = base_verb(word, clear=False) or word.removesuffix("ness").removesuffix("s")
    match = re.match(r"[^aeiouy]*[aeiouy]+[^aeiouy]+", plain)
    return match[0][:5] if match and len(match[0]) > 2 else plain[:4]


def _joined(stem: str, ending: str) -> str:
    """Join a stem and an ending into a pronounceable name."""
    if stem[-1] in "aeiouy" and ending[0] in "aeiouy":
        return stem[:-1] + ending
    return stem + ending


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {
    17: hashtag_line, 21: meta_keywords, 30: startup_names, 38: video_tags, 46: blog_tags,
}  # fmt: skip
