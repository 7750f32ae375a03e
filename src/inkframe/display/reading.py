"""Documents to read: one below the other, folded to their headings or open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from inkframe.display.article import article, prompt_fold, result
from inkframe.display.markup import Html, tag
from inkframe.display.record import STAR, is_favorite, summary, title, value
from inkframe.display.text import counted, joined, line
from inkframe.display.theme import root
from inkframe.display.view import CELL_BYTES, View, weigh
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
        entry = entry_tag(record, layout, most, opened=len(records) == 1)
        room -= weigh({"": entry + _row(record)})
        if room < 0:
            break
        entries.append(entry)
    notes = [joined(counted(len(records), "document"), line(service, 80))]
    if len(entries) < len(records):
        notes.append(f"{len(records) - len(entries):,} left out: a cell holds {CELL_BYTES // 1_000_000} MB")
    head = tag("div", *(tag("p", note, class_="ink-meta") for note in notes), class_="ink-bar")
    rows = [joined(*notes), *(_row(record) for record in records[: len(entries)])]
    return View(root(head, *entries, parts=("prose", "read")), "\n".join(rows))


def entry_tag(record: Record, layout: str, most: int, *, opened: bool = False) -> Html:
    """Give the element of one document: folded under its name (``accordion``), or open (``page``)."""
    if layout == "page":
        return article(record, shown=most, most=most)
    star = tag("span", f" {STAR}", class_="ink-star", title="favourite") if is_favorite(record) else None
    heading = tag(
        "summary",
        tag("span", title(record), star, class_="ink-name", dir="auto", style="font-weight:600"),
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


def _row(record: Record) -> str:
    number = line(value(record, "id") or "", 60)
    star = f" {STAR}" if is_favorite(record) else ""
    return "  ".join(part for part in (number, title(record) + star, summary(record)) if part)
