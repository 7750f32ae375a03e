"""Times as services write them."""

from datetime import UTC, datetime, timedelta, timezone

from tests.cases import cases

from inkframe.replies.values import has_zone, is_named_utc, read_each, read_time

ELEVEN = datetime(2026, 3, 1, 11, tzinfo=UTC)


@cases(
    "written",
    [
        "2026-03-01T11:00:00.000000Z", "2026-03-01T13:00:00+02:00", "2026-03-01 11:00:00",
        "2026-03-01 11:00:00 UTC", "2026-03-01 12:00:00 +0100", "2026-03-01 11:00:00 +0000 UTC",
        "2026-03-01T12:00:00+01:00[Europe/Berlin]", "2026/03/01 11:00:00", "/Date(1772362800000)/",
        [2026, 3, 1, 11, 0], [2026, 3, 1, 11, 0, 0, 0], {"$date": "2026-03-01T11:00:00Z"},
        {"$date": {"$numberLong": "1772362800000"}}, {"_seconds": 1772362800, "_nanoseconds": 0},
        {"date": "2026-03-01 11:00:00.000000", "timezone_type": 3, "timezone": "UTC"},
        {"date": "2026-03-01 12:00:00.000000", "timezone_type": 1, "timezone": "+01:00"},
        {"date": "2026-03-01 12:00:00.000000", "timezone_type": 3, "timezone": "Europe/Berlin"},
        "Sun, 01 Mar 2026 11:00:00 GMT", "Sun, 01 Mar 2026 12:00:00 +0100", "Sun, 01 Mar 2026 12:00:00 +01:00",
        "Sun, 01 Mar 2026 06:00:00 EST", "Sun Mar  1 06:00:00 EST 2026",
        "Sun Mar 01 2026 12:00:00 GMT+0100 (Central European Standard Time)", "Sun Mar 01 2026 03:00:00 UTC-0800",
        "Sun Mar 1 11:00:00 2026", "Mar 1, 2026 11:00:00 AM", "Mar 1, 2026, 11:00:00 am",
        "Sunday, March 1, 2026 11:00 AM", "1 Mar 2026 11:00",
    ],
)  # fmt: skip
def test_times_of_many_languages(written):
    """The formats of Ruby, Go, Java, .NET, MongoDB, Firestore, PHP, C, JavaScript, Gson and of e-mail are parsed."""
    assert read_time(written) == ELEVEN


def test_hours_of_half_a_day():
    """Twelve is the first hour of each half, and no hour of a half is beyond it."""
    hours = {"12:30 AM": 0, "1:30 AM": 1, "12:30 PM": 12, "1:30 PM": 13, "11:30 pm": 23}
    assert {half: read_time(f"Mar 1, 2026 {half}").hour for half in hours} == hours
    assert read_time("Mar 1, 2026 13:30 PM") is read_time("Mar 1, 2026 0:30 PM") is None


@cases(
    "written",
    [f"Sun, 01 Mar 2026 11:00:00 {zone}" for zone in ("CET", "MEZ", "GMT+1", "+01", "-8", "A", "Europe/Berlin")]
    + ["Sun Mar 1 11:00:00 CET 2026", "Sun, 01 Mar 2026 11:00:00 +9900", f"{'1 ' * 60}Mar 2026 11:00",
       "3/1/2026, 11:00:00 AM", "2026-03-01 11:00:00 EST", [2026, 13, 1], [2026, 3], [True, 3, 1], {}, {"date": None},
     {"date": "2026-03-01 11:00:00", "timezone": "Nowhere/Here"}, {"seconds": "soon"}, [], "/Date(x)/",
     "yesterday", True, float("inf"), 10**30, 10**400, "9" * 5000, f"/Date({'9' * 5000})/", {"seconds": 10**400},
     {"seconds": "9" * 5000}, {"$date": {"$numberLong": "9" * 400}}, [10**400, 1, 1], None],
)  # fmt: skip
def test_ambiguous_times_are_not_guessed(written):
    """A zone that cannot be read, an ambiguous order of day and month, and values without a possible time are None."""
    assert read_time(written) is None


def test_a_page_of_times():
    """Times of one page may have different formats; missing ones stay missing."""
    assert read_each(["2026-03-01T11:00:00Z", None, [2026, 3, 1, 11, 0]], read_time) == [ELEVEN, None, ELEVEN]


WEST = timezone(timedelta(hours=-8))


def test_numbers_by_their_size():
    """Seconds, milliseconds and microseconds are told apart by their size, also as text of at least nine digits."""
    assert [read_time(value) for value in (1772362800, 1772362800.0, 1772362800000, 1772362800000000)] == [
        ELEVEN
    ] * 4
    assert read_time("1772362800") == read_time("1772362800.0") == read_time("1772362800000") == ELEVEN
    assert read_time(99_999_999_999) == datetime(5138, 11, 16, 9, 46, 39, tzinfo=UTC)
    assert read_time(100_000_000_000) == datetime(1973, 3, 3, 9, 46, 40, tzinfo=UTC)
    assert read_time(99_999_999_999_000) == datetime(5138, 11, 16, 9, 46, 39, tzinfo=UTC)
    assert read_time(100_000_000_000_000) == datetime(1973, 3, 3, 9, 46, 40, tzinfo=UTC)
    assert read_time(-1) == read_time({"seconds": -1}) == datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert read_time("100000000") == datetime(1973, 3, 3, 9, 46, 40, tzinfo=UTC)
    assert read_time("-100000000") == datetime(1966, 10, 31, 14, 13, 20, tzinfo=UTC)
    assert read_time("/Date(-1000+0100)/") == datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert read_time("12345678") is read_time(float("nan")) is read_time(1e300) is None


def test_the_zone_of_a_time_without_one():
    """A time without a zone is read in the given one, in every format; one with a zone is not moved."""
    seven = ELEVEN + timedelta(hours=8)
    for value in (
        "2026-03-01 11:00",
        "2026/03/01 11:00:00",
        [2026, 3, 1, 11],
        {"date": "2026-03-01T11:00:00"},
    ):
        assert read_time(value, WEST) == seven
        assert not has_zone(value)
    for value in ("2026-03-01 11:00Z", "2026/03/01 11:00:00 GMT", 1772362800, {"date": "2026-03-01T12:00:00+01:00"},
                  {"date": "2026-03-01 12:00", "timezone": "Europe/Berlin"}, "Sun, 01 Mar 2026 11:00:00 +0000"):  # fmt: skip
        assert read_time(value, WEST) == ELEVEN
        assert has_zone(value)
    assert not has_zone("soon")
    assert [is_named_utc(name) for name in ("date_gmt", "createdUtc", "created_at", "gmtoffice")] == [
        True,
        True,
        False,
        False,
    ]


def test_parts_of_a_time():
    """A list has three to seven parts, the last in nanoseconds."""
    assert read_time([2026, 3, 1]) == read_time("2026-03-01") == datetime(2026, 3, 1, tzinfo=UTC)
    assert read_time([2026, 3, 1, 11]) == read_time([2026, 3, 1, 11, 0, 0, 999]) == ELEVEN
    assert read_time([2026, 3, 1, 11, 2, 3, 5_006_007]) == datetime(2026, 3, 1, 11, 2, 3, 5006, tzinfo=UTC)
    for parts in (
        [2026, 3],
        [2026, 3, 1, 11, 0, 0, 0, 0],
        [2026, 3, "1"],
        [2026, 3, 1.0],
        [0, 3, 1],
        [2026, 3, 32],
    ):
        assert read_time(parts) is None
    assert read_time([1, 1, 1], timezone(timedelta(hours=1))) is None
    assert read_time("0001-01-01T00:00:00+01:00") is read_time("9999-12-31T23:59:59-01:00") is None


def test_times_in_objects():
    """The key of the time may have any of several names; its zone must be known."""
    for key in ("date", "$date", "datetime", "dateTime", "iso", "value"):
        assert read_time({key: "2026-03-01T11:00:00Z"}) == read_time({key: " 2026-03-01T11:00:00 "}) == ELEVEN
    assert read_time({"$numberLong": "1772362800000"}) == read_time({"value": 1772362800}) == ELEVEN
    assert read_time({"date": "2026-03-01T11:00:00", "value": "2020-01-01"}) == ELEVEN
    assert read_time({"seconds": "1772362800"}) == ELEVEN
    for other in ({"date": [2026, 3, 1]}, {"other": 1772362800}, {"seconds": True}, {"date": "2026-03-01", "timezone": 1},
                  {"date": "2026-03-01", "timezone": None}):  # fmt: skip
        assert read_time(other) is None


def test_variants_of_iso_8601():
    """Fractions, commas, short zones and names of zones are read; a zone by its name alone is not."""
    half = ELEVEN.replace(microsecond=500000)
    for text in ("2026/03/01T11:00:00.5Z", "2026/03/01 11:00:00,5 UTC", "2026/03/01 12:00:00.5 +01", "2026-03-01 12:00:00.5 +01:00 CET",
                 "2026/03/01 12:00:00.500000 +0100 [Europe/Berlin]"):  # fmt: skip
        assert read_time(text) == half, text
    assert read_time("2026/03/01 11:00") == ELEVEN
    assert (
        read_time("2026-03-01 11:00:00 CET") is read_time("2026/03/01") is read_time("2026/3/1 11:00") is None
    )


def test_columns_of_times():
    """Times in UTC are read at once; one with another zone, or without one, is converted."""
    usual = ["2026-03-01T11:00:00Z", "2026-03-01T11:00:00+00:00"]
    assert read_each(usual, read_time) == [ELEVEN, ELEVEN]
    for odd in ("2026-03-01T12:00:00+01:00", "2026-03-01T11:00:00"):
        found = read_each([*usual, odd], read_time)
        assert found == [ELEVEN] * 3
        assert {time.tzinfo for time in found} == {UTC}
    assert read_each([], read_time) == []
