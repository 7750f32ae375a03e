"""The keys of records and the columns that they are."""

from __future__ import annotations

from inkframe.replies.fields import field_mapping
from inkframe.schema import DOCUMENTS, IMAGES


def mapped(*keys, spec=DOCUMENTS):
    return field_mapping(spec, frozenset(keys))


def test_ids_in_order():
    """The usual names of an id come in a fixed order, in any case and with any separator."""
    names = ("document_id", "object_id", "pk", "key", "guid", "uid", "uuid", "id")
    assert mapped(*names).ids == tuple(reversed(names))
    assert mapped("ID", "Uuid", "object-id", "documentId").ids == ("ID", "Uuid", "object-id", "documentId")
    assert mapped("id", "ID").ids == ("id", "ID")
    assert mapped("image_id", "id_", "name").ids == ("id_",)
    assert mapped("image_id", spec=IMAGES).ids == ("image_id",)
    assert mapped("id", "documentId", "publishedAt", spec=IMAGES).ids == ("documentId", "id")
    assert mapped("id", "documentId", spec=IMAGES).ids == ("id",)


def test_columns_times_and_the_rest():
    """Exact names come before others; a time has every name it may have; parts of the reply are not left over."""
    found = mapped("Name", "name", "PROMPT", "createdAt", "created_at", "created_at_gmt", "updated-at-utc", "x",
                   "links", "_links", "relationships", "@odata.id", "@odata.etag", "_embedded")  # fmt: skip
    assert found.columns == {
        "name": "name",
        "prompt": "PROMPT",
        "created_at": "created_at",
        "updated_at": "updated-at-utc",
    }
    assert found.times == {"created_at": ("created_at", "createdAt", "created_at_gmt")}
    assert found.rest == {"Name", "createdAt", "created_at_gmt", "x"}
    assert found.has_content
    assert not mapped("id", "created_at", "favorite").has_content
    assert "picture_url" not in mapped("picture_url", "name", spec=IMAGES).columns


def test_an_object_with_too_many_keys_is_no_record():
    """At most 5,000 keys are read."""
    keys = [f"k{number}" for number in range(4998)]
    assert mapped("id", "name", *keys).columns == {"name": "name"}
    assert mapped("id", "name", "x", *keys) == field_mapping(IMAGES, frozenset(map(str, range(5001))))
    assert mapped("id", "name", "x", *keys).rest == frozenset()
    assert not mapped("id", "name", "x", *keys).has_content
