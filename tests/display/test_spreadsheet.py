"""Frames on their way to a spreadsheet."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from inkframe.display import neutralise_formulas

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1"]
HARMLESS = ["-5", "+4.5", "-1e3", "-12,5", "12%", "plain", "a=b", "", "'quoted"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_get_an_apostrophe(text):
    """A text that a spreadsheet would calculate is shown instead."""
    assert neutralise_formulas(pd.DataFrame({"a": [text]}))["a"].iloc[0] == f"'{text}"


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_plain_texts_stay(text):
    """Numbers written as text, negative ones too, and all else stay as they are."""
    assert neutralise_formulas(pd.DataFrame({"a": [text]}))["a"].iloc[0] == text


def test_every_place_of_a_frame_is_covered():
    """Categories, objects, missing values, column names, index labels and equal names are all seen to; numbers keep their type."""
    frame = pd.DataFrame(
        [["=1", "=2", -5, None]], columns=["=x", "b", "c", "c"], index=pd.Index(["@id"], name="+n")
    ).astype({"b": "category"})
    safe = neutralise_formulas(frame)
    rows = list(csv.reader(io.StringIO(safe.to_csv())))
    assert rows == [["'+n", "'=x", "b", "c", "c"], ["'@id", "'=1", "'=2", "-5", ""]]
    assert frame.iloc[0, 0] == "=1"
    assert safe.iloc[:, 2].dtype == frame.iloc[:, 2].dtype


def test_empty_frames_and_index_levels():
    """Nothing to do is done without complaint; each level of an index is seen to."""
    assert neutralise_formulas(pd.DataFrame()).empty
    levels = pd.MultiIndex.from_tuples([("=a", 1)], names=["x", "=y"])
    safe = neutralise_formulas(pd.DataFrame({"a": [1]}, index=levels))
    assert safe.index.tolist() == [("'=a", 1)]
    assert list(safe.index.names) == ["x", "'=y"]
