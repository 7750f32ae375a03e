from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inkframe as ink
from inkframe.analysis import creativity_response, measure, near_duplicates, similar, similarity
from inkframe.analysis.similarity import pairwise_similarity, similarity_of_pairs, similarity_to
from inkframe.analysis.validation import only_texts

TEXTS = (
    "the kettle boils one liter in four minutes",
    "one liter in four minutes in brushed steel",
    "the kettle boils one liter in four minutes",
    "steel keeps the light the first cup is yours already this morning",
    "yours",
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join), max_size=5).map(
        list(TEXTS).__add__
    )
)
def test_similarity_equals_a_naive_count(texts):
    """Similarity is the Dice coefficient on counts of words and word pairs, for one text as for all pairs."""
    profiles = [Counter(words := text.split()) + Counter(pairwise(words)) for text in texts]
    naive = [
        [2 * (a & b).total() / total if (total := a.total() + b.total()) else 1 for b in profiles]
        for a in profiles
    ]
    assert pairwise_similarity(texts) == pytest.approx(np.array(naive))
    for text, known in zip(texts, naive, strict=True):
        assert similarity_to(text, texts) == pytest.approx(known)


def test_small_batches_have_the_same_result(monkeypatch):
    """Pairs are compared in batches of some bytes, with the same result; no pairs have none."""
    column = only_texts(TEXTS)
    pairs = np.array([[0, 1], [2, 3], [0, 3], [4, 4], [1, 0]])
    known = similarity_of_pairs(column, pairs)
    monkeypatch.setattr(similarity, "BATCH", 100)
    assert similarity_of_pairs(column, pairs).tolist() == known.tolist()
    assert similarity_of_pairs(column, pairs[:0]).tolist() == []


def test_similarity_ignores_case_and_punctuation():
    """The same words in the same order have similarity 1; other words have less."""
    assert pairwise_similarity(["Steel, bright.", "steel bright"])[0, 1] == 1
    assert pairwise_similarity(["steel bright", "dull tin"])[0, 1] == 0
    assert 0 < pairwise_similarity(["東京の朝", "東京の夜"])[0, 1] < 1
    assert pairwise_similarity(["", ""])[0, 1] == 1


def test_similarity_to_an_empty_text():
    """An empty text is similar to empty ones only, and nothing is compared with no texts."""
    assert similarity_to("", ["", "a"]).tolist() == [1, 0]
    assert similarity_to("a", []).size == 0
    assert pairwise_similarity([]).shape == (0, 0)


@pytest.mark.integration
def test_a_pair_of_texts_has_one_similarity_everywhere():
    """A comparison, near duplicates, a search, statistics, measures and scorers show the same number."""
    frame = pd.DataFrame(
        {"name": ["a", "b"], "prompt": "Kettle", "creativity": 0.5, "result": TEXTS[:2]},
        index=pd.Index([0, 1], name="id"),
    )
    [_, [known, _]] = pairwise_similarity(TEXTS[:2])
    assert 0.5 < known < 1
    assert ink.compare(frame).text.endswith(f"similarity {known:.2f}")
    assert near_duplicates(frame, 0.5)["similarity"].iloc[1] == pytest.approx(known)
    assert similar(frame, TEXTS[0])["similarity"][1] == pytest.approx(known)
    assert creativity_response(frame)["similarity"].iloc[0] == pytest.approx(known)
    assert [each.similarity for each in measure(TEXTS[:2])] == pytest.approx([known, known])
    scores = ink.score(frame, close=ink.scorers.similarity_to(TEXTS[0]))["close"]
    assert scores.tolist() == pytest.approx([1, known])
