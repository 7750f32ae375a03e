"""What was sent, compared with what a record shows, and what that says about whose record it is."""

import pytest

from inkframe.replies.record import KeptFields, compare, judge
from inkframe.schema import DOCUMENTS, IMAGES

KETTLE = {"name": "The Quiet Kettle", "prompt": "Text about a kettle.", "creativity": "0.5"}


@pytest.mark.parametrize(
    ("name", "shown", "expected"),
    [
        ("name", "The Quiet Kettle", "same"), ("name", " The Quiet Kettle\r\n", "same"),
        ("name", "the-quiet-kettle", "version"), ("name", "The Quiet", "version"),
        ("name", "The Quiet Kettle (2)", "version"), ("name", "Lamp", "other"), ("name", None, "hidden"),
        ("creativity", 0.5, "same"), ("creativity", 1, "version"), ("creativity", 0.75, "other"),
    ],
)  # fmt: skip
def test_a_field_is_the_same_a_version_another_or_hidden(name, shown, expected):
    """Each field is compared by itself, by what services make of values."""
    assert compare({name: KETTLE[name]}, {name: shown}) == {name: expected}


@pytest.mark.parametrize(
    ("comparison", "made", "expected"),
    [
        ({}, (), "ours"), ({"name": "version"}, (), "doubtful"), ({"name": "version"}, ("name",), "ours"),
        ({"name": "version"}, ("prompt",), "doubtful"),
        ({"name": "version", "prompt": "version"}, ("name",), "doubtful"),
        ({"name": "version", "creativity": "hidden"}, ("name",), "doubtful"),
        ({"creativity": "hidden"}, (), "ours"), ({"prompt": "hidden"}, (), "doubtful"),
        ({"name": "hidden"}, ("name",), "doubtful"), ({"name": "other"}, ("name",), "other"),
        ({"name": "hidden", "prompt": "other"}, (), "other"), ({"creativity": "other"}, (), "other"),
    ],
)  # fmt: skip
def test_a_record_is_ours_doubtful_or_another(comparison, made, expected):
    """One field with another value is another record; a version counts where the service is known to make it."""
    same = dict.fromkeys(KETTLE, "same")
    assert judge(DOCUMENTS, same | comparison, made) == expected


def learned(*pairs, name="name"):
    """Return what is known after records with these values, as sent and as shown."""
    kept = KeptFields()
    for sent, shown in pairs:
        kept.learn({name: sent}, {name: shown})
    return kept


def test_a_field_that_was_changed_once_is_known_to_change():
    """A single change outweighs every name that was kept, and a hidden value tells nothing."""
    kept = learned(("Harbor", "Harbor"), ("Pier", None))
    assert (kept.changed, kept.is_kept("name")) == (set(), True)
    kept.learn({"name": "Pier 5"}, {"name": "pier-5"})
    kept.learn({"name": "Quay"}, {"name": "Quay"})
    assert (kept.changed, kept.is_kept("name")) == ({"name"}, False)
    assert not learned(("Pier", None)).is_kept("name")


def test_the_differences_are_what_was_stored_instead():
    """Only fields that were sent are among them, with another content."""
    kept = KeptFields()
    sent = {
        "name": "Pier 5",
        "style": None,
        "description": "Two small boats",
        "resolution": "512x512",
        "medium": "ink",
    }
    shown = {
        "name": "pier-5",
        "style": "anime",
        "description": " Two small boats\r\n",
        "resolution": None,
        "id": 3,
    }
    assert kept.learn(sent, shown | {"medium": "oil"}) == {"name": "pier-5", "medium": "oil"}


@pytest.mark.parametrize(
    ("before", "expected"), [([], "version"), ([(None, None)], "other"), ([(None, "photography")], "same")]
)
def test_a_field_that_was_not_sent_may_be_filled(before, expected):
    """A service that was seen to fill it, or to leave it empty, decides; until then it is a doubt."""
    kept = learned(*before, name="style")
    comparison = kept.compare({"name": "Harbor", "style": None}, {"name": "Harbor", "style": "photography"})
    assert comparison == {"name": "same", "style": expected}
    assert judge(IMAGES, comparison) == {"version": "doubtful", "other": "other", "same": "ours"}[expected]
    unfilled = kept.compare({"name": "Harbor", "style": None}, {"name": "Lamp", "style": None})
    assert (unfilled, kept.changed) == ({"name": "other", "style": "same"}, set())
