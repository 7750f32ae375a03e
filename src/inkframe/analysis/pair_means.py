"""Means over pairs of texts, with the intervals that simulation shows to hold.

``tests/benchmarks/bench_intervals.py`` has the simulation: how often each interval contains the value of
the pool that the texts were drawn from.
"""

from __future__ import annotations

from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from inkframe.analysis.intervals import Mean, jackknife

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["LENGTH", "PROMPTS", "SIMILARITY", "PairMean", "Scale", "mean_of_pairs"]

#: From this number of prompts on, they are the unit of sampling, and an interval is about further prompts.
PROMPTS: Final = 8
#: The minimum number of different texts of a prompt, for few repeats and for more.
DIFFERENT: Final = (3, 4)
MORE: Final = 8
#: The least jackknife variance, as a share of the one that unrelated pairs would have. Where the repeats fall
#: into even groups, the jackknife sees less, and its interval would be too narrow.
LEAST: Final = 0.6
#: The lower end of a similarity allows for a kind of text that none of the repeats has: of the largest share
#: that is overlooked with this probability, and as similar to the others as unrelated texts are.
OVERLOOKED, UNRELATED = 0.2, 0.1


class Scale(NamedTuple):
    """The scale of a mean.

    Args:
        forward: To the scale on which the interval is symmetric.
        back: From it.
        top: The largest value.
        above: The share of the misses that the upper end may have.
        repeats: The minimum number of repeats of each prompt, if there are few prompts.
    """

    forward: Callable[[Any], Any]
    back: Callable[[Any], Any]
    top: float
    above: float
    repeats: int


#: The allowance for other kinds of texts leaves the lower end few misses.
SIMILARITY: Final = Scale(lambda x: np.log(x) - np.log1p(-x), lambda x: 1 / (1 + np.exp(-x)), 1, 0.9, 5)
#: With fewer repeats the interval misses the value where one text in ten is much longer.
LENGTH: Final = Scale(np.log, np.exp, inf, 0.5, 30)


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
        estimate = _jackknife([(means.sum() - means) / (count - 1)], value, scale.forward)
        low, high = map(scale.back, estimate.interval(confidence))
        return PairMean(value, (float(low), float(high)), estimate)
    different = [len(np.unique(matrix, axis=0)) for matrix in matrices]
    unknown = PairMean(value, (nan, nan), Mean(nan, nan, nan))
    if not count or (sizes < scale.repeats).any() or (different < np.take(DIFFERENT, sizes >= MORE)).any():
        return unknown
    without = [
        value + ((each.sum() - 2 * each) / ((n - 1) * (n - 2)) - mean) / count
        for each, n, mean in zip(sums, sizes, means, strict=True)
    ]
    spread = [matrix[np.triu_indices(len(matrix), 1)].var() for matrix in matrices]
    if jackknife(without, value).variance < LEAST * float((2 * np.array(spread) / pairs).sum()) / count**2:
        return unknown
    estimate = _jackknife(without, value, scale.forward)
    if isnan(estimate.error):
        return unknown
    low = float(scale.back(estimate.interval(confidence)[0]))
    within = max(0.0, 1 - 2 * scale.above * (1 - confidence))
    # Where few texts are alike, the mean is skewed to the right, and its reciprocal is less so.
    least, _ = _jackknife(without, value, np.reciprocal).interval(within)
    reciprocal = 1 / least if least > 1 / scale.top else scale.top
    high = max(float(scale.back(estimate.interval(within)[1])), reciprocal)
    if scale is SIMILARITY:
        seen = OVERLOOKED ** (2 / sizes.sum())  # pairs of which both texts are of the kinds that were seen
        low = min(low, seen * value + (1 - seen) * min(value, UNRELATED))
    return PairMean(value, (low, high), estimate)


def _jackknife(without: list[NDArray[np.float64]], value: float, forward: Callable[[Any], Any]) -> Mean:
    with np.errstate(all="ignore"):
        return jackknife([forward(each) for each in without], float(forward(np.float64(value))))
