"""How a record looks: pieces of safe HTML for every gallery, list, table and panel, and one record by itself."""

from __future__ import annotations

from base64 import b64encode
from datetime import datetime
from numbers import Number
from typing import TYPE_CHECKING, Any

from inkframe.display.figure import (
    STAR,
    about,
    alt,
    entry,
    facts,
    is_favorite,
    look,
    moment,
    title,
    value,
)
from inkframe.display.markup import (
    MOST_OF_TEXT,
    SHOWN_OF_TEXT,
    Html,
    counted,
    cut,
    fold,
    folded_prose,
    join,
    joined,
    line,
    plain,
    root,
    spell_number,
    tag,
    without_marks,
)
from inkframe.display.picture import encode, load_picture, read_header, small_copy
from inkframe.display.view import RECORD_BYTES, data_uri, fit
from inkframe.schema import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = [
    "article",
    "card",
    "cell",
    "cell_tag",
    "document_bundle",
    "draft",
    "entry_tag",
    "fact_list",
    "image_bundle",
    "look_cell",
    "name_line",
    "none_tag",
    "number_line",
    "picture_slot",
    "picture_tag",
    "prompt_fold",
    "shot",
    "tile",
]

#: Pixels of the shown picture: twice its size on the page, for high-density screens.
_PIXELS, _WIDTH = 768, 384
#: Without the style sheet, marks are bold, since the browser's yellow is unreadable on a dark page.
_MARK = "background:none;color:inherit;font-weight:bold"
_HTML_PICTURE, _SPARE_PICTURE = 70_000, 22_000
#: The maximum characters of a text as plain text; as HTML, twice that is tried first.
_PLAIN_TEXT = 20_000
#: The text for a missing value in a cell.
NOTHING = "\u2013"
#: In a cell a longer text is folded; beyond the second number it is cut. A short one stays on one line.
_FOLDED, _MOST_TEXT, _UNBROKEN = 110, 6_000, 18
#: What stands in a cell of a grid of looks that has no picture.
FACES = {"empty": "+", "working": "…", "failed": "!", "unknown": "?", "done": "⊘"}


def picture_tag(record: Record, thumbnail: bytes | str, width: int, *, brief: bool = False) -> Html:
    """Return the element of a small picture, with the record's alternative text, or of the reason why it is missing.

    Args:
        record: The image's columns by name.
        thumbnail: A picture file of ``small_copy``, or the reason. A service's own file never goes into a page.
        width: The maximum width on the page in CSS pixels; a smaller picture is not enlarged.
        brief: Whether to show the first line of a reason only.
    """
    if isinstance(thumbnail, str):
        return none_tag(thumbnail, brief=brief)
    header = read_header(thumbnail)
    width = min(width, header.width)
    height = max(1, round(width * header.height / header.width))
    return tag(
        "img",
        src=data_uri(thumbnail, header.mime),
        alt=alt(record),
        width=width,
        height=height,
        class_="ink-pic",
        style="max-width:100%;height:auto",
    )


def none_tag(reason: str, *, brief: bool = False) -> Html:
    """Return the element that replaces a missing picture, with the reason.

    Args:
        reason: The message of an error.
        brief: Whether to show the first line only, with the full message as tooltip.
    """
    whole = line(reason, 200)
    said = line(reason.partition("\n")[0], 120) if brief else whole
    full = whole if said != whole else None
    return tag("div", said, class_="ink-none", dir="auto", title=full, style="padding:14px")


def name_line(record: Record) -> Html:
    """Return the element of a record's name, with a star if it is a favorite."""
    return tag("div", title(record), star_tag(record), class_="ink-name", dir="auto", style="font-weight:600")


def star_tag(record: Record, before: str = " ") -> Html | None:
    """Return the star of a favorite with the text before it, or None for other records."""
    star = tag("span", STAR, class_="ink-star", title="favorite")
    return join(before, star) if is_favorite(record) else None


def fact_list(rows: Sequence[tuple[str, str]], marked: frozenset[str] = frozenset()) -> Html:
    """Return the element of a record's facts, some of them marked."""
    pairs = [
        join(
            tag("dt", heading, style="width:auto;font-weight:normal"),
            tag(
                "dd",
                tag("mark", words, style=_MARK) if heading in marked else words,
                dir="auto",
                style="margin:0;width:auto",
            ),
        )
        for heading, words in rows
    ]
    grid = "display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0"
    return tag("dl", *pairs, class_="ink-facts", style=grid)


def picture_slot(key: object, words: str = "") -> Html:
    """Return the place of a picture that comes once it is looked at, with its alternative text."""
    return tag(
        "div", class_="ink-none", role="img" if words else None, aria_label=words or None, data_picture=key
    )


def tile(record: Record, words: str, short: str, *, leaving: bool = False) -> Html:
    """Return the element of a record in a gallery or list in which it can be chosen.

    Args:
        record: The record's columns by name.
        words: The line below its name.
        short: The name as it is shown.
        leaving: Whether the record is marked for deletion.
    """
    name, starred, spoken = title(record), is_favorite(record), alt(record)
    below = "marked for deletion" if leaving else words
    states = [
        spoken,
        words,
        *(["favorite"] if starred else []),
        *(["marked for deletion"] if leaving else []),
    ]
    under = tag(
        "div",
        tag("div", short, class_="ink-name", dir="auto", title=name),
        tag("div", below, class_="ink-meta", dir="auto", title=below),
        class_="ink-under",
    )
    star = tag(
        "span",
        STAR if starred else "☆",
        class_="ink-star",
        title="Remove from favorites (f)" if starred else "Mark as favorite (f)",
        data_act="star",
        aria_hidden="true",
    )
    return tag(
        "div",
        picture_slot(record["id"], spoken),
        under,
        star,
        class_=f"ink-tile{' ink-starred' if starred else ''}{' ink-leaving' if leaving else ''}",
        role="gridcell",
        data_key=record["id"],
        aria_label=", ".join(filter(None, states)),
    )


def cell(content: str | Html, key: object = None, state: str = "", words: str = "") -> Html:
    """Return the cell of a table.

    Args:
        content: The text, which is cut after a few lines, or markup.
        key: The key of its row, where the cursor can stand on the cell.
        state: The class of its state.
        words: The words for it.
    """
    shown = content if isinstance(content, Html) else tag("div", content, class_="ink-clip", dir="auto")
    below = tag("div", words, class_=f"ink-state ink-state-{state}") if words else None
    return tag("div", shown, below, role="gridcell", data_key=key)


def look_cell(
    key: str, label: str, state: str, *, picture: object = None, reason: str = "", starred: bool = False
) -> Html:
    """Return the cell of a grid of looks.

    Args:
        key: Its key.
        label: What it is called.
        state: ``empty``, ``working``, ``done``, ``failed`` or ``unknown``.
        picture: The key of its picture, if it has one.
        reason: Why it has none.
        starred: Whether its record is a favorite.
    """
    shown = FACES[state] if picture is None else picture_slot(picture, label)
    star = tag("span", STAR, class_="ink-star", aria_hidden="true") if starred else None
    name = f"ink-look ink-look-{state}{' ink-starred' if starred else ''}"
    return tag(
        "div", shown, star, class_=name, role="gridcell", data_key=key, aria_label=label, title=reason or None
    )


def shot(record: Record, picture: bytes | str, caption: str, size: int) -> Html:
    """Return the element of a picture in a view without a kernel: a thumbnail that opens large with its facts."""
    description = cut(plain(value(record, "description") or ""), 400)
    under = tag("p", caption, class_="ink-meta", dir="auto") if caption else None
    return tag(
        "details",
        tag(
            "summary",
            picture_tag(record, picture, size, brief=True),
            tag("div", name_line(record), under, class_="ink-under"),
            style="display:block",
        ),
        tag("p", description, class_="ink-description", dir="auto") if description else None,
        fact_list(facts(record)),
        class_="ink-shot",
        style=f"width:{size}px",
    )


def card(record: Record, *content: object) -> Html:
    """Return the element of a record beside others that it is compared with."""
    kind = "ink-col ink-on" if is_favorite(record) else "ink-col"
    return tag("section", *content, class_=kind, style="flex:1 1 230px;padding:14px")


def number_line(numbers: Iterable[tuple[str, str, str]]) -> Html:
    """Return the line of numbers below a text: each with its word, and with a hint or an empty one."""
    parts = (tag("span", tag("b", number), f" {word}", title=hint or None) for number, word, hint in numbers)
    return tag("div", Html(" ".join(parts)), class_="ink-num")


def draft(
    heading: str, level: object, text: Html | None, name: str, waiting: str, numbers: Html | None
) -> Html:
    """Return what is on the card of a text that is tuned: its level, the text or what stands for it, and numbers.

    Args:
        heading: The words for its level.
        level: The level.
        text: The text with what differs marked; None where it is not there yet.
        name: The name of its record.
        waiting: What stands for it then.
        numbers: What was measured.
    """
    opening: Html | str = ""
    content = tag("p", waiting, class_="ink-hint")
    if text is not None:
        opening = tag("button", "Open", type="button", class_="ink-link ink-open")
        content = tag(
            "div",
            text,
            class_="ink-text ink-prose",
            dir="auto",
            tabindex=0,  # long texts are scrolled by keyboard too
            role="group",
            aria_label=name or "Text",
        )
    return join(tag("header", tag("b", heading), opening, tag("span", level)), content, numbers)


def entry_tag(record: Record, layout: str, most: int, *, opened: bool = False) -> Html:
    """Return the element of one document: folded under its name (``accordion``), or open (``page``)."""
    if layout == "page":
        return article(record, shown=most, most=most)
    heading = tag(
        "summary",
        tag("span", title(record), star_tag(record), class_="ink-name", dir="auto", style="font-weight:600"),
        " ",
        tag("span", about(record, of=DOCUMENTS.name), class_="ink-meta", dir="auto"),
    )
    body = tag(
        "div",
        _result(record, most, most),
        prompt_fold(record, most),
        class_="ink-doc",
        style="max-width:660px",
    )
    return tag("details", heading, body, class_="ink-entry", open=opened)


def article(
    record: Record, *, service: str = "", shown: int = SHOWN_OF_TEXT, most: int = MOST_OF_TEXT
) -> Html:
    """Return the element of a document: name, summary line, text, prompt.

    Args:
        record: The document's columns by name.
        service: The name of the service in the summary line.
        shown: About how many characters of the text are visible.
        most: The maximum number of characters of the text.
    """
    return tag(
        "article",
        tag("h3", title(record), class_="ink-title", dir="auto", style="margin:0 0 3px"),
        tag(
            "p",
            about(record, service, of=DOCUMENTS.name),
            star_tag(record, before=" · "),
            class_="ink-meta",
            dir="auto",
            style="margin:0 0 14px",
        ),
        _result(record, shown, most),
        prompt_fold(record, most),
        class_="ink-doc",
        style="max-width:660px",
    )


def _result(record: Record, shown: int, most: int) -> Html:
    """Return the element of a document's text, or a line that there is none yet."""
    text = value(record, "result")
    body = folded_prose(str(text), shown, most) if text else tag("p", "No text yet.", class_="ink-meta")
    return tag("div", body, class_="ink-prose", dir="auto", style="line-height:1.6")


def prompt_fold(record: Record, most: int) -> Html | None:
    """Return the folded prompt of a document, or None."""
    prompt = plain(value(record, "prompt") or "")
    if not prompt:
        return None
    kept = cut(prompt, most)
    note = tag(
        "p",
        f"{counted(len(prompt), 'character')} in total; document.prompt has the full text.",
        class_="ink-meta",
    )
    said = tag("div", kept, class_="ink-said", dir="auto", style="white-space:pre-wrap;margin:8px 0 4px")
    return fold("Prompt", said, note if kept != prompt else None, class_="ink-fold ink-prompt")


def cell_tag(column: str, content: Any) -> Html:
    """Return the element of a cell.

    Args:
        column: The column's name; a favorite becomes a star.
        content: The value; a missing one becomes a dash, and markup is a text.
    """
    if isinstance(content, Html):
        return tag("td", tag("div", content, class_="ink-prose", dir="auto"))
    content = value({"": content}, "")
    if content is None:
        return tag("td", NOTHING, class_="ink-soft")
    if column == "favorite":
        return tag("td", STAR if content else "", class_="ink-star")
    if isinstance(content, datetime):
        words = moment(content).removesuffix(" UTC")
        return tag("td", words, class_="ink-still", title=content.isoformat())
    if isinstance(content, Number) and not isinstance(content, bool):
        return tag("td", spell_number(content), class_="ink-still ink-right")
    text = plain(content)
    short = line(without_marks(text, " ·") if len(text) > _FOLDED else text, _FOLDED)
    if len(text) > _FOLDED:
        full = tag("div", cut(text, _MOST_TEXT), class_="ink-said", dir="auto", style="white-space:pre-wrap")
        return tag("td", fold(short, full), dir="auto", class_="ink-long", title="Click for the full text")
    if len(short) <= _UNBROKEN:
        return tag("td", short, dir="auto", class_="ink-still")
    return tag("td", short, dir="auto", class_="ink-some", title=short)


def image_bundle(record: Record, picture: bytes | str, *, service: str = "") -> dict[str, Any]:
    """Return the MIME bundle of one image.

    Args:
        record: The image's columns by name; absent and None are equivalent.
        picture: The picture file, or the reason why it is missing.
        service: The name of the service in the caption: a host, or ``local demo service``.

    Returns:
        A bundle of ``text/html`` (a figure with its caption), ``text/plain``, and ``image/jpeg`` for viewers
        without HTML, at most 150 kB in total. If the picture is refused, the reason is shown instead.
    """
    shown, spare = _copies(picture)
    words = plain(value(record, "description") or "")
    caption = tag(
        "figcaption",
        name_line(record),
        tag("p", cut(words, 1_200), class_="ink-description", dir="auto", style="margin:6px 0 16px")
        if words
        else None,
        fact_list(facts(record, service)),
    )
    figure = tag(
        "figure",
        picture_tag(record, shown, _WIDTH),
        caption,
        class_="ink-one",
        style="display:flex;flex-wrap:wrap;gap:16px 26px;margin:0",
    )
    settings = joined(look(record), line(service, 80))
    reason = line(shown) if isinstance(shown, str) else ""
    rows = [entry("Image", record), cut(words, 1_200), settings, reason]
    bundle: dict[str, Any] = {
        "text/html": str(root(figure, parts=("figure",))),
        "text/plain": "\n".join(row for row in rows if row),
    }
    if spare:
        bundle["image/jpeg"] = b64encode(spare).decode()
    return bundle


def _copies(picture: bytes | str) -> tuple[bytes | str, bytes]:
    """Create the copies for HTML and for viewers without HTML, or return the reason why there are none."""
    small = picture if isinstance(picture, str) else small_copy(picture, _PIXELS, _HTML_PICTURE)
    if isinstance(small, str):
        return small, b""
    spare = load_picture(small)
    spare.thumbnail((_WIDTH, _WIDTH))
    quality = 80
    while len(jpeg := encode(spare, "JPEG", quality)) > _SPARE_PICTURE and quality > 20:
        quality -= 15
    return small, jpeg


def document_bundle(record: Record, *, service: str = "") -> dict[str, Any]:
    """Return the MIME bundle of one document.

    Args:
        record: The document's columns by name; absent and None are equivalent.
        service: The name of the service in the header: a host, or ``local demo service``.

    Returns:
        A bundle of ``text/html`` and ``text/plain``, at most 150 kB in total. A long text is folded and cut
        at the limit, with a line that has the full length and the attribute with the whole text.
    """

    def build(most: int) -> dict[str, Any]:
        body = article(record, service=service, most=most)
        return {
            "text/html": str(root(body, parts=("prose",))),
            "text/plain": _text(record, service, min(most, _PLAIN_TEXT)),
        }

    return fit(build, 2 * _PLAIN_TEXT, RECORD_BYTES)


def _text(record: Record, service: str, most: int) -> str:
    text = plain(value(record, "result") or "")
    rows = [entry("Document", record), about(record, service, of=DOCUMENTS.name)]
    return "\n".join(rows) + (f"\n\n{cut(text, most)}" if text else "")
