"""The search for the second page: the words of the service first, and only what changes the reply as it should."""

from dataclasses import replace

import httpx
import pytest
from tests.answering import Answers
from tests.services import FaultyService, Paging, drawn

import inkframe
from inkframe.errors import ServiceError
from inkframe.listing.page_search import PageSearch
from inkframe.listing.paging import Paginator, Probes
from inkframe.replies.columns import Columns, Page
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply

ROWS = {"items": "$rows"}
COUNT = 431


def serving(listing, paging, **options):
    return FaultyService(
        drawn(listing, paging=paging, **options),
        images=COUNT,
        documents=COUNT,
        vocabulary=inkframe.Vocabulary(templates={1: "Freestyle"}),
    )


def guesses(service, *known):
    """Return the requests with other parameters than those of the interface and the known ones."""
    usual = {"sort", "sort_by", "per_page", "template_id", *known}
    return [request for request in service.requests if request.query.keys() - usual]


OWN = [
    ({"current_page": "$number", "total_pages": "$pages"}, Paging(parameter="current_page")),
    ({"current_page": "$number", "total_pages": "$pages"}, Paging(parameter="page")),
    ({"PageIndex": "$number", "TotalCount": "$total"}, Paging(parameter="PageIndex")),
    ({"PageIndex": "$number", "TotalCount": "$total"}, Paging(parameter="PageIndex", first=0)),
    ({"pageNo": "$number", "hasMore": "$has_more"}, Paging(parameter="pageNo")),
    ({"paging": {"PageNumber": "$number", "total": "$total"}}, Paging(parameter="PageNumber")),
    ({"NextToken": "$next_token"}, Paging(by="cursor", parameter="NextToken")),
    ({"nextCursor": "$next_token"}, Paging(by="cursor", parameter="cursor")),
    ({"nextCursor": "$next_token"}, Paging(by="cursor", parameter="nextCursor")),
    ({"nextPageToken": "$next_token"}, Paging(by="cursor", parameter="pageToken")),
    ({"next_page_token": "$next_token"}, Paging(by="cursor", parameter="page_token")),
    ({"Skip": "$start", "total": "$total"}, Paging(by="offset", parameter="Skip")),
    ({"total": "$total"}, Paging(by="offset", parameter="offset")),
    ({"total": "$total"}, Paging(by="offset", parameter="skip")),
    ({"total": "$total"}, Paging(first=0)),
    ({"hasNext": "$has_more"}, Paging(first=0)),
    ({"LastEvaluatedKey?": "$next_token"}, Paging(by="cursor", parameter="ExclusiveStartKey")),
    ({"NextMarker": "$next_token"}, Paging(by="cursor", parameter="Marker")),
    ({"NextMarker": "$next_token", "IsTruncated": "$has_more"}, Paging(by="cursor", parameter="marker")),
    ({"metadata": {"continue": "$next_token"}}, Paging(by="cursor", parameter="continue")),
    ({"done": "$is_last", "nextRecordsUrl?": "$next_url"}, Paging(by="cursor", parameter="queryLocator")),
    ({"totalCount": "$total"}, Paging(by="offset", parameter="SkipCount")),
    ({"p": "$number", "of": "$pages", "entries": "$total"}, Paging(parameter="p")),
    ({"took": 7, "all": "$total", "i": "$number", "n": "$pages"}, Paging(parameter="i", first=0)),
]


@pytest.mark.parametrize("strangers", ["ignored", "filter", "refused"])
@pytest.mark.parametrize(("around", "paging"), OWN)
def test_the_parameter_is_found(around, paging, strangers):
    """The names in the reply come first, in their spelling and base; every record is listed."""
    service = serving(ROWS | around, replace(paging, strangers=strangers))
    with service.client() as client:
        assert len(client.images.all()) == COUNT
        assert len(guesses(service, paging.parameter)) <= 6


def test_at_most_six_guesses_are_sent():
    """A parameter that cannot be guessed costs six requests, for both collections together."""
    service = serving(ROWS | {"total": "$total"}, Paging(parameter="leaf"))
    with service.client() as client:
        client.images.all()
        client.documents.all()
    assert len(guesses(service)) == 6


def test_what_was_found_is_used_for_the_other_collection():
    """The parameter of images is the first that is tried for documents."""
    service = serving(ROWS | {"total": "$total"}, Paging(by="offset", parameter="skip"))
    with service.client() as client:
        client.images.all()
        before = len(service.requests)
        assert len(client.documents.all()) == COUNT
        assert not any(
            "page" in request.query or "offset" in request.query for request in service.requests[before:]
        )


@pytest.mark.parametrize("first", [0, 1])
def test_the_number_of_the_first_page_is_proven(first):
    """A shown number does not show the base of the parameter: some services show 0 and take 1."""
    shown = {"totalElements": "$total", "number": "$previous_number" if first else "$number"}
    service = serving({"content": "$rows"} | shown, Paging(first=first))
    with service.client() as client:
        frame = client.images.all()
        assert len(frame) == COUNT
        assert frame.attrs["inkframe"]["completeness"] in {"exact", "verified"}


def test_ids_with_gaps_are_not_skipped():
    """Where no id shows that pages adjoin, the first page under its number shows the base."""
    service = serving(ROWS | {"hasNext": "$has_more"}, Paging(first=0))
    for id in range(2, COUNT, 3):
        del service.images[id]
    with service.client() as client:
        assert set(client.images.all().index) == set(service.images)


def test_an_empty_second_page_may_lead_on():
    """A page without records that leads to another is no end of the list."""
    rows = [{"id": id, "name": "n", "description": "d"} for id in (4, 3, 2, 1)]

    def answer(request):
        begin = int(request.url.params.get("pageToken", "t0")[1:])
        shown = {0: rows[:2], 1: [], 2: rows[2:]}[begin]
        return httpx.Response(
            200, json={"images": shown} | ({"nextPageToken": f"t{begin + 1}"} if begin < 2 else {})
        )

    with inkframe.Client("https://service.test", "k", transport=httpx.MockTransport(answer)) as client:
        assert client.images.all().index.tolist() == [4, 3, 2, 1]


def test_an_empty_first_page_may_lead_on():
    """A page without records that says that another follows is no end, and no error."""

    def answer(request):
        rows = [{"id": 7, "name": "Kettle"}] if request.url.params.get("page") == "2" else []
        return {"data": rows, "has_more": not rows}

    with Answers(answer).client() as client:
        assert list(client.images.all().index) == [7]


def test_an_offset_is_not_taken_for_a_page_number():
    """A parameter that leads to the hundredth page is not an offset of a hundred records."""
    service = FaultyService(
        drawn(ROWS | {"total": "$total"}, paging=Paging(parameter="offset", largest=2)),
        images=600,
    )
    with service.client() as client:
        frame = client.images.all()
    assert len(frame) == 600 or frame.attrs["inkframe"]["completeness"] == "best-effort"


def test_a_pinned_parameter_is_used_alone():
    """No other parameter is tried beside a pinned one."""
    service = serving(ROWS | {"total": "$total"}, Paging(parameter="leaf"))
    with service.client() as client:
        client.images.dialect = inkframe.Dialect(paging="number", page_parameter="leaf", first_page=1)
        assert len(client.images.all()) == COUNT
    assert not guesses(service, "leaf")


def leads_on(before, ids, sort="asc", sort_by="id"):
    """Return whether a page with these ids is taken for the one after the first."""
    asked = {"sort_by": sort_by, "sort": sort}
    paginator = Paginator(
        Dialect(paging="number", page_parameter="page", first_page=1), Probes(), "https://a.test"
    )

    def page(ids):
        return Page(ListReply([{"id": id} for id in ids], more=True), Columns(ids, {}, {}), asked, {})

    requests = []

    def send(request):
        requests.append(request)
        return page(ids)

    found = PageSearch(paginator, page(before), {}, send).second()
    assert requests == [({"page": "2"}, False)]
    return found is not None


def test_which_page_leads_on():
    """By id ascending only larger ids do; else a page of which at most half is on the first, and not all of it."""
    rising = list(range(11, 21))
    assert leads_on(rising, [21, 22])
    assert leads_on([11, 12], [13])
    assert not leads_on(rising, [20, 21])
    assert not leads_on(rising, [1, 2])
    assert not leads_on(rising, [1, 30])
    assert not leads_on(rising, rising)
    assert leads_on([10], [3])
    assert leads_on([3, 1, 2], [0])
    assert leads_on([3, 3, 4], [1])
    assert leads_on(["a", "b"], ["0"])
    assert leads_on([11, 12], ["x", 3])
    assert leads_on([11, "x"], [3, 4])
    for order in ({"sort": "desc"}, {"sort_by": "name"}):
        assert leads_on(rising, [1, 2], **order)
        assert leads_on([10, 9, 8], [8, 7, 6], **order)
        assert not leads_on([10, 9, 8], [9, 8, 7], **order)
        assert leads_on([10, 9, 8, 7], [8, 7, 6, 5], **order)
        assert not leads_on([10, 9, 8, 7], [9, 8, 7, 6], **order)
        assert not leads_on([10, 9, 8], [8], **order)
        assert not leads_on([10, 9, 8], [8, 8], **order)


def page_of(*ids, id_name="id", **facts):
    """Return a page of records with these ids."""
    return Page(ListReply([{id_name: id} for id in ids], **facts), Columns(list(ids), {}, {}), {}, {})


def search(paginator, first, *replies):
    """Return the parameters that are tried, and the ids that are found."""
    paginator.observe(first)
    asked, left = [], [*replies]

    def send(request):
        asked.append(request.parameters)
        reply = left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    found = PageSearch(paginator, first, {}, send).second()
    return asked, found and found.columns.ids


ORIGIN = "https://a.test"
TENS, GAPS, FURTHER = range(1, 11), range(1, 31, 3), range(40, 70, 3)


def test_a_link_is_followed_where_a_known_parameter_leads_nowhere():
    """A page without records by the parameter is the end only if there is no link to one with records."""
    pinned = Dialect(paging="number", page_parameter="leaf", first_page=1)
    first, leaf, link = page_of(*TENS, next="/x?seite=2"), {"leaf": "2"}, {"seite": "2"}
    for replies, found in (
        ([page_of(), page_of(11, 12)], [11, 12]),
        ([page_of(*TENS), page_of(11, 12)], [11, 12]),
        ([page_of(), page_of()], []),
        ([page_of(*TENS), page_of()], None),
    ):
        assert search(Paginator(pinned, Probes(), ORIGIN), first, *replies) == ([leaf, link], found)
    learned = Dialect()
    learned.learn(paging="number", page_parameter="page", first_page=1)
    for linked in (set(), {False}):
        paginator = Paginator(learned, Probes(), ORIGIN)
        paginator.linked = linked
        assert search(paginator, page_of(*TENS), page_of()) == ([{"page": "2"}], [])


def test_the_last_id_is_that_of_the_key_that_was_learned():
    """A page after a record is requested by the id under its own name."""
    dialect = Dialect()
    dialect.learn(id_name="uuid")
    first, second = (page_of(*ids, id_name="uuid", more=True) for ids in (GAPS, FURTHER))
    asked, found = search(Paginator(dialect, Probes(), ORIGIN), first, second, first)
    assert (asked, found) == ([{"after": "28"}, {}], [*FURTHER])


def test_an_offset_is_proven_by_the_last_record():
    """At its own position it comes first, and alone if nothing follows; a service may refuse that position."""
    further, last, refused = page_of(*FURTHER), page_of(28), ServiceError("Not a multiple of 10.", status=422)
    for replies, found in (
        ((further, last), [*FURTHER]),
        ((page_of(), last), []),
        ((page_of(), page_of(28, 40)), [28, 40]),
        ((further, refused), None),
    ):
        paginator = Paginator(Dialect(paging="offset"), Probes(left=1), ORIGIN)
        assert search(paginator, page_of(*GAPS), *replies) == (
            [{"offset": "10"}, {"offset": "9"}], found
        )  # fmt: skip


def test_a_number_is_proven_by_the_first_page():
    """Where the first page is not found under the number that it has, nothing is, and no more is tried than is left."""
    paginator = Paginator(Dialect(paging="number"), Probes(left=1), ORIGIN)
    first = page_of(*GAPS, current_page=0)
    others = page_of(*FURTHER), page_of(100, 103)
    assert search(paginator, first, *others) == ([{"page": "1"}, {"page": "0"}], None)
    assert paginator.probes.left == 0
