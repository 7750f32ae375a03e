"""Means over pairs of texts, with the intervals that simulation shows to hold.

``tests/benchmarks/bench_intervals.py`` has the simulation: how often each interval contains the value of
the pool that the texts were drawn from.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from inkframe.analysis.intervals import Mean, jackknife

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["PROMPTS", "REPEATS", "PairMean", "enough_texts", "mean_of_pairs"]

#: From this number of prompts on, they are the unit of sampling, and an interval is about further prompts.
PROMPTS: Final = 8
#: The minimum number of repeats of each prompt, if there are fewer prompts.
REPEATS: Final = 5
#: The same for lengths: below, the interval misses the value where one text in ten is much longer.
LENGTHS: Final = 30
#: The minimum number of different texts, for few repeats and for more.
DIFFERENT: Final = (3, 4)
MORE: Final = 8
#: With two equal halves of texts the jackknife can see almost no variance; this share of the variance of
#: the pairs is its least.
LEAST: Final = 0.3


class PairMean(NamedTuple):
    """A mean over pairs.

    Args:
        value: The mean.
        ends: The ends of its interval; NaN if there is none.
        estimate: The mean and its error on the scale of the interval.
    """

    value: float
    ends: tuple[float, float]
    estimate: Mean


def enough_texts(texts: int, different: int, *, of_lengths: bool = False) -> bool:
    """Return whether the repeats of one prompt carry an interval.

    Args:
        texts: The number of repeats.
        different: The number of different ones among them.
        of_lengths: Whether the interval is of their lengths.
    """
    return texts >= (LENGTHS if of_lengths else REPEATS) and different >= DIFFERENT[texts >= MORE]


def mean_of_pairs(
    matrices: Sequence[NDArray[np.float64]], scale: Literal["logit", "log"], confidence: float
) -> PairMean:
    """Average values over the pairs of texts of each prompt, and then over the prompts.

    Args:
        matrices: For each prompt the value of each pair of its texts, of at least two; the diagonal is
            ignored.
        scale: The scale on which the interval is symmetric.
        confidence: The confidence level of the interval.
    """
    if not matrices:
        return PairMean(nan, (nan, nan), Mean(nan, nan, nan))
    sizes = [len(matrix) for matrix in matrices]
    sums = [matrix.sum(axis=0) - matrix.diagonal() for matrix in matrices]
    means = np.array([total.sum() / (n * (n - 1)) for total, n in zip(sums, sizes, strict=True)])
    value, count = float(means.mean()), len(means)
    if count >= PROMPTS:
        without = [(means.sum() - means) / (count - 1)]
        least = 0.0
    else:
        without = [
            value + ((total.sum() - 2 * total) / ((n - 1) * (n - 2)) - mean) / count
            if n > 2
            else np.array([nan])
            for total, n, mean in zip(sums, sizes, means, strict=True)
        ]
        spread = [
            matrix[np.triu_indices(n, 1)].var() * 2 / (n * (n - 1))
            for matrix, n in zip(matrices, sizes, strict=True)
        ]
        least = LEAST * sum(spread) / count**2
    with np.errstate(all="ignore"):
        estimate = jackknife([_forward(each, scale) for each in without], float(_forward(value, scale)))
        slope = (
            1 / (value * (1 - value) if scale == "logit" else value)
            if 0 < value < 1 or (scale == "log" and value)
            else nan
        )
    if estimate.variance < least * slope**2:
        estimate = estimate._replace(variance=least * slope**2)
    low, high = (_back(end, scale) for end in estimate.interval(confidence))
    return PairMean(value, (low, high), estimate)


def _forward(values: NDArray[np.float64] | float, scale: str) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        return np.asarray(np.log(values) - (np.log1p(-np.asarray(values)) if scale == "logit" else 0.0))


def _back(value: float, scale: str) -> float:
    odds = float(np.exp(value))
    return odds / (1 + odds) if scale == "logit" else odds
