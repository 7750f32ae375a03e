"""Listings that change while they are read: a short or repeated page is not mistaken for the end."""

from dataclasses import replace

import pytest
from tests.services import DIALECTS, ODDITIES, FaultyService


def of_size(name, size):
    """Return a dialect with pages of a size."""
    dialect = {**DIALECTS, **ODDITIES}[name]
    return replace(dialect, paging=replace(dialect.paging, largest=size, sizes=()))


def listed(service, *, after=None, gone=()):
    """Return all images as a frame, with some deleted after a number of replies, and its provenance."""
    if after is not None:

        @service.between_replies
        def delete(service):
            if len(service.requests) == after:
                for id in gone:
                    del service.images[id]

    with service.client() as client:
        frame = client.images.all()
    return frame, frame.attrs["inkframe"]


@pytest.mark.parametrize("size", [1, 2, 13, 24, 99])
def test_a_short_page_is_not_the_last(size):
    """A service without page descriptions may return pages of any size below the requested one."""
    service = FaultyService(of_size("past_end_empty", size), images=3 * size)
    frame, said = listed(service)
    assert len(frame) == 3 * size
    assert said["completeness"] == "best-effort"


@pytest.mark.integration
@pytest.mark.parametrize("dialect", ["page_ignored_counted", "openai"])
def test_the_first_page_again_is_not_the_second(dialect):
    """An ignored parameter returns the first page, which may have changed in between."""
    service = FaultyService(of_size(dialect, 20), images=60)
    frame, said = listed(service, after=2, gone=[3])
    assert len(frame) == 60 or said["completeness"] == "best-effort"


def test_a_listing_that_shrinks_to_one_page():
    """A second page that is empty after deletions does not lose the remaining records."""
    service = FaultyService(of_size("laravel_resource", 20), images=21)
    frame, said = listed(service, after=2, gone=[21])
    assert set(service.images) <= set(frame.index)
    assert said["completeness"] == "verified"


@pytest.mark.integration
def test_an_order_that_is_not_kept_is_best_effort():
    """If the service ignores the order, records may move between pages."""
    _, said = listed(FaultyService("sort_ignored", images=250), after=3, gone=[5])
    assert said["completeness"] == "best-effort"
    assert "the ids are not increasing numbers" in said["reasons"]
