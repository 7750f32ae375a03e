import numpy as np
import pytest

from inkframe.analysis.intervals import LENGTH, PROMPTS, SIMILARITY, mean_of_pairs

from .text_models import MODELS, Pool, covered


def matrix(*values):
    """Return a symmetric matrix of texts from the values of their pairs, row by row."""
    count = int((1 + (1 + 8 * len(values)) ** 0.5) / 2)
    pairs = np.zeros((count, count))
    pairs[np.triu_indices(count, 1)] = values
    return pairs + pairs.T + 9 * np.eye(count)


def alike(count, seed=1, spread=0.08):
    """Return a matrix of texts of one kind, some of which are less like all others."""
    random = np.random.default_rng(seed)
    texts, pairs = random.uniform(-spread, spread, count), random.normal(0, spread / 20, (count, count))
    return 0.5 + np.add.outer(texts, texts) + pairs + pairs.T


VARIED = alike(15)


def test_the_mean_is_over_pairs_and_then_over_prompts():
    """Each prompt counts the same, whatever its number of repeats; the diagonal is ignored."""
    small, large = matrix(0.8), matrix(0.1, 0.2, 0.3)
    assert mean_of_pairs([large], SIMILARITY, 0.95).value == pytest.approx(0.2)
    assert mean_of_pairs([large, small], SIMILARITY, 0.95).value == pytest.approx(0.5)
    assert np.isnan(mean_of_pairs([], LENGTH, 0.95).value)


def test_the_interval_is_within_the_scale():
    """Intervals of similarity stay between 0 and 1, those of lengths above 0, and contain the mean."""
    random = np.random.default_rng(1)
    lengths = random.exponential(30, 60)
    for pairs, scale, top in ((VARIED, SIMILARITY, 1), (np.abs(lengths[:, None] - lengths), LENGTH, np.inf)):
        found = mean_of_pairs([pairs], scale, 0.95)
        assert 0 < found.ends[0] < found.value < found.ends[1] <= top
        wider, narrower = (mean_of_pairs([pairs], scale, level).ends for level in (0.99, 0.6))
        assert wider[0] < found.ends[0] < narrower[0] < found.value < narrower[1] < found.ends[1] < wider[1]


@pytest.mark.integration
def test_the_interval_is_as_wide_as_students_where_texts_add_up():
    """If the value of a pair is a sum over its texts, the mean is twice theirs, with the interval of t."""
    from scipy import stats  # takes most of a second to load

    texts = stats.norm.ppf((np.arange(60) + 0.5) / 60, 0.25, 0.05)
    low, high = mean_of_pairs([np.add.outer(texts, texts)], LENGTH, 0.95).ends
    error = 2 * stats.sem(texts)
    assert (2 * texts.mean() - low) / error == pytest.approx(stats.t.isf(0.05, 59), abs=0.2)
    assert (high - 2 * texts.mean()) / error == pytest.approx(stats.t.isf(0.01, 59), abs=0.2)


def test_the_order_of_texts_does_not_matter():
    """Texts in another order have the same interval."""
    order = np.random.default_rng(3).permutation(15)
    assert mean_of_pairs([VARIED[np.ix_(order, order)]], SIMILARITY, 0.95).ends == pytest.approx(
        mean_of_pairs([VARIED], SIMILARITY, 0.95).ends
    )


def test_prompts_count_the_same_and_make_the_interval_narrower():
    """The interval of four prompts is about half as wide as that of one of them."""
    one = mean_of_pairs([VARIED], LENGTH._replace(repeats=15), 0.95).ends
    four = mean_of_pairs([VARIED] * 4, LENGTH._replace(repeats=15), 0.95).ends
    assert (four[1] - four[0]) / (one[1] - one[0]) == pytest.approx(0.5, abs=0.1)


def test_the_error_is_that_of_the_jackknife():
    """The error on the logit scale is that of the means without one text each."""
    logits = []
    for left in range(15):
        kept = np.delete(np.delete(VARIED, left, 0), left, 1)
        share = kept[np.triu_indices(14, 1)].mean()
        logits.append(np.log(share / (1 - share)))
    found = mean_of_pairs([VARIED], SIMILARITY, 0.95).estimate
    assert found.error == pytest.approx(np.sqrt(np.var(logits) * 14))
    assert found.df == pytest.approx(14)


@pytest.mark.integration
def test_the_lower_end_allows_for_kinds_that_were_not_seen():
    """However alike some texts are, half a text of another kind may be among them; with more texts it is less."""
    from scipy import stats  # takes most of a second to load

    counts = np.array([15, 30, 90])
    ends = [mean_of_pairs([alike(count, spread=0.02)], SIMILARITY, 0.95).ends[0] for count in counts]
    others = stats.beta.isf(stats.norm.cdf(-0.68 * 1.96), 0.5, counts)
    assert ends == pytest.approx((1 - others) ** 2 * 0.5 + 2 * others * (1 - others) * 0.1, abs=0.02)
    assert ends == sorted(ends)


def test_another_kind_is_no_more_similar_than_the_texts_are():
    """Of texts with less in common than unrelated ones, the interval does not reach up to these."""
    found = mean_of_pairs([alike(15, spread=0.02) - 0.45], SIMILARITY, 0.95)
    assert 0.04 < found.ends[0] < found.value < found.ends[1] < 0.066


def test_several_prompts_have_less_of_another_kind():
    """With four prompts the lower end is about half as far below the mean as with one of them."""
    one = mean_of_pairs([alike(15, 1, 0.02)], SIMILARITY, 0.95)
    four = mean_of_pairs([alike(15, seed, 0.02) for seed in range(4)], SIMILARITY, 0.95)
    assert (four.value - four.ends[0]) / (one.value - one.ends[0]) == pytest.approx(0.42, abs=0.04)


def test_texts_of_several_kinds_need_no_text_of_another():
    """Where other kinds were seen in numbers, the lower end does not reach as far below the mean."""
    kinds = np.repeat([0, 1], (20, 10))
    noise = np.random.default_rng(2).normal(0, 0.02, (30, 30))
    pairs = np.where(kinds[:, None] == kinds, 0.7, 0.2) + noise + noise.T
    found = mean_of_pairs([pairs], SIMILARITY, 0.95)
    error = found.estimate.error * found.value * (1 - found.value)
    assert 1.1 < (found.value - found.ends[0]) / error < 1.4


def test_texts_without_variation_have_no_interval():
    """Equal texts, and pairs that are all equal, have a mean but no interval."""
    for value in (1, 0, 0.4):
        found = mean_of_pairs([np.full((15, 15), value)], SIMILARITY, 0.95)
        assert found.value == pytest.approx(value)
        assert np.isnan([*found.ends, found.estimate.error]).all()


def test_few_repeats_have_no_interval_but_eight_prompts_have():
    """A prompt needs fifteen repeats, and eight prompts two each, since one of them can be left out."""
    assert np.isfinite(mean_of_pairs([VARIED], SIMILARITY, 0.95).ends).all()
    assert np.isnan(mean_of_pairs([alike(14)], SIMILARITY, 0.95).ends).all()
    assert np.isnan(mean_of_pairs([VARIED, alike(14)], SIMILARITY, 0.95).ends).all()
    assert np.isnan(mean_of_pairs([alike(59)], LENGTH, 0.95).ends).all()
    pairs = [matrix(share) for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.4, 0.3, 0.5)]
    assert np.isnan(mean_of_pairs(pairs[: PROMPTS - 1], SIMILARITY, 0.95).ends).all()
    assert mean_of_pairs(pairs, SIMILARITY, 0.95).estimate.df == pytest.approx(7)


def test_few_different_texts_have_no_interval():
    """Copies show little of what else there is: of fifteen texts three must differ."""
    similar = np.array([[1, 0.4, 0.3], [0.4, 1, 0.5], [0.3, 0.5, 1]])
    for kinds, shown in (([0] * 12 + [1] * 3, False), ([0] * 12 + [1] * 2 + [2], True)):
        found = mean_of_pairs([similar[np.ix_(kinds, kinds)]], SIMILARITY, 0.95)
        assert np.isfinite(found.ends).all() == shown


def test_even_groups_have_no_interval():
    """Where two kinds of texts come equally often, the jackknife sees no variance at all."""
    kinds = np.repeat([0, 1], 10)
    noise = np.random.default_rng(4).normal(0, 0.01, (20, 20))
    pairs = np.where(kinds[:, None] == kinds, 0.8, 0.2) + noise + noise.T
    found = mean_of_pairs([pairs], SIMILARITY, 0.95)
    assert 0.4 < found.value < 0.5
    assert np.isnan([*found.ends, found.estimate.error]).all()


@pytest.mark.integration
@pytest.mark.parametrize(
    ("model", "scale", "repeats"),
    [
        ("variants of one text", SIMILARITY, 15),
        ("outliers .2", SIMILARITY, 15),
        ("mixture .6 .3 .1", SIMILARITY, 15),
        ("mixture .9 .1", SIMILARITY, 20),
        ("few distinct, 12", SIMILARITY, 15),
        ("docstrings of numpy", SIMILARITY, 20),
        ("outliers .1", SIMILARITY, 30),
        ("mixture .7 .3", SIMILARITY, 30),
        ("variants of one text", LENGTH, 60),
        ("outliers .1", LENGTH, 60),
    ],
)
def test_shown_intervals_hold(model, scale, repeats):
    """Of intervals over draws from a pool, 90 to 98 percent contain its value, within three standard errors."""
    random = np.random.default_rng(3)
    pool = Pool(MODELS[model](random, 100))
    found = [covered([pool], scale, repeats, random) for _ in range(400)]
    shown = [each for each in found if each is not None]
    assert len(shown) > 100
    error = np.sqrt(0.09 / len(shown)), np.sqrt(0.0196 / len(shown))
    assert 0.90 - 3 * error[0] < np.mean(shown) < 0.98 + 3 * error[1]


@pytest.mark.integration
def test_whole_means_of_pairs(recorded):
    """Values, ends and estimates of one and of several prompts, of one kind and of several, on both scales."""
    random = np.random.default_rng(9)
    lengths = random.exponential(30, 61)
    kinds = np.repeat([0, 1, 2], (18, 8, 4))
    noise = random.normal(0, 0.05, (30, 30))
    mixed = np.where(kinds[:, None] == kinds, 0.6, 0.2) + noise + noise.T
    pairs = [alike(at + 2, at, 0.1) for at in range(PROMPTS)]
    found = {
        "one kind": mean_of_pairs([alike(16, 2, 0.05)], SIMILARITY, 0.95),
        "two prompts of one kind": mean_of_pairs([alike(16, 2, 0.05), alike(20, 3, 0.05)], SIMILARITY, 0.9),
        "kinds": mean_of_pairs([mixed], SIMILARITY, 0.95),
        "kinds and one kind": mean_of_pairs([mixed, VARIED], SIMILARITY, 0.8),
        "lengths": mean_of_pairs([np.abs(lengths[:, None] - lengths)], LENGTH, 0.95),
        "prompts": mean_of_pairs(pairs, SIMILARITY, 0.9),
        "lengths of prompts": mean_of_pairs([100 * each for each in pairs], LENGTH, 0.9),
    }
    for name, mean in found.items():
        recorded(name, [mean.value, *mean.ends, *mean.estimate])
