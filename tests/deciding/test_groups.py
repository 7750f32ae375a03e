import numpy as np
import pandas as pd
import pytest
from tests.cases import with_texts

from inkframe.analysis import compare_groups
from inkframe.analysis.intervals import Mean
from inkframe.deciding.groups import observe
from inkframe.deciding.verdict import is_equivalent
from inkframe.errors import InvalidArgument
from inkframe.versions import text_type

A = [3.1, 4.2, 5.0, 4.4, 2.9, 5.5, 4.1]
B = [1.0, 3.9, 2.2, 4.0, 3.5, 3.0, 1.9, 2.2]
MISSING = (
    "The frame has no column 'none'.\nIt has: group, value, one, two, n, high, mean.\n"
    "Rename a column, or pass another name."
)


def frame(**groups):
    rows = [(name, value) for name, values in groups.items() for value in values]
    return pd.DataFrame(rows, columns=["group", "value"])


def crossed(cases, per_cell, effect=0.0, seed=0, shift=3.0):
    """Return two groups over cases that differ by more than the groups do."""
    random = np.random.default_rng(seed)
    rows = [
        (group, case, random.normal(shift * case + effect * (group == "b"), 1))
        for case in range(cases)
        for group in "ab"
        for _ in range(per_cell)
    ]
    return pd.DataFrame(rows, columns=["group", "case", "value"])


@pytest.mark.integration
def test_two_groups_equal_scipy():
    """Without cases, means, intervals and the difference are those of Welch's test in scipy."""
    from scipy import stats

    found = compare_groups(frame(a=A, b=B), by="group", column="value").set_index("group")
    assert found["n"].tolist() == [7, 8]
    assert found.loc["a", "mean"] == pytest.approx(np.mean(A))
    ends = stats.t.interval(0.95, 7, np.mean(B), stats.sem(B))
    assert found.loc["b", ["low", "high"]].tolist() == pytest.approx(ends, abs=1e-9)
    expected = stats.ttest_ind(B, A, equal_var=False).confidence_interval()
    assert found.loc["b", ["difference_low", "difference_high"]].tolist() == pytest.approx(expected, abs=1e-9)
    assert found.loc["b", "difference"] == pytest.approx(np.mean(B) - np.mean(A))
    assert found["verdict"].tolist() == ["best", "worse"]


@pytest.mark.integration
def test_checks_equal_statsmodels():
    """Shares are compared by Newcombe's interval."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    given = frame(a=[True] * 16 + [False] * 4, b=[True] * 15 + [False] * 15)
    found = compare_groups(given, by="group", column="value").set_index("group")
    expected = confint_proportions_2indep(15, 30, 16, 20, method="newcomb", compare="diff")
    assert found.loc["b", ["difference_low", "difference_high"]].tolist() == pytest.approx(expected, abs=1e-9)
    assert found["mean"].tolist() == [0.8, 0.5]
    assert found["verdict"].tolist() == ["best", "worse"]


@pytest.mark.integration
def test_equivalence_equals_statsmodels():
    """A group is equivalent exactly where both one-sided tests of statsmodels reject."""
    from statsmodels.stats.weightstats import ttost_ind

    near = (np.array(A) + 0.1).tolist()
    (p, _, _) = ttost_ind(np.array(A), np.array(near), -1.4, 1.4, usevar="unequal")
    assert 0.01 < p < 0.05
    for smallest, verdict in ((1.4, "equivalent"), (0.5, "undecided"), (None, "undecided")):
        found = compare_groups(frame(a=A, b=near), by="group", column="value", smallest=smallest)
        assert found["verdict"].tolist() == [verdict] * 2
    strict = compare_groups(frame(a=A, b=near), by="group", column="value", smallest=1.4, confidence=0.995)
    assert strict["verdict"].tolist() == ["undecided"] * 2


@pytest.mark.integration
def test_all_pairs_are_adjusted_for():
    """With more groups a difference needs a smaller p-value, since the best is found in the same data."""
    third = [value - 1.6 for value in A]
    two = compare_groups(frame(a=A, b=third), by="group", column="value")
    many = {name: [value - 0.8 for value in A] for name in "cdefg"}
    more = compare_groups(frame(a=A, b=third, **many), by="group", column="value")
    assert two["verdict"].tolist() == ["best", "worse"]
    assert more["verdict"].tolist() == ["undecided"] * 7


@pytest.mark.integration
def test_cases_are_blocks():
    """The difference of cases is no noise: within cases a small effect is found, without them it is not."""
    given = crossed(3, 6, effect=1.5, shift=10)
    within = compare_groups(given, by="group", column="value")
    assert within["verdict"].tolist() == ["worse", "best"]
    assert "for these 3 cases" in within.attrs["analysis"]["notes"][0]
    without = compare_groups(given, by="group", column="value", block=None)
    assert without["verdict"].tolist() == ["undecided"] * 2
    assert without.attrs["analysis"]["notes"] == []


@pytest.mark.integration
def test_cases_count_equally():
    """A case with more documents of one group does not move the mean of that group."""
    given = crossed(2, 4, shift=10)
    more = pd.concat([given, given[(given["group"] == "b") & (given["case"] == 1)]])
    one, other = (compare_groups(each, by="group", column="value")["mean"] for each in (given, more))
    assert other.tolist() == pytest.approx(one.tolist())


@pytest.mark.integration
def test_eight_cases_are_the_unit():
    """From eight cases on, the difference is that of a paired test over the means of the cases."""
    from scipy import stats

    given = crossed(8, 2, effect=1.0)
    found = compare_groups(given, by="group", column="value").set_index("group")
    cells = (
        given.groupby(["group", "case"])["value"]
        .mean()
        .reset_index()
        .pivot_table(index="case", columns="group", values="value")
    )
    expected = stats.ttest_rel(cells["a"], cells["b"]).confidence_interval()
    assert found.loc["a", ["difference_low", "difference_high"]].tolist() == pytest.approx(expected, abs=1e-9)
    ends = stats.t.interval(0.95, 7, cells["b"].mean(), stats.sem(cells["b"]))
    assert found.loc["b", ["low", "high"]].tolist() == pytest.approx(ends, abs=1e-9)
    assert found["n"].tolist() == [16, 16]


def test_checks_over_many_cases_vary_with_the_cases():
    """Where cases differ much, the share over eight of them is less certain than its documents suggest."""
    rows = [(group, case, case < 4) for case in range(8) for group in "ab" for _ in range(20)]
    found = compare_groups(pd.DataFrame(rows, columns=["group", "case", "value"]), by="group", column="value")
    assert found["mean"].tolist() == [0.5, 0.5]
    assert (found["high"] - found["low"] > 0.5).all()


@pytest.mark.integration
def test_prompts_stand_for_cases():
    """A frame without cases is compared within its prompts, but not if they are the groups."""
    given = crossed(3, 6, effect=1.5).rename(columns={"case": "prompt"})
    assert compare_groups(given, by="group", column="value")["verdict"].tolist() == ["worse", "best"]
    assert len(compare_groups(given, by="prompt", column="value")) == 3


def test_one_document_in_each_cell_decides_nothing():
    """Without replicates within cases there is no interval, and no verdict."""
    found = compare_groups(crossed(4, 1, effect=9), by="group", column="value")
    assert found["low"].isna().all()
    assert found["verdict"].tolist() == ["undecided"] * 2


@pytest.mark.integration
def test_groups_stand_in_their_own_order():
    """Groups are in the order of their categories or values, with a column for each of several."""
    given = pd.DataFrame(
        {"style": pd.Categorical(list("baba"), ["b", "a", "c"]), "m": [1, 1, 2, 2], "value": [1.0, 2, 3, 4]}
    )
    assert compare_groups(given, by="style", column="value")["style"].tolist() == ["b", "a"]
    both = compare_groups(given, by=["style", "m"], column="value")
    assert both[["style", "m"]].to_numpy().tolist() == [["b", 1], ["b", 2], ["a", 1], ["a", 2]]


def test_few_documents_have_a_mean_but_no_interval():
    """Of two documents no interval is shown, nor of a difference to them; of three there is one."""
    rows = [("a", value) for value in (4, 4.5)] + [("b", value) for value in (1, 5, 3)]
    found = compare_groups(pd.DataFrame(rows, columns=["group", "value"]), by="group", column="value")
    assert found["mean"].tolist() == [4.25, 3]
    assert found["low"].notna().tolist() == found["high"].notna().tolist() == [False, True]
    assert found["difference_low"].isna().all()
    assert found["verdict"].tolist() == ["undecided"] * 2


def test_raters_are_centered_and_averaged():
    """A strict rater who saw other documents does not move the groups; documents are counted, not ratings."""
    rows = [
        ("a", 1, "mild", 4), ("a", 2, "mild", 5), ("a", 3, "strict", 1), ("a", 4, "strict", 2),
        ("b", 5, "mild", 5), ("b", 6, "mild", 6), ("b", 7, "strict", 2), ("b", 8, "strict", 3),
        ("a", 1, "strict", 1), ("a", 10, "mild", 4), ("a", 11, "strict", 1), ("b", 12, "mild", 5),
        ("b", 13, "strict", 2),
    ]  # fmt: skip
    given = pd.DataFrame(rows, columns=["group", "id", "rater", "value"])
    found = compare_groups(given, by="group", column="value")
    assert found["n"].tolist() == [6, 6]
    assert found["difference"].tolist() == pytest.approx([-1, 0], abs=0.1)
    assert (found["high"] - found["low"]).max() < 1.5


def test_a_rater_of_one_group_does_not_make_it_better():
    """What only one rater says about a group is not taken for how mild the rater is."""
    rows = [("a", at, "x", 2 + at % 2) for at in range(6)] + [
        ("b", 9 + at, "y", 4 + at % 2) for at in range(6)
    ]
    found = compare_groups(pd.DataFrame(rows, columns=["group", "id", "rater", "v"]), by="group", column="v")
    assert found["mean"].tolist() == [2.5, 4.5]


@pytest.mark.integration
def test_copies_of_a_text_are_one_judgment():
    """Five copies that share a rating prove as little as one, while their share in the mean stays."""
    given = pd.DataFrame(
        {"g": list("aaaaaaabbb"), "rating": [5.0] * 5 + [3, 2, 1, 2, 3], "result": ["x"] * 5 + list("yzabc")}
    )
    found = compare_groups(given, by="g", column="rating").set_index("g")
    assert found["n"].tolist() == [7, 3]
    assert found.loc["a", "mean"] == pytest.approx(30 / 7)
    assert found.loc["a", "low"] == 1
    assert compare_groups(given.drop(columns="result"), by="g", column="rating")["low"][0] > 3
    only = compare_groups(given[given["result"] != "y"], by="g", column="rating").set_index("g")
    assert np.isnan(only.loc["a", "low"])
    assert only["verdict"].tolist() == ["undecided"] * 2


def test_ratings_that_were_not_blind_are_left_out():
    """Ratings given after the group was seen do not count, and the notes say so; unrated rows neither."""
    given = with_texts(frame(a=A, b=B)).assign(blind=[True] * 6 + [False] + [True] * 7 + [None])
    given.loc[0, "value"] = None
    found = compare_groups(given, by="group", column="value")
    assert found["n"].tolist() == [5, 8]
    assert found.attrs["analysis"]["notes"] == [
        "Left out without value or group: 1 of 15 rows.",
        "Left out as rated after the group was seen: 1 of 15 rows.",
    ]


@pytest.mark.parametrize(
    ("cases", "words"), [(1, "for this case"), (2, "for these 2 cases"), (7, "for these 7 cases"), (8, None)]
)
def test_the_note_says_for_which_cases_the_result_holds(cases, words):
    """Below eight cases the note names their number; from eight on they are the unit of sampling."""
    notes = compare_groups(crossed(cases, 6), by="group", column="value", block="case").attrs["analysis"][
        "notes"
    ]
    said = [note for note in notes if "needs at least 8" in note]
    assert bool(said) is (words is not None)
    if words:
        assert words in said[0]


def test_a_frame_whose_index_and_column_have_one_name():
    """Rows of a batch have an id as a column, and those of a listing as the index; both may be there."""
    rows = frame(a=A, b=B).assign(id=range(15))
    expected = compare_groups(rows, by="group", column="value")
    found = compare_groups(rows.set_index("id", drop=False), by="group", column="value")
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.integration
def test_whole_tables(recorded):
    """All columns, units and notes of means, of shares, and over cases."""
    recorded("means", compare_groups(frame(a=A, b=B, c=A), by="group", column="value", smallest=3))
    recorded(
        "checks",
        compare_groups(frame(a=[True] * 9 + [False], b=[True, False] * 5), by="group", column="value"),
    )
    recorded(
        "cases", compare_groups(crossed(3, 4, 1.0), by="group", column="value", block="case", confidence=0.9)
    )
    recorded("many cases", compare_groups(crossed(9, 2, 1.0), by="group", column="value", block="case"))


def test_groups_without_common_cases_are_compared_as_without_cases():
    """Where hardly any case is common, cases are not taken into account, whatever their number, and a note says so."""
    given = with_texts(frame(a=A, b=B)).assign(case=range(15))
    with_cases = compare_groups(given, by="group", column="value", block="case")
    without = compare_groups(given, by="group", column="value", block=None)
    pd.testing.assert_frame_equal(with_cases, without)
    notes = [each.attrs["analysis"]["notes"] for each in (with_cases, without)]
    first = "The groups have too few cases in common, so cases are not taken into account."
    assert notes[0] == [first, *notes[1]]


def test_half_of_the_documents_in_common_cases_are_enough():
    """Where half of the documents are of cases that every group has, only these are compared."""
    rows = [("a", case, at) for at, case in enumerate([0, 0, 1, 2])] + [
        ("b", case, 9) for case in (0, 0, 3, 4)
    ]
    half = pd.DataFrame(rows, columns=["group", "case", "value"])
    found = compare_groups(half, by="group", column="value")
    assert found["mean"].tolist() == [0.5, 9]
    assert found.attrs["analysis"]["notes"] == [
        "Left out: 4 documents of cases that not every group has a value in.",
        "The result is for this case; one about further cases needs at least 8.",
    ]
    less = compare_groups(pd.concat([half, half[-1:]]), by="group", column="value")
    assert less["mean"].tolist() == pytest.approx([1.5, 9])


def test_a_difference_as_large_as_the_smallest_that_matters_is_not_equivalent():
    """The whole interval must lie within the smallest difference, on both sides."""
    against = Mean(0.1, 0.01, 20)
    low, high = against.interval(0.9)
    assert is_equivalent(against, high + 1e-9, 0.95)
    assert not is_equivalent(against, high, 0.95)
    mirrored = Mean(-0.1, 0.01, 20)
    assert is_equivalent(mirrored, high + 1e-9, 0.95)
    assert not is_equivalent(mirrored, -mirrored.interval(0.9)[0], 0.95)
    assert not is_equivalent(against, -low, 0.95)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": []}, "by must be a column or a list of columns, got []."),
        *(({name: "none"}, MISSING) for name in ("by", "block")),
        ({"smallest": 0}, "smallest must be above 0, got 0."),
        ({"smallest": "x"}, "smallest must be a number, got 'x'."),
        ({"confidence": 1}, "confidence must be above 0.5 and below 1, got 1.\nUsual is 0.95."),
        (
            {"column": "group"},
            "The column 'group' must hold numbers or booleans, got str.\nPass a rating, a score or a check.",
        ),
        (
            {"by": ["one", "two"]},
            (
                "A comparison needs at least 2 groups, got 1 in 'one', 'two'.\n"
                "Pass another column with by=…, or rows with a value in 'value'."
            ),
        ),
        ({"by": "mean"}, "The group 'mean' is a column of the result.\nRename it in the frame."),
        (
            {"by": ["n", "high", "group"]},
            "The group 'high' is a column of the result.\nRename it in the frame.",
        ),
    ],
)
def test_messages(options, message):
    """Errors say what is wrong and what to pass instead."""
    given = with_texts(frame(a=A, b=B)).assign(one=1, two=2, n=1, high=2, mean=[*"abababababababa"])
    with pytest.raises(InvalidArgument) as caught:
        compare_groups(given, **({"by": "group", "column": "value"} | options))
    assert str(caught.value).replace(f"got {text_type()}.", "got str.") == message


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pd.array([1, 2, None, 4, 5, 6, 7, 8], "Int64"), "mean"),
        (pd.array([True, False, None, True, False, True, False, True], "boolean"), "share"),
        (np.array([True, False, None, np.True_, False, True, False, True], object), "share"),
        (np.array([True, False, None, 1, 0, 1, 0, 1], object), "mean"),
        ([None, None, 1, 2.5, 3, 4, 5, 6], "mean"),
        (pd.Categorical([1, 2, 3, 4, 5, 6, 7, 8]), None),
        ([1, 2, 3, 4, np.inf, 6, 7, 8], None),
        (pd.date_range("2026-01-01", periods=8), None),
        (["1", "2", "x", "4", "5", "6", "7", "8"], None),
    ],
)
def test_columns_that_can_be_compared(values, kind):
    """Numbers and booleans of any type are compared; categories, times, texts and infinity are not."""
    given = pd.DataFrame({"group": [*"abababab"], "value": values})
    if kind is None:
        with pytest.raises(InvalidArgument, match="The column 'value' must hold numbers or booleans, got"):
            compare_groups(given, by="group", column="value")
        return
    found = compare_groups(given, by="group", column="value")
    assert found.attrs["analysis"]["units"]["mean"] == f"{kind} value"
    assert found["n"].sum() == given["value"].notna().sum()


def test_the_order_of_documents():
    """Documents are in the order of their ratings, else of their index, or as they are if it cannot be sorted."""
    given = pd.DataFrame({"group": [*"ababab"], "value": [1.0, 2, 3, 4, 5, 6]}, index=[3, 1, 2, 6, 5, 4])
    rated = given.assign(rated_at=pd.to_datetime([5, 5, 4, 3, 2, 1], unit="D"))
    mixed = given.set_axis(["a", 1, "b", 2, "c", 3])
    found = [observe(each, by="group", column="value", block=None) for each in (given, rated, mixed)]
    assert [each.data["value"].tolist() for each in found] == [
        [2, 3, 1, 6, 5, 4], [6, 5, 4, 3, 1, 2], [1, 2, 3, 4, 5, 6],
    ]  # fmt: skip
    first = found[2].until(2)
    assert (first.data["value"].tolist(), first.counts, first.labels) == ([1, 2, 3], [2, 1], found[2].labels)


def test_some_of_the_groups():
    """The groups that are kept are numbered anew, with their labels."""
    given = pd.DataFrame({"group": [*"abcabc"], "value": [1.0, 2, 3, 4, 5, 6]})
    kept = observe(given, by="group", column="value", block=None).only([0, 2])
    assert kept.labels == [{"group": "a"}, {"group": "c"}]
    assert kept.data[["group", "value"]].to_numpy().tolist() == [[0, 1], [1, 3], [0, 4], [1, 6]]
    assert (kept.column, kept.is_check, kept.has_blocks, kept.notes) == ("value", False, False, [])


@pytest.mark.integration
def test_whole_comparisons_of_ratings(recorded):
    """Ratings by several raters, copies of texts, several columns of cases, and rows that do not count."""
    random = np.random.default_rng(8)
    rows = [
        (
            at % 12,
            "ab"[at % 2],
            at % 3,
            ["x", "y"][at // 12 % 2],
            float(random.integers(1, 6)),
            f"text  {at % 7}",
        )
        for at in range(36)
    ]
    names = ["id", "group", "case", "rater", "rating", "result"]
    given = pd.DataFrame(rows, columns=names).assign(kind="k", blind=[True] * 30 + [None] * 3 + [False] * 3)
    given.loc[4, "rater"] = None
    given.loc[[7, 8], "rating"] = np.nan
    given.loc[5, "result"] = "text 5"
    given.loc[9, "result"] = None
    for name, options in (
        ("cases", {"by": "group"}),
        ("two columns", {"by": ["kind", "group"], "block": ["case", "kind"]}),
        ("no cases", {"by": "group", "block": None, "confidence": 0.8}),
    ):
        recorded(f"raters, {name}", compare_groups(given, column="rating", **options))
        alone = given.drop(columns=["rater", "blind"])
        recorded(f"copies, {name}", compare_groups(alone, column="rating", **options))


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        ({}, "score was judged by a model; there are no human ratings to compare it with."),
        (
            {"rating": [1, 2, None, None]},
            "score was judged by a model; there are no human ratings to compare it with.",
        ),
        (
            {"rating": [1, 2, 4, None]},
            "score was judged by a model; its rank correlation with human ratings is 0.50 over 3 records.",
        ),
        (
            {"rating": [3, 3, 3, 3], "label": [*"abcd"]},
            "score was judged by a model; of 4 human ratings or its own, all are equal.",
        ),
        (
            {"label": ["1", "3", "2", "7"]},
            "score was judged by a model; it is the human label for 75% of 4 records.",
        ),
    ],
)
def test_notes_on_a_judging_model(columns, note):
    """The note compares the column with human ratings, else with labels, of at least three records."""
    given = pd.DataFrame({"group": [*"aabb"], "score": [1, 3, 2, 4], **columns})
    assert compare_groups(given, by="group", column="score").attrs["analysis"]["notes"] == []
    given.attrs["scoring"] = {"judged": {"score": "Is it good?"}}
    assert compare_groups(given, by="group", column="score").attrs["analysis"]["notes"] == [note]


def test_whole_checks_over_cases(recorded):
    """Shares over a few cases of different size, and over many with and without differences between them."""
    random = np.random.default_rng(6)
    for name, sizes in (("few", [3, 5, 9]), ("many", [4] * 9)):
        rows = [
            (group, case, random.random() < 0.3 + 0.4 * (group == "b") + 0.03 * case)
            for group in "ab"
            for case, size in enumerate(sizes)
            for _ in range(size)
        ]
        given = pd.DataFrame(rows, columns=["group", "case", "value"])
        recorded(f"checks over {name} cases", compare_groups(given, by="group", column="value"))
