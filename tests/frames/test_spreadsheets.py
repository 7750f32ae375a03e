"""Texts that a spreadsheet does not run, and frames read back from files."""

import csv
import io

import pandas as pd
import pytest
from tests.cases import cases

from inkframe.frames import neutralize_formulas, restored

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1"]
HARMLESS = ["-5", "+4.5", "-1e3", "-12,5", "12%", "plain", "a=b", "", "'quoted"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_get_an_apostrophe(text):
    """A text that a spreadsheet would evaluate gets an apostrophe."""
    assert neutralize_formulas(pd.DataFrame({"a": [text]}))["a"].iloc[0] == f"'{text}"


@cases("text", HARMLESS)
def test_numbers_and_plain_texts_stay(text):
    """Numbers written as text, including negative ones, and other texts are unchanged."""
    assert neutralize_formulas(pd.DataFrame({"a": [text]}))["a"].iloc[0] == text


def test_every_part_of_a_frame_is_neutralized():
    """Categories, objects, column names and index labels are neutralized; numbers keep their type."""
    frame = pd.DataFrame(
        [["=1", "=2", -5, None]], columns=["=x", "b", "c", "c"], index=pd.Index(["@id"], name="+n")
    ).astype({"b": "category"})
    safe = neutralize_formulas(frame)
    rows = list(csv.reader(io.StringIO(safe.to_csv())))
    assert rows == [["'+n", "'=x", "b", "c", "c"], ["'@id", "'=1", "'=2", "-5", ""]]
    assert frame.iloc[0, 0] == "=1"
    assert safe.iloc[:, 2].dtype == frame.iloc[:, 2].dtype


def test_empty_frames_and_index_levels():
    """Empty frames are accepted, and each level of an index is neutralized."""
    assert neutralize_formulas(pd.DataFrame()).empty
    levels = pd.MultiIndex.from_tuples([("=a", 1)], names=["x", "=y"])
    safe = neutralize_formulas(pd.DataFrame({"a": [1]}, index=levels))
    assert safe.index.tolist() == [("'=a", 1)]
    assert list(safe.index.names) == ["x", "'=y"]


def one(id, **values):
    """Return a frame with one row."""
    return pd.DataFrame(values, index=pd.Index([id], name="id"), dtype=object)


@cases(
    ("old", "read"),
    [
        ("- a\n- b", "'- a\n- b"),
        ("- a\r\n- b", "'- a\n- b"),
        ("007", 7),
        ("1e3", 1000.0),
        ("TRUE", True),
        ("", None),
        ("NA", None),
        ("\x01", None),
        ("\x01NA\uffff", None),
        (True, "True"),
        (False, "FALSE"),
        (0.5, "0.50"),
        (7, "7"),
        (7, "7.0"),
        ("a\x01b\rc", "ab\nc"),
        ("=1\x01", "=1"),
        ("'- q", "'- q"),
        (None, ""),
        (0.1 + 0.2, 0.3),
        (pd.Timestamp("2026-01-05 07:30:09.123456", tz="UTC"), "2026-01-05 07:30"),
        (pd.Timestamp("2026-01-05 07:30:09.123456", tz="UTC"), pd.Timestamp("2026-01-05 07:30:09.123")),
    ],
)
def test_a_value_that_only_the_file_changed_is_restored(old, read):
    """What CSV, Excel and their readers make of a value is that value again."""
    assert restored(one(1, a=read), one(1, a=old))["a"].tolist() == [old]


@cases(
    ("old", "read", "new"),
    [
        ("- a", "'- b", "- b"),
        ("- a", "b", "b"),
        ("- a", "- b", "- b"),
        ("- a", "'tis", "'tis"),
        ("- a", "a-b", "a-b"),
        ("'- a", "'- b", "'- b"),
        ("a", "'- b", "'- b"),
        ("007", 8, 8),
        ("a", 1.0, 1.0),
        ("yes", True, True),
        ("a", None, None),
        ("a b", "a  b", "a  b"),
        (None, "b", "b"),
        (0.5, 0.75, 0.75),
        (0.5, "0.75", "0.75"),
        (0.5, "half", "half"),
        (True, "False", False),
        (True, "yes", "yes"),
        (10**15, 10**15 + 1, 10**15 + 1),
        (7, "1" * 400, "1" * 400),
        (pd.Timestamp("2026-01-05 07:30", tz="UTC"), "2026-01-05 07:32", "2026-01-05 07:32"),
        (pd.Timestamp("2026-01-05 07:30", tz="UTC"), "soon", "soon"),
    ],
)
def test_an_edit_stays_an_edit(old, read, new):
    """Another value is kept, without the apostrophe that the file added to the old one."""
    assert restored(one(1, a=read), one(1, a=old))["a"].tolist() == [new]


@pytest.mark.parametrize(
    ("ids", "known", "expected"),
    [
        ([7, 8], ["007", "8"], ["007", "8"]),
        ([7, 8], ["007", "7"], ["7", 8]),
        (["7", "12345678901234567890"], ["7", "12345678901234567890"], ["7", "12345678901234567890"]),
        (["1234567890123456789"], [1234567890123456789], [1234567890123456789]),
        ([123456789012345], ["000123456789012345"], ["000123456789012345"]),
        ([123456789012345], ["0000123456789012345"], [123456789012345]),
        (["'-a"], ["-a"], ["-a"]),
        ([9], [7], [9]),
    ],
)
def test_ids_are_those_that_were_fetched(ids, known, expected):
    """Numbers become the text they were read from where that is certain; unknown ids stay."""
    frame = pd.DataFrame({"a": "x"}, index=pd.Index(ids, name="id"))
    old = pd.DataFrame({"a": "x"}, index=pd.Index(known, name="id"))
    back = restored(frame, old)
    assert back.index.tolist() == expected
    assert back.index.name == "id"


def test_a_frame_that_was_read_is_not_changed():
    """The frame of the user keeps what it read, and rows that are not known are left alone."""
    read = pd.DataFrame({"a": [7, 8], "b": [1, 2]}, index=pd.Index([1, 2], name="id"))
    back = restored(read, one(1, a="007"))
    assert back["a"].tolist() == ["007", 8]
    assert read["a"].tolist() == [7, 8]
    assert restored(read, one(1, a="007").head(0))["a"].tolist() == [7, 8]
