"""Simulate how often recommend finds a winner, how often a wrong one, and how often its intervals hold, over all its looks.

Run by hand: ``python -m tests.benchmarks.bench_recommend --draws 20000``. The rule is computed here for many
draws at once, independently of the package; on some of the draws its verdicts are compared with recommend's.
Ratings are a normal quality, in units of its standard deviation, rounded to a scale of 5 with the middle at
``center``, for two cases that differ, and for eight in the order of a panel.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from tests.benchmarks.measuring import options

from inkframe.analysis import recommend
from inkframe.analysis.intervals import PROMPTS, verdicts_at
from inkframe.deciding.groups import POOLED, SELECTED
from inkframe.deciding.verdict import BEST, MOST, OVER_CASES, SAME, UNDECIDED, WINNER

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
#: Over eight cases: the mean of each level, of which the first is the best one or two are tied, and the noise.
CASES, CENTER = PROMPTS, 3.0
BY_CASE = {
    "lead 2": ((2, 0, 0, 0, 0), 0.8),
    "lead 2, 2 levels": ((2, 0), 0.8),
    "2 of 5 tied, others 2 lower": ((2, 2, 0, 0, 0), 0.8),
    "2 of 5 tied, others 1 lower": ((1, 1, 0, 0, 0), 0.8),
    "2 tied": ((0, 0), 0.8),
    "5 tied": ((0, 0, 0, 0, 0), 0.8),
    "2 of 5 tied, noise .4 and 1.2": ((1.5, 1.5, 0, 0, 0), (0.4, 1.2, 0.8, 0.8, 0.8)),
    "2 of 5 tied, noise 1.2, that of the others .4": ((1.5, 1.5, 0, 0, 0), (1.2, 1.2, 0.4, 0.4, 0.4)),
    "2 tied, noise .4 and 1.2": ((0, 0), (0.4, 1.2)),
}


def ratings(random, means, center, draws, cases=2, count=MOST, spreads=1.0, apart=0.6):
    """Return ratings by draw, document and group; documents alternate between cases, which differ at random."""
    effects = np.array([[-0.5, 0.5]]) if cases == 2 else random.normal(size=(draws, cases))
    quality = np.array(means) + random.normal(size=(draws, count, len(means))) * spreads
    quality += apart * effects[:, np.arange(count) % cases][..., None]
    return quality if center is None else np.clip(np.round(center - np.max(means) / 2 + quality), 1, 5)


class Estimates:
    """The mean of each group over the cases, its variance, and the degrees of freedom."""

    def __init__(self, values, cases=2):
        number = np.arange(values.shape[1]) % cases
        parts = [values[:, number == at] for at in range(number.max() + 1)]
        cells = np.stack([part.mean(1) for part in parts], 1)
        self.mean, self.cells = cells.mean(1), cells if len(parts) >= PROMPTS else None
        if self.cells is not None:
            self.variance, self.free = cells.var(1, ddof=1) / len(parts), len(parts) - 1
            left = (
                cells - self.mean[:, None] - cells.mean(2, keepdims=True) + cells.mean((1, 2), keepdims=True)
            )
            self.pooled = 2 * (left**2).sum((1, 2)) / max(1, values.shape[2] - 1) / self.free / len(parts)
        else:
            self.free = values.shape[1] - len(parts)
            within = sum(((part - part.mean(1, keepdims=True)) ** 2).sum(1) for part in parts)
            weight = sum(1 / part.shape[1] for part in parts) / len(parts) ** 2
            self.variance = within / max(1, self.free) * weight

    @property
    def share(self):
        """The share of the error that a winner may take."""
        return WINNER if self.cells is None else OVER_CASES

    def pair(self, one, other):
        """Return the difference of two groups, its error, the degrees of freedom and the p-value."""
        value = self.mean[:, one] - self.mean[:, other]
        with np.errstate(all="ignore"):
            if self.cells is None:
                both = self.variance[:, one] + self.variance[:, other]
                df = both**2 / ((self.variance[:, one] ** 2 + self.variance[:, other] ** 2) / self.free)
            else:
                own = (self.cells[..., one] - self.cells[..., other]).var(1, ddof=1) / self.cells.shape[1]
                more = POOLED if self.cells.shape[2] > 2 else 0
                both = (self.free * own + more * self.pooled) / (self.free + more)
                df = np.full_like(both, self.free + more)
            error = np.sqrt(np.where(both > 1e-20, both, np.nan))
            return value, error, df, 2 * stats.t.sf(np.abs(value / error), df)


def looks_at(count, cases=2):
    """Return the numbers of documents of each group at which a verdict can come."""
    first, *later = verdicts_at(cases)
    return [each for each in sorted({count, first, *later}) if first <= each <= count]


def verdicts(values, cases=2):
    """Return the verdict of each draw, its best group, and the look that it is from."""
    draws, count, groups = values.shape
    rows, pairs, looks = np.arange(draws), list(combinations(range(groups), 2)), looks_at(count, cases)
    said, winner, is_open = np.full(draws, UNDECIDED, object), np.full(draws, -1), np.ones(draws, bool)
    seen = np.full(draws, count)
    for look in looks:
        found = Estimates(values[:, :look], cases)
        best, most = found.mean.argmax(1), found.share * WRONG
        p = np.stack([found.pair(*pair)[3] for pair in pairs], 1)
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
            value, error, df, _ = found.pair(one, other)
            inside = np.abs(value) + stats.t.ppf(1 - SAME * WRONG, df) * error < SMALLEST
            near[:, one] |= inside & (best == other)
        before = is_open
        wins = is_open & (is_best | (to_best[0] < most)).all(1)
        said[wins], winner[wins] = BEST, best[wins]
        is_open = is_open & ~wins
        same = is_open & (is_best | (to_best[1] < most) | near).all(1)
        said[same] = "any"
        is_open = is_open & ~same
        seen[before & ~is_open] = look
    return said, winner, seen


def held(values, truth, seen, cases=2):
    """Return the share of the intervals of means that hold, and of those of differences to the best."""
    groups, means, differences = values.shape[2], [], []
    wrong = WRONG * (2 / groups) ** SELECTED
    for look in np.unique(seen):
        found = Estimates(values[seen == look][:, :look], cases)
        known, best = found.variance > 1e-20, found.mean.argmax(1)
        width = stats.t.ppf(1 - WRONG / 2, found.free) * np.sqrt(found.variance)
        means.append((np.abs(found.mean - truth) <= width)[known])
        for one, other in ((one, other) for one in range(groups) for other in range(groups) if one != other):
            value, error, df, _ = found.pair(one, other)
            rows = (best == one) & ~np.isnan(error)
            width = stats.t.ppf(1 - wrong / 2, df) * error
            differences.append((np.abs(value - truth[one] + truth[other]) <= width)[rows])
    return np.concatenate(means).mean(), np.concatenate(differences).mean()


def by_case(random, draws):
    """Print what a panel promises over eight cases, in the order that it shows them: one text of each level of a case."""
    print(
        f"\n{CASES} cases × levels × repeats, scale of 5: named right and wrong at the first look, and at the end;"
    )
    print("95 % intervals that hold at the end: of means, of differences to the best")
    for name, (means, spreads) in BY_CASE.items():
        is_tied = max(means) == sorted(means)[-2]
        options = {"cases": CASES, "spreads": np.array(spreads), "apart": 0.3}
        truth = np.mean(
            [
                Estimates(ratings(random, means, CENTER, 5000, count=8, **options), CASES).mean.mean(0)
                for _ in range(20)
            ],
            0,
        )
        for repeats in (2, 3, 5):
            values = ratings(random, means, CENTER, draws, count=CASES * repeats, **options)
            said, winner, seen = verdicts(values, CASES)
            check(values, said, winner, CASES)
            row = []
            for last in (verdicts_at(CASES)[0], CASES * repeats):
                is_named = (said == BEST) & (seen <= last)
                right = is_named & (winner == 0) & (not is_tied)
                row += [np.mean(right), np.mean(is_named & ~right)]
            row += held(values, truth, seen, CASES)
            print(f"  {name:44} {repeats}", *(f"{rate:.3f}" for rate in row), flush=True)


def first_looks(random, draws):
    """Print how often a lead of two points is named at the first number that is promised, for each number of cases."""
    means, noise = BY_CASE["lead 2"]
    print(
        "\nLead 2, noise .8, 5 levels and 2: named right at the first promised number of texts of so many cases"
    )
    for cases in range(1, 17):
        (count, *_), row = verdicts_at(cases), []
        for each in (means, means[:2]):
            values = ratings(random, each, CENTER, draws, cases=cases, count=count, spreads=noise, apart=0.3)
            said, winner, _ = verdicts(values, cases)
            check(values, said, winner, cases)
            row.append(np.mean((said == BEST) & (winner == 0)))
        print(f"  {cases:2} {count}", *(f"{rate:.3f}" for rate in row), flush=True)


def intervals(random, draws):
    """Print how often intervals hold for each number of ratings, and the least and the most."""
    print(f"\n95 % intervals that hold: of means, of differences to the best; ratings {RATED}")
    rates = []
    for title, center in SCALES.items():
        for name, means in (TIED | APART | MORE).items():
            truth = Estimates(ratings(random, means, center, 20_000)).mean.mean(0)
            row = []
            for count in RATED:
                values = ratings(random, means, center, draws)[:, :count]
                row += held(values, truth, verdicts(values)[2])
            rates.append(row)
            print(f"  {title:24} {name:28}", *(f"{rate:.3f}" for rate in row), flush=True)
    print("  least, mean, most of means", *share(np.array(rates)[:, ::2]))
    print("  least, mean, most of differences", *share(np.array(rates)[:, 1::2]))


def share(rates):
    return (f"{function(rates):.3f}" for function in (np.min, np.mean, np.max))


def check(values, said, winner, cases=2):
    """Compare the verdicts on the first draws with those of recommend."""
    _, count, groups = values.shape
    for at in range(min(COMPARED, len(values))):
        frame = pd.DataFrame(
            {
                "creativity": np.tile(np.arange(groups, dtype=float), count),
                "case": np.repeat(np.arange(count) % cases, groups).astype(str),
                "rating": values[at].ravel(),
            }
        )
        found = recommend(frame, column="rating", smallest=SMALLEST)
        verdict = found.verdict if found.verdict in {BEST, UNDECIDED} else "any"
        if verdict != said[at] or (verdict == BEST and found.choice != winner[at]):
            raise SystemExit(f"recommend says {found.sentence} where {said[at]} was expected.")


def main():
    """Print the table."""
    given = options(__doc__, draws=5000, seed=1)
    random = np.random.default_rng(given.seed)
    print(f"{given.draws} draws; standard error of a share of .05: {np.sqrt(0.0475 / given.draws):.4f}")
    for title, center in SCALES.items():
        print(
            f"\n{title}; over the looks at {looks_at(MOST)}: a winner, any will do, undecided; a wrong winner"
        )
        for name, means in (TIED | APART).items():
            values = ratings(random, means, center, given.draws)
            said, winner, _ = verdicts(values)
            check(values, said, winner)
            wrong = said == BEST if name in TIED else winner > 0
            shares = [np.mean(said == each) for each in (BEST, "any", UNDECIDED)]
            print(
                f"  {name:30}", *(f"{share:8.3f}" for share in shares), f"; {np.mean(wrong):.4f}", flush=True
            )
            if len(means) == 2 and name in APART:
                value, _, _, p = Estimates(values[:, :20]).pair(0, 1)
                print(f"  {name + ', compared once at 20':40} found {np.mean((p < WRONG) & (value > 0)):.3f}")
    by_case(random, given.draws)
    first_looks(random, given.draws)
    intervals(random, given.draws // 2)


if __name__ == "__main__":
    main()
