"""Frames as Excel files."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from math import isfinite
from numbers import Integral, Real
from typing import IO, TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.frames.comparing import plain
from inkframe.frames.spreadsheets import writable_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["workbook"]

#: The limits of Excel: rows with the one of the names, columns, characters of a cell, and digits of a number.
ROWS: Final = 2**20
COLUMNS: Final = 2**14
CHARACTERS: Final = 32_767
EXACT: Final = 10**15


def workbook(frame: pd.DataFrame) -> Callable[[IO[bytes]], None]:
    """Return a function that writes a frame to an Excel file.

    Args:
        frame: Any frame. Its index is written if it has a name.

    Raises:
        InvalidArgument: It is too long for Excel.
        ConfigurationError: The extra ``excel`` is not installed.
    """
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
    except ImportError:
        raise ConfigurationError(
            'to_excel() needs the extra "excel".\nInstall it with: pip install "inkframe[excel]"'
        ) from None
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
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    sheet.freeze_panes = "A2"

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        made = WriteOnlyCell(sheet, value)
        # Else a text that begins with = would be a formula.
        made.data_type = "s"
        return made

    def write(file: IO[bytes]) -> None:
        # Not into the file: where the disk is full, openpyxl writes to it again after it was closed.
        content = BytesIO()
        try:
            sheet.append([cell(writable_text(name)) for name in names])
            for row in zip(*values, strict=True):
                sheet.append([cell(value) for value in row])
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


def _value(value: Any, name: str) -> Any:
    """Return a value that Excel stores exactly, or as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, Integral) and abs(int(value)) < EXACT:
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Integral) and isfinite(value):
        return float(value)
    text = writable_text(json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value))
    if len(text.encode("utf-16-le")) // 2 > CHARACTERS:
        raise InvalidArgument(
            f"A cell of Excel holds {CHARACTERS:,} characters, got {len(text):,} in {name}.\n"
            "Shorten or drop the column, or use frame.ink.to_csv()."
        )
    return text
