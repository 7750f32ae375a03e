"""The level of completeness is proven by what was read: totals that lie, pages that vanish, filters that get lost."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest
from tests.services import FaultyService, Links, Paging, WireDialect

import inkframe
from inkframe.listing.operations import USUAL
from inkframe.listing.pages import Budget
from inkframe.listing.proof import Completeness, Evidence, Verdict

#: A service that no client can guess: its parameter has an uncommon name.
SECRET = Paging(parameter="leaf", largest=100)
TOTAL = {"total": "$total", "data": "$rows"}
LAST = {"data": "$rows", "meta": {"total": "$total", "last_page": "$last_number", "current_page": "$number"}}


def dialect(listing=LAST, **options):
    return WireDialect(name="drawn", about="", listing=listing, **options)


def connected(service):
    return inkframe.Client(service.base_url, service.key, transport=service.transport)


def listed(service, **query):
    """Return all images as a frame, and its level, reasons and total."""
    with connected(service) as client:
        frame = client.images.all(**query)
    facts = frame.attrs["inkframe"]
    return frame, facts["completeness"], facts["reasons"], facts["total"]


@pytest.mark.parametrize("strangers", ["ignored", "filter", "refused"])
def test_an_unreached_total_is_not_verified(strangers, capsys):
    """If no attempt leads to a second page, the listing is best-effort, and a line is printed."""
    service = FaultyService(dialect(TOTAL, paging=replace(SECRET, strangers=strangers)), images=263)
    frame, level, reasons, total = listed(service)
    assert (len(frame), level, total) == (200, "best-effort", 263)
    assert reasons == ["one page only: the paging style of the service is unknown"]
    assert "service.test reports 263 images and returned 200: one page only" in capsys.readouterr().out


def test_a_total_of_the_page_proves_nothing_where_no_other_page_is_found():
    """The first pages in both orders have other records, so that more may be between them."""
    counted = {"total": "$size", "data": "$rows"}
    service = FaultyService(dialect(counted, paging=replace(SECRET, strangers="ignored")), images=263)
    frame, level, reasons, _ = listed(service)
    assert (len(frame), level) == (200, "best-effort")
    assert reasons == ["one page only: the paging style of the service is unknown"]


def test_pages_end_with_a_reason(capsys):
    """The last frame of pages() has the reasons, and a line is printed if records are missing."""
    service = FaultyService(dialect(TOTAL, paging=replace(SECRET, strangers="filter")), images=263)
    with connected(service) as client:
        reasons = [frame.attrs["inkframe"]["reasons"] for frame in client.images.pages()]
    assert reasons == [[], ["one page only: the paging style of the service is unknown"]]
    assert "returned 200" in capsys.readouterr().out


def test_a_total_that_counts_as_far_as_it_reads_proves_nothing():
    """A deletion that moves a record to a page already read is noticed, though every total is the same."""
    service = FaultyService(
        dialect({"data": "$rows", "total": "$next_total", "next": "$next_url"}), images=102
    )

    @service.between_replies
    def delete(service):
        if len(service.requests) == 2:
            del service.images[1]

    frame, level, _, _ = listed(service)
    assert set(service.images) <= set(frame.index)
    assert level != "exact"


@pytest.mark.parametrize("status", [400, 404, 410, 416, 422])
def test_a_page_that_vanishes_is_no_error(status):
    """A last page that is deleted while pages are read, and refused afterwards, ends no listing."""
    paging = Paging(past_end="not found", past_end_status=status)
    service = FaultyService(dialect(paging=paging), images=310)

    @service.between_replies
    def delete(service):
        if len(service.requests) == 3:
            for id in range(280, 311):
                del service.images[id]

    frame, level, _, _ = listed(service)
    assert set(service.images) <= set(frame.index)
    assert level == "verified"


@pytest.mark.parametrize("status", [404, 400, None])
def test_a_page_that_is_never_there_is_named(status, capsys):
    """A page in the middle that the service does not return makes the listing best-effort, with its number."""
    paging = (
        Paging(lost=(2,))
        if status is None
        else Paging(lost=(2,), past_end="not found", past_end_status=status)
    )
    frame, level, reasons, _ = listed(FaultyService(dialect(paging=paging), images=650))
    assert (len(frame), level) == (550, "best-effort")
    assert "page 3 has no records although later pages have some" in reasons
    assert any(f"page 3 was refused with status {status}" in reason for reason in reasons) == (
        status is not None
    )
    assert "service.test" in capsys.readouterr().out


@pytest.mark.parametrize("past_end", ["last page", "first page"])
@pytest.mark.parametrize(
    "listing", [{"data": "$rows", "current_page": "$number", "has_more": "$has_more"}, LAST]
)
def test_a_page_that_is_answered_with_another_is_noticed(past_end, listing):
    """A service that returns another page in place of one leaves a gap, which its order shows."""
    paging = Paging(lost=(3,), past_end=past_end)
    frame, level, reasons, _ = listed(FaultyService(dialect(listing, paging=paging), images=830))
    assert level == "best-effort"
    if listing is not LAST and past_end == "first page":
        assert any("do not reach the newest" in reason for reason in reasons)  # it ends there
    else:
        assert len(frame) == 730
        assert any("has records of another page" in reason for reason in reasons)


def test_links_without_the_order_lead_on_from_the_newest_page():
    """Where a page is refused beside other parameters and its link loses the order, no record is missing."""

    def answer(request):
        asked = dict(request.url.params)
        number = int(asked.pop("page", 1))
        if number > 1 and asked:
            return httpx.Response(400, json={"message": "page is not allowed beside other parameters"})
        ids = sorted(range(1, 431), reverse=asked.get("sort") != "asc")[100 * number - 100 : 100 * number]
        rows = [{"id": id, "name": f"n{id}", "description": "d", "style": "ink"} for id in ids]
        following = f"/api/v1/images?page={number + 1}" if number < 5 else None
        return httpx.Response(200, json={"data": rows, "total": 430, "next": following})

    transport = httpx.MockTransport(answer)
    with inkframe.Client("https://service.test", "key", transport=transport) as client:
        frame = client.images.all()
    assert sorted(frame.index) == list(range(1, 431))
    assert frame.attrs["inkframe"]["completeness"] == "best-effort"


@pytest.mark.parametrize("size", [1, 3])
def test_a_total_that_a_link_contradicts_is_not_exact(size):
    """Where the page behind the link to the next is the first again, a total of its rows proves nothing."""

    def answer(request):
        ids = sorted(range(1, size + 1), reverse=request.url.params.get("sort") != "asc")
        rows = [{"id": id, "name": f"n{id}", "description": "d", "style": "ink"} for id in ids]
        rows = [] if request.url.params.keys() & {"page", "offset", "_page"} else rows
        following = f"?{request.url.query.decode()}&limit={size}&from=1" if rows else None
        body = {"data": rows, "pagination": {"recordsTotal": len(rows), "start": 0, "next": following}}
        return httpx.Response(200, json=body)

    transport = httpx.MockTransport(answer)
    with inkframe.Client("https://service.test", "key", transport=transport) as client:
        facts = client.images.all().attrs["inkframe"]
    assert facts["completeness"] == "best-effort"
    assert facts["reasons"] == ["one page only: the paging style of the service is unknown"]


@pytest.mark.parametrize("lie", [10**10, "$everything"])
def test_listings_of_many_templates_share_their_requests(lie):
    """A library of every template takes at most twice its pages and 60 requests, whatever its totals count."""
    meta = (
        {"total": lie, "last_page": 10**9, "current_page": "$number"}
        if lie != "$everything"
        else {"total": lie}
    )
    service = FaultyService(dialect({"data": "$rows", "meta": meta}, paging=Paging(largest=5)), documents=700)
    with connected(service) as client:
        frame = client.documents.all()
    pages = -(-700 // 5) + 52
    assert len(service.requests) <= 2 * pages + 60
    facts = frame.attrs["inkframe"]
    assert len(frame) == 700 or (facts["completeness"], bool(facts["reasons"])) == ("best-effort", True)


def test_a_count_of_pages_that_starts_at_0_is_noticed():
    """A full page whose total is its length, and whose last page is 1 counted from 0, is not the whole list."""
    listing = {"results": "$rows", "found": "$count", "totalPages": "$last_number", "limit": "$size"}
    service = FaultyService(dialect(listing, paging=Paging(first=0, largest=20)), images=29)
    frame, level, _, _ = listed(service)
    assert set(frame.index) == set(service.images)
    assert level != "exact"
    honest = FaultyService(dialect(LAST, paging=Paging(largest=20)), images=20)
    assert listed(honest)[1] == "exact"
    assert len(honest.requests) == 1


LIES = ["$pages", "$count", "$running_total", "$next_total", "$size", 10**10, 0]


def test_a_short_first_page_may_be_full_if_its_last_page_may_be_counted_from_0():
    """A service that returns fewer records than requested, and repeats their number as the total, is read on."""
    listing = {"data": "$rows", "meta": {"found": "$size", "PageCount": "$last_number"}}
    service = FaultyService(dialect(listing, paging=Paging(first=0, largest=25)), images=45)
    with connected(service) as client:
        assert sum(len(frame) for frame in client.images.pages()) == 45


@pytest.mark.parametrize("size", [1, 100])
def test_two_full_pages_that_are_numbered_from_0_are_not_one(size):
    """The second page in one order has the records of the first in the other, which does not make it the only one."""
    listing = {"results": "$rows", "page_info": {"total_count": 0}}
    service = FaultyService(dialect(listing, paging=Paging(first=0, largest=size)), images=2 * size)
    frame, level, _, _ = listed(service)
    assert len(frame) == 2 * size or level == "best-effort"


def test_a_last_page_in_place_of_another_is_not_verified():
    """The newest records close no gap unless the oldest of them was read; here the page between is missing."""
    listing = {"content": "$rows", "next_page_url": "$next_url"}
    paging = Paging(by="offset", parameter="start", largest=50, past_end="last page", lost=(1,))
    frame, level, _, _ = listed(FaultyService(dialect(listing, paging=paging), images=135))
    assert len(frame) == 100
    assert level == "best-effort"


@pytest.mark.parametrize("strangers", ["ignored", "filter", "refused"])
@pytest.mark.parametrize("count", [1, 4])
def test_a_single_record_is_not_compared_by_its_order(count, strangers):
    """Where the order is ignored, too, the same record in both orders does not show that it is the only one."""
    paging = Paging(parameter="leaf", largest=1, strangers=strangers)
    service = FaultyService(
        dialect({"data": "$rows", "total": "$size"}, paging=paging, ignores=("sort",)), images=count
    )
    frame, level, reasons, _ = listed(service)
    assert len(frame) == 1
    assert (level, reasons) == ("best-effort", ["one page only: the paging style of the service is unknown"])


@pytest.mark.parametrize("pinned", [None, "page"])
@pytest.mark.parametrize("total", ["$size", "$running_total", None])
def test_the_same_page_in_both_orders_proves_nothing(pinned, total):
    """Where the order is ignored and the second page is missing, the first one is not the whole list."""
    listing = {"data": "$rows"} | ({"total": total} if total else {})
    paging = Paging(parameter="page", largest=7, past_end="null", lost=(1,), deepest=7)
    service = FaultyService(dialect(listing, paging=paging, ignores=("sort",)), images=41)
    with connected(service) as client:
        if pinned:
            client.images.dialect = inkframe.Dialect(paging="number", page_parameter=pinned, first_page=1)
        frame = client.images.all()
    assert len(frame) == 7
    assert frame.attrs["inkframe"]["completeness"] == "best-effort"


@pytest.mark.parametrize("size", [1, 3, 31])
def test_a_last_page_of_1_proves_nothing_where_the_first_may_be_0(size):
    """It may be the second page, whatever the size of the first, and the total may count the page."""
    listing = {"data": "$rows", "meta": {"total_count": "$size", "PageCount": "$last_number"}}
    paging = Paging(by="offset", parameter="SkipCount", first=0, largest=size)
    for count in (2 * size, 2 * size - 1):
        service = FaultyService(dialect(listing, paging=paging), images=count)
        frame, level, _, _ = listed(service)
        assert len(frame) == count or level == "best-effort"


def test_a_last_page_of_1_is_doubted_once():
    """One list shows that the pages of the service are numbered from 1."""
    listing = {"data": "$rows", "total": "$total", "last_page": "$last_number"}
    service = FaultyService(dialect(listing), images=31)
    with connected(service) as client:
        frames = [client.images.all(**query) for query in ({}, {"style": "anime"}, {"favorite": True}, {})]
    assert [frame.attrs["inkframe"]["completeness"] for frame in frames[:2]] == ["exact"] * 2
    assert len(service.requests) == 4 + 3


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("last", ["$last_number", None])
def test_a_total_that_counts_something_else_is_noticed(lie, last, capsys):
    """Every record is listed with few requests, and nothing is called added or deleted."""
    meta = {"total": lie, "current_page": "$number"} | ({"last_page": last} if last else {})
    service = FaultyService(dialect({"data": "$rows", "meta": meta}), images=431)
    frame, level, reasons, _ = listed(service)
    assert len(frame) == 431
    assert level == "best-effort"
    assert reasons
    assert not any("added or deleted" in reason for reason in reasons)
    assert len(service.requests) <= 2 * 5 + 60
    assert ("returned 431" in capsys.readouterr().out) == (lie == 10**10)


def test_a_total_that_falls_to_0_past_the_end_is_no_change():
    """An honest total that is 0 on an empty page leaves the listing exact."""
    listing = {"data": "$rows", "meta": {"total": "$shown_total"}}
    assert listed(FaultyService(dialect(listing), images=431))[1:3] == ("exact", [])


def test_a_total_of_the_whole_collection_is_noticed(capsys):
    """With a filter, such a total is not the number of missing records, and costs few requests."""
    listing = {"data": "$rows", "total": "$everything", "next_page_url": "$next_url"}
    service = FaultyService(dialect(listing), images=900)
    frame, level, reasons, total = listed(service, style="anime")
    assert set(frame.index) == {id for id, image in service.images.items() if image["style"] == "anime"}
    assert (level, total) == ("verified", None)
    assert reasons == ["the total of the service counts the whole collection, not the filtered list"]
    assert capsys.readouterr().out == ""


def test_a_filter_that_every_record_matches_is_exact():
    """A total that is reached is proof, also if it is that of the list without filters; nothing more is asked."""
    listing = {"data": "$rows", "total": "$total", "has_more": "$has_more"}
    service = FaultyService(dialect(listing), images=0)
    for number in range(30):
        service.insert("images", name=f"Boats {number}", style="anime")
    assert listed(service, style="anime")[1:] == ("exact", [], 30)
    assert all(request.query.get("style") == "anime" for request in service.requests)


def test_a_total_of_the_whole_collection_is_remembered():
    """Once noticed, such a total is not reported for other filtered lists; that of the collection is."""
    listing = {"data": "$rows", "total": "$everything", "next_page_url": "$next_url"}
    with connected(FaultyService(dialect(listing), images=900)) as client:
        client.images.all(style="anime")
        filtered, whole = client.images.list(style="retro"), client.images.list()
    assert filtered.attrs["inkframe"]["total"] is None
    assert whole.attrs["inkframe"]["total"] == 900


def test_a_total_that_is_not_that_of_the_collection_goes_on_counting():
    """Records that a filtered list lacks are missing in each listing of a client, not in the first one only."""

    def answer(request):
        rows = [{"id": id, "name": f"n{id}", "style": "anime"} for id in (1, 2)]
        is_filtered = "style" in request.url.params
        return httpx.Response(200, json={"data": rows, "total": 3 if is_filtered else 10, "last_page": 1})

    with inkframe.Client("https://service.test", "key", transport=httpx.MockTransport(answer)) as client:
        for _ in range(2):
            facts = client.images.all(style="anime").attrs["inkframe"]
            assert (facts["completeness"], facts["total"]) == ("best-effort", 3)


def test_a_total_of_the_whole_collection_costs_few_requests():
    """A library of every template is listed with at most twice its pages and 60 requests."""
    listing = {"data": "$rows", "total": "$everything"}
    service = FaultyService(dialect(listing), images=0, documents=1237)
    with connected(service) as client:
        frame = client.documents.all()
    assert set(frame.index) == set(service.documents)
    assert len(service.requests) <= 2 * 52 + 60


def test_the_filtered_total_counts():
    """Beside a total of the whole collection, the total of the filtered list is reached."""
    listing = {"data": "$rows", "recordsTotal": "$everything", "recordsFiltered": "$total"}
    service = FaultyService(dialect(listing, paging=Paging(by="offset", parameter="start")), images=3000)
    frame, level, _, total = listed(service, style="anime")
    assert (level, total) == ("exact", len(frame))


def test_a_listing_that_pages_do_not_reach_is_noticed(capsys):
    """A service whose pages and totals end at a bound still lists newer records."""
    listing = {"data": "$rows", "meta": {"total": "$reachable_total"}}
    service = FaultyService(dialect(listing, paging=Paging(deepest=300)), images=431)
    frame, level, reasons, _ = listed(service)
    assert level == "best-effort"
    assert "the pages by id ascending do not reach the newest records" in reasons
    assert set(range(332, 432)) <= set(frame.index)
    assert "do not reach" in capsys.readouterr().out


def test_a_list_that_shrinks_before_its_parameter_is_known():
    """If no page follows any more, the first page is read again, and is the whole list."""
    service = FaultyService(dialect(TOTAL), images=101)

    @service.between_replies
    def delete(service):
        if len(service.requests) == 2:
            del service.images[101]

    frame, level, _, _ = listed(service)
    assert set(service.images) <= set(frame.index)
    assert level in {"verified", "best-effort"}


ALONE = dialect(
    {"data": "$rows", "next": "$next_url"},
    paging=Paging(by="cursor", parameter="page_token", alone=True),
    links=Links(keep_query=False),
)


@pytest.mark.parametrize("query", [{"style": "anime"}, {"favorite": True}, {"search": "a"}, {}])
def test_links_are_used_where_filters_are_refused(query):
    """A service that refuses filters beside its page token is read by its own links."""
    service = FaultyService(ALONE, images=3000)
    frame, level, reasons, _ = listed(service, **query)
    with connected(FaultyService(images=3000)) as client:
        assert set(frame.index) == set(client.images.all(**query).index)
    assert level == "best-effort"
    assert "pages are requested by links of the service" in reasons


def test_links_are_remembered():
    """The refused request is not repeated for the next list."""
    service = FaultyService(ALONE, images=450)
    with connected(service) as client:
        client.images.all()
        before = len(service.requests)
        client.images.all()
        assert len(service.requests) - before == 1 + 5
        assert len(client.images.list(page=3, per_page=100)) == 100


@pytest.mark.parametrize("form", ["elsewhere", "insecure"])
def test_links_to_another_origin_are_not_used(form):
    """The parameters of a link to another host or scheme are not sent unchanged."""
    service = FaultyService(replace(ALONE, links=Links(form=form, keep_query=False)), images=450)
    frame, level, _, _ = listed(service, style="anime")
    assert level == "best-effort" or len(frame) < 100
    assert all(request.query.keys() != {"page_token"} for request in service.requests)


def test_links_that_lose_filters_are_not_used():
    """If the page of a link has other records than the filter selects, it is not read."""
    paging = Paging(by="cursor", parameter="page_token", strangers="filter")
    service = FaultyService(
        dialect(
            {"data": "$rows", "next": "$next_url"}, paging=paging, links=Links(keep_query=False), ignores=()
        ),
        images=1500,
    )
    frame, _, _, _ = listed(service, style="anime")
    assert set(frame["style"]) == {"anime"}


def test_a_token_can_be_refused():
    """A token that the service does not accept any more ends the listing with a reason."""
    paging = Paging(by="cursor", parameter="cursor", lost=(2,), past_end="not found", past_end_status=410)
    service = FaultyService(
        dialect({"data": "$rows", "next_cursor": "$next_token"}, paging=paging), images=450
    )
    frame, level, reasons, _ = listed(service)
    assert (len(frame), level) == (200, "best-effort")
    assert any("refused with status 410" in reason for reason in reasons)


def verdict_of(judge, total=None, images=0, **query):
    """Return the level, reasons, gap and total after a judgment of a page without records."""
    service = FaultyService(images=images, documents=0)
    with connected(service) as client:
        calls = client.images._calls
        verdict = Verdict(calls, query, USUAL, Budget())
        verdict.completeness.total = total
        judge(verdict, calls.reader.empty_page({}))
    found = verdict.completeness
    return found.level, found.reasons, found.gap, found.total


ONE = "one page only: the paging style of the service is unknown"


@pytest.mark.parametrize(
    ("reported", "count", "more", "gap"),
    [(None, 5, None, None), (5, 5, None, None), (6, 5, None, ONE), (4, 5, True, None), (5, 5, True, None), (None, 5, True, ONE)],
)  # fmt: skip
def test_one_page_is_best_effort(reported, count, more, gap):
    """Records are known to be missing where the page says that more follow, and its total is not reached."""

    def judge(verdict, page):
        page.reply.total, page.reply.more = reported, more
        verdict.one_page(page, count)

    assert verdict_of(judge, 9) == ("best-effort", [ONE], gap, 9)


EVERYTHING = ["the total of the service counts the whole collection, not the filtered list"]


@pytest.mark.parametrize(
    ("total", "claimed", "more", "found"),
    [
        (None, None, None, ("exact", [], None)),
        (0, 0, None, ("exact", [], None)),
        (1234, 1234, None, ("best-effort", ["the service reports 1,234 records and returned 0"])),
        (None, 3, None, ("best-effort", EVERYTHING, None)),
        (None, 3, False, ("verified", EVERYTHING, None)),
    ],
)
def test_a_single_page_is_judged_by_its_total(total, claimed, more, found):
    """A total that is not reached is a gap, and one that was disregarded is none of the list."""

    def judge(verdict, page):
        page.reply.total, page.claimed, page.reply.more = total, claimed, more
        verdict.single(page)

    level, reasons, *gap = found
    assert verdict_of(judge, total) == (level, reasons, *(gap or reasons), total)


@pytest.mark.parametrize(
    ("total", "more", "next", "kept"),
    [
        (9, False, None, None),
        (9, None, None, 9),
        (9, True, None, 9),
        (9, False, "b2Zm", 9),
        (8, False, None, 8),
    ],
)
def test_a_total_that_the_end_contradicts_is_compared_with_the_collection(total, more, next, kept):
    """It is dropped if a page says that it is the last, and the list without filters has the same total."""
    found = []

    def judge(verdict, page):
        page.reply.total, page.reply.more, page.reply.next = total, more, next
        verdict.check_total(page)
        found.append(page.reply.total)

    verdict_of(judge, images=9, style="anime")
    assert found == [kept]


@pytest.mark.parametrize(
    ("collection", "query", "asked"),
    [
        ("images", {"style": "anime"}, {"per_page": "100"}),
        ("documents", {"search": "a"}, {"per_page": "100"}),
        ("documents", {"template_id": 1}, {"per_page": "100", "template_id": "2"}),
        ("documents", {"template_id": 2}, {"per_page": "100", "template_id": "3"}),
        ("documents", {"template_id": 7}, {"per_page": "100", "template_id": "2"}),
    ],
)
@pytest.mark.parametrize(("status", "total", "kept"), [(200, 9, None), (200, 8, 9), (403, 9, 9)])
def test_the_total_of_the_collection_is_asked_for_once(collection, query, asked, status, total, kept):
    """Without the filter, or with another value of a filter that has a default; an error tells nothing."""

    def answer(request):
        requests.append(dict(request.url.params))
        return httpx.Response(status, json={"data": [], "total": total})

    requests = []
    with inkframe.Client("https://service.test", "key", transport=httpx.MockTransport(answer)) as client:
        calls = getattr(client, collection)._calls
        page = calls.reader.empty_page({}, 9)
        page.reply.more = False
        Verdict(calls, query, USUAL, Budget()).check_total(page)
    assert (requests, page.reply.total) == ([asked], kept)


def test_a_single_page_whose_total_is_that_of_the_collection():
    """It counts something else, so that no record is known to be missing."""

    def judge(verdict, page):
        page.reply.total = page.claimed = 9
        verdict.single(page)

    assert verdict_of(judge, 9, images=9, style="anime") == ("best-effort", EVERYTHING, None, None)
    missing = "the service reports 9 records and returned 0"
    assert verdict_of(judge, 9, images=8, style="anime") == ("best-effort", [missing], missing, 9)


def test_a_total_of_the_collection_is_no_total_of_longer_lists():
    """Of an unknown paging style, of pages that lead to each other, and of a pass from the last page to the first."""
    whole = {"total": 9, "images": 9, "style": "anime"}

    def one_page(verdict, page):
        page.reply.total = 9
        verdict.one_page(page, 5)
        assert page.reply.total is None

    assert verdict_of(one_page, **whole) == ("best-effort", [ONE], None, None)
    chain = verdict_of(lambda verdict, last: verdict.chain(last, 5, by_id=True), **whole)
    unclear = "the service does not say which page is the last"
    assert chain == ("best-effort", [unclear, *EVERYTHING], None, None)
    proof = Evidence(100, first_total=9, last_total=9, reach=5, ends=True)
    found = verdict_of(lambda verdict, _: verdict.proven(proof, 5, "changed"), **whole)
    assert found == ("verified", EVERYTHING, None, None)


def test_a_total_smaller_than_its_page_is_told(capsys):
    """A header that counts fewer records than the only page has is no total of the list, and none is missing."""

    def answer(_):
        rows = [{"id": id, "name": f"n{id}"} for id in (3, 2, 1)]
        return httpx.Response(200, headers={"x-total-count": "2"}, json=rows)

    with inkframe.Client("https://service.test", "key", transport=httpx.MockTransport(answer)) as client:
        facts = client.images.all().attrs["inkframe"]
    assert (facts["completeness"], facts["reasons"]) == (
        "best-effort",
        ["the service reports 2 records and returned 3"],
    )
    assert capsys.readouterr().out == ""


def proven(count=5, total=5, **evidence):
    """Return the level, reasons, gap and total after the pass from the last page to the first."""
    proof = Evidence(100, **{"first_total": total, "last_total": total, "reach": count} | evidence)
    return verdict_of(lambda verdict, _: verdict.proven(proof, count, "changed"), total)


def test_what_a_pass_proves():
    """A total that is reached verifies a listing; holes, strays and short pages do not."""
    verified = ("verified", ["changed"], None, 5)
    assert proven() == verified
    assert proven(total=None, ends=True) == ("verified", ["changed"], None, None)
    assert proven(total=None) == ("best-effort", ["changed"], None, None)
    missing = "the service reports 6 records and returned 5"
    assert proven(total=6) == ("best-effort", [missing], missing, 6)
    uncounted = "the totals of the service do not count the records: 4 and 1,005 for 1,234"
    assert proven(1234, 4, last_total=1005) == ("best-effort", [uncounted], None, None)
    hole = "page 3 has no records although later pages have some"
    assert proven(hole=2) == ("best-effort", [hole, "changed"], hole, 5)
    stray = "page 4 has records of another page"
    assert proven(stray=3) == ("best-effort", [stray, "changed"], None, 5)
    short = "a page in the middle is shorter than the others"
    assert proven(cut_short=3) == ("best-effort", [stray], None, 5)
    assert proven(is_short=True) == ("best-effort", [short, "changed"], None, 5)
    other = Evidence(100, first_total=9, last_total=9, reach=5, ends=True)
    without_total = verdict_of(lambda verdict, _: verdict.proven(other, 5, "changed"))
    assert without_total == ("verified", ["changed"], None, None)


def test_a_reason_is_told_once():
    """A second listing with the same reason lowers the level, and repeats nothing."""
    found = Completeness("verified", ["changed"])
    found.add(Completeness("best-effort", ["changed", "short"]))
    assert (found.level, found.reasons) == ("best-effort", ["changed", "short"])


def chained(count=5, *, total=None, claimed=None, by_id=True, linked=False, more=None, query=()):
    """Return the level, reasons, gap and total of a list of chained pages without a request."""

    def judge(verdict, last):
        last.reply.more, last.claimed, last.is_linked = more, claimed, linked
        verdict.chain(last, count, by_id=by_id)

    return verdict_of(judge, total, **dict(query))


def test_the_end_of_a_chain_is_judged_by_what_the_last_page_says():
    """Only a chain by the last id that says that it ends, or reaches its total, is verified."""
    verified = ("verified", ["each page was requested by the last id before it"])
    unclear = ("best-effort", ["the service does not say which page is the last"])
    tokens = ("best-effort", ["pages are requested by tokens of the service"])
    links = ("best-effort", ["pages are requested by links of the service"])
    assert chained(more=False) == (*verified, None, None)
    assert chained() == (*unclear, None, None)
    assert chained(more=True) == (*unclear, None, None)
    assert chained(total=5) == (*verified, None, 5)
    assert chained(total=5, claimed=5) == (*verified, None, 5)
    assert chained(total=5, claimed=4) == (*unclear, None, 5)
    assert chained(total=4, claimed=4) == (*unclear, None, 4)
    assert chained(more=False, claimed=9) == (*verified, None, None)
    assert chained(more=False, by_id=False) == (*tokens, None, None)
    assert chained(more=False, linked=True) == (*links, None, None)
    assert chained(more=False, by_id=False, linked=True) == (*links, None, None)
    missing = "the service reports 1,006 records and returned 5"
    assert chained(more=False, total=1006) == ("best-effort", [*verified[1], missing], missing, 1006)
    many = "the service reports 5,678 records and returned 1,234"
    assert chained(1234, more=False, total=5678) == ("best-effort", [*verified[1], many], many, 5678)
    assert chained(more=False, total=6, claimed=5) == (*verified, None, 6)
    assert chained(by_id=False, total=3, claimed=1006) == (
        "best-effort", [*tokens[1], missing], missing, 3
    )  # fmt: skip
    assert chained(by_id=False, total=3, claimed=1006, query={"style": "anime"}) == (
        "best-effort", [*tokens[1], missing], missing, 3
    )  # fmt: skip
