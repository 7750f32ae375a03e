"""Simulate how often recommend finds a winner, and how often a wrong one, over all its looks.

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
from inkframe.deciding.groups import VERDICTS_AT
from inkframe.deciding.recommend import BEST, SAME, UNDECIDED, WINNER

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


def verdicts(values):
    """Return the verdict of each draw, and its best group."""
    draws, _, groups = values.shape
    rows, pairs = np.arange(draws), list(combinations(range(groups), 2))
    said, winner, is_open = np.full(draws, UNDECIDED, object), np.full(draws, -1), np.ones(draws, bool)
    for look in VERDICTS_AT:
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
        wins = is_open & (is_best | (to_best[0] < WINNER * WRONG)).all(1)
        said[wins], winner[wins] = BEST, best[wins]
        is_open &= ~wins
        same = is_open & (is_best | (to_best[1] < WINNER * WRONG) | near).all(1)
        said[same] = "any"
        is_open &= ~same
    return said, winner


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
            said, winner = verdicts(values)
            check(values, said, winner)
            wrong = said == BEST if name in TIED else winner > 0
            shares = [np.mean(said == each) for each in (BEST, "any", UNDECIDED)]
            print(
                f"  {name:30}", *(f"{share:8.3f}" for share in shares), f"; {np.mean(wrong):.4f}", flush=True
            )
            if len(means) == 2 and name in APART:
                value, _, _, p = welch(estimates(values[:, :20]), 0, 1)
                print(f"  {name + ', compared once at 20':40} found {np.mean((p < WRONG) & (value > 0)):.3f}")


if __name__ == "__main__":
    main()
