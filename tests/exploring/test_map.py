"""The map of records."""

import matplotlib.style
import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import plot_map
from inkframe.versions import text_type


@pytest.fixture
def placed():
    """Return 130 placed records in 13 groups of growing size, two without a place."""
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(13), np.arange(4, 17))
    frame = pd.DataFrame(random.normal(size=(130, 2)) + groups[:, None], columns=["x", "y"])
    frame["kind"] = pd.Categorical([f"kind {at}" for at in groups])
    frame["words"] = groups * 1.5
    frame.loc[[0, 1], "x"] = np.nan
    return frame


def test_a_label_stands_at_a_record(placed):
    """The mean of a group may lie where there is none."""
    axes = plot_map(placed, color="kind").axes[0]
    places = {tuple(row) for row in placed[["x", "y"]].to_numpy()}
    assert all(tuple(text.xy) in places for text in axes.texts)


def test_positions_are_computed_where_there_are_none(documents):
    """Options are those of project."""
    chart = plot_map(documents, method="linear")
    assert len(chart.axes[0].collections[0].get_offsets()) == 60
    assert chart._repr_png_()[0].startswith(b"\x89PNG")


def test_bad_columns_are_refused(placed):
    """A missing column is named."""
    with pytest.raises(ink.InvalidArgument, match="no column 'topic'"):
        plot_map(placed, color="topic")


def test_points_shrink_with_their_number():
    """Few records are large points, many are small ones, within bounds."""
    sizes = []
    for count in (1, 10, 500, 1_000, 5_000, 100_000, 200_000):
        places = pd.DataFrame(np.random.default_rng(0).normal(size=(count, 2)), columns=["x", "y"])
        (axes,) = plot_map(places).axes
        sizes.append(axes.collections[0].get_sizes()[0])
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == sizes[1] > sizes[3] > sizes[4] > 0
    assert sizes[-1] == sizes[-2] > 0


def test_notes_of_the_projection_are_below_the_map(placed, monkeypatch):
    """What a projection left out is said below the map; a frame with positions has no note."""
    assert plot_map(placed).get_supxlabel() == ""
    monkeypatch.setattr("inkframe.exploring.map.MOST", 20)
    texts = pd.DataFrame(
        {"result": pd.array([f"A quiet kettle number {at}" for at in range(30)], text_type())}
    )
    below = plot_map(texts, method="linear").get_supxlabel()
    assert below == "The map shows a random sample of 20 of 30 records."


def test_whole_maps(placed, recorded):
    """Titles, labels, limits, colors and legends of maps of groups, of numbers and without a color."""
    recorded("groups", plot_map(placed, color="kind"))
    recorded("numbers", plot_map(placed, color="words"))
    recorded("plain", plot_map(placed))


def test_maps_of_some_columns(recorded):
    """Columns with missing values, true and false, and ten or eleven groups."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(random.normal(size=(48, 2)), columns=["x", "y"])
    frame["kind"] = pd.array(
        [None, *(f"a kind with a name of many letters {at % 11}" for at in range(47))], text_type()
    )
    frame["liked"] = frame["x"] > 0
    frame["length"] = pd.array([None, *range(47)], "Int64")
    for color in ("kind", "liked", "length"):
        recorded(f"map of {color}", plot_map(frame, color=color))
    with matplotlib.style.context("dark_background"):
        (label, _) = plot_map(frame, color="liked").axes[0].texts
        (outline,) = label.get_path_effects()
        assert outline._gc == {"linewidth": 3, "foreground": "black"}
    assert plot_map(frame, color="liked").axes[0].texts[0].get_path_effects() == []
