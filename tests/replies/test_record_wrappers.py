"""Wrappers around records, and links that replace their ids."""

from __future__ import annotations

import pytest

from inkframe.replies.dialect import Dialect
from inkframe.replies.record_reply import find_record
from inkframe.replies.record_wrappers import id_name, linked_id, made_id, unwrap_each
from inkframe.schema import DOCUMENTS, IMAGES

FIELDS = {"name": "N", "prompt": "p"}


@pytest.mark.parametrize(
    "record",
    [
        {"id": 3, **FIELDS},
        {"id": 3, "type": "documents", "attributes": FIELDS},
        {"id": 3, "createdTime": "2026-03-01T00:00:00Z", "fields": FIELDS},
        {"cursor": "x", "node": {"id": 3, **FIELDS}},
        {"document": {"id": 3, **FIELDS}},
        {"Document": {"id": 3, **FIELDS}},
        {"sys": {"id": 3, "createdAt": "2026-03-01T00:00:00Z", "version": 2}, "fields": FIELDS},
        {"_id": 3, "_source": FIELDS},
        {"url": "http://service.test/api/v1/documents/3/", **FIELDS},
        {"_links": {"self": {"href": "/api/v1/documents/3"}}, **FIELDS},
        {"links": [{"rel": "self", "href": "/documents/3?x=1"}], **FIELDS},
        {"@id": "/api/v1/documents/3", **FIELDS},
    ],
)
def test_records_of_a_list(record):
    """Fields and id move to the top level from every wrapper."""
    (found,) = unwrap_each([record], DOCUMENTS)
    assert (found.get("id", found.get("_id")), found["name"], found["prompt"]) == (3, "N", "p")


def test_the_end_of_a_resource_name_is_the_id():
    """A name that is the path of the record has its id, and the name is the one for display."""
    record = {"name": "projects/p/documents/3", "displayName": "N", "prompt": "p"}
    (found,) = unwrap_each([record], DOCUMENTS)
    assert found == {
        "id": 3,
        "service.name": "projects/p/documents/3",
        "displayName": "N",
        "name": "N",
        "prompt": "p",
    }
    for other in ({"id": 4}, {"uuid": "x"}):
        (found,) = unwrap_each([record | other], DOCUMENTS)
        assert found == record | other


def test_a_name_without_the_path_of_the_record_is_the_name():
    """Only a name that ends with the collection and one more part leads to a record."""
    for name in ("documents", "3", "images/3", "documents/3/parts", "my documents/3"):
        (found,) = unwrap_each([{"name": name, "prompt": "p"}], DOCUMENTS)
        assert found == {"name": name, "prompt": "p"}


def test_the_document_id_of_strapi_is_the_id():
    """A record of Strapi 5 is addressed by its documentId; another documentId may be that of a document."""
    strapi = {"id": 3, "documentId": "x7", "publishedAt": None, **FIELDS}
    assert id_name(strapi, IMAGES) == "documentId"
    assert id_name({"id": 3, "documentId": "x7", **FIELDS}, IMAGES) == "id"
    assert id_name({"id": 3, "publishedAt": None, **FIELDS}, IMAGES) == "id"


def test_a_single_record():
    """One record is found under its noun, in a node or in parts, without the description of the reply."""
    record = {"id": 3, **FIELDS}
    for reply in (
        {"document": record, "links": {"self": "/api/v1/documents/9"}},
        {"node": record},
        {"data": {"id": 3, "type": "documents", "attributes": FIELDS}, "meta": {"id": 8}},
        {"Data": {"Id": 3, "Name": "N", "Prompt": "p"}},
        {"result": record, "links": {"self": "/api/v1/documents/9"}, "meta": {"id": 8}},
    ):
        found = find_record(reply, DOCUMENTS, Dialect())
        assert 3 in found.values()
        assert {"links", "meta"}.isdisjoint(found)


@pytest.mark.parametrize(
    ("link", "expected"),
    [("/api/v1/images/3", 3), ("http://h.test/images/a%20b/", "a b"), ("/images/007", 7), ("images/3", 3), ("old-images/3", None), ("/images/3.png", None),
     ("/images/3/file", None), ("/documents/3", None), ("http://[/images/3", None), ("/images?id=eq.3", 3),
     ("/rest/images?id=3", 3), ("/images?page=3", None), ("/images?id=3&style=ink", None), ("/images", None), ("/documents?id=eq.3", None), (None, None), (3, None)],
)  # fmt: skip
def test_ids_in_links(link, expected):
    """The last part of a link under the collection, or its only parameter, is the id; a picture has none."""
    assert linked_id(link, IMAGES) == expected


def test_ids_in_replies_of_database_drivers():
    """The keys of MongoDB, MySQL and SQLite contain an id; a count or a null does not."""
    assert made_id({"acknowledged": True, "insertedId": 4}) == 4
    assert made_id({"data": {"insertedId": {"$oid": "65a"}}}) == "65a"
    assert made_id({"affectedRows": 1, "insertId": 4}) == 4
    assert made_id({"lastInsertRowid": 4, "changes": 1}) == 4
    assert made_id({"upsertedId": None, "modifiedCount": 1}) is None
    assert made_id([4]) is None
