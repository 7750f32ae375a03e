import pyarrow as pa
import pytest

from inkframe.analysis import words as characters
from inkframe.analysis.words import DIGIT, EXTEND, JOINER, LETTER, UNSPACED, chunks, classes


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_chunks_have_every_document_once_in_order(monkeypatch, kind):
    """Texts are complete and chunks of their size, also from slices of a column."""
    monkeypatch.setattr(characters, "CHUNK", 7)
    texts = ["", "one", "two words", "é", "", "日本語", "a much longer text than a chunk", "end"]
    column = pa.chunked_array([pa.array(texts[:5], kind).slice(1), pa.array(texts[5:], kind)])
    found, sizes = {}, []
    for chunk in chunks(column):
        sizes.append(chunk.bounds.size - 1)
        for at in range(chunk.bounds.size - 1):
            found[chunk.first + at] = chunk.spell(chunk.bounds[at], chunk.bounds[at + 1])
    assert found == dict(enumerate(texts[1:]))
    assert sizes == [2, 1, 1, 1, 1, 1]


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


def test_scripts_without_spaces_end_where_they_should(column):
    """The first and last letters of each such script have their class, and the letters beside them another."""
    inside = (
        *(0xE01, 0xF8C, 0x1000, 0x108E, 0x1780, 0x17DC, 0x1950, 0x1AA7, 0x1B05, 0x1B4C, 0x3005, 0x3007),
        *(0x3021, 0x30FF, 0x31F0, 0x31FF, 0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xA984, 0xA9FE, 0xAA60, 0xAA7F),
        *(0xF900, 0xFAD9, 0xFF66, 0xFF9F, 0x20000, 0x3FFFF),
    )
    outside = (
        *(0xDC6, 0x10A0, 0x1770, 0x1820, 0x191E, 0x1B83, 0x2E2F, 0x3105, 0x31BF, 0xA000, 0xA97C, 0xAA00),
        *(0xAA4B, 0xAA80, 0xD7FB, 0xFB00, 0xFF5A, 0xFFA0, 0x1EEBB),
    )
    (chunk,) = chunks(column("".join(map(chr, (*inside, *outside, 0x40000, 0x10FFFF)))))
    expected = [UNSPACED] * len(inside) + [LETTER] * len(outside) + [0, 0]
    assert classes(chunk).tolist() == expected
