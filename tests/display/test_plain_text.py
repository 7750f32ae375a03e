"""Test cleaning and measuring plain text."""

import pandas as pd
import pytest

from inkframe.analysis import text_statistics
from inkframe.display.markup import (
    counted,
    cut,
    joined,
    line,
    measure,
    plain,
    spell_bytes,
    spell_number,
    spell_seconds,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc\x0bd\u2028e\tf\x00\x1b[0m\x7f\x9b", "a\nb\nc\nd\ne\tf[0m"),
        ("\u202eab\u202d\ud800\ufffe", "ab"),
        ("\u200f\u05e9\u05dc\u2067x\u2069", "\u200f\u05e9\u05dc\u2067x\u2069"),
        (3.5, "3.5"),
    ],
)
def test_plain_keeps_lines_tabs_and_directions_only(text, expected):
    """Line breaks become line feeds, other controls, overrides and lone surrogates go, and marks of real texts stay."""
    assert plain(text) == expected


def test_line_is_one_line_without_hidden_marks():
    """White space becomes single spaces, and invisible characters are removed but for the joiners of emoji."""
    assert line("  exe\u202egpj.\n\u200b x\ufeff\u2066y\u2069 ") == "exegpj. xy"
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert line(family) == family


def test_line_of_megabytes_is_cut():
    """A huge text becomes a line of at most the limit."""
    assert len(line("word " * 1_000_000, 50)) <= 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "0 words"),
        ("one", "1 word"),
        ("a b  c\n", "3 words"),
        ("Read <b>it</b> at https://example.test/a-b or `run it`: well-kept.", "6 words"),
        ("日本語の文章", "6 characters"),
        ("สวัสดี", "6 characters"),
    ],
)
def test_measure_counts_words_or_characters(text, expected):
    """Words are counted as the measures of texts count them, or characters in scripts without spaces."""
    assert measure(text) == expected
    count = text_statistics(pd.DataFrame({"result": [text]}))["words"].iloc[0]
    assert expected.startswith(f"{count} ") or (pd.isna(count) and expected.endswith("characters"))


def test_counted_and_joined():
    """Numbers have separators and plurals, and empty parts are left out."""
    assert counted(1840, "row") == "1,840 rows"
    assert joined("a", "", None, "b") == "a · b"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "0 s"),
        (0.04, "0.0 s"),
        (9.4, "9.4 s"),
        (9.95, "10 s"),
        (89, "89 s"),
        (90, "2 min"),
        (5_399, "90 min"),
        (5_400, "2 h"),
        (36_000, "10 h"),
    ],
)
def test_durations_have_their_largest_unit(seconds, expected):
    """Minutes begin at 90 seconds, and hours at 90 minutes."""
    assert spell_seconds(seconds) == expected


def test_sizes_and_numbers_are_as_long_as_they_are_read():
    """Sizes have one decimal at most, and numbers six."""
    assert [spell_bytes(size) for size in (50e6, 1.25e6, 0, 20_400, 1.2345e9)] == [
        "50 MB",
        "1.2 MB",
        "0 kB",
        "20 kB",
        "1,234.5 MB",
    ]
    assert [spell_number(value) for value in (2026, 0.1 + 0.2, 1234567.0, True)] == [
        "2026",
        "0.3",
        "1234567",
        "True",
    ]


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc…"),
        ("abcdefg hijk", 11, "abcdefg hi…"),
        ("abcdefgh ijkl", 11, "abcdefgh…"),
        ("ab cdefghijklmnop", 10, "ab cdefgh…"),
        ("abc   defgh", 7, "abc…"),
    ],
)
def test_a_cut_is_at_a_word_near_the_limit(text, limit, expected):
    """A word is kept whole if that costs less than a third of the limit, which a cut text never exceeds."""
    assert cut(text, limit) == expected
    assert len(expected) <= limit


def test_a_line_has_200_characters_by_default():
    """A line of 200 characters is whole, and a longer one is cut."""
    assert line("x" * 200) == "x" * 200
    assert line("x" * 201) == "x" * 199 + "…"
    assert line(" " * 1_599 + "x" + "y" * 9) == "x"
