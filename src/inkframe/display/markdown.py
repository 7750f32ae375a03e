"""Render Markdown from a service: CommonMark with tables, sanitized, with long texts folded."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from inkframe.display.markup import Html, join, tag
from inkframe.display.plain_text import counted, cut, measure, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt

__all__ = ["fold", "folded_prose", "prose", "split"]

#: Characters of a text that are shown before the rest is folded, and that are rendered at most.
SHOWN, MOST = 1_800, 60_000
#: The most characters with a meaning in Markdown; the time to parse some of them grows with their square.
MOST_MARKS = 4_000
MARKS = "[]()*_`~<>&|\\#\n"
#: Places to split a text without blocks, the best first.
_LINE_END, _SENTENCE_END, _WORD_END = (re.compile(each) for each in ("\n", r"[.!?]['\")]*\s|[。！？]", r"\s"))
_BLOCKS = ("p", "h4", "h5", "h6", "li", "blockquote", "td", "th", "pre")
_TAGS = {*_BLOCKS, "a", "br", "code", "em", "hr", "ol", "s", "strong", "table", "tbody", "thead", "tr", "ul"}
_LINKS = ("https://", "http://", "mailto:")


def prose(text: str) -> Html:
    """Render Markdown as safe HTML.

    HTML in the text is shown as text, and pictures as their descriptions. Links to web pages and mail
    addresses stay links and open in a new tab. Nothing is loaded automatically. A text with thousands of
    marks is shown in paragraphs as it is.

    Args:
        text: Markdown, not trusted.
    """
    import nh3

    text = plain(text)
    if _is_costly(text):
        return join(*(tag("p", block, dir="auto") for block in text.split("\n\n") if block.strip()))
    parser = _parser()
    env: dict[str, Any] = {}
    tokens = parser.parse(text, env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            # The name of a document is a heading of the third level, so headings in its text are lower.
            token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
    attributes = {block: {"dir": "auto"} for block in _BLOCKS} | {"a": {"target": "_blank"}}
    return Html(
        nh3.clean(
            parser.renderer.render(tokens, parser.options, env),
            tags=_TAGS,
            attributes={"a": {"href"}, "ol": {"start"}},
            attribute_filter=_only_links,
            set_tag_attribute_values=attributes,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer nofollow",
        )
    )


def folded_prose(text: str, shown: int = SHOWN, most: int = MOST) -> Html:
    """Render Markdown with its beginning visible and the rest folded, up to a limit.

    Args:
        text: Markdown, not trusted.
        shown: About how many characters are visible.
        most: The maximum number of characters to render. A note says how many there are in total.
    """
    text = plain(text)
    kept = text if len(text) <= most else cut(text[: most + 1], most)
    head, rest = split(kept, shown)
    parts = [prose(head)]
    if rest:
        parts.append(fold(f"Show the rest ({measure(rest)})", prose(rest)))
    if len(kept) < len(text):
        missing = (
            f"{counted(most, 'character')} of {len(text):,} are shown; document.result has the full text."
        )
        parts.append(tag("p", missing, class_="ink-meta"))
    return join(*parts)


def fold(heading: str, *content: object, opened: bool = False, class_: str = "ink-fold") -> Html:
    """Return content that opens on a click on its heading, without a script."""
    return tag("details", tag("summary", heading), *content, class_=class_, open=opened)


def split(text: str, shown: int) -> tuple[str, str]:
    """Split Markdown near a length, between two blocks if possible.

    Args:
        text: Markdown.
        shown: About how many characters the first part should have.

    Returns:
        The first part and the rest. The rest is empty if folding would hide very little.
    """
    if len(text) <= 1.4 * shown:
        return text, ""
    ends = (end for end in (() if _is_costly(text) else _block_ends(text)) if end >= 0.6 * shown)
    at = next(ends, len(text))
    if at > 1.6 * shown:
        places = (_last(mark, text[shown // 2 : shown]) for mark in (_LINE_END, _SENTENCE_END, _WORD_END))
        at = shown // 2 + next((place for place in places if place), shown - shown // 2)
    return text[:at].rstrip(), text[at:].strip("\n")


def _is_costly(text: str) -> bool:
    """Return whether a text has so many marks that parsing it takes seconds; such a text is not Markdown."""
    return len(text) > MOST_MARKS and sum(map(text.count, MARKS)) > MOST_MARKS


def _last(mark: re.Pattern[str], text: str) -> int:
    """Return the end of the last match, 0 if there is none."""
    return max((found.end() for found in mark.finditer(text)), default=0)


def _block_ends(text: str) -> Sequence[int]:
    lines = text.split("\n")
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each) + 1)
    blocks = (token.map for token in _parser().parse(text) if token.level == 0 and token.map)
    return [min(starts[end], len(text)) for _, end in blocks]


def _only_links(_tag: str, attribute: str, value: str) -> str | None:
    """Return the value of an attribute, or None for an address that is not absolute."""
    return value if attribute != "href" or value.lower().startswith(_LINKS) else None


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", lambda _self, tokens, at, *_: f"[{tag('em', tokens[at].content)}]")
    return parser
