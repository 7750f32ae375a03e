import numpy as np
import pytest

from inkframe.analysis.pair_means import LENGTH, PROMPTS, SIMILARITY, mean_of_pairs

from .text_models import MODELS, Pool, covered


def matrix(*values):
    """Return a symmetric matrix of texts from the values of their pairs, row by row."""
    count = int((1 + (1 + 8 * len(values)) ** 0.5) / 2)
    pairs = np.zeros((count, count))
    pairs[np.triu_indices(count, 1)] = values
    return pairs + pairs.T + 9 * np.eye(count)


VARIED = matrix(0.5, 0.6, 0.4, 0.7, 0.2, 0.5, 0.3, 0.6, 0.4, 0.8)


def test_the_mean_is_over_pairs_and_then_over_prompts():
    """Each prompt counts the same, whatever its number of repeats; the diagonal is ignored."""
    small, large = matrix(0.8), matrix(0.1, 0.2, 0.3)
    assert mean_of_pairs([large], SIMILARITY, 0.95).value == pytest.approx(0.2)
    assert mean_of_pairs([large, small], SIMILARITY, 0.95).value == pytest.approx(0.5)
    assert np.isnan(mean_of_pairs([], LENGTH, 0.95).value)


def test_the_interval_is_within_the_scale():
    """Intervals of similarity stay between 0 and 1, those of lengths above 0, and contain the mean."""
    random = np.random.default_rng(1)
    lengths = random.exponential(30, 40)
    for pairs, scale, top in (
        (VARIED, SIMILARITY, 1),
        (np.abs(lengths[:, None] - lengths), LENGTH, np.inf),
    ):
        found = mean_of_pairs([pairs], scale, 0.95)
        assert 0 < found.ends[0] < found.value < found.ends[1] <= top
        wider = mean_of_pairs([pairs], scale, 0.99)
        assert wider.ends[0] <= found.ends[0]
        assert wider.ends[1] > found.ends[1]


def test_the_error_is_that_of_the_jackknife():
    """The error on the logit scale is that of the means without one text each, ."""
    logits = []
    for left in range(5):
        kept = np.delete(np.delete(VARIED, left, 0), left, 1)
        share = kept[np.triu_indices(4, 1)].mean()
        logits.append(np.log(share / (1 - share)))
    found = mean_of_pairs([VARIED], SIMILARITY, 0.95).estimate
    assert found.error == pytest.approx(np.sqrt(np.var(logits) * 4))
    assert found.df == pytest.approx(4)


def test_the_lower_end_allows_for_kinds_that_were_not_seen():
    """However alike five texts are, a fifth of all texts may be of another kind; with more repeats fewer."""
    random = np.random.default_rng(2)
    ends = []
    for count in (5, 10, 30):
        noise = random.normal(0, 0.004, (count, count))
        alike = 0.8 + noise + noise.T
        ends.append(mean_of_pairs([alike], SIMILARITY, 0.95).ends[0])
    assert ends == sorted(ends)
    assert 0.4 < ends[0] < 0.55
    assert 0.7 < ends[2] < 0.79


def test_texts_without_variation_have_no_interval():
    """Equal texts, and pairs that are all equal, have a mean but no interval."""
    for value in (1, 0, 0.4):
        found = mean_of_pairs([matrix(*[value] * 10)], SIMILARITY, 0.95)
        assert found.value == pytest.approx(value)
        assert np.isnan([*found.ends, found.estimate.error]).all()


def test_few_repeats_have_no_interval_but_eight_prompts_have():
    """One prompt needs five repeats, and eight prompts two each, since one of them can be left out."""
    four = np.delete(np.delete(VARIED, 0, 0), 0, 1)
    assert np.isnan(mean_of_pairs([four], SIMILARITY, 0.95).ends).all()
    assert np.isnan(mean_of_pairs([VARIED], LENGTH, 0.95).ends).all()
    pairs = [matrix(share) for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.4, 0.3, 0.5)]
    assert np.isnan(mean_of_pairs(pairs[: PROMPTS - 1], SIMILARITY, 0.95).ends).all()
    assert mean_of_pairs(pairs, SIMILARITY, 0.95).estimate.df == pytest.approx(7)


def test_few_different_texts_have_no_interval():
    """Copies show little of what else there is: of eight texts four must differ."""
    random = np.random.default_rng(3)
    for different, shown in ((3, False), (4, True)):
        kinds = np.array([0, 1, 2, 3, 0, 0, 0, 0]) % different
        pairs = random.uniform(0.2, 0.6, (8, 8))
        pairs = np.where(kinds[:, None] == kinds, 1, (pairs + pairs.T)[np.ix_(kinds, kinds)] / 2)
        assert np.isfinite(mean_of_pairs([pairs], SIMILARITY, 0.95).ends).all() == shown


def test_even_groups_have_no_interval():
    """Where two kinds of texts come equally often, the jackknife sees no variance at all."""
    kinds = np.repeat([0, 1], 5)
    noise = np.random.default_rng(4).normal(0, 0.01, (10, 10))
    pairs = np.where(kinds[:, None] == kinds, 0.8, 0.2) + noise + noise.T
    found = mean_of_pairs([pairs], SIMILARITY, 0.95)
    assert 0.4 < found.value < 0.5
    assert np.isnan([*found.ends, found.estimate.error]).all()


@pytest.mark.integration
@pytest.mark.parametrize(
    ("model", "scale", "repeats"),
    [
        ("variants of one text", SIMILARITY, 5),
        ("outliers .2", SIMILARITY, 6),
        ("mixture .6 .3 .1", SIMILARITY, 8),
        ("mixture .9 .1", SIMILARITY, 8),
        ("few distinct, 12", SIMILARITY, 10),
        ("docstrings of numpy", SIMILARITY, 10),
        ("outliers .1", SIMILARITY, 15),
        ("variants of one text", LENGTH, 30),
        ("docstrings of numpy", LENGTH, 30),
    ],
)
def test_shown_intervals_hold(model, scale, repeats):
    """Of intervals over draws from a pool, 90 to 98 percent contain its value, within three standard errors."""
    random = np.random.default_rng(3)
    pool = Pool(MODELS[model](random, 100))
    found = [covered([pool], scale, repeats, random) for _ in range(400)]
    shown = [each for each in found if each is not None]
    assert len(shown) > 300
    assert 0.90 - 3 * 0.015 < np.mean(shown) < 0.98 + 3 * 0.007
