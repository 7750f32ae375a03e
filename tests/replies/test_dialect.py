"""The response format of a collection: what can be pinned, and what records have shown."""

from __future__ import annotations

import httpx
import pytest

import inkframe as ink

TITLED = {"id": 7, "title": {"raw": "Tea", "rendered": "<b>Tea</b>"}, "prompt": "p", "result": "r"}


def client_of(body):
    """Return a client of a service that answers each request with the same body."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=body))
    return ink.Client("http://service.test", "key", transport=transport, max_retries=0)


def test_a_pinned_field_is_read_from_its_path():
    """A pinned field is read in lists and single records, and what remains of its object is kept."""
    for body in ({"data": [TITLED]}, {"data": TITLED}):
        with client_of(body) as client:
            client.documents.dialect = ink.Dialect(fields={"name": "title.raw"})
            if isinstance(body["data"], list):
                frame = client.documents.list()
                assert frame["name"].tolist() == ["Tea"]
                assert frame["title.rendered"].tolist() == ["<b>Tea</b>"]
                assert "title.raw" not in frame
                assert "name" not in frame.attrs["inkframe"]["absent"]
            else:
                assert client.documents.get(7).name == "Tea"
                assert client.documents.get(7).extra == {"title.rendered": "<b>Tea</b>"}


@pytest.mark.parametrize("path", ["heading.text", "attributes.heading.text"])
def test_a_pinned_path_starts_at_the_record_or_at_its_fields(path):
    """In a record with a part for its fields, a path may start at the record or at that part."""
    raw = {"id": 7, "attributes": {"heading": {"text": "Tea"}, "prompt": "p"}}
    with client_of([raw]) as client:
        client.documents.dialect = ink.Dialect(fields={"name": path})
        assert client.documents.list()["name"].tolist() == ["Tea"]


def test_pinned_fields_may_be_all_that_a_record_shows():
    """A record without any usual name is read by its pinned fields, its id included."""
    raw = {"meta": {"ref": "a-1"}, "head": "Tea", "when": {"made": "2026-03-01T11:00:00Z"}, "star": 1}
    fields = {"id": "meta.ref", "name": "head", "created_at": "when.made", "favorite": "star"}
    for body in ([raw], raw):
        with client_of(body) as client:
            client.documents.dialect = ink.Dialect(fields=fields)
            record = (
                client.documents.get("a-1") if body is raw else client.documents.list().reset_index().iloc[0]
            )
            assert (record.id, record["name"] if body is not raw else record.name) == ("a-1", "Tea")
            assert (record.created_at.isoformat(), bool(record.favorite)) == (
                "2026-03-01T11:00:00+00:00",
                True,
            )


def test_a_value_in_the_place_of_a_pinned_field_is_kept():
    """A value under the usual name of a field that is pinned elsewhere is an additional column."""
    with client_of([{"id": 1, "uid": "u-1", "name": "slug-1", "title": "Tea", "prompt": "p"}]) as client:
        client.documents.dialect = ink.Dialect(fields={"name": "title"}, id_name="uid")
        frame = client.documents.list()
    assert frame["name"].tolist() == ["Tea"]
    assert frame["service.name"].tolist() == ["slug-1"]
    assert frame["service.id"].tolist() == [1]
    assert frame.index.tolist() == ["u-1"]


def test_pinned_fields_may_exchange_their_keys():
    """A key may be pinned for one field while another field has its name."""
    raw = {"name": "documents/7", "displayName": "Tea", "prompt": "p", "id": 3}
    fields = {"id": "name", "name": "displayName"}
    for body in ({"documents": [raw]}, raw):
        with client_of(body) as client:
            client.documents.dialect = ink.Dialect(fields=fields)
            if body is raw:
                record = client.documents.get(7)
                assert (record.id, record.name, record.extra) == (7, "Tea", {"service.id": 3})
            else:
                frame = client.documents.list()
                assert (frame.index.tolist(), frame["name"].tolist()) == ([7], ["Tea"])
                assert frame["service.id"].tolist() == [3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fields": {"nane": "title"}}, r"got 'nane'\.\nDid you mean 'name'\?"),
        ({"fields": {"name": ""}}, "fields must be a mapping"),
        ({"fields": {"name": "title..raw"}}, "fields must be a mapping"),
        ({"fields": ["name"]}, "fields must be a mapping"),
        ({"fields": {"id": "a"}, "id_name": "b"}, r"fields\['id'\] and id_name must be equal"),
        ({"paging": "pages"}, "paging must be one of number, offset, cursor, after, none, got 'pages'"),
        ({"records_at": "data"}, "records_at must be a tuple of keys"),
        ({"first_page": 2}, "first_page must be 0 or 1, got 2"),
        ({"id_name": 5}, "id_name must be a text that is not empty, got 5"),
        ({"update_method": "POST"}, "update_method must be 'PATCH' or 'PUT', got 'POST'"),
        ({"default_template": "no"}, "default_template must be True or False, got 'no'"),
    ],
)
def test_invalid_pins_are_refused(given, message):
    """A pin that cannot be meant is refused with what it must be."""
    with pytest.raises(ink.InvalidArgument, match=message):
        ink.Dialect(**given)


def test_pinned_fields_belong_to_the_collection():
    """A field of documents cannot be pinned for images."""
    with client_of([]) as client, pytest.raises(ink.InvalidArgument, match="fields of images, got 'prompt'"):
        client.images.dialect = ink.Dialect(fields={"prompt": "text"})


def test_shown_fields():
    """Whether the service shows a field is unknown before the first record, and then holds for all of them."""
    with client_of({"data": [TITLED]}) as client:
        assert client.documents.dialect.shows("name") is None
        client.documents.list()
        assert client.documents.dialect.shows("name") is False
        assert client.documents.dialect.shows("result") is True
        client.documents.dialect = ink.Dialect(fields={"name": "title.raw"})
        client.documents.list()
        assert client.documents.dialect.shows("name") is True
