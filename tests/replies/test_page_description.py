"""What a reply says about its page, under the names and in the places that services use."""

from dataclasses import asdict

import pytest

from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply, is_address, read_list
from inkframe.schema import IMAGES

ROWS = [{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]
LINK = "/api/v1/images?page=2"


def described(beside=(), headers=(), rows=ROWS):
    """Return what is read from the keys beside the rows and from headers, without what is not reported."""
    reply = read_list({"data": rows} | dict(beside), dict(headers), IMAGES, Dialect())
    plain = asdict(ListReply([]))
    return {
        name: value
        for name, value in asdict(reply).items()
        if name not in {"records", "keys"} and value != plain[name]
    }


TOTALS = """
    total totalCount totalElements totalItems totalRecords totalResults totalRows totalDocs totalDocuments totalImages
    totalEntries totalObjects totalHits totalSize grandTotal @odata.count count recordCount recordsTotal resultCount
    rowCount itemCount numFound nbHits items results hydra:totalItems TOTAL_COUNT total-items"""
FILTERED = """
    recordsFiltered filtered filterCount filteredCount filteredTotal totalFiltered totalMatching totalFound found
    matched matching matches"""
NUMBERS = {
    "last_page": "lastPage totalPages pages pageCount numPages pagesTotal maxPage nbPages last_page_number last",
    "current_page": "currentPage page number pageNumber pageIndex pageNo pageNum currentPageNumber current",
    "size": "perPage pageSize size limit itemsPerPage resultsPerPage pageLimit maxResults",
    "offset": "offset skip start startIndex startAt firstResult",
}
TOKENS = """
    nextCursor nextPageToken nextToken endCursor nextMarker nextContinuationToken continuationToken lastEvaluatedKey
    continue after"""
LINKS = "next nextPageUrl nextUrl nextLink @odata.nextLink nextPage nextRecordsUrl"
HOLDERS = """
    meta metadata pagination paginator page pageable paging pageInfo info resultInfo listInfo responseMetadata cursor
    cursors links view"""


def test_totals_under_every_name():
    """A total has at least as many records as the page, or is no total of the list; that of the filtered list comes before others."""
    for name in TOTALS.split():
        assert described({name: 77}) == {"total": 77, "described": True}, name
        assert described({name: 2}) == {"total": 2, "described": True}, name
        assert described({name: 1}) == {"denied": 1}, name
    for name in FILTERED.split():
        found = {"total": 77, "everything": 90, "described": True}
        assert described({"total": 90, "count": 2, name: 77}) == found, name
    assert described({"total": 2, "count": 77, "items": 5}) == {"total": 77, "described": True}
    assert described({"total": 90, "meta": {"count": 77}}) == {"total": 90, "described": True}


@pytest.mark.parametrize(
    ("facets", "held"),
    [
        ([{"value": 1, "count": 3}, {"value": "60", "count": "2"}], {1: 3, 60: 2}),
        ([{"value": 2**62 + 1, "count": 1}, {"value": -5, "count": 1}], {2**62 + 1: 1, -5: 1}),
        ([{"value": 2**63, "count": 1}, {"value": 1, "count": 0}, {"value": 2}, {"count": 3}, 7, None], {1: 0}),
        ([{"value": 1, "count": -1}, {"value": [], "count": 1}, {"value": 3, "count": 10**400}], {}),
        ([], {}), ({"1": 3}, {}), ("60", {}), (None, {}),
    ],
)  # fmt: skip
def test_facets_tell_which_templates_a_library_holds(facets, held):
    """Each number has its count of records, their sum is that of the collection, and what is no number is left out."""
    found = {name: value for name, value in (("held", held), ("everything", sum(held.values()))) if value}
    assert described({"meta": {"facets": {"template_id": facets}}}) == found
    assert described({"facets": {"template_id": facets}}) == found
    assert described({"facets": facets}) == {}


@pytest.mark.parametrize(("total", "holds_all"), [(5, True), (6, False), (4, False), (None, False)])
def test_facets_that_add_up_are_all_templates(total, holds_all):
    """Only beside a total of the collection, which they add up to, do they name every template."""
    facets = {"template_id": [{"value": 1, "count": 3}, {"value": 60, "count": 2}]}
    found = described({"meta": {"total": 3, "collection_total": total, "facets": facets}})
    assert found.get("holds_all", False) is holds_all
    assert found["everything"] == max(5, total or 0)


def test_numbers_of_pages_under_every_name():
    """The last page, the page, its size and its offset are read under each of their names."""
    for fact, names in NUMBERS.items():
        for name in names.split():
            own = {"described": True} if fact in {"last_page", "current_page"} else {}
            assert described({name: 7}) == {fact: 7} | own, name
            assert described({"meta": {name: "7"}}) == {fact: 7} | own, name
    assert described({"last_page": 3, "meta": {"last_page": 4}})["last_page"] == 3
    assert described({"current_page": 0, "number": 4})["current_page"] == 0


def test_links_and_tokens_under_every_name():
    """A link is an address or a number; what is neither is a token, and so is all under the name of one."""
    for name in LINKS.split():
        assert described({name: LINK}) == {"next": LINK, "described": True}, name
        assert described({name: 2}) == {"next": 2, "described": True}, name
    for name in TOKENS.split():
        found = {"token": name.lower(), "described": True}
        assert described({name: "abc"}) == found | {"next": "abc"}, name
        assert described({name: 2}) == found | {"next": "2"}, name
        assert described({name: {"id": 2}}) == found | {"next": '{"id":2}'}, name
    for name in (*LINKS.split(), *TOKENS.split()):
        ended = described({name: None})
        assert ended == {"more": False, "described": True}, name
        assert described({name: ""}) == {"described": True}, name
    assert described({"next": "abc"}) == {"next": "abc", "token": "next", "described": True}
    assert described({"next": {"href": LINK}}) == {"next": LINK, "described": True}
    for key in ("url", "uri", "link"):
        assert described({"next": {"href": None, key: LINK}}) == {"next": LINK, "described": True}
    assert described({"next": "https://x.test/2"}) == {"next": "https://x.test/2", "described": True}
    for other in (True, {}, [LINK], {"href": None}, {"href": True}):
        assert described({"next": other}) == {"described": True}, other
    assert described({"next": LINK, "nextCursor": "abc"}) == {"next": LINK, "described": True}


def test_a_cursor_or_an_offset_alone_leads_on():
    """A cursor beside a link to the next page belongs to this page; an offset that is a number is that of the page."""
    assert described({"cursor": "abc"}) == {"next": "abc", "token": "cursor", "described": True}
    assert described({"offset": "itr/2"}) == {"next": "itr/2", "token": "offset", "described": True}
    assert described({"cursor": 5}) == {"next": "5", "token": "cursor", "described": True}
    assert described({"cursor": "abc", "next": LINK}) == {"next": LINK, "described": True}
    assert described({"cursor": "abc", "has_more": False}) == {"more": False, "described": True}
    assert described({"endCursor": "abc", "hasNextPage": False}) == {
        "token": "endcursor", "more": False, "described": True
    }  # fmt: skip


def test_whether_more_follows_under_every_name():
    """Some names say that another page follows, and some that this one is the last."""
    for name in ("hasMore", "hasNext", "hasNextPage", "more"):
        assert described({name: True}) == {"more": True, "described": True}, name
        assert described({name: False}) == {"more": False, "described": True}, name
    for name in ("last", "isLast", "isLastPage", "done"):
        assert described({name: True}) == {"more": False, "described": True}, name
        assert described({name: False}) == {"more": True, "described": True}, name
    assert described({"has_more": "yes"}) == {}
    assert described({"last": LINK}) == {"last": LINK}
    assert described({"lastPageUrl": LINK}) == {"last": LINK}
    assert described({"last": {"href": "/images"}}) == {"last": "/images"}
    assert described({"last_page_url": "p2"}) == {}


def test_descriptions_in_objects_of_every_name():
    """The description is read from objects beside the rows, also from one within another."""
    for name in HOLDERS.split():
        assert described({name: {"total": 77}})["total"] == 77, name
        assert described({name: {"page": {"total": 77}}})["total"] == 77, name
        assert described({name: [{"total": 77}, {}]}) == {}, name
    assert described({"other": {"total": 77}}) == {}
    assert described({"meta": {"page": {"info": {"total": 77}}}}) == {}


@pytest.mark.parametrize(
    "count", [77, "77", "77.0", 77.0, [77, "77"][:1], [77, 77], {"value": 77}, {"value": "77", "relation": "eq"}]
)  # fmt: skip
def test_counts_in_many_forms(count):
    """A count is a number, its text, the same number repeated, or one with its relation."""
    assert described({"total": count}) == {"total": 77, "described": True}


def test_what_is_no_count():
    """Other values are ignored; the largest count is the largest integer of JavaScript."""
    for other in (True, -1, "-1", 2**53, 2.0**53, 77.5, "x", [], [77, 78], [[77]], {}, {"value": 77, "relation": "gte"},
                  {"value": 77, "more": 1}, {"relation": "eq"}, None, float("nan"), {"value": True}):  # fmt: skip
        assert described({"total": other}) == {}, other
    assert described({"total": 2**53 - 1})["total"] == 2**53 - 1
    assert described({"total": 0}, rows=[]) == {"total": 0, "described": True}


def test_headers_under_every_name():
    """The total, the pages and the size may be in headers; these come before those of the body."""
    names = {
        "total": "x-total-count x-total total-count total x-pagination-total-count x-wp-total",
        "last_page": "total-pages x-total-pages x-pagination-page-count x-wp-totalpages page-count",
        "current_page": "current-page x-current-page x-page x-pagination-current-page page",
        "size": "per-page x-per-page page-limit x-pagination-per-page page-items",
    }
    for fact, each in names.items():
        for name in each.split():
            assert described(headers={name: "7"}) == {fact: 7, "described": True}, name
            assert described(headers={name: "many"}) == {}, name
    for name in ("x-pagination", "pagination", "x-paging-headers"):
        assert described(headers={name: '{"TotalCount": 77}'}) == {"total": 77, "described": True}, name
        assert described(headers={name: "{"}) == described(headers={name: "[77]"}) == {}, name
    assert described({"last_page": 9}, {"total-pages": "7"})["last_page"] == 7
    for name in (
        "next-cursor",
        "x-next-cursor",
        "x-cursor-next",
        "x-next-page-token",
        "x-continuation-token",
        "x-ms-continuation",
    ):
        token = {"next": "b2Zm", "token": name.replace("-", ""), "described": True}
        assert described(headers={name: "b2Zm"}) == token, name
        assert described(headers={name: "b2Zm", "x-has-more": "true"}) == token | {"more": True}, name
    assert described(headers={"x-has-more": "False", "x-csrf-token": "b2Zm"}) == {
        "more": False,
        "described": True,
    }


def test_ranges_and_links_of_headers():
    """``Content-Range`` has the offset and the total, ``Link`` the next page and the last one; the larger total counts."""
    for text in ("items 4-5/77", "4-5/77", "records 4-5/77 "):
        assert described(headers={"content-range": text}) == {"total": 77, "offset": 4, "described": True}, (
            text
        )
    assert described(headers={"content-range": "4-5/*"}) == {"offset": 4}
    assert described(headers={"content-range": "*/77"}) == {"total": 77, "described": True}
    assert described(headers={"content-range": "4-5", "x-total": "9"}) == {"total": 9, "described": True}
    assert described(headers={"content-range": "4-5/77", "x-total": "9"}) == {
        "total": 77, "offset": 4, "described": True
    }  # fmt: skip
    both = f'<{LINK}>; rel="next", </i?page=9>; title="a, b"; rel="last"'
    assert described(headers={"link": both}) == {"next": LINK, "last": "/i?page=9", "described": True}
    assert described(headers={"link": f"<{LINK}>;REL=NEXT"}) == {"next": LINK, "described": True}
    assert described(headers={"link": f'<{LINK}>; rel="self next"'}) == {"next": LINK, "described": True}
    assert described(headers={"link": '</i>; rel="prev"'}) == {"more": False, "described": True}
    assert described(headers={"link": "</i>; title=x"}) == {}
    assert described({"total": 5}, {"link": "</i>; title=x"}) == {"total": 5, "described": True}
    assert described(headers={"x-total": "9"}) == {"total": 9, "described": True}


def test_keys_that_are_not_used_are_named():
    """Keys that neither lead to the rows nor describe the page are learned, dotted if nested."""
    dialect = Dialect()
    body = {
        "data": {"images": ROWS, "took": 3},
        "meta": {"total": 2, "region": "eu", "page": {"number": 1, "x": 1}},
        "total_at_least": 2,
        "lastPageUrl": LINK,
        "matches": 2,
        "version": 1,
        "links": [],
    }
    read_list(body, {}, IMAGES, dialect)
    assert dialect.unused["lists"] == ("version", "data.took", "meta.region", "meta.page.x")


def test_addresses_of_pages():
    """A link to another page is an address with a scheme, a path, or parameters alone; anything else is a token."""
    addresses = ["http://a.test/page/2", "https://a.test/page/2", "/page/2", "?page=2", "items?page=2"]
    tokens = ["httpx", "eyJpZCI6M30=", "2", "page/2", ""]
    assert [text for text in [*addresses, *tokens] if is_address(text)] == addresses
