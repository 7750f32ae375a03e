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


@pytest.mark.parametrize(
    ("found", "status", "lacking"),
    [
        (styled((4, "anime"), (2, "anime")), "holds", []),
        (SAMPLE, "fails", []),
        (styled((4, "anime")), "fails", [2]),
        ([], "fails", [4, 2]),
        (styled((4, "anime"), (2, "anime"), (1, "Anime, new")), "holds", []),
        (styled((9, None), (8, None)), "fails", [4, 2]),
    ],
)
def test_a_filter(found, status, lacking):
    """Another value of the vocabulary or a matching record left out is a contradiction; a synonym is not."""
    verdict, left_out = judge_filter(found, SAMPLE, "style", "anime", CODES, 100)
    assert (verdict[0], left_out) == (status, lacking)


def test_a_filter_whose_page_is_full_may_leave_out_older_records():
    """A record that may be on the next page is not left out."""
    verdict, left_out = judge_filter(styled((4, "anime")), SAMPLE, "style", "anime", CODES, 1)
    assert (verdict[0], left_out) == ("holds", [])


@pytest.mark.parametrize(
    ("found", "sample"),
    [
        ([], styled((1, "retro"))),
        (styled((1, "anime")), styled((1, "anime"))),
        (styled((1, None)), styled((1, None))),
        ([], []),
    ],
)
def test_a_filter_that_cannot_be_seen(found, sample):
    """Without a record that matches and one that does not, the filter is unknown."""
    assert judge_filter(found, sample, "style", "anime", CODES, 100)[0][0] == "unknown"


def called(*names):
    return [{"id": id, "name": name} for id, name in enumerate(names, 1)]


NAMES = called("Red harbor", "Harbors at dawn", "A kettle", "")


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (NAMES[:2], "holds"),
        (NAMES[:1], "holds"),
        (NAMES, "fails"),
        (NAMES[1:2], "fails"),
        ([], "fails"),
    ],
)
def test_a_search(found, status):
    """A record without the word is a contradiction, and so is one left out; forms of the word are neither."""
    assert judge_search(found, NAMES, "name", "harbor", 100)[0][0] == status


def test_a_search_that_cannot_be_seen():
    """If all records have the word, the search is unknown."""
    rows = called("Red harbor", "Old harbor")
    assert judge_search(rows, rows, "name", "harbor", 100)[0][0] == "unknown"


def test_the_word_of_a_search():
    """It is a plain word that about half of the records have."""
    assert search_word(called("Red harbor", "Old harbor", "My kettle", "A teapot"), "name") == "harbor"
    assert search_word(called("7", "", None), "name") is None
    assert search_word([], "name") is None
    assert search_word(called("x" * 50), "name") is None


@pytest.mark.parametrize(
    ("ids", "status"),
    [([3, 2, 1], "holds"), ([2, 3, 1], "fails"), ([1], "unknown"), ([], "unknown"), (["b", "a"], "unknown")],
)
def test_newest_first(ids, status):
    """Numeric ids show the order; text ids without times do not."""
    assert judge_newest_first([{"id": id, "created_at": None} for id in ids])[0] == status


def test_newest_first_by_time():
    """Text ids are ordered by their times."""
    times = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2)]
    rows = [{"id": id, "created_at": time} for id, time in zip("ab", times, strict=True)]
    assert judge_newest_first(rows)[0] == "fails"
    assert judge_newest_first(rows[::-1])[0] == "holds"


@pytest.mark.parametrize(
    ("up", "down", "size", "status"),
    [
        ([1, 2, 3], [3, 2, 1], 100, "holds"),
        ([3, 2, 1], [3, 2, 1], 100, "fails"),
        ([1, 3, 2], [3, 2, 1], 100, "fails"),
        ([1, 2], [9, 8], 2, "holds"),
        ([2, 1], [9, 8], 2, "fails"),
        ([1], [1], 100, "unknown"),
        (["a", "b"], ["b", "a"], 100, "holds"),
    ],
)
def test_a_reversal(up, down, size, status):
    """A whole list is exactly reversed, the first page of a longer one begins with the oldest."""
    rows = [[{"id": id, "created_at": None} for id in ids] for ids in (up, down)]
    assert judge_reversal(*rows, size)[0] == status


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["apple", "Banana", "cherry"], "holds"),
        (["cherry", "Banana", "apple"], "holds"),
        (["Banana", "apple", "cherry"], "fails"),
        (["é", "Banana", "ähre", "cherry", "9"], "holds"),
        (["apple", "avocado"], "unknown"),
        ([], "unknown"),
    ],
)
def test_the_order_of_names(names, status):
    """Only letters that all alphabets have in common are compared, in either direction."""
    assert judge_names(called(*names))[0] == status


@pytest.mark.parametrize(
    ("counts", "most", "status"),
    [
        ({100: 100, 25: 25}, 237, "holds"),
        ({100: 50, 25: 25}, 237, "fails"),
        ({100: 237, 25: 237}, 237, "fails"),
        ({100: 30, 25: 25}, 30, "holds"),
        ({100: 7, 25: 7}, 7, "unknown"),
    ],
)
def test_page_sizes(counts, most, status):
    """One size that is not honored is a contradiction; a small collection shows nothing."""
    assert judge_sizes(counts, most)[0] == status


@pytest.mark.parametrize(
    ("name", "values", "is_shown", "status"),
    [
        ("style", ["anime", None], True, "holds"),
        ("style", ["anime", "noir"], True, "fails"),
        ("style", [None], False, "unknown"),
        ("name", [None], False, "fails"),
        ("name", [None], True, "unknown"),
        ("name", [], None, "unknown"),
    ],
)
def test_a_field(name, values, is_shown, status):
    """A required field that is never shown and a value outside the vocabulary are contradictions."""
    allowed = CODES if name == "style" else None
    rows = [{"id": id, name: value} for id, value in enumerate(values)]
    assert judge_field(IMAGES.columns[name], rows, allowed, is_shown=is_shown)[0] == status


def test_lists_that_do_not_show_what_they_are_filtered_by():
    """Records that are also listed without the filter show that it is ignored."""
    assert judge_disjoint(called("a"), called("a"))[0] == "fails"
    assert judge_disjoint([{"id": 9}], called("a"))[0] == "holds"
