import numpy as np
import pytest

from inkframe.analysis.intervals import percentiles, resampled_counts, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # R. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
    # (1998), table I, method 3 (score without continuity correction).
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_equals_published_intervals(successes, trials, low, high):
    """The intervals equal those of the published comparison of methods."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends():
    """Shares of 0 and 1 have exact ends; without trials the interval is missing."""
    low, high = wilson(np.array([0, 7, 0]), np.array([7, 7, 0]))
    assert low[0] == 0
    assert high[1] == 1
    assert np.isnan([low[2], high[2]]).all()


def test_resamples_draw_with_replacement():
    """Every resample has as many draws as values, and the same seed gives the same draws."""
    counts = resampled_counts(6, 200, np.random.default_rng(1))
    assert (counts.sum(axis=1) == 6).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(6), abs=0.25)
    assert (counts == resampled_counts(6, 200, np.random.default_rng(1))).all()


def test_percentiles_ignore_missing_values():
    """Missing values are ignored; with only missing values the interval is missing."""
    assert percentiles(np.append(np.arange(101.0), np.nan), 0.9) == pytest.approx((5, 95))
    assert np.isnan(percentiles(np.array([np.nan]), 0.9)).all()
