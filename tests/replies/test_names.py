"""The keys of records by what they mean."""

from inkframe.replies.dialect import NAMES, Names


def roles(*keys, collection="documents"):
    return NAMES[collection].of(keys)


def test_ids_in_order():
    """The usual names of an id come in a fixed order, in any case and with any separator."""
    names = ("document_id", "object_id", "pk", "key", "guid", "uid", "uuid", "id")
    assert roles(*names)["id"] == tuple(reversed(names))
    assert roles("ID", "Uuid", "object-id", "documentId")["id"] == ("ID", "Uuid", "object-id", "documentId")
    assert roles("id", "ID")["id"] == ("id", "ID")
    assert roles("image_id", "id_", "name")["id"] == ("id_",)
    assert roles("image_id", collection="images")["id"] == ("image_id",)
    assert roles("id", "documentId", "publishedAt", collection="images")["id"] == ("documentId", "id")
    assert roles("id", "documentId", collection="images")["id"] == ("id",)


def test_columns_and_times():
    """Exact names come before others, prefixes are ignored, and a time has every name it may have."""
    found = roles("Name", "name", "PROMPT", "createdAt", "created_at", "created_at_gmt", "updated-at-utc", "x", "schema:result")  # fmt: skip
    assert found.columns == {
        "name": "name", "prompt": "PROMPT", "created_at": "created_at", "updated_at": "updated-at-utc", "result": "schema:result",
    }  # fmt: skip
    assert found["created_at"] == ("created_at", "createdAt", "created_at_gmt")
    assert "picture_url" not in roles("picture_url", "name", collection="images").columns


def test_an_object_with_too_many_keys_has_no_names():
    """At most 5,000 keys are read, and keys of any length."""
    keys = [f"k{number}" for number in range(4998)]
    assert roles("id", "name", *keys).columns == {"name": "name"}
    assert roles("id", "name", "x", *keys) == {}
    assert Names({"a": ("b",)}).of(["B", "x" * 9000]) == {"a": ("B",)}
