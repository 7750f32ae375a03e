import math
import sys

import numpy as np
import pytest

from inkframe.analysis.intervals import (
    Mean,
    Proportion,
    bisect,
    difference,
    holm,
    jackknife,
    outlook,
    t_quantile,
    two_sided_p,
    wilson,
)
from inkframe.errors import ConfigurationError


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # R. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
    # (1998), table I, method 3 (score without continuity correction).
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_equals_published_intervals(successes, trials, low, high):
    """The intervals equal those of the published comparison of methods."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)
    assert Proportion(successes / trials, trials).interval(0.95) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends():
    """Shares of 0 and 1 have exact ends; without trials the interval is missing."""
    low, high = wilson(np.array([0, 7, 0]), np.array([7, 7, 0]))
    assert low[0] == 0
    assert high[1] == 1
    assert np.isnan([low[2], high[2]]).all()


@pytest.mark.integration
def test_wilson_holds_from_thirty_trials():
    """From thirty trials on, the interval covers each share in 90 to 98 percent of samples."""
    from scipy import stats

    shares = np.arange(0.05, 0.951, 0.01)
    for trials in (30, 31, 45, 80):
        number = np.arange(trials + 1)
        low, high = wilson(number, trials)
        holds = (low <= shares[:, None]) & (shares[:, None] <= high)
        covered = (stats.binom.pmf(number, trials, shares[:, None]) * holds).sum(axis=1)
        assert 0.90 < covered.min() < covered.max() < 0.98
        assert 0.945 < covered.mean() < 0.96


@pytest.mark.integration
@pytest.mark.parametrize(("one", "other"), [((16, 20), (15, 30)), ((0, 9), (4, 11)), ((7, 7), (7, 7))])
def test_newcombe_equals_statsmodels(one, other):
    """The interval of the difference of two shares equals that of statsmodels."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    found = difference(Proportion(one[0] / one[1], one[1]), Proportion(other[0] / other[1], other[1]))
    expected = confint_proportions_2indep(*one, *other, method="newcomb", compare="diff")
    assert found.interval(0.95) == pytest.approx(expected, abs=1e-9)


def test_newcombe_p_is_where_the_interval_reaches_zero():
    """One minus the p-value is the confidence at which an end is 0, for either sign; equal shares have 1."""
    high, low = Proportion(0.8, 20), Proportion(0.5, 30)
    for found in (difference(high, low), difference(low, high)):
        assert min(map(abs, found.interval(1 - found.p))) == pytest.approx(0, abs=1e-9)
        assert 0.01 < found.p < 0.05
    assert difference(low, low).p == 1


def test_nothing_varied_is_no_proof():
    """Without variance there is neither an interval nor a p-value; one varying group is enough for both."""
    still, varied = Mean(3, 0, 4), Mean(4, 0.1, 4)
    assert np.isnan([*still.interval(0.95), still.p, difference(still, still).p]).all()
    assert difference(varied, still).df == pytest.approx(4)
    assert math.isnan(difference(varied, Mean(3, math.nan, 0)).p)


@pytest.mark.parametrize(
    ("confidence", "df", "expected"),
    [(0.95, 1, 12.70620), (0.95, 10, 2.228139), (0.9, 4, 2.131847), (0.95, 1e5, 1.959988)],
)
def test_published_quantiles_of_t(confidence, df, expected):
    """Quantiles of Student's t are those of the tables."""
    assert t_quantile(confidence, df) == pytest.approx(expected, rel=1e-6)
    for sign in (1, -1):
        assert two_sided_p(sign * t_quantile(confidence, df), df) == pytest.approx(1 - confidence, abs=1e-9)


def test_unknown_values_stay_unknown():
    """Without degrees of freedom there is neither a probability nor a quantile."""
    assert math.isnan(two_sided_p(math.nan, 4))
    assert math.isnan(two_sided_p(1, math.nan))
    assert math.isnan(t_quantile(0.95, math.nan))
    assert math.isnan(t_quantile(0.95, 0))


def test_a_missing_scipy_is_an_error_with_the_install_command(monkeypatch):
    """Without SciPy means have neither intervals nor p-values; those of shares need none."""
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    means = Mean(4, 0.1, 4), Mean(3, 0.1, 4)
    for call in (lambda: means[0].interval(0.95), lambda: difference(*means).p):
        with pytest.raises(ConfigurationError) as caught:
            call()
        assert str(caught.value) == (
            "Intervals and tests of means need SciPy, which is not installed.\n"
            'Install it: pip install "inkframe[analysis]"'
        )
    assert 0 < difference(Proportion(0.8, 20), Proportion(0.5, 30)).p < 0.1


def test_bisect_finds_the_crossing():
    """The crossing of an increasing function is found to the last digit, also at an end."""
    assert bisect(lambda x: x * x - 2, 0, 2) == pytest.approx(2**0.5, abs=1e-15)
    assert bisect(lambda x: x, 0, 1) == pytest.approx(0, abs=1e-15)


def test_the_jackknife_of_a_mean_is_its_standard_error():
    """For a mean the jackknife gives the usual error and degrees of freedom; strata add up."""
    values = np.array([1.0, 4, 2, 8, 5])
    without = (values.sum() - values) / 4
    usual = values.std(ddof=1) / math.sqrt(5)
    found = jackknife([without], values.mean())
    assert found.error == pytest.approx(usual)
    assert found.df == pytest.approx(4)
    both = jackknife([without / 2, without / 2], values.mean())
    assert both.error == pytest.approx(usual / math.sqrt(2))
    assert both.df == pytest.approx(8)


def test_estimates_at_their_bounds():
    """Two degrees of freedom are enough for an error, and a variance of rounding is none."""
    assert [math.isnan(Mean(3, 0.1, df).error) for df in (1.9, 2)] == [True, False]
    assert Mean(3, 0.04, 2).error == pytest.approx(0.2)
    for value, least in ((0.5, 1e-12), (-5.0, 5e-12), (7.0, 7e-12)):
        assert math.isnan(Mean(value, (least * 0.99) ** 2, 4).error)
        assert Mean(value, (least * 1.01) ** 2, 4).error == pytest.approx(least * 1.01)
    assert [math.isnan(difference(Mean(1, 0.1, one), Mean(2, 0.1, 9)).df) for one in (1.9, 2)] == [
        True,
        False,
    ]
    assert math.isnan(difference(Mean(1, 0, 4), Mean(2, 0, 4)).df)
    assert math.isnan(jackknife([np.ones(5)], 1.0).df)


def test_whole_estimates():
    """Intervals and p-values of means, shares and their differences."""
    one, other = Mean(3.4, 0.05, 7), Mean(3, 0.02, 11)
    assert one.interval(0.9) == pytest.approx((2.976359, 3.823641), abs=1e-6)
    assert [one.p, difference(one, other).p, difference(one, other).df] == pytest.approx(
        (0.0000012809, 0.155527, 12.452145), abs=1e-6
    )
    first, second = Proportion(0.75, 12), Proportion(0.4, 20)
    found = difference(first, second)
    assert (found.value, *found.interval(0.9), found.p) == pytest.approx(
        (0.35, 0.05125, 0.564401, 0.052728), abs=1e-6
    )
    assert Proportion(1.0, 5).interval(0.8) == pytest.approx((0.752743, 1), abs=1e-6)
    assert Proportion(0.0, 5).interval(0.8) == pytest.approx((0, 0.247257), abs=1e-6)
    assert holm([0.01, 0.04, 0.03, 0.2, 0.9]) == pytest.approx([0.05, 0.12, 0.12, 0.4, 0.9])
    assert holm([0.02, math.nan, 0.5]) == pytest.approx([0.06, math.nan, 1], nan_ok=True)
    assert holm([]) == []


@pytest.mark.parametrize(
    ("count", "cases", "words"),
    [
        (1, 1, "1 text a level: a verdict needs 10"),
        (9, 6, "9 texts a level: a verdict needs 10"),
        (10, 8, "10 texts a level: a verdict at 10"),
        (10, 7, "10 texts a level: a verdict needs 11"),
        (14, 7, "14 texts a level: verdicts at 11 and 14"),
        (29, 1, "29 texts a level: verdicts at 10, 20 and 29"),
        (1200, 40, "1,200 texts a level: verdicts at 10, 20, 30 and 1,200"),
    ],
)
def test_what_a_plan_can_decide(count, cases, words):
    """A plan with so many texts a level of so many cases has these verdicts, or too few texts for one."""
    assert outlook(count, cases) == words
