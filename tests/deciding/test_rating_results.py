import sys

import pandas as pd
import pytest

from inkframe.deciding.rating_items import agreement, rated_frame, sample_items, standing
from inkframe.deciding.ratings import Judgment, ratings_frame

FRAME = pd.DataFrame(
    {"result": ["a", "b", "c", "a"], "style": ["x", "x", "y", "y"]}, index=pd.Index([1, 2, 3, 4], name="id")
)


def sample(**more):
    """Return all texts of the frame as a sample."""
    return sample_items(FRAME, ["style"], pairs=False, per_group=20, random_state=0, rater="ana", **more)


def judge(text, value, rater="ana", **more):
    """Return a judgment of a text of the frame."""
    [content] = [content for content in sample().contents if content.text == text]
    mode = "scale" if isinstance(value, int) else "labels"
    return Judgment(content.record["id"], rater, mode, "Q", content=content.digest, value=value, **more)


def ratings(*judgments, mode="scale"):
    """Return the column of ratings or labels."""
    rated = rated_frame(FRAME, sample().contents, judgments, mode)
    return [0 if pd.isna(value) else value for value in rated["rating" if mode == "scale" else "label"]]


def test_a_rating_stands_for_all_rows_of_its_text():
    """Rows of identical texts have the same rating; the frame given is unchanged."""
    assert ratings(judge("a", 4), judge("c", 2)) == [4, 0, 2, 4]
    assert list(FRAME.columns) == ["result", "style"]


def test_the_last_blind_judgment_of_a_rater_counts():
    """A later judgment replaces an earlier one, unless it was no longer blind."""
    assert ratings(judge("a", 4), judge("a", 2))[0] == 2
    assert ratings(judge("a", 4), judge("a", 2, blind=False))[0] == 4
    assert ratings(judge("a", 4, blind=False), judge("a", 2))[0] == 2
    assert ratings(judge("a", 4, blind=False), judge("a", 3, blind=False))[0] == 3


def test_raters_are_centered_and_averaged():
    """A strict rater does not pull down what they happened to rate."""
    generous = [judge("a", 5, "ana"), judge("b", 4, "ana")]
    strict = [judge("a", 2, "ben"), judge("c", 1, "ben")]
    assert ratings(*generous, *strict) == pytest.approx([41 / 12, 29 / 12, 29 / 12, 41 / 12])
    rated = rated_frame(FRAME, sample().contents, [*generous, *strict], "scale")
    assert rated["raters"].tolist() == [2, 1, 1, 2]


def test_blindness_and_time_stand_beside_the_rating():
    """A row has whether all its judgments were blind, and the time of the last one."""
    rated = rated_frame(
        FRAME,
        sample().contents,
        [judge("a", 4, rated_at="2026-01-02T03:04:05+00:00"), judge("b", 4, blind=False)],
        "scale",
    )
    assert rated["blind"].tolist()[:2] == [True, False]
    assert rated["raters"].tolist() == [1, 1, 0, 1]
    assert rated["rated_at"].iloc[0] == pd.Timestamp("2026-01-02T03:04:05", tz="UTC")
    assert rated[["rating", "blind", "rated_at"]].iloc[2].isna().all()


def test_the_most_frequent_label_counts():
    """Of several raters' labels the most frequent one counts, and none if two are equally frequent."""
    labels = [judge("a", "keep", "ana"), judge("a", "keep", "ben"), judge("a", "drop", "eve")]
    assert ratings(*labels, judge("b", "keep", "ana"), judge("b", "drop", "ben"), mode="labels") == [
        "keep",
        0,
        0,
        "keep",
    ]


def test_means_of_raters_stay_on_the_scale():
    """Without its rater's share a rating may leave the scale, but no row does, and the frame carries the scale."""
    ratings = {"ana": (5, 5, 5), "ben": (1, 1, None)}
    judgments = [
        judge(text, value, rater, options=5)
        for rater, values in ratings.items()
        for text, value in zip("abc", values, strict=True)
        if value is not None
    ]
    judgments += [judge("c", 1, "eve", options=5), judge("a", 5, "eve", options=5)]
    rated = rated_frame(FRAME, sample().contents, judgments, "scale")
    assert rated["rating"].between(1, 5).all()
    assert rated.attrs["rating_scale"] == 5
    assert "rating_scale" not in FRAME.attrs


def rated_by(judgments, mode="scale"):
    """Return the frame with its judgments."""
    return rated_frame(FRAME, sample().contents, judgments, mode)


def test_the_standing_of_groups():
    """Each group has the number of its rated records, their mean and the verdict, the best first."""
    judgments = [judge("a", 4), judge("b", 1), judge("c", 5)]
    found = standing(rated_by(judgments), ratings_frame(judgments), ["style"], "scale")
    assert found[["style", "n", "mean", "verdict"]].to_numpy().tolist() == [
        ["y", 2, 4.5, "undecided"],
        ["x", 2, 2.5, "undecided"],
    ]
    assert found[["low", "high"]].isna().all(axis=None)
    assert found.index.tolist() == [0, 1]


def test_intervals_end_where_the_scale_does():
    """Of ratings near an end, the interval of the mean does not leave the scale."""
    frame = pd.DataFrame({"style": ["x"] * 5 + ["y"] * 5, "rating": [5.0, 5, 5, 5, 3, 1, 1, 1, 1, 3]})
    found = standing(frame, ratings_frame([]), ["style"], "scale")
    assert found["high"].tolist() == [5, pytest.approx(2.51, abs=0.01)]
    assert found["low"].tolist() == [pytest.approx(3.49, abs=0.01), 1]


def test_the_standing_without_scipy(monkeypatch):
    """Without SciPy each group has its number and its mean, and no interval."""
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    judgments = [judge("a", 4), judge("b", 1), judge("c", 5)]
    found = standing(rated_by(judgments), ratings_frame(judgments), ["style"], "scale")
    assert found.to_dict("records") == [
        {"style": "y", "n": 2, "mean": 4.5},
        {"style": "x", "n": 2, "mean": 2.5},
    ]


def test_the_standing_without_two_groups():
    """A single rated group, and ratings without groups, still have their number and their mean."""
    judgments = [judge("b", 1)]
    found = standing(rated_by(judgments), ratings_frame(judgments), ["style"], "scale")
    assert found.to_dict("records") == [{"style": "x", "n": 1, "mean": 1.0}]
    judgments = [judge("b", 1), judge("c", 2)]
    found = standing(rated_by(judgments), ratings_frame(judgments), [], "scale")
    assert found.to_dict("records") == [{"n": 2, "mean": 1.5}]
    unknown = pd.DataFrame({"style": [None, None], "rating": [1.0, 3.0]})
    assert standing(unknown, ratings_frame([]), ["style"], "scale")[["n", "mean"]].to_numpy().tolist() == [
        [2, 2]
    ]
    for mode in ("pairs", "scale"):
        found = standing(rated_by([]), ratings_frame([]), ["style"], mode)
        assert (list(found.columns), len(found)) == (["style", "n"], 0)


def test_the_standing_of_labels():
    """Each group has the share of each label."""
    judgments = [judge("a", "keep"), judge("b", "drop"), judge("c", "keep")]
    found = standing(rated_by(judgments, "labels"), ratings_frame(judgments), ["style"], "labels")
    found = found.set_index("style")
    assert found.loc["x", ["n", "keep", "drop"]].tolist() == [2, 0.5, 0.5]
    assert found.loc["y", ["n", "keep", "drop"]].tolist() == [2, 1.0, 0.0]


def test_agreement_needs_two_raters_of_one_text():
    """One rater, and raters of different texts, have no agreement; equal ratings agree fully."""
    one = [judge("a", 4), judge("b", 1)]
    assert agreement(one, "scale") is None
    assert agreement([*one, judge("c", 4, "ben")], "scale") is None
    assert agreement([*one, judge("a", 4, "ben"), judge("b", 1, "ben")], "scale") == 1
    near = agreement([*one, judge("a", 5, "ben"), judge("b", 1, "ben")], "scale")
    far = agreement(
        [judge("a", "4"), judge("b", "1"), judge("a", "5", "ben"), judge("b", "1", "ben")], "labels"
    )
    assert near > far


@pytest.mark.parametrize("content", [("x|y", "y|x"), ("", "")])
def test_raters_of_a_pair_agree_on_its_winner(content):
    """Whichever side it was shown on; by the texts, or by the ids of pictures."""

    def agree(*winners):
        judgments = [
            Judgment(1, "ana", "pairs", "Q", content=content[0], other=2, winner=each) for each in winners[:1]
        ]
        judgments += [
            Judgment(2, "ben", "pairs", "Q", content=content[1], other=1, winner=each) for each in winners[1:]
        ]
        tie = [
            Judgment(3, rater, "pairs", "Q", content=content[0] and "v|w", other=4)
            for rater in ("ana", "ben")
        ]
        return agreement([*judgments, *tie], "pairs")

    assert [agree(1, 1), agree(2, 2)] == [1, 1]
    assert agree(1, 2) == agree(2, 1) < 1
    assert agree(1, None) < 1
