"""Pages, pictures, and the two routes that need no key."""

import httpx
import pytest

IMAGES = "/api/v1/images"
DOCUMENTS = "/api/v1/documents"


@pytest.fixture
def dozen(new_document):
    names = "pear Apple fig apple Zucchini date kiwi lime plum Quince rose sloe"
    return [new_document(name=name) for name in names.split()]


def names(reply):
    return [record["name"] for record in reply.json()["data"]]


@pytest.mark.integration
def test_a_list_returns_the_ten_newest_records_first(client, dozen):
    """Without parameters a page has 10 records by id, descending, with the totals."""
    page = client.get(DOCUMENTS).json()
    assert [record["id"] for record in page["data"]] == [record["id"] for record in reversed(dozen)][:10]
    assert page["meta"] == {
        "current_page": 1,
        "last_page": 2,
        "per_page": 10,
        "total": 12,
        "facets": {"template_id": [{"value": 1, "count": 12}]},
        "collection_total": 12,
        "from": 1,
        "to": 10,
    }
    assert page["links"] == {
        "first": f"{DOCUMENTS}?page=1",
        "last": f"{DOCUMENTS}?page=2",
        "prev": None,
        "next": f"{DOCUMENTS}?page=2",
    }


@pytest.mark.integration
def test_links_keep_the_query(client, dozen):
    """Every link repeats the filters and replaces the page."""
    query = "search=e&page=1&template_id=1&sort_by=name"
    links = client.get(f"{DOCUMENTS}?{query}").json()["links"]
    assert links["first"] == f"{DOCUMENTS}?search=e&template_id=1&sort_by=name&page=1"
    assert names(client.get(links["last"])) == names(client.get(f"{DOCUMENTS}?{query}"))
    assert len(dozen) == 12


@pytest.mark.integration
@pytest.mark.parametrize("number", [3, 10**6, 2**53 - 1])
def test_a_page_past_the_end_is_empty(client, dozen, number):
    """A page past the end is empty, with a link to the last page."""
    page = client.get(DOCUMENTS, params={"page": number}).json()
    assert page["data"] == []
    assert page["meta"]["total"] == len(dozen)
    assert (page["meta"]["from"], page["meta"]["to"]) == (None, None)
    assert page["links"]["prev"] == f"{DOCUMENTS}?page=2"
    assert client.get(DOCUMENTS, params={"page": number, "search": "fig"}).json()["data"] == []


def test_an_empty_library_has_one_empty_page(client):
    """An empty list has one page."""
    page = client.get(IMAGES).json()
    assert (page["data"], page["meta"]["total"], page["meta"]["last_page"]) == ([], 0, 1)


@pytest.mark.integration
def test_order_by_name_ignores_case_and_is_total(client, dozen):
    """Names are in alphabetical order, equal names by id, and descending is the exact reverse."""
    up = client.get(DOCUMENTS, params={"sort_by": "name", "sort": "asc", "per_page": 25})
    down = client.get(DOCUMENTS, params={"sort_by": "name", "per_page": 25})
    assert names(up)[:4] == ["Apple", "apple", "date", "fig"]
    assert names(down) == names(up)[::-1]
    assert len(dozen) == 12


def test_a_picture_is_served_as_png(client, new_image, png):
    """The picture is a PNG that may be cached forever and runs nothing in a browser."""
    reply = client.get(new_image()["url"])
    assert (reply.status_code, reply.content) == (200, png)
    assert reply.headers["Content-Type"] == "image/png"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert reply.headers["Cache-Control"] == "private, max-age=31536000, immutable"


def test_a_picture_that_is_known_is_not_sent_again(client, new_image):
    """A matching ETag returns 304."""
    url = new_image()["url"]
    tag = client.get(url).headers["ETag"]
    reply = client.get(url, headers={"If-None-Match": f'"other", {tag}'})
    assert (reply.status_code, reply.content, reply.headers["ETag"]) == (304, b"", tag)
    assert client.get(url, headers={"If-None-Match": "*"}).status_code == 304
    assert client.get(url, headers={"If-None-Match": '"other"'}).status_code == 200


def test_only_health_needs_no_key(service):
    """The health route needs no key."""
    transport = httpx.WSGITransport(app=service.app)
    with httpx.Client(transport=transport, base_url="http://local") as stranger:
        assert stranger.get("/health").json() == {"status": "ok", "library": service.identity}
        assert stranger.get(IMAGES).status_code == 401


@pytest.mark.parametrize("path", [IMAGES, f"{IMAGES}/1", f"{IMAGES}/1/picture", "/health", f"{IMAGES}/9"])
def test_head_and_a_trailing_slash(client, new_image, path):
    """``HEAD`` is answered as ``GET`` without the body, and a slash at the end changes nothing."""
    new_image()
    reply = client.get(path)
    head = client.head(path)
    assert (head.status_code, head.headers, head.content) == (reply.status_code, reply.headers, b"")
    slashed = client.get(f"{path}/")
    assert (slashed.status_code, slashed.headers, slashed.content) == (
        reply.status_code,
        reply.headers,
        reply.content,
    )


def test_whole_pages(client, dozen, recorded):
    """Pages with their links and numbers: in the middle, past the end, of a search, and with a query to keep."""
    assert len(dozen) == 12
    pages = {}
    for query in (
        "per_page=10&page=2", "page=9&favorite=0", "&&favorite=0&&page=1&sort=asc&a=%20&&", "search=p&sort_by=name",
        "search=none", "favorite=1&sort=desc",
    ):  # fmt: skip
        page = client.get(f"{DOCUMENTS}?{query}").json()
        pages[query] = page | {"data": [[record["id"], record["name"]] for record in page["data"]]}
    recorded("pages", pages)
