"""Markdown from a service as typeset text: CommonMark with tables, cleaned, folded where it is long."""

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

#: Characters shown before the rest of a text folds away.
SHOWN = 1_800
#: Where a text without blocks is split, the best place first.
_LINE_END, _SENTENCE_END, _WORD_END = (re.compile(each) for each in ("\n", r"[.!?]['\")]*\s|[。！？]", r"\s"))
_BLOCKS = ("p", "h4", "h5", "h6", "li", "blockquote", "td", "th", "pre")
_TAGS = {*_BLOCKS, "a", "br", "code", "em", "hr", "ol", "s", "strong", "table", "tbody", "thead", "tr", "ul"}
_LINKS = ("https://", "http://", "mailto:")


def prose(text: str) -> Html:
    """Typeset Markdown.

    HTML in the text is shown as text, pictures as their descriptions. Links stay links if they lead to a
    web page or a mail address, and open elsewhere; nothing is ever loaded by itself.

    Args:
        text: Markdown, not trusted.
    """
    import nh3

    parser = _parser()
    env: dict[str, Any] = {}
    tokens = parser.parse(plain(text), env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            # The name of a document is a heading of the third level; those within its text stand below it.
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


def folded_prose(text: str, shown: int = SHOWN, most: int = 60_000) -> Html:
    """Typeset Markdown with its beginning open, the rest folded, and what is past a limit left out.

    Args:
        text: Markdown, not trusted.
        shown: About how many characters are open to sight.
        most: The most characters that are typeset at all; a note then says how many there are.
    """
    text = plain(text)
    kept = text if len(text) <= most else cut(text[: most + 1], most)
    head, rest = split(kept, shown)
    parts = [prose(head)]
    if rest:
        parts.append(fold(f"Show the rest ({measure(rest)})", prose(rest)))
    if len(kept) < len(text):
        missing = f"{counted(most, 'character')} of {len(text):,} are shown; document.result holds all."
        parts.append(tag("p", missing, class_="ink-meta"))
    return join(*parts)


def fold(heading: str, *content: object, opened: bool = False, class_: str = "ink-fold") -> Html:
    """Give content that opens by a click on its heading, without a script."""
    return tag("details", tag("summary", heading), *content, class_=class_, open=opened)


def split(text: str, shown: int) -> tuple[str, str]:
    """Split Markdown near a length, between two blocks where there is a place for it.

    Args:
        text: Markdown.
        shown: About how many characters the first part should have.

    Returns:
        The first part, and the rest, which is empty where folding would hide next to nothing.
    """
    if len(text) <= 1.4 * shown:
        return text, ""
    ends = (end for end in _block_ends(text) if end >= 0.6 * shown)
    at = next(ends, len(text))
    if at > 1.6 * shown:
        places = (_last(mark, text[shown // 2 : shown]) for mark in (_LINE_END, _SENTENCE_END, _WORD_END))
        at = shown // 2 + next((place for place in places if place), shown - shown // 2)
    return text[:at].rstrip(), text[at:].strip("\n")


def _last(mark: re.Pattern[str], text: str) -> int:
    """Give where the last of some marks ends, 0 where there is none."""
    return max((found.end() for found in mark.finditer(text)), default=0)


def _block_ends(text: str) -> Sequence[int]:
    lines = text.split("\n")
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each) + 1)
    blocks = (token.map for token in _parser().parse(text) if token.level == 0 and token.map)
    return [min(starts[end], len(text)) for _, end in blocks]


def _only_links(_tag: str, attribute: str, value: str) -> str | None:
    """Drop addresses that depend on the page they stand in."""
    return value if attribute != "href" or value.lower().startswith(_LINKS) else None


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", lambda _self, tokens, at, *_: f"[{tag('em', tokens[at].content)}]")
    return parser
