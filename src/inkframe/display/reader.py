"""Documents to read: one below the other, folded to their headings or open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from inkframe.display.article import article, prompt_fold, result
from inkframe.display.figure import star_tag
from inkframe.display.markup import Html, tag
from inkframe.display.plain_text import counted, joined, line
from inkframe.display.record_facts import row, summary, title
from inkframe.display.theme import bar, root
from inkframe.display.view import CELL_BYTES, View, left_out, weigh
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["entry_tag", "read"]

_FRAME_BYTES = 12_000


def read(
    records: Sequence[Record], *, layout: Literal["accordion", "page"] = "accordion", service: str = ""
) -> View:
    """Show documents in full.

    The view adds at most 1 MB to the notebook; a line says how many documents are left out.

    Args:
        records: The documents, in the order they should stand.
        layout: ``accordion`` folds each text under its name; ``page`` sets them open one below the other.
        service: What the line above calls the service.

    Raises:
        InvalidArgument: The layout is neither of the two.
    """
    if layout not in ("accordion", "page"):
        raise InvalidArgument(f"layout={layout!r} is not known.\nAllowed: accordion, page.")
    entries: list[Html] = []
    room = CELL_BYTES - _FRAME_BYTES
    # One document alone may take a cell's whole room; of many, each gets a fair part before it is cut.
    most = max(4_000, min(200_000, room // (3 * max(1, min(len(records), 12)))))
    for record in records:
        entry = _fitting(record, layout, most, opened=len(records) == 1)
        room -= weigh({"": entry + row(record, summary(record))})
        if room < 0:
            break
        entries.append(entry)
    notes = [
        joined(counted(len(records), "document"), line(service, 80)),
        *left_out(len(records) - len(entries)),
    ]
    rows = [joined(*notes), *(row(record, summary(record)) for record in records[: len(entries)])]
    return View(root(bar(*notes), *entries, parts=("prose", "read")), "\n".join(rows))


def _fitting(record: Record, layout: str, most: int, *, opened: bool) -> Html:
    """Give the element of one document, cut until it alone would fit a cell."""
    entry = entry_tag(record, layout, most, opened=opened)
    while weigh({"": entry}) > CELL_BYTES - 2 * _FRAME_BYTES and most > 1_000:
        most //= 2
        entry = entry_tag(record, layout, most, opened=opened)
    return entry


def entry_tag(record: Record, layout: str, most: int, *, opened: bool = False) -> Html:
    """Give the element of one document: folded under its name (``accordion``), or open (``page``)."""
    if layout == "page":
        return article(record, shown=most, most=most)
    heading = tag(
        "summary",
        tag("span", title(record), star_tag(record), class_="ink-name", dir="auto", style="font-weight:600"),
        " ",
        tag("span", summary(record), class_="ink-meta", dir="auto"),
    )
    body = tag(
        "div",
        result(record, most, most),
        prompt_fold(record, most),
        class_="ink-doc",
        style="max-width:660px",
    )
    return tag("details", heading, body, class_="ink-entry", open=opened)
