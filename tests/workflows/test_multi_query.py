"""Several lists as one, where the service refuses some of them or answers that there is none."""

from __future__ import annotations

import httpx
import pytest

import inkframe

KNOWN = 41
DOCUMENTS = [
    {"id": id, "name": f"n{id}", "prompt": "p", "template_id": id % KNOWN + 1} for id in range(1, 60)
]


def serving(refusal):
    """Give a client of a service with 41 templates, and how it answers a list of another one."""

    def answer(request):
        if request.method == "POST":
            return httpx.Response(201, json={"id": 99, "name": "new", "prompt": "p"})
        query = request.url.params
        number = int(query.get("template_id", 1))
        rows = [
            row
            for row in DOCUMENTS
            if row["template_id"] == number and query.get("search", "") in row["name"]
        ]
        if number > KNOWN or (not rows and refusal.status_code != 422):
            return httpx.Response(refusal.status_code, headers=refusal.headers, content=refusal.content)
        rows = rows if query.get("sort") == "asc" else rows[::-1]
        return httpx.Response(200, json={"data": rows, "total": len(rows), "last_page": 1})

    transport = httpx.MockTransport(answer)
    return inkframe.Client("https://service.test", "key", transport=transport, max_retries=0)


UNKNOWN = httpx.Response(
    422, json={"message": "The data was invalid.", "errors": {"template_id": ["The selected id is invalid."]}}
)
NOTHING = [
    pytest.param(httpx.Response(404, json={"message": "No documents found"}), id="404"),
    pytest.param(httpx.Response(204), id="204"),
    pytest.param(httpx.Response(200, content=b"null"), id="null"),
]


def test_templates_that_the_service_refuses_to_know_have_no_documents():
    """A whole listing and ensure go on, and the reason names the templates."""
    with serving(UNKNOWN) as client:
        frame = client.documents.all()
        assert len(frame) == len(DOCUMENTS)
        reason = frame.attrs["inkframe"]["reasons"][0]
        assert reason.startswith("the service does not know template 42, 43, ")
        assert client.documents.all(template=[1, 45])["template_id"].unique().tolist() == [1]
        assert client.documents.ensure(name="new", prompt="p").id == 99


def test_a_template_that_was_asked_for_and_is_refused_is_an_error():
    """Nobody is given an empty frame for a template that is not there."""
    with serving(UNKNOWN) as client:
        for call in (client.documents.list, client.documents.all):
            with pytest.raises(inkframe.ValidationFailed, match="template_id"):
                call(template=45)


@pytest.mark.parametrize("refusal", NOTHING)
def test_a_list_that_is_not_there_is_empty_where_the_collection_is(refusal):
    """Whatever a service answers to a list of nothing, listings and ensure go on."""
    with serving(refusal) as client:
        assert client.documents.list(search="none").empty
        frame = client.documents.all()
        assert len(frame) == len(DOCUMENTS)
        assert frame.attrs["inkframe"]["completeness"] == "exact"
        assert client.documents.ensure(name="new", prompt="p").id == 99


def test_a_collection_that_is_not_there_is_an_error():
    """At an address that answers 404 to everything no list is empty."""
    transport = httpx.MockTransport(lambda _: httpx.Response(404, json={"message": "no route"}))
    with inkframe.Client("https://service.test", "key", transport=transport) as client:
        for query in ({}, {"search": "a"}):
            with pytest.raises(inkframe.NotFound):
                client.documents.list(**query)
