import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from inkframe import analysis
from inkframe.errors import InvalidArgument

CHARTS = {
    "plot_text_statistics": ("text_statistics", {"language": "en"}),
    "plot_creativity_response": ("creativity_response", {}),
    "plot_near_duplicates": ("near_duplicates", {"threshold": 0.6}),
    "plot_keywords": ("keywords", {}),
    "plot_similar": ("similar", {"text": "steel kettle"}),
    "plot_library_summary": ("library_summary", {}),
    "plot_compare_groups": ("compare_groups", {"by": "creativity", "column": "favorite"}),
    "plot_coverage": ("coverage", {"rows": "template", "columns": "creativity"}),
}


@pytest.mark.parametrize("name", CHARTS)
def test_plots_take_the_frame_or_the_result(documents, recorded, name):
    """Documents and the result of the function give the same plot, with a description, titles and units."""
    function, options = CHARTS[name]
    chart = getattr(analysis, name)(documents, **options)
    result = getattr(analysis, function)(documents, **options)
    other = getattr(analysis, name)(result)
    assert chart.description == other.description
    assert [len(axes.patches) for axes in chart.axes] == [len(axes.patches) for axes in other.axes]
    with pytest.raises(InvalidArgument, match=rf"{name}\(\).*'odd'"):
        getattr(analysis, name)(result, odd=1)
    assert repr(chart) == f"<Chart: {chart.description}>"
    assert any(map(str.isdigit, chart.description)) or "kettle" in chart.description
    for axes in chart.axes:
        quantities = axes.get_xlabel(), axes.get_ylabel()
        if axes.get_visible():
            assert axes.get_title(loc="left") or chart.get_suptitle()
            assert any(quantities) or chart.get_supxlabel()
        for quantity, marks in zip(quantities, (axes.get_xticks(), axes.get_yticks()), strict=True):
            assert quantity not in ("records", "texts", "groups") or all(mark == int(mark) for mark in marks)
    recorded(name, chart)


def test_the_axis_has_five_labeled_steps(documents, recorded):
    """A prompt has a line and a name; all five steps are labeled, and too few repeats are noted."""
    tried = documents[documents["creativity"] > 0.4].groupby(["prompt", "creativity"]).head(2)
    recorded("prompts", analysis.plot_creativity_response(tried, by_prompt=True))


def test_prompts_with_the_same_beginning_are_told_apart(documents):
    """Names of prompts leave out a long beginning that all have in common."""
    prompts = documents["prompt"].map(lambda prompt: "Write a product sheet of eighty words: " + prompt)
    chart = analysis.plot_creativity_response(documents.assign(prompt=prompts), by_prompt=True)
    assert [text.get_text() for text in chart.legends[0].get_texts()] == [
        "…Product text for a kettle",
        "…Care of a kettle",
    ]


def test_win_rates_are_plotted():
    """Win rates take judgments or their result, with a row for each group."""
    rows = {
        "id": [1, 3, 4],
        "other": [2, 4, 1],
        "winner": [1, 4, 4],
        "g": ["a", "a", "b"],
        "other_g": ["b", "b", "a"],
    }
    rates = analysis.win_rates(pd.DataFrame(rows), by="g")
    chart = analysis.plot_win_rates(rates)
    assert chart.description == analysis.plot_win_rates(pd.DataFrame(rows), by="g").description
    with pytest.raises(InvalidArgument, match=r"plot_win_rates\(\).*'resample'"):
        analysis.plot_win_rates(rates, resample=10)
    assert [label.get_text() for label in chart.axes[0].get_yticklabels()] == ["a", "b"]


def test_a_result_without_counts_is_no_result():
    """A result that lacks a column of its plot is an error that names what is missing."""
    result = pd.DataFrame({"g": ["a", "b"], "low": 0.1, "high": 0.9})
    for plot, own in (
        (analysis.plot_win_rates, {"win_rate": 0.5}),
        (analysis.plot_compare_groups, {"mean": 0.5, "verdict": ""}),
    ):
        with pytest.raises(InvalidArgument, match="column"):
            plot(result.assign(**own), by="g")


def test_a_summary_of_looks_alone(images):
    """Images without favorites or times are plotted."""
    assert len(analysis.plot_library_summary(images[["style", "medium"]]).axes) == 2


def test_there_are_no_empty_axes(documents):
    """Two measures have two panels side by side, with the whole range of reading ease."""
    chart = analysis.plot_text_statistics(documents, language="en", measures=["words", "reading_ease"])
    assert len(chart.axes) == 2
    low, high = chart.axes[1].get_xlim()
    assert low <= 0
    assert high >= 100


def test_panels_of_a_scale_are_in_its_order(documents):
    """Groups of a scale are in its order, by their labels; other groups begin with the largest."""
    levels = documents["creativity"].map({0: 1.0, 1: 0.0}).fillna(0.5)  # the largest group is the second
    frame = documents.assign(creativity=levels, result=documents["result"] + levels.map(" x{:.0f}x".format))
    chart = analysis.plot_keywords(frame, by="creativity")
    titles = [axes.get_title(loc="left").split()[0] for axes in chart.axes if axes.get_visible()]
    assert titles == ["Repetitive", "Original", "Imaginative"]


def test_words_of_little_meaning_are_left_out():
    """A word that the texts of other groups have nearly as often is not drawn beside one that they lack."""
    texts = ["the steel kettle", "the steel kettle", "the warm lamp", "a warm lamp", "the warm lamp"]
    frame = pd.DataFrame({"template": ["a", "a", "b", "b", "b"], "result": texts})
    drawn = [
        {label.get_text() for label in axes.get_yticklabels()} for axes in analysis.plot_keywords(frame).axes
    ]
    assert "the" in set(analysis.keywords(frame)["keyword"])
    assert drawn == [{"warm", "lamp"}, {"steel", "kettle"}]


def test_a_chart_renders_at_double_density(documents):
    """A chart is a PNG of twice its display size, with a transparent background."""
    chart = analysis.plot_near_duplicates(documents, threshold=0.6)
    data, shown = chart._repr_png_()
    picture = Image.open(io.BytesIO(data))
    assert picture.width == 2 * shown["width"] == 1880
    assert picture.getpixel((0, picture.height - 1))[3] == 0
    assert len(data) < 150_000


@pytest.mark.parametrize("name", ["plot_text_statistics", "plot_library_summary", "plot_coverage"])
def test_nothing_to_draw_is_an_error(documents, name):
    """Plots of an empty library are refused."""
    with pytest.raises(InvalidArgument, match="nothing to draw"):
        getattr(analysis, name)(documents.iloc[:0].assign(style=[], medium=[], template=[]))


def test_empty_results_still_draw(documents, images):
    """No duplicates, no similar record and no picture give empty plots instead of errors."""
    assert "0 groups" in analysis.plot_near_duplicates(documents.iloc[:1]).description
    assert "none" in analysis.plot_similar(documents, "zebra").description
    assert "0 pictures" in analysis.plot_picture_colors(images, {}).description
    assert "6 of 6" in analysis.plot_coverage(images.iloc[:0]).description


def test_whole_plots_of_prompts_and_looks(images, pictures, recorded):
    """Plots of the coverage and the colors of images."""
    recorded("coverage", analysis.plot_coverage(images))
    recorded("colors", analysis.plot_picture_colors(images, pictures))


def test_whole_plots_of_images(images, recorded):
    """The summary of a library of images."""
    recorded("images", analysis.plot_library_summary(images))


def test_whole_plots_of_many_values(documents, recorded):
    """The summary of a library with more values than are shown."""
    many = documents.assign(template=[f"Template {number % 20:02}" for number in range(60)])
    recorded("others", analysis.plot_library_summary(many))


def test_whole_plots_of_every_measure(recorded):
    """Distributions of every measure of many texts."""
    spread = np.linspace(0, 1, 200)
    measures = pd.DataFrame(
        {
            "words": 20 + (spread * 300).astype(int), "sentences": (1 + spread * 9).astype(int),
            "reading_minutes": 0.1 + spread**2, "reading_ease": 140 * spread - 20,
            "type_token_ratio": 0.4 + spread / 2, "repeated_ngrams": np.where(spread > 0.5, spread / 9, np.nan),
        }
    )  # fmt: skip
    recorded("measures", analysis.plot_text_statistics(measures))


def test_whole_plots_of_a_few_values(documents, recorded):
    """Distributions of few values, win rates of three groups, slanted names, few words and many answers."""
    recorded("characters", analysis.plot_text_statistics(pd.DataFrame({"characters": [5.0, 5.0, 8.0]})))
    rows = [("a", 8, 0.2, 0.1, 0.35), ("b", 9, 0.5, 0.4, 0.6), ("c", 7, 0.8, 0.7, 0.9)]
    rates = pd.DataFrame(rows, columns=["variant", "n", "win_rate", "low", "high"])
    recorded("win rates", analysis.plot_win_rates(rates))
    many = pd.DataFrame({"style": [f"style {at % 14}" for at in range(30)], "medium": ["ink", "chalk"] * 15})
    recorded("slanted", analysis.plot_coverage(many, rows="medium", columns="style"))
    recorded("two keywords", analysis.plot_keywords(documents, n=2))
    recorded("answers", analysis.plot_similar(documents, "steel kettle", 12))
