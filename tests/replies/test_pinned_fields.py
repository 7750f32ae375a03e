"""Fields of records under pinned keys."""

from __future__ import annotations

import pytest

from inkframe.replies.dialect import Dialect, with_pinned_fields


@pytest.mark.parametrize(
    ("pinned", "record", "expected"),
    [
        ({}, {"id": 1, "title": "a"}, {"id": 1, "title": "a"}),
        ({"name": "title"}, {"id": 1, "title": "a"}, {"id": 1, "name": "a"}),
        ({"name": "title"}, {"id": 1, "other": "a"}, {"id": 1, "other": "a"}),
        (
            {"name": "title"},
            {"id": 1, "name": "b", "title": "a"},
            {"id": 1, "service.name": "b", "name": "a"},
        ),
        (
            {"name": "title.raw"},
            {"x": 1, "title": {"raw": "a", "html": "<a>"}},
            {"x": 1, "title": {"html": "<a>"}, "name": "a"},
        ),
        ({"name": "title.raw"}, {"title": {"raw": "a"}, "x": 1}, {"x": 1, "name": "a"}),
        (
            {"name": "title.raw"},
            {"title.raw": "a", "title": {"raw": "b"}},
            {"title": {"raw": "b"}, "name": "a"},
        ),
        ({"name": "title.raw"}, {"title": "a"}, {"title": "a"}),
        ({"name": "title.raw"}, {"title": {"raw": None}}, {"name": None}),
        ({"name": "a.b.c"}, {"a": {"b": {"c": 1}, "d": 2}}, {"a": {"d": 2}, "name": 1}),
        ({"name": "prompt", "prompt": "name"}, {"name": "p", "prompt": "n"}, {"name": "n", "prompt": "p"}),
        ({"name": "t.a", "prompt": "t.a"}, {"t": {"a": 1}}, {"name": 1, "prompt": 1}),
        ({"name": "t.a", "prompt": "t"}, {"t": {"a": 1}}, {"name": 1, "prompt": {"a": 1}}),
        ({"name": "t", "prompt": "t.a"}, {"t": {"a": 1}}, {"name": {"a": 1}, "prompt": 1}),
        ({"id": "key"}, {"id": 1, "key": 2}, {"service.id": 1, "id": 2}),
    ],
)
def test_records_with_pinned_fields(pinned, record, expected):
    """A field is moved from its key; another value under its name is kept, and so is what is beside it."""
    before = repr(record)
    assert with_pinned_fields(record, record, Dialect(fields=pinned)) == expected
    assert repr(record) == before


def test_a_field_outside_of_the_record():
    """A key of the record as received counts if the record itself has none."""
    raw = {"uuid": "u", "attributes": {"title": "a"}}
    assert with_pinned_fields({"title": "a"}, raw, Dialect(fields={"id": "uuid"})) == {
        "title": "a",
        "id": "u",
    }
    assert with_pinned_fields({"title": "a"}, raw, Dialect(fields={"name": "attributes.title"})) == {
        "title": "a", "name": "a"
    }  # fmt: skip
