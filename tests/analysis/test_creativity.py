import numpy as np
import pandas as pd
import pytest

from inkframe.analysis import creativity_response
from inkframe.analysis.creativity import RESPONSES, level_label
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.errors import InvalidArgument


def runs(texts_by_level, prompt="p"):
    rows = [(prompt, level, text) for level, texts in texts_by_level.items() for text in texts]
    return pd.DataFrame(rows, columns=["prompt", "creativity", "result"])


def test_equal_texts():
    """Five equal texts are one distinct text, with similarity 1 and without variation."""
    row = creativity_response(runs({0: ["One two three four."] * 5})).iloc[0]
    assert (row["label"], row["texts"], row["distinct"], row["enough"], row["note"]) == (
        "Repetitive",
        5,
        1,
        True,
        "",
    )
    assert row[["similarity", "self_bleu", "length_spread", "vocabulary_growth"]].tolist() == [1, 1, 0, 0]
    assert row[["similarity_low", "similarity_high"]].tolist() == [1, 1]


def test_measures_are_means_over_pairs_within_a_prompt():
    """Texts of different prompts are not compared; a row of two prompts has the mean of both."""
    first, second = ["a b c d", "a b c e", "x y"], ["k l", "k l", "k l"]
    both = pd.concat([runs({0.5: first}, "one"), runs({0.5: second}, "two")], ignore_index=True)
    one = pairwise_similarity(first)[np.triu_indices(3, 1)].mean()
    row = creativity_response(both).iloc[0]
    assert (row["prompts"], row["texts"], row["repeats"], row["distinct"]) == (2, 6, 3, 4)
    assert row["similarity"] == pytest.approx((one + 1) / 2)
    assert row["length_spread"] == pytest.approx(np.std([4, 4, 2], ddof=1) / 2)
    apart = creativity_response(both, by_prompt=True).set_index("prompt")
    assert apart["similarity"].tolist() == pytest.approx([one, 1])


def test_distinct_texts_differ_in_more_than_space():
    """White space does not make a text distinct."""
    assert creativity_response(runs({1: ["a  b", "a b\n", "b a"]}))["distinct"].tolist() == [2]


def test_too_few_repeats_are_noted():
    """With fewer than five repeats there are no intervals, and a note has the number needed."""
    found = creativity_response(runs({0.25: ["a b", "a c", "a d"], 0.3: ["a b"]}))
    assert found["label"].tolist() == ["Deterministic", "0.3"]
    assert found["similarity"].notna().tolist() == [True, False]
    assert found[["enough", "similarity_low"]].isin([False, np.nan]).all().all()
    assert found["note"].str.contains("needs 5").all()
    assert "At least 5 repeats per level are needed, got 1." in found.attrs["analysis"]["notes"][0]


def test_intervals_contain_their_values_and_depend_on_the_seed(documents):
    """Intervals contain the values and depend on the seed."""
    found = creativity_response(documents, by_prompt=True, random_state=1)
    for name in RESPONSES:
        assert (found[f"{name}_low"] <= found[name] + 1e-9).all()
        assert (found[name] <= found[f"{name}_high"] + 1e-9).all()
    again = creativity_response(documents, by_prompt=True, random_state=2)
    assert (again["similarity"] == found["similarity"]).all()
    assert (again["similarity_low"] != found["similarity_low"]).any()


def test_intervals_resample_prompts_if_there_are_enough():
    """Five prompts with two repeats each have intervals."""
    frame = pd.concat([runs({0: [f"a b {word}", "a b c"]}, word) for word in "vwxyz"])
    row = creativity_response(frame).iloc[0]
    assert row["enough"]
    assert row["similarity_low"] <= row["similarity"] <= row["similarity_high"]


def test_rows_that_failed_are_left_out():
    """Rows without text, prompt or level are left out; a frame with only such rows is refused."""
    frame = runs({0.5: ["a b", None, "a c"]})
    assert creativity_response(frame)["texts"].tolist() == [2]
    with pytest.raises(InvalidArgument, match="No row has a prompt"):
        creativity_response(frame.iloc[1:2])


def test_many_texts_are_sampled(monkeypatch):
    """Many texts are sampled for the comparison; counts include all of them."""
    monkeypatch.setattr("inkframe.analysis.creativity.MOST", 10)
    found = creativity_response(runs({0.5: [f"a b {number}" for number in range(40)]}), resamples=50)
    assert found[["texts", "distinct"]].iloc[0].tolist() == [40, 40]
    assert 0 < found["similarity"].iloc[0] < 1


def test_labels():
    """Levels have the labels of the interface."""
    assert [level_label(level) for level in (0, 0.5, 1, 0.6)] == [
        "Repetitive",
        "Original",
        "Imaginative",
        "0.6",
    ]
