"""Recognition of created records by the fields that they show."""

import pytest

from inkframe.replies.record import is_recognized, with_unsent
from inkframe.schema import DOCUMENTS, IMAGES

SENT = {"name": "Harbor at dawn", "description": "Two small boats", "resolution": "512x512", "style": "anime"}


@pytest.mark.parametrize(
    ("shown", "may_be", "is_wholly"),
    [
        (SENT, True, True),
        ({"name": "HARBOR AT DAWN"}, True, False),
        ({"description": "Two small"}, True, True),
        ({"name": "Other", "description": "Two small boats"}, True, False),
        ({"name": "Harbor at dawn", "description": "Other"}, True, False),
        ({"name": "Other", "description": "Other", "style": "anime"}, False, False),
        ({"name": "Other", "style": "anime"}, True, False),
        ({"style": "anime"}, True, False),
        ({"style": "ink", "resolution": "512x512"}, True, False),
        ({"style": "ink"}, False, False),
        ({"favorite": False}, False, False),
        ({}, False, False),
    ],
)
def test_records_that_may_be_the_created_one(shown, may_be, is_wholly):
    """One text is enough, or a setting where the source is not shown; wholly, every text and the source are."""
    assert is_recognized(IMAGES, SENT, shown, wholly=False) is may_be
    assert is_recognized(IMAGES, SENT, shown, wholly=True) is is_wholly


def test_fields_that_were_not_sent_prove_nothing():
    """A name that the service chose neither recognizes a record nor excludes it."""
    sent = {"prompt": "About a kettle"}
    assert is_recognized(DOCUMENTS, sent, {"name": "Untitled", "prompt": "About a kettle"}, wholly=True)
    assert not is_recognized(DOCUMENTS, sent, {"name": "Untitled"}, wholly=False)
    assert not is_recognized(DOCUMENTS, {"name": "Kettle"}, {"name": "Kettle"}, wholly=True)


def test_optional_fields_that_were_not_sent():
    """They are None, in the order of the interface; what was sent stays."""
    assert with_unsent(IMAGES, {"name": "n", "medium": "ink"}) == {
        "style": None, "medium": "ink", "filter": None, "name": "n"
    }  # fmt: skip
    assert with_unsent(DOCUMENTS, {"name": "n"}) == {"name": "n", **dict.fromkeys(
        name for name, field in DOCUMENTS.creates.items() if field.create == "optional"
    )}  # fmt: skip
