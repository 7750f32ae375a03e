import math

import pytest

from inkframe.analysis.distributions import beta_cdf, beta_quantile, bisect, t_quantile, two_sided_p


@pytest.fixture(scope="module")
def stats():
    """The module of scipy, imported here since it takes a second."""
    return pytest.importorskip("scipy.stats")


@pytest.mark.integration
@pytest.mark.parametrize("df", [0.7, 1, 2.5, 4, 17.3, 250, 1e5])
def test_t_equals_scipy(stats, df):
    """Probabilities and quantiles of Student's t equal those of scipy."""
    for t in (0, 0.01, 0.5, 2.1, -2.1, 9, 60):
        assert two_sided_p(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), abs=1e-9)
    for confidence in (0.5, 0.9, 0.95, 0.984, 0.999):
        assert t_quantile(confidence, df) == pytest.approx(stats.t.ppf((1 + confidence) / 2, df), rel=1e-8)


@pytest.mark.integration
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 9), (9, 1), (3, 6.5), (200, 40)])
def test_beta_equals_scipy(stats, a, b):
    """Probabilities and quantiles of the beta distribution equal those of scipy."""
    for x in (0, 1e-6, 0.2, 0.5, 0.97, 1):
        assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), abs=1e-9)
    for probability in (0.001, 0.025, 0.5, 0.975):
        assert beta_quantile(probability, a, b) == pytest.approx(stats.beta.ppf(probability, a, b), abs=1e-9)


def test_unknown_values_stay_unknown():
    """Without degrees of freedom there is neither a probability nor a quantile."""
    assert math.isnan(two_sided_p(math.nan, 4))
    assert math.isnan(two_sided_p(1, math.nan))
    assert math.isnan(t_quantile(0.95, 0))
    assert math.isnan(beta_cdf(math.nan, 1, 1))


@pytest.mark.parametrize(
    ("confidence", "df", "expected"),
    [(0.95, 1, 12.70620), (0.95, 10, 2.228139), (0.9, 4, 2.131847), (0.95, 1e5, 1.959988)],
)
def test_published_quantiles_of_t(confidence, df, expected):
    """Quantiles of Student's t are those of the tables."""
    assert t_quantile(confidence, df) == pytest.approx(expected, rel=1e-6)
    assert two_sided_p(t_quantile(confidence, df), df) == pytest.approx(1 - confidence, abs=1e-9)


def test_exact_values_of_beta():
    """Where the distribution has a closed form, it is exact, also at and beyond its ends."""
    for x in (0.001, 0.2, 0.5, 0.9):
        assert beta_cdf(x, 1, 1) == pytest.approx(x, abs=1e-14)
        assert beta_cdf(x, 3, 1) == pytest.approx(x**3, abs=1e-14)
        assert beta_cdf(x, 1, 4) == pytest.approx(1 - (1 - x) ** 4, abs=1e-14)
        assert beta_cdf(x, 40, 60) == pytest.approx(1 - beta_cdf(1 - x, 60, 40), abs=1e-12)
    assert [beta_cdf(x, 2, 3) for x in (-1, 0, 1, 2)] == [0, 0, 1, 1]
    assert beta_quantile(0.125, 3, 1) == pytest.approx(0.5, abs=1e-14)


def test_bisect_finds_the_crossing():
    """The crossing of an increasing function is found to the last digit, also at an end."""
    assert bisect(lambda x: x * x - 2, 0, 2) == pytest.approx(2**0.5, abs=1e-15)
    assert bisect(lambda x: x, 0, 1) == pytest.approx(0, abs=1e-15)
