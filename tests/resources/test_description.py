"""The description of a service: what was learned and tried, what was not used, and the lines that pin it."""

import httpx
import pytest

import inkframe as ink

ROWS = [
    {"id": n, "title": {"raw": f"N{n}"}, "description": "d", "isFavourite": False, "owner": {"name": "o"}} for n in range(1, 11)
]  # fmt: skip
KEY = "a-secret-key-0123456789"


def client_of(answer):
    """Return a client of a service whose replies are the results of a function of the request."""
    transport = httpx.MockTransport(answer)
    return ink.Client("https://service.test", KEY, transport=transport, max_retries=0)


def listing(request):
    """Return the first of many pages, and refuse every page parameter."""
    if "page" in request.url.params:
        return httpx.Response(400, json={"message": "unknown parameter"})
    return httpx.Response(200, json={"images": ROWS, "kind": "list", "meta": {"total": 30, "took": 3}})


def test_what_was_tried_and_what_was_not_used():
    """It names the attempts with their outcomes, unused keys of lists and records, and fields never shown."""
    with client_of(listing) as client:
        client.images.all()
        described = client.describe()
    assert described.tried["images"]["page"] == "status 400"
    assert "the first page again" in described.tried["images"].values()
    assert described.unused["images"] == {
        "lists": ("kind", "meta.took"),
        "records": ("title.raw", "owner.name"),
    }
    assert {"name", "resolution"} <= {*described.missing["images"]}
    text = repr(described)
    for part in (
        "page: status 400",
        "kind, meta.took",
        "title.raw, owner.name",
        "name, resolution",
    ):
        assert part in text
        assert part in described._repr_html_()


def test_where_records_are():
    """The keys that lead to the records are joined by dots; a bare list is the reply itself."""
    for body, shown in ((ROWS, "the reply itself"), ({"data": {"images": ROWS}}, "data.images")):
        with client_of(lambda _, body=body: httpx.Response(200, json=body)) as client:
            client.images.list()
            assert f"  learned: records_at: {shown} · id_name: id" in repr(client.describe())


def test_the_lines_that_pin_what_was_learned():
    """The printed lines are Python that pins every learned fact, also of fields under other names."""
    with client_of(listing) as client:
        client.images.list()
        learned = client.images.dialect.facts()
        text = repr(client.describe())
        code = text[text.index("# To pin what was learned:") :]
        exec(code, {"client": client, "ink": ink})  # noqa: S102  # the lines that a user pastes
        pinned = client.images.dialect
        assert {name: getattr(pinned, name) for name in learned} == learned
        assert pinned.fields == {"favorite": "isFavourite"}
        assert pinned.pinned >= {*learned, "fields"}
        assert client.images.list()["favorite"].tolist() == [False] * 10
        assert "(pinned)" in repr(client.describe())
        assert code in repr(client.describe())


def test_lines_break_between_arguments_only():
    """A name with spaces stays whole in the lines to paste."""
    long = "the time at which it was created by somebody, in the end " * 2
    with client_of(listing) as client:
        client.images.dialect = dialect = ink.Dialect(
            created_name=long, picture_name=f"{long}?", id_name="id", paging="none"
        )
        code = client.describe().pins["images"]
        assert len(code.splitlines()) > 1
        exec(code, {"client": client, "ink": ink})  # noqa: S102  # as above
        assert client.images.dialect.facts() == dialect.facts()


def test_a_client_without_requests():
    """Before the first reply there is nothing to pin."""
    with client_of(listing) as client:
        assert client.describe().pins == {}
        assert "To pin" not in repr(client.describe())


@pytest.mark.parametrize("hostile", [f"{KEY}", "<script>alert(1)</script>", "a\nb\u202ec", "x" * 5000])
def test_keys_of_replies_are_shown_clean(hostile):
    """Keys that a service invents are shown without the key, as one line, escaped and short."""
    reply = {"images": [{"id": 1, "name": "N", hostile: 1}], hostile: 3}
    with client_of(lambda _: httpx.Response(200, json=reply)) as client:
        client.images.list()
        text, page = repr(client.describe()), client.describe()._repr_html_()
    assert KEY not in text + page
    assert "<script>" not in page
    assert "\u202e" not in text + page
    assert len(text) < 3000


@pytest.mark.integration
def test_it_fits_one_screen():
    """With many keys and attempts the text stays within 40 lines."""
    wide = {f"key_number_{n}": n for n in range(100)}
    rows = [{"id": n, "name": "N", "prompt": "p", "description": "d", **wide} for n in range(1, 11)]
    with client_of(lambda _: httpx.Response(200, json={"data": rows, **wide})) as client:
        client.images.all()
        client.documents.all(template="FAQ")
        lines = repr(client.describe()).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 110
