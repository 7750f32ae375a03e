import io

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
    "plot_coverage": ("coverage", {"rows": "template", "columns": "creativity"}),
}


@pytest.fixture(scope="module")
def drawn():
    """Charts that were made once, by name."""
    return {}


def make(drawn, name, frame):
    if name not in drawn:
        function, options = CHARTS[name]
        drawn[name] = (
            getattr(analysis, name)(frame, **options),
            getattr(analysis, name)(getattr(analysis, function)(frame, **options)),
        )
    return drawn[name]


@pytest.mark.parametrize("name", CHARTS)
def test_plots_take_the_frame_or_the_result(drawn, documents, name):
    """The documents and what the function made of them give the same picture."""
    one, other = make(drawn, name, documents)
    assert one.description == other.description
    assert [len(axes.patches) for axes in one.axes] == [len(axes.patches) for axes in other.axes]


@pytest.mark.parametrize("name", CHARTS)
def test_axes_are_labelled(drawn, documents, name):
    """Every axes that is seen says what it shows and in which unit."""
    chart, _ = make(drawn, name, documents)
    below = chart.get_supxlabel()
    for axes in chart.axes:
        if axes.get_visible():
            assert axes.get_title(loc="left") or chart.get_suptitle()
            assert axes.get_xlabel() or axes.get_ylabel() or below


@pytest.mark.parametrize("name", CHARTS)
def test_counts_are_whole(drawn, documents, name):
    """No axis of records, texts or groups has half of one marked on it."""
    chart, _ = make(drawn, name, documents)
    for axes in chart.axes:
        for quantity, marks in (
            (axes.get_xlabel(), axes.get_xticks()),
            (axes.get_ylabel(), axes.get_yticks()),
        ):
            assert quantity not in ("records", "texts", "groups") or all(mark == int(mark) for mark in marks)


@pytest.mark.parametrize("name", CHARTS)
def test_charts_say_what_they_show(drawn, documents, name):
    """Plain text has the numbers, for those who do not see the picture."""
    chart, _ = make(drawn, name, documents)
    assert repr(chart).startswith("<Chart: ")
    assert any(map(str.isdigit, chart.description)) or "kettle" in chart.description


@pytest.fixture
def few(drawn, documents):
    """The response of two prompts at three of the five levels, with too few repeats."""
    if "few" not in drawn:
        tried = documents[documents["creativity"] > 0.4].groupby(["prompt", "creativity"]).head(2)
        drawn["few"] = analysis.plot_creativity_response(tried, by_prompt=True)
    return drawn["few"]


def test_five_labelled_steps_are_on_the_axis(few):
    """The response curve names all five steps, also those that were not tried."""
    labels = [label.get_text() for label in few.axes[0].get_xticklabels()]
    assert labels == [
        "Repetitive\n0",
        "Deterministic\n0.25",
        "Original\n0.5",
        "Creative\n0.75",
        "Imaginative\n1",
    ]


def test_too_few_repeats_are_said_on_the_picture(few):
    """The page itself says when there are too few repeats to tell."""
    assert "Too few repeats" in few.get_supxlabel()


def test_each_prompt_has_its_line(few):
    """By prompt there is one line a prompt."""
    assert len(few.axes[1].lines) == 2
    assert "2 prompts" in few.get_suptitle()


def test_a_page_of_images_drops_what_was_never_used(images, pictures):
    """Unused categories are no bars; images without favorites or times still make a page."""
    chart = analysis.plot_library_summary(images)
    names = [label.get_text() for axes in chart.axes for label in axes.get_yticklabels()]
    assert "anime" in names
    assert "sketch" not in names
    bare = analysis.plot_library_summary(images[["style", "medium"]])
    assert len(bare.axes) == 2
    assert len(analysis.plot_picture_colors(images, pictures).axes[0].get_yticklabels()) == 4


def test_many_values_are_counted_together(documents):
    """Beyond fifteen values the last bar stands for all others."""
    many = documents.assign(template=[f"Template {number % 20:02}" for number in range(60)])
    axes = next(
        axes for axes in analysis.plot_library_summary(many).axes if axes.get_title(loc="left") == "Template"
    )
    assert axes.get_yticklabels()[-1].get_text() == "6 others"
    assert [bar.get_width() for bar in axes.patches] == [3] * 14 + [18]


def test_a_chart_shows_itself_sharp_and_clear(drawn, documents):
    """A chart is a PNG of twice the size it is shown at, with a transparent ground."""
    chart, _ = make(drawn, "plot_near_duplicates", documents)
    data, shown = chart._repr_png_()
    picture = Image.open(io.BytesIO(data))
    assert picture.width == 2 * shown["width"] == 1880
    assert picture.getpixel((0, picture.height - 1))[3] == 0
    assert len(data) < 150_000


@pytest.mark.parametrize("name", [*CHARTS, "plot_picture_colors"])
def test_plots_refuse_what_is_no_frame(name):
    """A plot of a list is refused like the function beside it."""
    with pytest.raises(InvalidArgument, match="DataFrame was expected"):
        getattr(analysis, name)([1, 2])


@pytest.mark.parametrize("name", ["plot_text_statistics", "plot_library_summary", "plot_coverage"])
def test_nothing_to_draw_is_said(documents, name):
    """An empty library has no distributions, no page and no map."""
    with pytest.raises(InvalidArgument, match="nothing to draw"):
        getattr(analysis, name)(documents.iloc[:0].assign(style=[], medium=[], template=[]))


def test_empty_results_still_draw(documents, images):
    """No duplicates, no similar record and no picture give empty pages, not errors."""
    assert "0 groups" in analysis.plot_near_duplicates(documents.iloc[:1]).description
    assert "none" in analysis.plot_similar(documents, "zebra").description
    assert "0 pictures" in analysis.plot_picture_colors(images, {}).description
    assert "6 of 6" in analysis.plot_coverage(images.iloc[:0]).description
