"""Frames as Excel files."""

import gc
import sys
from decimal import Decimal
from io import BytesIO

import numpy as np
import openpyxl
import pandas as pd
import pytest
from tests.cases import cases

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.frames.spreadsheets import workbook
from inkframe.system.files import write_file


def written(frame):
    """Return the sheet that was written."""
    file = BytesIO()
    workbook(frame)(file)
    return openpyxl.load_workbook(file).active


@cases("text", ["=1+1", "#N/A", "+1-2", "@x", "- a", "12", "TRUE", "http://x.test", "'x", " a "])
def test_every_text_is_a_text(text):
    """A text is stored word for word, never as a formula, a number, an error or a link."""
    cell = written(pd.DataFrame({"a": [text]}))["A2"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)


def test_characters_that_excel_cannot_store_are_left_out():
    """Control characters and lone surrogates do not break the file, and rows stay rows."""
    sheet = written(pd.DataFrame({"a\x02": ["one\rtwo\x01\x00", "\ud800", "a\r\nb"]}, dtype=object))
    assert [cell.value for cell in sheet["A"]] == ["a", "one\ntwo", "?", "a\nb"]


@pytest.mark.integration
def test_times_are_in_utc_without_a_zone():
    """A time with a zone is written in UTC; a missing one leaves its cell empty."""
    moments = pd.to_datetime(["2026-01-05 08:30:00+01:00", None], utc=False)
    sheet = written(pd.DataFrame({"a": moments}))
    assert sheet["A2"].value == pd.Timestamp("2026-01-05 07:30")
    assert sheet["A2"].is_date
    assert sheet["A3"].value is None


def test_numbers_are_exact():
    """A number with more digits than Excel keeps is a text, and so is an infinite one."""
    frame = pd.DataFrame({"a": [1, 12345678901234567], "b": [0.1, np.inf], "c": [True, pd.NA]})
    rows = [[cell.value for cell in row] for row in written(frame).iter_rows(min_row=2)]
    assert rows == [[1, 0.1, True], ["12345678901234567", "inf", None]]


def test_a_decimal_is_a_number_where_it_is_exact():
    """Zeros behind its point are left out, and one with more digits than Excel keeps is a text."""
    prices = [Decimal("1.10"), Decimal("10.00"), Decimal("0.1234567890123456789"), Decimal("NaN")]
    sheet = written(pd.DataFrame({"a": pd.Series(prices, dtype=object)}))
    assert [cell.value for cell in sheet["A"]][1:4] == [1.1, 10, "0.1234567890123456789"]


@pytest.mark.integration
def test_a_named_index_is_written():
    """The ids are the first column; the numbers of rows are left out; the names stay in view."""
    frame = pd.DataFrame({"a": ["x"]}, index=pd.Index([7], name="id"))
    sheet = written(frame)
    assert [[cell.value for cell in row] for row in sheet.rows] == [["id", "a"], [7, "x"]]
    assert sheet.freeze_panes == "A2"
    assert [cell.value for cell in written(frame.reset_index(drop=True))["A"]] == ["a", "x"]


@pytest.mark.integration
def test_a_text_that_is_too_long_is_not_cut():
    """Excel holds 32,767 characters; a longer text is refused with its column, counted as Excel does."""
    assert len(written(pd.DataFrame({"a": ["x" * 32_767]}))["A2"].value) == 32_767
    for text in ("x" * 32_768, "x" + "\U0001f600" * 16_384):
        with pytest.raises(InvalidArgument) as refused:
            workbook(pd.DataFrame({"result": [text]}))
        assert str(refused.value) == (
            f"A cell of Excel holds 32,767 characters, got {len(text):,} in result.\n"
            "Shorten or drop the column, or use frame.ink.to_csv()."
        )
    assert workbook(pd.DataFrame({"result": ["x" + "\U0001f600" * 16_383]}))


def test_a_frame_that_is_too_long_is_refused():
    """Excel holds 1,048,575 rows and 16,384 columns."""
    with pytest.raises(InvalidArgument, match="1,048,575 rows and 16,384 columns, got 1,048,576 and 0"):
        workbook(pd.DataFrame(index=range(2**20)))
    with pytest.raises(InvalidArgument, match="16,385"):
        workbook(pd.DataFrame(np.zeros((1, 16_385))))


def test_a_missing_extra_is_named(monkeypatch):
    """Without openpyxl, the error has the line that installs it."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ConfigurationError, match=r'pip install "inkframe\[excel\]"'):
        workbook(pd.DataFrame())


@pytest.mark.parametrize("rows", [5, 1000])
def test_a_full_disk_is_our_error(tmp_path, full_disk, monkeypatch, rows):
    """Whether the file or the temporary one of openpyxl is too large, the error is ours and nothing else is shown."""
    shown = []
    monkeypatch.setattr(sys, "unraisablehook", shown.append)
    write = workbook(pd.DataFrame({"a": ["kettle " * 10] * rows}))
    with (
        full_disk(10),
        pytest.raises(InvalidArgument, match=r"^a\.xlsx cannot be written to .*: File too large\."),
    ):
        write_file(tmp_path, "a.xlsx", write)
    del write
    gc.collect()
    assert shown == []
    assert list(tmp_path.iterdir()) == []
