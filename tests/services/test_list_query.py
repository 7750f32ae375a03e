import pytest


@pytest.fixture
def numbers(connect):
    """Return a function that lists a collection and returns the numbers of the records in order."""

    def ask(collection, dialect="laravel_resource", **parameters):
        client, service = connect(dialect, images=80, documents=200)
        rows = client.get(f"/api/v1/{collection}", params={"per_page": 100, **parameters}).json()["data"]
        return [row["id"] for row in rows], list(getattr(service, collection).values())

    return ask


def test_a_document_list_is_limited_to_one_template(numbers):
    """The default is Freestyle by the interface, unless the dialect has another rule."""
    found, documents = numbers("documents")
    assert found == [d["id"] for d in reversed(documents) if d["template_id"] == 1]
    found, documents = numbers("documents", template_id=9)
    assert found == [d["id"] for d in reversed(documents) if d["template_id"] == 9]
    assert found
    assert len(numbers("documents", "template_unlimited")[0]) == 100
    assert len(numbers("documents", "template_ignored", template_id=9)[0]) == 100


def test_search_uses_the_given_field(numbers):
    """It finds parts of names in any case, and parts of results on request."""
    found, images = numbers("images", search="hARBOR", sort="asc")
    assert found == [i["id"] for i in images if "harbor" in i["name"].lower()]
    assert found
    found, documents = numbers(
        "documents", "template_unlimited", search="copper", search_by="result", sort="asc"
    )
    assert found == [d["id"] for d in documents if "copper" in d["result"]][:100]
    assert found


def test_favorites_and_empty_parameters(numbers):
    """The filter accepts the words of the framework; an empty parameter is ignored."""
    found, images = numbers("images", favorite="1", sort="asc", style="", search="")
    assert found == [image["id"] for image in images if image["favorite"]]


def test_sizes(connect):
    """The interface's sizes are supported; Laravel rejects other sizes; ten is the default."""
    client, _ = connect(images=80)
    assert [len(client.get(f"/api/v1/images?per_page={n}").json()["data"]) for n in (10, 25, 50)] == [
        10,
        25,
        50,
    ]
    assert len(client.get("/api/v1/images").json()["data"]) == 10
    assert client.get("/api/v1/images?per_page=7").status_code == 422
    client, _ = connect("drf_page", images=80)
    assert len(client.get("/api/v1/images?per_page=7").json()["results"]) == 7
    assert len(client.get("/api/v1/images?page_size=8&per_page=7").json()["results"]) == 8
