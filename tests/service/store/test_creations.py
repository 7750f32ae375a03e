"""The records that creates with a key have stored."""

import pytest

from inkframe.service.store import open_library
from inkframe.service.store.record_table import CLAIMED, MOST_KEPT, find_creation, forget_claim, note_creation

EARLY, LATE = "2025-01-06T07:30:00.000000Z", "2025-01-07T07:30:00.000001Z"


@pytest.fixture
def connection():
    pool = open_library(":memory:")
    with pool.writing() as open_connection:
        yield open_connection
    pool.close()


def test_a_claim_becomes_a_record_or_is_forgotten(connection):
    """A claim is replaced by the id of its record; one without a record can be forgotten, a record never."""
    note_creation(connection, "images", "a", CLAIMED, "digest", EARLY)
    note_creation(connection, "images", "b", CLAIMED, "digest", EARLY)
    note_creation(connection, "images", "a", 7, "digest", LATE)
    for key in "ab":
        forget_claim(connection, "images", key)
    assert find_creation(connection, "images", "a") == (7, "digest")
    assert find_creation(connection, "documents", "a") is None
    assert find_creation(connection, "images", "b") is None


@pytest.mark.integration
def test_the_oldest_keys_are_forgotten(connection):
    """The number of stored keys is bounded, and the latest are kept."""
    for number in range(MOST_KEPT + 3):
        note_creation(connection, "images", f"key {number}", number, "digest", EARLY)
    assert connection.execute("SELECT count(*) FROM creations").fetchone() == (MOST_KEPT,)
    assert find_creation(connection, "images", "key 2") is None
    assert find_creation(connection, "images", "key 3") == (3, "digest")
