import pytest

from inkframe import Dialect
from inkframe.widgets.pager import PageSource


def test_pages_are_asked_for_one_at_a_time(library):
    """A page knows its number and how many there are."""
    pages = PageSource(library.images)
    found = pages.find({"style": "anime"}, 10, 1)
    assert (len(found.frame), found.total, found.page, found.pages, found.is_last) == (4, 4, 1, 1, True)
    second = pages.find({}, 10, 2)
    assert (len(second.frame), second.total, second.page, second.is_last) == (2, 12, 2, True)


def test_a_page_past_the_end_is_the_last(library):
    """After deletions a number may be past the end; the last page is shown instead of nothing."""
    assert PageSource(library.images).find({}, 10, 99).page == 2
    assert PageSource(library.documents).find({}, 10, 99).page == 1


def test_a_whole_listing_is_fetched_once(misbehaving):
    """Turning pages of a whole listing asks the service nothing, until something was changed."""
    client, service = misbehaving(images=120)
    pages = PageSource(client.images)
    assert len(pages.find({}, None, 1).frame) == 120
    asked = len(service.requests)
    pages.find({}, None, 1)
    assert len(service.requests) == asked
    pages.forget()
    pages.find({}, None, 1)
    assert len(service.requests) > asked


@pytest.mark.parametrize("dialect", ["laravel_simple", "drf_cursor", "past_end_empty", "past_end_missing"])
def test_a_service_that_counts_nothing_is_paged_all_the_same(misbehaving, dialect):
    """Without a total, pages are fetched until one is empty, and none is left out."""
    client, service = misbehaving(dialect, images=25)
    pages = PageSource(client.images)
    seen, page, last = set(), 0, False
    while not last:
        page += 1
        found = pages.find({}, 10, page)
        seen |= set(found.frame.index)
        last = found.is_last
    assert len(seen) == len(service.images)
    assert page <= 4


def test_the_code_of_each_page(library):
    """One call for what is asked a page at a time, a slice of the whole listing for the rest."""
    images, documents = PageSource(library.images), PageSource(library.documents)
    found = [
        images.code("c.images", {"style": "anime"}, 25, 1), images.code("c.images", {}, 25, 3),
        images.code("c.images", {"style": "anime"}, None, 1), documents.code("c.documents", {"search": "a"}, 10, 3),
        documents.code("c.documents", {}, None, 1), documents.code("c.documents", {"template": "FAQ"}, 10, 2),
        documents.code("c.documents", {"template_id": 1}, 10, 1),
    ]  # fmt: skip
    assert found == [
        'c.images.list(style="anime", per_page=25)', "c.images.list(per_page=25, page=3)",
        'c.images.all(style="anime")', 'c.documents.all(search="a").iloc[20:30]',
        "c.documents.all()", 'c.documents.list(template="FAQ", per_page=10, page=2)',
        "c.documents.list(template_id=1, per_page=10)",
    ]  # fmt: skip
    library.documents.dialect = Dialect(default_template=False)
    assert documents.code("c.documents", {}, 10, 2) == "c.documents.list(per_page=10, page=2)"


def test_pages_of_a_whole_listing(library):
    """Slices with their numbers; other filters are another listing, and an empty one is one page."""
    pages = PageSource(library.documents)
    every = list(pages.find({}, None, 1).frame.index)
    assert len(every) == 3
    for per_page, page, rows, number, count in [(2, 1, every[:2], 1, 2), (2, 2, every[2:], 2, 2), (3, 5, every, 1, 1), (None, 2, every, 1, 1)]:  # fmt: skip
        found = pages.find({}, per_page, page)
        assert (list(found.frame.index), found.total, found.page, found.pages) == (rows, 3, number, count)
        assert found.is_last is (number == count)
    found = pages.find({"search": "none"}, 10, 3)
    assert (len(found.frame), found.total, found.page, found.pages, found.is_last) == (0, 0, 1, 1, True)
    assert len(pages.find({}, 10, 1).frame) == 3
