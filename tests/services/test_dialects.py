import pytest

RECORDS = 57
SIZE = 10


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
