"""The description of the service matches the interface."""

from __future__ import annotations

import re

import pytest

from inkframe.vocabulary import Vocabulary

WORDS = Vocabulary()


@pytest.fixture
def description(client):
    return client.get("/openapi.json").json()


def parameters(description, path):
    return {p["name"]: p for p in description["paths"][path]["get"]["parameters"]}


def form(description, path, method):
    body = description["paths"][path][method]["requestBody"]
    return body["content"]["application/x-www-form-urlencoded"]["schema"]


def test_the_lists_have_every_parameter_with_its_values_and_default(description):
    """Each row of the list tables is described."""
    images, documents = (parameters(description, f"/api/v1/{name}") for name in ("images", "documents"))
    assert set(images) == {
        *("search", "search_by", "resolution", "style", "medium", "filter"),
        *("favorite", "sort_by", "sort", "per_page", "page"),
    }
    assert set(documents) == {
        *("search", "search_by", "template_id", "favorite", "sort_by", "sort", "per_page", "page")
    }
    for field in ("resolution", "style", "medium", "filter"):
        assert images[field]["schema"] == {"type": "string", "enum": list(WORDS.codes(field))}
    assert images["search_by"]["schema"]["enum"] == ["name"]
    assert documents["search_by"]["schema"]["enum"] == ["name", "result"]
    assert documents["template_id"]["schema"] == {"type": "integer", "enum": list(range(1, 53)), "default": 1}
    for table in (images, documents):
        assert table["per_page"]["schema"] == {"type": "integer", "enum": [10, 25, 50, 100], "default": 10}
        assert table["sort_by"]["schema"] == {"type": "string", "enum": ["id", "name"], "default": "id"}
        assert table["sort"]["schema"] == {"type": "string", "enum": ["desc", "asc"], "default": "desc"}
        assert not any(parameter["required"] for parameter in table.values())


def test_the_forms_have_every_field(description):
    """Each row of the Store and Update tables is described."""
    image, document = (form(description, f"/api/v1/{name}", "post") for name in ("images", "documents"))
    assert image["required"] == ["name", "description", "resolution"]
    assert set(image["properties"]) == {*image["required"], "style", "medium", "filter"}
    assert document["required"] == ["name", "prompt"]
    assert document["properties"]["creativity"] == {
        "type": "number",
        "enum": [0, 0.25, 0.5, 0.75, 1],
        "default": 0.5,
    }
    for method in ("put", "patch"):
        assert set(form(description, "/api/v1/images/{id}", method)["properties"]) == {"name", "favorite"}
        update = form(description, "/api/v1/documents/{id}", method)
        assert set(update["properties"]) == {"name", "result", "favorite"}
        assert "required" not in update


def test_records_are_described_as_they_are(description, new_image, new_document):
    """The fields of a record match its schema."""
    schemas = description["components"]["schemas"]
    for kind, record in (("Image", new_image()), ("Document", new_document())):
        assert list(record) == schemas[kind]["required"] == list(schemas[kind]["properties"])


def test_every_reference_resolves(description, client):
    """No reference is broken, and each operation has a unique id."""
    text = client.get("/openapi.json").text
    for kind, name in re.findall(r'"#/components/(\w+)/(\w+)"', text):
        assert name in description["components"][kind]
    identities = re.findall(r'"operationId":"(\w+)"', text)
    methods = [name for path in description["paths"].values() for name in path if name != "parameters"]
    assert len(identities) == len(set(identities)) == len(methods)


def test_whole_description(description, recorded):
    """Every path, parameter, form, reply and schema of the description."""
    del description["info"]["version"]
    recorded("description", description)
