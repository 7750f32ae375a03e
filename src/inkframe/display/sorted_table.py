"""A table that sorts by any column without a script, also in a saved notebook."""

from __future__ import annotations

from datetime import datetime
from itertools import chain
from numbers import Number
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from inkframe.display.markup import Html, join, tag
from inkframe.display.plain_text import plain
from inkframe.display.record_facts import value

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_SORTED", "sorted_table"]

#: Columns that can be sorted by; each adds a few bytes to every row.
MOST_SORTED: Final = 24
_DIRECTIONS: Final = (("up", "ascending", "▲"), ("down", "descending", "▼"))


def sorted_table(
    names: Sequence[str], rows: Sequence[Sequence[Any]], cells: Sequence[Sequence[Html]]
) -> Html:
    """Return the element of a table, with two choices in each heading that sort by its column.

    The choices are radio buttons, and style rules set the order of the rows by them. Without style sheets the
    table is shown in the given order, without choices.

    Args:
        names: The headings; a column without one is not sorted by.
        rows: The values of each row, which are sorted by.
        cells: The elements of each row.
    """
    sorted_by = [at for at, name in enumerate(names) if name][:MOST_SORTED]
    ranks = {at: _ranks([row[at] for row in rows]) for at in sorted_by}
    # Buttons of one name exclude each other, so that each table has a name of its own.
    group = f"sort-{crc32(''.join(chain(names, *cells)).encode('utf-8', 'replace')):08x}"
    heads = (
        tag(
            "th",
            name,
            _choices(group, at, name) if at in ranks else None,
            scope="col",
            dir="auto",
            role="columnheader",
        )
        for at, name in enumerate(names)
    )
    lines = (
        tag("tr", *each, role="row", style="".join(f"--s{at}:{found[row]};" for at, found in ranks.items()))
        for row, each in enumerate(cells)
    )
    grid = tag(
        "table",
        tag("thead", tag("tr", *heads, role="row"), role="rowgroup"),
        tag("tbody", *lines, role="rowgroup"),
        class_="ink-table ink-sorted",
        role="table",
        style=f"--columns:{len(names)}",
    )
    rules = "".join(
        f".ink-sorted:has(.ink-{way}-{at}:checked) tbody>tr>*{{order:calc({sign}*var(--s{at}))}}"
        for at in sorted_by
        for way, sign in (("up", 1), ("down", -1))
    )
    return tag(
        "div",
        Html(f"<style>{rules}</style>"),
        grid,
        class_="ink-wide",
        tabindex=0,
        role="region",
        aria_label="Table",
        style="overflow-x:auto",
    )


def _choices(group: str, at: int, name: str) -> Html:
    marks = (
        tag(
            "label",
            tag(
                "input",
                type="radio",
                name=group,
                class_=f"ink-{way}-{at}",
                aria_label=f"Sort by {name}, {word}",
            ),
            tag("span", sign, aria_hidden="true"),
            title=f"Sort by {name}, {word}",
        )
        for way, word, sign in _DIRECTIONS
    )
    return tag("span", join(*marks), class_="ink-sort-marks", hidden=True)


def _ranks(column: Sequence[Any]) -> list[int]:
    """Return the place of each value among the different ones, by size or alphabetically; missing ones are last."""
    found = [value({"": each}, "") for each in column]
    keys: list[Any] = [
        each if isinstance(each, Number | datetime) else plain(each).casefold() for each in found
    ]
    known: set[Any] = {key for key, each in zip(keys, found, strict=True) if each is not None}
    try:
        order = sorted(known)
    except TypeError:
        keys = [plain(each).casefold() for each in found]
        order = sorted({key for key, each in zip(keys, found, strict=True) if each is not None})
    places = {key: at for at, key in enumerate(order)}
    return [len(order) if each is None else places[key] for key, each in zip(keys, found, strict=True)]
