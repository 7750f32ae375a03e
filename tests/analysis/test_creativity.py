import numpy as np
import pandas as pd
import pytest

from inkframe.analysis import creativity_response
from inkframe.analysis.intervals import wilson
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.errors import InvalidArgument


def runs(texts_by_level, prompt="p"):
    rows = [(prompt, level, text) for level, texts in texts_by_level.items() for text in texts]
    return pd.DataFrame(rows, columns=["prompt", "creativity", "result"])


def varied(count, shared=0, seed=0):
    """Return texts of twelve words: the first ones are the same in each, and of the others each keeps some."""
    random = np.random.default_rng(seed)
    words = np.array([f"w{number}" for number in range(300)])
    texts = []
    for kept in random.uniform(0.1, 1, count):
        other = random.random(12) > kept
        other[:shared] = False
        texts.append(" ".join(np.where(other, random.choice(words, 12), words[:12])))
    return texts


def test_equal_texts():
    """Equal texts are one distinct text with similarity 1, which is no proof that others are equal."""
    row = creativity_response(runs({0: ["One two three four."] * 15})).iloc[0]
    assert row[["label", "texts", "distinct", "enough"]].tolist() == ["Repetitive", 15, 1, False]
    assert row["note"] == "too few different texts for an interval, 1 of 15"
    assert row[["similarity", "length_spread", "with_copy"]].tolist() == [1, 0, 1]
    assert row[["similarity_low", "similarity_high"]].isna().all()


@pytest.mark.integration
def test_measures_are_means_over_pairs_within_a_prompt():
    """Texts of different prompts are not compared; a row of two prompts has the mean of both."""
    first, second = ["a b c d", "a b c e", "x y"], ["k l", "k l", "k l"]
    both = pd.concat([runs({0.5: first}, "one"), runs({0.5: second}, "two")], ignore_index=True)
    one = pairwise_similarity(first)[np.triu_indices(3, 1)].mean()
    row = creativity_response(both).iloc[0]
    assert row[["prompts", "texts", "repeats", "distinct", "with_copy"]].tolist() == [2, 6, 3, 4, 0.5]
    assert row["similarity"] == pytest.approx((one + 1) / 2)
    assert row["length_spread"] == pytest.approx((0 + 2 + 2) / 3 / 2)
    apart = creativity_response(both, by_prompt=True).set_index("prompt")
    assert apart["similarity"].tolist() == pytest.approx([one, 1])


@pytest.mark.integration
def test_length_variation_does_not_depend_on_the_number_of_repeats():
    """The expected difference of two lengths is the same for few and for many repeats."""
    random = np.random.default_rng(1)
    few, many = (
        np.mean(
            [
                creativity_response(runs({0: ["a " * n for n in random.choice([4, 9, 12], size)]}))[
                    "length_spread"
                ]
                for _ in range(100)
            ]
        )
        for size in (2, 12)
    )
    assert few == pytest.approx(many, abs=1)


def test_distinct_texts_differ_in_more_than_space():
    """White space does not make a text distinct."""
    assert creativity_response(runs({1: ["a  b", "a b\n", "b a"]}))["distinct"].tolist() == [2]


def test_too_few_repeats_are_noted():
    """With fewer than fifteen repeats there are no intervals, and a note has the number needed."""
    found = creativity_response(runs({0.25: ["a b", "a c", "a d"], 0.3: ["a b"]}))
    assert found["label"].tolist() == ["Deterministic", "0.3"]
    assert found["prompts"].tolist() == [1, 0]
    assert found["similarity"].notna().tolist() == [True, False]
    assert found[["enough", "similarity_low"]].isin([False, np.nan]).all().all()
    assert found["note"].str.contains("needs 15").all()
    assert "At least 15 repeats per level are needed, got 1." in found.attrs["analysis"]["notes"][0]


def test_only_what_was_compared_counts():
    """A prompt with one text is no repeat: it takes the interval of the others neither away nor along."""
    frame = pd.concat([runs({0.5: varied(15)}, "one"), runs({0.5: ["a b c"]}, "two")])
    row = creativity_response(frame).iloc[0]
    assert row[["prompts", "repeats", "texts", "enough"]].tolist() == [1, 15, 16, True]


@pytest.mark.integration
def test_lengths_have_an_interval_from_sixty_repeats():
    """With one prompt, the interval of the length variation needs sixty repeats."""
    texts = [" ".join(text.split()[: 3 + at % 9]) for at, text in enumerate(varied(60))]
    some, all_of_them = (creativity_response(runs({0.5: texts[:count]})).iloc[0] for count in (59, 60))
    assert np.isnan(some["length_spread_low"])
    assert all_of_them["length_spread_low"] < some["length_spread"] < all_of_them["length_spread_high"]


def prompts(count):
    """Return two texts each of some prompts; those of the first are equal."""
    texts = [
        [f"w{at} b c d", "a b c d e" if at % 2 else "a b c"] if at else ["a b"] * 2 for at in range(count)
    ]
    return pd.concat([runs({0: pair}, str(at)) for at, pair in enumerate(texts)])


def test_eight_prompts_are_the_unit():
    """Eight prompts with two repeats each have intervals of similarity and length; seven have none."""
    row = creativity_response(prompts(8)).iloc[0]
    assert row["enough"]
    for name in ("similarity", "length_spread"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    fewer = creativity_response(prompts(7)).iloc[0]
    assert fewer[["similarity_low", "length_spread_low", "with_copy_low"]].isna().all()


def test_prompts_that_do_not_differ_have_no_interval():
    """Where each of many prompts has one text again and again, the note says so, and asks for no repeats."""
    frame = pd.concat([runs({0: [f"text of prompt {at}"] * 2}, str(at)) for at in range(8)])
    found = creativity_response(frame)
    assert found["note"].tolist() == ["the prompts are equally similar, so that there is no interval"]
    assert found.attrs["analysis"]["notes"] == []


@pytest.mark.integration
def test_the_share_with_a_copy_has_an_interval_from_thirty_prompts():
    """Thirty prompts have Wilson's interval of the share with a copy; of 29 it would not hold."""
    row = creativity_response(prompts(30)).iloc[0]
    assert (row["with_copy_low"], row["with_copy_high"]) == wilson(1, 30)
    fewer = creativity_response(prompts(29)).iloc[0]
    assert fewer["with_copy"] == pytest.approx(1 / 29)
    assert fewer[["with_copy_low", "with_copy_high"]].isna().all()


def test_levels_that_can_be_told_apart_are_named():
    """A test on similarity names the levels that differ, among those that have an interval."""
    frame = runs({0: varied(16, 9), 0.5: varied(16, 3, seed=1), 1: varied(16, 3, seed=2), 0.75: ["a"] * 16})
    notes = creativity_response(frame).attrs["analysis"]["notes"]
    assert len(notes) == 1
    assert "among the 3 with an interval (Welch's test, adjusted for 3 pairs of levels)" in notes[0]
    assert notes[0].endswith(": 0 and 0.5, 0 and 1.")
    equal = runs({0.5: varied(16, 3, seed=1), 1: varied(16, 3, seed=2)})
    for frame, among in (
        (equal, ""),
        (pd.concat([equal, runs({0: ["a"] * 16})]), ", among the 2 with an interval"),
    ):
        assert creativity_response(frame).attrs["analysis"]["notes"] == [
            f"Levels that similarity tells apart{among} (Welch's test): none."
        ]


@pytest.mark.integration
def test_equal_levels_are_seldom_told_apart():
    """With two levels from one pool, at most one in twenty comparisons claims a difference."""
    separated = 0
    for seed in range(100):
        texts = varied(30, 3, seed=seed)
        notes = creativity_response(runs({0: texts[:15], 1: texts[15:]})).attrs["analysis"]["notes"]
        separated += "0 and 1" in " ".join(notes)
    assert separated <= 12  # five are expected, with a standard deviation of two


def edited_frame(*later):
    """Return five texts, those at these positions updated a second after they were created."""
    created = pd.to_datetime(["2026-01-01T00:00:00Z"] * 5)
    updated = created + pd.to_timedelta([int(at in later) for at in range(5)], unit="s")
    return runs({0.5: varied(5)}).assign(created_at=created, updated_at=updated)


@pytest.mark.integration
def test_edited_records_are_left_out():
    """Records updated after they were created are left out, and said; edited=True includes them."""
    found = creativity_response(edited_frame(1))
    assert found["texts"].tolist() == [4]
    assert "changed since they were created: 1 of 5 records" in found.attrs["analysis"]["notes"][-1]
    assert creativity_response(edited_frame(1), edited=True)["texts"].tolist() == [5]
    assert creativity_response(edited_frame())["texts"].tolist() == [5]
    for name in ("created_at", "updated_at"):
        assert creativity_response(edited_frame(1).drop(columns=name))["texts"].tolist() == [5]


def test_a_service_that_updates_every_record_is_recognized():
    """Where most records were updated later, the times say nothing about edits, and nothing is left out."""
    found = creativity_response(edited_frame(0, 1, 2))
    assert found["texts"].tolist() == [5]
    assert "Edited records are not recognized" in found.attrs["analysis"]["notes"][-1]


def test_rows_that_failed_are_left_out():
    """Rows without text, prompt or level are left out; a frame with only such rows is refused."""
    frame = runs({0.5: ["a b", None, "a c"]})
    assert creativity_response(frame)["texts"].tolist() == [2]
    with pytest.raises(InvalidArgument, match="No row has a prompt"):
        creativity_response(frame.iloc[1:2])


@pytest.mark.integration
def test_many_texts_are_sampled(monkeypatch):
    """Many texts are sampled for the comparison, depending on the seed; counts include all of them."""
    monkeypatch.setattr("inkframe.analysis.creativity.MOST", 10)
    one, other = (creativity_response(runs({0.5: varied(40, 4)}), random_state=seed) for seed in (0, 1))
    assert one[["texts", "distinct"]].iloc[0].tolist() == [40, 39]
    assert one["similarity"].iloc[0] != other["similarity"].iloc[0]


@pytest.mark.parametrize("confidence", [0.5, 1, "0.9", True])
def test_confidence_is_checked(confidence):
    """A confidence level is a number above 0.5 and below 1."""
    with pytest.raises(InvalidArgument, match="confidence must be"):
        creativity_response(runs({0: ["a", "b"]}), confidence=confidence)


@pytest.mark.integration
def test_whole_response(documents, recorded):
    """All columns, units and notes for many prompts, for each prompt, and for too few repeats."""
    recorded("response", creativity_response(documents))
    recorded("by prompt", creativity_response(documents, by_prompt=True, confidence=0.9))
    recorded("few", creativity_response(documents.iloc[[0, 1, 5, 6, 10, 12]]))
    many = documents.assign(prompt=[f"prompt {at // 10}" for at in range(60)], creativity=0.5)
    many = pd.concat([many, many.assign(prompt="more " + many["prompt"])], ignore_index=True)
    recorded("prompts", creativity_response(many))
