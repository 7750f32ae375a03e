"""The level of completeness is proven by what was read: totals that lie, pages that vanish, filters that get lost."""

from dataclasses import replace

import httpx
import pytest
from tests.answering import Answers, facts
from tests.cases import cases
from tests.services import FaultyService, Links, Paging, drawn

import inkframe
from inkframe.listing.full_listing import FullListing
from inkframe.listing.verdict import Budget, Log, SeenPage, UnionLog, verdict
from inkframe.replies.columns import Columns, Page
from inkframe.replies.list_reply import ListReply

UNFOUND = "one page only: the paging style of the service is unknown"
#: A service that no client can guess: its parameter has an uncommon name.
SECRET = Paging(parameter="leaf", largest=100)
TOTAL = {"total": "$total", "data": "$rows"}
LAST = {"data": "$rows", "meta": {"total": "$total", "last_page": "$last_number", "current_page": "$number"}}


def serving(listing=LAST, *, images=0, documents=0, **options):
    """Return a service with some records, which lists them in one way."""
    return FaultyService(drawn(listing, **options), images=images, documents=documents)


def listed(service, **query):
    """Return all images as a frame, and its level, reasons and total."""
    with service.client() as client:
        frame = client.images.all(**query)
    return frame, *facts(frame), frame.attrs["inkframe"]["total"]


@pytest.mark.parametrize("strangers", ["ignored", "filter", "refused"])
def test_an_unreached_total_is_not_verified(strangers, capsys):
    """If no attempt leads to a second page, the listing is best-effort, and a line is printed."""
    service = serving(TOTAL, paging=replace(SECRET, strangers=strangers), images=263)
    frame, level, reasons, total = listed(service)
    assert (len(frame), level, total) == (200, "best-effort", 263)
    assert reasons == [UNFOUND]
    assert "service.test lists 200 of 263 images: one page only" in capsys.readouterr().out


def test_pages_end_with_a_reason(capsys):
    """The last frame of pages() has the reasons, and a line is printed if records are missing."""
    service = serving(TOTAL, paging=replace(SECRET, strangers="filter"), images=263)
    with service.client() as client:
        reasons = [facts(frame)[1] for frame in client.images.pages()]
    assert reasons == [[], [UNFOUND]]
    assert "lists 200 of 263 images" in capsys.readouterr().out


def test_a_total_that_counts_as_far_as_it_reads_proves_nothing():
    """A deletion that moves a record to a page already read is noticed, though every total is the same."""
    service = serving({"data": "$rows", "total": "$next_total", "next": "$next_url"}, images=102)

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
    service = serving(paging=paging, images=310)

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
    refusal = {} if status is None else {"past_end": "not found", "past_end_status": status}
    paging = Paging(lost=(2,), **refusal)
    frame, level, reasons, _ = listed(serving(paging=paging, images=650))
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
    frame, level, reasons, _ = listed(serving(listing, paging=paging, images=830))
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
        return {"data": rows, "total": 430, "next": following}

    frame, level, _, _ = listed(Answers(answer))
    assert (sorted(frame.index), level) == (list(range(1, 431)), "best-effort")


@pytest.mark.parametrize("size", [1, 3])
def test_a_total_that_a_link_contradicts_is_not_exact(size):
    """Where the page behind the link to the next is the first again, a total of its rows proves nothing."""

    def answer(request):
        ids = sorted(range(1, size + 1), reverse=request.url.params.get("sort") != "asc")
        rows = [{"id": id, "name": f"n{id}", "description": "d", "style": "ink"} for id in ids]
        rows = [] if request.url.params.keys() & {"page", "offset", "_page"} else rows
        following = f"?{request.url.query.decode()}&limit={size}&from=1" if rows else None
        return {"data": rows, "pagination": {"recordsTotal": len(rows), "start": 0, "next": following}}

    assert listed(Answers(answer))[1:3] == ("best-effort", [UNFOUND])


@pytest.mark.parametrize("lie", [10**10, "$everything"])
def test_listings_of_many_templates_share_their_requests(lie):
    """A library of every template takes at most twice its pages and 60 requests, whatever its totals count."""
    pages = {} if lie == "$everything" else {"last_page": 10**9, "current_page": "$number"}
    meta = {"total": lie} | pages
    service = serving({"data": "$rows", "meta": meta}, paging=Paging(largest=5), documents=700)
    with service.client() as client:
        frame = client.documents.all()
    pages = -(-700 // 5) + 52
    assert len(service.requests) <= 2 * pages + 60
    level, reasons = facts(frame)
    assert len(frame) == 700 or (level, bool(reasons)) == ("best-effort", True)


def test_a_count_of_pages_that_starts_at_0_is_noticed():
    """A full page whose total is its length, and whose last page is 1 counted from 0, is not the whole list."""
    listing = {"results": "$rows", "found": "$count", "totalPages": "$last_number", "limit": "$size"}
    service = serving(listing, paging=Paging(first=0, largest=20), images=29)
    frame, level, _, _ = listed(service)
    assert set(frame.index) == set(service.images)
    assert level != "exact"
    honest = serving(LAST, paging=Paging(largest=19), images=19)
    assert listed(honest)[1] == "exact"
    assert len(honest.requests) == 1


LIES = ["$pages", "$count", "$running_total", "$next_total", "$size", 10**10, 0]


def test_a_short_first_page_may_be_full_if_its_last_page_may_be_counted_from_0():
    """A service that returns fewer records than requested, and repeats their number as the total, is read on."""
    listing = {"data": "$rows", "meta": {"found": "$size", "PageCount": "$last_number"}}
    service = serving(listing, paging=Paging(first=0, largest=25), images=45)
    with service.client() as client:
        assert sum(len(frame) for frame in client.images.pages()) == 45


@pytest.mark.parametrize("size", [1, 100])
def test_two_full_pages_that_are_numbered_from_0_are_not_one(size):
    """The second page in one order has the records of the first in the other, which does not make it the only one."""
    listing = {"results": "$rows", "page_info": {"total_count": 0}}
    service = serving(listing, paging=Paging(first=0, largest=size), images=2 * size)
    frame, level, _, _ = listed(service)
    assert len(frame) == 2 * size or level == "best-effort"


def test_a_last_page_in_place_of_another_is_not_verified():
    """The newest records close no gap unless the oldest of them was read; here the page between is missing."""
    listing = {"content": "$rows", "next_page_url": "$next_url"}
    paging = Paging(by="offset", parameter="start", largest=50, past_end="last page", lost=(1,))
    frame, level, _, _ = listed(serving(listing, paging=paging, images=135))
    assert len(frame) == 100
    assert level == "best-effort"


@pytest.mark.parametrize("strangers", ["ignored", "filter", "refused"])
@pytest.mark.parametrize("count", [1, 4])
def test_a_single_record_is_not_compared_by_its_order(count, strangers):
    """Where the order is ignored, too, the same record in both orders does not show that it is the only one."""
    paging = Paging(parameter="leaf", largest=1, strangers=strangers)
    service = serving({"data": "$rows", "total": "$size"}, paging=paging, ignores=("sort",), images=count)
    frame, level, reasons, _ = listed(service)
    assert len(frame) == 1
    assert (level, reasons) == ("best-effort", [UNFOUND])


@pytest.mark.parametrize("pinned", [None, "page"])
@pytest.mark.parametrize("total", ["$size", "$running_total", None])
def test_the_same_page_in_both_orders_proves_nothing(pinned, total):
    """Where the order is ignored and the second page is missing, the first one is not the whole list."""
    listing = {"data": "$rows"} | ({"total": total} if total else {})
    paging = Paging(parameter="page", largest=7, past_end="null", lost=(1,), deepest=7)
    service = serving(listing, paging=paging, ignores=("sort",), images=41)
    with service.client() as client:
        if pinned:
            client.images.dialect = inkframe.Dialect(paging="number", page_parameter=pinned, first_page=1)
        frame = client.images.all()
    assert (len(frame), facts(frame)[0]) == (7, "best-effort")


@pytest.mark.parametrize("size", [1, 3, 31])
def test_a_last_page_of_1_proves_nothing_where_the_first_may_be_0(size):
    """It may be the second page, whatever the size of the first, and the total may count the page."""
    listing = {"data": "$rows", "meta": {"total_count": "$size", "PageCount": "$last_number"}}
    paging = Paging(by="offset", parameter="SkipCount", first=0, largest=size)
    for count in (2 * size, 2 * size - 1):
        service = serving(listing, paging=paging, images=count)
        frame, level, _, _ = listed(service)
        assert len(frame) == count or level == "best-effort"


def test_a_last_page_of_1_is_doubted_once():
    """One list shows that the pages of the service are numbered from 1."""
    listing = {"data": "$rows", "total": "$total", "last_page": "$last_number"}
    service = serving(listing, images=31)
    with service.client() as client:
        frames = [client.images.all(**query) for query in ({}, {"style": "anime"}, {"favorite": True}, {})]
    assert [facts(frame)[0] for frame in frames[:2]] == ["exact"] * 2
    assert len(service.requests) == 2 + 4


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("last", ["$last_number", None])
def test_a_total_that_counts_something_else_is_noticed(lie, last, capsys):
    """Every record is listed with few requests, and nothing is called added or deleted."""
    meta = {"total": lie, "current_page": "$number"} | ({"last_page": last} if last else {})
    service = serving({"data": "$rows", "meta": meta}, images=431)
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
    assert listed(serving(listing, images=431))[1:3] == ("exact", [])


def test_a_total_of_the_whole_collection_is_noticed(capsys):
    """With a filter, such a total is not the number of missing records, and costs few requests."""
    listing = {"data": "$rows", "total": "$everything", "next_page_url": "$next_url"}
    service = serving(listing, images=900)
    frame, level, reasons, total = listed(service, style="anime")
    assert set(frame.index) == {id for id, image in service.images.items() if image["style"] == "anime"}
    assert (level, total) == ("verified", None)
    assert reasons == ["the total of the service counts the whole collection, not the filtered list"]
    assert capsys.readouterr().out == ""


def test_a_filter_that_every_record_matches_is_exact():
    """A total that is reached is proof, also if it is that of the list without filters; nothing more is asked."""
    listing = {"data": "$rows", "total": "$total", "has_more": "$has_more"}
    service = serving(listing, images=0)
    for number in range(30):
        service.insert("images", name=f"Boats {number}", style="anime")
    assert listed(service, style="anime")[1:] == ("exact", [], 30)
    assert all(request.query.get("style") == "anime" for request in service.requests)


def test_a_total_of_the_whole_collection_is_remembered():
    """Once noticed, such a total is not reported for other filtered lists; that of the collection is."""
    listing = {"data": "$rows", "total": "$everything", "next_page_url": "$next_url"}
    with serving(listing, images=900).client() as client:
        client.images.all(style="anime")
        filtered, whole = client.images.list(style="retro"), client.images.list()
    assert filtered.attrs["inkframe"]["total"] is None
    assert whole.attrs["inkframe"]["total"] == 900


def test_a_total_that_is_not_that_of_the_collection_goes_on_counting():
    """Records that a filtered list lacks are missing in each listing of a client, not in the first one only."""

    def answer(request):
        rows = [{"id": id, "name": f"n{id}", "style": "anime"} for id in (1, 2)]
        return {"data": rows, "total": 3 if "style" in request.url.params else 10, "last_page": 1}

    with Answers(answer).client() as client:
        for _ in range(2):
            frame = client.images.all(style="anime")
            assert (facts(frame)[0], frame.attrs["inkframe"]["total"]) == ("best-effort", 3)


def test_the_filtered_total_counts():
    """Beside a total of the whole collection, the total of the filtered list is reached."""
    listing = {"data": "$rows", "recordsTotal": "$everything", "recordsFiltered": "$total"}
    service = serving(listing, paging=Paging(by="offset", parameter="start"), images=3000)
    frame, level, _, total = listed(service, style="anime")
    assert (level, total) == ("exact", len(frame))


def test_a_listing_that_pages_do_not_reach_is_noticed(capsys):
    """A service whose pages and totals end at a bound still lists newer records."""
    listing = {"data": "$rows", "meta": {"total": "$reachable_total"}}
    service = serving(listing, paging=Paging(deepest=300), images=431)
    frame, level, reasons, _ = listed(service)
    assert level == "best-effort"
    assert "the pages by id ascending do not reach the newest records" in reasons
    assert set(range(332, 432)) <= set(frame.index)
    assert "do not reach" in capsys.readouterr().out


def test_a_list_that_shrinks_before_its_parameter_is_known():
    """If no page follows any more, the first page is read again, and is the whole list."""
    service = serving(TOTAL, images=101)

    @service.between_replies
    def delete(service):
        if len(service.requests) == 2:
            del service.images[101]

    frame, level, _, _ = listed(service)
    assert set(service.images) <= set(frame.index)
    assert level in {"verified", "best-effort"}


ALONE = drawn(
    {"data": "$rows", "next": "$next_url"},
    paging=Paging(by="cursor", parameter="page_token", alone=True),
    links=Links(keep_query=False),
)


@pytest.mark.parametrize("query", [{"style": "anime"}, {"favorite": True}, {"search": "a"}, {}])
def test_links_are_used_where_filters_are_refused(query):
    """A service that refuses filters beside its page token is read by its own links."""
    service = FaultyService(ALONE, images=3000)
    frame, level, reasons, _ = listed(service, **query)
    with FaultyService(images=3000).client() as client:
        assert set(frame.index) == set(client.images.all(**query).index)
    assert level == "best-effort"
    assert "pages are requested by links of the service" in reasons


def test_links_are_remembered():
    """The refused request is not repeated for the next list."""
    service = FaultyService(ALONE, images=450)
    with service.client() as client:
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
    service = serving(
        {"data": "$rows", "next": "$next_url"},
        paging=paging,
        links=Links(keep_query=False),
        ignores=(),
        images=1500,
    )
    frame, _, _, _ = listed(service, style="anime")
    assert set(frame["style"]) == {"anime"}


def test_a_token_can_be_refused():
    """A token that the service does not accept any more ends the listing with a reason."""
    paging = Paging(by="cursor", parameter="cursor", lost=(2,), past_end="not found", past_end_status=410)
    service = serving({"data": "$rows", "next_cursor": "$next_token"}, paging=paging, images=450)
    frame, level, reasons, _ = listed(service)
    assert (len(frame), level) == (200, "best-effort")
    assert any("refused with status 410" in reason for reason in reasons)


ONE = UNFOUND
EVERYTHING = "the total of the service counts the whole collection, not the filtered list"
TOKENS = "pages are requested by tokens of the service"
LINKS = "pages are requested by links of the service"
BY_ID = "each page was requested by the last id before it"
UNCLEAR = "the service does not say which page is the last"


def judged(way, count=5, **facts):
    """Return the level, reasons, gap and total of a log of so many records."""
    found = verdict(Log(facts.pop("query", {}), Budget(), way=way, ids=set(range(count)), **facts))
    return found.level, found.reasons, found.gap, found.total


def missing(total, count=5):
    return f"the service reports {total:,} records and returned {count:,}"


@cases(
    ("facts", "expected"),
    [
        ({}, ("exact", [], None, None)),
        ({"total": 5, "claimed": 5}, ("exact", [], None, 5)),
        ({"total": 1234, "claimed": 1234}, ("best-effort", [missing(1234)], missing(1234), 1234)),
        ({"total": 4, "claimed": 4}, ("best-effort", [missing(4)], None, 4)),
        ({"claimed": 8}, ("best-effort", [EVERYTHING], None, None)),
        ({"claimed": 8, "ends": True}, ("verified", [EVERYTHING], None, None)),
        ({"total": 8, "claimed": 8, "everything": 8}, ("best-effort", [EVERYTHING], None, None)),
        ({"total": 8, "claimed": 8, "everything": 9}, ("best-effort", [missing(8)], missing(8), 8)),
        ({"ignores_order": True}, ("best-effort", ["the service ignores the order"], None, None)),
        ({"in_order": False}, ("exact", [], None, None)),
        ({"query": {"favorite": True}}, ("exact", [], None, None)),
    ],
)
def test_a_single_page_is_judged_by_its_total(facts, expected):
    """A total that is not the number of distinct records is a gap, or counts the collection."""
    assert judged("one page", **facts) == expected


@cases(
    ("facts", "gap"),
    [
        ({}, None),
        ({"claimed": 5}, None),
        ({"claimed": 6, "says_more": True}, ONE),
        ({"claimed": 4, "says_more": True}, None),
        ({"claimed": 5, "says_more": True}, None),
        ({"says_more": True}, ONE),
        ({"claimed": 9, "everything": 9, "says_more": True}, ONE),
    ],
)
def test_a_page_without_a_second_one_is_best_effort(facts, gap):
    """Records are known to be missing where the page says that more follow, and its total is not reached."""
    assert judged("no second page", **facts)[:3] == ("best-effort", [ONE], gap)


@cases(
    ("way", "facts", "level", "reasons", "gap"),
    [
        ("last ids", {"ends": True}, "verified", [BY_ID], None),
        ("last ids", {}, "best-effort", [UNCLEAR], None),
        ("last ids", {"total": 5, "claimed": 5}, "verified", [BY_ID], None),
        ("last ids", {"total": 5, "claimed": 4}, "best-effort", [UNCLEAR], None),
        ("last ids", {"claimed": 9, "ends": True}, "verified", [BY_ID], None),
        ("last ids", {"total": 6, "claimed": 5, "ends": True}, "verified", [BY_ID], None),
        (
            "last ids",
            {"total": 1006, "claimed": 1006, "ends": True},
            "best-effort",
            [BY_ID, missing(1006)],
            missing(1006),
        ),
        ("tokens", {"ends": True}, "best-effort", [TOKENS], None),
        ("tokens", {"total": 3, "claimed": 1006}, "best-effort", [TOKENS, missing(1006)], missing(1006)),
        ("tokens", {"total": 9, "claimed": 9, "everything": 9}, "best-effort", [TOKENS, EVERYTHING], None),
        ("links", {"ends": True}, "best-effort", [LINKS], None),
        ("onward", {"why": "read newest first"}, "best-effort", ["read newest first"], None),
        ("checked", {"total": 5, "claimed": 5}, "exact", [], None),
        ("checked", {"in_order": False}, "best-effort", ["the ids are not increasing numbers"], None),
        (
            "checked",
            {"query": {"search": "a"}},
            "best-effort",
            ["a search can change while pages are read"],
            None,
        ),
    ],
)
def test_pages_that_lead_to_each_other_are_judged_by_what_leads(way, facts, level, reasons, gap):
    """Only a chain by the last id that says that it ends, or reaches its total, is verified."""
    assert judged(way, **facts)[:3] == (level, reasons, gap)


def seen(index, count, total=None, *, first=None, added=0, **facts):
    """Return a page as a pass saw it."""
    return SeenPage(index, count, 10 * index if first is None else first, total, added, **facts)


def passed(*pages, count=24, total=24, **facts):
    """Return the level, the reasons and the gap of a pass from the last page to the first and to the end."""
    claimed = [page.claimed for page in pages if page.count][-1:] or [None]
    facts = {
        "total": total,
        "claimed": claimed[0],
        "why": "changed",
        "pages": list(pages),
        "size": 10,
    } | facts
    return judged("backward", count, **facts)[:3]


def uncounted(*totals, count=24):
    return f"the totals of the service do not count the records: {' and '.join(map(str, totals))} for {count}"


END, MIDDLE, FIRST = (seen(index, count, 24) for index, count in ((2, 4), (1, 10), (0, 10)))
HOLE = "page 2 has no records although later pages have some"
VERIFIED = ("verified", ["changed"], None)


@cases(
    ("pages", "facts", "expected"),
    [
        ([END, MIDDLE, FIRST, END], {}, VERIFIED),
        ([FIRST, seen(2, 5, 25, added=1)], {"count": 25}, VERIFIED),
        ([FIRST, seen(2, 5, 24)], {}, ("best-effort", [uncounted(24)], None)),
        ([seen(0, 10, 3), seen(2, 4, 3)], {}, ("best-effort", [uncounted(3)], None)),
        ([seen(0, 10, 10), END], {}, ("best-effort", [uncounted(10, 24)], None)),
        ([seen(0, 10), END], {}, ("best-effort", [uncounted(24)], None)),
        ([END], {}, ("best-effort", [uncounted()], None)),
        ([FIRST, seen(2, 4)], {}, ("best-effort", ["changed"], None)),
        ([FIRST, seen(2, 4, more=False)], {}, VERIFIED),
        ([FIRST, END], {"total": None}, ("best-effort", ["changed"], None)),
        ([seen(2, 0), seen(1, 0)], {}, ("best-effort", ["changed"], None)),
        ([END, MIDDLE, FIRST, END], {"count": 23}, ("best-effort", [missing(24, 23)], missing(24, 23))),
        ([END, MIDDLE, FIRST, END], {"count": 23, "everything": 24}, ("best-effort", [EVERYTHING], None)),
        ([seen(3, 0), END, seen(1, 0), FIRST, END], {}, ("best-effort", [HOLE, "changed"], HOLE)),
        ([seen(3, 0), seen(2, 0), MIDDLE, FIRST, END], {}, VERIFIED),
        ([END, seen(1, 10, 24, first=20), FIRST, END], {},
         ("best-effort", ["page 2 has records of another page", "changed"], None)),
        ([END, seen(1, 10, 24, first="a"), FIRST, END], {}, VERIFIED),
        ([END, MIDDLE, seen(0, 10, 24, is_beyond=True), END], {},
         ("best-effort", ["page 1 has records of another page", "changed"], None)),
        ([END, seen(1, 9, 24, more=True), FIRST, END], {},
         ("best-effort", ["a page in the middle is shorter than the others", "page 2 has records of another page"], None)),
        ([seen(2, 3, 24), MIDDLE, FIRST, END], {}, ("best-effort", ["page 3 has records of another page"], None)),
    ],
)  # fmt: skip
def test_what_a_pass_proves(pages, facts, expected):
    """A total that is reached verifies a listing; holes, other pages and short ones do not."""
    assert passed(*pages, **facts) == expected


@pytest.mark.parametrize(
    ("first", "shown", "is_beyond"),
    [
        ({"current_page": 1}, {"current_page": 3}, False),
        ({"current_page": 1}, {"current_page": 4}, True),
        ({"current_page": 0}, {"current_page": 3}, True),
        ({"current_page": 1}, {}, False),
        ({}, {"current_page": 4}, False),
        ({"offset": 0}, {"offset": 20}, False),
        ({"offset": 0}, {"offset": 21}, True),
        ({"offset": 1}, {"offset": 21}, False),
    ],
)
def test_a_page_that_says_a_later_place_is_another(first, shown, is_beyond):
    """A service may repeat its last page or its first number, but skips none."""
    log = Log({}, Budget(), size=10)
    log.begin(Page(ListReply([], **first), Columns([], {}, {}), {}, {}))
    log.see(2, Page(ListReply([], **shown), Columns([30], {}, {}), {}, {}))
    assert log.pages[0].is_beyond is is_beyond


def test_a_refused_page_is_a_reason_where_records_may_be_missing():
    """Its number and the message of the service stand after the other reasons."""
    budget = Budget()
    budget.refusal = 1, inkframe.ServiceError("Gone.", status=410)
    found = verdict(Log({}, budget, way="tokens"))
    assert found.reasons == [TOKENS, "page 2 was refused with status 410: Gone."]
    assert verdict(Log({}, budget, way="checked")).reasons == []


@cases(
    ("facts", "level", "reasons"),
    [
        ({}, "exact", []),
        ({"is_whole": True, "everything": 5}, "exact", []),
        ({"is_whole": True}, "verified", ["a record under a template that no reply shows would not be listed"]),
        ({"is_whole": True, "everything": 6}, "best-effort", [missing(6)]),
        ({"unknown": [3]}, "exact", ["the service does not know template 3"]),
        ({"lost": [7]}, "best-effort", ["known records are not listed: 7"]),
        ({"unasked": 2}, "verified", ["2 records that were known before are not listed any more"]),
        ({"lacking": ("name", "prompt")}, "best-effort", ["the records show none of name and prompt"]),
        ({"ignored": {"style": "the service does not filter by style"}}, "verified", ["the service does not filter by style"]),
        ({"limit": 3}, "best-effort", ["stopped at limit=3"]),
        ({"is_interrupted": True}, "best-effort", ["the listing was interrupted"]),
    ],
)  # fmt: skip
def test_several_listings_are_judged_together(facts, level, reasons):
    """A reason of one is told once, and the totals are added where each is told."""
    parts = [
        verdict(Log({}, Budget(), total=number, claimed=number, ids=set(range(number)))) for number in (2, 3)
    ]
    found = verdict(UnionLog(parts, [2, 3], ids=set(range(5)), **facts))
    total = None if facts.get("ignored") else 6 if facts.get("everything") == 6 else 5
    assert (found.level, found.reasons, found.total) == (level, reasons, total)
    assert found.is_whole is (level != "best-effort")
    assert (found.gap in reasons) is (facts.keys() & {"lost", "lacking"} != set() or total == 6)
    assert [verdict(UnionLog(is_whole=True, everything=each, ids={7})).level for each in (1, None)] == [
        "exact",
        "verified",
    ]
    assert verdict(UnionLog(is_whole=True, everything=6, ignores_template=True)).gap is None
    chains = [verdict(Log({}, Budget(), way=way)) for way in ("tokens", "tokens", "last ids")]
    assert verdict(UnionLog(chains, [None])).reasons == [TOKENS, UNCLEAR]


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
    service = Answers(httpx.Response(status, json={"data": [], "total": total}))
    calls = getattr(service.client(), collection)._calls
    page = calls.reader.empty_page({}, 9)
    page.reply.more, page.claimed = False, 9
    listing = FullListing(calls, query)
    list(listing.pages(page))
    assert (service.queries[0], listing.completeness.total) == (asked, kept)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"total": "$size", "has_more": True}, UNFOUND),
        (
            {"count": "$size", "next": "/api/v1/images?leaf=abc"},
            "the last page that was read says that another follows",
        ),
        ({"total": 10, "next": None, "last_page": 3}, UNFOUND),
    ],
)
def test_what_says_that_there_is_more_beats_a_total_of_one_page(words, reason, capsys):
    """Where no other page is found, a line is printed, by all() and pages(), and no total is told."""
    shown = {"data": "$rows", **words}
    paging = replace(SECRET, largest=10, strangers="ignored")
    with serving(shown, paging=paging, images=25).client() as client:
        frame, page = client.images.all(), client.images.list(per_page=10)
        *_, last = client.images.pages()
    assert (len(frame), facts(frame)[0], frame.attrs["inkframe"]["total"]) == (20, "best-effort", None)
    assert reason in facts(frame)[1]
    assert reason in facts(last)[1]
    assert page.attrs["inkframe"]["total"] is None
    line = f"service.test lists 20 images: {reason}."
    assert capsys.readouterr().out.splitlines() == [line, line]


def test_what_says_that_there_is_more_is_followed():
    """Pages that count themselves and say that another follows are read to the end."""
    shown = {"data": "$rows", "total": "$size", "has_more": "$has_more"}
    frame, level, _, total = listed(serving(shown, paging=Paging(largest=10), images=25))
    assert (len(frame), level != "exact", total) == (25, True, None)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"x-total-count": "2"}, {}),
        ({}, {"total": 2, "has_more": False}),
        ({}, {"meta": {"total": 2, "current_page": 1, "last_page": 1}}),
    ],
)
def test_a_total_smaller_than_its_page_is_told(headers, words, capsys):
    """What counts fewer records than the only page has is no total of the list, and none is missing."""

    def answer(_):
        rows = [{"id": id, "name": f"n{id}"} for id in (3, 2, 1)]
        return httpx.Response(200, headers=headers, json={"data": rows, **words} if words else rows)

    assert listed(Answers(answer))[1:3] == ("best-effort", ["the service reports 2 records and returned 3"])
    assert capsys.readouterr().out == ""
