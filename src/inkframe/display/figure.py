"""Render one image as a figure with its picture and settings."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from inkframe.display.markup import Html, join, tag
from inkframe.display.picture_header import read_header
from inkframe.display.plain_text import cut, joined, line, plain
from inkframe.display.record_facts import STAR, alt, entry, facts, is_favorite, look, title, value
from inkframe.display.theme import root
from inkframe.display.view import data_uri

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["fact_list", "image_bundle", "name_line", "none_tag", "picture_tag", "star_tag"]

#: Pixels of the shown picture: twice its size on the page, for high-density screens.
_PIXELS, _WIDTH = 768, 384
#: Without the style sheet, marks are bold, since the browser's yellow is unreadable on a dark page.
_MARK = "background:none;color:inherit;font-weight:bold"
_HTML_PICTURE, _SPARE_PICTURE = 70_000, 22_000


def image_bundle(record: Mapping[str, Any], picture: bytes | str, *, service: str = "") -> dict[str, Any]:
    """Return the MIME bundle of one image.

    Args:
        record: The image's columns by name; absent and None are equivalent.
        picture: The picture file, or the reason why it is missing.
        service: The name of the service in the caption: a host, or ``local demo service``.

    Returns:
        A bundle of ``text/html`` (a figure with its caption), ``text/plain``, and ``image/jpeg`` for viewers
        without HTML, at most 150 kB in total. If the picture is refused, the reason is shown instead.
    """
    shown, spare, reason = _copies(picture)
    words = plain(value(record, "description") or "")
    caption = tag(
        "figcaption",
        name_line(record),
        tag("p", cut(words, 1_200), class_="ink-description", dir="auto", style="margin:6px 0 16px")
        if words
        else None,
        fact_list(facts(record, service)),
    )
    place = picture_tag(record, shown, _WIDTH) if shown else none_tag(reason)
    figure = tag(
        "figure", place, caption, class_="ink-one", style="display:flex;flex-wrap:wrap;gap:16px 26px;margin:0"
    )
    bundle: dict[str, Any] = {
        "text/html": str(root(figure, parts=("figure",))),
        "text/plain": _text(record, service, cut(words, 1_200), reason),
    }
    if spare:
        bundle["image/jpeg"] = b64encode(spare).decode()
    return bundle


def picture_tag(record: Mapping[str, Any], thumbnail: bytes, width: int) -> Html:
    """Return the element of a small picture, with the record's alternative text.

    Args:
        record: The image's columns by name.
        thumbnail: A picture file of ``thumbnail``. A service's own file never goes into a page.
        width: The maximum width on the page in CSS pixels; a smaller picture is not enlarged.
    """
    header = read_header(thumbnail)
    width = min(width, header.width)
    height = max(1, round(width * header.height / header.width))
    source = data_uri(thumbnail, header.mime)
    return tag(
        "img",
        src=source,
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


def name_line(record: Mapping[str, Any]) -> Html:
    """Return the element of a record's name, with a star if it is a favorite."""
    return tag("div", title(record), star_tag(record), class_="ink-name", dir="auto", style="font-weight:600")


def star_tag(record: Mapping[str, Any], before: str = " ") -> Html | None:
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


def _copies(picture: bytes | str) -> tuple[bytes, bytes, str]:
    """Create the copies for HTML and for viewers without HTML, or return the reason why there are none."""
    if isinstance(picture, str):
        return b"", b"", picture
    from inkframe.display.picture import encode, load_picture, small_copy

    small = small_copy(picture, _PIXELS, _HTML_PICTURE)
    if isinstance(small, str):
        return b"", b"", small
    spare = load_picture(small)
    spare.thumbnail((_WIDTH, _WIDTH))
    quality = 80
    while len(jpeg := encode(spare, "JPEG", quality)) > _SPARE_PICTURE and quality > 20:
        quality -= 15
    return small, jpeg, ""


def _text(record: Mapping[str, Any], service: str, words: str, reason: str) -> str:
    settings = joined(look(record), line(service, 80))
    rows = [entry("Image", record), words, settings, line(reason)]
    return "\n".join(row for row in rows if row)
