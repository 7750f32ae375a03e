import math

import pandas as pd

from inkframe.analysis import creativity_response
from inkframe.tuning.tuner_texts import curve

TEXTS = ["one two three four", "one two three five", "six seven eight nine", "one ten eleven twelve"]


def response(repeats):
    rows = [
        {"prompt": "p", "creativity": level, "result": TEXTS[(place * at) % 4]}
        for place, level in enumerate((0.0, 0.5, 1.0))
        for at in range(repeats)
    ]
    return creativity_response(pd.DataFrame(rows))


def test_intervals_are_drawn_where_there_are_any():
    """Many repeats of which some are less like the others have an interval; fewer, or equal ones, have none."""
    words = [f"w{number}" for number in range(20)]
    texts = [" ".join(words[:at] + [f"v{number}" for number in range(at, 20)]) for at in range(4, 20)]
    rows = [(level, text) for level in (0.0, 0.5) for text in (texts if level else texts[:1] * 16)]
    frame = pd.DataFrame(rows, columns=["creativity", "result"]).assign(prompt="p")
    assert curve(creativity_response(frame)).count("ink-spread") == 1
    assert "ink-spread" not in curve(response(3))


def test_the_whole_curve(recorded):
    """The scale, the points with their numbers, the intervals and what is missing."""
    found = response(3).head(5).assign(similarity=[1.0, 0.25, math.nan, 0.5, 0.8][: len(response(3))])
    low, high = found["similarity"] - 0.1, found["similarity"] + 0.05
    drawn = curve(found.assign(similarity_low=low.where(low < 0.6), similarity_high=high))
    recorded("curve", drawn.replace("><", ">\n<").split("\n"))
    recorded("one", curve(found.head(1).assign(similarity_low=math.nan)).split("><"))


def test_single_texts_make_no_curve():
    """Without a second text of a level there is nothing to compare."""
    assert curve(response(1)) is None
