"""Compare groups by judgments of pairs, and raters by their agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd

from inkframe.analysis.intervals import wilson
from inkframe.analysis.validation import annotate, confidence_level, flags, require, whole
from inkframe.deciding.groups import columns_of_groups, plain_value
from inkframe.errors import InvalidArgument, checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Level = Literal["nominal", "ordinal", "interval"]

__all__ = ["krippendorff_alpha", "strengths", "win_rates"]

#: Before a column of the other record of a pair.
OTHER: Final = "other_"
#: The penalty on squared strengths where a group wins or loses everything, so that they stay finite.
PENALTY: Final = 0.1
#: How much further than the resamples the ends are from the estimate. A judgment has the mean of the weights of two
#: records, so it is 2 where records vary, and the root of 2 where only judgments do.
WIDER: Final = 1.75
#: Steps of Newton's method, the largest step, and where it has converged.
STEPS: Final = 100
LARGEST: Final = 1.0
CONVERGED: Final = 1e-12
UNITS: Final = {
    "n": "judgments against other groups",
    "strength": "log odds against an average group (Bradley-Terry)",
    "strength_low": "lower end of its interval",
    "strength_high": "upper end of its interval",
    "win_rate": "probability of winning against another group, mean over the groups",
    "low": "lower end of its interval",
    "high": "upper end of its interval",
}


@checked
def win_rates(
    ratings: pd.DataFrame,
    *,
    by: str | Sequence[str],
    confidence: float = 0.95,
    resamples: int = 1000,
    random_state: int = 0,
) -> pd.DataFrame:
    """Estimate how often each group wins against the others, from judgments of pairs.

    The strengths are those of R. Bradley and M. Terry, "Rank analysis of incomplete block designs",
    Biometrika 39 (1952), 324-345; a tie is half a win for both. Intervals are percentiles of a bootstrap
    that resamples the records of each group, since a record takes part in several pairs. Where a group wins
    or loses everything, a small penalty keeps the strengths finite, the strength has no interval, and the
    win rate has Wilson's, with its records as trials. Groups that no chain of judgments
    connects cannot be compared; the notes name them, and their strengths are not comparable.

    Args:
        ratings: Judgments of pairs with revealed groups, such as ``panel.ratings``: id, other, winner (missing
            for a tie), the columns of the groups, and the same with ``other_`` before the name. Judgments that
            were not blind are left out.
        by: The column of the groups, or a list of columns.
        confidence: The confidence level of the intervals.
        resamples: The number of resamples.
        random_state: Seed of the resamples.

    Returns:
        A row for each group in its own order: the group, n (judgments), strength, strength_low, strength_high,
        win_rate, low, high.

    Raises:
        InvalidArgument: A column is missing, or there are fewer than two groups.
    """
    confidence_level(confidence)
    whole("resamples", resamples)
    columns = columns_of_groups(by)
    require(ratings)
    if "winner" in ratings.columns and not set(columns) <= set(ratings.columns):
        raise InvalidArgument(
            f"The ratings have no column {next(name for name in columns if name not in ratings.columns)!r}.\n"
            "Call reveal() on the panel first, or pass another column with by=…"
        )
    require(ratings, "id", "other", "winner", *columns, *(OTHER + name for name in columns))
    notes = []
    if "blind" in ratings.columns and (seen := ~flags(ratings.fillna({"blind": True}), "blind")).any():
        notes.append(
            f"Left out as judged after the group was seen: {seen.sum()} of {len(ratings)} judgments."
        )
        ratings = ratings[~seen]
    judged = _judged(ratings, columns)
    rows = judged.groupby(columns, sort=True, observed=True)
    labels = [dict(zip(columns, map(plain_value, name), strict=True)) for name, _ in rows]
    if len(labels) < 2:  # a comparison needs two
        raise InvalidArgument(
            f"A comparison needs judgments of at least 2 groups, got {len(labels)}.\n"
            "Rate pairs of records of different groups."
        )
    # Each judgment has two rows: one for each record.
    every = rows.ngroup().to_numpy(np.int64), judged["item"].to_numpy(np.int64)
    group, item = (each.reshape(2, -1) for each in every)
    score = judged["score"].to_numpy()[: group.shape[1]]
    apart = group[0] != group[1]
    group, item, score = group[:, apart], item[:, apart], score[apart]
    count = len(labels)
    wins = _wins(group, score, np.ones((1, score.size)), count)
    connected = _reach(wins[0] + wins[0].T)
    weights = _resampled(*every, resamples, random_state)
    drawn = strengths(_wins(group, score, (weights[:, item[0]] + weights[:, item[1]]) / 2, count))
    found = strengths(wins)
    (value,), (rate,) = _rates(found, connected)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    ends, rate_ends = (
        np.quantile(each, tails, axis=0) for each in _rates(found + WIDER * (drawn - found), connected)
    )
    # Where a group wins or loses everything, so it does in every resample: its records are so many trials.
    won, lost = wins[0].sum(axis=1), wins[0].sum(axis=0)
    records = np.array([np.unique(item[group == at]).size for at in range(count)])
    one_sided = (won == 0) != (lost == 0)
    ends[:, one_sided] = np.nan
    rate_ends[:, one_sided] = np.array(wilson(np.where(lost == 0, records, 0), records, confidence))[
        :, one_sided
    ]
    if len(parts := sorted({tuple(np.flatnonzero(row).tolist()) for row in connected})) > 1:
        names = [" and ".join(", ".join(map(str, labels[at].values())) for at in part) for part in parts]
        notes.append(f"Not connected by judgments, so not comparable: {'; '.join(names)}.")
    table = pd.DataFrame(labels)
    table["n"] = (wins[0] + wins[0].T).sum(axis=1).astype("int64")
    table["strength"], table["strength_low"], table["strength_high"] = value, *ends
    table["win_rate"], table["low"], table["high"] = rate, *rate_ends
    return annotate(table, dict.fromkeys(columns, "group") | UNITS, *notes)


def _judged(ratings: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return a row for each record of each judgment: its group, its number, and how often the first won."""
    names = ["id", "other", *columns, *(OTHER + name for name in columns)]
    pairs = ratings[ratings[names].notna().all(axis=1)]
    ids = [pairs[name].astype(str) for name in ("id", "other")]
    winner = pairs["winner"].astype(str).where(pairs["winner"].notna())
    score = np.select([winner.isna(), winner == ids[0], winner == ids[1]], [0.5, 1.0, 0.0], np.nan)
    if np.isnan(score).any():
        raise InvalidArgument(
            "winner must be the id of one of the two records, or missing for a tie, got "
            f"{winner[np.isnan(score)].iloc[0]!r}.\nPass ratings of a RatingPanel with mode='pairs'."
        )
    other = pairs[[OTHER + name for name in columns]].set_axis(columns, axis=1)
    judged = pd.concat([pairs[columns], other], ignore_index=True)
    return judged.assign(item=pd.factorize(pd.concat(ids))[0], score=np.tile(score, 2))


def _wins(
    group: NDArray[Any], score: NDArray[Any], weights: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return how often each group won against each other, for each row of weights of the judgments."""
    places = np.zeros((score.size, count * count))
    one, other = group
    places[np.arange(score.size), one * count + other] = score
    places[np.arange(score.size), other * count + one] = 1 - score
    return np.asarray(weights @ places).reshape(-1, count, count)


def _resampled(
    groups: NDArray[Any], items: NDArray[Any], resamples: int, random_state: int
) -> NDArray[np.float64]:
    """Return how often each record is drawn, if those of each group are drawn with replacement."""
    random = np.random.default_rng(random_state)
    _, first = np.unique(items, return_index=True)
    group = groups[first]
    drawn = np.empty((resamples, group.size))
    for each in np.unique(group):
        size = (group == each).sum()
        drawn[:, group == each] = random.multinomial(size, np.full(size, 1 / size), size=resamples)
    return drawn


def strengths(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strengths of groups that explain their wins best, with mean 0.

    Args:
        wins: How often each group (row) won against each other (column); any number of such tables.
    """
    games, count = wins + wins.swapaxes(-1, -2), wins.shape[-1]
    penalty = np.where(_reach(wins).all(axis=(-1, -2)), 0.0, PENALTY)[..., None]
    found = np.zeros(wins.shape[:-1])
    for _ in range(STEPS):
        chance = _chance(found)
        slope = wins.sum(-1) - (games * chance).sum(-1) - 2 * penalty * found
        information = games * chance * (1 - chance)
        curve = -information + np.eye(count) * (information.sum(-1) + 2 * penalty)[..., None]
        # The mean is free, so any value on it makes the curve invertible.
        step = np.linalg.solve(curve + 1 / count, slope[..., None])[..., 0]
        found += step * np.minimum(1, LARGEST / np.maximum(np.abs(step).max(-1, keepdims=True), CONVERGED))
        if np.abs(step).max() < CONVERGED:
            break
    return np.asarray(found - found.mean(-1, keepdims=True))


def _rates(
    value: NDArray[np.float64], connected: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return strengths and win rates among connected groups; NaN for a group that was never compared."""
    # A group is connected with itself, and has an even chance against itself.
    size = connected.sum(axis=1)
    with np.errstate(invalid="ignore"):
        rate = ((_chance(value) * connected).sum(-1) - 0.5) / (size - 1)
    return np.where(size > 1, value - value @ connected / size, np.nan), rate


def _chance(value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(value[..., None, :] - value[..., :, None])))


def _reach(wins: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which groups a chain of wins leads to from which, for any number of tables."""
    found = (wins > 0) | np.eye(wins.shape[-1], dtype=bool)
    for _ in range(int(wins.shape[-1]).bit_length()):
        found = found @ found
    return np.asarray(found)


def krippendorff_alpha(
    judgments: Iterable[tuple[Hashable, Hashable, Any]], level: Level = "nominal"
) -> float | None:
    """Return how well raters agree: 1 for full agreement, 0 for what chance would give, less for worse.

    Units that fewer than two raters judged do not count. Source: K. Krippendorff, "Computing Krippendorff's
    Alpha-Reliability", University of Pennsylvania, 2011.

    Args:
        judgments: The unit, the rater and the value of each judgment; of several by one rater the last counts.
        level: ``nominal`` for labels, ``ordinal`` for ranks, ``interval`` for numbers.

    Returns:
        The coefficient, or None if no two raters judged the same unit, or all values are equal.
    """
    units: dict[Hashable, dict[Hashable, Any]] = defaultdict(dict)
    for unit, rater, value in judgments:
        units[unit][rater] = value
    pairable = [list(values.values()) for values in units.values() if len(values) > 1]
    counts = Counter(value for values in pairable for value in values)
    if len(counts) < 2:
        return None
    values = sorted(counts) if level != "nominal" else list(counts)
    place = {value: at for at, value in enumerate(values)}
    totals = np.array([counts[value] for value in values], dtype=float)
    coincidences = np.zeros((len(values), len(values)))
    for unit_values in pairable:
        for one, other in permutations(unit_values, 2):
            coincidences[place[one], place[other]] += 1 / (len(unit_values) - 1)
    distances = _distances(values, totals, level)
    expected = (np.outer(totals, totals) * distances).sum() / (totals.sum() - 1)
    return float(1 - (coincidences * distances).sum() / expected)


def _distances(values: list[Any], totals: np.ndarray, level: Level) -> np.ndarray:
    """Return the squared difference of each two values."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # Of ranks, half of those at both ends and all between them count.
    scale = np.cumsum(totals) - totals / 2 if level == "ordinal" else np.array(values, dtype=float)
    distances: np.ndarray = np.subtract.outer(scale, scale) ** 2
    return distances
