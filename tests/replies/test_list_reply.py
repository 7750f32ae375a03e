"""The objects around the records of a list: totals under many names, and empty lists in many forms."""

import json

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe
from inkframe.listing.page_search import candidates
from inkframe.listing.paging import next_parameters
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import read_list
from inkframe.schema import RESOURCES

ROWS = [{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]
PAGE = {"page": 1, "per_page": 2, "count": 2}


def listed(body, status=200, headers=(), **query):
    """Return the frame of the single page of a service."""
    with Answers(httpx.Response(status, json=body, headers=dict(headers))).client() as client:
        return client.images.list(**query)


@pytest.mark.parametrize(
    "body",
    [
        {"docs": ROWS, "totalDocs": 77, "totalPages": 39, "hasNextPage": True, "nextPage": 2},
        {"result": ROWS, "success": True, "errors": [], "result_info": {**PAGE, "total_count": 77}},
        {"_items": ROWS, "_meta": {"page": 1, "max_results": 2, "total": 77}},
        {"hydra:member": ROWS, "hydra:totalItems": 77, "hydra:view": {"hydra:next": "/api/v1/images?page=2"}},
        {"Items": ROWS, "TotalCount": 77, "PageNumber": 1, "HasNextPage": True},
        {"d": {"results": ROWS, "__count": "77"}},
        {"data": ROWS, "meta": {"page": {"current-page": 1, "total": 77, "last-page": 39}}},
        {"status": "success", "count": 2, "data": {"images": ROWS, "totalImages": 77}},
    ],
    ids=["mongoose", "cloudflare", "eve", "hydra", "pascal", "odata", "hyphens", "express"],
)
def test_a_total_is_read_under_many_names(body):
    """Case, ``_``, ``-`` and prefixes are ignored; the number of rows on the page is not a total."""
    frame = listed(body)
    assert frame.index.tolist() == [2, 1]
    assert frame.attrs["inkframe"]["total"] == 77


def test_a_token_may_be_an_object():
    """The key of a database after which the next page starts is sent back as it came, as JSON."""
    reply = read_list(
        {"items": ROWS, "LastEvaluatedKey": {"id": {"N": "2"}}}, {}, RESOURCES["images"], Dialect()
    )
    (way, *_) = candidates(reply)
    assert way == ("cursor", "ExclusiveStartKey")
    asked = next_parameters(reply, {}, Dialect(paging=way[0], page_parameter=way[1]))
    assert asked == {"ExclusiveStartKey": '{"id":{"N":"2"}}'}
    assert read_list({"items": ROWS, "LastEvaluatedKey": {}}, {}, RESOURCES["images"], Dialect()).next is None


@pytest.mark.parametrize(
    "body",
    [
        {"_links": {"self": {"href": "x"}}, "page": {"size": 10, "totalElements": 0, "totalPages": 0}},
        {"images": None, "total": 0},
        {"images": None},
        {"images": {}, "total": 0},
        {"data": None, "meta": {"total": 0}},
        {"data": {"images": None, "total": 0}},
        {"images": None, "total": 0, "tags": [{"id": 7}]},
    ],
    ids=json.dumps,
)
def test_a_missing_list_is_empty_if_the_reply_shows_it(body):
    """A total of 0, or null under the name of the collection, is an empty list."""
    assert listed(body).empty


@pytest.mark.parametrize("body", [{}, {"data": None}, {"images": None, "page": 1}], ids=json.dumps)
def test_headers_show_that_a_missing_list_is_empty(body):
    """A reply without a list is empty if a header counts none; it is an error if the header counts some."""
    assert listed(body, headers=[("X-Total-Count", "0")]).empty
    with pytest.raises(inkframe.UnexpectedReply):
        listed(body, headers=[("X-Total-Count", "7")])


@pytest.mark.parametrize(
    "body",
    [{"data": None}, {"message": "ok"}, {"page": {"totalElements": 30, "totalPages": 3, "number": 0}}, "", 0],
    ids=json.dumps,
)
def test_a_reply_without_a_list_is_an_error(body):
    """A reply that does not show that the list is empty is an error."""
    with pytest.raises(inkframe.UnexpectedReply):
        listed(body)


@pytest.mark.parametrize("nothing", [[], {}, None], ids=json.dumps)
def test_a_known_location_may_be_empty(nothing):
    """An empty value at the known location of the records is an empty list, whatever the total."""
    replies = iter([{"images": {"2": ROWS[0], "1": ROWS[1]}, "total": 2}, {"images": nothing, "total": 2}])
    with Answers(lambda _: next(replies)).client() as client:
        assert client.images.list().index.tolist() == [2, 1]
        assert client.images.list().empty


def test_an_empty_list_does_not_show_the_location_of_records():
    """Another list in an empty reply is not learned as the location of the records."""
    replies = iter([{"tags": [], "total": 0}, {"tags": [], "images": ROWS, "total": 2}])
    with Answers(lambda _: next(replies)).client() as client:
        assert client.images.list().empty
        assert client.images.list().index.tolist() == [2, 1]


SHOWN = [{"id": 2, "name": "b", "style": "anime"}, {"id": 1, "name": "a", "style": "anime"}]


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        ({"value": 77, "relation": "eq"}, 77),
        ({"value": 77}, 77),
        ({"value": 10_000, "relation": "gte"}, None),
        ({"value": None}, None),
        ({"value": 77, "page": 2}, None),
    ],
)
def test_a_total_with_its_relation(total, expected):
    """A total may be an object; a lower bound is not a total."""
    hits = [{"_id": row["id"], "_source": row, "sort": [row["id"]]} for row in SHOWN]
    frame = listed({"took": 3, "timed_out": False, "hits": {"total": total, "max_score": None, "hits": hits}})
    assert frame.index.tolist() == [2, 1]
    assert frame.attrs["inkframe"]["total"] == expected


@cases(
    "wrap",
    [
        lambda rows: {"edges": rows, "pageInfo": {"hasNextPage": False}},
        lambda rows: {"data": {"images": {"edges": rows, "totalCount": 2}}},
        lambda rows: {"data": {"allImages": {"edges": rows, "totalCount": 2}}},
        lambda rows: {"data": {"viewer": {"images": {"nodes": rows}}}, "extensions": {"cost": [{"id": 3}]}},
        lambda rows: {"extensions": [], "response": {"body": {"found": {"rows": rows}}}},
    ],
    ids=["bare", "graphql", "all", "viewer", "deep"],
)
@cases("form", ["node", "bare"])
def test_a_list_under_further_keys(wrap, form):
    """A list is found below unusual keys, with or without a node for each record, and another list is not it."""
    rows = [{"cursor": "x", "node": row} for row in SHOWN] if form == "node" else SHOWN
    frame = listed(wrap(rows))
    assert frame.index.tolist() == [2, 1]
    assert frame["style"].tolist() == ["anime", "anime"]


def test_the_list_whose_records_have_ids_is_read():
    """A list of links beside the records is not taken for them, whatever comes first."""
    link = [{"relation": "next", "url": "http://service.test/x?page=2"}]
    for name in ("entry", "found", "data"):
        rows = [{"fullUrl": "x", "resource": row} for row in SHOWN]
        assert listed({"link": link, "results": link, name: rows}).index.tolist() == [2, 1]


def test_records_by_position_under_further_keys():
    """An object with numbers as its keys is a list wherever it is."""
    assert listed({"query": {"pages": {"2": SHOWN[0], "1": SHOWN[1]}}}).index.tolist() == [2, 1]


def answering(full, empty):
    """Return a service with another reply to requests with a search."""
    return Answers(lambda request: empty if "search" in request.url.params else full)


@pytest.mark.parametrize(
    ("full", "empty"),
    [
        ({"data": SHOWN}, {"data": {}}),
        ({"data": SHOWN}, {"data": None}),
        ({"data": SHOWN}, {}),
        (SHOWN, {}),
        ({"data": {"2": SHOWN[0], "1": SHOWN[1]}}, {"data": {}}),
        ({"data": {"images": {"edges": SHOWN}}}, {"data": {"images": {}}}),
        ({"data": {"images": {"edges": SHOWN}}}, {"data": {}}),
        ({"data": {"viewer": {"rows": SHOWN}}}, {"data": {"viewer": {"rows": []}}}),
    ],
    ids=lambda body: json.dumps(body).replace(json.dumps(SHOWN), "rows"),
)
def test_the_first_search_may_find_nothing(full, empty):
    """An empty list in any form is read, if need be after one request without filters has shown where the records are."""
    service, search = answering(full, empty), {"search": "x"}
    with service.client() as client:
        assert client.images.list(search="x").empty
        assert service.queries in ([search, {}], [search])
        assert client.images.list(search="x").empty
        assert len(service.requests) <= 3
        assert client.images.list().index.tolist() == [2, 1]


@pytest.mark.parametrize("body", [{}, {"data": {}}, {"ok": True}, {"data": "none"}], ids=json.dumps)
def test_a_reply_of_no_known_form_stays_an_error(body):
    """A reply without records is not an empty list if no request has shown where the records are."""
    service = Answers(body)
    with pytest.raises(inkframe.UnexpectedReply):
        service.client().images.list(search="x")
    assert len(service.requests) == 2


def test_a_reply_without_the_known_location_stays_an_error():
    """After records were listed, a reply with other content is still an error."""
    with answering({"data": SHOWN}, {"status": "busy"}).client() as client:
        client.images.list()
        with pytest.raises(inkframe.UnexpectedReply):
            client.images.list(search="x")


def located(body, **pinned):
    """Return the path to the records and their ids."""
    dialect = Dialect(**pinned)
    reply = read_list(body, {}, RESOURCES["images"], dialect)
    return dialect.records_at, [record.get("id") for record in reply.records]


def test_the_list_of_the_records_under_any_key():
    """The list of the collection comes first, then that with the most fields; an empty one before rows without an id."""
    for key in ("data", "results", "zzz", "Items", "_embedded"):
        assert located({key: ROWS}) == ((key,), [2, 1])
        assert located({key: {"data": ROWS}}) == ((key, "data"), [2, 1])
        assert located({key: {"data": {"rows": ROWS}}}) == ((key, "data", "rows"), [2, 1])
        assert located({key: {"1": ROWS[0], "0": ROWS[1]}}) == ((key,), [2, 1])
        assert located({key: []}) == located({"x": {key: []}}) == (None, [])
    more = [{"id": 5, "name": "c", "style": "ink"}]
    assert located({"other": [{"id": 7}], "images": ROWS}) == (("images",), [2, 1])
    assert located({"other": more, "images": ROWS}) == (("images",), [2, 1])
    assert located({"first": ROWS, "second": more}) == (("second",), [5])
    assert located({"images": [{"url": "/a.png"}], "other": more}) == (("other",), [5])
    assert located({"data": [], "other": ROWS}) == (("other",), [2, 1])
    assert located({"data": [], "other": ROWS, "total": 0}) == (None, [])
    assert located({"images": [], "other": more}) == (None, [])
    assert located({"data": [{"x": 1}], "other": ROWS}) == (("other",), [2, 1])
    assert located({"data": [{"x": 1}]})[0] == ("data",)
    assert located({"data": [{**ROWS[0], "history": more}]}) == (("data",), [2])


def test_lists_of_other_things_are_not_the_records():
    """These keys never lead to records, whatever is in them."""
    for key in ("meta", "metadata", "pagination", "page", "info", "links", "cursors", "errors", "included", "warnings", "messages",
                "sort", "facets"):  # fmt: skip
        with pytest.raises(inkframe.UnexpectedReply):
            located({key: ROWS})
        with pytest.raises(inkframe.UnexpectedReply):
            located({"x": {key: {"y": ROWS}}})
    for other in ([1, 2], ["a"], [ROWS], [None]):
        with pytest.raises(inkframe.UnexpectedReply):
            located({"data": other})


def test_lists_under_unusual_keys_up_to_five_deep():
    """The first record must have an id and content of the collection, and an empty list a key that names it."""
    rows = [{"id": 2, "style": "ink"}]
    assert located({"a": {"b": {"c": {"e": {"f": rows}}}}}) == (("a", "b", "c", "e", "f"), [2])
    with pytest.raises(inkframe.UnexpectedReply):
        located({"a": {"b": [{"id": 2}]}})
    assert located({"a": {"myImages": []}}) == (None, [])
    assert located({"a": {"myImages": []}, "b": {"c": [{**rows[0], "name": "a"}]}}) == (("b", "c"), [2])
    with pytest.raises(inkframe.UnexpectedReply):
        located({"a": {"b": [], "c": []}})


def test_a_pinned_location_is_used():
    """The pinned keys lead to the records, and to none where they lead to nothing."""
    body = {"data": [{"id": 7}], "mine": {"rows": ROWS}}
    assert located(body, records_at=("mine", "rows")) == (("mine", "rows"), [2, 1])
    for nothing in ({"mine": {}}, {"mine": {"rows": None}}, {"mine": {"rows": {}}}, {}):
        assert located(nothing, records_at=("mine", "rows"))[1] == []
    assert located({"data": [{"id": 7}], "mine": 5}, records_at=("mine",))[1] == [7]


def test_what_is_no_list_is_described_by_its_shape():
    """The error has the keys and types of the reply, and how to pin the keys."""
    body = {
        "status": "secret",
        "n": 5,
        "ok": True,
        "none": None,
        "x": {"y": {"z": 1}},
        "l": [["a"]],
        "k": 1,
        "j": 1,
    }
    with pytest.raises(inkframe.UnexpectedReply) as caught:
        located(body | {"i": 1})
    assert str(caught.value) == (
        "The reply must contain a list of images, got {status: text, n: number, ok: boolean, none: null, "
        "x: {y: object of 1}, l: list of 1 (list of 1), k: number, j: number, …}.\n"
        "Check base_url, or pin the keys of the list with client.images.dialect."
    )


def test_an_empty_page_behind_the_last_one():
    """Without a list, a page behind the last is empty, the last one if nothing may be records, and null as the collection."""
    for body in (
        {"data": None, "page": 3, "pages": 3},
        {"page": 4, "pages": 3},
        {"page": 4, "pages": 3, "total": 23, "request": {"id": "r 1"}},
        {"page": 1, "pages": 1, "status": "ok", "results": []},
        {"images": {}},
        {"total": 0, "page": 1},
    ):
        assert located(body) == (None, [])
    for body in (
        {"page": 2, "pages": 3},
        {"page": 2},
        {"pages": 3},
        {"images": None, "total": 4},
        {"image": None},
        {"images": ["/api/v1/images/7"], "page": 1, "pages": 1},
        {"columns": ["id", "name"], "rows": [[7, "a"]], "page": 3, "pages": 3},
        {"found": {"by_name": {"a": 7}}, "page": 1, "pages": 1},
        {"text": "The backend is down", "page": 1, "pages": 1},
        {"data": "W3siaWQiOjcsIm5hbWUiOiJhIn0seyJpZCI6OCwibmFtZSI6ImIifV0" * 2, "page": 1, "pages": 1},
        {"data": None, "page": 3, "pages": 3, "total": 23},
    ):
        with pytest.raises(inkframe.UnexpectedReply):
            located(body)
