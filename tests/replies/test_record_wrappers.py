"""Wrappers around records, and links that replace their ids."""

from __future__ import annotations

from tests.cases import cases

from inkframe.replies.dialect import Dialect
from inkframe.replies.fields import has_content, id_name, linked_id, made_id, unwrap, unwrap_each
from inkframe.replies.record import find_record
from inkframe.schema import DOCUMENTS, IMAGES

FIELDS = {"name": "N", "prompt": "p"}


@cases(
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


@cases(
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


def test_every_wrapper_of_a_row():
    """Each of these keys wraps the rows of a list; the wrapper's id stays and its type goes."""
    for key in ("attributes", "fields", "source", "properties", "node", "doc", "document", "item", "record", "resource",
                "data", "entity", "Fields", "_source"):  # fmt: skip
        row = {"id": 3, "type": "documents", "v": 1, key: FIELDS}
        assert unwrap_each([row], DOCUMENTS) == [{"id": 3, "v": 1, **FIELDS}], key
        assert unwrap_each([{"id": 3, key: {"fields": {"node": FIELDS}}}], DOCUMENTS) == [{"id": 3, **FIELDS}]
        deeper = {"id": 3, key: {"fields": {"node": {"node": FIELDS}}}}
        assert unwrap_each([deeper], DOCUMENTS) == [deeper]
        if key not in {"attributes", "fields", "source", "properties", "Fields", "_source"}:
            assert unwrap(row, DOCUMENTS) == row
    assert unwrap_each([{"id": 3, "other": FIELDS}], DOCUMENTS) == [{"id": 3, "other": FIELDS}]
    assert unwrap_each([{"id": 3, "image": FIELDS}], IMAGES) == [{"id": 3, **FIELDS}]
    whole = [{"id": 3, "name": "N", "node": {"name": "M"}}, {"node": {"name": "M"}}]
    assert unwrap_each(whole, DOCUMENTS) is whole
    assert unwrap_each([], DOCUMENTS) == []


def test_ids_and_times_beside_the_fields():
    """The id and the times come from an object beside the fields, whose rest stays there."""
    for key in ("sys", "meta", "metadata", "_meta"):
        row = {key: {"id": 3, "created_at": "2026", "v": 1}, **FIELDS}
        assert unwrap(row, DOCUMENTS) == {"id": 3, "created_at": "2026", **FIELDS, key: {"v": 1}}, key
        assert unwrap({"id": 4, **row}, DOCUMENTS) == {"id": 4, **row}
        assert unwrap({key: {"name": "M", "id": 3}, "prompt": "p"}, DOCUMENTS)["name"] == "M"
        assert unwrap({key: [3], **FIELDS}, DOCUMENTS) == {key: [3], **FIELDS}
        assert unwrap({key: {"id": 3}}, DOCUMENTS) == {key: {"id": 3}}
    assert unwrap({"other": {"id": 3}, **FIELDS}, DOCUMENTS) == {"other": {"id": 3}, **FIELDS}


def test_every_link_of_a_record_to_itself():
    """The link may have any of these names, in the record or among its links, in this order."""
    names = [
        "self",
        "@id",
        "@odata.id",
        "self_link",
        "self_url",
        "resource_uri",
        "resource_url",
        "url",
        "href",
        "uri",
        "link",
    ]
    for place, name in enumerate(names):
        links = {other: f"/documents/{number}" for number, other in enumerate(names) if number >= place}
        assert unwrap(FIELDS | links, DOCUMENTS)["id"] == place, name
        for holder in ("_links", "links"):
            assert unwrap({holder: {name: {"href": "/documents/7"}}, **FIELDS}, DOCUMENTS)["id"] == 7
            assert unwrap({holder: [{"rel": name, "href": "/documents/7"}], **FIELDS}, DOCUMENTS)["id"] == 7
    assert unwrap({"selfLink": "/documents/8", **FIELDS}, DOCUMENTS)["id"] == 8
    assert next(iter(unwrap({**FIELDS, "url": "/documents/8"}, DOCUMENTS))) == "id"
    for none in (
        {"other": "/documents/8"},
        {"url": "/documents/8.png"},
        {"url": {"src": "/documents/8"}},
        {"links": [3]},
    ):
        assert "id" not in unwrap({**FIELDS, **none}, DOCUMENTS)
    assert unwrap({"url": "/documents/8"}, DOCUMENTS) == {"url": "/documents/8"}
    assert (
        unwrap({**FIELDS, "_links": {"self": "/documents/1"}, "links": {"self": "/documents/2"}}, DOCUMENTS)[
            "id"
        ]
        == 1
    )


def test_every_key_of_a_created_id():
    """Each of these keys has the id of a new record, also in an object within; the first one counts."""
    names = [
        "inserted_id",
        "insert_id",
        "last_insert_id",
        "last_insert_rowid",
        "last_id",
        "created_id",
        "new_id",
    ]
    for place, name in enumerate(names):
        found = {other: number for number, other in enumerate(names) if number >= place}
        assert made_id(dict(reversed(found.items()))) == place
        assert made_id({"a": 1, "b": {"c": {name.upper(): "x"}}}) == "x"
    assert made_id({"a": {"insertId": 1}, "newId": 2}) == 2
    assert made_id({"id": 2}) is made_id({"a": [{"insertId": 1}]}) is None


def test_the_name_of_an_id():
    """An integer under ``id`` is the id; other names need a value that can be one."""
    assert id_name({"id": 3}, DOCUMENTS) == "id"
    assert id_name({"id": 3.0, "uuid": "x"}, DOCUMENTS) == "id"
    assert id_name({"id": None, "uuid": "x"}, DOCUMENTS) == "uuid"
    assert id_name({"id": True, "key": ""}, DOCUMENTS) is None
    assert id_name({}, DOCUMENTS) is None
    assert id_name({"id": 3, "documentId": "x", "publishedAt": None}, DOCUMENTS) == "documentId"


def test_numbers_and_texts_in_links():
    """A part of up to 18 digits is an int; every extension of a picture is refused."""
    digits = "1" * 18
    assert linked_id(f"/images/{digits}", IMAGES) == int(digits)
    assert linked_id(f"/images/{digits}1", IMAGES) == f"{digits}1"
    assert linked_id("/images/٣", IMAGES) == "٣"
    assert linked_id("/x/images/images/3/", IMAGES) == 3
    for ending in ("png", "jpg", "jpeg", "webp", "gif", "svg", "avif", "PNG"):
        assert linked_id(f"/images/3.{ending}", IMAGES) is None
    assert linked_id("/images/3.txt", IMAGES) == "3.txt"
    assert linked_id("/images?id=a%20b", IMAGES) == "a b"


def test_content_of_a_record():
    """Only a text or a number under a name of the collection is content."""
    assert has_content({"name": "N"}, DOCUMENTS)
    assert has_content({"creativity": 0.5}, DOCUMENTS)
    for other in (
        {},
        {"name": None},
        {"name": {"raw": "N"}},
        {"name": ["N"]},
        {"favorite": True},
        {"style": "ink"},
    ):
        assert not has_content(other, DOCUMENTS)
