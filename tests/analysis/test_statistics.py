import pandas as pd
import pytest

from inkframe.analysis import text_statistics
from inkframe.versions import text_type

PLATYPUS = "The Australian platypus is seemingly a hybrid of a mammal and reptilian creature."


def frame_of(*texts, **columns):
    return pd.DataFrame({"result": list(texts)} | columns, index=range(7, 7 + len(texts)))


def test_published_worked_examples():
    """Words, syllables and reading ease equal those of the published examples.

    English Wikipedia, "Flesch-Kincaid readability tests": 24 syllables and 13 words give 37.5; 116; 69.
    """
    cat, passage = (
        "The cat sat on the mat.",
        "This sentence, taken as a reading passage unto itself, is being used to prove a point.",
    )
    found = text_statistics(frame_of(PLATYPUS, cat, passage), language="en")
    assert found["words"].tolist() == [13, 6, 16]
    assert found["syllables"].iloc[0] == 24
    assert found["reading_ease"].tolist() == pytest.approx([37.5, 116, 69], abs=0.5)


def test_gettysburg_address(address):
    """The speech has its 272 words and ten sentences, in three paragraphs."""
    found = text_statistics(frame_of(address)).iloc[0]
    assert (found["words"], found["sentences"], found["paragraphs"]) == (272, 10, 3)
    assert found["reading_minutes"] == pytest.approx(272 / 238)


@pytest.mark.integration
def test_the_language_is_not_guessed():
    """Readability is missing unless the call or the frame marks a text as English."""
    texts = (PLATYPUS, PLATYPUS, PLATYPUS)
    assert text_statistics(frame_of(*texts))["reading_ease"].isna().all()
    assert text_statistics(frame_of(*texts), language="de")["syllables"].isna().all()
    by_row = text_statistics(frame_of(*texts, language=["en-GB", "de", None]))
    assert by_row["reading_ease"].notna().tolist() == [True, False, False]
    assert (
        text_statistics(frame_of(*texts, language=["de"] * 3), language="en")["syllables"].tolist()
        == [24] * 3
    )


def test_measures_can_be_chosen():
    """Only the requested measures are returned, in that order, with their units."""
    found = text_statistics(frame_of("One two."), measures=["words", "reading_ease"], language="en")
    assert list(found.columns) == list(found.attrs["analysis"]["units"]) == ["words", "reading_ease"]


@pytest.mark.parametrize(
    "kind", [text_type(), "object", "category", "string[python]", "large_string[pyarrow]"]
)
def test_every_type_of_text_column(kind):
    """Objects, categories and every string type of pandas give the same numbers."""
    frame = frame_of("One two.", None, "Ünder three.").astype({"result": kind})
    assert text_statistics(frame)["words"].tolist() == [2, pd.NA, 2]


def test_columns_keep_their_types_when_empty():
    """An empty frame has the same columns and types."""
    some = text_statistics(frame_of("One."))
    none = text_statistics(frame_of("One.").iloc[:0])
    assert none.dtypes.tolist() == some.dtypes.tolist()
    assert len(none) == 0


def test_lone_surrogates_are_accepted():
    """Text that cannot be encoded, which only object columns can have, is measured."""
    broken = pd.DataFrame({"result": pd.Series(["broken \ud83d pair"], dtype="object")})
    assert text_statistics(broken)["words"].tolist() == [2]


@pytest.mark.integration
def test_dask_frames_stay_lazy():
    """A dask frame stays lazy and has the same numbers and types."""
    dask = pytest.importorskip("dask.dataframe")
    frame = frame_of("One two.", "Three.", None, PLATYPUS).astype({"result": text_type()})
    lazy = text_statistics(dask.from_pandas(frame, npartitions=2), language="en")
    pd.testing.assert_frame_equal(lazy.compute(), text_statistics(frame, language="en"))
    assert lazy.dtypes.tolist() == text_statistics(frame).dtypes.tolist()


def test_whole_statistics(address, recorded):
    """Every measure of rich texts in a table, with units and the note on missing texts."""
    texts = [
        address,
        "# Kettle\n\nIt boils [one liter](https://a.invalid). `code`\n\n- It is **quiet**!\n- Isn't it? #tea #cup",
        "日本語の文章です。短い。",
        "",
        None,
    ]
    frame = frame_of(*texts, language=["en", "en-GB", "ja", "en", None])
    recorded("statistics", text_statistics(frame, window=20))
