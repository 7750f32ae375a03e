"""Test finding near duplicates by signatures, and their groups."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.analysis import similarity as minhash
from inkframe.analysis.similarity import (
    candidates,
    estimate,
    link,
    medoids,
    merge,
    rows_in_band,
    signatures,
    similarity_of_pairs,
)
from inkframe.analysis.validation import only_texts


@pytest.fixture(scope="module")
def corpus():
    """Three hundred texts, most of them variants with some changed words."""
    random = np.random.default_rng(2)
    vocabulary = [f"{a}{b}" for a in "bcdfghklmnprst" for b in ("an", "el", "ir", "os", "ut", "ame", "ing")]
    texts = []
    for number in range(150):
        words = random.choice(vocabulary, 60).tolist()
        texts.append(" ".join(words))
        for at in random.choice(60, number % 10, replace=False):
            words[at] = f"other{at}"
        texts.append(" ".join(words))
    return texts


def exact(texts):
    """Return the Jaccard similarity of every pair near each other, from counts of words and word pairs."""
    counts = [Counter(words) + Counter(pairwise(words)) for words in map(str.split, texts)]
    return {
        (one, other): (counts[one] & counts[other]).total() / (counts[one] | counts[other]).total()
        for one in range(len(counts))
        for other in range(one + 1, min(one + 12, len(counts)))
    }


@pytest.mark.integration
@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.8, 0.9])
def test_recall_and_precision_against_exact_jaccard(corpus, threshold):
    """At least 98 of 100 true pairs become candidates, and the exact comparison leaves no wrong pair."""
    true = {pair for pair, share in exact(corpus).items() if share >= threshold}
    column = only_texts(corpus)
    pairs = np.unique(np.concatenate(list(candidates(signatures(column, 0).minima, threshold))), axis=0)
    near = similarity_of_pairs(column, pairs) >= 2 * threshold / (1 + threshold) - 1e-9
    found = set(map(tuple, pairs[near].tolist()))
    assert len(true & found) >= 0.98 * len(true)
    assert found <= true
    assert len(true) >= 10


@pytest.mark.integration
def test_estimates_are_close(corpus):
    """The share of equal minima is an unbiased estimate of the similarity."""
    known = {pair: share for pair, share in exact(corpus).items() if 0.1 < share < 0.9}
    minima = signatures(only_texts(corpus), random_state=3).minima
    errors = estimate(minima, np.array(list(known))) - list(known.values())
    assert abs(np.mean(errors)) < 0.02
    assert np.std(errors) < 0.0625 * 1.2


@pytest.mark.integration
def test_many_variants_are_one_group(monkeypatch):
    """Many similar texts are joined with few comparisons, and different texts stay separate."""
    compared = []

    def counting(texts, pairs):
        compared.append(len(pairs))
        return similarity_of_pairs(texts, pairs)

    monkeypatch.setattr(minhash, "similarity_of_pairs", counting)
    common = " ".join(f"word{at}" for at in range(40))
    column = only_texts([f"{common} ending {at}" for at in range(300)] + [f"other {common[:60]} text"])
    labels = link(column, signatures(column, 0).minima, np.arange(301), np.arange(301), 0.8)
    assert labels.tolist() == [0] * 300 + [300]
    assert sum(compared) < 1000


def test_groups_are_connected_pairs():
    """Positions connected by pairs are one group, for any order of the pairs."""
    pairs = np.array([[4, 5], [1, 2], [4, 2]])
    labels = merge(np.arange(7), pairs)
    assert labels.tolist() == [0, 1, 1, 3, 1, 1, 6]
    assert merge(labels, np.array([[6, 5], [0, 0]])).tolist() == [0, 1, 1, 3, 1, 1, 1]
    assert merge(labels, pairs[:0]).tolist() == labels.tolist()


@pytest.mark.integration
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=14))
def test_merging_equals_a_simple_search(pairs):
    """Groups equal those of a simple search for connected records."""
    reach = {at: {at} for at in range(12)}
    for one, other in pairs:
        for at in (union := reach[one] | reach[other]):
            reach[at] = union
    labels = merge(np.arange(12), np.array(pairs, np.int64).reshape(-1, 2))
    assert labels.tolist() == [min(reach[at]) for at in range(12)]


def test_the_medoid_has_most_in_common():
    """The position most similar to its group represents it, or the first of equal ones."""
    labels = np.array([0, 0, 0, 3, 3])
    features = np.array([[1, 1, 2, 5, 6], [7, 8, 8, 5, 6]])
    assert medoids(labels, features).tolist() == [1, 1, 1, 3, 3]


def test_texts_without_words_have_no_signature():
    """Empty texts, also whole chunks of them, have no shingles and are linked with nothing."""
    found = signatures(only_texts(["", " "]), 0)
    assert (found.sizes.tolist(), found.exact.tolist(), found.minima.max()) == ([0, 0], [0, 0], 0)


def test_rows_of_a_band_by_threshold():
    """Bands are as long as the threshold allows, and have one row where none finds nearly all pairs."""
    thresholds = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99, 1]
    assert [rows_in_band(each) for each in thresholds] == [1, 1, 1, 1, 1, 2, 2, 3, 3, 5, 6, 7, 10, 21, 64]
    assert [rows_in_band(each) for each in (0.58, 0.79, 0.84, 0.97)] == [2, 4, 5, 12]


def test_signatures_are_the_same_everywhere():
    """Sizes, numbers of equal features and minima depend on the words, their order and the seed only."""
    column = only_texts(["steel kettle", "", "kettle", "steel kettle steel kettle"])
    found = signatures(column, random_state=2)
    assert found.sizes.tolist() == [3, 0, 1, 7]
    assert found.exact.tolist() == [12309447026557210030, 0, 17688410988273937193, 4523321439137662608]
    assert found.minima[[0, 1, 63]].tolist() == [
        [168018549, 0, 2476818084, 168018549],
        [4613523, 0, 2705020794, 4613523],
        [833843812, 0, 873966077, 833843812],
    ]
    assert (found.minima.shape, found.minima[:, 1].max()) == ((64, 4), 0)
    assert signatures(column, random_state=3).minima[0].tolist() != found.minima[0].tolist()


def test_texts_of_a_bucket_are_paired_with_those_that_follow():
    """Each text of a bucket is paired with the 24 that follow it; equal ones are in every bucket."""
    equal = np.zeros((64, 27), np.uint32)
    found = list(candidates(equal, 0.9))
    bands = 64 // rows_in_band(0.9)
    assert [len(pairs) for pairs in found] == [27 - step for step in range(1, 25)] * bands
    assert found[1].tolist() == [[at, at + 2] for at in range(25)]
    assert list(candidates(np.arange(64 * 27, dtype=np.uint32).reshape(64, 27), 0.9)) == []


def test_estimates_are_shares_of_equal_minima():
    """Three of four equal minima are an estimate of 0.75."""
    minima = np.array([[1, 1], [2, 2], [3, 4], [5, 5]], np.uint32)
    assert estimate(minima, np.array([[0, 1], [1, 1]])).tolist() == [0.75, 1]


@pytest.mark.integration
def test_no_pair_is_compared_twice(monkeypatch):
    """Candidates of one group, those compared before and those with too low an estimate are not compared."""
    compared = []

    def counting(texts, pairs):
        compared.extend(map(tuple, pairs.tolist()))
        return similarity_of_pairs(texts, pairs)

    monkeypatch.setattr(minhash, "similarity_of_pairs", counting)
    random = np.random.default_rng(7)
    base = [f"word{at}" for at in range(30)]
    texts = [
        " ".join(np.where(random.random(30) < share, "other", base)) for share in np.linspace(0, 0.5, 40)
    ]
    column = only_texts(texts)
    signed = signatures(column, 0).minima
    labels = link(column, signed, np.arange(40), np.arange(40), 0.75)
    assert labels.tolist() == [*[0] * 18, 18, 0, 20, 0, *range(22, 31), 30, *range(32, 40)]
    assert len(set(compared)) == len(compared) == 157
    assert link(column, signed, np.arange(40), np.arange(10, 40), 0.75).tolist()[:10] == list(range(10))
