"""Show DataFrames as tables with pictures and folded texts, sorted by any column without a script."""

from __future__ import annotations

from datetime import datetime
from numbers import Number
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from inkframe.display.figure import THUMBNAIL_BYTES, THUMBNAIL_PIXELS, value
from inkframe.display.fragments import NOTHING, cell_tag, picture_tag
from inkframe.display.markup import (
    Html,
    counted,
    cut,
    join,
    joined,
    line,
    plain,
    root,
    tag,
)
from inkframe.display.picture import small_copy
from inkframe.display.view import View, until_full
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from pandas import DataFrame

__all__ = ["sorted_table", "table"]

_FRAME_BYTES, _MOST_COLUMNS = 24_000, 60
#: Columns that can be sorted by; each adds a few bytes to every row.
_MOST_SORTED: Final = 24
_DIRECTIONS: Final = (("up", "ascending", "▲"), ("down", "descending", "▼"))


def table(
    frame: DataFrame,
    thumbnails: Mapping[Hashable, bytes | str] | None = None,
    *,
    rows: int = 100,
    service: str = "",
) -> View:
    """Show a DataFrame with pictures in its cells, texts on one line, and headings that sort by a column.

    Args:
        frame: Any DataFrame; one of records has their ids as its index.
        thumbnails: Small pictures by index label, or the reasons why they are missing. They replace the
            column ``picture_url``.
        rows: The maximum number of rows. Fewer are shown if the cell would exceed 1 MB. A line says how many.
        service: The name of the service in the line above the table.

    Raises:
        InvalidArgument: ``rows`` is below 1.
    """
    if rows < 1:
        raise InvalidArgument(
            f"rows must be 1 or greater, got {rows}.\nPass the maximum number of rows, such as 100."
        )
    hidden = "picture_url" if thumbnails else None
    places = [at for at, column in enumerate(frame.columns) if column != hidden]
    shown = frame.iloc[:rows, places[:_MOST_COLUMNS]]
    body = list(until_full(_rows(shown, thumbnails or {}), _sized, _FRAME_BYTES))
    counts = [_of(len(body), len(frame), "row")]
    counts += [_of(_MOST_COLUMNS, len(places), "column")] if len(places) > _MOST_COLUMNS else []
    head = joined(*counts, line(service, 80))
    names = [
        "" if shown.index.name is None else shown.index.name,
        *([""] if thumbnails else []),
        *shown.columns,
    ]
    values, cells = [each for each, _ in body], [each for _, each in body]
    grid = sorted_table([line(name, 60) for name in names], values, cells)
    # As objects, since pandas 2.2 would break lines inside of texts.
    text = (
        shown.head(len(body))
        .apply(lambda each: each.astype(object) if each.dtype.kind == "O" else each)
        .to_string(max_rows=20, max_cols=12, max_colwidth=40)
    )
    above = tag("p", head, class_="ink-meta", style="margin:0 0 8px")
    return View(root(above, grid, parts=("table",)), f"{head}\n{cut(plain(text), 20_000)}")


def _sized(row: tuple[list[Any], list[Html]]) -> str:
    """Return a text of the size of a row, with what it is sorted by."""
    return "".join(row[1]) + "--s12:345;" * min(len(row[0]), _MOST_SORTED)


def _rows(
    frame: DataFrame, thumbnails: Mapping[Hashable, bytes | str]
) -> Iterator[tuple[list[Any], list[Html]]]:
    """Yield the values and the cells of each row."""
    columns = [str(column) for column in frame.columns]
    for label, *cells in zip(frame.index, *(frame.iloc[:, at] for at in range(len(columns))), strict=True):
        record = dict(zip(columns, cells, strict=True))
        head = tag("th", line(label, 60), scope="row", dir="auto", role="rowheader")
        picture = [_picture_cell(record, thumbnails.get(label))] if thumbnails else []
        own = (cell_tag(column, each) for column, each in zip(columns, cells, strict=True))
        yield [label, *([None] * len(picture)), *cells], [head, *picture, *own]


def _of(shown: int, total: int, noun: str) -> str:
    return counted(total, noun) if shown == total else f"{shown:,} of {counted(total, noun)}"


def _picture_cell(record: Mapping[str, Any], picture: bytes | str | None) -> Html:
    if isinstance(picture, bytes):
        picture = small_copy(picture, THUMBNAIL_PIXELS, THUMBNAIL_BYTES)
    shown = picture_tag(record, picture, THUMBNAIL_PIXELS // 2, brief=True) if picture else NOTHING
    return tag("td", shown, class_="ink-cell")


def sorted_table(
    names: Sequence[str], rows: Sequence[Sequence[Any]], cells: Sequence[Sequence[Html]]
) -> Html:
    """Return the element of a table, with two choices in each heading that sort by its column.

    The choices are radio buttons, and style rules set the order of the rows by them. Without style sheets the
    table is shown in the given order, without choices.

    Args:
        names: The headings; a column without one is not sorted by.
        rows: The values of each row, which are sorted by; without any there are no choices.
        cells: The elements of each row.
    """
    sorted_by = [at for at, name in enumerate(names) if name and rows][:_MOST_SORTED]
    ranks = {at: _ranks([row[at] for row in rows]) for at in sorted_by}
    # Buttons of one name exclude each other, so that each table has a name of its own.
    group = f"sort-{crc32(''.join(map(''.join, [names, *cells])).encode('utf-8', 'replace')):08x}"
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
        tag(
            "tr",
            *each,
            role="row",
            style="".join(f"--s{at}:{found[row]};" for at, found in ranks.items()) or None,
        )
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
        Html(f"<style>{rules}</style>") if rules else None,
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
        each if each is None or isinstance(each, Number | datetime) else plain(each).casefold()
        for each in found
    ]
    try:
        order = sorted({*keys} - {None})
    except TypeError:
        keys = [None if each is None else plain(each).casefold() for each in found]
        order = sorted({*keys} - {None})
    places = {key: at for at, key in enumerate(order)}
    return [places.get(key, len(order)) for key in keys]
