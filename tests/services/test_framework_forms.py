import pytest

#: One dialect for each set of rules for forms.
LARAVEL, DJANGO, PYDANTIC, RAILS, SPRING, NODE = (
    "laravel_resource",
    "drf_page",
    "fastapi_page",
    "rails_headers",
    "spring",
    "json_server_0",
)
EVERY = (LARAVEL, DJANGO, PYDANTIC, RAILS, SPRING, NODE)
AWKWARD = "Größe 100 % + 5 = “ja” & 東京 🌊\nsecond line; a=b"


@pytest.mark.parametrize("dialect", EVERY)
def test_texts_arrive_unchanged(connect, dialect):
    """Special characters of forms, line breaks and characters of any plane arrive unchanged."""
    client, service = connect(dialect)
    assert client.post("/api/v1/documents", data={"name": AWKWARD, "prompt": AWKWARD}).is_success
    assert service.documents[13]["name"] == service.documents[13]["prompt"] == AWKWARD
    assert service.requests[-1].form == {"name": AWKWARD, "prompt": AWKWARD}


@pytest.mark.parametrize(
    ("dialect", "word", "expected"),
    [
        *((dialect, "1", True) for dialect in EVERY),
        *((dialect, "0", False) for dialect in EVERY),
        (LARAVEL, "true", None),
        (LARAVEL, "on", None),
        (DJANGO, "True", True),
        (DJANGO, "maybe", None),
        (PYDANTIC, "off", False),
        (RAILS, "f", False),
        (RAILS, "", False),
        (LARAVEL, "", None),
        (SPRING, "yes", True),
        (NODE, "yes", None),
    ],
)
def test_words_for_booleans(connect, dialect, word, expected):
    """Each framework accepts its own words for booleans, and all accept 1 and 0."""
    client, service = connect(dialect, errors="laravel")
    service.images[1]["favorite"] = not expected
    reply = client.patch("/api/v1/images/1", data={"favorite": word})
    assert reply.status_code == (422 if expected is None else 200)
    if expected is not None:
        assert service.images[1]["favorite"] is expected
    else:
        assert list(reply.json()["errors"]) == ["favorite"]


@pytest.mark.parametrize(
    ("dialect", "stored"), [(LARAVEL, "x"), (DJANGO, "x"), (PYDANTIC, "  x "), (NODE, "  x ")]
)
def test_space_around_values(connect, dialect, stored):
    """Laravel and Django strip it, others keep it."""
    client, service = connect(dialect)
    client.patch("/api/v1/images/1", data={"name": "  x "})
    assert service.images[1]["name"] == stored


@pytest.mark.parametrize(
    ("dialect", "status", "stored"),
    [(LARAVEL, 200, None), (DJANGO, 422, "before"), (PYDANTIC, 200, None), (RAILS, 200, "")],
)
def test_empty_values(connect, dialect, status, stored):
    """An empty result is null, rejected or empty; an empty name is rejected by all."""
    client, service = connect(dialect, errors="laravel")
    service.documents[1]["result"] = "before"
    assert client.patch("/api/v1/documents/1", data={"result": ""}).status_code == status
    assert service.documents[1]["result"] == stored
    assert client.patch("/api/v1/documents/1", data={"name": ""}).status_code == 422


def test_other_types_of_body(connect):
    """Laravel ignores JSON, and Django rejects it."""
    record = {"name": "x", "prompt": "y"}
    client, service = connect(LARAVEL)
    assert set(client.post("/api/v1/documents", json=record).json()["errors"]) == {"name", "prompt"}
    client, service = connect(DJANGO)
    assert client.post("/api/v1/documents", json=record).status_code == 415
    assert service.generations == 0


def test_creativity_is_one_of_its_steps(connect):
    """A step is stored as a number, with 0.5 as the default; anything else is rejected."""
    client, service = connect()
    text = {"name": "x", "prompt": "y"}
    for given, stored in (({"creativity": "0.25"}, 0.25), ({"creativity": "1"}, 1.0), ({}, 0.5)):
        number = client.post("/api/v1/documents", data=text | given).json()["data"]["id"]
        assert service.documents[number]["creativity"] == stored
    for given in ("0.3", "high"):
        assert client.post("/api/v1/documents", data=text | {"creativity": given}).status_code == 422
