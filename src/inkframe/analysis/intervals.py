"""Confidence intervals of shares and means."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["percentiles", "resampled_counts", "wilson"]


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


def resampled_counts(size: int, resamples: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return how often each of some values is drawn, for each resample with replacement (the bootstrap)."""
    return random.multinomial(size, np.full(size, 1 / size), size=resamples)


def percentiles(values: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    """Return the percentile interval of bootstrap values; NaN if there are none."""
    known = values[~np.isnan(values)]
    if not known.size:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
