from __future__ import annotations

import uuid

import pytest

from inkframe.testing.identity import read_id, write_id


@pytest.mark.parametrize("form", ["number", "text", "padded", "uuid", "hex"])
def test_identifiers_are_read_back(form):
    """Every form of an identifier leads back to its record, and none stands for two."""
    shown = [write_id(form, number) for number in range(1, 2000)]
    assert len(set(shown)) == len(shown)
    assert [read_id(form, str(text)) for text in shown] == list(range(1, 2000))
    assert {type(text) for text in shown} == {int if form == "number" else str}


def test_uuids_are_random_looking():
    """They are valid, of version 4, and do not come in the order of creation."""
    shown = [write_id("uuid", number) for number in range(1, 50)]
    assert {uuid.UUID(text).version for text in shown} == {4}
    assert shown != sorted(shown)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("number", "007"),
        ("number", "-1"),
        ("number", "1e3"),
        ("number", "9" * 30),
        ("padded", "7"),
        ("hex", "g" * 24),
        ("uuid", "7"),
        ("uuid", str(uuid.UUID(int=7))),
        ("uuid", write_id("uuid", 7).upper()),
    ],
)
def test_what_is_no_identifier_leads_nowhere(form, text):
    """An identifier in another form is none."""
    assert read_id(form, text) is None
