"""Means over pairs of texts, with the intervals that simulation shows to hold.

``tests/benchmarks/bench_intervals.py`` has the simulation: how often each interval contains the value of
the pool that the texts were drawn from.
"""

from __future__ import annotations

from functools import lru_cache
from math import nan
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from inkframe.analysis.intervals import Mean, jackknife, t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["DIFFERENT", "LENGTH", "PROMPTS", "SIMILARITY", "PairMean", "Scale", "mean_of_pairs"]

#: From this number of prompts on, they are the unit of sampling, and an interval is about further prompts.
PROMPTS: Final = 8
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
