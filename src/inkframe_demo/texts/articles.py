"""Forms of articles: free texts, articles, and all parts of blog posts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inkframe_demo.texts.material import as_sentence, is_thing, value_of
from inkframe_demo.texts.request import MOST
from inkframe_demo.texts.sentences import sentences
from inkframe_demo.texts.words import capitalize
from inkframe_demo.texts.writer import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]

#: First words of subjects that are lists.
_COUNTED = {"ways", "tips", "ideas", "reasons", "things", "steps", "rules", "mistakes", "habits", "lessons"}
#: A paragraph with fewer words gets one more sentence.
FEWEST = 40
#: The fewest and the most items of a numbered list.
LISTED = (3, 15)
#: The number of words by which a text may miss the requested number.
TOLERANCE = 2
#: The number of words by which it may stay below the most.
BELOW = 6
#: In fewer words a title is a sentence.
SHORT = 12


#: What is said of a subject, and of one that is to be sold, in this order.
_THEME = ("theme_open", "theme_tail", "theme_people", "theme_key", "look", "theme_close")
_SALE = ("product_open", "product_tail", "product_audience", "product_gain", "product_detail", "product_quality",
         "product_use", "product_close")  # fmt: skip


def freestyle(w: Writer) -> str:
    """Write what the instructions ask for, else two to four paragraphs with a title."""
    asked = w.material.request
    if asked.items:
        pool = "value_point" if asked.sells else "listicle_item"
        pairs = [w.pair(pool) for _ in range(asked.items)]
        points = (f"- **{head}.** {finish(sentences(body)[0])}" for head, body in pairs)
        return "\n".join([f"# {w.fill('{title topic}')}: {asked.items} {asked.kind}\n", *points])
    if asked.sentences or asked.words:
        return _sized(w, _SALE if asked.sells else _THEME)
    if asked.kind:
        return w.one("caption" if asked.kind == "caption" else "ad_headline" if asked.sells else "title")
    length = w.value("length").casefold()
    count = 2 if "short" in length else 4 if "long" in length else 2 + w.voice.below(3, "paragraphs")
    count = asked.paragraphs or count
    if asked.sells:
        first = w.say("product_open", "product_tail", "theme_told", "product_gain", "product_audience")
        middle = [
            w.say("product_detail", "product_quality", "product_gain"),
            w.say("product_quality", "product_use"),
        ]
        last = w.say("product_detail", "product_quality", "product_close")
        title = w.one("product_title")
    else:
        pool = _room(w)
        first = w.say("theme_open", "theme_told", "theme_tail", "theme_second", "theme_key", "theme_people")
        middle = [w.parts(pool)[-1] for _ in range(max(2, count - 2))]
        last = " ".join(filter(None, [w.say("theme_key"), w.parts(pool)[-1], w.say("theme_close")]))
        title = w.one("title")
    body = [first, *middle[: count - 2], last] if count > 1 else [f"{first} {last}"]
    return "\n\n".join([f"# {title}", *body])


def _sized(w: Writer, pools: tuple[str, ...]) -> str:
    """Write exactly the requested sentences and words, or as near to the words as whole sentences come."""
    asked = w.material.request
    starts = [w.say(pools[0]) for _ in range(6)]
    if 0 < asked.words < SHORT:
        starts += [finish(w.one("product_title" if asked.sells else "title")) for _ in range(6)]
    more = dict.fromkeys(filter(None, (w.say(name) for name in pools[1:] * 12)))
    # The first way to each number of sentences and words; words count only where they were asked for.
    ways: dict[tuple[int, int], list[str]] = {}
    for number, text in enumerate([*starts, *more]):
        step = len(sentences(text)), len(text.split()) * bool(asked.words)
        for (count, words), way in list(ways.items()) if number >= len(starts) else [((0, 0), [])]:
            size = count + step[0], words + step[1]
            if not way or (size[0] <= (asked.sentences or MOST) and size[1] <= asked.words + TOLERANCE):
                ways.setdefault(size, [*way, text])

    def miss(size: tuple[int, int]) -> tuple[int, int]:
        """Return by how much a text misses the numbers of sentences and words."""
        over, under = max(size[1] - asked.words, 0), max(asked.words - size[1], 0)
        words = 100 * over + max(under - BELOW, 0) if asked.at_most else max(over + under - TOLERANCE, 0)
        return abs(size[0] - asked.sentences) * bool(asked.sentences), words

    text = " ".join(ways[min(ways, key=miss)])
    return finish(" ".join(text.split()[: asked.words]).rstrip(" ,;:")) if asked.at_most else text


def _room(w: Writer) -> str:
    """Return the pool for the subject: advice for an activity, a report for a question, else an overview."""
    if w.subject.heading:
        return "report"
    return "practice" if w.subject.core == "this" or w.subject.text.split()[0].endswith("ing") else "look"


def article(w: Writer) -> str:
    """Write a headline, a standfirst, and three to five sections."""
    facts = w.items("facts")
    count = 3 + w.voice.below(3, "sections")
    parts = [f"# {w.one('title')}", f"*{w.say('article_angle') or w.say('theme_open')}*"]
    for number, (heading, body) in enumerate(w.blocks("report", count)):
        here = facts[3 * number - 3 : 3 * number] if number else []
        written = [
            body,
            w.say("theme_fact", fact=value_of(here[0])) if here else "",
            *map(as_sentence, here[1:]),
        ]
        written += [w.say("theme_told", "theme_people")] if number == 0 else [w.say("theme_key")]
        if number == count - 1:
            written.append(w.say("theme_close"))
        parts += [f"## {heading}", " ".join(filter(None, written))]
    return "\n\n".join(parts)


def blog_intro(w: Writer) -> str:
    """Write one paragraph that starts with a question and ends with the content of the post."""
    written = w.say("intro_question", "intro_reader", "intro_problem", "intro_bridge", "theme_open")
    last = w.say("intro_promise") or w.say("intro_gives")
    if len(f"{written} {last}".split()) < FEWEST:
        written = f"{written} {w.say('intro_bridge')}"
    return f"{written} {last}"


def blog_outline(w: Writer) -> str:
    """Write a working title and five to seven numbered sections with notes."""
    points = [capitalize(point) for point in w.items("points")][:5]
    count = max(len(points) + 2, 5 + w.voice.below(3, "sections"))
    while len(points) < count - 2:
        from_prompt = w.one("outline_key") if len(points) < 2 else ""
        points.append(from_prompt or w.one("outline_section"))
    headings = [w.one("outline_start"), *points, w.one("outline_end")]
    parts = [f"# {w.one('outline_title')}"]
    for number, heading in enumerate(headings, 1):
        ends = {1: "outline_opening_note", len(headings): "outline_closing_note"}
        pool = ends.get(number, "outline_note")
        notes = [w.one(pool) for _ in range(2 + w.voice.below(2, "notes"))]
        if number == 1:
            notes[:0] = [w.fill("readers: {reader}")] if w.has("reader") else []
        if number == len(headings) and w.has("goal"):
            notes[0] = w.fill("the goal: {goal}")
        lines = (f"   - {capitalize(note)}" for note in notes[:3])
        parts.append("\n".join([f"{number}. **{heading}**", *lines]))
    return "\n\n".join(parts)


def blog_outro(w: Writer) -> str:
    """Write at most 120 words that end with a question."""
    first = w.say("outro_sum") + " " + (w.say("outro_takeaways") or w.say("outro_kept"))
    step = w.say("outro_next") or w.say("outro_step")
    return f"{first}\n\n{step} {w.say('outro_question')}"


def blog_paragraph(w: Writer) -> str:
    """Write one paragraph of four to seven sentences, the point first."""
    claim = value_of(w.material.values["point"])
    first = w.say("point_topic") if is_thing(claim) else w.say("point_open", claim=claim)
    support = [w.say("point_support") for _ in range(3 if w.has("evidence") else 4)]
    if not w.has("leads_to") and w.voice.chance(0.5, "shorter"):
        support.pop()
    written = [first, w.say("point_evidence"), *support, w.say("point_reader", "point_leads")]
    return " ".join(filter(None, written))


def blog_post(w: Writer) -> str:
    """Write a title, an introduction, three or four sections and a conclusion."""
    count = 3 + w.voice.below(2, "sections")
    parts = [
        f"# {w.one('title')}",
        w.say("intro_question", "intro_reader", "theme_open", "intro_bridge", "intro_gives"),
    ]
    keywords = w.items("keywords")
    for number, (heading, body) in enumerate(w.blocks("practice", count)):
        written = [body, *(w.say("keyword_sentence", item=word) for word in keywords[number::count])]
        parts += [f"## {heading}", " ".join(filter(None, [*written, w.say("theme_key")]))]
    closing = w.say("theme_close") + " " + (w.say("outro_takeaways") or w.say("outro_kept"))
    return "\n\n".join([*parts, f"## {w.one('subhead_last')}", closing])


def blog_section(w: Writer) -> str:
    """Write one subheading and two or three paragraphs."""
    heading = capitalize(w.material.text.strip().rstrip("."))
    points = w.items("points")
    written = [w.say("section_open", "section_post")]
    written += (
        [" ".join(w.say("section_point", item=value_of(point)) for point in points[:3])] if points else []
    )
    written.append(w.say("section_example", "theme_key") or w.blocks("practice", 1)[0][1])
    if points[3:]:
        written[-1] += " " + " ".join(w.say("section_point", item=value_of(point)) for point in points[3:])
    elif not points:
        written.append(w.blocks("practice", 1)[0][1])
    return "\n\n".join([f"## {' '.join(heading.split())}", *written])


def talking_points(w: Writer) -> str:
    """Write six to eight claims in bold, each with one sentence."""
    said = [w.pair("talking_stance")] if w.has("stance") else []
    said += [w.pair("talking_evidence", item=item) for item in w.items("evidence")[:3]]
    said += [w.pair("talking_objection", item=value_of(item)) for item in w.items("objections")[:2]]
    said += [w.pair("talking_key", item=key) for key in w.take_keys(1)]
    count = max(len(said), 6 + w.voice.below(3, "points"))
    said += [w.pair("talking_claim") for _ in range(count - len(said))]
    lines = []
    for claim, support in said:
        lines.append(f"- **{capitalize(claim)}.** {finish(support)}")
    return "\n".join(lines)


def paragraph(w: Writer) -> str:
    """Write one paragraph of 40 to 140 words."""
    written = w.say("theme_open", "paragraph_idea", "theme_key")
    words = " ".join(w.say("keyword_sentence", item=word) for word in w.items("keywords")[:4])
    text = " ".join(filter(None, [written, w.one("look"), words, w.say("theme_close")]))
    return text if len(text.split()) >= FEWEST else f"{text} {w.one('look')}"


def listicle(w: Writer) -> str:
    """Write a title with a number and as many numbered items."""
    asked = re.search(r"\d+", w.value("count"))
    given = [capitalize(item) for item in w.items("items")][: LISTED[1]]
    wanted = int(asked[0][:3]) if asked else max(len(given), 5 + w.voice.below(4, "items"))
    count = min(LISTED[1], max(LISTED[0], wanted))
    items = [(item, w.say("listicle_point")) for item in given[:count]]
    items += [w.pair("listicle_key", item=key) for key in w.take_keys(min(2, count - len(items)))]
    items += [w.pair("listicle_item") for _ in range(count - len(items))]
    ways = w.subject.text.split()[0] in _COUNTED
    parts = [f"# {w.one('listicle_title_ways' if ways else 'listicle_title', count=str(count))}"]
    written = {"count": str(count)}
    parts.append(w.say("listicle_intro_reader", **written) or w.say("listicle_intro", **written))
    for number, (title, body) in enumerate(items if given else w.voice.order(items, "items"), 1):
        parts += [f"## {number}. {title}", body]
    return "\n\n".join(parts)


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {
    1: freestyle, 4: article, 5: blog_intro, 6: blog_outline, 7: blog_outro, 8: blog_paragraph, 9: blog_post,
    10: blog_section, 11: talking_points, 25: paragraph, 44: listicle,
}  # fmt: skip
