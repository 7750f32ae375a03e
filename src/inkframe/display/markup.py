"""Safe HTML: plain texts and Markdown from a service are cleaned, everything else is escaped, and views share style sheets."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt

__all__ = [
    "SPACELESS",
    "Html",
    "bar",
    "counted",
    "cut",
    "fold",
    "folded_prose",
    "join",
    "joined",
    "line",
    "measure",
    "plain",
    "prose",
    "read_sheet",
    "root",
    "spell_bytes",
    "spell_number",
    "spell_seconds",
    "split",
    "style",
    "tag",
    "unmarked",
    "without_marks",
]

_VOID = frozenset({"br", "hr", "img", "input", "meta"})

#: Characters of a text that are shown before the rest is folded, and that are rendered at most.
SHOWN_OF_TEXT, MOST_OF_TEXT = 1_800, 60_000
#: The most characters with a meaning in Markdown; the time to parse some of them grows with their square.
MOST_MARKS = 4_000
MARKS = "[]()*_`~<>&|\\#\n"
#: Places to split a text without blocks, the best first.
_LINE_END, _SENTENCE_END, _WORD_END = (re.compile(each) for each in ("\n", r"[.!?]['\")]*\s|[。！？]", r"\s"))
_BLOCKS = ("p", "h4", "h5", "h6", "li", "blockquote", "td", "th", "pre")
_TAGS = {*_BLOCKS, "a", "br", "code", "em", "hr", "ol", "s", "strong", "table", "tbody", "thead", "tr", "ul"}
_LINKS = ("https://", "http://", "mailto:")

#: Every kind of line break that is not a line feed.
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: Controls, lone surrogates, non-characters, and the two marks that reverse text.
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202d\u202e]")
#: Marks that change the direction and invisible characters, which are misleading in a single line.
_UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
#: A heading in Markdown.
_HEADING = re.compile(r"^#{1,6} +(.*)", re.MULTILINE)
#: Scripts that are written without spaces between words: Thai to Khmer, and the East Asian ones.
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

#: Otherwise MathJax, which notebooks load, renders the text between two dollar signs as a formula.
_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"


class Html(str):
    """Markup that is inserted unchanged; any other text is escaped."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: Any) -> Html:
    """Return an element.

    Args:
        name: The element's name, such as ``figure``.
        children: Its content: ``Html`` is inserted unchanged, anything else is escaped, None is left out.
        attributes: Its attributes. A trailing underscore is removed (``class_``), others become hyphens. True
            adds an attribute without a value, None and False add none.

    Example:
        >>> tag("p", "1 < 2", class_="note")
        '<p class="note">1 &lt; 2</p>'
    """
    marks = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_escaped(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{marks}>" if name in _VOID else f"<{name}{marks}>{join(*children)}</{name}>")


def join(*children: object) -> Html:
    """Join children to one piece of markup; anything but ``Html`` is escaped."""
    return Html("".join(_escaped(child) for child in children if child is not None))


def _escaped(content: object) -> str:
    return content if isinstance(content, Html) else escape(plain(content))


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
            # The name of a document is a heading of the third level, so headings in its text are lower. JupyterLab
            # shows the sixth level smaller than text in a notebook that is not trusted, which has no style sheet.
            token.tag = f"h{min(5, int(token.tag[1]) + 3)}"
    attributes = {block: {"dir": "auto"} for block in _BLOCKS} | {"a": {"target": "_blank"}}
    return Html(
        nh3.clean(
            parser.renderer.render(tokens, parser.options, env),
            tags=_TAGS,
            attributes={"a": {"href"}, "ol": {"start"}},
            # An address that is not absolute is no link.
            attribute_filter=lambda _tag, name, value: (
                value if name != "href" or value.lower().startswith(_LINKS) else None
            ),
            set_tag_attribute_values=attributes,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer nofollow",
        )
    )


def folded_prose(text: str, shown: int = SHOWN_OF_TEXT, most: int = MOST_OF_TEXT) -> Html:
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
    starts = [0, *accumulate(len(each) + 1 for each in text.split("\n"))]
    blocks = (token.map for token in _parser().parse(text) if token.level == 0 and token.map)
    return [min(starts[end], len(text)) for _, end in blocks]


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", lambda _self, tokens, at, *_: f"[{tag('em', tokens[at].content)}]")
    return parser


def plain(text: object) -> str:
    """Return text over several lines without control characters.

    Args:
        text: Any value; it is converted to a string first.

    Returns:
        The text with line feeds as its only line breaks and tabs as its only other control.
    """
    text = str(text)
    # Nearly every text is a single printable line, which needs no cleaning.
    return text if text.isprintable() else _CONTROLS.sub("", _BREAKS.sub("\n", text))


def line(text: object, limit: int = 200) -> str:
    """Return text on one line, without invisible or reversing characters.

    Args:
        text: Any value; it is converted to a string first.
        limit: The maximum number of characters; a longer text ends in an ellipsis.
    """
    # Cut first, so that a line of megabytes is not cleaned to show its beginning.
    return cut(" ".join(_UNSEEN.sub("", plain(str(text)[: 8 * limit])).split()), limit)


def cut(text: str, limit: int) -> str:
    """Return the beginning of a text, at most ``limit`` characters, with an ellipsis if it is cut."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 0.7 else head).rstrip() + "…"


def without_marks(text: str, after: str = "") -> str:
    """Return Markdown without the marks of its headings, which are not words of the text.

    Args:
        text: The text.
        after: What ends each heading, for a text that is shown on one line.
    """
    return _HEADING.sub(rf"\1{after}", text)


def unmarked(text: str) -> str:
    """Return Markdown as plain text, with hyphens or numbers before the items of lists, and addresses after links.

    A text with thousands of marks stays as it is, since parsing some of them takes seconds.
    """
    if _is_costly(text):
        return text
    made, end, item = "", 0, ""
    for token in _parser().parse(text):
        if token.type == "list_item_open":
            item = "   " * (token.level // 2) + (f"{token.info}{token.markup} " if token.info else "- ")
        elif token.content and token.map:
            words = address = ""
            for child in token.children or [token]:
                address = str(child.attrs.get("href", address)).removeprefix("mailto:")
                is_unseen = child.type == "link_close" and address not in words
                words += (
                    f" ({address})" if is_unseen else child.content or "\n" * child.type.endswith("break")
                )
            # The cells of a row are on one line.
            gap = "\n" * min(token.map[0] - end + 1, 2) or " | "
            made, end, item = made + gap * bool(made) + item + words.rstrip("\n"), token.map[1], ""
    return made


@lru_cache(maxsize=512)  # a page is drawn again with each filter
def measure(text: str) -> str:
    """Return the length of a text in words, as ``text_statistics`` counts them, or in characters without words.

    Example:
        >>> measure("Morning begins before the whistle.")
        '5 words'
    """
    from inkframe.analysis.text_measures import count_words

    [count], [is_spaced] = count_words([text])
    return counted(int(count), "word") if is_spaced else counted(len(text), "character")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1,840 words``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def first_of(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and how many more there are, such as ``“A”, “B”, “C” and 45 more``."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(f"“{cut(name, 42)}”" for name in names[:most]) + more


def spell_seconds(seconds: float) -> str:
    """Return a duration in its largest fitting unit, such as ``4 min``; a short one has tenths."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.{0 < seconds < 9.95:d}f} s"


def spell_bytes(size: float) -> str:
    """Return the size of files, such as ``1.5 MB`` or ``20 kB``."""
    return f"{round(size / 1e6, 1):,g} MB" if size >= 1e5 else f"{size / 1e3:,.0f} kB"


def spell_number(value: object) -> str:
    """Return a number without more decimals than a person reads."""
    return f"{round(value, 6):.12g}" if isinstance(value, float) else str(value)


def joined(*parts: str | None) -> str:
    """Join texts with a middle dot; empty ones are left out."""
    return " · ".join(part for part in parts if part)


@cache
def style(*parts: str) -> Html:
    """Return a ``<style>`` element with the tokens and the rules of some parts.

    Every rule is limited to the class ``inkframe``, so it does not affect the rest of the notebook.
    JupyterLab drops style elements from untrusted notebooks, so views also have ``style`` attributes to stay
    readable.

    Args:
        parts: Names of style sheets in the folder ``styles``, such as ``gallery``.
    """
    return Html(f"<style>{''.join(map(read_sheet, ('base', *parts)))}</style>")


def root(*children: object, parts: tuple[str, ...] = ()) -> Html:
    """Return the outermost element of a view, with its style sheet."""
    return tag("div", style(*parts), *children, class_=f"inkframe {_NO_FORMULAS}")


def bar(*notes: str | Html) -> Html:
    """Return the line of notes above a view."""
    return tag("div", *(tag("p", note, class_="ink-meta") for note in notes), class_="ink-bar")


@cache
def read_sheet(name: str) -> str:
    """Return the style sheet of a view, without comments and line breaks."""
    text = (files(__package__) / "styles" / f"{name}.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?(?:\*/|\Z)", "", re.sub(r"\s+", " ", text))
    return re.sub(r" ?([{};,]) ?", r"\1", text).replace(";}", "}").replace(": ", ":").strip()
