import re

import pytest
from tests.services import ERROR_FORMS

BAD = {"name": "", "description": "two boats", "resolution": "12x12"}

#: The status and the messages of a field, written by hand: a function of the body and the field.
SHAPES = {
    "laravel": (422, lambda body, field: body["errors"][field]),
    "laravel_debug": (422, lambda body, field: body["errors"][field]),
    "login": (422, lambda body, field: body["errors"][field]),
    "drf": (400, lambda body, field: body[field]),
    "fastapi": (422, lambda body, field: [e["msg"] for e in body["detail"] if e["loc"] == ["body", field]]),
    "problem": (
        422,
        lambda body, field: [e["detail"] for e in body["errors"] if e["pointer"] == f"#/{field}"],
    ),
    "problem_map": (400, lambda body, field: body["errors"][field.capitalize()]),
    "jsonapi": (
        422,
        lambda body, field: [
            e["detail"] for e in body["errors"] if e["source"]["pointer"] == f"/data/attributes/{field}"
        ],
    ),
    "odata": (
        400,
        lambda body, field: [e["message"] for e in body["error"]["details"] if e["target"] == field],
    ),
    "google": (
        400,
        lambda body, field: [
            e["description"] for e in body["error"]["details"][0]["fieldViolations"] if e["field"] == field
        ],
    ),
    "stripe": (400, lambda body, _field: [body["error"]["message"]]),
    "success_false": (200, lambda body, field: body["errors"][field]),
    "error_fields": (406, lambda body, field: body["body"]["error_fields"][field]),
    "json_server": (400, lambda body, _field: [body["error"]]),
    "json_server_0": (400, lambda body, _field: [body["error"]]),
    "error_number": (200, lambda body, _field: [body["message"]]),
}
#: Forms that name at most one field.
FIRST_ONLY = {"stripe", "json_server", "json_server_0", "error_number"}


def test_every_error_form_is_tested():
    """The table here has the same forms as the package, except those with HTML pages."""
    assert set(SHAPES) == set(ERROR_FORMS) - {"page"}


@pytest.mark.parametrize("name", SHAPES)
def test_invalid_values(connect, name):
    """Each form has its messages in the place of its framework, and nothing is created."""
    client, service = connect(errors=name)
    reply = client.post("/api/v1/images", data=BAD)
    status, messages_of = SHAPES[name]
    assert reply.status_code == status
    assert messages_of(reply.json(), "name")[0].startswith("The name field is required.")
    if name not in FIRST_ONLY:
        assert messages_of(reply.json(), "resolution") == ["The selected resolution is invalid."]
    assert service.generations == 0


@pytest.mark.parametrize("name", SHAPES)
def test_a_wrong_key_and_a_missing_record(connect, name):
    """A wrong key is 401 or a redirect to a login page, a missing record 404; some forms always use 200."""
    client, _ = connect(errors=name)
    always = ERROR_FORMS[name].always
    missing = client.get("/api/v1/images/999")
    assert missing.status_code == (always or 404)
    assert bool(missing.json()) is (name != "json_server_0")
    strange = client.get("/api/v1/images", headers={"Authorization": "Bearer other"})
    assert strange.status_code == (302 if name == "login" else always or 401)
    if name == "login":
        assert client.get(strange.headers["Location"]).headers["Content-Type"].startswith("text/html")


def test_laravel_replies_as_to_a_browser_without_an_accept_header(connect):
    """Without JSON as the first accepted type, errors are redirects and pages."""
    client, _ = connect("laravel")
    accept = {"Accept": "*/*"}
    assert client.post("/api/v1/images", data=BAD, headers=accept).headers["Location"] == "/"
    assert (
        client.get("/api/v1/images", headers={**accept, "Authorization": ""}).headers["Location"] == "/login"
    )
    page = client.get("/api/v1/images/999", headers=accept)
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_an_html_page(connect):
    """One form uses HTML for every error."""
    client, _ = connect(errors="page")
    reply = client.get("/api/v1/images/999")
    assert reply.status_code == 404
    assert re.search("<title>404 Not Found</title>", reply.text)


def test_unknown_methods_and_paths(connect):
    """An unknown method is 405, an unknown path 404."""
    client, _ = connect()
    assert client.delete("/api/v1/images").status_code == client.post("/api/v1/images/1").status_code == 405
    assert client.get("/api/v1/videos").status_code == 404
    assert client.get("/api/v1/images/1/2").status_code == 404
    assert client.get("/api/v1/images/%31").status_code == 200
    assert client.get("/api/v1/images/1%2F2").status_code == 404
