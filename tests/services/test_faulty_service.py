from pathlib import Path

import pytest
from tests.services import Faults, FaultyService, SeenRequest, VirtualClock

from inkframe.vocabulary import Vocabulary

IMAGE = {"name": "Quay", "description": "two boats", "resolution": "512x512"}


def test_records_are_varied_and_the_same_for_the_same_seed():
    """Records depend on the seed, with every template, missing looks, favorites and repeated names."""
    service, again, other = FaultyService(seed=1), FaultyService(seed=1), FaultyService(seed=2)
    assert (service.images, service.documents) == (again.images, again.documents)
    assert service.images != other.images
    large = FaultyService(images=300, documents=600)
    assert {document["template_id"] for document in large.documents.values()} == set(range(1, 53))
    assert {document["creativity"] for document in large.documents.values()} == {0, 0.25, 0.5, 0.75, 1}
    assert {None, "anime"} <= {image["style"] for image in large.images.values()}
    assert 30 < sum(image["favorite"] for image in large.images.values()) < 130
    assert len({image["name"] for image in large.images.values()}) < 300
    assert list(large.images) == list(range(1, 301))


def test_every_request_is_recorded(connect):
    """Method, path, query, headers, form, time and number of each request are available for assertions."""
    client, service = connect(faults=Faults(script={2: "slow"}))
    client.get("/api/v1/images", params={"search": "a&b", "per_page": 10})
    client.post("/api/v1/images", data=IMAGE)
    client.delete("/api/v1/images/1?x=%C3%BC&x=2")
    first, second, third = service.requests
    assert (first.method, first.path, first.query) == (
        "GET",
        "/api/v1/images",
        {"search": "a&b", "per_page": "10"},
    )
    assert first.headers["authorization"] == "Bearer test-key"
    assert first.origin == service.base_url
    assert (second.form, second.content_type) == (IMAGE, "application/x-www-form-urlencoded")
    assert third.pairs == (("x", "ü"), ("x", "2"))
    assert [request.time for request in service.requests] == [0, 0, 3]
    assert [request.number for request in service.requests] == [1, 2, 3]
    assert isinstance(third, SeenRequest)


def test_a_rate_limit_refuses_what_exceeds_it_in_any_second(connect):
    """More requests than the limit within a second get a 429, and count as well."""
    client, service = connect(rate_limit=2)
    statuses = [client.get("/api/v1/images").status_code for _ in range(4)]
    assert statuses == [200, 200, 429, 429]
    service.clock.advance(1)
    assert [client.get("/api/v1/images").status_code for _ in range(3)] == [200, 200, 429]
    assert service.requests[-1].fault == "limited"


def test_only_creates_that_happened_are_counted(connect):
    """A rejected create is not billed; a create with a lost reply is."""
    client, service = connect(faults=Faults(script={3: "late_error"}))
    client.post("/api/v1/images", data={"name": "no resolution"})
    client.post("/api/v1/documents", data={"name": "Text", "prompt": "write"})
    client.post("/api/v1/images", data=IMAGE)
    assert service.created == [("documents", 13), ("images", 13)]
    assert service.generations == 2
    assert service.documents[13]["template_id"] == 1
    assert "write" in service.documents[13]["result"]


def test_another_user_makes_changes_between_replies(connect):
    """Records can be inserted, changed and deleted after every reply, which is not a generation."""
    client, service = connect(images=30)

    @service.between_replies
    def churn(changing):
        changing.insert("images", name="new", favorite=True)
        del changing.images[min(changing.images)]

    pages = [client.get(f"/api/v1/images?per_page=10&sort=asc&page={page}").json() for page in (1, 2, 3)]
    ids = [row["id"] for page in pages for row in page["data"]]
    assert ids == [*range(1, 11), *range(12, 22), *range(23, 33)]
    assert [page["meta"]["total"] for page in pages] == [30, 30, 30]
    assert service.images[33]["name"] == "new"
    assert service.generations == 0


def test_numbers_only_increase(connect):
    """A number is never reused, even if the newest record was deleted."""
    client, service = connect(images=3)
    assert service.insert("images")["id"] == 4
    del service.images[4]
    assert service.insert("images")["id"] == 5
    assert client.post("/api/v1/images", data=IMAGE).json()["data"]["id"] == 6


def test_pictures_are_public_until_they_expire(connect):
    """A picture needs no key; its address may expire, and its record then has a new one."""
    client, service = connect(picture_lifetime=60)
    place = client.get("/api/v1/images/1").json()["data"]["url"]
    picture = client.get(place, headers={"Authorization": ""})
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/png")
    assert picture.content.startswith(b"\x89PNG")
    service.clock.sleep(61)
    assert client.get(place).status_code == 403
    assert client.get(client.get("/api/v1/images/1").json()["data"]["url"]).status_code == 200
    assert client.get("/pictures/99.png?expires=100").status_code == 404
    assert client.get("https://mirror.test/pictures/1.png?expires=999").status_code == 200
    assert service.requests[-1].origin == "https://mirror.test"


def test_deployments_have_their_own_values(connect):
    """A look without values is not a field of records; other values are accepted and stored."""
    words = Vocabulary(
        styles=[], mediums=[], filters=[], resolutions=["1536x1024"], templates={41: "House style"}
    )
    client, service = connect(vocabulary=words)
    assert {image["resolution"] for image in service.images.values()} == {"1536x1024"}
    assert not {"style", "medium", "filter"} & set(service.images[1])
    assert {document["template_id"] for document in service.documents.values()} == {41}
    made = client.post("/api/v1/images", data=IMAGE | {"resolution": "1536x1024", "style": "anime"}).json()[
        "data"
    ]
    assert "style" not in made
    assert client.post("/api/v1/images", data=IMAGE).status_code == 422


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_invalid_waits_are_rejected(seconds):
    """A wait that is negative, infinite or not a number is an error, as for ``time.sleep``."""
    clock = VirtualClock()
    with pytest.raises(ValueError, match="seconds must be a finite number, 0 or greater, got"):
        clock.sleep(seconds)
    assert clock.slept == []


def test_the_service_has_its_own_account_of_the_interface():
    """No file of it imports the schema, so that a mistake of the client is not repeated here."""
    files = [*Path(__file__).parent.glob("[!t]*.py"), *Path(__file__).parent.glob("dialects/*.py")]
    assert len(files) > 20
    assert [path.name for path in files if "from inkframe.schema" in path.read_text(encoding="utf-8")] == []
