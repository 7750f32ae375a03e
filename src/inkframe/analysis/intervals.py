"""Confidence intervals of shares, of means, and of their differences."""

from __future__ import annotations

from itertools import accumulate
from math import isfinite, nan, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from inkframe.analysis.validation import optional_library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "Difference",
    "Mean",
    "Rate",
    "bisect",
    "difference",
    "holm",
    "jackknife",
    "t_quantile",
    "two_sided_p",
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


class Rate(NamedTuple):
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

    first: Rate
    second: Rate

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


def difference(first: Mean | Rate, second: Mean | Rate) -> Mean | Difference:
    """Return the difference of two independent estimates, by Welch for means and by Newcombe for shares.

    B. Welch, "The generalization of Student's problem when several different population variances are
    involved", Biometrika 34 (1947), 28-35.
    """
    if isinstance(first, Rate):
        return Difference(first, cast("Rate", second))
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
    return optional_library("scipy.special", "Intervals and tests of means need SciPy", "analysis")


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
