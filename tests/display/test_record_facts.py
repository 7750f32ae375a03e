"""Test the texts for a record's values."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from inkframe.display import figure as words_of


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT])
def test_every_missing_value_is_none(missing):
    """None, NaN, NaT and NA all count as absent, without importing pandas."""
    assert words_of.value({"style": missing}, "style") is None


def test_value_keeps_other_values():
    """False, zero, empty text and arrays are values."""
    assert words_of.value({"a": False}, "a") is False
    assert words_of.value({"a": 0}, "a") == 0
    assert words_of.value({"a": np.array([1, 2])}, "a") is not None


def test_labels_are_the_vocabulary_s():
    """Codes of the interface have their labels; those of other codes are derived."""
    assert words_of.label("style", "3d_render") == "3D render"
    assert words_of.label("filter", "grayscale") == "Black and white"
    assert words_of.label("style", "oil_on_wood") == "Oil on wood"
    assert words_of.label("resolution", "640x480") == "640 \u00d7 480"


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (0, "Repetitive"),
        (0.25, "Deterministic"),
        ("0.5", "Original"),
        (np.float64(1), "Imaginative"),
        (0.6, "creativity 0.6"),
        (None, None),
    ],
)
def test_creativity_has_its_label(level, expected):
    """A step has its label, and other values stay numbers."""
    assert words_of.creativity({"creativity": level}) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (datetime(2026, 11, 20, 21, 14, tzinfo=UTC), "20 Nov 2026, 21:14 UTC"),
        (pd.Timestamp("2026-01-02 03:04:05"), "2 Jan 2026, 03:04"),
        ("2026-11-20T21:14:00+00:00", "20 Nov 2026, 21:14 UTC"),
        ("last week", "last week"),
    ],
)
def test_moment_formats_a_date(when, expected):
    """Times of any type have one format; other values are unchanged."""
    assert words_of.moment(when) == expected


def test_alt_is_name_and_description(image):
    """The alternative text has the name and the description, limited and without repetition."""
    assert words_of.alt(image) == "Harbor at dawn: a harbor at dawn, two boats"
    assert words_of.alt({"name": "same", "description": "same"}) == "same"
    assert len(words_of.alt({"name": "n" * 900, "description": "d " * 900})) < 400
    assert words_of.alt({}) == "Untitled"


def test_headings_follow_the_vocabulary():
    """Groups are in the vocabulary's order, other values in the order of the records."""
    rows = [{"style": s, "favorite": f, "x": s} for s, f in (("retro", True), (None, False), ("anime", True))]
    assert words_of.headings(rows, "style") == ["Anime", "Retro", "No style"]
    assert words_of.headings(rows, "favorite") == ["Favorites", "Others"]
    assert words_of.headings(rows, "x") == ["retro", "No x", "anime"]


def test_every_text_of_rich_records(image, document, recorded):
    """Titles, entries, rows, looks, facts, summaries and alternative texts of whole and of empty records."""
    odd = {
        "id": "a\u200bb" * 40,
        "name": "n" * 130,
        "style": "oil_on_wood",
        "resolution": "640x480",
        "medium": None,
    }
    bare = {"id": None, "name": " ", "template": "T" * 70, "result": "水" * 8, "creativity": "warm"}
    for name, record in {"image": image, "document": document, "odd": odd, "bare": bare, "none": {}}.items():
        recorded(
            name,
            {
                "title": words_of.title(record),
                "entry": words_of.entry("Record", record),
                "row": words_of.row(record, "said"),
                "look": [words_of.look(record), words_of.look(record, brief=True)],
                "facts": words_of.facts(record, "content.example.com"),
                "summary": [words_of.summary(record), words_of.summary(record, "content.example.com")],
                "alt": words_of.alt(record),
                "words": [
                    words_of.words(record, field)
                    for field in ("favorite", "style", "resolution", "creativity", "name", "template")
                ],
                "collection": words_of.held_by(record),
            },
        )


def test_moments_have_the_month_s_name():
    """All twelve months have their names; an unreadable time is shown as it is."""
    shown = [words_of.moment(datetime(2026, month, 9, 7, 5, tzinfo=UTC)) for month in range(1, 13)]
    assert shown[0] == "9 Jan 2026, 07:05 UTC"
    names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
    assert " ".join(each.split()[1] for each in shown) == names
    assert words_of.moment(5) == "5"
    assert len(words_of.moment("x" * 99)) == len(words_of.moment(10**99)) == 40
