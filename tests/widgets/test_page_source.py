from __future__ import annotations

import pytest

from inkframe.widgets.page_source import PageSource


def test_pages_are_asked_for_one_at_a_time(library):
    """A page knows its number, how many there are, and the call that gives it."""
    pages = PageSource(library.images)
    found = pages.find({"style": "anime"}, 10, 1)
    assert (len(found.frame), found.total, found.page, found.pages, found.is_last) == (4, 4, 1, 1, True)
    second = pages.find({}, 10, 2)
    assert (len(second.frame), second.total, second.page, second.is_last) == (2, 12, 2, True)
    source = pages.code("client.images", {}, 10, 2)
    assert source == "client.images.list(per_page=10, page=2)"
    assert list(eval(source, {"client": library}).index) == list(second.frame.index)  # noqa: S307  # that is what is tested


def test_a_page_past_the_end_is_the_last(library):
    """After deletions a number may be past the end; the last page is shown instead of nothing."""
    assert PageSource(library.images).find({}, 10, 99).page == 2
    assert PageSource(library.documents).find({}, 10, 99).page == 1


def test_documents_of_every_template_are_one_listing(library):
    """Without a template all documents are paged, not only those of one template."""
    pages = PageSource(library.documents)
    found = pages.find({}, 10, 1)
    assert set(found.frame["name"]) == {"Document 0", "Document 1", "Document 2"}
    source = pages.code("client.documents", {}, 10, 1)
    assert source == "client.documents.all().iloc[0:10]"
    assert list(eval(source, {"client": library}).index) == list(found.frame.index)  # noqa: S307  # as above
    assert len(pages.find({"template": "Article"}, 10, 1).frame) == 1


def test_a_whole_listing_is_fetched_once(inkframe_misbehaving):
    """Turning pages of a whole listing asks the service nothing, until something was changed."""
    client, service = inkframe_misbehaving(images=120)
    pages = PageSource(client.images)
    assert len(pages.find({}, None, 1).frame) == 120
    asked = len(service.requests)
    pages.find({}, None, 1)
    assert len(service.requests) == asked
    pages.forget()
    pages.find({}, None, 1)
    assert len(service.requests) > asked


@pytest.mark.parametrize("dialect", ["laravel_simple", "drf_cursor", "past_end_empty", "past_end_missing"])
def test_a_service_that_counts_nothing_is_paged_all_the_same(inkframe_misbehaving, dialect):
    """Without a total, pages are fetched until one is empty, and none is left out."""
    client, service = inkframe_misbehaving(dialect, images=25)
    pages = PageSource(client.images)
    seen, page, last = set(), 0, False
    while not last:
        page += 1
        found = pages.find({}, 10, page)
        seen |= set(found.frame.index)
        last = found.is_last
    assert len(seen) == len(service.images)
    assert page <= 4
