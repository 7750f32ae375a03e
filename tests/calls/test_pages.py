"""The requests of a listing: their number, and pages that vanish."""

from __future__ import annotations

import inkframe as ink
from inkframe.calls.pages import Budget, Listing
from inkframe.testing import FaultyService


def test_a_listing_may_take_twice_its_pages_and_60_requests():
    """A request beyond that is not sent, until more pages have records."""
    budget = Budget()
    assert sum(budget.take() for _ in range(100)) == 60
    assert budget.is_exceeded
    budget.pages += 5
    assert sum(budget.take() for _ in range(100)) == 10


def test_parts_of_pages_count_once_they_are_a_whole_page():
    """Pages that repeat most of their records allow two further requests for each page of new ones."""
    budget = Budget()
    for _ in range(7):
        budget.add_page(0.25)
    assert sum(budget.take() for _ in range(100)) == 62
    budget.add_page(0.25)
    assert sum(budget.take() for _ in range(100)) == 2


def test_the_first_page_is_not_repeated_beyond_the_budget():
    """It is requested as often as asked for, or as often as the budget allows."""
    service = FaultyService(images=3)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        calls, budget = client.images._calls, Budget()
        begun = len(service.requests)
        assert [page.columns.ids for page in Listing(calls, {}).first_again(2)] == [[3, 2, 1]] * 2
        assert len(list(Listing(calls, {}, budget=budget).first_again(100))) == 60
        assert len(service.requests) == begun + 62
        assert budget.is_exceeded
        service.images.clear()
        Listing(calls, {}, budget=budget).first()
        assert sum(budget.take() for _ in range(100)) == 2


def test_a_budget_is_not_exceeded_by_its_last_request():
    """Only a request that was not sent counts."""
    budget = Budget()
    assert all(budget.take() for _ in range(60))
    assert not budget.is_exceeded
