"""Student's t and the beta distribution, for intervals.

SciPy has them too, but it is larger than all other dependencies together, and the tests compare with it.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, fabs, inf, isnan, lgamma, log, log1p, nan, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["beta_cdf", "beta_quantile", "bisect", "t_quantile", "two_sided_p"]

#: Terms of the continued fraction, and where it has converged.
TERMS: Final = 10_000
PRECISION: Final = 1e-15
#: The smallest number that replaces a zero in the continued fraction.
TINY: Final = 1e-300
#: Halvings of an interval; further ones do not change a double.
HALVINGS: Final = 64


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function, the distribution function of the beta distribution."""
    if isnan(x) or x <= 0:
        return x if isnan(x) else 0.0
    if x >= 1:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the value below which a share of the beta distribution lies."""
    return bisect(lambda x: beta_cdf(x, a, b) - probability, 0.0, 1.0)


def two_sided_p(t: float, df: float) -> float:
    """Return the probability that Student's t with these degrees of freedom is at least as far from 0."""
    return nan if isnan(t) or isnan(df) else beta_cdf(df / (df + t * t), df / 2, 0.5)


def t_quantile(confidence: float, df: float) -> float:
    """Return the half width, in standard errors, of a two-sided interval of Student's t."""
    if isnan(df) or df <= 0:
        return nan
    x = beta_quantile(1 - confidence, round(df, 9) / 2, 0.5)  # rounded, so that equal ones are found again
    return sqrt(df * (1 - x) / x) if x > 0 else inf


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function crosses zero."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def _fraction(x: float, a: float, b: float) -> float:
    """Compute the continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method."""
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, TERMS):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + step * d)
            c = _not_zero(1 + step / c)
            total *= c * d
        if fabs(c * d - 1) < PRECISION:
            break
    return total


def _not_zero(value: float) -> float:
    return value if fabs(value) > TINY else TINY
