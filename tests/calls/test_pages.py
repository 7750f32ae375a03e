"""The requests of a listing: their number, and pages that vanish."""

from __future__ import annotations

from inkframe.calls.pages import Budget


def test_a_listing_may_take_twice_its_pages_and_60_requests():
    """A request beyond that is not sent, until more pages have records."""
    budget = Budget()
    assert sum(budget.take() for _ in range(100)) == 60
    assert budget.is_exceeded
    budget.pages += 5
    assert sum(budget.take() for _ in range(100)) == 10


def test_a_budget_is_not_exceeded_by_its_last_request():
    """Only a request that was not sent counts."""
    budget = Budget()
    assert all(budget.take() for _ in range(60))
    assert not budget.is_exceeded
