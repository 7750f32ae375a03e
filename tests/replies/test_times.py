"""Times as services write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inkframe.replies.times import read_time, read_times

ELEVEN = datetime(2026, 3, 1, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-03-01 11:00:00 UTC",
        "2026-03-01 12:00:00 +0100",
        "2026-03-01 11:00:00 +0000 UTC",
        "2026-03-01T12:00:00+01:00[Europe/Berlin]",
        "2026/03/01 11:00:00",
        "/Date(1772362800000)/",
        [2026, 3, 1, 11, 0],
        [2026, 3, 1, 11, 0, 0, 0],
        {"$date": "2026-03-01T11:00:00Z"},
        {"$date": {"$numberLong": "1772362800000"}},
        {"_seconds": 1772362800, "_nanoseconds": 0},
        {"date": "2026-03-01 11:00:00.000000", "timezone_type": 3, "timezone": "UTC"},
        {"date": "2026-03-01 12:00:00.000000", "timezone_type": 1, "timezone": "+01:00"},
        {"date": "2026-03-01 12:00:00.000000", "timezone_type": 3, "timezone": "Europe/Berlin"},
    ],
)
def test_times_of_many_languages(written):
    """The formats of Ruby, Go, Java, .NET, MongoDB, Firestore and PHP are parsed."""
    assert read_time(written) == ELEVEN


@pytest.mark.parametrize(
    "written",
    ["3/1/2026, 11:00:00 AM", "2026-03-01 11:00:00 EST", [2026, 13, 1], [2026, 3], [True, 3, 1], {}, {"date": None},
     {"date": "2026-03-01 11:00:00", "timezone": "Nowhere/Here"}, {"seconds": "soon"}, [], "/Date(x)/"],
)  # fmt: skip
def test_ambiguous_times_are_not_guessed(written):
    """An unknown zone, an ambiguous order of day and month, and values without a time are None."""
    assert read_time(written) is None


def test_a_page_of_times():
    """Times of one page may have different formats; missing ones stay missing."""
    assert read_times(["2026-03-01T11:00:00Z", None, [2026, 3, 1, 11, 0]]) == [ELEVEN, None, ELEVEN]
