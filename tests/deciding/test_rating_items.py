from collections import Counter

import pandas as pd
import pytest

import inkframe as ink
from inkframe.deciding.rating_items import sample_items

LEVELS = (0.0, 0.5, 1.0)


def runs(repeats=10, cases=("kettle", "lamp"), **columns):
    """Return documents of each level and case, each with a text of its own."""
    rows = [
        {"case": case, "creativity": level, "result": f"{case} {level} {repeat}"}
        for repeat in range(repeats)
        for case in cases
        for level in LEVELS
    ]
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="id")).assign(**columns)


def sample(frame, by=("creativity",), *, pairs=False, per_group=20, random_state=0, rater="ana"):
    """Return what a rater is shown, with the usual arguments."""
    return sample_items(frame, by, pairs=pairs, per_group=per_group, random_state=random_state, rater=rater)


def levels_of(found):
    """Return the levels of the items in their order."""
    return [item.contents[0].record["creativity"] for item in found.items]


def texts(found):
    """Return the texts of the items in their order."""
    return [content.text for item in found.items for content in item.contents]


def test_each_round_has_one_of_each_group_in_random_order():
    """After any number of rounds all groups were rated as often, and the order within a round varies."""
    found = levels_of(sample(runs()))
    rounds = [tuple(found[at : at + 3]) for at in range(0, 60, 3)]
    assert {tuple(sorted(each)) for each in rounds} == {LEVELS}
    assert len(set(rounds)) > 3


def test_cases_alternate_within_a_group():
    """After ten of a group, both cases were shown five times."""
    found = sample(runs())
    of_one = [item.contents[0].case for item in found.items if item.contents[0].record["creativity"] == 0.5]
    assert Counter(of_one[:10]) == {"kettle": 5, "lamp": 5}


@pytest.mark.parametrize("rater", ["ana", "ben"])
def test_rounds_are_of_one_case(rater):
    """A round has one text of each level of one case, and no case comes again before all others came."""
    cases = [f"product {at}" for at in range(8)]
    found = sample(runs(2, cases), rater=rater, per_group=40)
    shown = [item.contents[0].case for item in found.items]
    assert {len(set(shown[at : at + 3])) for at in range(0, 48, 3)} == {1}
    assert set(shown[::3][:8]) == set(shown[::3][8:]) == set(cases)


def test_per_group_limits_each_group():
    """Each group has the asked number; without groups all records are rated."""
    assert Counter(levels_of(sample(runs(), per_group=4))) == dict.fromkeys(LEVELS, 4)
    assert len(sample(runs(), (), per_group=4).items) == 60


def test_raters_judge_the_same_records_in_another_order():
    """The choice depends on the seed alone, the order on the rater too; both are the same when repeated."""
    ana, ben = sample(runs(), per_group=5), sample(runs(), per_group=5, rater="ben")
    assert sorted(texts(ana)) == sorted(texts(ben))
    assert texts(ana) != texts(ben)
    assert texts(ana) == texts(sample(runs(), per_group=5))
    assert sorted(texts(ana)) != sorted(texts(sample(runs(), per_group=5, random_state=1)))


def test_identical_texts_are_rated_once():
    """Five copies of one text are one item for all of their rows, in any group and case."""
    frame = runs()
    copies = frame.index[(frame["creativity"] == 0.0)][:5].union(frame.index[frame["creativity"] == 0.5][:2])
    frame.loc[copies, "result"] = "the same"
    frame.loc[copies[0], "result"] = "the same\n"
    found = sample(frame)
    [content] = [content for content in found.contents if content.text == "the same"]
    assert sorted(id for rows in content.rows.values() for _, id in rows) == sorted(copies)
    assert {group: len(rows) for group, rows in content.rows.items()} == {(0.0,): 5, (0.5,): 2}
    assert len(found.items) == 60 - 6


def test_tokens_show_nothing():
    """A token is random, so that it is another one each time."""
    first, second = sample(runs()), sample(runs())
    assert not {item.token for item in first.items} & {item.token for item in second.items}
    assert len({item.token for item in first.items}) == 60


def test_rows_without_a_text_or_an_id_are_left_out():
    """What failed is not rated; positions are those of the whole frame."""
    frame = runs(repeats=1).reset_index()
    frame["id"] = frame["id"].astype("Int64")
    frame.loc[0, "id"] = pd.NA
    frame.loc[1, "result"] = None
    frame.loc[2, "result"] = "  "
    found = sample(frame)
    places = sorted(at for content in found.contents for rows in content.rows.values() for at, _ in rows)
    assert places == [3, 4, 5]


@pytest.mark.parametrize(
    ("change", "by", "shown"),
    [
        (lambda frame: frame, ["creativity"], True),
        (lambda frame: frame, [], True),
        (lambda frame: frame, ["case"], False),
        (lambda frame: frame[frame["case"] == "lamp"], ["case"], False),
        (lambda frame: frame.drop(columns="case"), ["creativity"], False),
        (lambda frame: frame.assign(case=frame["creativity"].astype(str)), ["creativity"], False),
        (lambda frame: frame[(frame["case"] == "lamp") | (frame["creativity"] > 0)], ["creativity"], False),
    ],
)
def test_cases_are_shown_unless_they_tell_the_group(change, by, shown):
    """A case that some group does not have is hidden, since it would narrow the group down."""
    assert sample(change(runs()), by).shows_cases is shown


def test_a_failed_row_still_counts_for_its_case():
    """One text that is missing hides no cases: its group was asked for it too."""
    frame = runs(repeats=1)
    frame.loc[1, "result"] = None
    assert sample(frame).shows_cases


def test_pairs_compare_groups_within_a_case():
    """Both texts of a pair have the same case and different levels, no pair comes twice, sides are random."""
    found = sample(runs(), pairs=True, per_group=20)
    pairs = [item.contents for item in found.items]
    assert all(one.case == other.case for one, other in pairs)
    assert all(one.rows.keys().isdisjoint(other.rows) for one, other in pairs)
    assert len({item.key for item in found.items}) == len(pairs) == 30
    lower_first = [one.record["creativity"] < other.record["creativity"] for one, other in pairs]
    assert 5 < sum(lower_first) < 25


def test_pairs_are_balanced():
    """Each group takes part as often as asked, each pair of groups as often as others, and texts repeat little."""
    found = sample(runs(), pairs=True, per_group=20)
    groups = Counter(content.record["creativity"] for item in found.items for content in item.contents)
    duels = Counter(
        frozenset(content.record["creativity"] for content in item.contents) for item in found.items
    )
    assert groups == dict.fromkeys(LEVELS, 20)
    assert set(duels.values()) == {10}
    assert max(Counter(texts(found)).values()) == 1


def test_pairs_of_a_single_group():
    """As many as asked, of any two texts of a case."""
    frame = runs()
    found = sample(frame[frame["creativity"] == 0.5], pairs=True, per_group=7)
    assert len({item.key for item in found.items}) == 7


def test_half_a_character_is_a_text():
    """A text that cannot be encoded is rated as others are."""
    frame = runs(repeats=1)
    frame["result"] = pd.Series(["\ud83d", *frame["result"][1:]], frame.index, dtype=object)
    assert len(sample(frame).items) == len(frame)


def test_pairs_without_groups_use_every_text():
    """Without groups, any two texts of a case are compared, each text at least once."""
    found = sample(runs(repeats=2), (), pairs=True)
    assert len(set(texts(found))) == 12
    assert all(item.contents[0].case == item.contents[1].case for item in found.items)


def test_what_cannot_be_rated_is_refused():
    """A misspelled column, a frame without texts, and pairs without two texts are errors that say so."""
    with pytest.raises(ink.InvalidArgument, match="Did you mean 'creativity'"):
        sample(runs(), ["creativty"])
    with pytest.raises(ink.InvalidArgument, match="The frame has no ids"):
        sample(runs().rename_axis(None))
    with pytest.raises(ink.InvalidArgument, match="nothing to rate"):
        sample(runs(result=None))
    with pytest.raises(ink.InvalidArgument, match="nothing to rate"):
        sample(runs(result="the same"), pairs=True)


def test_whole_samples(recorded):
    """Which texts are shown, in which order and in which pairs, for each way to sample them."""
    found = {}
    for name, options in {
        "all": {}, "few": {"per_group": 3}, "another seed": {"per_group": 3, "random_state": 1},
        "another rater": {"per_group": 3, "rater": "ben"}, "no groups": {"by": ()}, "two columns": {"by": ("case", "creativity"), "per_group": 2},
        "pairs": {"pairs": True, "per_group": 4},
        "pairs without groups": {"pairs": True, "by": ()},
    }.items():  # fmt: skip
        made = sample(runs(repeats=2 if "without" in name else 5), **options)
        texts = [" | ".join(content.text for content in item.contents) for item in made.items]
        found[name] = {
            "texts": texts,
            "groups": [list(group) for group in made.groups],
            "cases": made.shows_cases,
        }
    recorded("samples", found)
