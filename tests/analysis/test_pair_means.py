import numpy as np
import pytest

from inkframe.analysis.pair_means import enough_texts, mean_of_pairs

from .text_models import MODELS, Pool, covered


def matrix(*values):
    """Return a symmetric matrix of three texts from their three pairs."""
    one, two, three = values
    return np.array([[9, one, two], [one, 9, three], [two, three, 9]], float)


def test_the_mean_is_over_pairs_and_then_over_prompts():
    """Each prompt counts the same, whatever its number of repeats; the diagonal is ignored."""
    small, large = np.array([[1, 0.8], [0.8, 1]]), matrix(0.1, 0.2, 0.3)
    assert mean_of_pairs([large], "logit", 0.95).value == pytest.approx(0.2)
    assert mean_of_pairs([large, small], "logit", 0.95).value == pytest.approx(0.5)
    assert np.isnan(mean_of_pairs([], "log", 0.95).value)


def test_the_interval_is_within_the_scale():
    """Intervals of similarity stay between 0 and 1, those of lengths above 0, and contain the mean."""
    for values, scale, top in (((0.98, 0.99, 0.9), "logit", 1), ((1, 40, 2), "log", np.inf)):
        found = mean_of_pairs([matrix(*values)], scale, 0.95)
        assert 0 < found.ends[0] < found.value < found.ends[1] < top


def test_texts_without_variation_have_no_interval():
    """Equal texts, and pairs that are all equal, have a mean but no interval."""
    for values in ((1, 1, 1), (0, 0, 0), (0.4, 0.4, 0.4)):
        found = mean_of_pairs([matrix(*values)], "logit", 0.95)
        assert found.value == pytest.approx(values[0])
        assert np.isnan(found.ends).all()


def test_two_texts_have_no_interval_but_eight_prompts_have():
    """Leaving one of two texts out leaves no pair; of eight prompts one can be left out."""
    pairs = [np.array([[1, share], [share, 1]]) for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.4, 0.3, 0.5)]
    assert np.isnan(mean_of_pairs(pairs[:7], "logit", 0.95).ends).all()
    assert mean_of_pairs(pairs, "logit", 0.95).estimate.df == pytest.approx(7)


def test_two_equal_halves_have_a_wide_interval():
    """Where two kinds of texts come equally often, the jackknife alone would see no variance at all."""
    kinds = np.repeat([0, 1], 3)
    pairs = np.where(kinds[:, None] == kinds, 0.8, 0.2) + np.diag([0.2] * 6)
    low, high = mean_of_pairs([pairs], "logit", 0.95).ends
    assert high - low > 0.15


@pytest.mark.parametrize(
    ("texts", "different", "of_lengths", "enough"),
    [
        (4, 4, False, False),
        (5, 2, False, False),
        (5, 3, False, True),
        (8, 3, False, False),
        (8, 4, False, True),
        (29, 29, True, False),
        (30, 4, True, True),
        (30, 3, True, False),
    ],
)
def test_what_an_interval_needs(texts, different, of_lengths, enough):
    """Five repeats with three different texts carry an interval of similarity, and 30 one of length."""
    assert enough_texts(texts, different, of_lengths=of_lengths) is enough


@pytest.mark.integration
@pytest.mark.parametrize(
    ("model", "measure", "repeats"),
    [
        ("variants of one text", "similarity", 5),
        ("mixture .6 .3 .1", "similarity", 8),
        ("few distinct, 12", "similarity", 10),
        ("outliers .1", "similarity", 15),
        ("docstrings of numpy", "similarity", 5),
        ("variants of one text", "length", 30),
        ("docstrings of numpy", "length", 30),
    ],
)
def test_shown_intervals_hold(model, measure, repeats):
    """Of intervals over draws from a pool, 90 to 98 percent contain its value, within four standard errors."""
    random = np.random.default_rng(3)
    pool = Pool(MODELS[model](random, 100))
    found = [covered([pool], measure, repeats, random) for _ in range(400)]
    shown = [each for each in found if each is not None]
    assert len(shown) > 300
    assert 0.90 - 4 * 0.011 < np.mean(shown) < 0.98 + 4 * 0.006
