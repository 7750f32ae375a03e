import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from inkframe.analysis.similarity import (
    bleu_against_others,
    pairwise_growth,
    pairwise_similarity,
    token_lists,
)

TEXTS = (
    "the kettle boils one litre in four minutes",
    "one litre in four minutes in brushed steel",
    "the kettle boils one litre in four minutes",
    "steel keeps the light the first cup is yours already this morning",
    "yours",
)


def naive_bleu(hypothesis, references):
    """Compute BLEU-4 as in the paper, with 0.1 for no match."""
    order, logs = min(4, len(hypothesis)), 0.0
    for size in range(1, order + 1):
        grams = [tuple(hypothesis[i : i + size]) for i in range(len(hypothesis) - size + 1)]
        matched = 0
        for gram, count in Counter(grams).items():
            most = max(
                sum(tuple(ref[i : i + size]) == gram for i in range(len(ref) - size + 1))
                for ref in references
            )
            matched += min(count, most)
        logs += math.log((matched or 0.1) / len(grams)) / order
    closest = min((abs(len(ref) - len(hypothesis)), len(ref)) for ref in references)[1]
    penalty = 1 if len(hypothesis) > closest else math.exp(1 - closest / len(hypothesis))
    return penalty * math.exp(logs)


def test_self_bleu_equals_a_naive_count():
    """Each text's BLEU against all others equals a count of every sequence."""
    words = [text.split() for text in TEXTS]
    naive = [naive_bleu(own, words[:at] + words[at + 1 :]) for at, own in enumerate(words)]
    assert bleu_against_others(token_lists(TEXTS)) == pytest.approx(naive, abs=1e-12)
    assert naive[0] == 1


def test_a_text_without_words_has_a_bleu_of_zero():
    """An empty text has a BLEU of 0 and does not affect the others."""
    assert bleu_against_others(token_lists(["", "one two", "one two"])).tolist() == [0, 1, 1]


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


def test_growth_is_what_a_second_text_adds():
    """The same words add nothing; other words double the vocabulary."""
    growth = pairwise_growth(token_lists(["a b a", "b a", "c d", "a c"]))
    assert growth[0, 1] == 0
    assert growth[0, 2] == 1
    assert growth[0, 3] == pytest.approx(0.5)
