"""Test finding near duplicates by signatures, and their groups."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.analysis import minhash
from inkframe.analysis.minhash import (
    candidates,
    estimate,
    link,
    medoids,
    merge,
    rows_in_band,
    signatures,
)
from inkframe.analysis.similarity import similarity_of_pairs
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


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.7, 0.8, 0.9, 1.0])
def test_bands_find_nearly_all_pairs_at_the_threshold(threshold):
    """The probability that a pair at the threshold shares a band is at least 0.99."""
    rows = rows_in_band(threshold)
    assert 1 - (1 - threshold**rows) ** (64 // rows) >= 0.99


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


def test_texts_without_words_have_no_features():
    """Texts without words have size 0."""
    signed = signatures(only_texts(["", "one", "..."]), random_state=0)
    assert signed.sizes.tolist() == [0, 1, 0]


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
