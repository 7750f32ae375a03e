"""Where the id and the fields of a record stand, and the record as it is read from there."""

import pytest
from tests.cases import cases

from inkframe.replies.dialect import Dialect
from inkframe.replies.layout import find_layout, id_keys, id_name, layout_of
from inkframe.replies.reader import find_record
from inkframe.replies.values import linked_id
from inkframe.schema import DOCUMENTS, IMAGES

FIELDS = {"name": "N", "prompt": "p"}
TIME = "2026-03-01T00:00:00Z"


def flat(*rows, spec=DOCUMENTS, **pins):
    """Return the first row of a list with its id and its fields at the top level."""
    return find_layout(rows[0], spec, pins, rows).flat(rows[0])


@cases(
    "record",
    [
        {"id": 3, **FIELDS},
        {"id": 3, "type": "documents", "attributes": FIELDS},
        {"id": 3, "createdTime": TIME, "fields": FIELDS},
        {"cursor": "x", "node": {"id": 3, **FIELDS}},
        {"zzz": {"id": 3, **FIELDS}},
        {"zzz": {"yyy": {"id": 3, **FIELDS}}, "score": 1},
        {"Document": {"id": 3, **FIELDS}},
        {"result": {"id": 3, **FIELDS}},
        {"id": 3, "result": FIELDS},
        {"sys": {"id": 3, "createdAt": TIME, "version": 2}, "fields": FIELDS},
        {"meta": {"id": 3, "created_at": TIME, "v": 1}, **FIELDS},
        {"_id": 3, "_source": FIELDS},
        {"id": 3, "attributes": {"id": None, **FIELDS}},
        {"url": "http://service.test/api/v1/documents/3/", **FIELDS},
        {"_links": {"self": {"href": "/api/v1/documents/3"}}, **FIELDS},
        {"links": [{"rel": "self", "href": "/documents/3?x=1"}], **FIELDS},
        {"@id": "/api/v1/documents/3", **FIELDS},
        {"links": {"self_link": "/documents/3", "url": "/documents/4"}, "url": "/documents/5", **FIELDS},
    ],
)
def test_records_of_a_list(record):
    """Fields and id are read from wherever they stand, in an object of any name or around it."""
    found = flat(record)
    id = found[id_name(found, DOCUMENTS)]
    assert (id if id == 3 else linked_id(id, DOCUMENTS), found["name"], found["prompt"]) == (3, "N", "p")


def test_what_is_beside_the_fields_is_kept():
    """Other keys keep their names; another value under a name that is taken has a prefix, and the type is left out."""
    row = {"id": 3, "type": "documents", "v": 1, "attributes": {**FIELDS, "x": 2}, "meta": {"v": 1}}
    assert flat(row) == {**FIELDS, "x": 2, "id": 3, "v": 1, "meta": {"v": 1}}
    assert flat({"id": 3, "attributes": {"id": 4, **FIELDS}}) == {"id": 4, **FIELDS, "service.id": 3}
    row = {"sys": {"id": 3, "createdAt": TIME, "version": 2}, "fields": FIELDS}
    assert flat(row) == {**FIELDS, "sys": {"version": 2}, "id": 3, "created_at": TIME}
    same = {"id": 3, **FIELDS}
    assert flat(same) is same


@cases(
    "other",
    [
        {"id": 3, "user": {"id": 4, "name": "M", "created_at": TIME}},
        {"id": 3, "other": {"name": "M"}},
        {"id": 3, "x": 1, "other": {"id": 4, "name": "M"}},
        {"id": 3, "name": "N", "latest": {"id": 4, **FIELDS}},
        {"id": 3, "template": FIELDS, "prompt": "p"},
        {"id": 3, "result": {"name": "M", "text": "t"}, "prompt": "p"},
        {"id": 3, "counts": {"name": 4, "prompt": 5}},
    ],
)
def test_other_things_lend_no_fields(other):
    """A person, a single word, another record and a value are no part of the record."""
    layout = find_layout(other, DOCUMENTS, {}, [other])
    assert layout is None or layout.flat(other) == other


def test_the_end_of_a_resource_name_is_the_id():
    """A name that is the path of the record has its id, and the name is the one for display."""
    record = {"name": "projects/p/documents/3", "displayName": "N", "prompt": "p"}
    assert flat(record) == {"id": record["name"], "service.name": record["name"], "name": "N", "prompt": "p"}
    for other in ({"id": 4}, {"uuid": "x"}):
        assert flat(record | other) == record | other
    for name in ("documents", "3", "images/3", "documents/3/parts", "my documents/3"):
        assert flat({"name": name, "prompt": "p"}) == {"name": name, "prompt": "p"}


def test_the_only_id_that_differs_in_each_record():
    """Where nothing else is an id, it is the value whose name ends with id; one that repeats is that of another thing."""
    rows = [{"ref_id": number, "batchId": 7, "user_id": number, **FIELDS} for number in (3, 4)]
    assert find_layout(rows[0], DOCUMENTS, {}, rows).reasons["id"] == (
        "ref_id",
        "the only id that differs in each record",
    )
    assert "id" not in find_layout(rows[0], DOCUMENTS, {}, rows[:1]).reasons
    twice = [{**row, "other_id": row["ref_id"]} for row in rows]
    assert "id" not in find_layout(twice[0], DOCUMENTS, {}, twice).reasons
    assert find_layout(rows[0], DOCUMENTS, {}, known="ref_id").reasons["id"] == ("ref_id", "by its name")


def test_each_field_has_its_place_and_a_reason():
    """The layout says where each field stands in the record, and why it is read from there."""
    body = {"data": {"sys": {"id": 3, "createdAt": TIME}, "fields": FIELDS}}
    layout = find_layout(body, DOCUMENTS, {"result": "sys.text"})
    assert layout.at == ("data",)
    assert layout.reasons == {
        "id": ("sys.id", "beside the fields, with the id"),
        "created_at": ("sys.createdAt", "beside the fields, with the id"),
        "name": ("fields.name", "beside most fields"),
        "prompt": ("fields.prompt", "beside most fields"),
    }
    pinned = find_layout({"id": 3, "title": {"raw": "N"}, "prompt": "p"}, DOCUMENTS, {"name": "title.raw"})
    assert pinned.reasons["name"] == ("title.raw", "pinned")


def test_one_layout_for_one_shape():
    """A layout is found once for each shape, and rows without fields are passed over."""
    dialect = Dialect()
    rows = [{"id": 1, "attributes": None}, {"id": 3, "attributes": FIELDS}]
    found = layout_of(None, DOCUMENTS, dialect, rows)
    assert found.flat(rows[1]) == {"id": 3, **FIELDS}
    again = [{"id": 8, "attributes": {"name": "M", "prompt": "q"}}]
    assert layout_of(None, DOCUMENTS, dialect, again) is found
    for number in range(500):
        layout_of({"id": 3, f"k{number}": 1, **FIELDS}, DOCUMENTS, dialect)
    assert len(dialect.layouts) <= 200


def test_the_document_id_of_strapi_is_the_id():
    """A record of Strapi 5 is addressed by its documentId; another documentId may be that of a document."""
    strapi = {"id": 3, "documentId": "x7", "publishedAt": None, **FIELDS}
    assert id_name(strapi, IMAGES) == "documentId"
    assert id_name({"id": 3, "documentId": "x7", **FIELDS}, IMAGES) == "id"
    assert id_name({"id": 3, "publishedAt": None, **FIELDS}, IMAGES) == "id"


def test_a_single_record():
    """One record is found in an object of any name, without the description of the reply."""
    record = {"id": 3, **FIELDS}
    for reply in (
        {"document": record, "links": {"self": "/api/v1/documents/9"}},
        {"node": record},
        {"data": {"id": 3, "type": "documents", "attributes": FIELDS}, "meta": {"id": 8}},
        {"Data": {"Id": 3, "Name": "N", "Prompt": "p"}},
        {"result": record, "links": {"self": "/api/v1/documents/9"}, "meta": {"id": 8}},
        {"id": "req-1", "created_at": TIME, "any": {"other": record}},
    ):
        found = find_record(reply, DOCUMENTS, Dialect())
        assert 3 in found.values()
        assert {"links", "meta", "created_at"}.isdisjoint(found)


@cases(
    ("link", "expected"),
    [("/api/v1/images/3", 3), ("http://h.test/images/a%20b/", "a b"), ("/images/007", 7), ("images/3", 3), ("old-images/3", None), ("/images/3.png", None), ("/images/3.json", 3), ("/images/ab.xml/", "ab"),
     ("/images/3/file", None), ("/documents/3", None), ("http://[/images/3", None), ("/images?id=eq.3", 3),
     ("/rest/images?id=3", 3), ("/images?page=3", None), ("/images?id=3&style=ink", None), ("/images", None), ("/documents?id=eq.3", None), (None, None), (3, None)],
)  # fmt: skip
def test_ids_in_links(link, expected):
    """The last part of a link under the collection, without its format, or its only parameter, is the id; a picture has none."""
    assert linked_id(link, IMAGES) == expected


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


@pytest.mark.parametrize(
    ("pinned", "record", "expected"),
    [
        ({"name": "title"}, {"id": 1, "title": "a"}, {"id": 1, "name": "a"}),
        ({"name": "title"}, {"id": 1, "other": "a"}, {"id": 1, "other": "a"}),
        ({"name": "title"}, {"id": 1, "name": "b", "title": "a"}, {"id": 1, "service.name": "b", "name": "a"}),
        ({"name": "title.raw"}, {"id": 1, "title": {"raw": "a", "html": "<a>"}}, {"id": 1, "title": {"html": "<a>"}, "name": "a"}),
        ({"name": "title.raw"}, {"title": {"raw": "a"}, "x": 1}, {"x": 1, "name": "a"}),
        ({"name": "title.raw"}, {"title.raw": "a", "title": {"raw": "b"}}, {"title": {"raw": "b"}, "name": "a"}),
        ({"name": "title.raw"}, {"id": 1, "title": "a"}, {"id": 1, "title": "a"}),
        ({"name": "title.raw"}, {"title": {"raw": None}}, {"name": None}),
        ({"name": "a.b.c"}, {"a": {"b": {"c": 1}, "d": 2}}, {"a": {"d": 2}, "name": 1}),
        ({"name": "prompt", "prompt": "name"}, {"name": "p", "prompt": "n"}, {"name": "n", "prompt": "p"}),
        ({"id": "key"}, {"id": 1, "key": 2}, {"service.id": 1, "id": 2}),
        ({"id": "uuid"}, {"uuid": "u", "attributes": FIELDS}, {"id": "u", **FIELDS}),
        ({"name": "title"}, {"id": 1, "attributes": {"title": "a", "prompt": "p", "result": "r"}},
         {"id": 1, "name": "a", "prompt": "p", "result": "r"}),
        ({"name": "attributes.title"}, {"id": 1, "attributes": {"title": "a", "prompt": "p", "result": "r"}},
         {"id": 1, "name": "a", "prompt": "p", "result": "r"}),
        ({"name": "top"}, {"id": 1, "top": "a", "attributes": FIELDS}, {"id": 1, "service.name": "N", "prompt": "p", "name": "a"}),
    ],
)  # fmt: skip
def test_records_with_pinned_fields(pinned, record, expected):
    """A field is read from its pinned place; another value under its name is kept, and so is what is beside it."""
    before = repr(record)
    assert flat(record, **pinned) == expected
    assert repr(record) == before


def test_a_key_of_an_id_ends_with_it():
    """A key without a usual name may be that of an id by its last letters, unless it is that of another thing."""
    assert id_keys(["docId", "serial", "user_id", "paid", "name"]) == ["docId", "paid"]
