import re

BAD = {"name": "", "description": "two boats", "resolution": "12x12"}


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
