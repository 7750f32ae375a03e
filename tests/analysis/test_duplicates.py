import pandas as pd
import pytest
from tests.cases import type_name, with_texts

from inkframe.analysis import near_duplicates

BASE = "The kettle boils one liter in four minutes and its handle stays cool to the touch all the while"


@pytest.fixture
def library():
    """Two versions of one text, three copies of another, unique texts, and two without words."""
    texts = [
        BASE,
        "A text of its own about something else.",
        f"{BASE}.",
        "Copy this.",
        "copy  this",
        "Copy this!",
    ]
    texts += [BASE.replace("four", "five"), None, "", "Yet another text that nobody has written before."]
    return with_texts(pd.DataFrame({"result": texts}, index=[f"d{number}" for number in range(10)]))


def test_groups_and_representatives(library):
    """Records are sorted by group, the representative first; unique records are left out."""
    found = near_duplicates(library, 0.8)
    assert list(found.index) == ["d0", "d2", "d6", "d3", "d4", "d5"]
    assert found["group"].tolist() == [1, 1, 1, 2, 2, 2]
    assert found["representative"].tolist() == ["d0"] * 3 + ["d3"] * 3
    assert found["is_representative"].tolist() == [True, False, False] * 2
    itself = float("nan")
    assert found["similarity"].tolist() == pytest.approx([itself, 1, 1 - 3 / 37, itself, 1, 1], nan_ok=True)
    assert found.attrs["analysis"]["notes"] == ["Left out without words: 2 of 10 records."]


@pytest.mark.integration
def test_the_threshold_decides(library):
    """With a threshold above the similarity of the two versions, only copies remain."""
    assert list(near_duplicates(library, 0.95).index) == ["d3", "d4", "d5", "d0", "d2"]
    assert list(near_duplicates(library, 1).index) == ["d3", "d4", "d5", "d0", "d2"]


@pytest.mark.integration
def test_a_library_without_duplicates(library):
    """Without duplicates there are no rows, but the same columns and types."""
    none = near_duplicates(library.loc[["d1", "d9"]])
    assert len(none) == len(near_duplicates(library.iloc[:0])) == 0
    assert none.dtypes.map(type_name).to_dict() == near_duplicates(library).dtypes.map(type_name).to_dict()


def test_scripts_without_spaces_are_compared_by_letters():
    """Two Japanese texts that differ in one letter are near duplicates."""
    text = "この湯沸かしは四分で一リットルの湯を沸かし持ち手は熱くなりません"
    frame = pd.DataFrame({"result": [text, text.replace("四", "五"), "まったく別の文章です"]})
    assert list(near_duplicates(frame).index) == [0, 1]


def test_pictures_are_compared_by_what_they_show(images, pictures):
    """The same drawing at another size is a duplicate; other and missing pictures are not."""
    found = near_duplicates(images, pictures=pictures)
    assert list(found.index) == ["a", "c"]
    assert found["representative"].tolist() == ["a", "a"]
    assert found["similarity"].iloc[1] >= 0.9
    del pictures["c"]
    none = near_duplicates(images, pictures=pictures)
    assert len(none) == 0
    assert none.attrs["analysis"]["notes"] == ["Left out without a picture: 1 of 4 records."]


def test_whole_table(library, recorded):
    """All columns, units and notes."""
    recorded("texts", near_duplicates(library))
