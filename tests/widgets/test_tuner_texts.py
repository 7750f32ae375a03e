from __future__ import annotations

import pandas as pd

from inkframe.analysis import creativity_response
from inkframe.widgets.tuner_texts import curve

TEXTS = ["one two three four", "one two three five", "six seven eight nine", "one ten eleven twelve"]


def response(repeats):
    rows = [
        {"prompt": "p", "creativity": level, "result": TEXTS[(place * at) % 4]}
        for place, level in enumerate((0.0, 0.5, 1.0))
        for at in range(repeats)
    ]
    return creativity_response(pd.DataFrame(rows))


def test_a_curve_has_a_point_for_each_level():
    """Each level that was repeated is a point with its number."""
    drawn = curve(response(3))
    assert drawn.count("<circle") == 3
    assert "Repetitive 1.00" in drawn
    assert "At least 5 repeats per level are needed" in drawn


def test_intervals_are_drawn_where_there_are_any():
    """Five repeats with different texts have an interval; fewer, or equal ones, have none."""
    assert curve(response(5)).count("ink-spread") == 1
    assert "ink-spread" not in curve(response(3))


def test_single_texts_make_no_curve():
    """Without a second text of a level there is nothing to compare."""
    assert curve(response(1)) is None
