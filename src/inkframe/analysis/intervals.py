"""Confidence intervals of shares, of means, of means over pairs of texts, and of their differences.

``tests/benchmarks/bench_intervals.py`` has the simulation: how often each interval contains the value of
the pool that the texts were drawn from.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import isfinite, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from inkframe.errors import optional_library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "DIFFERENT",
    "FEWEST",
    "LENGTH",
    "PROMPTS",
    "SIMILARITY",
    "VERDICTS_AT",
    "Difference",
    "Mean",
    "Proportion",
    "bisect",
    "difference",
    "holm",
    "jackknife",
    "mean_of_pairs",
    "outlook",
    "t_quantile",
    "two_sided_p",
    "verdicts_at",
    "wilson",
]

#: Within rounding of 1, where the interval of a difference has any width.
CERTAIN: Final = 1 - 1e-15
#: A standard error below this share of the value is one of rounding.
ROUNDING: Final = 1e-12
#: The least degrees of freedom of an error that an interval is made of. The interval of two ratings that differ is
#: wider than their scale, and contains every mean.
FEWEST: Final = 2
#: Halvings of an interval; further ones do not change a double.
HALVINGS: Final = 64

#: From this number of prompts on, they are the unit of sampling, and an interval is about further prompts.
PROMPTS: Final = 8
#: The numbers of texts of each group at which a verdict can come, beside that of all once these are rated. People
#: look while they rate, and a test at every look would find a winner by chance too often.
VERDICTS_AT: Final = (10, 20, 30)
#: The texts beyond one of each case that a verdict within cases needs: with fewer, a clear lead is not named.
BEYOND_CASES: Final = 4
#: The minimum number of different texts of each prompt; fewer show little of what else there is.
DIFFERENT: Final = 3
#: The least jackknife variance, as a multiple of the one that unrelated pairs would have. Where the repeats
#: fall into even groups, the mean is near its least value, and no interval of these texts would hold.
LEAST: Final = 4
#: Texts whose pairs vary this much by the text alone are of one kind, with some that are less like all others.
#: They count with half a text of yet another kind, as similar to them as unrelated texts are: it lowers the
#: lower end, where few or none of the repeats are of the rarer kinds. ``BELOW`` is then that of the scale. Several
#: prompts have less of it each, as the error of their mean is less.
ONE_KIND, OTHER, UNRELATED, BELOW = 0.4, 0.5, 0.1, 0.68
#: The number of resamples.
RESAMPLES: Final = 2000


def verdicts_at(cases: int) -> tuple[int, ...]:
    """Return the numbers of texts of each group at which a verdict on so many cases can come."""
    return (max(VERDICTS_AT[0], (cases < PROMPTS) * (cases + BEYOND_CASES)), *VERDICTS_AT[1:])


def outlook(count: int, cases: int, noun: str = "text") -> str:
    """Return which verdicts so many texts of each group allow."""
    first, *later = verdicts_at(cases)
    *others, last = [f"{each:,}" for each in sorted({count, first, *later}) if first <= each <= count] or [""]
    verdicts = f"verdicts at {', '.join(others)} and {last}" if others else f"a verdict at {last}"
    said = verdicts if last else f"a verdict needs {first}"
    return f"{count:,} {noun}{'s' * (count != 1)} a level: {said}"


def wilson(successes: Any, trials: Any, confidence: float = 0.95) -> tuple[Any, Any]:
    """Compute the Wilson score interval of a proportion.

    E. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927), 209-212.

    Args:
        successes: Number of successes, a number or an array.
        trials: Number of trials, a number or an array of the same length.
        confidence: The confidence level, such as 0.95.

    Returns:
        The lower and the upper end, between 0 and 1; NaN if there were no trials.
    """
    successes, trials = np.asarray(successes, float), np.asarray(trials, float)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = successes / trials
        center = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
        half = z / (1 + z**2 / trials) * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    # Rounding must not move the ends beyond 0 and 1.
    return np.where(successes == 0, 0.0 * share, center - half), np.where(
        successes == trials, share, center + half
    )


class Mean(NamedTuple):
    """A mean, or another estimate with a standard error.

    Args:
        value: The estimate.
        variance: The square of its standard error; NaN if unknown.
        df: The degrees of freedom of that variance.
    """

    value: float
    variance: float
    df: float

    @property
    def error(self) -> float:
        """The standard error; NaN where nothing varied or little was seen, since that proves nothing."""
        least = (ROUNDING * max(1.0, abs(self.value))) ** 2
        return sqrt(self.variance) if self.df >= FEWEST and self.variance > least else nan

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval of Student's t."""
        half = t_quantile(confidence, self.df) * self.error
        return self.value - half, self.value + half

    @property
    def p(self) -> float:
        """The two-sided probability of an estimate this far from 0 if the truth is 0."""
        return two_sided_p(self.value / self.error, self.df) if self.error > 0 else nan


class Proportion(NamedTuple):
    """A share of successes.

    Args:
        value: The share.
        trials: The number of trials that it is worth.
    """

    value: float
    trials: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the Wilson interval."""
        low, high = wilson(self.value * self.trials, self.trials, confidence)
        return float(max(low, 0.0)), float(min(high, 1.0))


class Difference(NamedTuple):
    """The difference of two shares.

    Args:
        first: The one.
        second: The other, which is subtracted.
    """

    first: Proportion
    second: Proportion

    @property
    def value(self) -> float:
        """The difference."""
        return self.first.value - self.second.value

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return Newcombe's interval.

        R. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
        Medicine 17 (1998), 873-890, method 10.
        """
        one, other, value = self.first.value, self.second.value, self.value
        (low, high), (least, most) = self.first.interval(confidence), self.second.interval(confidence)
        return (
            value - sqrt((one - low) ** 2 + (most - other) ** 2),
            value + sqrt((high - one) ** 2 + (other - least) ** 2),
        )

    @property
    def p(self) -> float:
        """One minus the confidence at which the interval reaches 0."""
        sign = 1 if self.value >= 0 else -1

        def beyond(confidence: float) -> float:
            return max(-sign * end for end in self.interval(confidence))

        return 1.0 if beyond(0.0) >= 0 else 1 - bisect(beyond, 0.0, CERTAIN)


def difference(first: Mean | Proportion, second: Mean | Proportion) -> Mean | Difference:
    """Return the difference of two independent estimates, by Welch for means and by Newcombe for shares.

    B. Welch, "The generalization of Student's problem when several different population variances are
    involved", Biometrika 34 (1947), 28-35.
    """
    if isinstance(first, Proportion):
        return Difference(first, cast("Proportion", second))
    second = cast("Mean", second)
    variance = first.variance + second.variance
    parts = sum(each.variance**2 / each.df if each.df >= FEWEST else nan for each in (first, second))
    return Mean(first.value - second.value, variance, variance**2 / parts if parts else nan)


def t_quantile(confidence: float, df: float) -> float:
    """Return the half width, in standard errors, of a two-sided interval of Student's t."""
    return float(_special().stdtrit(df, (1 + confidence) / 2))


def two_sided_p(t: float, df: float) -> float:
    """Return the probability that Student's t with these degrees of freedom is at least as far from 0."""
    return float(2 * _special().stdtr(df, -abs(t)))


def _special() -> Any:
    return optional_library(
        "scipy.special",
        "Intervals and tests of means need SciPy, which is not installed.\n"
        'Install it: pip install "inkframe[analysis]"',
    )


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function crosses zero."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number.

    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979), 65-70.

    Args:
        values: P-values; those that are NaN count, but stay NaN.
    """
    adjusted = [nan] * len(values)
    known = sorted((value, at) for at, value in enumerate(values) if isfinite(value))
    products = (min(1.0, (len(values) - rank) * value) for rank, (value, _) in enumerate(known))
    for (_, at), largest in zip(known, accumulate(products, max), strict=True):
        adjusted[at] = largest
    return adjusted


def jackknife(estimates: Sequence[NDArray[np.float64]], value: float) -> Mean:
    """Compute the standard error of an estimate from those without one observation each.

    B. Efron and C. Stein, "The jackknife estimate of variance", Annals of Statistics 9 (1981), 586-596.

    Args:
        estimates: For each stratum, the estimates without one of its observations.
        value: The estimate from all.
    """
    sizes = np.array([each.size for each in estimates], float)
    variances = np.array([each.var() for each in estimates]) * (sizes - 1)
    total = variances.sum()
    parts = (variances**2 / (sizes - 1)).sum()
    return Mean(value, float(total), float(total**2 / parts) if parts else nan)


class Scale(NamedTuple):
    """What is averaged, and the interval that holds for it.

    Args:
        below: The quantile of the resamples that is the lower end, on the normal scale, as a multiple of the
            nominal one.
        above: The quantile that is the upper end.
        repeats: The minimum number of repeats of each prompt, if there are few prompts.
        is_bounded: Whether the largest value is 1.
    """

    below: float
    above: float
    repeats: int
    is_bounded: bool = False

    def forward(self, value: Any) -> Any:
        """Return values on the scale on which they are symmetric."""
        return np.log(value) - (np.log1p(-value) if self.is_bounded else 0)

    def back(self, value: Any) -> Any:
        """Return values from that scale."""
        return 1 / (1 + np.exp(-value)) if self.is_bounded else np.exp(value)


#: With fewer repeats no interval holds for copies of a few texts as well as for one text in ten of another kind.
SIMILARITY: Final = Scale(below=0.77, above=1.14, repeats=15, is_bounded=True)

#: With fewer repeats the interval misses the value where one text in twenty is much longer.
LENGTH: Final = Scale(below=0.84, above=1.19, repeats=60)


class PairMean(NamedTuple):
    """A mean over pairs.

    Args:
        value: The mean.
        ends: The ends of its interval; NaN if there is none.
        estimate: The mean and its error on the scale, for tests; the error is NaN if there is no interval.
    """

    value: float
    ends: tuple[float, float]
    estimate: Mean


def mean_of_pairs(matrices: Sequence[NDArray[np.float64]], scale: Scale, confidence: float) -> PairMean:
    """Average values over the pairs of texts of each prompt, and then over the prompts.

    Intervals over many prompts are of Student's t. Those over few are quantiles of means in which the texts
    have random weights: D. Rubin, "The Bayesian bootstrap", Annals of Statistics 9 (1981), 130-134. The
    weights vary as much as Student's t does beyond the normal distribution.

    Args:
        matrices: For each prompt the value of each pair of its texts, of at least two; the diagonal is
            ignored.
        scale: ``SIMILARITY`` or ``LENGTH``.
        confidence: The confidence level of the interval.
    """
    sizes = np.array([len(matrix) for matrix in matrices])
    pairs, count = sizes * (sizes - 1), len(matrices)
    sums = [matrix.sum(axis=0) - matrix.diagonal() for matrix in matrices]
    means = np.array([each.sum() for each in sums]) / pairs
    value = float(means.mean()) if count else nan
    if count >= PROMPTS:
        estimate = _jackknife([(means.sum() - means) / (count - 1)], value, scale)
        low, high = map(scale.back, estimate.interval(confidence))
        return PairMean(value, (float(low), float(high)), estimate)
    unknown = PairMean(value, (nan, nan), Mean(nan, nan, nan))
    if not count or (sizes < scale.repeats).any():
        return unknown
    if any(len(np.unique(matrix, axis=0)) < DIFFERENT for matrix in matrices):
        return unknown
    without = [
        value + ((each.sum() - 2 * each) / ((n - 1) * (n - 2)) - mean) / count
        for each, n, mean in zip(sums, sizes, means, strict=True)
    ]
    spread = [matrix[np.triu_indices(len(matrix), 1)].var() for matrix in matrices]
    unrelated = float((2 * np.array(spread) / pairs).sum()) / count**2
    variance = jackknife(without, value).variance
    estimate = _jackknife(without, value, scale)
    if variance <= LEAST * unrelated or not estimate.error > 0:
        return unknown
    is_one_kind = scale.is_bounded and variance > ONE_KIND * sizes.mean() * unrelated
    other = OTHER / count**0.5 if is_one_kind else 0.0
    drawn = np.mean([_resampled(matrix, other, at) for at, matrix in enumerate(matrices)], axis=0)
    below = BELOW if is_one_kind else scale.below
    normal = NormalDist()
    nominal = normal.inv_cdf((1 + confidence) / 2)
    low, high = np.quantile(drawn, [normal.cdf(-below * nominal), normal.cdf(scale.above * nominal)])
    return PairMean(value, (float(low), float(high)), estimate)


def _jackknife(without: list[NDArray[np.float64]], value: float, scale: Scale) -> Mean:
    with np.errstate(all="ignore"):
        return jackknife([scale.forward(each) for each in without], float(scale.forward(np.float64(value))))


def _resampled(matrix: NDArray[np.float64], other: float, seed: int) -> NDArray[np.float64]:
    """Return weighted means over the pairs of a prompt, with so much of a text of another kind.

    The order of the texts does not matter.
    """
    order = np.argsort(matrix.sum(axis=0), kind="stable")
    pairs = matrix[np.ix_(order, order)]
    if other:
        mean = (matrix.sum() - matrix.trace()) / (len(matrix) ** 2 - len(matrix))
        pairs = np.pad(pairs, (0, 1), constant_values=min(mean, UNRELATED))
    np.fill_diagonal(pairs, 0)
    weights = _weights(len(matrix), other, seed)
    return np.asarray(((weights @ pairs) * weights).sum(axis=1) / (1 - (weights**2).sum(axis=1)))


@lru_cache(maxsize=16)
def _weights(count: int, other: float, seed: int) -> NDArray[np.float64]:
    normal = NormalDist().inv_cdf(0.975)
    shape = ((count - 1) * (normal / t_quantile(0.95, count - 1)) ** 2 - 1) / count
    shapes = np.array([1.0] * count + [other] * (other > 0)) * shape
    drawn = np.random.default_rng(seed).standard_gamma(shapes, (RESAMPLES, shapes.size))
    return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))
