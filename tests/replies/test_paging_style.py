"""Further pages found by trying, page sizes under other names, and totals that count only one page."""

from __future__ import annotations

import json

import httpx
import pytest

import inkframe
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import read_list
from inkframe.replies.paging_style import candidates
from inkframe.schema import RESOURCES
from inkframe.testing import FaultyService, Paging, WireDialect

COUNT = 230


class Answering:
    """A service of 230 images with its own parameters and page descriptions.

    Args:
        place: Returns the number of records before the requested page.
        body: Returns the reply for the rows of a page and the number of records before it.
        size: The parameter of the page size; None for 100 at a time.
        usual: The default page size.
        count: The number of images.
    """

    def __init__(self, place, body, size="per_page", usual=10, count=COUNT):
        self.place, self.body, self.size, self.usual, self.count = place, body, size, usual, count
        self.asked = []

    def __call__(self, request):
        """Return the reply to a list request."""
        query = dict(request.url.params)
        self.asked.append(query)
        ids = range(self.count, 0, -1) if query.get("sort", "desc") == "desc" else range(1, self.count + 1)
        size = min(int(query.get(self.size, self.usual)), 100) if self.size else 100
        start = self.place(query, size)
        rows = [{"id": id, "name": f"n{id}"} for id in ids[start : start + size]]
        reply = self.body(rows, start)
        return reply if isinstance(reply, httpx.Response) else httpx.Response(200, json=reply)

    def client(self):
        """Return a client of the service."""
        transport = httpx.MockTransport(self)
        return inkframe.Client("https://service.test", "key", transport=transport, max_retries=0)


def by_offset(name):
    return lambda query, _: int(query.get(name, 0))


def by_number(name):
    return lambda query, size: (int(query.get(name, 1)) - 1) * size


def by_last_id(query, size):
    last = int(query.get("cursor", 0))
    return (last if query["sort"] == "asc" else COUNT + 1 - last) if last else 0


def bare(rows, start):
    return rows


def counted(rows, start):
    return {"items": rows, "count": COUNT}


def ranged(rows, start):
    headers = {"Content-Range": f"{start}-{start + len(rows) - 1}/{COUNT}"}
    return httpx.Response(206, json=rows, headers=headers)


def strapi(rows, start):
    described = {"page": start // 100 + 1, "pageSize": 100, "pageCount": 3, "total": COUNT}
    return {"data": rows, "meta": {"pagination": described}}


def chained(rows, start):
    last = start + len(rows) >= COUNT
    return {"items": rows, "results_per_page": 100, "cursor": None if last else rows[-1]["id"]}


def more(rows, start):
    return {"images": rows, "hasMore": start + len(rows) < COUNT}


def airtable(rows, start):
    end = start + len(rows)
    return {"records": rows} | ({"offset": f"itr/{end}"} if end < COUNT else {})


def in_a_header(rows, start):
    described = {"CurrentPage": start // 100 + 1, "TotalPages": 3, "PageSize": 100, "TotalCount": COUNT}
    return httpx.Response(200, json=rows, headers={"X-Pagination": json.dumps(described)})


def feathers(rows, start):
    return {"total": COUNT, "limit": 100, "skip": start, "data": rows}


def searched(rows, start):
    end = start + len(rows)
    return {"data": rows, "has_more": end < COUNT, "next_page": f"after-{end}" if end < COUNT else None}


WAYS = [
    pytest.param(by_offset("offset"), counted, id="offset and a count"),
    pytest.param(by_offset("offset"), ranged, id="offset and Content-Range"),
    pytest.param(by_offset("skip"), bare, id="skip and a bare list"),
    pytest.param(by_number("_page"), bare, id="_page and a bare list"),
    pytest.param(by_number("pagination[page]"), strapi, id="pagination[page]"),
    pytest.param(by_last_id, chained, id="a number as a token"),
    pytest.param(by_number("page"), more, id="page and hasMore"),
    pytest.param(
        lambda query, _: int(query.get("offset", "/0")[4:] or 0), airtable, id="a token called offset"
    ),
    pytest.param(by_number("pageNumber"), in_a_header, id="pageNumber and a number in a header"),
    pytest.param(by_offset("$skip"), feathers, id="$skip and a limit"),
    pytest.param(
        lambda query, _: int(query.get("page", "after-0").removeprefix("after-")),
        searched,
        id="a token called page",
    ),
]


@pytest.mark.parametrize(("place", "body"), WAYS)
def test_the_paging_style_is_found_once(place, body):
    """The usual parameters are tried in turn, and the one that works is used from then on."""
    service = Answering(place, body)
    with service.client() as client:
        assert sorted(client.images.all().index) == list(range(1, COUNT + 1))
        assert len(service.asked) <= 12
        service.asked.clear()
        assert len(client.images.all()) == COUNT
        assert len(service.asked) <= 9


def test_paging_styles_are_tried_once(capsys):
    """If a service always returns the same page, no further styles are tried, and the gap is reported."""
    service = Answering(lambda *_: 0, counted)
    with service.client() as client:
        found = client.images.all().attrs["inkframe"]
        assert found["completeness"] == "best-effort"
        assert found["reasons"][0] == "one page only: the paging style of the service is unknown"
        assert "reports 230 images and returned 200" in capsys.readouterr().out
        with pytest.raises(inkframe.InvalidArgument, match=r"page=2 cannot be fetched: the paging style"):
            client.images.list(page=2)
        service.asked.clear()
        client.images.all()
        assert len(service.asked) == 2


def test_a_known_parameter_is_used_again_after_a_repeated_page():
    """A service that once repeats its first page is not taken for one without further pages."""
    service = Answering(by_number("page"), counted)
    with service.client() as client:
        assert len(client.images.all()) == COUNT
        service.place = lambda *_: 0
        assert client.images.all().attrs["inkframe"]["completeness"] == "best-effort"
        service.place = by_number("page")
        assert len(client.images.all()) == COUNT


@pytest.mark.parametrize("name", ["after", "starting_after", "offset", "skip"])
def test_an_empty_reply_to_a_guess_proves_nothing(name):
    """A parameter may have another meaning, such as a date."""
    with Answering(lambda query, _: COUNT if name in query else 0, bare).client() as client:
        assert client.images.all().attrs["inkframe"]["completeness"] == "best-effort"


@pytest.mark.parametrize("count", [30, 100])
def test_an_offset_is_confirmed_by_the_last_record(count):
    """The paging style is learned even if there is only one page."""
    service = Answering(by_offset("offset"), bare, count=count)
    with service.client() as client:
        assert client.images.all().attrs["inkframe"]["completeness"] == "exact"
        assert len(service.asked) <= 4
        service.count = COUNT
        assert len(client.images.all()) == COUNT


def only_page(name):
    return lambda rows, _: {"status": "success", name: len(rows), "data": {"images": rows}}


@pytest.mark.parametrize("name", ["results", "count", "total"])
@pytest.mark.parametrize("size", ["per_page", None])
def test_the_number_of_rows_is_not_a_total(name, size):
    """The number of rows on a page is not used as the total."""
    with Answering(by_number("page"), only_page(name), size).client() as client:
        frame = client.images.all()
        assert len(frame) == COUNT
        assert frame.attrs["inkframe"]["total"] is None
        assert frame.attrs["inkframe"]["completeness"] != "exact"


@pytest.mark.parametrize("count", [10, 100])
def test_a_single_full_page_is_exact(count):
    """An empty second page confirms the total of the first."""
    service = Answering(by_number("page"), only_page("total"), count=count)
    with service.client() as client:
        found = client.images.all().attrs["inkframe"]
        assert (found["completeness"], found["total"]) == ("exact", count)
        assert len(service.asked) <= 4
        assert client.images.list(page=2, per_page=100).empty


def test_the_total_of_a_first_full_page_is_unknown():
    """A full page of ten with a total of ten may be one of many."""
    with Answering(by_number("page"), only_page("total")).client() as client:
        assert client.images.list().attrs["inkframe"]["total"] is None
        assert len(client.images.list(page=2, per_page=50)) == 50
    with Answering(by_number("page"), only_page("total"), count=12).client() as client:
        assert client.images.list(per_page=25).attrs["inkframe"]["total"] == 12  # not full, so complete


def linked(rows, start):
    address = f"https://service.test/api/v1/images?limit={len(rows)}&offset={start + len(rows)}"
    return {"count": COUNT, "results": rows, "next": address if start + len(rows) < COUNT else None}


def test_the_learned_name_of_the_page_size_is_used():
    """The address of the next page shows the parameter of the page size, which is used from then on."""
    service = Answering(by_offset("offset"), linked, size="limit")
    with service.client() as client:
        assert len(client.images.list(per_page=50)) == 50
        assert len(client.images.list(per_page=25)) == 25
        service.asked.clear()
        assert len(client.images.all()) == COUNT
        assert len(service.asked) <= 5


def by_token(rows, start):
    token = str(start + len(rows)) if start + len(rows) < COUNT else None
    address = f"https://service.test/api/v1/images?limit={len(rows)}&cursor={token}"
    return {"count": COUNT, "results": rows, "next": token and address}


def test_pages_by_token_keep_their_size():
    """The learned size goes with each token; where no size was asked for, none is sent."""
    service = Answering(lambda query, _: int(query.get("cursor", 0)), by_token, size="limit")
    with service.client() as client:
        assert len(client.images.list(per_page=50)) == 50
        service.asked.clear()
        assert len(client.images.all()) == COUNT
    assert {query.get("limit") for query in service.asked} == {"100"}


def test_tokens_that_lead_in_a_circle_end_a_listing():
    """Pages whose tokens repeat are read once each, not until the requests are spent."""
    circle = {0: "a", 100: "b", 200: "a"}
    service = Answering(
        lambda query, _: {"a": 100, "b": 200}.get(query.get("cursor"), 0),
        lambda rows, start: {"items": rows, "next_cursor": circle[start]},
        count=200,
    )
    with service.client() as client:
        frame = client.images.all()
    assert len(frame) == 200
    assert frame.attrs["inkframe"]["completeness"] == "best-effort"
    assert len(service.asked) <= 10


def test_the_first_request_has_only_standard_parameters():
    """The parameters of the service are unknown before its first reply."""
    service = Answering(by_offset("offset"), linked, size="limit")
    with service.client() as client:
        client.images.list(per_page=50)
    assert service.asked[0] == {"per_page": "50"}


@pytest.mark.parametrize("size", ["limit", "per_page"])
def test_a_page_shorter_than_another_is_the_last(size):
    """A total that equals the rows of a short page is that of the list, since another page was longer."""
    dialect = WireDialect(
        name="counted",
        about="a count of the rows and the requested size",
        listing={"items": "$rows", "count": "$count", "limit?": "$size" if size == "limit" else None},
        paging=Paging(size=size),
    )
    service = FaultyService(dialect, images=17)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        client.images.all()
        before = len(service.requests)
        found = client.images.all(search=service.images[3]["name"])
    assert len(found) >= 1
    assert found.attrs["inkframe"]["completeness"] == "exact"
    assert len(service.requests) == before + 1


def first_ways(body, count=2):
    """Return the first parameters to try for the second page of a list."""
    dialect = Dialect()
    return candidates(read_list(body, {}, RESOURCES["images"], dialect), dialect)[:count]


RECORDS = [{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]


@pytest.mark.parametrize(
    ("body", "way"),
    [
        (
            {"data": RECORDS, "current_page": 1, "per_page": 2, "from": 1, "to": 2, "total": 9},
            ("number", "page"),
        ),
        ({"content": RECORDS, "totalElements": 9, "number": 0}, ("number", "page")),
        ({"jsonapi": {"version": "1.0"}, "data": RECORDS, "meta": {"total": 9}}, ("number", "page[number]")),
        (
            {"data": RECORDS, "meta": {"pagination": {"page": 1, "pageSize": 2, "pageCount": 5}}},
            ("number", "pagination[page]"),
        ),
        ({"object": "list", "data": RECORDS, "has_more": True, "last_id": 1}, ("after", "after")),
        ({"object": "list", "data": RECORDS, "has_more": True}, ("after", "starting_after")),
        (
            {"object": "list", "results": RECORDS, "has_more": True, "next_cursor": "c"},
            ("cursor", "start_cursor"),
        ),
        (
            {"nodes": RECORDS, "pageInfo": {"hasNextPage": True, "endCursor": "c"}},
            ("cursor", "after"),
        ),
        ({"@odata.context": "x", "value": RECORDS}, ("offset", "$skip")),
        ({"recordsTotal": 9, "recordsFiltered": 9, "data": RECORDS}, ("offset", "start")),
        ({"total": 9, "limit": 2, "skip": 0, "data": RECORDS}, ("offset", "$skip")),
        ({"took": 3, "hits": {"total": {"value": 9, "relation": "eq"}, "hits": RECORDS}}, ("offset", "from")),
        (RECORDS, ("number", "page")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_the_parameter_of_a_known_envelope_comes_first(body, way):
    """What tells an envelope apart decides the first attempt."""
    assert first_ways(body, 1) == [way]


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("nextPageToken", ["pageToken", "nextPageToken"]),
        ("NextPageToken", ["PageToken", "NextPageToken"]),
        ("next_page_token", ["page_token", "next_page_token"]),
        ("nextCursor", ["cursor", "nextCursor"]),
        ("next-cursor", ["cursor", "next-cursor"]),
        ("nextToken", ["nextToken", "token"]),
        ("NextToken", ["NextToken", "Token"]),
    ],
)
def test_the_name_of_a_token_is_tried_in_the_spelling_of_the_reply(name, ways):
    """With and without the word "next", in upper or lower case as the reply has it."""
    assert first_ways({"items": RECORDS, name: "b2Zmc2V0"}) == [("cursor", way) for way in ways]


@pytest.mark.parametrize(
    ("around", "way"),
    [
        ({"PageIndex": 0, "TotalCount": 9}, ("number", "PageIndex")),
        ({"current_page": 1, "total_pages": 5}, ("number", "current_page")),
        ({"Skip": 0, "total": 9}, ("offset", "Skip")),
        ({"startIndex": 0, "total": 9}, ("offset", "startIndex")),
    ],
)
def test_the_names_of_the_reply_come_before_the_usual_ones(around, way):
    """A position in the reply names the parameter, in its spelling."""
    assert first_ways({"items": RECORDS} | around, 1) == [way]
