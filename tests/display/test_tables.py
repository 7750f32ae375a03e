"""Test DataFrames as tables with pictures."""

import base64
import io
import re

import pandas as pd
import PIL.Image
import pytest

from inkframe.display.tables import table
from inkframe.display.view import weigh


@pytest.fixture
def frame(image):
    """A frame of four images."""
    return pd.DataFrame([{**image, "id": n} for n in range(4)]).set_index("id")


def test_pictures_are_in_cells(frame, picture):
    """Each row has its picture or the reason why it is missing, instead of the column of addresses."""
    html = table(
        frame, {0: picture(0), 1: picture(1), 2: "The picture is gone.", 3: b"<svg>"}, service="s"
    ).html
    assert html.count("<img") == 2
    assert ">The picture is gone.</div>" in html
    assert "It looks like SVG." in html
    assert "content.invalid" not in html
    assert ">4 rows · s<" in html


def order(html, column):
    """Return the first cell of each row, sorted by the ranks of a column."""
    rows = re.findall(r'<tr role="row" style="([^"]*)"><th[^>]*>(.*?)</th>', html)
    return [
        name
        for _, name in sorted((int(re.search(rf"--s{column}:(\d+)", ranks)[1]), name) for ranks, name in rows)
    ]


def test_rows_are_sorted_by_any_column():
    """Numbers sort by size, times by time, texts without case; missing values are last, also beside other types."""
    times = pd.to_datetime(["2026-01-09", "2026-01-10", None], utc=True)
    frame = pd.DataFrame(
        {"n": [10, 9, 2.5], "text": ["b", "A", None], "when": times, "mixed": [2, "a", None]},
        index=["x", "y", "z"],
    )
    html = table(frame).html
    assert order(html, 1) == ["z", "y", "x"]
    assert order(html, 2) == ["y", "x", "z"]
    assert order(html, 3) == ["x", "y", "z"]
    assert order(html, 4)[-1] == "z"
    assert html.count('type="radio"') == 2 * 4  # the index has no name


def test_a_wide_table_sorts_by_its_first_columns():
    """The size of a row is bounded by the number of columns that it can be sorted by."""
    html = table(pd.DataFrame([range(60)] * 2)).html
    assert html.count('type="radio"') == 2 * 24


@pytest.mark.integration
def test_rows_beyond_the_limit_are_counted():
    """A line has the total number of rows if not all are shown."""
    many = pd.DataFrame({"a": range(500)})
    assert ">100 of 500 rows<" in table(many).html
    assert ">7 of 500 rows<" in table(many, rows=7).html
    assert ">1 of 500 rows<" in table(many, rows=1).html
    wide = pd.DataFrame({"a": ["語" * 6_000] * 100})
    view = table(wide)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "of 100 rows" in view.html


def test_a_long_text_is_folded_without_heading_marks():
    """The summary of a long text has a dot behind each heading instead of its marks; a short text keeps them."""
    html = table(pd.DataFrame({"a": ["# Kettle\n\n### Two #2\n#tag C# " + "Steel waits. " * 20, "# 5"]})).html
    assert "<summary>Kettle · Two #2 · #tag C# Steel waits." in html
    assert "># 5<" in html


def test_odd_frames_are_shown():
    """Equal column names, many columns, several index levels and empty frames are shown."""
    assert table(pd.DataFrame([[1, 2]], columns=["a", "a"])).html.count("<td") == 2
    assert ">60 of 90 columns<" in table(pd.DataFrame([range(90)])).html.replace("1 row · ", "")
    assert "0 rows" in table(pd.DataFrame({"a": []})).html
    levels = pd.MultiIndex.from_tuples([(1, "x")], names=["n", "<i>"])
    assert "<i>" not in table(pd.DataFrame({"a": [1]}, index=levels)).html


def test_the_plain_text_has_at_most_twenty_rows():
    """Of more rows the first and last ten are in the plain text."""
    for count, rows in [(20, 20), (21, 20), (60, 20)]:
        lines = table(pd.DataFrame({"a": [f"row{at}" for at in range(count)]})).text.splitlines()
        shown = [line for line in lines if re.search(r"row\d+$", line)]
        assert len(shown) == rows
        assert shown[-1].endswith(f"row{count - 1}")


@pytest.mark.integration
def test_pictures_have_twice_the_pixels_of_their_cell(frame, picture):
    """A picture in a cell is 72 pixels wide on the page and 144 in the file, in at most 3 kB."""
    html = table(frame, {0: picture(0, 400)}).html
    packed = re.search(r"data:image/jpeg;base64,([^\"]+)", html)[1]
    data = base64.b64decode(packed)
    assert len(data) <= 3_000
    assert max(PIL.Image.open(io.BytesIO(data)).size) == 144
    assert 'width="72"' in html


def test_whole_table(frame, picture, recorded):
    """A table of images with numbers, times, long texts and missing values."""
    rich = frame.assign(
        score=[0.1234567, 2, None, 1e9],
        count=[1, 2, 3, 4],
        when=pd.to_datetime(["2026-01-09", None, "2026-01-10", "2026-01-10"], utc=True),
        note=["x " * 80, "y" * 60, "", "# Short"],
        mixed=[True, 1, "a", None],
        favorite=pd.array([True, False, None, True], "boolean"),
    )
    recorded("table", table(rich, {0: picture(0), 2: "The picture is gone.\nFetch it again."}, service="s"))


def test_rules_of_sorting():
    """The first 24 columns with a name have two rules each, which set the order of the rows."""
    html = table(pd.DataFrame([[1] * 30], columns=["", *range(29)])).html
    (rules,) = re.findall(r"<style>(\.ink-sorted.*?)</style>", html)
    found = re.findall(
        r"\.ink-sorted:has\(\.ink-(\w+)-(\d+):checked\) tbody>tr>\*\{order:calc\((-?1)\*var\(--s(\d+)\)\)\}",
        rules,
    )
    assert found == [
        (way, f"{at}", sign, f"{at}") for at in range(2, 26) for way, sign in (("up", "1"), ("down", "-1"))
    ]
    assert rules.startswith(
        ".ink-sorted:has(.ink-up-2:checked) tbody>tr>*{order:calc(1*var(--s2))}.ink-sorted:has(.ink-down-2:"
    )
    assert html.count('name="sort-') == 48
