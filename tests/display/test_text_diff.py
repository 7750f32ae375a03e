"""Test the comparison of texts."""

import random

import pytest

from inkframe.display.comparison import MOST_WORDS, Words, against_first, matches
from inkframe.display.markup import Html


def columns(*texts):
    return [str(body) for body in against_first([Words.of(text) for text in texts])]


def test_runs_of_words_are_marked_as_one():
    """Words that only one text has are in one mark, without punctuation."""
    first, second = columns("The kettle is made of steel.", "The small quiet kettle is steel.")
    assert first == "The kettle is <del>made of</del> steel."
    assert second == "The <ins>small quiet</ins> kettle is steel."


def test_more_than_two_texts_are_compared_with_the_first():
    """The first text marks words that no other has; each other marks words that the first lacks."""
    assert columns("a b c", "a b x", "a y c") == ["a b c", "a b <ins>x</ins>", "a <ins>y</ins> c"]
    assert columns("a b c", "a x c", "a y c")[0] == "a <del>b</del> c"


def test_a_run_of_words_is_marked_between_the_tags_of_its_text():
    """Markup stays well-formed: no mark crosses a tag, and none is around white space alone."""
    first = Words.of(Html("<p>one two</p>\n<p>three</p>"))
    second = Words.of(Html('<p>one <em>2 &lt; 3</em></p>\n<p title="a > b">four</p>'))
    [_, body] = against_first([first, second])
    assert body == ('<p>one <em><ins>2 &lt; 3</ins></em></p>\n<p title="a > b"><ins>four</ins></p>')


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("日本語の文章です。", "日本の長い文章です。", "日本の<ins>長い</ins>文章です。"),
        ("สวัสดีชาวโลก", "สวัสดีครับโลก", "สวัสดี<ins>ครับ</ins>โลก"),
        ("ดีมาก", "ดิมาก", "<ins>ดิ</ins>มาก"),
        ("हिन्दी भाषा", "हिन्दी की भाषा", "हिन्दी <ins>की</ins> भाषा"),
        ("don't stop", "don't we stop", "don't <ins>we</ins> stop".replace("'", "&#x27;")),
    ],
)
def test_scripts_without_spaces_are_compared_by_character(first, second, expected):
    """In scripts without spaces, characters with their vowel signs are compared, elsewhere words."""
    assert columns(first, second)[1] == expected


def test_words_are_shared_once():
    """Each word is shared with one other, also where the words of a common end occur before it."""
    for first, second, expected in (
        ("a c x c", "a y c", [(0, 0), (3, 2)]),
        ("a y c", "a c x c", [(0, 0), (2, 3)]),
        ("a a", "a", [(0, 0)]),
        ("a", "a a", [(0, 0)]),
        ("x a b", "y a b", [(1, 1), (2, 2)]),
        ("a b", "c d", []),
        ("a b c d e", "a x c y e", [(0, 0), (2, 2), (4, 4)]),
        ("a b", "c a b", [(0, 1), (1, 2)]),
        ("a b c", "a b", [(0, 0), (1, 1)]),
        ("x", "", []),
    ):
        assert matches(Words.of(first), Words.of(second)) == expected


def test_texts_are_complete():
    """Without its marks each text is unchanged, including spaces."""
    chance = random.Random(3)
    for _ in range(30):
        texts = ["".join(chance.choices("ab \n.日é\u0301", k=40)) for _ in range(2)]
        bare = [
            body.replace("<del>", "").replace("</del>", "").replace("<ins>", "").replace("</ins>", "")
            for body in columns(*texts)
        ]
        assert bare == texts


def test_marks_contain_text_only():
    """HTML within a marked run is escaped."""
    assert columns("a", "a <script>x</script>")[1] == "a <ins>&lt;script&gt;x&lt;/script&gt;</ins>"


def test_long_and_repetitive_texts_are_fast():
    """The number of words is limited, and repetition does not multiply the time."""
    words = Words.of("a b " * 20_000)
    assert len(words.spans) == MOST_WORDS
    assert len(matches(words, Words.of("b b a " * 20_000))) < MOST_WORDS


def test_whole_columns(recorded):
    """Marks and unmarked punctuation of five texts, one of them empty."""
    texts = [
        "The kettle, made of steel (2 l), boils - don't touch!",
        "The kettle made of brushed steel (1 l) boils; do not touch!",
        "A lamp.",
        "",
        "The kettle, made of steel (2 l), boils - don't touch!",
    ]
    recorded("columns", [str(body) for body in against_first([Words.of(t) for t in texts])])


@pytest.mark.parametrize(("count", "kept"), [(3_999, 3_999), (4_000, 4_000), (4_001, 4_000)])
def test_words_are_counted_up_to_a_limit(count, kept):
    """At most 4,000 words are compared."""
    assert len(Words.of("a " * count).spans) == kept


def test_space_after_the_last_word_is_not_marked():
    """A mark ends with its last word, also at the end of a text."""
    assert columns("a b \n", "a x  ") == ["a <del>b</del> \n", "a <ins>x</ins>  "]
