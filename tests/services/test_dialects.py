from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

import pytest
from tests.services import DIALECTS, ODDITIES
from tests.services.dialects import find_dialect

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    import httpx

RECORDS = 57
SIZE = 10


class Turn(NamedTuple):
    """The data for finding the next page: the reply, its body, its rows, and all rows so far."""

    reply: httpx.Response
    body: Any
    rows: list
    seen: int


def at(body, path):
    """Return the value at a path such as ``meta/total``, or None."""
    for part in path.split("/") if path else ():
        body = body.get(part) if isinstance(body, dict) else None
    return body


def plain(value):
    return int(value[0] if isinstance(value, list) else value)


def by_address(path, *names):
    """Return the parameters of the next page from an address in the body, only those with the given names."""

    def follow(turn):
        address = at(turn.body, path)
        query = parse_qs(address.partition("?")[2].partition("{")[0]) if address else {}
        return {name: query[name][0] for name in names} if address else None

    return follow


def by_header(name):
    """Return the parameters of the next page from the Link header."""

    def follow(turn):
        address = turn.reply.links.get("next", {}).get("url")
        return {name: parse_qs(address.partition("?")[2])[name][0]} if address else None

    return follow


def by_token(path, name):
    """Return the parameter of the next page from a value in the body."""

    def follow(turn):
        value = at(turn.body, path)
        return {name: value} if value is not None else None

    return follow


def by_last_page(name, page, last):
    """Return the next page number from the numbers of this page and the last page in the body."""

    def follow(turn):
        number = plain(at(turn.body, page))
        return {name: number + 1} if number < plain(at(turn.body, last)) else None

    return follow


def by_total(name, total, page=None):
    """Return the next page number or offset from the total in the body."""

    def follow(turn):
        if turn.seen >= plain(at(turn.body, total)):
            return None
        return {name: turn.seen if page is None else at(turn.body, page) + 1}

    return follow


def by_last_id(name):
    """Return the last id if the body says that there are more records."""

    def follow(turn):
        return {name: turn.rows[-1]["id"]} if turn.body["has_more"] else None

    return follow


def by_flag(turn):
    return None if turn.body["last"] else {"page": turn.body["number"] + 1}


def nowhere(_turn):
    return None


LARAVEL = ("data", by_address("links/next", "page"))
#: The path of the rows and the rule for the next page, written by hand from each framework's documentation.
RULES = {
    "laravel": ("data", by_address("next_page_url", "page")),
    "laravel_resource": LARAVEL,
    "laravel_simple": ("data", by_address("next_page_url", "page")),
    "laravel_cursor": ("data", by_token("next_cursor", "cursor")),
    "laravel_jsonapi": LARAVEL,
    "laravel_unwrapped": LARAVEL,
    "laravel_text_numbers": ("data", by_last_page("page", "meta/current_page", "meta/last_page")),
    "laravel_merged_meta": ("data", by_last_page("page", "meta/current_page", "meta/last_page")),
    "laravel_proxied": LARAVEL,
    "laravel_mirrored": LARAVEL,
    "drf_page": ("results", by_address("next", "page")),
    "drf_offset": ("results", by_address("next", "limit", "offset")),
    "drf_cursor": ("results", by_address("next", "cursor")),
    "drf_unpaginated": ("", nowhere),
    "fastapi_page": ("items", by_last_page("page", "page", "pages")),
    "fastapi_links": ("items", by_address("links/next", "page")),
    "fastapi_header_links": ("items", by_header("page")),
    "fastapi_offset": ("items", by_total("offset", "total")),
    "fastapi_cursor": ("items", by_token("next_page", "cursor")),
    "json_server_0": ("", by_header("_page")),
    "json_server_1": ("data", by_token("next", "_page")),
    "rails_headers": ("", by_header("page")),
    "rails_pagy": ("", by_header("page")),
    "spring": ("content", by_flag),
    "hal": ("_embedded/images", by_address("_links/next/href", "page")),
    "jsonapi": ("data", by_address("links/next", "page[number]")),
    "jsonapi_objects": ("data", by_address("links/next/href", "page[offset]", "page[limit]")),
    "odata": ("value", by_address("@odata.nextLink", "$skip", "$top")),
    "stripe": ("data", by_last_id("starting_after")),
    "openai": ("data", by_last_id("after")),
    "resource_name": ("images", by_total("page", "total_count", "page")),
    "nested_rows": ("rows/data", by_total("page", "rows/total", "rows/current_page")),
    "nested_response": ("response/nodes", by_address("response/next", "p")),
}


def fetch_pages(client, name, **parameters):
    """Fetch every page by the dialect's own rules, never from an address of the service."""
    path, follow = RULES[name]
    rows, more = [], {}
    while more is not None:
        reply = client.get("/api/v1/images", params={**parameters, **more})
        assert reply.status_code == 200, reply.text
        body = reply.json()
        page = at(body, path)
        rows += page
        more = follow(Turn(reply, body, page, len(rows)))
    return rows


def test_every_dialect_has_rules():
    """Each dialect of the table is fetched below, and there are more than twenty."""
    assert set(RULES) == set(DIALECTS)
    assert len(DIALECTS) > 20
    assert not set(DIALECTS) & set(ODDITIES)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_listing_has_every_record_once(connect, name):
    """Fetching by a dialect's own rules returns exactly the records of the service, in order."""
    client, service = connect(name, images=RECORDS)
    rows = fetch_pages(client, name, per_page=SIZE, sort="asc")
    assert rows == [service.shown("images", number) for number in sorted(service.images)]
    expected = 1 if name == "drf_unpaginated" else math.ceil(RECORDS / SIZE)
    assert len(service.requests) == expected


@pytest.mark.parametrize("name", DIALECTS)
def test_a_filtered_listing_has_the_matching_records(connect, name):
    """Filters and descending order apply to every page."""
    client, service = connect(name, images=RECORDS)
    rows = fetch_pages(client, name, per_page=SIZE, favorite="1", sort_by="name")
    wanted = [record for record in service.images.values() if record["favorite"]]
    wanted.sort(key=lambda record: (record["name"], record["id"]), reverse=True)
    assert 0 < len(wanted) < RECORDS
    assert rows == [service.shown("images", record["id"]) for record in wanted]


@pytest.mark.parametrize("name", DIALECTS)
def test_the_five_operations(connect, name):
    """A record is created, shown, updated and deleted in every response format."""
    client, service = connect(name, images=3)
    form = {"name": "Harbor", "description": "two boats", "resolution": "512x512", "style": "anime"}
    created = client.post("/api/v1/images", data=form)
    assert created.is_success
    assert service.created == [("images", 4)]
    stored = service.images[4]
    assert {name: stored[name] for name in form} == form
    assert stored["medium"] is None
    place = f"/api/v1/images/{service.public_id(4)}"
    assert created.headers.get("location", place).endswith(place)
    assert "Harbor" in client.get(place).text
    method = service.dialect.update_methods[0]
    assert client.request(method, place, data={"name": "Quay", "favorite": "1"}).is_success
    assert (service.images[4]["name"], service.images[4]["favorite"]) == ("Quay", True)
    assert client.delete(place).is_success
    assert 4 not in service.images
    assert "Quay" not in client.get(place).text


@pytest.fixture
def ask(connect):
    """Return a function that requests one page of ten images in a dialect."""

    def first(name, **parameters):
        client, _ = connect(name, images=RECORDS)
        return client.get("/api/v1/images", params={"per_page": SIZE, "sort": "asc", **parameters})

    return first


def test_next_links_lose_filters_as_in_laravel(ask):
    """Laravel's links have only the page number; those of Django keep the query."""
    laravel = ask("laravel", resolution="512x512", favorite="0").json()
    assert laravel["next_page_url"] == "https://service.test/api/v1/images?page=2"
    assert "style=anime" in ask("drf_page", style="anime", per_page=1).json()["next"]


def test_misleading_addresses(ask):
    """Links use http, name another host, are paths, or are only a query."""
    assert ask("laravel_proxied").json()["links"]["next"].startswith("http://service.test/")
    assert ask("laravel_mirrored").json()["links"]["next"].startswith("https://mirror.test/")
    assert ask("fastapi_links").json()["links"]["next"].startswith("/api/v1/images?")
    assert ask("nested_response").json()["response"]["next"].startswith("?")
    assert ask("hal").json()["_links"]["next"] == {
        "href": "https://service.test/api/v1/images?per_page=10&sort=asc&page=1{&sort}",
        "templated": True,
    }


def test_numbers_are_numbers_texts_or_arrays(ask):
    """Totals have the type of the dialect."""
    assert ask("laravel_resource").json()["meta"]["total"] == RECORDS
    assert ask("laravel_text_numbers").json()["meta"]["total"] == str(RECORDS)
    assert ask("laravel_merged_meta").json()["meta"]["total"] == [RECORDS, RECORDS]
    assert ask("json_server_1").json()["items"] == RECORDS
    assert ask("rails_headers").headers["Total"] == str(RECORDS)
    assert "@odata.count" not in ask("odata").json()
    assert ask("odata", **{"$count": "true"}).json()["@odata.count"] == RECORDS


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("laravel_resource", {"page": 9}, []),
        ("laravel_resource", {"page": "two"}, list(range(1, 11))),
        ("drf_page", {"page": 9}, 404),
        ("drf_page", {"page": 0}, 404),
        ("drf_cursor", {"cursor": "%%%"}, 404),
        ("fastapi_page", {"page": 0}, 422),
        ("json_server_1", {"_page": 9}, list(range(51, 58))),
        ("spring", {"page": 6}, []),
        ("stripe", {"starting_after": "none"}, 404),
        ("past_end_empty", {"page": 9}, []),
        ("past_end_missing", {"page": 9}, 404),
        ("past_end_last", {"page": 9}, list(range(51, 58))),
        ("past_end_first", {"page": 9}, list(range(1, 11))),
        ("past_end_null", {"page": 9}, None),
        ("page_ignored", {"page": 2}, list(range(1, 11))),
        ("size_ignored", {"per_page": 50}, list(range(1, 11))),
        ("size_clamped", {"per_page": 50}, list(range(1, 26))),
        ("sort_ignored", {}, list(range(57, 47, -1))),
    ],
)
def test_replies_to_pages_past_the_end(ask, name, parameters, expected):
    """Replies to missing pages and unsupported sizes follow the dialect."""
    reply = ask(name, **parameters)
    if isinstance(expected, int):
        assert reply.status_code == expected
    else:
        body = reply.json()
        rows = next(body[key] for key in ("data", "content") if key in body)
        assert (rows if rows is None else [int(row["id"]) for row in rows]) == expected


def test_names_in_no_stable_order(connect):
    """Records with the same name are in another order each time, if the dialect says so."""
    client, service = connect("names_unstable", images=40)
    for record in service.images.values():
        record["name"] = "the same"
    pages = [client.get("/api/v1/images?sort_by=name&per_page=50").json()["data"] for _ in range(2)]
    orders = [[row["id"] for row in rows] for rows in pages]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(1, 41))


def test_an_unknown_dialect_is_rejected():
    """The error for an unknown name has the nearest one."""
    with pytest.raises(InvalidArgument, match="laravel_resource"):
        find_dialect("laravel_resorce")
