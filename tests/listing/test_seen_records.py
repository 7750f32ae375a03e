"""Each record of a listing is yielded once, and what its pages show about their order."""

import pytest

from inkframe.listing.verdict import Budget, Log
from inkframe.replies.columns import Columns, Page
from inkframe.replies.list_reply import ListReply


def page(*ids, sort="asc"):
    """Return a page of records whose names are their ids."""
    return Page(ListReply([]), Columns(list(ids), {"name": list(map(str, ids))}, {}), {"sort": sort}, {})


def test_each_record_is_yielded_once():
    """Records of earlier pages and duplicates within a page are left out, and the budget counts what is new."""
    budget = Budget()
    seen = Log({}, budget)
    pages = [page(1, 2), page(2, 2, 3, 3), page(3, 1), page(), page(5, 4)]
    found = [[part.known["name"] for part in seen.fresh(each)] for each in pages]
    assert found == [[["1", "2"]], [["3"]], [], [], [["5", "4"]]]
    assert (seen.ids, len(seen.ids), budget.pages) == ({1, 2, 3, 4, 5}, 5, 2.5)


def test_duplicates_of_a_first_page():
    """The first of equal records is kept."""
    seen = Log({}, Budget())
    (found,) = seen.fresh(page(7, 7, 8))
    assert found.ids == [7, 8]


@pytest.mark.parametrize(
    ("pages", "in_order"),
    [
        ([page(1, 2), page(5, 9)], True),
        ([page(9, 5, sort="desc"), page(1)], True),
        ([page(2, 1), page(5, 9)], False),
        ([page(1, 1)], False),
        ([page(1, "2")], False),
        ([page("1")], False),
        ([page(1, True)], False),
    ],
)
def test_the_order_of_ascending_pages(pages, in_order):
    """Ids must be increasing numbers on every page by id ascending."""
    seen = Log({}, Budget())
    for each in pages:
        list(seen.fresh(each))
    assert seen.in_order is in_order


def test_what_a_page_has_beside_earlier_ones():
    """A page may go on, join what was read, or reach it with its last record."""
    seen = Log({}, Budget())
    list(seen.fresh(page(1, 2)))
    pages = [page(3, 2), page(2, 3), page(1), page(4), page()]
    assert [seen.new_in(each) for each in pages] == [{3}, {3}, set(), {4}, set()]
