"""Verdicts about lists: proof that a parameter is honored, contradiction, or neither."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inkframe.schema import IMAGES
from inkframe.workflows.list_judges import (
    judge_disjoint,
    judge_field,
    judge_filter,
    judge_names,
    judge_newest_first,
    judge_reversal,
    judge_search,
    judge_sizes,
    search_word,
)

CODES = ("anime", "retro")


def styled(*pairs):
    return [{"id": id, "style": style} for id, style in pairs]


SAMPLE = styled((4, "anime"), (3, "retro"), (2, "anime"), (1, None))
LISTED = "2 records with style 'anime' listed; others, such as 3, are left out."
BOTH = "Records with style 'anime' are left out: 4, 2."
NO_MATCH = "No record with style 'anime' is known, so that the filter cannot be seen."
NO_OTHER = "No record with another style is known, so that the filter cannot be seen."


@pytest.mark.parametrize(
    ("found", "verdict", "lacking"),
    [
        (styled((4, "anime"), (2, "anime")), ("holds", LISTED), []),
        (SAMPLE, ("fails", "1 of 4 records have another style: 3."), []),
        (styled(*((id, "retro") for id in (9, 8, 7, 6))), ("fails", "4 of 4 records have another style: 9, 8, 7, …."), []),
        (styled((4, "anime")), ("fails", "Records with style 'anime' are left out: 2."), [2]),
        ([], ("fails", BOTH), [4, 2]),
        (styled((4, "anime"), (2, "anime"), (1, "Anime, new")), ("holds", LISTED), []),
        (styled((9, None), (8, None)), ("fails", BOTH), [4, 2]),
    ],
)  # fmt: skip
def test_a_filter(found, verdict, lacking):
    """Another value of the vocabulary or a matching record left out is a contradiction; a synonym is not."""
    assert judge_filter(found, SAMPLE, "style", "anime", CODES, 100) == (verdict, lacking)


def test_a_filter_whose_page_is_full_may_leave_out_older_records():
    """A record that may be on the next page is not left out."""
    found = styled((4, "anime"))
    full, open_page = (judge_filter(found, SAMPLE, "style", "anime", CODES, size) for size in (1, 2))
    assert full == (("holds", LISTED.replace("2 records", "1 record")), [])
    assert open_page == (("fails", "Records with style 'anime' are left out: 2."), [2])


@pytest.mark.parametrize(
    ("found", "sample", "evidence"),
    [
        ([], styled((1, "retro")), NO_MATCH),
        (styled((1, "anime")), styled((1, "anime")), NO_OTHER),
        (styled((1, "anime")), styled((1, "anime"), (2, "noir")), NO_OTHER),
        (styled((1, None)), styled((1, None)), NO_MATCH),
        ([], [], NO_MATCH),
    ],
)
def test_a_filter_that_cannot_be_seen(found, sample, evidence):
    """Without a record that matches and one that does not, the filter is unknown."""
    assert judge_filter(found, sample, "style", "anime", CODES, 100) == (("unknown", evidence), [])


def called(*names):
    return [{"id": id, "name": name} for id, name in enumerate(names, 1)]


NAMES = called("Red harbor", "Harbors at dawn", "A kettle", "")
LEFT_OUT = "Records with 'harbor' in name are left out: 1."


@pytest.mark.parametrize(
    ("found", "verdict", "lacking"),
    [
        (NAMES[:2], ("holds", "2 records with 'harbor' in name listed; others are left out."), []),
        (NAMES[:1], ("holds", "1 record with 'harbor' in name listed; others are left out."), []),
        (NAMES, ("fails", "2 of 4 records have no 'harbor' in name: 3, 4."), []),
        (NAMES[1:2], ("fails", LEFT_OUT), [1]),
        ([], ("fails", LEFT_OUT), [1]),
        (
            [*NAMES[:1], {"id": 9, "name": "Hardly"}],
            ("holds", "2 records with 'harbor' in name listed; others are left out."),
            [],
        ),
        (
            [*NAMES[:1], {"id": 9, "name": "A hat"}],
            ("fails", "1 of 2 records have no 'harbor' in name: 9."),
            [],
        ),
    ],
)
def test_a_search(found, verdict, lacking):
    """A record without the word is a contradiction, and so is one left out; forms of the word are neither."""
    assert judge_search(found, NAMES, "name", "harbor", 100) == (verdict, lacking)


def test_a_search_whose_page_is_full_may_leave_out_older_records():
    """A record that may be on the next page is not left out."""
    statuses = [judge_search(NAMES[1:2], NAMES, "name", "harbor", size)[0][0] for size in (1, 2)]
    assert statuses == ["holds", "fails"]


@pytest.mark.parametrize(
    ("found", "sample"),
    [
        (called("Red harbor", "Old harbor"), called("Red harbor", "Old harbor")),
        ([], called("A kettle")),
        (called(None), called(None, "A kettle")),
    ],
)
def test_a_search_that_cannot_be_seen(found, sample):
    """If all records have the word, or none, the search is unknown."""
    assert judge_search(found, sample, "name", "harbor", 100) == (
        ("unknown", "No two records differ in name by 'harbor', so that the search cannot be seen."),
        [],
    )


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (["Ancient harbor", "Old harbor", "My kettle", "A teapot"], "harbor"),
        (["7", "", None], None),
        ([], None),
        (["abc Äpfel a9bcde one_two pear"], "pear"),
        (["a" * 20], "a" * 20),
        (["a" * 21], None),
        (["x" * 995 + " four"], "four"),
        (["x" * 996 + " four"], None),
        (["x" * 995 + " fours"], "four"),
    ],
)
def test_the_word_of_a_search(names, word):
    """It is a plain word of 4 to 20 letters that about half of the records have, early in the text."""
    assert search_word(called(*names), "name") == word


ORDERED = "3 records are ordered by id, descending."
NO_TIME = "The records do not show when they were created."


@pytest.mark.parametrize(
    ("ids", "verdict"),
    [
        ([3, 2, 1], ("holds", ORDERED)),
        ([3, 3, 2], ("holds", ORDERED)),
        ([2, 3, 1], ("fails", "3 was created after 2, and follows it.")),
        ([2, 2], ("unknown", NO_TIME)),
        ([1], ("unknown", NO_TIME)),
        ([], ("unknown", NO_TIME)),
        (["b", "a"], ("unknown", NO_TIME)),
    ],
)
def test_newest_first(ids, verdict):
    """Numeric ids show the order; text ids without times do not."""
    assert judge_newest_first([{"id": id, "created_at": None} for id in ids]) == verdict


def test_newest_first_by_time():
    """Text ids are ordered by their times."""
    times = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2)]
    rows = [{"id": id, "created_at": time} for id, time in zip("ab", times, strict=True)]
    assert judge_newest_first(rows) == ("fails", "'b' was created after 'a', and follows it.")
    assert judge_newest_first(rows[::-1]) == ("holds", "2 records are ordered by created_at, descending.")


@pytest.mark.parametrize(
    ("up", "down", "size", "verdict"),
    [
        ([1, 2, 3], [3, 2, 1], 100, ("holds", "asc begins with 1, desc with 3.")),
        ([3, 2, 1], [3, 2, 1], 100, ("fails", "The order is the same for asc and desc: 3, 2, 1.")),
        ([1, 3, 2], [3, 2, 1], 100, ("fails", "asc begins with 1, desc with 3.")),
        ([1, 2], [9, 8], 2, ("holds", "asc begins with 1, desc with 9.")),
        ([1, 2], [9, 8], 3, ("fails", "asc begins with 1, desc with 9.")),
        ([2, 1], [9, 8], 2, ("fails", "asc begins with 2, desc with 9.")),
        ([1], [1], 100, ("unknown", "There are fewer than two records.")),
        (["a", "b"], ["b", "a"], 100, ("holds", "asc begins with 'a', desc with 'b'.")),
        (["a", "b"], ["d", "c"], 2, ("unknown", "asc begins with 'a', desc with 'd'.")),
    ],
)
def test_a_reversal(up, down, size, verdict):
    """A whole list is exactly reversed, the first page of a longer one begins with the oldest."""
    rows = [[{"id": id, "created_at": None} for id in ids] for ids in (up, down)]
    assert judge_reversal(*rows, size) == verdict


REVERSE = "The records are in the reverse order of their names, whatever sort is."
ONE_LETTER = "There are no two names that begin with different letters."


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (["apple", "Banana", "cherry"], ("holds", "3 records in the order of their names.")),
        (["cherry", "Banana", "apple"], ("holds", REVERSE)),
        (["b", "b", "a"], ("holds", REVERSE)),
        (["Banana", "apple", "cherry"], ("fails", "'Banana' is before 'apple'.")),
        (["é", "Banana", "ähre", "cherry", "9"], ("holds", "5 records in the order of their names.")),
        (["apple", None, "Banana"], ("holds", "3 records in the order of their names.")),
        (["apple", "avocado"], ("unknown", ONE_LETTER)),
        ([], ("unknown", ONE_LETTER)),
    ],
)
def test_the_order_of_names(names, verdict):
    """Only letters that all alphabets have in common are compared, in either direction."""
    assert judge_names(called(*names)) == verdict


@pytest.mark.parametrize(
    ("counts", "most", "verdict"),
    [
        ({100: 100, 25: 25}, 237, ("holds", "A page of 100 has 100 records.")),
        ({100: 50, 25: 25}, 237, ("fails", "A page of 100 has 50 records, although there are at least 237.")),
        ({100: 237, 25: 237}, 237, ("fails", "A page of 100 has 237 records.")),
        ({100: 30, 25: 25}, 30, ("holds", "A page of 25 has 25 records.")),
        ({100: 7, 25: 7}, 7, ("unknown", "There are fewer than 100 records.")),
        ({25: 24}, 25, ("fails", "A page of 25 has 24 records, although there are at least 25.")),
        ({25: 24}, 24, ("unknown", "There are fewer than 25 records.")),
        ({25: 1}, 1000, ("fails", "A page of 25 has 1 record, although there are at least 1,000.")),
    ],
)
def test_page_sizes(counts, most, verdict):
    """One size that is not honored is a contradiction; a small collection shows nothing."""
    assert judge_sizes(counts, most) == verdict


@pytest.mark.parametrize(
    ("name", "values", "is_shown", "verdict"),
    [
        ("style", ["anime", None], True, ("holds", "1 of 2 records have a value.")),
        ("style", ["anime", "noir"], True, ("fails", "1 values are not in the vocabulary: 'noir'.")),
        ("style", ["noir", "pop", "noir", "x", "y"], True,
         ("fails", "4 values are not in the vocabulary: 'noir', 'pop', 'x', ….")),
        ("style", [None], False, ("unknown", "None of 1 records has a value.")),
        ("name", [None], False,
         ("fails", "None of 1 records shows it. Under another name, it can be pinned.")),
        ("name", [None], True, ("unknown", "None of 1 records has a value.")),
        ("name", ["a"], False, ("holds", "1 of 1 records have a value.")),
        ("name", [], None, ("unknown", "There is no record.")),
    ],
)  # fmt: skip
def test_a_field(name, values, is_shown, verdict):
    """A required field that is never shown and a value outside the vocabulary are contradictions."""
    allowed = CODES if name == "style" else None
    rows = [{"id": id, name: value} for id, value in enumerate(values)]
    assert judge_field(IMAGES.columns[name], rows, allowed, is_shown=is_shown) == verdict


def test_lists_that_do_not_show_what_they_are_filtered_by():
    """Records that are also listed without the filter show that it is ignored."""
    other = [{"id": 2}]
    assert judge_disjoint(called("a", "b"), other) == (
        "fails",
        "Records of the list without it are listed: 2.",
    )
    assert judge_disjoint(called("a"), other) == (
        "holds",
        "1 records are listed, none of which is in the list without it.",
    )
