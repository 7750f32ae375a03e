"""What is known of a service's changes from the records that it has shown."""

from __future__ import annotations

import pytest

from inkframe.replies.same_content import KeptFields


def learned(*pairs):
    """Return what is known after records with these names, as sent and as shown."""
    kept = KeptFields()
    for sent, shown in pairs:
        kept.learn({"name": sent}, {"name": shown})
    return kept


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Harbor at dawn", True),
        ("Dawn", True),
        ("Harbor at dawn, boats", False),
        ("Harbor 5", False),
        ("Harbor!", False),
        ("Härbor", False),
        ("A  B", False),
        ("A\nB", False),
    ],
)
def test_a_value_is_kept_if_one_as_long_and_of_its_kinds_was(value, expected):
    """A service that kept one name may cut off longer ones, and replace characters that it did not have."""
    assert learned(("Harbor at dawn", "Harbor at dawn")).keeps("name", value) is expected


def test_kinds_and_lengths_add_up():
    """What several records have shown holds together, and white space around a name does not count."""
    kept = learned(("Harbor at dawn", "Harbor at dawn"), (" A5! ", "A5!"))
    assert kept.keeps("name", "Pier 5!")
    assert not kept.keeps("prompt", "Pier")


def test_a_field_that_was_changed_once_is_not_kept():
    """A single change outweighs every name that was kept, and excludes nothing."""
    kept = learned(("Harbor", "Harbor"), ("Pier 5", "pier-5"))
    assert kept.changes("name", "Harbor")
    assert not kept.keeps("name", "Harbor")
    assert not kept.excludes("name", "Harbor", "Lamp")


@pytest.mark.parametrize(
    ("sent", "shown", "expected"),
    [
        ("Harbor", "Lamp", True),
        ("Harbor at dawn, boats", "Lamp", True),
        ("Harbor", "harbor", True),
        ("Harbor at dawn, boats", "Harbor at dawn", False),
        ("Harbor", "Harbor", False),
        ("Harbor", None, False),
        (None, "Lamp", False),
    ],
)
def test_a_record_is_excluded_by_a_value_that_the_service_would_have_kept(sent, shown, expected):
    """Another value excludes a record, unless the service may have made it of the one that was sent."""
    assert learned(("Harbor at dawn", "Harbor at dawn")).excludes("name", sent, shown) is expected


def test_nothing_is_excluded_without_a_record():
    """A service that has shown nothing, or not this field, proves nothing."""
    assert not KeptFields().excludes("name", "Harbor", "Lamp")
    assert not learned(("Harbor", None)).excludes("name", "Harbor", "Lamp")


def test_a_field_that_was_not_sent_is_known_apart():
    """A default that a service fills in says nothing about the values that it is sent."""
    kept = learned((None, "anime"))
    assert kept.changes("name", None)
    assert not kept.changes("name", "ink")
    assert learned((None, None)).excludes("name", None, "anime")
