"""Further pages found by trying, page sizes under other names, and totals that count only one page."""

import json

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases
from tests.services import FaultyService, Paging, WireDialect

from inkframe.listing.page_search import candidates, paging_by
from inkframe.listing.paging import learn_paging, link_parameters, next_parameters, page_parameters
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import read_list
from inkframe.schema import RESOURCES

COUNT = 230


class Answering(Answers):
    """A service of 230 images with its own parameters and page descriptions.

    Args:
        place: Returns the number of records before the requested page.
        body: Returns the reply for the rows of a page and the number of records before it.
        size: The parameter of the page size; None for 100 at a time.
        usual: The default page size.
        count: The number of images.
    """

    def __init__(self, place, body, size="per_page", usual=10, count=COUNT):
        super().__init__(self.reply)
        self.place, self.body, self.size, self.usual, self.count = place, body, size, usual, count

    def reply(self, request):
        """Return the reply to a list request."""
        query = dict(request.url.params)
        ids = range(self.count, 0, -1) if query.get("sort", "desc") == "desc" else range(1, self.count + 1)
        size = min(int(query.get(self.size, self.usual)), 100) if self.size else 100
        start = self.place(query, size)
        rows = [{"id": id, "name": f"n{id}"} for id in ids[start : start + size]]
        return self.body(rows, start)


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


def bundled(rows, start):
    end = start + len(rows)
    address = "https://service.test/api/v1/images?_count=100"
    links = [{"relation": "self", "url": address}]
    links += [{"relation": "next", "url": f"{address}&_getpages=abc&_getpagesoffset={end}"}] * (end < COUNT)
    return {"id": "b1", "total": COUNT, "link": links, "entry": [{"resource": row} for row in rows]}


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
        by_offset("_getpagesoffset"), bundled, id="an offset with a word before it, in a list of links"
    ),
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
        assert len(service.requests) <= 12
        service.requests.clear()
        assert len(client.images.all()) == COUNT
        assert len(service.requests) <= 9


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
        assert len(service.requests) <= 5
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
        assert len(service.requests) <= 4
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
        service.requests.clear()
        assert len(client.images.all()) == COUNT
        assert len(service.requests) <= 5


def by_token(rows, start):
    token = str(start + len(rows)) if start + len(rows) < COUNT else None
    address = f"https://service.test/api/v1/images?limit={len(rows)}&cursor={token}"
    return {"count": COUNT, "results": rows, "next": token and address}


def test_pages_by_token_keep_their_size():
    """The learned size goes with each token; where no size was asked for, none is sent."""
    service = Answering(lambda query, _: int(query.get("cursor", 0)), by_token, size="limit")
    with service.client() as client:
        assert len(client.images.list(per_page=50)) == 50
        service.requests.clear()
        assert len(client.images.all()) == COUNT
    assert {query.get("limit") for query in service.queries} == {"100"}


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
    assert len(service.requests) <= 10


def test_the_first_request_has_only_standard_parameters():
    """The parameters of the service are unknown before its first reply."""
    service = Answering(by_offset("offset"), linked, size="limit")
    with service.client() as client:
        client.images.list(per_page=50)
    assert service.queries[0] == {"per_page": "50"}


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
    with service.client() as client:
        client.images.all()
        before = len(service.requests)
        found = client.images.all(search=service.images[3]["name"])
    assert len(found) >= 1
    assert found.attrs["inkframe"]["completeness"] == "exact"
    assert len(service.requests) == before + 1


def first_ways(body, count=2):
    """Return the first parameters to try for the second page of a list."""
    dialect = Dialect()
    return candidates(read_list(body, {}, RESOURCES["images"], dialect), dialect.paging)[:count]


RECORDS = [{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]


@cases(
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
        ({"startAt": 0, "maxResults": 2, "total": 9}, ("offset", "startAt")),
        ({"firstResult": 0, "total": 9}, ("offset", "firstResult")),
        ({"cursor": 0, "count": 2, "remaining": 7}, ("offset", "cursor")),
    ],
)
def test_the_names_of_the_reply_come_before_the_usual_ones(around, way):
    """A position in the reply names the parameter, in its spelling."""
    assert first_ways({"items": RECORDS} | around, 1) == [way]


def read(body, headers=()):
    return read_list(body, dict(headers), RESOURCES["images"], Dialect())


def ways(body, headers=(), **pinned):
    """Return all parameters to try for the second page, each with its kind."""
    dialect = Dialect(**pinned)
    found = candidates(read_list(body, dict(headers), RESOURCES["images"], dialect), dialect.paging)
    return [f"{paging} {name}" for paging, name in found]


USUAL = [
    "number page", "offset offset", "offset skip", "number _page", "number page[number]", "number pageNumber",
]  # fmt: skip
AFTER = ["after after", "after starting_after"]
TOKENS = [
    "cursor cursor", "cursor page_token", "cursor pageToken", "cursor next_token", "cursor after", "cursor page[cursor]",
    "cursor starting_after", "cursor page", "cursor token", "cursor offset",
]  # fmt: skip


def test_the_whole_order_of_attempts():
    """The usual parameters are tried in a fixed order; what the reply tells moves likelier ones to the front."""
    usual = [*USUAL[:4], *AFTER, *USUAL[4:]]
    numbers = [way for way in usual if way.startswith("number")]
    offsets = [way for way in usual if way.startswith("offset")]
    assert ways(RECORDS) == usual
    assert ways({"data": RECORDS, "current_page": 1}) == [
        "number current_page", *numbers, *[way for way in usual if way not in numbers]
    ]  # fmt: skip
    assert ways({"data": RECORDS, "start": 0}) == [
        "offset start", *offsets, *[way for way in usual if way not in offsets]
    ]  # fmt: skip
    assert ways({"data": RECORDS, "has_more": True}) == [*AFTER, *USUAL]
    assert ways({"data": RECORDS, "has_more": True, "total": 9}) == usual
    assert ways({"data": RECORDS, "has_more": True, "next": "/images?page=2"}) == usual
    assert ways({"data": RECORDS, "next": 2}) == usual
    assert ways({"data": RECORDS, "next": "b2Zm"}) == ["cursor next", *TOKENS, *usual]
    assert ways(RECORDS, paging="offset") == offsets
    assert ways({"data": RECORDS, "next": "b2Zm"}, paging="cursor") == ["cursor next", *TOKENS]


def test_pairs_that_need_every_key():
    """An envelope is known by all of its keys; its offset does not count where the reply has a page or a token."""
    for body, way in (
        ({"data": RECORDS, "LastEvaluatedKey": {"id": 1}}, "cursor ExclusiveStartKey"),
        ({"rows": RECORDS, "total_rows": 9, "offset": 0}, "offset skip"),
        ({"items": RECORDS, "totalCount": 9}, "offset SkipCount"),
    ):
        assert ways(body)[0] == way
    assert ways({"nodes": RECORDS, "pageInfo": {"hasNextPage": False, "endCursor": None}}) == ways(RECORDS)
    token, place = "b2Zm", {"offset": 0}
    for way, bodies in {
        "number page": (
            {"items": RECORDS, "totalCount": 9, "page": 1},
            {"nodes": RECORDS, "pageInfo": {"hasNextPage": False, "endCursor": token}},
            {"data": RECORDS, "meta": {"pageCount": 2, "pageSize": 2}},
            {"data": RECORDS, "meta": {"pagination": {"pageSize": 2}}},
            {"data": RECORDS, "meta": {"pagination": {"pageCount": 2}}},
            {"items": RECORDS, "has_more": True, "last_id": "b", "total": 9},
            {"items": RECORDS, "object": "list", "last_id": "b"},
            {"items": RECORDS, "object": "list", "has_more": True, "total": 9},
            {"data": RECORDS, "has_more": True, "total": 9},
            {"data": RECORDS, "object": "list"},
            {"data": RECORDS, "@odata.context": "x"},
            {"value": RECORDS},
            {"data": RECORDS, "recordsTotal": 9},
            {"data": RECORDS, "recordsFiltered": 9},
            {"data": RECORDS, "total": 9, "limit": 2},
            {"data": RECORDS, "took": 3},
            {"hits": RECORDS},
            {"rows": RECORDS, "total_rows": 9},
            {"data": RECORDS, "totalCount": 9},
            {"items": RECORDS},
            {"data": RECORDS, "jsonapi": {}},
            {"data": RECORDS, "meta": {}},
        ),
        "number current_page": (
            {"data": RECORDS, "current_page": 1, "from": 1},
            {"data": RECORDS, "current_page": 1, "to": 2},
        ),
        "number number": ({"content": RECORDS, "number": 0},),
        "offset offset": (
            {"data": RECORDS, "from": 1, "to": 2} | place,
            {"content": RECORDS, "totalElements": 9} | place,
            {"rows": RECORDS} | place,
            {"data": RECORDS, "total_rows": 9} | place,
        ),
        "offset skip": (
            {"data": RECORDS, "limit": 2, "skip": 0},
            {"data": RECORDS, "total": 9, "skip": 0},
            {"items": RECORDS, "total": 9, "limit": 2, "skip": 0},
        ),
        "cursor cursor": (
            {"results": RECORDS, "has_more": True, "next_cursor": token},
            {"results": RECORDS, "object": "list", "next_cursor": token},
            {"items": RECORDS, "totalCount": 9, "nextCursor": token},
        ),
        "cursor next_token": ({"results": RECORDS, "object": "list", "has_more": True, "next_token": token},),
        "cursor endCursor": ({"nodes": RECORDS, "pageInfo": {"endCursor": token}},),
        "cursor nextToken": ({"nodes": RECORDS, "pageInfo": {"hasNextPage": True, "nextToken": token}},),
    }.items():
        for body in bodies:
            assert ways(body)[0] == way, body
    both = {"data": RECORDS, "object": "list", "has_more": True, "next_cursor": token}
    assert ways(both)[:2] == ["after starting_after", "cursor cursor"]


def learned(link, beside=(), asked=(), last=None):
    """Return what is learned from the link to the next page, or to the last one."""
    dialect = Dialect()
    reply = read({"data": RECORDS} | dict(beside))
    reply.next, reply.last = link, last
    learn_paging(reply, dict(asked), dialect)
    facts = dialect.facts()
    facts.pop("records_at", None)
    return facts | ({"last_page": reply.last_page} if reply.last_page is not None else {})


def test_links_name_the_parameters():
    """The parameter of a link that was not sent is that of the page; its name and value tell the kind."""
    asked = {"per_page": "2", "sort": "desc"}
    start = "https://other.test/images?per_page=2&sort=desc&"
    number = {"paging": "number", "first_page": 1}
    for name in ("page", "p", "pg", "Page", "pageNumber", "x"):
        assert learned(f"{start}{name}=2", asked=asked) == number | {"page_parameter": name}, name
    assert learned(f"{start}page=1", asked=asked) == number | {"page_parameter": "page", "first_page": 0}
    for name in ("page", "p", "pg"):
        assert learned(f"{start}search=&{name}=7", asked=asked) == number | {"page_parameter": name}, name
    for name in ("offset", "skip", "start", "from", "startIndex", "page[offset]"):
        assert learned(f"{start}{name}=2", asked=asked) == {"paging": "offset", "page_parameter": name}, name
    assert learned(f"{start}x=3", asked=asked) == {"paging": "cursor", "page_parameter": "x"}
    more = {"id": 3, "name": "c"}
    assert learned(f"{start}x=3", {"data": [*RECORDS, more]}, asked) == {
        "paging": "offset",
        "page_parameter": "x",
    }
    for name in ("cursor", "after", "nextToken", "marker", "continuation", "since", "before", "bookmark"):
        assert learned(f"{start}{name}=2", asked=asked) == {"paging": "cursor", "page_parameter": name}, name
    assert learned(f"{start}page=b2Zm", asked=asked) == {"paging": "cursor", "page_parameter": "page"}
    assert learned(f"{start}offset[page]=7", asked=asked) == number | {"page_parameter": "offset[page]"}
    secret = learned(f"{start}access_token=s&after=7", asked=asked)
    assert secret == {"paging": "cursor", "page_parameter": "after"}
    assert learned("/images{?page}", asked=asked) == learned("https://[x/?page=2") == {}
    for link, base in ((2, 1), (1, 0)):
        shown = learned(f"{start}page={link}", {"current_page": 1 - base}, asked)
        assert shown == number | {"page_parameter": "page", "first_page": base}
    assert learned(f"{start}page=9", asked=asked) == number | {"page_parameter": "page"}
    assert learned("/images?sort=desc", asked=asked) == learned("abc", asked=asked) == {}
    assert learned(None, {"current_page": 0}) == {"first_page": 0}
    assert learned(None, {"current_page": 1}) == {"first_page": 1}
    assert learned(None, {"current_page": 2}) == {}


def test_links_that_repeat_what_was_not_sent():
    """Of several parameters that were not sent, one named as a page, an offset or a token is that of the page."""
    number = {"paging": "number", "page_parameter": "page"}
    for others in ("sort=desc&sort_by=id", "order=asc", "favorite=0", "include=tags&status=2", "per_page=10"):
        assert learned(f"/images?{others}&page=2") == number | {"first_page": 1}, others
        assert learned(None, last=f"/images?{others}&page=9") == number | {"last_page": 9}, others
        assert learned(f"/images?{others}&offset=2") == {"paging": "offset", "page_parameter": "offset"}, (
            others
        )
        assert learned(f"/images?{others}&after=b2Zm") == {"paging": "cursor", "page_parameter": "after"}, (
            others
        )
    assert learned("/images?sort=desc&x=2") == number | {"page_parameter": "x", "first_page": 1}
    assert learned("/images?x=b2Zm&y=c2Zm") == {"paging": "cursor", "page_parameter": "x"}


def test_links_name_the_parameter_of_the_size():
    """The page size may have any of its usual names."""
    for name in ("limit", "size", "pageSize", "$top", "take", "count", "rows", "maxResults", "page[size]",
                 "page[limit]", "pagination[pageSize]", "pagination[limit]"):  # fmt: skip
        found = learned(f"/images?page=2&{name}=10")
        assert found == {
            "paging": "number",
            "page_parameter": "page",
            "first_page": 1,
            "size_parameter": name,
        }, name
    assert "size_parameter" not in learned("/images?page=2&per_page=10")


def test_links_to_the_last_page():
    """A link to the last page tells its number, and the parameter where no other link does."""
    assert learned(None, last="/images?page=9") == {
        "paging": "number",
        "page_parameter": "page",
        "last_page": 9,
    }
    assert learned(None, last="/images?page=1") == {"last_page": 1}
    assert learned(None, last="/images?offset=20") == {"paging": "offset", "page_parameter": "offset"}
    both = learned("/images?page=2", last="/images?page=9")
    assert both == {"paging": "number", "page_parameter": "page", "first_page": 1, "last_page": 9}
    assert learned(None, {"last_page": 4}, last="/images?page=9")["last_page"] == 4
    assert learned(None, asked={"page": "9"}, last="/images?page=9&x=4") == {
        "paging": "cursor",
        "page_parameter": "x",
    }


def test_the_name_of_a_pinned_parameter_tells_how_it_is_used():
    """As a token, an offset or the last id; another name is that of a page number."""
    names = {
        "marker": "cursor",
        "next_token": "cursor",
        "after": "after",
        "startAt": "offset",
        "$skip": "offset",
        "leaf": "number",
    }
    assert {name: paging_by(name, read(RECORDS)) for name in names} == names


def test_parameters_of_pages_by_position():
    """Numbers and offsets begin at 0 or 1, the size is sent under its learned name, and the first page has none."""
    for pinned, expected in (
        ({}, [{}, {"page": "3"}]),
        ({"first_page": 0, "page_parameter": "p"}, [{}, {"p": "2"}]),
        ({"paging": "offset", "page_parameter": "skip"}, [{}, {"skip": "20"}]),
        ({"paging": "offset", "first_page": 1, "page_parameter": "start"}, [{}, {"start": "21"}]),
        ({"size_parameter": "top"}, [{}, {"page": "3", "top": "10"}]),
    ):
        assert [page_parameters(Dialect(**pinned), index, 10) for index in (0, 2)] == expected


def test_what_is_pinned_is_not_learned_from_links():
    """Of the kind and the parameter, the one that is not pinned is learned; with both, a link teaches nothing."""
    for pinned, expected in (
        ({"paging": "offset"}, {"page_parameter": "page", "first_page": 1}),
        ({"page_parameter": "p"}, {"paging": "number", "first_page": 1}),
        ({"paging": "offset", "page_parameter": "p"}, {}),
    ):
        dialect = Dialect(**pinned)
        learn_paging(read({"data": RECORDS, "next": "/images?page=2"}), {}, dialect)
        assert dialect.facts() == pinned | expected


def test_a_number_of_thousands_of_digits_is_the_token_of_a_page():
    """What is too long for the number of a page or a row is passed on as it stands."""
    for name in ("page", "offset", "x"):
        assert learned(f"/images?{name}={'9' * 5000}") == {"paging": "cursor", "page_parameter": name}
    assert learned("/images?page=2", last=f"/images?page={'9' * 5000}").get("last_page") is None


def test_links_with_too_many_parameters_are_ignored():
    """A link has at most 100 parameters."""
    for count, expected in ((99, "number"), (100, None)):
        link = "/images?page=2&" + "&".join(f"limit=x{number}" for number in range(count))
        assert learned(link).get("paging") == expected
        assert bool(link_parameters(read({"data": RECORDS, "next": link}), "https://service.test")) == bool(
            expected
        )


@pytest.mark.parametrize("name", ["href", "url", "uri", "link"])
def test_the_next_page_may_be_an_object_with_an_address(name):
    """Its address shows the parameter, whatever else the object contains."""
    after = {"after": "c2", "offset": "c2", name: "https://service.test/images?limit=2&after=c2"}
    for body in ({"results": RECORDS, "paging": {"next": after}}, {"data": RECORDS, "next_page": after}):
        dialect = Dialect()
        reply = read_list(body, {}, RESOURCES["images"], dialect)
        learn_paging(reply, {}, dialect)
        assert (dialect.paging, dialect.page_parameter, dialect.size_parameter) == (
            "cursor",
            "after",
            "limit",
        )
        assert next_parameters(reply, {}, dialect) == {"after": "c2"}


@pytest.mark.parametrize(
    ("name", "around", "by"),
    [
        ("pagination_token", {"meta": {"next_token?": "$next_token"}}, "cursor"),
        ("seite", {"nextCursor?": "$next_token"}, "cursor"),
        ("startAt", {}, "offset"),
        ("seite", {}, "number"),
        ("starting_after", {}, "after"),
    ],
)
def test_a_pinned_parameter_is_used_in_its_own_way(name, around, by):
    """A parameter without its style is taken by its name, and for a token where the reply has one."""
    paging = Paging(by=by, parameter=name)
    service = FaultyService(
        WireDialect(name="pinned", about="", listing={"data": "$rows", **around}, paging=paging), images=250
    )
    with service.client() as client:
        client.images.dialect = Dialect(page_parameter=name)
        newest = sorted(service.images, reverse=True)
        assert client.images.list(per_page=25, page=3).index.tolist() == newest[50:75]
        assert len(client.images.all()) == 250
        assert client.images.dialect.paging == by


def test_a_page_that_says_its_number_is_fetched_at_once():
    """Once a link has shown the parameter and its base, another page is one request if it says that it is that page."""

    def counted_from(base, shift=0):
        def body(rows, start):
            number = start // 10 + base
            said = number + shift * (number > base)
            return {"data": rows, "current_page": said, "next": f"/images?page={number + 1}"}

        return Answering(lambda query, size: (int(query.get("page", base)) - base) * size, body)

    for base in (0, 1):
        service = counted_from(base)
        with service.client() as client:
            client.images.list()
            service.requests.clear()
            assert client.images.list(page=3).index[0] == COUNT - 20
            assert [query.get("page") for query in service.queries] == [str(base + 2)]
    service = counted_from(1, shift=1)
    with service.client() as client:
        client.images.list()
        service.requests.clear()
        assert client.images.list(page=3).index[0] == COUNT - 20
        assert len(service.requests) > 1
