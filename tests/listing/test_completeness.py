"""What the pages of a pass prove, and the levels of completeness."""

from __future__ import annotations

import pytest

from inkframe.listing.proof import Completeness, Evidence
from inkframe.replies.columns import Page
from inkframe.replies.list_reply import ListReply


class Ids:
    """The ids of a page."""

    def __init__(self, count, first=0):
        self.ids = list(range(first, first + count))


def page(count, total, *, first=0, **described):
    return Page(ListReply([], total, **described), Ids(count, first), {}, {}, claimed=total)


def proven(*pages, size=10):
    """Return the evidence of pages, each with its position and its new records."""
    proof = Evidence(size)
    for index, each, *added in pages:
        proof.add(index, each, *added)
    return proof


HONEST = [(1, page(10, 24)), (0, page(10, 24)), (2, page(4, 24))]
COUNTS = [
    pytest.param(HONEST, True, id="honest"),
    pytest.param([(0, page(10, 24)), (2, page(5, 25), 1)], True, id="one added meanwhile"),
    pytest.param([(0, page(10, 24)), (2, page(5, 25), 0)], False, id="one more than counted"),
    pytest.param([(0, page(10, 3)), (2, page(4, 3))], False, id="a number of pages"),
    pytest.param([(0, page(10, 10)), (2, page(4, 24))], False, id="a running number"),
    pytest.param([(0, page(10, None)), (2, page(4, 24))], False, id="no total"),
    pytest.param([(0, page(10, 24)), (2, page(4, None))], False, id="no total at the end"),
]


@pytest.mark.parametrize(("pages", "expected"), COUNTS)
def test_totals_count_the_list_if_no_page_reaches_beyond_them(pages, expected):
    """A total must be at least the number of records up to the end of each page."""
    assert proven(*pages).is_counted is expected


def test_a_pass_without_pages_proves_nothing():
    """It has no totals, no end, and no page that is wrong."""
    proof = proven((1, None), (0, None))
    assert (proof.is_counted, proof.totals, proof.ends, proof.is_short) == (False, "", False, False)
    assert (proof.hole, proof.stray, proof.cut_short, proof.last_total) == (None, None, None, None)


def test_a_hole_is_between_pages_with_records():
    """Missing pages at the end are no hole, since the list may have shrunk."""
    assert proven((3, None), (2, page(4, 24)), (1, None), (0, page(10, 24))).hole == 1
    assert proven((3, None), (2, page(0, 24)), (1, page(10, 24)), (0, page(10, 24))).hole is None


def test_a_page_of_other_records_is_noticed():
    """A page does not begin with a later record than the page after it, which was read before."""
    pages = [(3, page(10, None, first=30)), (2, page(10, None, first=20)), (1, page(10, None, first=10))]
    assert proven(*pages, (0, page(10, None)), (1, page(10, None, first=10))).stray is None
    assert proven(pages[0], (2, page(10, None, first=30)), pages[2]).stray == 2  # the last page again
    assert proven(pages[0], (2, page(10, None)), pages[2]).stray == 1  # the first page
    deleted = (1, page(10, None, first=19))  # nine records before it were deleted meanwhile
    assert proven(*pages[:2], deleted).stray is None
    assert proven((2, page(2, None, first=20)), (1, page(10, None, first=12))).stray is None
    assert proven(pages[2], pages[2]).stray is None  # read again


@pytest.mark.parametrize(
    ("first", "shown", "is_stray"),
    [
        ({"current_page": 1}, {"current_page": 3}, False),
        ({"current_page": 1}, {"current_page": 4}, True),
        ({"current_page": 0}, {"current_page": 2}, False),
        ({"current_page": 0}, {"current_page": 3}, True),
        ({"current_page": 1}, {"current_page": 1}, False),
        ({"current_page": 1}, {}, False),
        ({}, {"current_page": 4}, False),
        ({"offset": 0}, {"offset": 20}, False),
        ({"offset": 0}, {"offset": 21}, True),
        ({"offset": 1}, {"offset": 21}, False),
    ],
)
def test_a_page_that_says_a_later_place_is_another(first, shown, is_stray):
    """A service may repeat its last page or its first number, but skips none."""
    proof = Evidence(10, ListReply([], None, **first))
    proof.add(2, page(10, None, first=30, **shown))
    assert proof.stray == (2 if is_stray else None)


@pytest.mark.parametrize("ids", [("a", 5), (5, "a"), ("b", "a")])
def test_texts_have_no_order_that_shows_a_page_of_others(ids):
    """Only numbers tell that a page begins with a later record."""
    pages = [page(1, None), page(1, None)]
    for each, id in zip(pages, ids, strict=True):
        each.columns.ids = [id]
    assert proven((2, pages[0]), (1, pages[1])).stray is None


def test_a_short_page_that_goes_on_is_noticed():
    """A page that is shorter than others is the last, unless it says that another follows."""
    assert proven((1, page(4, 24, more=True))).is_short
    assert proven((1, page(4, 24, next="?page=3"))).is_short
    assert proven((1, page(4, 24, more=True)), (0, page(10, 24, more=True))).is_short
    assert not proven((1, page(4, 24, more=False))).is_short
    assert not proven((1, page(10, 24, more=True))).is_short


@pytest.mark.parametrize(
    ("count", "total", "is_early"),
    [(3, 24, True), (4, 24, False), (3, 23, False), (10, 99, False), (3, None, False)],
)
def test_a_page_that_ends_before_its_own_total_is_noticed(count, total, is_early):
    """A page that is not full is the last one, so that its total is the number of records up to its end."""
    pages = [(2, page(count, total)), (1, page(10, 40)), (0, page(10, 40))]
    assert proven(*pages).cut_short == (2 if is_early else None)


def test_the_last_page_says_that_it_ends():
    """The end is what the last page with records says."""
    assert proven((0, page(10, None, more=True)), (1, page(4, None, more=False))).ends
    assert not proven((1, page(4, None, more=False)), (0, page(10, None, more=True))).ends
    assert not proven((0, page(10, None, more=False, next="?page=2"))).ends
    assert not proven((0, page(10, None))).ends


def test_the_first_gap_is_kept():
    """Missing records make a listing best-effort; the first reason is the one that is printed."""
    one, other = Completeness(), Completeness()
    other.miss("first")
    other.miss("second")
    one.add(other)
    assert one == Completeness("best-effort", ["first", "second"], None, "first")
    one.add(Completeness())
    assert one.gap == "first"
    page = Completeness("page")
    page.miss("third")
    assert page.level == "best-effort"
