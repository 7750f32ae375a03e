from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from inkframe.analysis.similarity import pairwise_similarity, similarity_to, word_lengths

TEXTS = (
    "the kettle boils one liter in four minutes",
    "one liter in four minutes in brushed steel",
    "the kettle boils one liter in four minutes",
    "steel keeps the light the first cup is yours already this morning",
    "yours",
)


def test_similarity_equals_a_naive_count():
    """Similarity is the Dice coefficient on words and word pairs."""
    profiles = [Counter(words := text.split()) + Counter(pairwise(words)) for text in TEXTS]
    naive = [[2 * (a & b).total() / (a.total() + b.total()) for b in profiles] for a in profiles]
    assert pairwise_similarity(TEXTS) == pytest.approx(np.array(naive))


def test_similarity_ignores_case_and_punctuation():
    """The same words in the same order have similarity 1; other words have less."""
    assert pairwise_similarity(["Steel, bright.", "steel bright"])[0, 1] == 1
    assert pairwise_similarity(["steel bright", "dull tin"])[0, 1] == 0
    assert 0 < pairwise_similarity(["東京の朝", "東京の夜"])[0, 1] < 1
    assert pairwise_similarity(["", ""])[0, 1] == 1


def test_similarity_to_one_text_is_that_of_each_pair():
    """The similarity of a text to others is the same as in the square of all pairs."""
    assert similarity_to(TEXTS[0], TEXTS[1:]) == pytest.approx(pairwise_similarity(TEXTS)[0, 1:])
    assert similarity_to("", ["", "a"]).tolist() == [1, 0]


def test_word_lengths():
    """Words are counted, in scripts without spaces letters; no texts have no lengths."""
    assert word_lengths(["one two", "", "東京"]).tolist() == [2, 0, 2]
    assert word_lengths([]).size == 0
