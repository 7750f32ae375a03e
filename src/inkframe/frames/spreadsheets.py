"""Frames as CSV and Excel files, without texts that a spreadsheet would run, and read back; tables that people have."""

from __future__ import annotations

import codecs
import errno
import json
import os
import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from io import BytesIO, StringIO
from math import isclose, isfinite
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.errors import InvalidArgument, checked, optional_library
from inkframe.frames.baselines import plain, same
from inkframe.versions import as_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    #: Small pictures by the position of their column and the number of their row.
    Pictures = Mapping[int, Mapping[int, bytes]]

__all__ = [
    "neutralize_formulas",
    "read_table",
    "restored",
    "table_from",
    "workbook",
    "writable_text",
]

#: The first bytes of texts in UTF-16.
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: A code that a number would not keep, such as 007, +49, 1E5 or 17 digits; and a number with a decimal comma.
_CODE: Final = r"\s*([+-]?0\d+|\+\d+|\d+[eE]\d+|-?\d{16,})\s*"
_COMMA: Final = r"\s*[+-]?\d+,\d+\s*"
#: Bytes that are no UTF-8, and so of Western Windows.
_BYTES: Final = re.compile("[\udc80-\udcff]+")

#: The first characters of formulas (OWASP, "CSV Injection"), in half and full width.
_FORMULA = re.compile("[=+\\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")
#: Characters that XML, and so Excel, cannot store.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
#: Texts that pandas reads as missing values.
_READ_AS_MISSING: Final = {
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
}
#: From this many digits, numbers are read as text.
_DIGITS: Final = 19
#: Spreadsheets cut times to the minute when they save CSV.
_TIMES: Final = timedelta(minutes=1)

#: The limits of Excel: rows with the one of the names, columns, characters of a cell, and digits of a number.
ROWS: Final = 2**20
COLUMNS: Final = 2**14
CHARACTERS: Final = 32_767
EXACT: Final = 10**15
#: The column with names that have pictures beside them.
BESIDE: Final = "name"
#: Pixels of a picture and of the space around it, and the units of Excel in a pixel.
SIDE, SPACE, PIXEL = 96, 3, 9_525
#: Characters: the width of pictures, the most of a column of texts, and how far names stand beside pictures.
PICTURE_WIDTH, TEXT_WIDTH, INDENT = 15, 60, 12
#: Points: the height of a line, of a picture, and the most of a row.
LINE, PICTURE_HEIGHT, TALLEST = 15, 77, 300


@checked
def read_table(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a table from a CSV or an Excel file, as people have them.

    CSV may have commas, semicolons or tabs, in UTF-8, UTF-16 or the encoding of Western Windows; where semicolons
    separate, ``12,50`` is a number. A column with codes such as ``007``, or with numbers of over 15 digits, stays text.
    Of Excel files the first sheet is read. Empty rows are left out.

    Args:
        path: The file.

    Raises:
        InvalidArgument: There is no such file, or it is no table.

    Example:
        >>> shop = client.documents.write(ink.read_table("shop.csv"), "Describe {product}.")
    """
    source = Path(path).expanduser()
    try:
        return table_from(source.name, source.read_bytes())
    except OSError as error:
        raise InvalidArgument(f"{source} cannot be read: {error.strerror}.\nCheck the path.") from None


def table_from(name: str, content: bytes) -> pd.DataFrame:
    """Return the table of a file.

    Args:
        name: The name of the file, for errors.
        content: Its bytes.

    Raises:
        InvalidArgument: It is no table.
    """
    try:
        is_text = b"\0" not in content or content.startswith(_WIDE)
        frame = _from_text(content) if is_text else pd.read_excel(BytesIO(content), dtype=object)
    except Exception as error:  # noqa: BLE001  # whatever a damaged file leads its reader to
        raise InvalidArgument(
            f"{name} cannot be read as a table: {str(error).rpartition('C error: ')[2].strip().rstrip('.')}.\n"
            "Open it in a spreadsheet, check its rows, and save it as .xlsx or as CSV (UTF-8)."
        ) from None
    frame = (
        frame.infer_objects()
        .dropna(how="all", ignore_index=True)
        .rename(columns=lambda label: str(label).strip())
    )
    # Numbers with a missing one are floats, and a prompt would say 12.0.
    whole = [
        at
        for at, column in frame.items()
        if column.dtype == float and column.abs().max() < EXACT and (column.dropna() % 1 == 0).all()
    ]
    return as_texts(frame.astype(dict.fromkeys(whole, "Int64")))


def _from_text(content: bytes) -> Any:
    """Return the table of a CSV file, whose separator is the most frequent one of its first line."""
    text = content.decode("utf-16" if content.startswith(_WIDE) else "utf-8-sig", "surrogateescape")
    text = _BYTES.sub(
        lambda found: found[0].encode("ascii", "surrogateescape").decode("cp1252", "replace"), text
    )
    header = re.sub('"[^"]*"', "", text.partition("\n")[0])
    read: Any = partial(
        pd.read_csv, sep=max("\t,;", key=header.count), skipinitialspace=True, index_col=False
    )
    # A row that is longer than the first line is an error only without a header.
    read(StringIO(text), dtype=str, header=None)
    texts = read(StringIO(text), dtype=str)
    codes = [label for label, column in texts.items() if column.str.fullmatch(_CODE).any()]
    has_commas = ";" in header and any(column.str.fullmatch(_COMMA).any() for _, column in texts.items())
    return read(StringIO(text), dtype=dict.fromkeys(codes, str), decimal="," if has_commas else ".")


def neutralize_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose texts a spreadsheet does not evaluate as formulas.

    A text that begins like a formula gets an apostrophe in front. Numbers are unchanged, also those written
    as text. Parquet and JSON do not need this.

    Args:
        frame: Any frame. It is not changed.

    Returns:
        A frame for ``to_csv``, with column names and index labels neutralized, too.
    """
    # By position, since two columns may have the same name.
    safe = (
        pd.concat([_column(frame.iloc[:, at]) for at in range(frame.shape[1])], axis=1)
        if frame.shape[1]
        else frame.copy()
    )
    safe.columns = _labels(frame.columns)
    safe.index = _labels(frame.index)
    return safe


def _column(column: pd.Series) -> pd.Series:
    if column.dtype == "category":
        renamed = {each: _neutral(each) for each in column.cat.categories}
        return column if all(a == b for a, b in renamed.items()) else column.astype(object).map(_neutral)
    return column.map(_neutral) if str(column.dtype) in ("object", "str", "string") else column


def _labels(labels: pd.Index) -> pd.Index:
    renamed: pd.Index = labels.map(_neutral if labels.nlevels == 1 else lambda row: tuple(map(_neutral, row)))
    return renamed.set_names([_neutral(name) for name in labels.names])


def _neutral(content: Any) -> Any:
    """Put an apostrophe before a text that begins like a formula and is not a number."""
    is_formula = isinstance(content, str) and _FORMULA.match(content) and not _NUMBER.fullmatch(content)
    return f"'{content}" if is_formula else content


def writable_text(text: str) -> str:
    """Return a text as every file can store it: with line feeds, without control characters."""
    text = text.encode("utf-8", "replace").decode()
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def restored(
    frame: pd.DataFrame, old: pd.DataFrame, *, unmark: Callable[[str], str] | None = None
) -> pd.DataFrame:
    """Return a frame from a file with the values that only the file changed as they were.

    CSV and Excel files lose types, empty texts, control characters and fractions of seconds, and texts like
    formulas have an apostrophe. What remains different was edited.

    Args:
        frame: The frame by id, as read from a file.
        old: The frame as fetched, or the current values, by id.
        unmark: Removes the marks of Markdown, which texts of the file may lack.
    """
    frame = frame.set_axis(_restored_ids(frame.index, old.index), axis=0)
    rows = old.index.get_indexer(frame.index)
    for name in [name for name in old.columns if (frame.columns == name).sum() == 1]:
        before = old[name].take(np.maximum(rows, 0)) if len(old) else old[name].reindex(frame.index)
        differing = np.flatnonzero(~same(frame[name], before) & (rows >= 0))
        if differing.size:
            values = frame[name].astype(object).to_numpy(copy=True)
            pairs = zip(plain(frame[name].iloc[differing]), plain(before.iloc[differing]), strict=True)
            values[differing] = pd.array([_restored(new, was, unmark) for new, was in pairs], dtype=object)
            frame[name] = pd.Series(values, index=frame.index, dtype=object)
    return frame


def _restored_ids(ids: pd.Index, known: pd.Index) -> pd.Index:
    """Return ids as they were fetched: ``7`` is ``"007"`` if no other id is read as 7."""
    if ids.dtype == known.dtype and ids.isin(known).all():
        return ids
    exact = {str(id): id for id in known.tolist()}
    counts = Counter(map(_as_read, known.tolist()))
    read = {text: id for id in known.tolist() if counts[text := _as_read(id)] == 1}
    return ids.map(lambda each: exact.get(str(each), read.get(str(each), each))).rename("id")


def _as_read(id: int | str) -> str:
    return str(int(text)) if (text := str(id)).isdecimal() and len(text) < _DIGITS else str(_neutral(text))


def _restored(new: Any, old: Any, unmark: Callable[[str], str] | None) -> Any:
    """Return the old value if a file made the new one of it, else the new one without what a file added."""
    if isinstance(old, str):
        is_same = unmark and _restored_text(new, bare := unmark(old)) == bare
        return old if is_same else _restored_text(new, old)
    if old is None:
        return None if new == "" else new
    if isinstance(old, bool):
        return {"true": True, "false": False}.get(str(new).strip().lower(), new)
    if isinstance(old, datetime):
        moment = pd.to_datetime(pd.Series([new]), utc=True, errors="coerce", format="mixed").iloc[0]
        return old if not pd.isna(moment) and abs(moment - old) < _TIMES else new
    if isinstance(old, int | float) and isinstance(new, int | float | str):
        with suppress(ValueError, OverflowError):
            return old if isclose(old, float(new), rel_tol=1e-12 * isinstance(old, float)) else new
    return new


def _restored_text(new: Any, old: str) -> Any:
    if new is None:
        return old if old in _READ_AS_MISSING or writable_text(old) in _READ_AS_MISSING else None
    if isinstance(new, bool):
        return old if old.lower() == str(new).lower() else new
    if isinstance(new, int | float):
        with suppress(ValueError):
            return old if float(old) == new else new
    if not isinstance(new, str):
        return new
    written = writable_text(old)
    if writable_text(new) in (written, writable_text(str(_neutral(old))), str(_neutral(written))):
        return old
    # A list that began like a formula, edited.
    return new[1:] if _neutral(old) != old and new.startswith("'") and _FORMULA.match(new, 1) else new


def workbook(
    frame: pd.DataFrame, pictures: Callable[[], Pictures] | None = None
) -> Callable[[IO[bytes]], None]:
    """Return a function that writes a frame to an Excel file.

    Args:
        frame: Any frame. Its index is written if it has a name.
        pictures: Returns JPEG or PNG files for cells, once the frame is known to fit. With it texts are wrapped, and
            columns can be filtered. A picture stands beside the text in the column ``name``, and instead of it in others.

    Raises:
        InvalidArgument: It is too long for Excel.
        ConfigurationError: The extra ``excel`` is not installed.
    """
    openpyxl = optional_library(
        "openpyxl", 'to_excel() needs the extra "excel".\nInstall it with: pip install "inkframe[excel]"'
    )
    levels = [level for level, name in enumerate(frame.index.names) if name is not None]
    index = [pd.Series(frame.index.get_level_values(level)) for level in levels]
    names = [*(str(frame.index.names[level]) for level in levels), *map(str, frame.columns)]
    if len(frame) >= ROWS or len(names) > COLUMNS:
        raise InvalidArgument(
            f"An Excel file holds {ROWS - 1:,} rows and {COLUMNS:,} columns, got {len(frame):,} and"
            f" {len(names):,}.\nWrite fewer, or use frame.ink.to_csv()."
        )
    columns = [*index, *(frame.iloc[:, at] for at in range(frame.shape[1]))]
    values = [
        [_value(each, name) for each in plain(column)] for name, column in zip(names, columns, strict=True)
    ]
    shown = {} if pictures is None else {at + len(levels): each for at, each in pictures().items()}
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    sheet.freeze_panes = "A2"
    widths = [] if pictures is None else _set_widths(openpyxl, sheet, names, values, shown)

    def cell(value: Any) -> Any:
        made = openpyxl.cell.WriteOnlyCell(sheet, value) if widths or isinstance(value, str) else value
        if isinstance(value, str):
            # Else a text that begins with = would be a formula.
            made.data_type = "s"
        return made

    def write(file: IO[bytes]) -> None:
        # Not into the file: where the disk is full, openpyxl writes to it again after it was closed.
        content = BytesIO()
        try:
            sheet.append([cell(writable_text(name)) for name in names])
            for number, row in enumerate(zip(*values, strict=True)):
                cells = [cell(value) for value in row]
                if widths:
                    _arrange(openpyxl, sheet, number, cells, names, widths, shown)
                sheet.append(cells)
            book.save(content)
        except Exception as error:
            # lxml names the cause by its constant if the temporary file of openpyxl cannot be written.
            cause = str(error)
            if not cause.startswith("IO_"):
                raise
            with suppress(Exception):
                sheet.close()
            number = getattr(errno, cause.removeprefix("IO_"), errno.EIO)
            raise OSError(number, os.strerror(number)) from None
        file.write(content.getbuffer())

    return write


def _set_widths(
    openpyxl: Any, sheet: Any, names: Sequence[str], values: Sequence[Sequence[Any]], pictures: Pictures
) -> list[int]:
    """Set the width of each column, of its longest line up to a limit and of its pictures, and a filter over all."""
    widths = []
    for at, (name, column) in enumerate(zip(names, values, strict=True)):
        # The button of the filter takes three characters.
        longest = max([len(name) + 3, *(len(part) for each in column for part in str(each).split("\n"))])
        text = 0 if at in pictures and name != BESIDE else min(TEXT_WIDTH, longest + 1)
        widths.append(text + PICTURE_WIDTH * (at in pictures))
        letter = openpyxl.utils.get_column_letter(at + 1)
        sheet.column_dimensions[letter].width = widths[at]
        sheet.auto_filter.ref = f"A1:{letter}{len(column) + 1}"
    return widths


def _arrange(
    openpyxl: Any,
    sheet: Any,
    row: int,
    cells: Sequence[Any],
    names: Sequence[str],
    widths: Sequence[int],
    pictures: Pictures,
) -> None:
    """Set the height of a row and its pictures, and how its cells are shown, before it is written."""
    for at, cell in enumerate(cells):
        picture = pictures.get(at, {}).get(row)
        is_beside = picture is not None and names[at] == BESIDE
        cell.alignment = openpyxl.styles.Alignment(
            "left" if is_beside else None, "top", wrap_text=True, indent=INDENT * is_beside
        )
        if picture is not None:
            sheet.add_image(_picture(openpyxl, picture, at, row + 1))
            cell.value, cell.data_type = (cell.value, "s") if is_beside else (None, "n")
    lines = [
        sum(-(-len(part) // width) or 1 for part in cell.value.split("\n"))
        for cell, width in zip(cells, widths, strict=True)
        if isinstance(cell.value, str)
    ]
    least = PICTURE_HEIGHT if any(row in each for each in pictures.values()) else LINE
    sheet.row_dimensions.clear()  # those before are written
    sheet.row_dimensions[row + 2].height = max(least, min(TALLEST, LINE * max([1, *lines])))


def _picture(openpyxl: Any, data: bytes, column: int, row: int) -> Any:
    """Return a picture between two corners in its cell, so that it is sorted and filtered with its row."""
    picture = openpyxl.drawing.image.Image(BytesIO(data))
    share = min(1, SIDE / max(picture.width, picture.height))
    corners = [
        openpyxl.drawing.spreadsheet_drawing.AnchorMarker(
            column, int(PIXEL * (SPACE + share * width)), row, int(PIXEL * (SPACE + share * height))
        )
        for width, height in ((0, 0), (picture.width, picture.height))
    ]
    picture.anchor = openpyxl.drawing.spreadsheet_drawing.TwoCellAnchor("twoCell", *corners)
    return picture


def _value(value: Any, name: str) -> Any:
    """Return a value that Excel stores exactly, or as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, Integral) and abs(int(value)) < EXACT:
        return int(value)
    # By its digits, of which a short float has more as a long one.
    if (
        isinstance(value, Real | Decimal)
        and not isinstance(value, Integral)
        and isfinite(value)
        and Decimal(str(float(str(value)))) == Decimal(str(value))
    ):
        return float(str(value))
    text = writable_text(json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value))
    if len(text.encode("utf-16-le")) // 2 > CHARACTERS:
        raise InvalidArgument(
            f"A cell of Excel holds {CHARACTERS:,} characters, got {len(text):,} in {name}.\n"
            "Shorten or drop the column, or use frame.ink.to_csv()."
        )
    return text
