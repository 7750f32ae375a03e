"""Simulate how often recommend finds a winner, how often a wrong one, and how often its intervals hold, over all its looks.

Run by hand: ``python -m tests.benchmarks.bench_recommend --draws 20000``. The rule is computed here for many
draws at once, independently of the package; on some of the draws its verdicts are compared with recommend's.
Ratings are a normal quality, in units of its standard deviation, rounded to a scale of 5 with the middle at
``center``, for two cases that differ.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from inkframe.analysis import recommend
from inkframe.analysis.intervals import VERDICTS_AT
from inkframe.deciding.groups import SELECTED
from inkframe.deciding.verdict import BEST, SAME, UNDECIDED, WINNER

#: Mean quality of each group.
TIED = {
    "2 tied": (0, 0),
    "2 of 5 tied, others 1 lower": (1, 1, 0, 0, 0),
    "2 of 5 tied, .5 lower": (0.5, 0.5, 0, 0, 0),
}
APART = {
    "2 groups, 1 apart": (1, 0),
    "5 groups, 1 apart": (1, 0, 0, 0, 0),
    "2 groups, .5 apart": (0.5, 0),
    "5 groups, .5 apart": (0.5, 0, 0, 0, 0),
}
#: Further means for the intervals, which are worst where all groups are equal, and the numbers that people rate.
MORE = {"5 tied": (0, 0, 0, 0, 0), "3 spread": (0.8, 0.4, 0), "5 spread": (1, 0.75, 0.5, 0.25, 0)}
RATED = (10, 20, 40)
SCALES = {"not rounded": None, "scale of 5": 3.0, "scale of 5, mostly high": 4.0}
WRONG, SMALLEST = 0.05, 0.5
COMPARED = 6


def ratings(random, means, center, draws):
    """Return ratings by draw, document and group; documents alternate between two cases."""
    quality = np.array(means) + random.normal(size=(draws, VERDICTS_AT[-1], len(means)))
    quality += np.where(np.arange(VERDICTS_AT[-1]) % 2, 0.3, -0.3)[:, None]
    return quality if center is None else np.clip(np.round(center - np.max(means) / 2 + quality), 1, 5)


def estimates(values):
    """Return the mean of each group over the cases, its variance, and the degrees of freedom."""
    parts = [values[:, at::2] for at in range(2)]
    mean = sum(part.mean(1) for part in parts) / 2
    free = values.shape[1] - 2
    spread = sum(((part - part.mean(1, keepdims=True)) ** 2).sum(1) for part in parts) / free
    return mean, spread * sum(1 / part.shape[1] for part in parts) / 4, free


def welch(found, one, other):
    """Return the difference of two groups, its error, the degrees of freedom and the p-value."""
    mean, variance, free = found
    both = variance[:, one] + variance[:, other]
    with np.errstate(all="ignore"):
        df = both**2 / ((variance[:, one] ** 2 + variance[:, other] ** 2) / free)
        error = np.sqrt(np.where(both > 1e-20, both, np.nan))
        value = mean[:, one] - mean[:, other]
        return value, error, df, 2 * stats.t.sf(np.abs(value / error), df)


def verdicts(values, looks=VERDICTS_AT):
    """Return the verdict of each draw, its best group, and the look that it is from."""
    draws, _, groups = values.shape
    rows, pairs = np.arange(draws), list(combinations(range(groups), 2))
    said, winner, is_open = np.full(draws, UNDECIDED, object), np.full(draws, -1), np.ones(draws, bool)
    seen = np.full(draws, looks[-1])
    for look in looks:
        found = estimates(values[:, :look])
        best = found[0].argmax(1)
        p = np.stack([welch(found, *pair)[3] for pair in pairs], 1)
        order, adjusted, largest = (
            np.argsort(np.nan_to_num(p, nan=9), 1),
            np.full_like(p, np.nan),
            np.zeros(draws),
        )
        for rank in range(len(pairs)):
            value = p[rows, order[:, rank]]
            largest = np.fmax(largest, np.minimum(1, (len(pairs) - rank) * value))
            adjusted[rows, order[:, rank]] = np.where(np.isnan(value), np.nan, largest)
        table = np.full((2, draws, groups, groups), np.nan)
        for at, (one, other) in enumerate(pairs):
            table[:, :, one, other] = table[:, :, other, one] = p[:, at], adjusted[:, at]
        to_best = table[:, rows, best]
        is_best = np.arange(groups) == best[:, None]
        near = np.zeros((draws, groups), bool)
        for one, other in [*pairs, *(pair[::-1] for pair in pairs)]:
            value, error, df, _ = welch(found, one, other)
            inside = np.abs(value) + stats.t.ppf(1 - SAME * WRONG, df) * error < SMALLEST
            near[:, one] |= inside & (best == other)
        before = is_open
        wins = is_open & (is_best | (to_best[0] < WINNER * WRONG)).all(1)
        said[wins], winner[wins] = BEST, best[wins]
        is_open = is_open & ~wins
        same = is_open & (is_best | (to_best[1] < WINNER * WRONG) | near).all(1)
        said[same] = "any"
        is_open = is_open & ~same
        seen[before & ~is_open] = look
    return said, winner, seen


def held(values, truth, seen):
    """Return the share of the intervals of means that hold, and of those of differences to the best."""
    groups, means, differences = values.shape[2], [], []
    wrong = WRONG * (2 / groups) ** SELECTED
    for look in np.unique(seen):
        found = estimates(values[seen == look][:, :look])
        mean, variance, free = found
        known, best = variance > 1e-20, mean.argmax(1)
        means.append((np.abs(mean - truth) <= stats.t.ppf(1 - WRONG / 2, free) * np.sqrt(variance))[known])
        for one, other in ((one, other) for one in range(groups) for other in range(groups) if one != other):
            value, error, df, _ = welch(found, one, other)
            rows = (best == one) & known[:, one] & known[:, other]
            width = stats.t.ppf(1 - wrong / 2, df) * error
            differences.append((np.abs(value - truth[one] + truth[other]) <= width)[rows])
    return np.concatenate(means).mean(), np.concatenate(differences).mean()


def intervals(random, draws):
    """Print how often intervals hold for each number of ratings, and the least and the most."""
    print(f"\n95 % intervals that hold: of means, of differences to the best; ratings {RATED}")
    rates = []
    for title, center in SCALES.items():
        for name, means in (TIED | APART | MORE).items():
            truth = np.mean([estimates(ratings(random, means, center, 20_000))[0].mean(0)], 0)
            row = []
            for count in RATED:
                values = ratings(random, means, center, draws)[:, :count]
                looks = [look for look in VERDICTS_AT if look <= count]
                row += held(values, truth, verdicts(values, looks)[2])
            rates.append(row)
            print(f"  {title:24} {name:28}", *(f"{rate:.3f}" for rate in row), flush=True)
    print("  least, mean, most of means", *share(np.array(rates)[:, ::2]))
    print("  least, mean, most of differences", *share(np.array(rates)[:, 1::2]))


def share(rates):
    return (f"{function(rates):.3f}" for function in (np.min, np.mean, np.max))


def check(values, said, winner):
    """Compare the verdicts on the first draws with those of recommend."""
    groups = values.shape[2]
    for at in range(min(COMPARED, len(values))):
        frame = pd.DataFrame(
            {
                "creativity": np.tile(np.arange(groups, dtype=float), VERDICTS_AT[-1]),
                "case": np.repeat(np.arange(VERDICTS_AT[-1]) % 2, groups).astype(str),
                "rating": values[at].ravel(),
            }
        )
        found = recommend(frame, column="rating", smallest=SMALLEST)
        verdict = found.verdict if found.verdict in {BEST, UNDECIDED} else "any"
        if verdict != said[at] or (verdict == BEST and found.choice != winner[at]):
            raise SystemExit(f"recommend says {found.sentence} where {said[at]} was expected.")


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    print(f"{options.draws} draws; standard error of a share of .05: {np.sqrt(0.0475 / options.draws):.4f}")
    for title, center in SCALES.items():
        print(f"\n{title}; over the looks at {VERDICTS_AT}: a winner, any will do, undecided; a wrong winner")
        for name, means in (TIED | APART).items():
            values = ratings(random, means, center, options.draws)
            said, winner, _ = verdicts(values)
            check(values, said, winner)
            wrong = said == BEST if name in TIED else winner > 0
            shares = [np.mean(said == each) for each in (BEST, "any", UNDECIDED)]
            print(
                f"  {name:30}", *(f"{share:8.3f}" for share in shares), f"; {np.mean(wrong):.4f}", flush=True
            )
            if len(means) == 2 and name in APART:
                value, _, _, p = welch(estimates(values[:, :20]), 0, 1)
                print(f"  {name + ', compared once at 20':40} found {np.mean((p < WRONG) & (value > 0)):.3f}")
    intervals(random, options.draws // 2)


if __name__ == "__main__":
    main()
