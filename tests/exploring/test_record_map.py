import numpy as np
import pandas as pd
import pytest

from inkframe.analysis import project
from inkframe.exploring.frame_source import FrameSource
from inkframe.exploring.map import RecordMap
from inkframe.versions import text_type


@pytest.fixture
def frame():
    """Return eight records with places; one has none."""
    return pd.DataFrame({
        "x": [0.0, 2, 4, 6, 8, 10, 3, np.nan], "y": [0.0, 1, 2, 3, 4, 5, 5, 1],
        "kind": pd.Categorical(["a", "b", "b", "c", None, "b", "b", "a"]), "n": range(8),
        "result": pd.array([f"A text about {word}" for word in ["tea", "cup", "lamp", "desk", "hill", "road", "bell", "zoo"]], text_type()),
    })  # fmt: skip


def mapped(frame, **options):
    """Return a map, what it chose, and what it sent."""
    chosen, sent = [], []
    made = RecordMap(lambda rows: chosen.append(rows.tolist()), FrameSource(frame, **options))
    kinds = {"points": np.float32}
    made.send = lambda content, buffers: sent.append(
        (content["kind"], np.frombuffer(buffers[0], kinds.get(content["kind"], np.uint8)).tolist())
    )
    return made, chosen, sent


def test_own_places(frame):
    """Own places are moved to the middle and scaled to the longer side, without a note."""
    made, _, _ = mapped(frame, x="x", y="y")
    [(places, note)] = made.places(print)
    assert note == ""
    assert places.to_numpy().tolist()[:3] == [
        [-1, -0.5],
        [-0.6, -0.3],
        [pytest.approx(-0.2), pytest.approx(-0.1)],
    ]
    assert float(places.abs().max().max()) == 1
    small, _, _ = mapped(frame.assign(x=frame["x"] / 1e6, y=frame["y"] / 1e6), x="x", y="y")
    [(same, _)] = small.places(print)
    assert np.allclose(same, places, equal_nan=True)
    one, _, _ = mapped(frame.head(1), x="x", y="y")
    [(places, _)] = one.places(print)
    assert places.to_numpy().tolist() == [[0, 0]]


def test_notes_of_computed_places(frame):
    """A linear map comes first, then a better one, or the linear one again if that was cancelled."""
    texts = pd.concat([frame[["result"]]] * 3, ignore_index=True)
    made, _, _ = mapped(texts)
    notes = [note for _, note in made.places(lambda _share: None)]
    assert notes[0] == "A linear map; a better one is being computed."
    assert len(notes) == 2

    def cancel(_share):
        raise InterruptedError

    found = list(made.places(cancel))
    assert [note for _, note in found] == [notes[0], "A linear map; the better one was cancelled."]
    assert found[1][0] is found[0][0]
    assert found[0][0].equals(project(texts, method="linear"))


def test_points_their_colors_and_states(frame, send):
    """What a page is sent: places, colors by size of their group, and which points are shown or chosen."""
    made, chosen, sent = mapped(frame, x="x", y="y")
    assert (made.is_placed, made.label, made.picture()) == (False, "Map", "")
    send(made, "near", place=[0.2, 0.1], within=1)
    [(places, _)] = made.places(print)
    made.place(places.to_numpy())
    assert (made.is_placed, made.label) == (True, "Map of 7 records")
    made.color_by("kind")
    assert (made.colors, made.color, made.groups) == (
        ["", "x", "y", "kind", "n"],
        "kind",
        ["b", "a", "c", "other"],
    )
    made.mark(np.arange(8) != 3, np.arange(8) == 5)
    made.color_by("result")
    assert (made.color, made.groups) == ("", [])
    points = pytest.approx([-1, -0.5, -0.6, -0.3, -0.2, -0.1, 0.2, 0.1, 0.6, 0.3, 1, 0.5, -0.4, 0.5])
    states = [1, 1, 1, 0, 1, 3, 1]
    assert sent == [
        ("points", points),
        ("codes", [1, 0, 0, 2, 10, 0, 0]),
        ("shown", states),
        ("codes", [0] * 7),
    ]
    sent.clear()
    send(made, "ready")
    assert sent == [("points", points), ("codes", [0] * 7), ("shown", states)]
    square = [[-0.7, -0.4], [0.7, -0.4], [0.7, 0.4], [-0.7, 0.4]]
    send(made, "lasso", polygon=square)
    send(made, "lasso", polygon=[[-2, -2], [2, -2], [0, 2]])
    send(made, "near", place=[0.2, 0.1], within=0.1)
    send(made, "near", place=[0.2, 0.1], within=1)
    send(made, "near", place=[-0.5, 0.5], within=0.1)
    send(made, "other", place=[0.2, 0.1], within=1, polygon=square)
    assert chosen == [[1, 2, 4], [0, 1, 2, 4, 6], [], [2], [6]]


def test_the_picture(frame, recorded):
    """The points that are shown, in the colors of their groups, as an element without scripts."""
    made, _, _ = mapped(frame, x="x", y="y")
    [(places, _)] = made.places(print)
    made.place(places.to_numpy())
    made.color_by("kind")
    made.mark(np.arange(8) != 3, np.zeros(8, bool))
    recorded(
        "picture", str(made.picture()).partition("base64,")[0] + str(made.picture()).partition('" alt')[2]
    )
