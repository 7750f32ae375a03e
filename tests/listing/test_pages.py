"""The requests of a listing: their number, and pages that vanish."""

from dataclasses import replace
from math import inf

import httpx
import pytest
from tests.answering import Answers
from tests.services import FaultyService

import inkframe as ink
from inkframe.listing.frames import nth_page
from inkframe.listing.full_listing import Listing, refuses_template
from inkframe.listing.operations import Limits
from inkframe.listing.verdict import Budget

QUERY = {"sort": "asc", "per_page": 10}


def spent(left=0):
    """Return a budget that allows so many further requests."""
    budget = Budget()
    for _ in range(60 - left):
        budget.allow()
    return budget


class Service(Answers):
    """A service of 25 images, ten on a page, that answers as a function of the parameters says."""

    def __init__(self, answer):
        super().__init__(lambda request: answer(dict(request.url.params)))

    @property
    def asked(self):
        """The parameters so far, without ``sort`` and ``per_page``."""
        return [{name: each[name] for name in each if name not in QUERY} for each in self.queries]

    def calls(self, **pinned):
        """Return the calls of a new client."""
        client = self.client()
        if pinned:
            client.images.dialect = ink.Dialect(**pinned)
        return client.images._calls


def rows(start, end):
    return [{"id": id, "name": f"n{id}"} for id in range(start + 1, min(end, 25) + 1)]


def numbered(query):
    start = (int(query.get("page", 1)) - 1) * 10
    return {"data": rows(start, start + 10), "total": 25, "page": start // 10 + 1, "last_page": 3}


def by_cursor(query):
    start = int(query.get("cursor", 0))
    return {"data": rows(start, start + 10), "next_cursor": str(start + 10) if start < 20 else None}


def by_marked_link(query):
    """Return a page that is found only by the whole link that leads to it."""
    page = int(query.get("page", 1))
    if page > 1 and query.get("mark") != f"m{page}":
        return httpx.Response(422, json={"message": "The mark is missing."})
    link = f"https://service.test/api/v1/images?page={page + 1}&mark=m{page + 1}"
    return {"data": rows(page * 7 - 7, page * 7), "next": link if page < 4 else None}


def first_and_ids(page):
    return None if page is None else (page.columns.ids[:1], len(page.columns.ids))


def test_a_listing_may_take_twice_its_pages_and_60_requests():
    """A request beyond that is not sent, until more pages have records."""
    budget = Budget()
    assert sum(budget.allow() for _ in range(100)) == 60
    assert budget.is_exceeded
    budget.pages += 5
    assert sum(budget.allow() for _ in range(100)) == 10
    budget.add_page()
    assert budget.allow()
    assert budget.is_exceeded


def test_parts_of_pages_count_once_they_are_a_whole_page():
    """Pages that repeat most of their records allow two further requests for each page of new ones."""
    budget = Budget()
    for _ in range(7):
        budget.add_page(0.25)
    assert sum(budget.allow() for _ in range(100)) == 62
    budget.add_page(0.25)
    assert sum(budget.allow() for _ in range(100)) == 2


def test_the_first_page_is_not_repeated_beyond_the_budget():
    """It is requested as often as asked for, or as often as the budget allows."""
    service = FaultyService(images=3)
    with service.client() as client:
        calls, budget = client.images._calls, Budget()
        begun = len(service.requests)
        listing = Listing(calls, {}, budget=budget)
        pages = [listing.at(0) for _ in range(61)]
        assert [page.columns.ids for page in pages[:60]] == [[3, 2, 1]] * 60
        assert pages[60] is None
        assert len(service.requests) == begun + 60
        assert budget.is_exceeded
        service.images.clear()
        Listing(calls, {}, budget=budget).first()
        assert sum(budget.allow() for _ in range(100)) == 2


def test_a_budget_is_not_exceeded_by_its_last_request():
    """Only a request that was not sent counts."""
    budget = Budget()
    assert all(budget.allow() for _ in range(60))
    assert not budget.is_exceeded


def test_every_request_of_a_listing_counts():
    """The first page is always requested; nothing else is beyond the budget."""
    service = Service(numbered)
    calls, budget = service.calls(), spent(1)
    listing = Listing(calls, QUERY, budget=budget)
    first = listing.first()
    assert not budget.is_exceeded
    assert (listing.at(1, 10), listing.second(first)) == (None, None)
    assert (budget.is_exceeded, service.asked) == (True, [{}])
    listing = replace(listing, budget=spent(2))
    assert first_and_ids(listing.second(first)) == ([11], 10)
    assert first_and_ids(listing.at(1, 10)) == ([11], 10)
    assert listing.at(1, 10) is None
    assert service.asked == [{}, {"page": "2"}, {"page": "2"}]
    listing.first()
    listing = replace(listing, budget=Budget(inf))
    assert first_and_ids(listing.at(2, 10)) == ([21], 5)


def test_every_request_of_a_listing_has_its_limits():
    """Those that were given to it, not those of the client."""
    service = Service(by_cursor)
    listing = Listing(service.calls(), QUERY, Limits(seconds=7.0))
    second = listing.second(listing.first())
    further = [*listing.onward(second), listing.at(1, 10), listing.again(second), listing.at(0)]
    assert (len(further), service.deadlines) == (5, [7.0] * 7)


def test_pages_by_link_follow_each_other():
    """Where the parameters of a service are not enough, each link is followed as it is."""
    service = Service(by_marked_link)
    calls = service.calls()
    listing = Listing(calls, QUERY)
    second = listing.second(listing.first())
    assert [first_and_ids(page) for page in listing.onward(second)] == [([8], 7), ([15], 7), ([22], 4)]
    links = [{"page": page, "mark": f"m{page}"} for page in "234"]
    assert service.asked == [{}, {"page": "2"}, *links]
    service.requests.clear()
    assert first_and_ids(nth_page(calls, QUERY, 4)) == ([22], 4)
    assert service.asked == [{}, *links]


def test_only_pages_by_link_must_keep_the_filters():
    """Records that do not match on a page by the listing's own parameters are no reason to end."""

    def answer(query):
        found = by_cursor(query)
        style = "ink" if query.get("cursor") == "20" else "anime"
        return found | {"data": [each | {"style": style} for each in found["data"]]}

    listing = Listing(Service(answer).calls(), QUERY | {"style": "anime"})
    chain = listing.onward(listing.second(listing.first()))
    assert [first_and_ids(page) for page in chain] == [([11], 10), ([21], 5)]


def test_an_empty_first_page_counts_as_a_page():
    """It allows two further requests, as any page."""
    service = Service(lambda _: {"data": [], "total": 0})
    assert first_and_ids(Listing(service.calls(), QUERY).first()) == ([], 0)
    listing = Listing(service.calls(), QUERY, budget=spent(1))
    assert first_and_ids(listing.first()) == ([], 0)
    assert [listing.budget.allow() for _ in range(3)] == [True, True, False]


def test_a_page_that_vanished_is_remembered_once():
    """A position that is refused as missing is past the end, except for the first; other errors are raised."""
    refused = {"page": 404}

    def answer(query):
        status = refused.get("page" if "page" in query else "first")
        return httpx.Response(status, json={"message": f"No {status}."}) if status else numbered(query)

    listing = Listing(Service(answer).calls(), QUERY, budget=Budget())
    listing.first()
    for refused["page"] in (404, 410, 416, 400, 422):
        assert listing.at(2, 10) is None
    index, error = listing.budget.refusal
    assert (index, error.status, error.message) == (2, 404, "No 404.")
    for refused["page"] in (403, 409, 500):
        with pytest.raises(ink.ServiceError) as raised:
            listing.at(2, 10)
        assert raised.value.status == refused["page"]
    with pytest.raises(ink.ServerError):
        listing.second(listing.first())
    refused["first"] = 404
    with pytest.raises(ink.NotFound):
        listing.at(0, 10)
    assert listing.budget.refusal[0] == 2


def test_pages_by_token_follow_each_other():
    """Each token is requested once, as long as the budget allows it, and a page again by its own token."""
    service = Service(by_cursor)
    calls = service.calls()
    listing = Listing(calls, QUERY)
    second = listing.second(listing.first())
    assert [first_and_ids(page) for page in listing.onward(second)] == [([11], 10), ([21], 5)]
    assert service.asked == [{}, {"cursor": "10"}, {}, {"cursor": "20"}]
    assert first_and_ids(listing.again(second)) == ([11], 10)
    assert listing.again(listing.first()) is None
    assert service.asked[4:] == [{"cursor": "10"}, {}]
    assert list(listing.onward(None)) == []
    service.requests.clear()
    short = Listing(calls, QUERY, budget=spent(1))
    assert first_and_ids(short.again(second)) == ([11], 10)
    assert short.again(second) is None
    assert [first_and_ids(page) for page in short.onward(second)] == [([11], 10)]
    assert service.asked == [{"cursor": "10"}]


@pytest.mark.parametrize("status", [404, 410, 416, 400, 422, 500, None])
def test_a_chain_ends_at_a_page_that_vanished(status):
    """A token that the service does not know any more ends the listing, and is remembered; a failure is raised."""

    def answer(query):
        if query.get("cursor") != "20":
            return by_cursor(query) | (
                {} if status or "cursor" not in query else {"next_cursor": "x" * 10_000}
            )
        return httpx.Response(status or 200, json={"message": "Gone."})

    service = Service(answer)
    listing = Listing(service.calls(), QUERY, budget=Budget())
    pages = listing.onward(listing.second(listing.first()))
    assert first_and_ids(next(pages)) == ([11], 10)
    if status == 500:
        with pytest.raises(ink.ServerError):
            next(pages)
    else:
        assert list(pages) == []
    refusal = listing.budget.refusal
    assert (refusal and (refusal[0], refusal[1].status)) == (None if status in {500, None} else (2, status))


def test_pages_by_number():
    """A page is requested at once where its parameter is known or proven; a later one is past the end."""
    service = Service(numbered)
    calls = service.calls()
    assert first_and_ids(calls.page(QUERY)) == ([1], 10)
    assert [first_and_ids(nth_page(calls, QUERY, number)) for number in (2, 3, 4)] == [
        ([11], 10), ([21], 5), ([], 0)
    ]  # fmt: skip
    assert service.asked == [{}, {}, {"page": "2"}, {"page": "3"}, {"page": "4"}]
    pinned = Service(numbered)
    assert first_and_ids(nth_page(pinned.calls(page_parameter="page", paging="number"), QUERY, 3)) == (
        [21],
        5,
    )
    assert first_and_ids(nth_page(pinned.calls(page_parameter="page", paging="number"), QUERY, 9)) == ([], 0)
    assert pinned.asked == [{"page": "3"}, {"page": "9"}]
    service = Service(by_cursor)
    calls = service.calls()
    nth_page(calls, QUERY, 2)
    service.requests.clear()
    assert [first_and_ids(nth_page(calls, QUERY, number)) for number in (3, 2, 4)] == [
        ([21], 5), ([11], 10), ([], 0)
    ]  # fmt: skip
    second = {"cursor": "10"}
    assert service.asked == [{}, second, {"cursor": "20"}, {}, second, {}, second, {"cursor": "20"}]


def test_a_known_parameter_needs_a_page_that_tells_its_number():
    """Else the second page is looked for; by position, the size of the pages decides."""
    for first_page, number, asked in (
        (1, 3, [{"page": "3"}]),
        (None, 3, [{"page": "3"}]),
        (0, 4, [{"page": "3"}]),
    ):
        service = Service(numbered)
        calls = service.calls()
        calls.dialect.learn(paging="number", page_parameter="page", first_page=first_page)
        found = nth_page(calls, QUERY, number)
        assert (first_and_ids(found), service.asked) == (([21], 5), asked)
    service = Service(lambda query: numbered(query) | {"page": 1})
    calls = service.calls()
    calls.dialect.learn(paging="number", page_parameter="page", first_page=1)
    assert first_and_ids(nth_page(calls, QUERY, 3)) == ([21], 5)
    assert service.asked == [{"page": "3"}, {}, {"page": "2"}, {"page": "3"}]
    service = Service(lambda query: {"data": rows(int(query.get("offset", 0)), 25)})
    calls = service.calls(page_parameter="offset", paging="offset")
    for query in ({"per_page": 5}, {}):
        nth_page(calls, query, 3)
    assert service.asked == [{"offset": "10"}, {"offset": "20"}]
    service = Service(numbered)
    assert first_and_ids(nth_page(service.calls(paging="number"), QUERY, 3)) == ([21], 5)
    assert service.asked == [{}, {"page": "2"}, {"page": "3"}]
    service = Service(lambda query: numbered(query) if int(query.get("page", 1)) < 4 else httpx.Response(404))
    calls = service.calls()
    calls.dialect.learn(paging="number", page_parameter="page")
    assert first_and_ids(nth_page(calls, QUERY, 4)) == ([], 0)
    assert service.asked == [{"page": "4"}, {}, {"page": "2"}, {"page": "4"}]


def test_nothing_is_behind_a_list_that_ends():
    """A short list has one page, and a page that is refused as missing is empty."""
    service = Service(lambda _: {"data": rows(0, 7), "total": 7, "has_more": False})
    assert first_and_ids(nth_page(service.calls(), QUERY, 3)) == ([], 0)
    assert service.asked == [{}]
    service = Service(lambda _: {"data": rows(0, 7), "total": 7, "page": 1, "last_page": 1})
    assert first_and_ids(nth_page(service.calls(paging="number"), QUERY, 3)) == ([], 0)
    assert service.asked == [{}]
    service = Service(lambda query: numbered(query) if int(query.get("page", 1)) < 4 else httpx.Response(404))
    assert first_and_ids(nth_page(service.calls(), QUERY, 4)) == ([], 0)
    assert service.asked == [{}, {"page": "2"}, {"page": "4"}]


def test_a_page_past_the_end_that_is_refused_is_empty():
    """It has the columns and the total of the first page."""
    service = Service(lambda query: numbered(query) if int(query.get("page", 1)) < 4 else httpx.Response(404))
    page = nth_page(service.calls(page_parameter="page", paging="number"), QUERY, 4)
    assert (first_and_ids(page), page.reply.total) == (([], 0), 25)
    assert service.asked == [{"page": "4"}, {}]


def test_a_page_of_an_unknown_paging_style_is_refused():
    """The message names the page, and the line that pins the parameter."""
    service = Service(lambda _: {"data": rows(0, 10), "total": 25})
    with pytest.raises(ink.InvalidArgument) as refused:
        nth_page(service.calls(), QUERY, 3)
    assert str(refused.value) == (
        "page=3 cannot be fetched: the paging style of this service is unknown.\n"
        'Pin the parameter if you know it: client.images.dialect = ink.Dialect(page_parameter="…").'
    )


def test_refusals_of_a_template():
    """The message or the name of a field tells what a service refuses."""

    def refuses(message, fields=()):
        return refuses_template(
            ink.ValidationFailed(message, status=422, fields={name: ["bad"] for name in fields})
        )

    assert refuses("The selected Template is invalid.")
    assert refuses("Invalid.", ["name", "template_id"])
    assert not refuses("Invalid.", ["name"])
