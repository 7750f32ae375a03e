"""Plots at and beyond the bounds of their layouts: many groups, few values, missing intervals, long names."""

import numpy as np
import pandas as pd
import pytest

from inkframe import analysis
from inkframe.errors import InvalidArgument
from inkframe.versions import text_type

pytestmark = pytest.mark.integration


@pytest.fixture
def response():
    """The response of eleven prompts at three levels, with and without intervals."""
    rows = []
    for number in range(11):
        for level, label in ((0.25, "Deterministic"), (0.6, "0.6"), (1.25, "Beyond")):
            value = 0.05 * number + level / 4
            known = number % 3 > 0 and level < 1
            low, high = (
                (value - 0.04, value - 0.01 if number == 4 else value + 0.1) if known else (None, None)
            )
            rows.append(
                {
                    "creativity": level, "label": label, "prompt": f"A text of five words, $ {number:02}",
                    "distinct": 3, "texts": 4, "similarity": value, "similarity_low": low, "similarity_high": high,
                    "distinct_share": None if number == 1 else value / 2, "distinct_share_low": low,
                    "distinct_share_high": high, "length_spread": value / 2, "enough": known or level > 1,
                }
            )  # fmt: skip
    return pd.DataFrame(rows).astype({"similarity_low": float, "similarity_high": float})


def test_prompts_beyond_those_with_a_name(response, recorded):
    """Eight prompts have a color and a name, with dashes from the fifth on; the others are gray."""
    notes = [f"At least 15 repeats per level are needed. {'More words. ' * 12}".strip(), "Another note."]
    response.attrs["analysis"] = {"notes": notes}
    recorded("eleven prompts", analysis.plot_creativity_response(response))


def test_notes_that_are_no_warning(response, recorded):
    """Two prompts have their names, and a note that is no warning has the color of other text."""
    response.attrs["analysis"] = {"notes": ["Nothing to warn about."]}
    spread = response.assign(length_spread=response["length_spread"] * 40)
    recorded("two prompts", analysis.plot_creativity_response(spread[22:28]))


@pytest.mark.parametrize(("same", "shown"), [("x" * 24, "x" * 24), ("y" * 25, "…")])
def test_prompts_without_their_beginning(response, same, shown):
    """A beginning of 25 characters that all prompts have in common is left out, one of 24 is not."""
    frame = response.assign(
        prompt=[f"{same}{at} words {'of a prompt ' * 3}" for at in range(11) for _ in "abc"]
    )
    names = analysis.plot_creativity_response(frame).legends[0].get_texts()
    expected = [f"{shown}{at} words {'of a prompt ' * 3}".strip() for at in range(8)]
    expected = [name if len(name) <= 48 else f"{name[:47]}…" for name in expected]
    assert [name.get_text() for name in names] == expected


def test_documents_with_a_column_of_a_result(documents):
    """Documents that have one column of the result are still documents."""
    expected = analysis.plot_creativity_response(documents).description
    for own in ("label", "similarity"):
        assert analysis.plot_creativity_response(documents.assign(**{own: 1.0})).description == expected


def test_groups_of_duplicates(recorded):
    """Groups of eight records and more are one bar, counts have separators, and the unit is the result's."""
    sizes = np.repeat([2, 3, 6, 7, 8, 9, 40], [1200, 1, 2, 3, 4, 5, 6])
    first = pd.DataFrame({"is_representative": True, "size": sizes, "similarity": 1.0})
    others = pd.DataFrame({"is_representative": False, "size": 2, "similarity": np.linspace(0.4, 1, 1100)})
    frame = pd.concat([first, others], ignore_index=True)
    recorded("duplicates", analysis.plot_near_duplicates(frame))
    frame.attrs["analysis"] = {"units": {"similarity": "share of equal bits"}}
    assert analysis.plot_near_duplicates(frame).axes[1].get_xlabel() == "share of equal bits"


def test_groups_with_long_names(recorded):
    """Names of several columns, intervals that are missing or end at the mean, and every verdict."""
    frame = pd.DataFrame(
        {
            "style": pd.array(["anime", "a style with a name of many words", None], text_type()),
            "medium": ["ink", "a medium with more words", "chalk"],
            "n": [1200, 3, 4],
            "mean": [0.456, 0.5, 12],
            "low": [0.2, np.nan, 12],
            "high": [0.7, np.nan, 11.5],
            "verdict": ["best", "worse", "undecided"],
        }
    )
    recorded("groups", analysis.plot_compare_groups(frame))
    frame.attrs["analysis"] = {"units": {"mean": "share of favorites"}}
    assert analysis.plot_compare_groups(frame).description.startswith(
        "share of favorites by group: anime, ink"
    )
    recorded("rates", analysis.plot_win_rates(frame.rename(columns={"mean": "win_rate"})))


@pytest.mark.parametrize(
    ("plot", "columns", "options", "message"),
    [
        ("plot_compare_groups", "n mean low high verdict", {"by": "own", "column": "absent"}, "'absent'"),
        ("plot_win_rates", "n win_rate low high", {"by": "own"}, "'id'"),
        ("plot_keywords", "keyword weight texts inside outside", {"by": "own"}, "result"),
        ("plot_library_summary", "setting value records", {}, "template"),
        ("plot_picture_colors", "rank color share brightness", {}, "pictures"),
        ("plot_near_duplicates", "is_representative", {}, "'result'"),
    ],
)
def test_a_part_of_a_result_is_none(plot, columns, options, message):
    """A frame that lacks one column of the result is taken for records, and refused by what they lack."""
    frame = pd.DataFrame({"own": ["a", "b"]} | dict.fromkeys(columns.split(), 0.5))
    for name in columns.split()[:3] if plot == "plot_keywords" else columns.split():
        with pytest.raises(InvalidArgument, match=message):
            getattr(analysis, plot)(frame.drop(columns=name), **options)


@pytest.fixture
def terms():
    """Keywords of fourteen groups; of the last ones, some words are as frequent in other texts."""
    rows = [
        {"kind": f"kind {group:02}", "keyword": f"word {group} {at}", "weight": 1 / (at + group + 1), "texts": 100 * group}
        | {"inside": 0.5, "outside": 0.25 if at < 9 - group % 5 else 0.26}
        for group in range(14)
        for at in range(10)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_keywords_of_many_groups(terms, recorded):
    """Twelve groups are shown, those with the most texts first, each with at most eight words."""
    recorded("fourteen groups", analysis.plot_keywords(terms, "kind"))


def test_all_keywords_of_a_few_groups(terms, recorded):
    """Up to twelve groups are all shown in rows of three, those of a scale in its order, and any number of words."""
    recorded("more words", analysis.plot_keywords(terms[:10].assign(outside=0.4), "kind", n=9))
    levels = terms[:50].assign(
        creativity=np.repeat([0.5, 0, 2, 3, 4], 10), keyword="a word with many letters"
    )
    recorded("a scale", analysis.plot_keywords(levels, "creativity", n=1))
    twelve = analysis.plot_keywords(terms[:120], "kind", n=1)
    assert twelve.get_suptitle() == "Distinctive terms per kind"


def test_similar_records_without_names(recorded):
    """Records have their name, or their id; texts and names that are too long are shortened."""
    found = pd.DataFrame({"name": ["A harbor " * 8, "$"], "score": [0.987, 0.1]}, index=[12, 5])
    recorded("named", analysis.plot_similar(found))
    recorded("unnamed", analysis.plot_similar(found[["score"]], n=1))


@pytest.mark.parametrize(
    ("count", "bars"), [(4, 5), (12, 5), (16, 6), (100, 15), (400, 30), (900, 30), (3600, 30)]
)
def test_the_number_of_bars_grows_with_that_of_texts(count, bars):
    """There are 5 to 30 bars, whose number grows with the root of the number of texts."""
    frame = pd.DataFrame({"reading_minutes": np.linspace(0.1, 2.3, count)})
    (axes,) = analysis.plot_text_statistics(frame).axes
    assert len(axes.patches) == bars
    whole = pd.DataFrame({"words": np.linspace(3, 3 + 5 * bars - 1, count).round()})
    (axes,) = analysis.plot_text_statistics(whole).axes
    assert len(axes.patches) == bars
    assert [bool(axes.texts[:-1]), axes.texts[-1].get_ha()] == [bars <= 12, "left"]


def test_distributions_at_their_bounds(recorded):
    """Distributions of whole numbers, of one value, and of shares; measures without a value are left out."""
    frame = pd.DataFrame({"words": [*range(12), *[3] * 1200], "sentences": 5, "reading_minutes": 0.5})
    frame["type_token_ratio"] = np.linspace(0.3, 0.4, len(frame))
    frame["reading_ease"], frame["repeated_ngrams"], frame["characters"] = 50.0, np.nan, 7.0
    recorded("six measures", analysis.plot_text_statistics(frame))


def test_bars_and_measures_at_their_bounds():
    """Twelve bars have their values and thirteen have none; at most six measures are drawn."""
    for count, said in ((12, 12), (13, 0)):
        chart = analysis.plot_text_statistics(pd.DataFrame({"words": [*range(count)] * 20}))
        assert len(chart.axes[0].texts) == said + 1
    names = "characters words sentences reading_minutes reading_ease type_token_ratio repeated_ngrams"
    every = analysis.plot_text_statistics(pd.DataFrame(0.5, [0], names.split()))
    assert [axes.get_title(loc="left") for axes in every.axes] == [
        "Length", "Sentences", "Reading time", "Reading ease", "Variety of words", "Repetition",
    ]  # fmt: skip


def test_a_summary_of_long_periods(recorded):
    """More than eight periods have every second label; favorites without a number have no point."""
    days = pd.date_range("2026-01-01", periods=9, freq="D", tz="UTC")
    frame = pd.DataFrame(
        {
            "style": [f"style {at:02}" for at in range(17)] + ["style 00"],
            "favorite": pd.array([True, False, None] * 6, "boolean"),
            "created_at": [*days, *days],
        }
    )
    recorded("nine days", analysis.plot_library_summary(frame))


def test_a_summary_at_its_bounds(recorded):
    """Eight periods have all labels, fifteen values are all shown, and others without favorites have no point."""
    styles = [f"style {at:02}" for at in range(17)] + ["style 00"]
    frame = pd.DataFrame({"style": styles, "favorite": pd.array([True] * 14 + [None] * 4, "boolean")})
    recorded("others without favorites", analysis.plot_library_summary(frame))
    days = pd.date_range("2026-01-01", periods=8, freq="D", tz="UTC")
    eight = pd.DataFrame({"style": styles[:8], "favorite": False, "created_at": days})
    recorded("eight days", analysis.plot_library_summary(eight))
    fifteen = analysis.plot_library_summary(frame[["style"]][:15])
    assert [label.get_text() for label in fifteen.axes[0].get_yticklabels()][-1] == "style 14"


def test_upright_and_slanted_names(recorded):
    """Eight names along the top are upright, nine are slanted; counts have separators."""
    styles = [f"a style with a name {at}" for at in range(9)]
    frame = pd.DataFrame({"style": styles, "medium": ["a medium of ink and more"] + ["chalk"] * 8})
    recorded("nine styles", analysis.plot_coverage(frame, rows="medium", columns="style"))
    many = pd.concat([frame[:8], *[frame[1:2]] * 1200])
    recorded("eight styles", analysis.plot_coverage(many, rows="medium", columns="style"))


def test_more_pictures_than_rows(recorded):
    """Thirty pictures are all shown, of more than that every second; two have room for three."""
    colors = pd.DataFrame(
        {
            "name": [f"Picture with a long name {at}" for at in range(31) for _ in "ab"],
            "rank": [1, 2] * 31,
            "color": ["#102030", "#a0b0c0"] * 31,
            "share": [0.7, 0.2] * 31,
            "brightness": np.repeat(np.linspace(90.4, 10.6, 31), 2),
        },
        index=np.repeat(np.arange(31), 2),
    )
    recorded("31 pictures", analysis.plot_picture_colors(colors))
    assert len(analysis.plot_picture_colors(colors[:60]).axes[0].get_yticks()) == 30
    recorded("one picture", analysis.plot_picture_colors(colors[:2].drop(columns="name")))
