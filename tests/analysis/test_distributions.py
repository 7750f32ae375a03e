import math

import pytest

from inkframe.analysis.distributions import beta_cdf, beta_quantile, t_quantile, two_sided_p


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
