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


def test_a_summary_of_looks_alone(images):
    """Images without favorites or times are plotted."""
    assert len(analysis.plot_library_summary(images[["style", "medium"]]).axes) == 2


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
