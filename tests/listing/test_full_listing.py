"""Full listings while records are added and deleted: no survivor is missing, no level is too high."""

import random
import signal
import threading

import httpx
import pytest
from tests.answering import Answers, facts
from tests.services import Fault, Faults, FaultyService, Paging, drawn

import inkframe
from inkframe.errors import InkframeError
from inkframe.http.connections import CancelScope
from inkframe.listing.full_listing import FullListing
from inkframe.listing.queries import MultiQuery
from inkframe.listing.verdict import Budget

#: A reply with the latency of a nearby service.
SLOWER = Fault(name="slower", delay=0.01)


def churned(seed, dialect="laravel_resource", records=650, rate=4):
    """Return a service whose images change between replies, and the ids of the survivors."""
    service = FaultyService(dialect, images=records, documents=0, seed=seed)
    chance = random.Random(seed)
    survivors = set(service.images)

    @service.between_replies
    def churn(service):
        for _ in range(chance.randrange(rate)):
            kind = chance.choice(("insert", "delete", "pair", "flip"))
            if kind in {"delete", "pair"} and service.images:
                gone = chance.choice(list(service.images))
                del service.images[gone]
                survivors.discard(gone)
            if kind in {"insert", "pair"}:
                service.insert("images", name="new")
            if kind == "flip" and service.images:
                image = service.images[chance.choice(list(service.images))]
                image["favorite"] = not image["favorite"]

    return service, survivors


def assert_honest(frame, survivors, verdicts=("exact", "verified")):
    """Assert that there are no duplicates, and no missing survivors for these levels of completeness."""
    assert frame.index.is_unique
    missing = survivors - set(frame.index)
    if frame.attrs["inkframe"]["completeness"] in verdicts:
        assert not missing
    return missing


@pytest.mark.parametrize("dialect", ["laravel_resource", "laravel_simple", "drf_offset", "spring"])
def test_no_survivor_is_missing(dialect):
    """Despite inserts, deletes and changed favorites every survivor is listed once."""
    for seed in range(12):
        service, survivors = churned(seed, dialect)
        with service.client() as client:
            missing = assert_honest(client.images.all(), survivors)
        assert not missing


def test_an_unchanged_listing_is_exact():
    """A constant total and an unchanged last page make the listing exact."""
    service = FaultyService(images=650)
    with service.client() as client:
        frame = client.images.all()
    assert (*facts(frame), frame.attrs["inkframe"]["total"]) == ("exact", [], 650)
    assert len(service.requests) == 7 + 1


def test_a_record_that_came_and_went_is_noticed():
    """Another total on any page is a change, even if the last page and the number of records show none."""
    service = FaultyService("laravel_resource", images=650)

    @service.between_replies
    def change(service):
        if len(service.requests) == 3:
            service.insert("images", name="brief")
        elif len(service.requests) == 4:
            del service.images[max(service.images)]

    with service.client(concurrency=1) as client:
        frame = client.images.all()
    assert len(frame) == 650
    assert facts(frame) == ("verified", ["records were added or deleted while pages were read"])


@pytest.mark.parametrize("query", [{"favorite": True}, {"search": "a"}])
def test_filters_that_updates_change_are_best_effort(query):
    """Searches and favorites can change unnoticed, so that they are best-effort."""
    service = FaultyService(images=900)
    with service.client() as client:
        found = client.images.all(**query)
    if len(found) > 100:
        assert found.attrs["inkframe"]["completeness"] == "best-effort"
        assert "can change while pages are read" in found.attrs["inkframe"]["reasons"][0]


def test_limit_stops_early_with_a_reason():
    """The newest records are returned, with few requests."""
    service = FaultyService(images=650)
    with service.client() as client:
        frame = client.images.all(limit=150)
    assert list(frame.index) == sorted(service.images, reverse=True)[:150]
    assert "stopped at limit=150" in frame.attrs["inkframe"]["reasons"]
    assert len(service.requests) <= 3


def test_several_values_of_a_filter_are_one_listing():
    """One listing per value is merged by id, in the requested order."""
    service = FaultyService(images=300)
    with service.client() as client:
        frame = client.images.all(style=["anime", "Pop art"], sort="asc")
    expected = [n for n, image in sorted(service.images.items()) if image["style"] in {"anime", "pop_art"}]
    assert list(frame.index) == expected


def test_names_are_sorted_by_the_client():
    """Names are sorted even if the service does not sort them."""
    service = FaultyService("names_unstable", images=300)
    with service.client() as client:
        names = client.images.all(sort_by="name", sort="asc")["name"]
    assert list(names) == sorted(names, key=str.casefold)


def test_details_add_what_lists_omit():
    """Missing columns of a list are fetched from the records; without details they are listed as absent."""
    service = FaultyService("list_brief", documents=60)
    with service.client() as client:
        brief = client.documents.all()
        whole = client.documents.all(details=True)
    assert brief.attrs["inkframe"]["absent"]
    assert whole.attrs["inkframe"]["absent"] == []
    assert whole["result"].notna().all()


def test_pages_have_the_same_records():
    """There is one frame per page, and together they have every record."""
    service = FaultyService(images=450)
    with service.client() as client:
        frames = list(client.images.pages())
    assert [len(frame) for frame in frames] == [100, 100, 100, 100, 50]
    assert {id for frame in frames for id in frame.index} == set(service.images)


def test_an_interrupt_ends_a_listing_and_leaves_no_thread():
    """Ctrl-C ends a listing with pages in flight at once, without remaining threads."""
    service = FaultyService(images=6000, faults=Faults(rates={SLOWER: 1.0}))
    main = threading.main_thread().ident

    @service.between_replies
    def interrupt(service):
        if len(service.requests) == 20:
            signal.pthread_kill(main, signal.SIGINT)

    with service.serve() as address, inkframe.Client(address, service.key) as client:
        with pytest.raises(KeyboardInterrupt):
            client.images.all()
        assert not [t for t in threading.enumerate() if t.name.startswith("inkframe-worker")]
    assert len(service.requests) < 60


def test_parallel_pages_over_sockets_are_complete():
    """Sixteen requests in flight return the same records as one at a time."""
    service = FaultyService(
        images=2500, faults=Faults(rates={SLOWER: 0.9, "limited": 0.02, "reset_in_body": 0.02}, seed=5)
    )
    with service.serve() as address, inkframe.Client(address, service.key) as client:
        frame = client.images.all()
    assert set(frame.index) == set(service.images)
    assert frame.attrs["inkframe"]["completeness"] == "exact"


def counting(says, end="empty", headers=None):
    """Return a service of 431 images with any total, pages of 100, and any behavior past the end."""

    def answer(request):
        page = int(request.url.params.get("page", 1))
        page = min(page, 5) if end == "again" else page
        rows = rows_of(request, 431, 100 * page - 100, 100)
        return httpx.Response(
            200, json={"data": rows, "meta": {"total": says, "current_page": page}}, headers=headers
        )

    return Answers(answer)


def rows_of(request, count, start, size):
    """Return some rows of a list of images in the order of a request."""
    ids = sorted(range(1, count + 1), reverse=request.url.params.get("sort") != "asc")
    return [{"id": id, "name": "a name"} for id in ids[start : start + size]]


def test_a_listing_that_stops_early_has_the_total():
    """The total is known from the first page."""
    service = counting(431)
    assert service.client().images.all(limit=5).attrs["inkframe"]["total"] == 431
    assert len(service.requests) == 1


def test_pages_have_the_total():
    """Each frame of a stream has the total number of records."""
    with counting(431).client() as client:
        assert {page.attrs["inkframe"]["total"] for page in client.images.pages()} == {431}


@pytest.mark.parametrize("described", [{}, {"total": 100}])
def test_a_pinned_parameter_that_leads_nowhere_does_not_end_a_listing(described):
    """An empty second page is no end if the first page in the other order has other records."""

    def answer(request):
        return {"data": [] if "page" in request.url.params else rows_of(request, 150, 0, 100)} | described

    with Answers(answer).client() as client:
        client.images.dialect = inkframe.Dialect(page_parameter="page", first_page=1)
        frame = client.images.all()
    assert sorted(frame.index) == list(range(1, 151))
    one_page = "one page only: the paging style of the service is unknown"
    assert facts(frame) == ("best-effort", ["the service reports no total" if described else one_page])
    assert frame.attrs["inkframe"]["total"] is None


def test_the_requests_of_a_listing_are_bounded():
    """A listing takes at most twice its pages and 60 requests; those of several values share them."""
    for values, pages in ((["anime"], 5), (["anime", "retro", "pop_art"], 15)):
        service = counting(10**10, "again")
        assert len(service.client().images.all(style=values)) == 431
        assert len(service.requests) <= 2 * pages + 60


def test_a_last_page_that_grows_counts_as_one():
    """A last page that is repeated past the end while records are added to it allows no more requests than full pages."""
    paging = Paging(largest=10, past_end="last page")
    listing = {"data": "$rows", "total": 10**10}
    service = FaultyService(drawn(listing, paging=paging), images=40)
    service.between_replies(lambda service: service.insert("images", name="new"))
    with service.client() as client:
        frame = client.images.all()
    assert len(service.requests) <= 2 * -(-len(frame) // 10) + 60


def test_listings_share_what_pages_show_about_totals():
    """A first page fetched before another listing showed that totals count the collection is read as one fetched later."""
    listing = {"data": "$rows", "total": "$everything", "next_page_url": "$next_url"}
    service = FaultyService(drawn(listing), images=900)
    with service.client() as client:
        calls = client.images._calls
        before = FullListing(calls, {"style": "anime"})
        newest = before.newest()
        list(FullListing(calls, {"style": "retro"}).pages())
        costs = []
        for each, first in ((before, newest), (FullListing(calls, {"style": "anime"}), None)):
            sent = len(service.requests)
            ids = [id for columns in each.pages(first) for id in columns.ids]
            costs.append(len(service.requests) - sent - (first is None))
            assert sorted(ids) == [id for id, image in service.images.items() if image["style"] == "anime"]
            assert each.completeness.total is None
    assert costs[0] == costs[1]


def test_a_page_without_a_total_of_its_own_may_not_be_the_whole_list():
    """A short page whose total counts the collection, and that says no end, is read but not called whole."""
    listing = {"data": "$rows", "total": "$everything"}
    service = FaultyService(drawn(listing), images=200)
    with service.client() as client:
        found = []
        for query in ({}, {"style": "anime"}, {"style": "retro"}):
            read = FullListing(client.images._calls, query)
            ids = [id for columns in read.pages() for id in columns.ids]
            styles = query.values() or {image["style"] for image in service.images.values()}
            assert sorted(ids) == [id for id, image in service.images.items() if image["style"] in styles]
            found.append((read.completeness.level, read.completeness.is_whole))
    assert found == [("exact", True), ("best-effort", False), ("best-effort", False)]


def test_a_cancelled_listing_sends_nothing():
    """Listings that share a scope end together, also before their first page."""
    service, scope = counting(431), CancelScope()
    scope.cancel()
    with pytest.raises(InkframeError, match="cancelled"):
        FullListing(service.calls(), {}, scope=scope).newest()
    assert service.requests == []


def test_the_limit_of_the_service_is_noted():
    """The limit in the headers of the first page is known with every page."""
    service = counting(431, headers={"x-ratelimit-limit": "600"})
    listing = MultiQuery(service.calls(), [{}], concurrency=1)
    assert {listing.request_limit for _ in listing.pages()} == {"limit 600"}


@pytest.mark.parametrize("left", range(7, 12))
def test_a_listing_ends_wherever_its_requests_do(left):
    """The verdict says that no further request was sent, whatever the listing was doing."""

    def answer(request):
        count = 35 if len(service.requests) > 13 else 23
        start = 5 * (int(request.url.params.get("page", 1)) - 1)
        is_lost = request.url.params.get("sort") == "asc" and start > 10
        return {"data": [] if is_lost else rows_of(request, count, start, 5), "total": count}

    service, budget = Answers(answer), Budget()
    for _ in range(60 - left):
        budget.allow()
    listing = FullListing(service.calls(), {}, budget=budget)
    list(listing.pages())
    reasons = listing.completeness.reasons
    assert ("stopped after twice as many requests as pages and 60 more" in reasons) == budget.is_exceeded
    assert listing.completeness.level == "best-effort"
    assert budget.is_exceeded == (left < 9)


@pytest.mark.parametrize(
    ("query", "field", "is_unknown"),
    [
        ({"template_id": 7}, "template_id", True),
        ({"template_id": 7}, "search", False),
        ({"search": "a"}, "template_id", False),
    ],
)
def test_only_a_template_that_the_service_does_not_know_has_no_documents(query, field, is_unknown):
    """Another refusal is an error, and so is one of a template that was not asked for."""
    refusal = httpx.Response(422, json={"message": "Invalid.", "errors": {field: ["is invalid"]}})
    listing = FullListing(Answers(refusal).client().documents._calls, query)
    if is_unknown:
        assert list(listing.pages()) == []
        assert listing.refusal.status == 422
    else:
        with pytest.raises(inkframe.ValidationFailed):
            list(listing.pages())


@pytest.mark.parametrize(
    ("status", "body", "sizes"),
    [
        (422, {"errors": {"per_page": ["must be at most 25"]}}, ["100", "25"]),
        (400, {"message": "The parameter perPage must be at most 25, got 100."}, ["100", "25"]),
        (422, {"errors": {"page_size": ["must be one of 10, 20 or 40"]}}, ["100", "40", None]),
        (400, {"error": "Unknown parameter: per_page"}, ["100", None]),
    ],
)
def test_a_page_size_that_is_refused_is_replaced_once(status, body, sizes):
    """By the largest that the message names, else by that of the service, for both collections; not where it was given."""
    asked = []

    def answer(request):
        parameters = request.url.params
        asked.append(parameters.get("per_page"))
        size, page = int(asked[-1] or 20), int(parameters.get("page", 1))
        if size > 25:
            return httpx.Response(status, json=body)
        rows = [{"id": id, "name": "n", "description": "d", "resolution": "256x256"} for id in range(1, 61)]
        rows = rows if parameters.get("sort") == "asc" else rows[::-1]
        words = {"total": 60, "current_page": page, "last_page": -(-60 // size)}
        return {"data": rows[(page - 1) * size : page * size], **words}

    with Answers(answer).client() as client:
        frame = client.images.all()
        assert (len(frame), frame.attrs["inkframe"]["completeness"]) == (60, "exact")
        assert [*dict.fromkeys(asked)] == sizes
        asked.clear()
        assert len(client.documents.all(template=1)) == 60
        assert {*asked} == {sizes[-1]}
        with pytest.raises(inkframe.ValidationFailed):
            client.images.list(per_page=100)


@pytest.mark.parametrize(
    "message", ["The template must be at most 52", "Invalid request", "per_page is fine, sort is not"]
)
def test_another_refusal_of_a_list_is_an_error(message):
    """A refused list whose message names no page size, or is the same without one, is not asked for again and again."""
    service = Answers(httpx.Response(422, json={"message": message}))
    with pytest.raises(inkframe.ValidationFailed, match=message):
        service.client().images.all()
    asked = [query.get("per_page") for query in service.queries]
    assert asked == ["100", None][: 1 + ("page" in message)]
