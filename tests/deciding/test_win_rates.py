import numpy as np
import pandas as pd
import pytest

from inkframe.analysis import win_rates
from inkframe.deciding.win_rates import PENALTY, strengths
from inkframe.errors import InvalidArgument


def judged(count, groups=4, seed=0, items=40):
    """Return judgments of pairs, of which the groups win more often the higher their number."""
    random = np.random.default_rng(seed)
    rows = []
    for one, other in random.integers(0, items, (count, 2)):
        first, second = one % groups, other % groups
        won = random.random() < 1 / (1 + np.exp(0.8 * (second - first)))
        rows.append((one, other, one if won else other, first, second))
    return pd.DataFrame(rows, columns=["id", "other", "winner", "group", "other_group"])


def wins_of(ratings):
    """Return the winner and the loser of each judgment between groups, as choix takes them."""
    pairs = ratings[ratings["group"] != ratings["other_group"]]
    return [
        (row.group, row.other_group) if row.winner == row.id else (row.other_group, row.group)
        for row in pairs.itertuples()
    ]


@pytest.mark.integration
def test_strengths_equal_choix():
    """Strengths are the maximum of the likelihood that choix finds."""
    import choix

    ratings = judged(200)
    found = win_rates(ratings, by="group", resamples=20)
    expected = choix.opt_pairwise(4, wins_of(ratings), alpha=0, tol=1e-12)
    assert found["strength"].tolist() == pytest.approx(expected - expected.mean(), abs=1e-6)
    chance = 1 / (1 + np.exp(expected[None, :] - expected[:, None]))
    assert found["win_rate"].tolist() == pytest.approx((chance.sum(axis=1) - 0.5) / 3, abs=1e-6)
    assert found["n"].sum() == 2 * len(wins_of(ratings))


@pytest.mark.integration
def test_a_group_that_wins_everything_equals_choix():
    """With the penalty of choix strengths stay finite, and the interval reaches 1 but does not collapse."""
    import choix

    ratings = judged(200)
    top = (ratings["group"] != 3) | (ratings["winner"] == ratings["id"])
    top &= (ratings["other_group"] != 3) | (ratings["winner"] == ratings["other"])
    found = win_rates(ratings[top], by="group", resamples=20)
    expected = choix.opt_pairwise(4, wins_of(ratings[top]), alpha=PENALTY, tol=1e-12)
    assert found["strength"].tolist() == pytest.approx(expected - expected.mean(), abs=1e-6)
    assert found["high"].iloc[3] == 1
    assert 0.5 < found["low"].iloc[3] < 0.9
    assert np.isnan(found["strength_low"].iloc[3])


@pytest.mark.integration
def test_a_tie_is_half_a_win_for_both():
    """A missing winner counts half for each group, so that only ties make equal groups."""
    ratings = judged(60, groups=2).assign(winner=pd.NA)
    found = win_rates(ratings, by="group")
    assert found["win_rate"].tolist() == pytest.approx([0.5, 0.5])
    assert (found["low"] == found["high"]).all()


def test_two_groups_have_the_share_that_they_won():
    """With two groups the win rate is the share of judgments between them that each won."""
    ratings = judged(120, groups=2)
    won = np.array([winner for winner, _ in wins_of(ratings)])
    found = win_rates(ratings, by="group", resamples=50)
    assert found["win_rate"].tolist() == pytest.approx([1 - won.mean(), won.mean()])


@pytest.mark.integration
def test_records_are_resampled():
    """Many judgments of a few records are worth less than as many of different records, and depend on the seed."""
    at = np.arange(80)
    won = at % 4 < 3  # so of the few, one loses all its judgments
    few, many = (
        pd.DataFrame({"id": ids, "other": 100 + others, "winner": np.where(won, ids, 100 + others)}).assign(
            group="a", other_group="b"
        )
        for ids, others in ((at % 4, at // 4 % 4), (at, at))
    )
    wide, narrow = (
        (found["high"] - found["low"])[0]
        for found in (win_rates(each, by="group", resamples=300) for each in (few, many))
    )
    assert wide > 2 * narrow
    ratings = judged(120, groups=2)
    one, other = (win_rates(ratings, by="group", resamples=100, random_state=seed) for seed in (1, 2))
    assert one["low"].tolist() != other["low"].tolist()
    assert one["strength"].equals(other["strength"])


@pytest.mark.integration
def test_intervals_hold():
    """Intervals contain the win rate of groups whose records differ, in 88 percent or more of few draws."""
    random = np.random.default_rng(4)
    held = []
    for _ in range(60):
        quality = random.normal([[0.0], [0.8]], 0.5, (2, 20))
        one, other = random.integers(0, 20, (2, 80))
        won = random.random(80) < 1 / (1 + np.exp(quality[1, other] - quality[0, one]))
        rows = {"id": one, "other": 20 + other, "winner": np.where(won, one, 20 + other)}
        found = win_rates(pd.DataFrame(rows).assign(group="a", other_group="b"), by="group", resamples=200)
        held.append(found["low"].iloc[0] <= 0.326 <= found["high"].iloc[0])
    assert np.mean(held) > 0.87


@pytest.mark.integration
def test_groups_that_nothing_connects():
    """Groups that no judgments connect are named, and compared among themselves only."""
    ratings = judged(300)
    apart = ratings[ratings["group"] // 2 == ratings["other_group"] // 2]
    found = win_rates(apart, by="group", resamples=20)
    assert found.attrs["analysis"]["notes"] == [
        "Not connected by judgments, so not comparable: 0 and 1; 2 and 3."
    ]
    assert found["strength"].iloc[:2].sum() == pytest.approx(0)
    assert found["win_rate"].iloc[2:].sum() == pytest.approx(1)
    alone = win_rates(
        ratings[(ratings["group"] < 2) & (ratings["other_group"] == 0)], by="group", resamples=20
    )
    assert alone["n"].tolist()[0] == alone["n"].tolist()[1]


def test_strengths_of_many_tables():
    """Strengths of several tables at once are those of each."""
    tables = np.random.default_rng(1).integers(0, 5, (6, 3, 3)).astype(float)
    assert strengths(tables) == pytest.approx(
        np.array([strengths(table[None])[0] for table in tables]), abs=1e-9
    )


@pytest.mark.integration
def test_judgments_that_do_not_count():
    """Judgments that were not blind are left out."""
    ratings = judged(60).assign(blind=True)
    ratings.loc[:9, "blind"] = False
    found = win_rates(ratings, by="group", resamples=20)
    assert found.equals(win_rates(ratings[10:], by="group", resamples=20))
    assert found.attrs["analysis"]["notes"] == [
        "Left out as judged after the group was seen: 10 of 60 judgments."
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ratings: ratings.drop(columns="group"), r"Call reveal\(\)"),
        (lambda ratings: ratings.drop(columns="other"), "no column 'other'"),
        (lambda ratings: ratings.assign(winner=-1), "winner must be the id"),
        (
            lambda ratings: ratings[(ratings["group"] == 0) & (ratings["other_group"] == 0)],
            "at least 2 groups",
        ),
    ],
)
def test_other_frames_are_refused(change, message):
    """Ratings without groups, pairs or winners are refused."""
    with pytest.raises(InvalidArgument, match=message):
        win_rates(change(judged(60)), by="group")


def test_whole_table(recorded):
    """All columns, units and notes, also of groups that nothing connects."""
    recorded("rates", win_rates(judged(120), by="group", resamples=50))
    apart = pd.concat([judged(60, groups=2), judged(60, groups=2) + 100])
    recorded("apart", win_rates(apart, by="group", resamples=20, confidence=0.8))


@pytest.mark.parametrize("name", ["group", "other_group"])
def test_records_without_a_group_do_not_count(name):
    """A judgment of a record without a group is left out, on either side."""
    ratings = judged(60).astype({"group": "Int64", "other_group": "Int64"})
    lost = ratings.copy()
    lost.loc[:9, name] = pd.NA
    found = win_rates(lost, by="group", resamples=20)
    pd.testing.assert_frame_equal(found, win_rates(ratings[10:], by="group", resamples=20))
