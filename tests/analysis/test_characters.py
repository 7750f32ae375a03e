import pyarrow as pa
import pytest

from inkframe.analysis import characters
from inkframe.analysis.characters import DIGIT, EXTEND, JOINER, LETTER, UNSPACED, chunks, classes


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_chunks_have_every_document_once_in_order(monkeypatch, kind):
    """Texts are complete for any size of chunks, also from slices of a column."""
    monkeypatch.setattr(characters, "CHUNK", 7)
    texts = ["", "one", "two words", "é", "", "日本語", "a much longer text than a chunk", "end"]
    column = pa.chunked_array([pa.array(texts[:5], kind).slice(1), pa.array(texts[5:], kind)])
    found = {}
    for chunk in chunks(column):
        for at in range(chunk.bounds.size - 1):
            found[chunk.first + at] = chunk.spell(chunk.bounds[at], chunk.bounds[at + 1])
    assert found == dict(enumerate(texts[1:]))


def test_lower_case_folds_typographic_apostrophes(column):
    """Words with a typographic or a plain apostrophe are equal."""
    (chunk,) = chunks(column("DON\u2019T", "Ünder"), lower=True)
    assert chunk.spell(0, chunk.codes.size) == "don'tünder"


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("aЖª한", LETTER),
        ("7٣", DIGIT),
        ("'.", JOINER),
        ("日กテ\U00020000", UNSPACED),
        ("\u0301\u00ad", EXTEND),
        ("☃\U0001f680\u200b -²", 0),
    ],
)
def test_classes_follow_unicode(column, characters, kind):
    """Letters, digits, joiners, marks and letters of scripts without spaces have different classes."""
    (chunk,) = chunks(column(characters))
    assert classes(chunk).tolist() == [kind] * len(characters)
