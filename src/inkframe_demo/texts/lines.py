"""Forms of one or a few lines: titles, headlines, notices, posts, bios."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import inline
from inkframe_demo.texts.material import as_sentence, value_of
from inkframe_demo.texts.tags import hashtags
from inkframe_demo.texts.words import capitalize
from inkframe_demo.texts.writer import clipped, finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]


def _bare(text: str) -> str:
    """Return a line without quotation marks and without a period."""
    return re.sub('[\u201c\u201d"]', "", text).rstrip(" .")


def blog_title(w: Writer) -> str:
    """Write one line of at most 70 characters."""
    return _bare(_titled(w, "blog_title", 70))


def video_title(w: Writer) -> str:
    """Write one line of at most 60 characters, the keyword first."""
    return _bare(_titled(w, "video_title", 60))


def _titled(w: Writer, pool: str, limit: int) -> str:
    if not w.has("keyword"):
        return w.fitting(pool, limit)
    keyword = inline(w.material.values["keyword"])
    said = w.fitting(f"{pool}_keyword", limit)
    return said if keyword.casefold() in said.casefold() else clipped(f"{capitalize(keyword)}: {said}", limit)


def headline(w: Writer) -> str:
    """Write a heading of at most 60 characters."""
    return f"# {_bare(_titled(w, 'landing_headline', 60))}"


def subheadline(w: Writer) -> str:
    """Write one sentence of 8 to 25 words."""
    said = finish(w.one("subheadline") or w.one("subheadline_plain"))
    return said if len(said.split()) <= 25 else finish(" ".join(said.split()[:25]).rstrip(" ,:"))


def meta_description(w: Writer) -> str:
    """Write one line of at most 160 characters."""
    call = capitalize(w.value("call")) or w.one("meta_call")
    said = w.fitting("meta_description_keyword" if w.has("keyword") else "meta_description", 160, call=call)
    return finish(said) if len(said) < 160 else said


def call_to_action(w: Writer) -> str:
    """Write the label of a button, and at most 30 words below it."""
    action = w.fill("{do action}").split()
    label = capitalize(" ".join(action)) if 2 <= len(action) <= 6 else w.one("button")
    written = [w.say("action_intro", action=" ".join(action)) if len(action) > 6 else ""]
    written += [w.say("action_support") or w.say("action_support_plain")]
    written += [w.say("action_deadline", "action_reservation")]
    return f"**{label}**\n\n{clipped_words(' '.join(filter(None, written)), 30)}"


def clipped_words(text: str, most: int) -> str:
    """Return the sentences of a text that stay within a number of words, at least its beginning."""
    words = text.split()
    if len(words) <= most:
        return text
    whole = re.match(r".*[.!?](?=\s|$)", " ".join(words[:most]))
    return whole[0] if whole else finish(" ".join(words[:most]).rstrip(" ,:;"))


def social_post(w: Writer) -> str:
    """Write at most 280 characters with one or two hashtags at the end."""
    tags = " ".join(hashtags(w, 2))
    link = f" {inline(w.material.values['link'])}" if w.has("link") else ""
    room = 280 - len(tags) - 1 - (len(link) if len(link) < 120 else 0)
    said = w.fitting("social_post", room)
    for more in (finish(value_of(w.value("goal"))) if w.has("goal") else "", w.say("social_more")):
        if more and len(said) + 1 + len(more) <= room:
            said = f"{said} {more}"
    return f"{said}{link if len(link) < 120 else ''}\n\n{tags}"[:280]


def caption(w: Writer) -> str:
    """Write a first line of at most 125 characters, a question, and hashtags."""
    first = w.fitting("caption_mood" if w.has("mood") else "caption", 125)
    question = inline(w.material.values.get("question", "")) or w.one("caption_question")
    question = f"{question.rstrip('.!?')}?"
    second = f"{w.say('caption_brand')} {question}".strip()
    tags = hashtags(w, 3 + w.voice.below(3, "tags"))
    return f"{first}\n\n{second}\n\n{' '.join(tags)}"


def social_quote(w: Writer) -> str:
    """Write at most 120 characters between quotation marks."""
    return f"\u201c{w.fitting('quote', 118)}\u201d"


def bio(w: Writer) -> str:
    """Write at most 150 characters of short phrases with middle dots."""
    activity = capitalize(w.value("activity"))
    phrases = [w.subject.title, activity or w.one("bio_line")]
    phrases += [capitalize(w.fill("{list interests}"))] if w.has("interests") else [w.one("bio_line")]
    phrases += [capitalize(w.value("place")) if w.has("place") else "", w.one("bio_line")]
    phrases = [_bare(phrase) for phrase in phrases if phrase]
    link = inline(w.material.values.get("link", ""))
    ends = [link] if link and len(link) < 80 else []
    kept: list[str] = []
    for phrase in phrases:
        if len(" \u00b7 ".join([*kept, phrase, *ends])) <= 150:
            kept.append(phrase)
    return " \u00b7 ".join([*(kept or [clipped(phrases[0], 150 - 3 - len("".join(ends)))]), *ends])


def push_notification(w: Writer) -> str:
    """Write a title of at most 50 characters and a body of at most 120."""
    title = clipped(_bare(w.fitting("notification_title", 50)), 50)
    body = w.fitting("notification_body", 119)
    message = as_sentence(inline(w.material.text))
    if not w.has("message") or message[:20].casefold() not in body.casefold():
        body = clipped(message, 119)
    return f"**{title}**\n{finish(body)}"


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {
    12: blog_title, 13: call_to_action, 18: headline, 20: meta_description, 27: social_post, 28: caption, 31: subheadline,
    33: social_quote, 34: bio, 39: video_title, 43: push_notification,
}  # fmt: skip
