"""Settings as text and back."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from inkframe.display.settings import read_value, settings_of, write_value


@pytest.mark.parametrize(
    "content",
    [
        "plain",
        'q"\\',
        "a: b # c",
        "- x\n---\n",
        "yes",
        "1e3",
        "\u202e\u2028\x7f\x85\ufeff",
        "\U0001f600",
        0.25,
        True,
        7,
        "",
    ],
)
def test_values_come_back_from_one_line(content):
    """Any text or number survives, on one line without anything unseen."""
    text = write_value(content)
    assert "\n" not in text
    assert all(c.isprintable() for c in text)
    assert read_value(text) == content


def test_a_value_written_by_hand_is_text():
    """A person may leave out the quotes."""
    assert read_value(" Harbour at dawn ") == "Harbour at dawn"


def test_values_of_frames_become_plain(image):
    """Values of numpy and pandas become JSON's own; addresses of pictures and missing values stay out."""
    record = {
        **image,
        "id": np.int64(3),
        "favorite": np.bool_(True),
        "created_at": pd.Timestamp("2026-01-02"),
        "style": pd.NA,
    }
    found = settings_of(record, "s")
    assert (found["id"], found["favorite"], found["created_at"]) == (3, True, "2026-01-02T00:00:00")
    assert type(found["id"]) is int
    assert not {"style", "picture_url", "updated_at"} & set(found)
    assert found["service"] == "s"
    assert settings_of({"id": float("inf"), "name": "\ud800"}) == {"id": "inf", "name": "?"}
